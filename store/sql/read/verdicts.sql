-- Grain: one row per grid run and question of $study at $as_of: the first pass and sample, scored by $extractor.
-- verdict is null where the record exists but $extractor did not score it.
SELECT f.run_id, f.question_id, a.verdict, a.answer, coalesce(f.identity_digest, f.text_digest) AS output
FROM w.facts f
JOIN w.runs r USING (study, run_id)
LEFT JOIN w.answers a
    ON a.study = f.study AND a.run_id = f.run_id AND a.question_id = f.question_id AND a.pass_index = f.pass_index
    AND a.sample_index = f.sample_index AND a.extractor = $extractor
WHERE f.study = $study AND r.generation <= $as_of AND r.role = 'grid'
QUALIFY row_number() OVER (PARTITION BY f.run_id, f.question_id ORDER BY f.pass_index, f.sample_index) = 1
ORDER BY f.run_id, f.question_id;
