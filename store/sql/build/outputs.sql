-- Grain: one row per distinct output of a question, sorted by question so that one question is one range.
CREATE TABLE outputs AS
SELECT DISTINCT ON (b.study, o.question_id, o.output_digest) b.study, o.* EXCLUDE (filename)
FROM read_parquet($outputs, filename = true, union_by_name = true, hive_partitioning = false) o
JOIN bundles b ON b.folder || '/outputs.parquet' = o.filename
ORDER BY b.study, o.question_id, o.output_digest;
