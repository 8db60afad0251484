"""The classes of a question as a table of chips."""

from dashboard.safe import Cell, chip, number
from store.analysis.classes import LAYERS, Classes, OutputClass
from store.results.printing import NOTHING
from store.results.question import QuestionRecord, QuestionResult, ScorerLine

CLASS_HEADER = (
    Cell("class"),
    number("records", "records that gave this output"),
    Cell("runs"),
    Cell("answer"),
    Cell("verdict"),
    number("tokens", "output tokens"),
    Cell("finish"),
)
SCORER_HEADER = (
    Cell("extractor"),
    Cell("answer"),
    Cell("found by"),
    Cell("verdict"),
    number("records", "records of this question"),
)


def class_rows(result: QuestionResult, classes: Classes, picked: str | None) -> list[tuple[Cell, ...]]:
    """One row per class, then one for the runs that the layer cannot place."""
    records = {record.label: record for record in result.records}
    rows = [_row(one, [records[run] for run in one.runs], len(result.records), picked) for one in classes.classes]
    if classes.unknown:
        unplaced = [records[run] for run in classes.unknown]
        rows.append(_row(OutputClass(NOTHING, classes.unknown), unplaced, len(result.records), picked))
    return rows


def layer_counts(result: QuestionResult) -> str:
    """`30 records: 10 token sequences, 10 texts, 3 answers, 2 verdicts`; what is not recorded is said to be so."""
    words = {"tokens": "token sequences", "text": "texts", "answer": "answers", "verdict": "verdicts"}
    counted = ((words[layer], len(result.classes(layer).classes)) for layer in LAYERS)
    said = [f"{count} {word if count != 1 else word[:-1]}" if count else f"{word} not recorded" for word, count in counted]
    return f"{len(result.records)} records: {', '.join(said)}."


def scorer_rows(scorers: tuple[ScorerLine, ...]) -> list[tuple[Cell, ...]]:
    """What every extractor made of the question."""
    return [
        (
            Cell(line.extractor),
            Cell(line.answer or NOTHING),
            Cell(line.extraction_path),
            Cell("", html=chip(line.verdict, line.verdict)),
            number(f"{line.records:,}", "records of this question with this answer and verdict"),
        )
        for line in scorers
    ]


def class_title(one: OutputClass, records: list[QuestionRecord]) -> str:
    """`A · 3 runs · answer 42`."""
    answers = " / ".join(dict.fromkeys(record.answer or "no answer" for record in records))
    return f"{one.letter} · {len(one.runs)} run{'s' if len(one.runs) != 1 else ''} · answer {answers}"


def _row(one: OutputClass, records: list[QuestionRecord], of: int, picked: str | None) -> tuple[Cell, ...]:
    lengths = sorted({record.output_tokens for record in records if record.output_tokens is not None})
    return (
        Cell(one.letter),
        number(str(len(one.runs)), f"{len(one.runs)} of {of} records of this question"),
        Cell("", html="".join(_run_chip(record, picked) for record in records)),
        Cell(" / ".join(dict.fromkeys(_answer(record) for record in records))),
        Cell("", html="".join(chip(v, v) for v in dict.fromkeys(record.verdict or "unscored" for record in records))),
        number("–".join(dict.fromkeys(f"{n:,}" for n in (lengths[:1] + lengths[-1:]))) or NOTHING, "output tokens"),
        Cell(" / ".join(dict.fromkeys(record.finish_reason or "not recorded" for record in records))),
    )


def _run_chip(record: QuestionRecord, picked: str | None) -> str:
    role = "" if record.role == "grid" else f" ({record.role})"
    state = "" if record.state == "complete" else f" · {record.state}"
    title = f"{record.arm} · {record.cell} · repeat {record.repeat} · {record.role}{state}"
    return chip(f"{record.label}{role}{state}", "picked" if record.run_id == picked else "none", title)


def _answer(record: QuestionRecord) -> str:
    if record.answer is None:
        return record.unscored_reason or "no answer found"
    found = (record.extracted or "").strip()
    return record.answer if found in ("", record.answer) else f"{record.answer} (as “{found}”)"
