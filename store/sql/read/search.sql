-- Grain: one row per question of $study at $as_of whose text, or one of whose outputs in a run's first pass and sample, matches the
-- regular expression $pattern (RE2: time linear in the text); records: how many outputs do. Order: by question.
WITH matching AS (
    SELECT o.question_id, o.output_digest FROM w.outputs o WHERE o.study = $study AND regexp_matches(o.raw_text, $pattern)
),
answered AS (
    SELECT f.question_id, count(*) AS records
    FROM matching m
    JOIN w.facts f ON f.study = $study AND f.question_id = m.question_id AND f.output_digest = m.output_digest
    JOIN w.classes c ON c.study = f.study AND c.run_id = f.run_id AND c.question_id = f.question_id
        AND c.pass_index = f.pass_index AND c.sample_index = f.sample_index
    JOIN w.runs r ON r.study = f.study AND r.run_id = f.run_id
    WHERE r.generation <= $as_of AND c.counted
    GROUP BY f.question_id
),
asked AS (
    SELECT q.question_id, 0 AS records
    FROM w.questions q
    WHERE q.study = $study AND q.generation <= $as_of AND regexp_matches(q.question_text, $pattern)
)
SELECT question_id, max(records) AS records
FROM (FROM answered UNION ALL BY NAME FROM asked)
GROUP BY question_id
ORDER BY question_id;
