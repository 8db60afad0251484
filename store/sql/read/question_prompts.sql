-- Grain: one row per distinct prompt of question $q, with the number of records at $as_of that used it.
SELECT p.prompt_digest, p.rendered_prompt, count(f.run_id) AS records
FROM w.prompts p
JOIN w.facts f ON f.study = p.study AND f.question_id = p.question_id AND f.prompt_digest = p.prompt_digest
JOIN w.runs r ON r.study = f.study AND r.run_id = f.run_id
WHERE p.study = $study AND p.question_id = $q AND r.generation <= $as_of
GROUP BY p.prompt_digest, p.rendered_prompt
ORDER BY records DESC, p.prompt_digest;
