-- Grain: one row per run and question of $study at $as_of: the run's first pass and first sample, scored by $extractor.
-- verdict is null where the record exists but $extractor did not score it. domain, identity and text are the classes of
-- build/classes; answer is the class of equal answers within the question, from 1, null where not known. "No answer found" in an
-- output that was read (scored, or unscored only for want of a gold) is an answer class of its own, 0. canonical is the answer
-- itself; empty: the text has digest $empty.
SELECT f.run_id, r.role, f.question_id, a.verdict, f.finish_reason, f.output_tokens, f.text_digest = $empty AS empty, c.domain,
    c.identity, c.text,
    CASE WHEN a.answer IS NOT NULL THEN dense_rank() OVER (PARTITION BY f.question_id ORDER BY a.answer)
        WHEN a.verdict IN ('correct', 'incorrect') OR a.unscored_reason = 'gold missing' THEN 0 END AS answer, a.answer AS canonical
FROM w.facts f
JOIN w.classes c USING (study, run_id, question_id, pass_index, sample_index)
JOIN w.runs r USING (study, run_id)
LEFT JOIN w.answers a
    ON a.study = f.study AND a.run_id = f.run_id AND a.question_id = f.question_id AND a.pass_index = f.pass_index
    AND a.sample_index = f.sample_index AND a.extractor = $extractor
WHERE f.study = $study AND r.generation <= $as_of AND c.counted
ORDER BY f.run_id, f.question_id;
