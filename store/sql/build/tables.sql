-- Empty tables that are filled from the sealed manifests. One row of `runs` per run, of `bundles` per bundle.
CREATE TABLE meta (schema_version INTEGER, generation BIGINT, built_at VARCHAR);
CREATE TABLE bundles (
    study VARCHAR, content_digest VARCHAR, generation BIGINT, label VARCHAR, main_extractor VARCHAR,
    declared BOOLEAN, created_at VARCHAR, created_by VARCHAR, folder VARCHAR
);
CREATE TABLE runs (
    study VARCHAR, run_id VARCHAR, cell VARCHAR, arm VARCHAR, role VARCHAR, "repeat" BIGINT, deployment_id VARCHAR,
    state VARCHAR, state_reason VARCHAR, records BIGINT, scored BIGINT, correct BIGINT, unscored BIGINT,
    truncated BIGINT, end_unknown BIGINT, duplicates BIGINT, refused BIGINT, content_digest VARCHAR, generation BIGINT
);
CREATE TABLE sources (study VARCHAR, generation BIGINT, name VARCHAR, sha256 VARCHAR, bytes BIGINT, mapping VARCHAR);
CREATE TABLE extractors (study VARCHAR, extractor VARCHAR, spec VARCHAR);
