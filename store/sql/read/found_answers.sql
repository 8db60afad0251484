-- Grain: one row per run and question of $study at $as_of, first pass and first sample: whether $extractor found an answer in it.
-- Null: it was not read by it, or a harness gave a verdict without saying what it read.
SELECT f.run_id, f.question_id,
    CASE WHEN a.answer IS NOT NULL THEN true WHEN a.extraction_path = 'none' THEN false END AS found
FROM w.facts f
JOIN w.classes c USING (study, run_id, question_id, pass_index, sample_index)
JOIN w.runs r USING (study, run_id)
LEFT JOIN w.answers a
    ON a.study = f.study AND a.run_id = f.run_id AND a.question_id = f.question_id AND a.pass_index = f.pass_index
    AND a.sample_index = f.sample_index AND a.extractor = $extractor
WHERE f.study = $study AND r.generation <= $as_of AND c.counted
ORDER BY f.run_id, f.question_id;
