-- Grain: one row per record and extractor. $answers: the bundles' answers.parquet files.
CREATE TABLE answers AS
SELECT b.study, a.* EXCLUDE (filename)
FROM read_parquet($answers, filename = true, union_by_name = true, hive_partitioning = false) a
JOIN bundles b ON b.folder || '/answers.parquet' = a.filename
ORDER BY b.study, a.extractor, a.run_id, a.question_id, a.pass_index, a.sample_index;
