-- Grain: one row per extractor and distinct (answer, verdict) on question $q of $study at $as_of, with its number of records.
SELECT a.extractor, a.answer, a.extraction_path, a.verdict, count(*) AS records
FROM w.answers a
JOIN w.runs r USING (study, run_id)
WHERE a.study = $study AND a.question_id = $q AND r.generation <= $as_of
GROUP BY a.extractor, a.answer, a.extraction_path, a.verdict
ORDER BY a.extractor, records DESC, a.answer, a.extraction_path, a.verdict;
