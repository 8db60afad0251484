-- Grain: one row per record. $facts: the bundles' facts.parquet files.
CREATE TABLE facts AS
SELECT b.study, f.* EXCLUDE (filename)
FROM read_parquet($facts, filename = true, union_by_name = true, hive_partitioning = false) f
JOIN bundles b ON b.folder || '/facts.parquet' = f.filename
ORDER BY b.study, f.run_id, f.question_id, f.pass_index, f.sample_index;
