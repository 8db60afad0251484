-- Grain: one row per refused line of a study, with the generation of the ingest that met it first.
CREATE TABLE refused AS
SELECT DISTINCT ON (b.study, r.file, r.line, r.reason, r.raw) b.study, b.generation, r.* EXCLUDE (filename)
FROM read_parquet($refused, filename = true, union_by_name = true, hive_partitioning = false) r
JOIN bundles b ON b.folder || '/refused.parquet' = r.filename
ORDER BY b.study, r.file, r.line, r.reason, r.raw, b.generation;
