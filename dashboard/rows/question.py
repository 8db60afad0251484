"""Tables of the question page: classes as chips by arm, readings by extractor, steps by token."""

from collections.abc import Collection, Sequence

from dashboard.components.table import Chip, Column, Row, Value, number, text
from store.analysis.classes import Classes, Layer, OutputClass
from store.results.browse.trace import Reading, Step
from store.results.printing import NOTHING, counted
from store.results.question import QuestionRecord, QuestionResult, ScorerLine

LAYER_NOUNS: dict[Layer, str] = {"tokens": "token sequence", "text": "text", "answer": "answer", "verdict": "verdict"}
MANY_RUNS = 12
"""Runs of one arm in one class that are chips of their own; more are counted in one chip."""

CLASS_COLUMNS = (
    Column("class"),
    Column("records", "records that gave this output", right=True),
    Column("runs, by arm", "hover a chip for cell, repeat and role"),
    Column("answer"),
    Column("verdict"),
    Column("tokens", "output tokens", right=True),
    Column("finish"),
)
SCORER_COLUMNS = (
    Column("extractor"),
    Column("answer"),
    Column("found by"),
    Column("verdict"),
    Column("records", "records of this question", right=True),
)
READING_COLUMNS = (
    Column("output"),
    Column("extractor"),
    Column("verdict"),
    Column("answer"),
    Column("read", "the string as it stands in the text"),
    Column("characters", "where it stands, from 0", right=True),
    Column("found by"),
)


def class_rows(result: QuestionResult, classes: Classes, picked: str | None) -> list[Row]:
    """One row per class, then one for the runs that the layer cannot place."""
    records = {record.label: record for record in result.records}
    rows = [_row(one, [records[run] for run in one.runs], len(result.records), picked) for one in classes.classes]
    if classes.unknown:
        unplaced = [records[run] for run in classes.unknown]
        rows.append(_row(OutputClass(NOTHING, classes.unknown), unplaced, len(result.records), picked))
    return rows


def layer_counts(result: QuestionResult) -> str:
    """`3 texts, 2 answers, 23 records of 23 deployments`: distinct outputs by layer; what is not recorded is said to be so."""
    parts = []
    for layer, noun in LAYER_NOUNS.items():
        found = result.classes(layer)
        if found.classes:
            parts.append(counted(len(found.classes), noun))
        else:
            parts.append("token identity undefined" if found.undefined else f"{noun} not recorded")
    deployments = len({record.deployment_id for record in result.records})
    return f"{', '.join(parts)}, {counted(len(result.records), 'record')} of {counted(deployments, 'deployment')}."


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


def scorer_rows(scorers: tuple[ScorerLine, ...]) -> list[Row]:
    """What every extractor made of the question."""
    return [
        Row(
            (
                text(line.extractor),
                text(line.answer),
                text(line.extraction_path),
                Value("", line.verdict, "", (Chip(line.verdict, line.verdict),)),
                number(f"{line.records:,}", line.records, "records of this question with this answer and verdict"),
            )
        )
        for line in scorers
    ]


def reading_rows(readings: Sequence[tuple[str, Reading]]) -> list[Row]:
    """What each extractor read in each output shown; each with the name of its pane."""
    return [
        Row(
            (
                text(pane),
                text(r.extractor),
                Value("", r.verdict, r.unscored_reason or "", (Chip(r.verdict, r.verdict, r.unscored_reason or ""),)),
                text(r.answer, unknown="no answer found" if r.verdict != "unscored" else NOTHING),
                text(r.extracted),
                text(None if r.span_start is None else f"{r.span_start:,}–{r.span_end:,}"),
                text(r.extraction_path),
            )
        )
        for pane, r in readings
    ]


