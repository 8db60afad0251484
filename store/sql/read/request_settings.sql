-- Grain: one row per run of $study at $as_of, request setting and distinct value, with the number of records that have it.
-- A setting nobody recorded has no row.
WITH settings AS (
    SELECT f.run_id, f.model_digest, f.tokenizer_digest, f.adapter_digest, f.quantization_config, f.chat_template_digest,
        f.rng_scheme, f.stop_token_ids, f.stop_strings, f.logit_processor_order, f.topk_source, f.logprob_dtype,
        f.seed::VARCHAR AS seed, f.temperature::VARCHAR AS temperature, f.top_p::VARCHAR AS top_p, f.top_k::VARCHAR AS top_k,
        f.min_p::VARCHAR AS min_p, f.presence_penalty::VARCHAR AS presence_penalty,
        f.frequency_penalty::VARCHAR AS frequency_penalty, f.repetition_penalty::VARCHAR AS repetition_penalty,
        f.max_output_tokens::VARCHAR AS max_output_tokens
    FROM w.facts f
    JOIN w.runs r USING (study, run_id)
    WHERE f.study = $study AND r.generation <= $as_of
)
SELECT run_id, name, value, count(*) AS records
FROM (UNPIVOT settings ON COLUMNS(* EXCLUDE (run_id)))
GROUP BY run_id, name, value
ORDER BY run_id, name, value;
