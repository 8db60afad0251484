-- Grain: one row per run and question of $study at $as_of: the run's first pass and first sample, scored by $extractor.
-- verdict is null where the record exists but $extractor did not score it. domain (tokenizer and input ids), identity (token
-- ids less one stop), text and answer are classes of equal values within the question, from 1; null where not known.
-- "No answer found" in an output that was read (scored, or unscored only for want of a gold) is an answer class of its own, 0. canonical is the answer itself.
WITH first AS (
    SELECT run_id, min(pass_index) AS pass_index, min(sample_index) AS sample_index
    FROM w.facts
    WHERE study = $study
    GROUP BY run_id
)
SELECT f.run_id, r.role, f.question_id, a.verdict, f.finish_reason, f.output_tokens,
    f.text_digest = $empty AS empty,
    CASE WHEN f.tokenizer_digest IS NOT NULL AND f.input_ids_digest IS NOT NULL
        THEN dense_rank() OVER (PARTITION BY f.question_id ORDER BY f.tokenizer_digest, f.input_ids_digest) END AS domain,
    CASE WHEN f.identity_digest IS NOT NULL
        THEN dense_rank() OVER (PARTITION BY f.question_id ORDER BY f.identity_digest) END AS identity,
    CASE WHEN f.text_digest IS NOT NULL
        THEN dense_rank() OVER (PARTITION BY f.question_id ORDER BY f.text_digest) END AS text,
    CASE WHEN a.answer IS NOT NULL THEN dense_rank() OVER (PARTITION BY f.question_id ORDER BY a.answer)
        WHEN a.verdict IN ('correct', 'incorrect') OR a.unscored_reason = 'gold missing' THEN 0 END AS answer, a.answer AS canonical
FROM w.facts f
JOIN first USING (run_id, pass_index, sample_index)
JOIN w.runs r ON r.study = f.study AND r.run_id = f.run_id
LEFT JOIN w.answers a
    ON a.study = f.study AND a.run_id = f.run_id AND a.question_id = f.question_id AND a.pass_index = f.pass_index
    AND a.sample_index = f.sample_index AND a.extractor = $extractor
WHERE f.study = $study AND r.generation <= $as_of
ORDER BY f.run_id, f.question_id;
