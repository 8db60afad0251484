-- Grain: one row per distinct (question, output, gold, ending, stored answer and verdict) that $extractor scored in $study at
-- $as_of, with the runs that have it. The output is what the verdict must follow from.
SELECT f.question_id, o.raw_text, f.gold, f.finish_reason, a.answer, a.verdict, list(f.run_id ORDER BY f.run_id) AS runs
FROM w.answers a
JOIN w.facts f ON f.study = a.study AND f.run_id = a.run_id AND f.question_id = a.question_id AND f.pass_index = a.pass_index
    AND f.sample_index = a.sample_index
JOIN w.runs r ON r.study = f.study AND r.run_id = f.run_id
JOIN w.outputs o ON o.study = f.study AND o.question_id = f.question_id AND o.output_digest = f.output_digest
WHERE a.study = $study AND a.extractor = $extractor AND r.generation <= $as_of
GROUP BY f.question_id, f.output_digest, o.raw_text, f.gold, f.finish_reason, a.answer, a.verdict
ORDER BY f.question_id, f.output_digest, f.gold, f.finish_reason, a.answer, a.verdict;
