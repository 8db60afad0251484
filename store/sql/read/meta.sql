-- Grain: one row: schema version, highest ingest generation, when the file was built.
SELECT schema_version, generation, built_at FROM w.meta;
