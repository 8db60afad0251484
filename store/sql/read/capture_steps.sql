-- Grain: one row per question and distinct capture of $study: candidates of each decode step, unrounded.
SELECT question_id, logprobs_digest, token_ids, logprobs
FROM w.logprobs
WHERE study = $study
ORDER BY question_id, logprobs_digest;
