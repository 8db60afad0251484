-- Grain: one row per extractor that scored records of $study at generation $as_of.
SELECT a.extractor, count(*) AS answers
FROM w.answers a
JOIN w.runs r USING (study, run_id)
WHERE a.study = $study AND r.generation <= $as_of
GROUP BY a.extractor
ORDER BY a.extractor;
