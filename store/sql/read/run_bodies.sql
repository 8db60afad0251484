-- Grain: one row per complete run of $study at $as_of: a sum of hashes over everything its records and their answers hold but their
-- labels, and how many records have a clock. Equal sums over 64-bit hashes of every record mean equal records.
WITH records AS (
    SELECT run_id, coalesce(arrival_unix_s, queued_s, scheduled_s, first_token_s, last_token_s, first_token_latency_s) AS clock,
        hash(*COLUMNS(* EXCLUDE (study, run_id, request_id, pass_index, null_reasons))) AS body
    FROM w.facts
    WHERE study = $study
),
answered AS (
    SELECT run_id, sum(hash(*COLUMNS(* EXCLUDE (study, run_id, pass_index)))::HUGEINT) AS body
    FROM w.answers
    WHERE study = $study
    GROUP BY run_id
)
SELECT r.run_id, r.deployment_id, count(*) AS records, count(x.clock) AS clocked,
    concat_ws(' ', count(*), sum(x.body::HUGEINT), any_value(a.body)) AS body
FROM records x
JOIN w.runs r ON r.study = $study AND r.run_id = x.run_id
LEFT JOIN answered a ON a.run_id = x.run_id
WHERE r.generation <= $as_of AND r.state = 'complete'
GROUP BY r.run_id, r.deployment_id
ORDER BY r.run_id;
