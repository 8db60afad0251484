-- Grain: one row per question of $study at $as_of whose complete runs were not all asked the same: distinct prompt texts and input ids.
SELECT f.question_id, count(DISTINCT p.rendered_prompt) AS prompts, count(DISTINCT f.input_ids_digest) AS inputs
FROM w.facts f
JOIN w.runs r USING (study, run_id)
JOIN w.prompts p ON p.study = f.study AND p.question_id = f.question_id AND p.prompt_digest = f.prompt_digest
WHERE f.study = $study AND r.generation <= $as_of AND r.state = 'complete'
GROUP BY f.question_id
HAVING count(DISTINCT p.rendered_prompt) > 1 OR count(DISTINCT f.input_ids_digest) > 1
ORDER BY f.question_id;
