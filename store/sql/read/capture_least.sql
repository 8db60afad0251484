-- Grain: one row per question and distinct capture of $study: for each decode step its k-th value, the least log-probability among
-- candidates listed for their rank (a chosen token from further down, listed beside them, has a rank above their number).
SELECT question_id, logprobs_digest,
    list_transform(
        range(1, len(logprobs) + 1),
        lambda s: list_min(
            [v FOR v, c IN logprobs[s] IF ranks IS NULL OR ranks[s][c] IS NULL OR ranks[s][c] <= len(logprobs[s])]
        )
    ) AS least
FROM w.logprobs
WHERE study = $study
ORDER BY question_id, logprobs_digest;
