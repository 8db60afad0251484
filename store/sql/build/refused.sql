-- Grain: one row per refused line, with the generation of the ingest that met it.
CREATE TABLE refused AS
SELECT b.study, b.generation, r.* EXCLUDE (filename)
FROM read_parquet($refused, filename = true, union_by_name = true) r
JOIN bundles b ON b.folder || '/refused.parquet' = r.filename
ORDER BY b.study, b.generation, r.file, r.line;
