-- Grain: one row per study, in the order of first ingest.
WITH counted AS (
    SELECT study, count(*) AS runs, count(*) FILTER (role = 'grid') AS grid_runs,
        count(*) FILTER (state = 'quarantined') AS quarantined, count(DISTINCT cell) FILTER (role = 'grid') AS cells,
        count(DISTINCT arm) FILTER (role = 'grid') AS arms, count(DISTINCT deployment_id) AS deployments,
        sum(records) AS records, sum(unscored) AS unscored
    FROM w.runs
    GROUP BY study
),
first AS (
    SELECT study, min(generation) AS first_generation, max(generation) AS generation,
        coalesce(arg_min(label, generation) FILTER (label <> ''), '') AS label,
        arg_min(main_extractor, generation) FILTER (main_extractor IS NOT NULL) AS main_extractor, bool_or(declared) AS declared
    FROM w.bundles
    GROUP BY study
),
asked AS (
    SELECT q.study, count(*) FILTER (q.declared) AS declared_questions, count(*) AS all_questions
    FROM w.questions q
    GROUP BY q.study
),
dropped AS (SELECT study, count(*) AS refused FROM w.refused GROUP BY study)
SELECT f.study, f.label, f.main_extractor, f.declared, f.first_generation, f.generation,
    CASE WHEN f.declared THEN a.declared_questions ELSE a.all_questions END AS questions,
    c.runs, c.grid_runs, c.quarantined, c.cells, c.arms, c.deployments, c.records, c.unscored, coalesce(d.refused, 0) AS refused
FROM first f
JOIN counted c USING (study)
JOIN asked a USING (study)
LEFT JOIN dropped d USING (study)
ORDER BY f.first_generation, f.study;
