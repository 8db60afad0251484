-- Grain: one row per complete run of $study at $as_of and pair of extractors that both gave verdicts in it, $extractor first:
-- records (first pass, first sample) with a verdict by both, and those on which the verdicts differ.
WITH scored AS (
    SELECT a.run_id, a.question_id, a.extractor, a.verdict
    FROM w.answers a
    JOIN w.classes c USING (study, run_id, question_id, pass_index, sample_index)
    JOIN w.runs r USING (study, run_id)
    WHERE a.study = $study AND r.generation <= $as_of AND r.state = 'complete' AND c.counted AND a.verdict <> 'unscored'
)
SELECT x.run_id, x.extractor AS a, y.extractor AS b, count(*) AS both, count(*) FILTER (x.verdict <> y.verdict) AS disagree
FROM scored x
JOIN scored y ON y.run_id = x.run_id AND y.question_id = x.question_id AND x.extractor <> y.extractor
    AND (x.extractor = $extractor OR (y.extractor <> $extractor AND x.extractor < y.extractor))
GROUP BY x.run_id, x.extractor, y.extractor
ORDER BY x.run_id, x.extractor, y.extractor;
