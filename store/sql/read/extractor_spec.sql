-- Grain: one row: the steps of $extractor in $study as JSON; none for a harness's own scorer.
SELECT spec FROM w.extractors WHERE study = $study AND extractor = $extractor;
