-- Grain: one row per run and question of $study at $as_of with a top-k capture taken while decoding: first pass, first sample.
-- $q: only this question; null for all.
SELECT f.run_id, f.question_id, f.output_digest, f.logprobs_digest, f.stop_token_id
FROM w.facts f
JOIN w.classes c USING (study, run_id, question_id, pass_index, sample_index)
JOIN w.runs r USING (study, run_id)
WHERE f.study = $study AND r.generation <= $as_of AND c.counted AND f.logprobs_digest IS NOT NULL
    AND coalesce(f.topk_source, 'decode') = 'decode'
    AND ($q IS NULL OR f.question_id = $q)
ORDER BY f.run_id, f.question_id;
