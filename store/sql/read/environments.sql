-- Grain: one row per deployment of $study that has a run at $as_of: its environment record as JSON.
SELECT e.deployment_id, e.declared_digest, e.full_digest, e.known_fields, e.digest_fields, e.record
FROM w.environments e
WHERE e.study = $study AND e.deployment_id IN (SELECT r.deployment_id FROM w.runs r WHERE r.study = $study AND r.generation <= $as_of)
ORDER BY e.deployment_id;
