"""Everything known of one question: its records in every run, grouped into classes of equal output."""

from dataclasses import dataclass

import pandas as pd

from store.analysis.classes import Classes, Given, Layer, output_classes
from store.errors import UsageError
from store.results.findings import Finding
from store.results.order import natural
from store.results.scope import Scope
from store.warehouse.open import Warehouse


@dataclass(frozen=True, slots=True)
class Output:
    """Text and token ids of one output; null is not known."""

    text: str | None
    token_ids: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """One record of the question. `label` names it on a page: the run, with pass and sample where there are several."""

    label: str
    run: str
    cell: str
    arm: str
    role: str
    state: str
    gold: str | None
    prompt_digest: str
    output_digest: str
    given: Given
    finish_reason: str | None
    output_tokens: int | None
    extracted: str | None
    answer: str | None
    extraction_path: str | None
    verdict: str | None
    unscored_reason: str | None
    span: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Prompt:
    """One distinct prompt and how many records used it; `text` is null when not known."""

    digest: str
    text: str | None
    records: int


@dataclass(frozen=True, slots=True)
class ScorerLine:
    """What one extractor made of the question: an answer, how it was found, and in how many records."""

    extractor: str
    answer: str | None
    extraction_path: str
    verdict: str
    records: int


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One question. previous, following: its neighbours in the question set, null at the ends."""

    question_id: str
    position: int
    of: int
    previous: str | None
    following: str | None
    category: str | None
    text: str | None
    golds: tuple[str | None, ...]
    records: tuple[QuestionRecord, ...]
    prompts: tuple[Prompt, ...]
    scorers: tuple[ScorerLine, ...]
    findings: tuple[Finding, ...]

    def classes(self, layer: Layer) -> Classes:
        """The records' partition on `layer`."""
        return output_classes(tuple(record.given for record in self.records), layer)

    @property
    def best_layer(self) -> Layer:
        """tokens where any are known, else text where any is, else answer."""
        if any(record.given.identity for record in self.records):
            return "tokens"
        return "text" if any(record.given.text for record in self.records) else "answer"


def question_ids(warehouse: Warehouse, scope: Scope) -> tuple[str, ...]:
    """Ids of the question set in their one order."""
    frame = warehouse.frame("questions", study=scope.study.study, as_of=scope.as_of)
    return tuple(sorted(frame["question_id"].tolist(), key=natural))


def question_result(warehouse: Warehouse, scope: Scope, question_id: str) -> QuestionResult:
    """One question of the scope. Raises UsageError when it is not in the question set and no run answered it."""
    asked = warehouse.frame("questions", study=scope.study.study, as_of=scope.as_of).set_index("question_id")
    ids = tuple(sorted(asked.index.tolist(), key=natural))
    where: dict[str, str | int | None] = {"study": scope.study.study, "q": question_id, "as_of": scope.as_of}
    records = _records(warehouse.frame("question_records", extractor=scope.extractor, **where))
    if question_id not in asked.index and not records:
        raise UsageError(
            f"study {scope.study.study!r} has no question {question_id!r}",
            fix=f"It has {len(ids):,}, from {ids[0]} to {ids[-1]}.",
        )
    at = ids.index(question_id) if question_id in asked.index else -1
    row = asked.loc[question_id] if at >= 0 else None
    prompts = tuple(
        Prompt(str(digest), None if text is None else str(text), int(str(count)))
        for digest, text, count in warehouse.rows("question_prompts", **where)
    )
    scorers = tuple(
        ScorerLine(str(e), None if a is None else str(a), str(p), str(v), int(str(n)))
        for e, a, p, v, n in warehouse.rows("question_answers", **where)
    )
    return QuestionResult(
        question_id=question_id,
        position=at + 1,
        of=len(ids),
        previous=ids[at - 1] if at > 0 else None,
        following=ids[at + 1] if 0 <= at < len(ids) - 1 else None,
        category=None if row is None else _text(row["category"]),
        text=None if row is None else _text(row["question_text"]),
        golds=tuple(dict.fromkeys(r.gold for r in records)) or (None if row is None else _text(row["gold"]),),
        records=records,
        prompts=prompts,
        scorers=scorers,
        findings=_doubts(records, prompts, at),
    )


