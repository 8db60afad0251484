-- Grain: one row per generation and file of $study at $as_of with refused lines that name no run of the study, so that nobody
-- knows whose records they were.
SELECT f.generation, f.file, count(*) AS lines, min(f.line) AS first_line
FROM w.refused f
WHERE f.study = $study AND f.generation <= $as_of
    AND (f.run_id IS NULL OR f.run_id NOT IN (SELECT r.run_id FROM w.runs r WHERE r.study = $study))
GROUP BY f.generation, f.file
ORDER BY f.generation, f.file;
