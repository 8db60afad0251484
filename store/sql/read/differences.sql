-- Grain: one row per table: its rows in the file (w) that a fresh build (fresh) does not have, and both row counts.
SELECT 'answers' AS name, (SELECT count(*) FROM w.answers) AS rows, (SELECT count(*) FROM fresh.answers) AS fresh_rows,
    (SELECT count(*) FROM (FROM w.answers EXCEPT ALL FROM fresh.answers)) AS strays
UNION ALL SELECT 'bundles', (SELECT count(*) FROM w.bundles), (SELECT count(*) FROM fresh.bundles),
    (SELECT count(*) FROM (FROM w.bundles EXCEPT ALL FROM fresh.bundles))
UNION ALL SELECT 'classes', (SELECT count(*) FROM w.classes), (SELECT count(*) FROM fresh.classes),
    (SELECT count(*) FROM (FROM w.classes EXCEPT ALL FROM fresh.classes))
UNION ALL SELECT 'environments', (SELECT count(*) FROM w.environments), (SELECT count(*) FROM fresh.environments),
    (SELECT count(*) FROM (FROM w.environments EXCEPT ALL FROM fresh.environments))
UNION ALL SELECT 'extractors', (SELECT count(*) FROM w.extractors), (SELECT count(*) FROM fresh.extractors),
    (SELECT count(*) FROM (FROM w.extractors EXCEPT ALL FROM fresh.extractors))
UNION ALL SELECT 'facts', (SELECT count(*) FROM w.facts), (SELECT count(*) FROM fresh.facts),
    (SELECT count(*) FROM (FROM w.facts EXCEPT ALL FROM fresh.facts))
UNION ALL SELECT 'logprobs', (SELECT count(*) FROM w.logprobs), (SELECT count(*) FROM fresh.logprobs),
    (SELECT count(*) FROM (FROM w.logprobs EXCEPT ALL FROM fresh.logprobs))
UNION ALL SELECT 'outputs', (SELECT count(*) FROM w.outputs), (SELECT count(*) FROM fresh.outputs),
    (SELECT count(*) FROM (FROM w.outputs EXCEPT ALL FROM fresh.outputs))
UNION ALL SELECT 'prompts', (SELECT count(*) FROM w.prompts), (SELECT count(*) FROM fresh.prompts),
    (SELECT count(*) FROM (FROM w.prompts EXCEPT ALL FROM fresh.prompts))
UNION ALL SELECT 'questions', (SELECT count(*) FROM w.questions), (SELECT count(*) FROM fresh.questions),
    (SELECT count(*) FROM (FROM w.questions EXCEPT ALL FROM fresh.questions))
UNION ALL SELECT 'refused', (SELECT count(*) FROM w.refused), (SELECT count(*) FROM fresh.refused),
    (SELECT count(*) FROM (FROM w.refused EXCEPT ALL FROM fresh.refused))
UNION ALL SELECT 'runs', (SELECT count(*) FROM w.runs), (SELECT count(*) FROM fresh.runs),
    (SELECT count(*) FROM (FROM w.runs EXCEPT ALL FROM fresh.runs))
UNION ALL SELECT 'thinking', (SELECT count(*) FROM w.thinking), (SELECT count(*) FROM fresh.thinking),
    (SELECT count(*) FROM (FROM w.thinking EXCEPT ALL FROM fresh.thinking))
ORDER BY name;
