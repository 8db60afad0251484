-- Grain: one row: the text and token ids of one distinct output of question $q.
SELECT o.raw_text, o.token_ids FROM w.outputs o WHERE o.study = $study AND o.question_id = $q AND o.output_digest = $digest;
