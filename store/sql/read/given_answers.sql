-- Grain: one row per complete run of $study at $as_of and question: the answer and verdict $extractor gave, first pass and sample.
WITH first AS (
    SELECT run_id, min(pass_index) AS pass_index, min(sample_index) AS sample_index
    FROM w.facts
    WHERE study = $study
    GROUP BY run_id
)
SELECT a.question_id, r.run_id, a.answer, a.verdict
FROM w.answers a
JOIN first USING (run_id, pass_index, sample_index)
JOIN w.runs r ON r.study = a.study AND r.run_id = a.run_id
WHERE a.study = $study AND a.extractor = $extractor AND r.generation <= $as_of AND r.state = 'complete'
    AND list_contains(str_split($questions, chr(31)), a.question_id)
ORDER BY a.question_id, r.run_id;
