-- Grain: one row per disagreement counted in read/scorer_pairs: what both scorers read, with the output they read it from.
WITH scored AS (
    SELECT a.*
    FROM w.answers a
    JOIN w.classes c USING (study, run_id, question_id, pass_index, sample_index)
    JOIN w.runs r USING (study, run_id)
    WHERE a.study = $study AND r.generation <= $as_of AND r.state = 'complete' AND c.counted AND a.verdict <> 'unscored'
)
SELECT x.run_id, x.question_id, x.extractor AS a, y.extractor AS b, x.extracted AS read_a, x.extraction_path AS path_a,
    x.verdict AS verdict_a, y.extracted AS read_b, y.extraction_path AS path_b, y.verdict AS verdict_b, f.gold, f.finish_reason, o.raw_text
FROM scored x
JOIN scored y ON y.run_id = x.run_id AND y.question_id = x.question_id AND x.verdict <> y.verdict AND x.extractor <> y.extractor
    AND (x.extractor = $extractor OR (y.extractor <> $extractor AND x.extractor < y.extractor))
JOIN w.facts f ON f.study = x.study AND f.run_id = x.run_id AND f.question_id = x.question_id AND f.pass_index = x.pass_index
    AND f.sample_index = x.sample_index
JOIN w.outputs o ON o.study = f.study AND o.question_id = f.question_id AND o.output_digest = f.output_digest
ORDER BY x.run_id, x.extractor, y.extractor, x.question_id;