def step_columns(names: Sequence[str]) -> tuple[Column, ...]:
    """Columns of the token view: three for each output."""
    columns = [Column("token", "index of the output token, from 0", right=True)]
    for name in names:
        columns += [
            Column(f"{name} chose", "token id; the records hold ids, not the text of single tokens"),
            Column(f"{name} gap", "best less second-best log-probability, in nats", right=True),
            Column(f"{name} candidates", "token id and log-probability, the best first"),
        ]
    return tuple(columns)


def step_rows(sides: Sequence[tuple[Step, ...]], parted: Collection[int]) -> list[Row]:
    """Steps of all outputs beside each other, by index; those at which one parts from the first are marked."""
    indices = sorted({step.index for steps in sides for step in steps})
    by_index = [{step.index: step for step in steps} for steps in sides]
    rows = []
    for index in indices:
        values: list[Value] = [number(f"{index:,}", index, "")]
        for steps in by_index:
            values += _step(steps.get(index))
        rows.append(Row(tuple(values), marked=index in parted))
    return rows


def class_title(one: OutputClass, records: list[QuestionRecord]) -> str:
    """`Class A · 3 records · answer 42 · correct`."""
    answers = " / ".join(dict.fromkeys(f"answer {r.answer}" if r.answer is not None else "no answer" for r in records))
    verdicts = " / ".join(dict.fromkeys(r.verdict or "unscored" for r in records))
    return f"Class {one.letter} · {counted(len(one.runs), 'record')} · {answers} · {verdicts}"


def _step(step: Step | None) -> list[Value]:
    if step is None:
        return [text("ended"), text(None), text(None)]
    gap = "not captured" if step.gap is None else f"{step.gap:.4g}"
    shown = " · ".join(f"{c.token} ({c.logprob:.3f})" for c in step.candidates[:3])
    return [text(str(step.token)), number(gap, step.gap, "nats"), text(shown or None)]


def _row(one: OutputClass, records: list[QuestionRecord], of: int, picked: str | None) -> Row:
    lengths = sorted({record.output_tokens for record in records if record.output_tokens is not None})
    verdicts = tuple(dict.fromkeys(record.verdict or "unscored" for record in records))
    answers = " / ".join(dict.fromkeys(_answer(record) for record in records))
    return Row(
        (
            text(one.letter),
            number(str(len(one.runs)), len(one.runs), f"{len(one.runs)} of {of} records of this question"),
            Value("", ", ".join(one.runs), "", tuple(_chips(records, picked))),
            text(answers),
            Value("", " / ".join(verdicts), "", tuple(Chip(v, v) for v in verdicts)),
            text("–".join(dict.fromkeys(f"{n:,}" for n in (lengths[:1] + lengths[-1:]))) or None),
            text(" / ".join(dict.fromkeys(record.finish_reason or "not recorded" for record in records))),
        )
    )


def _chips(records: list[QuestionRecord], picked: str | None) -> list[Chip]:
    """Chips by arm: its name, then its runs; many runs become one number."""
    chips: list[Chip] = []
    for arm in dict.fromkeys(record.arm for record in records):
        mine = [record for record in records if record.arm == arm]
        chips.append(Chip(f"{arm} · {len(mine)}", "arm", "\n".join(record.label for record in mine)))
        if len(mine) <= MANY_RUNS:
            chips += [_run_chip(record, picked) for record in mine]
    return chips


def _run_chip(record: QuestionRecord, picked: str | None) -> Chip:
    role = "" if record.role == "grid" else f" ({record.role})"
    state = "" if record.state == "complete" else f" · {record.state}"
    title = f"{record.arm} · {record.cell} · repeat {record.repeat} · {record.role}{state}"
    return Chip(f"{record.label}{role}{state}", "picked" if record.run_id == picked else "none", title)


def _answer(record: QuestionRecord) -> str:
    if record.answer is None:
        return record.unscored_reason or "no answer found"
    found = (record.extracted or "").strip()
    return record.answer if found in ("", record.answer) else f"{record.answer} (as “{found}”)"
