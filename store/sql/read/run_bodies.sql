-- Grain: one row per complete run of $study at $as_of: a digest over everything its records and their answers hold but their
-- labels, and how many records have a clock.
WITH answered AS (
    SELECT run_id, question_id, pass_index, sample_index,
        string_agg(json_merge_patch(to_json(a), '{"study": null, "run_id": null}')::VARCHAR, '' ORDER BY extractor) AS answers
    FROM w.answers a
    WHERE study = $study
    GROUP BY run_id, question_id, pass_index, sample_index
),
records AS (
    SELECT f.run_id, f.question_id, f.pass_index, f.sample_index,
        coalesce(f.arrival_unix_s, f.queued_s, f.scheduled_s, f.first_token_s, f.last_token_s, f.first_token_latency_s) AS clock,
        json_merge_patch(
            to_json(f), '{"study": null, "run_id": null, "request_id": null, "pass_index": null, "null_reasons": null}'
        )::VARCHAR AS body
    FROM w.facts f
    WHERE f.study = $study
)
SELECT r.run_id, r.deployment_id, count(*) AS records, count(x.clock) AS clocked,
    md5(string_agg(x.body || coalesce(a.answers, ''), '' ORDER BY x.question_id, x.pass_index, x.sample_index)) AS body
FROM records x
JOIN w.runs r ON r.study = $study AND r.run_id = x.run_id
LEFT JOIN answered a ON a.run_id = x.run_id AND a.question_id = x.question_id AND a.pass_index = x.pass_index
    AND a.sample_index = x.sample_index
WHERE r.generation <= $as_of AND r.state = 'complete'
GROUP BY r.run_id, r.deployment_id
ORDER BY r.run_id;
