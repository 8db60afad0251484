-- Grain: one row per run of $study that existed at generation $as_of.
SELECT r.run_id, r.cell, r.arm, r.role, r.repeat, r.deployment_id, r.state, r.state_reason, r.records, r.scored, r.correct,
    r.unscored, r.truncated, r.end_unknown, r.duplicates, r.refused, r.generation, e.declared_digest, e.full_digest, e.known_fields,
    e.digest_fields, e.record ->> '$.engine' AS engine, e.record ->> '$.cache_role' AS cache_role,
    e.record ->> '$.cache_parent' AS cache_parent, e.record ->> '$.card' AS card,
    e.record ->> '$.fingerprint' AS fingerprint, r.content_digest,
    coalesce(t.switched_off, 0) AS thinking_off, coalesce(t.thought, 0) AS thought
FROM w.runs r
LEFT JOIN w.environments e USING (study, deployment_id)
LEFT JOIN w.thinking t USING (study, run_id)
WHERE r.study = $study AND r.generation <= $as_of
ORDER BY r.arm, r.cell, r.repeat, r.run_id;
