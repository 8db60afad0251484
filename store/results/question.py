"""Everything known of one question: its records in every run, grouped into classes of equal output."""

from dataclasses import dataclass

from store.analysis.classes import Classes, Given, Layer, output_classes
from store.contract.record import UnscoredReason
from store.digests import without_trailing_stop
from store.errors import UsageError
from store.results.findings import Finding
from store.results.order import natural
from store.results.scope import Scope
from store.sealed.flatten import stop_ids_of, stops_from_json
from store.warehouse.open import Parameter, Warehouse


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of the set. `golds` counts the distinct golds over runs."""

    question_id: str
    gold: str | None
    category: str | None
    question_text: str | None
    golds: int


@dataclass(frozen=True, slots=True)
class Output:
    """Text and token ids of one output; null is not known. One trailing stop token is already taken off the ids."""

    raw_text: str | None
    token_ids: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """One record of the question, scored by the scope's extractor (verdict null: not scored by it)."""

    run_id: str
    question_id: str
    pass_index: int
    sample_index: int
    cell: str
    arm: str
    role: str
    repeat: int
    deployment_id: str
    state: str
    gold: str | None
    tokenizer_digest: str | None
    input_ids_digest: str | None
    prompt_digest: str
    output_digest: str
    identity_digest: str | None
    text_digest: str | None
    finish_reason: str | None
    output_tokens: int | None
    stop_token_ids: str | None
    stop_token_id: int | None
    extracted: str | None
    answer: str | None
    extraction_path: str | None
    verdict: str | None
    unscored_reason: str | None
    span_start: int | None
    span_end: int | None
    records_of_run: int

    @property
    def given(self) -> Given:
        """What the layers see of it."""
        inputs = (self.tokenizer_digest, self.input_ids_digest)
        known = None if inputs[0] is None or inputs[1] is None else (inputs[0], inputs[1])
        read = self.verdict in ("correct", "incorrect") or self.unscored_reason == UnscoredReason.GOLD_MISSING
        return Given(self.label, known, self.identity_digest, self.text_digest, self.answer, self.verdict, read)

    @property
    def stops(self) -> tuple[int, ...]:
        """Token ids that count as a stop for this record."""
        return stop_ids_of(stops_from_json(self.stop_token_ids), self.stop_token_id)

    @property
    def label(self) -> str:
        """The run id; with pass and sample where the run has several records of the question and this is not the first."""
        if self.records_of_run == 1:
            return self.run_id
        extra = [f"pass {self.pass_index}"] * (self.pass_index > 0) + [f"sample {self.sample_index}"] * (self.sample_index > 0)
        return " · ".join([self.run_id, *extra])


@dataclass(frozen=True, slots=True)
class Prompt:
    """One distinct prompt and how many records used it; the text is null when not known."""

    prompt_digest: str
    rendered_prompt: str | None
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
    """One question. position is 1-based, 0 outside the set; previous and following are null at the ends."""

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
        if any(record.given.identity and record.given.comparable for record in self.records):
            return "tokens"
        return "text" if any(record.given.text for record in self.records) else "answer"


def asked_questions(warehouse: Warehouse, scope: Scope) -> tuple[Asked, ...]:
    """The question set in its one order."""
    rows = warehouse.records("questions", Asked, study=scope.study.study, as_of=scope.as_of)
    return tuple(sorted(rows, key=lambda row: natural(row.question_id)))


def question_result(warehouse: Warehouse, scope: Scope, question_id: str) -> QuestionResult:
    """One question of the scope. Raises UsageError when it is not in the question set and no run answered it."""
    asked = asked_questions(warehouse, scope)
    where: dict[str, Parameter] = {"study": scope.study.study, "q": question_id, "as_of": scope.as_of}
    records = _records(warehouse, scope, where)
    at = next((i for i, row in enumerate(asked) if row.question_id == question_id), -1)
    if at < 0 and not records:
        ends = f" from {asked[0].question_id} to {asked[-1].question_id}" if asked else ""
        raise UsageError(f"study {scope.study.study!r} has no question {question_id!r}", fix=f"It has {len(asked):,}{ends}.")
    row = asked[at] if at >= 0 else Asked(question_id, None, None, None, 0)
    prompts = warehouse.records("question_prompts", Prompt, **where)
    return QuestionResult(
        question_id=question_id,
        position=at + 1,
        of=len(asked),
        previous=asked[at - 1].question_id if at > 0 else None,
        following=asked[at + 1].question_id if 0 <= at < len(asked) - 1 else None,
        category=row.category,
        text=row.question_text,
        golds=tuple(dict.fromkeys(record.gold for record in records)) or (row.gold,),
        records=records,
        prompts=prompts,
        scorers=warehouse.records("question_answers", ScorerLine, **where),
        findings=_doubts(records, prompts, at),
    )


def output(warehouse: Warehouse, scope: Scope, record: QuestionRecord) -> Output:
    """What a record of the scope's study answered."""
    (found,) = warehouse.records("output", Output, study=scope.study.study, q=record.question_id, digest=record.output_digest)
    ids = None if found.token_ids is None else tuple(without_trailing_stop(found.token_ids, record.stops))
    return Output(found.raw_text, ids)


def _records(warehouse: Warehouse, scope: Scope, where: dict[str, Parameter]) -> tuple[QuestionRecord, ...]:
    rows = warehouse.records("question_records", QuestionRecord, extractor=scope.extractor, **where)
    return tuple(sorted(rows, key=lambda r: (natural(r.arm), natural(r.cell), r.repeat, natural(r.label))))


def _doubts(records: tuple[QuestionRecord, ...], prompts: tuple[Prompt, ...], at: int) -> tuple[Finding, ...]:
    found = []
    golds = tuple(dict.fromkeys(str(record.gold) for record in records))
    if len(golds) > 1:
        found.append(Finding("gold-differs", f"the runs do not agree on the gold answer: {', '.join(golds)}", golds))
    texts = tuple(dict.fromkeys(prompt.rendered_prompt for prompt in prompts if prompt.rendered_prompt is not None))
    if len(texts) > 1:
        found.append(Finding("prompt-differs", f"the runs were asked with {len(texts)} different prompt texts", texts))
    inputs = tuple(dict.fromkeys(record.input_ids_digest for record in records if record.input_ids_digest is not None))
    if len(inputs) > 1:
        found.append(Finding("inputs-differ", f"the runs were given {len(inputs)} different input ids", inputs))
    if at < 0:
        found.append(Finding("outside-set", "this question is outside the study's declared set and enters no number", ()))
    out = tuple(record.label for record in records if record.state != "complete")
    if out:
        found.append(Finding("quarantined", f"shown but counted in no cell: {', '.join(out)}", out))
    return tuple(found)
