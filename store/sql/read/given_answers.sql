-- Grain: one row per complete run of $study at $as_of and question of the list $questions: the answer and verdict $extractor gave,
-- first pass and first sample.
SELECT a.question_id, a.run_id, a.answer, a.verdict
FROM w.answers a
JOIN w.classes c USING (study, run_id, question_id, pass_index, sample_index)
JOIN w.runs r USING (study, run_id)
WHERE a.study = $study AND a.extractor = $extractor AND r.generation <= $as_of AND r.state = 'complete' AND c.counted
    AND list_contains($questions, a.question_id)
ORDER BY a.question_id, a.run_id;
