-- Grain: one row per question and identity class (build/classes) of $study at $as_of, with the token ids of one output that has it
-- and what counts as a stop there.
SELECT f.question_id, c.identity, o.token_ids, f.stop_token_ids, f.stop_token_id
FROM w.facts f
JOIN w.classes c USING (study, run_id, question_id, pass_index, sample_index)
JOIN w.runs r USING (study, run_id)
JOIN w.outputs o ON o.study = f.study AND o.question_id = f.question_id AND o.output_digest = f.output_digest
WHERE f.study = $study AND r.generation <= $as_of AND c.counted AND c.identity IS NOT NULL
QUALIFY row_number() OVER (
    PARTITION BY f.question_id, c.identity ORDER BY f.identity_digest <> c.identity_digest, f.run_id
) = 1
ORDER BY f.question_id, c.identity;
