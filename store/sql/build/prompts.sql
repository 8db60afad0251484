-- Grain: one row per distinct prompt of a question.
CREATE TABLE prompts AS
SELECT DISTINCT ON (b.study, p.question_id, p.prompt_digest) b.study, p.* EXCLUDE (filename)
FROM read_parquet($prompts, filename = true, union_by_name = true, hive_partitioning = false) p
JOIN bundles b ON b.folder || '/prompts.parquet' = p.filename
ORDER BY b.study, p.question_id, p.prompt_digest;
