-- Grain: one row per deployment of a study (its record as of the first bundle that holds it).
CREATE TABLE environments AS
SELECT DISTINCT ON (b.study, e.deployment_id) b.study, b.generation, e.* EXCLUDE (filename)
FROM read_parquet($environments, filename = true, union_by_name = true, hive_partitioning = false) e
JOIN bundles b ON b.folder || '/environments.parquet' = e.filename
ORDER BY b.study, e.deployment_id, b.generation;
