-- Grain: one row per run and question of $study at $as_of with a top-k capture taken while decoding: first pass, first sample.
WITH first AS (
    SELECT run_id, min(pass_index) AS pass_index, min(sample_index) AS sample_index
    FROM w.facts
    WHERE study = $study
    GROUP BY run_id
)
SELECT f.run_id, f.question_id, f.output_digest, f.logprobs_digest, f.stop_token_id
FROM w.facts f
JOIN first USING (run_id, pass_index, sample_index)
JOIN w.runs r ON r.study = f.study AND r.run_id = f.run_id
WHERE f.study = $study AND r.generation <= $as_of AND f.logprobs_digest IS NOT NULL AND coalesce(f.topk_source, 'decode') = 'decode'
ORDER BY f.run_id, f.question_id;
