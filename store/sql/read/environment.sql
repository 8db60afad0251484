-- Grain: one row: the environment of $deployment in $study.
SELECT e.declared_digest, e.full_digest, e.record FROM w.environments e WHERE e.study = $study AND e.deployment_id = $deployment;
