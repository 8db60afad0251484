-- Grain: one row per run of $study at $as_of: when its first request arrived, seconds since 1970, null where no record says.
SELECT f.run_id, min(f.arrival_unix_s) AS first_arrival
FROM w.facts f
JOIN w.runs r USING (study, run_id)
WHERE f.study = $study AND r.generation <= $as_of
GROUP BY f.run_id
ORDER BY f.run_id;
