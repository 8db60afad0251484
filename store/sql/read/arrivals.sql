-- Grain: one row per run of $study at $as_of: when its first request arrived, seconds since 1970; null unless every record says
-- when it arrived, since the one that does not may have been the first.
SELECT f.run_id, CASE WHEN count(*) = count(f.arrival_unix_s) THEN min(f.arrival_unix_s) END AS first_arrival
FROM w.facts f
JOIN w.runs r USING (study, run_id)
WHERE f.study = $study AND r.generation <= $as_of
GROUP BY f.run_id
ORDER BY f.run_id;
