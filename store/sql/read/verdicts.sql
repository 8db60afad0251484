-- Grain: one row per grid run and question of $study at $as_of: the run's first pass and first sample, scored by $extractor.
-- verdict is null where the record exists but $extractor did not score it; answered is null where no answer is known,
-- '-' where a scored output has none, and '=' before the answer otherwise.
WITH first AS (
    SELECT run_id, min(pass_index) AS pass_index, min(sample_index) AS sample_index
    FROM w.facts
    WHERE study = $study
    GROUP BY run_id
)
SELECT f.run_id, f.question_id, a.verdict, f.identity_digest, f.text_digest, f.finish_reason,
    CASE WHEN a.answer IS NOT NULL THEN '=' || a.answer WHEN a.verdict IN ('correct', 'incorrect') THEN '-' END AS answered
FROM w.facts f
JOIN first USING (run_id, pass_index, sample_index)
JOIN w.runs r ON r.study = f.study AND r.run_id = f.run_id
LEFT JOIN w.answers a
    ON a.study = f.study AND a.run_id = f.run_id AND a.question_id = f.question_id AND a.pass_index = f.pass_index
    AND a.sample_index = f.sample_index AND a.extractor = $extractor
WHERE f.study = $study AND r.generation <= $as_of AND r.role = 'grid'
ORDER BY f.run_id, f.question_id;
