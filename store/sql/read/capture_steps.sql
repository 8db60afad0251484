-- Grain: one row per question and distinct capture of $study: candidates of each decode step, unrounded.
-- $q: only this question; null for all.
SELECT question_id, logprobs_digest, token_ids, logprobs
FROM w.logprobs
WHERE study = $study AND ($q IS NULL OR question_id = $q)
ORDER BY question_id, logprobs_digest;
