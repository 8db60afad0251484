-- Grain: one row per question and distinct output of $study that some record with a capture gave.
-- $q: only this question; null for all.
SELECT DISTINCT o.question_id, o.output_digest, o.token_ids
FROM w.outputs o
JOIN w.facts f ON f.study = o.study AND f.question_id = o.question_id AND f.output_digest = o.output_digest
WHERE o.study = $study AND f.logprobs_digest IS NOT NULL AND ($q IS NULL OR o.question_id = $q)
ORDER BY o.question_id, o.output_digest;
