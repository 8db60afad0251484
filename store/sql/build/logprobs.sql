-- Grain: one row per distinct top-k capture of a question.
CREATE TABLE logprobs AS
SELECT DISTINCT ON (b.study, l.question_id, l.logprobs_digest) b.study, l.* EXCLUDE (filename)
FROM read_parquet($logprobs, filename = true, union_by_name = true, hive_partitioning = false) l
JOIN bundles b ON b.folder || '/logprobs.parquet' = l.filename
ORDER BY b.study, l.question_id, l.logprobs_digest;
