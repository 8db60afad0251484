-- Grain: one row per run and question of $study at $as_of, first pass and first sample: whether its text matches the regular
-- expression $pattern (RE2: time linear in the text); null where the text is not known.
WITH read AS (
    SELECT o.question_id, o.output_digest, regexp_matches(o.raw_text, $pattern) AS matches FROM w.outputs o WHERE o.study = $study
)
SELECT f.run_id, f.question_id, t.matches
FROM w.facts f
JOIN w.classes c USING (study, run_id, question_id, pass_index, sample_index)
JOIN w.runs r USING (study, run_id)
LEFT JOIN read t USING (question_id, output_digest)
WHERE f.study = $study AND r.generation <= $as_of AND c.counted
ORDER BY f.run_id, f.question_id;
