-- Grain: one row per extractor of one record: run $run, question $q, pass $pass, sample $sample of $study.
SELECT a.extractor, a.extracted, a.answer, a.extraction_path, a.verdict, a.unscored_reason, a.span_start, a.span_end
FROM w.answers a
WHERE a.study = $study AND a.run_id = $run AND a.question_id = $q AND a.pass_index = $pass AND a.sample_index = $sample
ORDER BY a.extractor;
