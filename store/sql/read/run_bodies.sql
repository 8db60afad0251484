-- Grain: one row per run of $study at $as_of: a digest over everything its records hold but labels, and how many have a clock.
SELECT f.run_id, r.deployment_id, count(*) AS records,
    count(*) FILTER (coalesce(f.arrival_unix_s, f.queued_s, f.scheduled_s, f.first_token_s, f.last_token_s, f.first_token_latency_s)
        IS NOT NULL) AS clocked,
    md5(string_agg(concat_ws(chr(31), f.question_id, f.pass_index, f.sample_index, f.prompt_digest, f.output_digest,
        f.finish_reason, f.logprobs_digest, f.gold, f.arrival_unix_s, f.queued_s, f.scheduled_s, f.first_token_s, f.last_token_s,
        f.first_token_latency_s), chr(30) ORDER BY f.question_id, f.pass_index, f.sample_index)) AS body
FROM w.facts f
JOIN w.runs r USING (study, run_id)
WHERE f.study = $study AND r.generation <= $as_of AND r.state = 'complete'
GROUP BY f.run_id, r.deployment_id
ORDER BY f.run_id;
