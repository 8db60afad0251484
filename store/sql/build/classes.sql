-- Grain: one row per record: whether it belongs to its run's first pass and sample, and its classes of equal values within the
-- question, from 1: domain (tokenizer and input ids), identity (token ids less one stop), text; null where not known.
-- identity_digest: equal outputs have one, that of a record which says what a stop is, whatever the others know of it.
CREATE TABLE classes AS
WITH begun AS (
    SELECT study, run_id, arg_min(pass_index, (pass_index, sample_index)) AS pass_index,
        arg_min(sample_index, (pass_index, sample_index)) AS sample_index
    FROM facts
    GROUP BY study, run_id
),
known AS (
    SELECT f.study, f.run_id, f.question_id, f.pass_index, f.sample_index,
        b.pass_index = f.pass_index AND b.sample_index = f.sample_index AS counted, f.output_digest, f.tokenizer_digest, f.input_ids_digest, f.text_digest,
        CASE WHEN f.identity_digest IS NOT NULL THEN first_value(f.identity_digest) OVER (
            PARTITION BY f.study, f.question_id, f.output_digest
            ORDER BY f.stop_token_id IS NULL, f.stop_token_ids IS NULL, length(f.stop_token_ids) DESC, f.identity_digest
        ) END AS identity_digest
    FROM facts f
    JOIN begun b USING (study, run_id)
)
SELECT study, run_id, question_id, pass_index, sample_index, counted, identity_digest,
    CASE WHEN tokenizer_digest IS NOT NULL AND input_ids_digest IS NOT NULL
        THEN dense_rank() OVER (PARTITION BY study, question_id ORDER BY tokenizer_digest, input_ids_digest) END AS domain,
    CASE WHEN identity_digest IS NOT NULL
        THEN dense_rank() OVER (PARTITION BY study, question_id ORDER BY identity_digest) END AS identity,
    CASE WHEN text_digest IS NOT NULL THEN dense_rank() OVER (PARTITION BY study, question_id ORDER BY text_digest) END AS text
FROM known
ORDER BY study, run_id, question_id, pass_index, sample_index;
