-- Grain: one row per question and distinct identity of $study at $as_of, with the token ids of one output that has it and
-- what counts as a stop there. `identity` is the class number that read/layers gives at the same generation.
SELECT question_id, identity, token_ids, stop_token_ids, stop_token_id
FROM (
    SELECT f.question_id, dense_rank() OVER (PARTITION BY f.question_id ORDER BY f.identity_digest) AS identity,
        o.token_ids, f.stop_token_ids, f.stop_token_id, f.run_id
    FROM w.facts f
    JOIN (
        SELECT run_id, min(pass_index) AS pass_index, min(sample_index) AS sample_index
        FROM w.facts
        WHERE study = $study
        GROUP BY run_id
    ) USING (run_id, pass_index, sample_index)
    JOIN w.runs r ON r.study = f.study AND r.run_id = f.run_id
    JOIN w.outputs o ON o.study = f.study AND o.question_id = f.question_id AND o.output_digest = f.output_digest
    WHERE f.study = $study AND r.generation <= $as_of AND f.identity_digest IS NOT NULL
)
QUALIFY row_number() OVER (PARTITION BY question_id, identity ORDER BY run_id) = 1
ORDER BY question_id, identity;
