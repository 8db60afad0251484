-- Grain: one row per question of a study: the declared ones, and every one that a run answered.
-- `declared` marks the declared set; `generation` is the first ingest in which the question appeared.
-- `golds` counts distinct golds over runs: more than one is a finding, never silently resolved.
CREATE TABLE questions AS
WITH declared AS (
    SELECT b.study, q.question_id, min(b.generation) AS generation, min(q.gold) AS gold, min(q.category) AS category,
        min(q.question_text) AS question_text
    FROM read_parquet($questions, filename = true, union_by_name = true, hive_partitioning = false) q
    JOIN bundles b ON b.folder || '/questions.parquet' = q.filename
    GROUP BY b.study, q.question_id
),
answered AS (
    SELECT f.study, f.question_id, min(r.generation) AS generation, min(f.gold) AS gold, min(f.category) AS category,
        count(DISTINCT f.gold) AS golds
    FROM facts f
    JOIN runs r USING (study, run_id)
    GROUP BY f.study, f.question_id
)
SELECT
    coalesce(d.study, a.study) AS study,
    coalesce(d.question_id, a.question_id) AS question_id,
    coalesce(d.gold, a.gold) AS gold,
    coalesce(d.category, a.category) AS category,
    d.question_text,
    coalesce(a.golds, 0) AS golds,
    d.question_id IS NOT NULL AS declared,
    least(coalesce(d.generation, a.generation), coalesce(a.generation, d.generation)) AS generation
FROM declared d
FULL JOIN answered a ON a.study = d.study AND a.question_id = d.question_id
ORDER BY 1, 2;
