-- Grain: one row per run: records whose prompt ends in a closed, empty think block (thinking was switched off), and records
-- whose output holds thinking all the same. An empty block in an output is no thinking.
CREATE TABLE thinking AS
SELECT f.study, f.run_id,
    count(*) FILTER (regexp_matches(p.rendered_prompt, '<(seed:)?think(ing)?>\s*</(seed:)?think(ing)?>\s*$')) AS switched_off,
    count(*) FILTER (
        coalesce(f.thinking_tokens, 0) > 0 OR coalesce(f.reasoning_chars, 0) > 0 OR coalesce(regexp_matches(
            regexp_replace(o.raw_text, '<(seed:)?think(ing)?>\s*</(seed:)?think(ing)?>', '', 'g'), '</?(seed:)?think(ing)?>'
        ), false)
    ) AS thought
FROM facts f
JOIN prompts p ON p.study = f.study AND p.question_id = f.question_id AND p.prompt_digest = f.prompt_digest
JOIN outputs o ON o.study = f.study AND o.question_id = f.question_id AND o.output_digest = f.output_digest
GROUP BY f.study, f.run_id
ORDER BY f.study, f.run_id;
