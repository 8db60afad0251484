-- Grain: one row per bundle the file was built from.
SELECT study, content_digest, generation FROM w.bundles ORDER BY generation, content_digest;
