"""The classes of a question as a table of chips."""

from dashboard.safe import Cell, chip, number
from store.analysis.classes import Classes, Layer, OutputClass
from store.results.printing import NOTHING, counted
from store.results.question import QuestionRecord, QuestionResult, ScorerLine

LAYER_NOUNS: dict[Layer, str] = {"tokens": "token sequence", "text": "text", "answer": "answer", "verdict": "verdict"}

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
    parts = []
    for layer, noun in LAYER_NOUNS.items():
        found = result.classes(layer)
        if found.classes:
            parts.append(counted(len(found.classes), noun))
        else:
            parts.append("token identity undefined" if found.undefined else f"{noun} not recorded")
    return f"{counted(len(result.records), 'record')}: {', '.join(parts)}."


def unplaced(classes: Classes) -> str | None:
    """Why some records are in no class, null when all are."""
    if not classes.unknown:
        return None
    if len(classes.undefined) == len(classes.unknown):
        return (
            f"Token identity is undefined for {counted(len(classes.undefined), 'record')}: the token ids are recorded,"
            " the tokenizer digest or the input ids are not."
        )
    return f"{counted(len(classes.unknown), 'record')} cannot be placed: no {classes.layer} is recorded."


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
    answers = " / ".join(dict.fromkeys(f"answer {r.answer}" if r.answer is not None else "no answer" for r in records))
    verdicts = " / ".join(dict.fromkeys(r.verdict or "unscored" for r in records))
    return f"{one.letter} · {counted(len(one.runs), 'run')} · {answers} · {verdicts}"


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
