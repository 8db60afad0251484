-- Grain: one row: whether the regular expression $pattern can be used (the engine raises an error otherwise).
SELECT regexp_matches('', $pattern) AS usable ORDER BY 1;
