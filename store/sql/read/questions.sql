-- Grain: one row per question of the question set of $study at generation $as_of: the declared set, else the union over runs.
-- `golds` counts the distinct golds that runs up to $as_of have, "none" being one of them.
WITH answered AS (
    SELECT f.question_id, min(f.gold) AS gold, min(f.category) AS category,
        count(DISTINCT f.gold) + bool_or(f.gold IS NULL)::BIGINT AS golds
    FROM w.facts f
    JOIN w.runs r USING (study, run_id)
    WHERE f.study = $study AND r.generation <= $as_of
    GROUP BY f.question_id
),
declared AS (FROM w.questions WHERE study = $study AND declared AND generation <= $as_of)
SELECT coalesce(d.question_id, a.question_id) AS question_id, coalesce(d.gold, a.gold) AS gold,
    coalesce(d.category, a.category) AS category, d.question_text, coalesce(a.golds, 0) AS golds
FROM declared d
FULL JOIN answered a USING (question_id)
WHERE d.question_id IS NOT NULL OR NOT EXISTS (FROM declared)
ORDER BY 1;
