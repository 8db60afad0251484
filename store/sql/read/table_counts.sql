-- Grain: one row per bundle-backed table.
SELECT 'facts' AS name, count(*) AS rows FROM w.facts
UNION ALL SELECT 'answers', count(*) FROM w.answers
UNION ALL SELECT 'refused', count(*) FROM w.refused
ORDER BY name;