def output(warehouse: Warehouse, scope: Scope, question_id: str, digest: str) -> Output:
    """The output with this digest. Raises UsageError when the question has none such."""
    rows = warehouse.frame("output", study=scope.study.study, q=question_id, digest=digest)
    if rows.empty:
        raise UsageError(f"question {question_id!r} has no output {digest[:17]}…")
    text, ids = rows.iloc[0]["raw_text"], rows.iloc[0]["token_ids"]
    return Output(_text(text), None if ids is None else tuple(int(i) for i in ids))


def _records(frame: pd.DataFrame) -> tuple[QuestionRecord, ...]:
    several = frame["run_id"].duplicated(keep=False)
    rows = [_record(row, bool(many)) for row, many in zip(frame.to_dict("records"), several, strict=True)]
    return tuple(sorted(rows, key=lambda r: (natural(r.arm), natural(r.cell), natural(r.label))))


def _record(row: dict[str, object], several: bool) -> QuestionRecord:  # type: ignore[explicit-any, unused-ignore]
    label = f"{row['run_id']} · pass {row['pass_index']} · sample {row['sample_index']}" if several else str(row["run_id"])
    tokenizer, inputs = _text(row["tokenizer_digest"]), _text(row["input_ids_digest"])
    given = Given(
        run=label,
        comparable=None if tokenizer is None or inputs is None else (tokenizer, inputs),
        identity=_text(row["identity_digest"]),
        text=_text(row["text_digest"]),
        answer=_text(row["answer"]),
        verdict=_text(row["verdict"]),
    )
    start, end = row["span_start"], row["span_end"]
    return QuestionRecord(
        label=label,
        run=str(row["run_id"]),
        cell=str(row["cell"]),
        arm=str(row["arm"]),
        role=str(row["role"]),
        state=str(row["state"]),
        gold=_text(row["gold"]),
        prompt_digest=str(row["prompt_digest"]),
        output_digest=str(row["output_digest"]),
        given=given,
        finish_reason=_text(row["finish_reason"]),
        output_tokens=_int(row["output_tokens"]),
        extracted=_text(row["extracted"]),
        answer=_text(row["answer"]),
        extraction_path=_text(row["extraction_path"]),
        verdict=_text(row["verdict"]),
        unscored_reason=_text(row["unscored_reason"]),
        span=None if _int(start) is None or _int(end) is None else (_int(start) or 0, _int(end) or 0),
    )


def _doubts(records: tuple[QuestionRecord, ...], prompts: tuple[Prompt, ...], at: int) -> tuple[Finding, ...]:
    found = []
    golds = tuple(dict.fromkeys(str(r.gold) for r in records))
    if len(golds) > 1:
        found.append(Finding("gold-differs", f"the runs do not agree on the gold answer: {', '.join(golds)}", golds))
    if len(prompts) > 1:
        found.append(
            Finding(
                "prompt-differs", f"the runs were asked with {len(prompts)} different prompts", tuple(p.digest for p in prompts)
            )
        )
    if at < 0:
        found.append(Finding("outside-set", "this question is outside the study's declared set and enters no number", ()))
    out = tuple(r.label for r in records if r.state != "complete")
    if out:
        found.append(Finding("quarantined", f"shown but counted in no cell: {', '.join(out)}", out))
    return tuple(found)


def _text(value: object) -> str | None:
    return None if value is None or (isinstance(value, float) and pd.isna(value)) or value is pd.NA else str(value)


def _int(value: object) -> int | None:
    return None if (text := _text(value)) is None or text == "nan" else int(float(text))
