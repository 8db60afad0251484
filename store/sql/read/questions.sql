-- Grain: one row per question of the question set of $study at generation $as_of: the declared set, else the union over runs.
SELECT q.question_id, q.gold, q.category, q.question_text, q.golds
FROM w.questions q
WHERE q.study = $study AND q.generation <= $as_of
    AND (q.declared OR NOT EXISTS (
        SELECT 1 FROM w.questions d WHERE d.study = $study AND d.declared AND d.generation <= $as_of
    ))
ORDER BY q.question_id;
