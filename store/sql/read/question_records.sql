-- Grain: one row per record of question $q in $study at $as_of, scored by $extractor; every role is here.
SELECT f.run_id, f.question_id, f.pass_index, f.sample_index, r.cell, r.arm, r.role, r.repeat, r.deployment_id, r.state, f.gold, f.tokenizer_digest,
    f.input_ids_digest, f.prompt_digest, f.output_digest, c.identity_digest, f.text_digest, f.finish_reason, f.output_tokens, f.stop_token_ids, f.stop_token_id,
    a.extracted, a.answer, a.extraction_path, a.verdict, a.unscored_reason, a.span_start, a.span_end,
    count(*) OVER (PARTITION BY f.run_id) AS records_of_run
FROM w.facts f
JOIN w.classes c USING (study, run_id, question_id, pass_index, sample_index)
JOIN w.runs r USING (study, run_id)
LEFT JOIN w.answers a
    ON a.study = f.study AND a.run_id = f.run_id AND a.question_id = f.question_id AND a.pass_index = f.pass_index
    AND a.sample_index = f.sample_index AND a.extractor = $extractor
WHERE f.study = $study AND f.question_id = $q AND r.generation <= $as_of
ORDER BY r.arm, r.cell, r.repeat, f.run_id, f.pass_index, f.sample_index;
