"""One record in full: what each extractor read in it, and the tokens around one step."""

from dataclasses import dataclass

import numpy as np

from store.results.question import QuestionRecord
from store.results.report.near import Captures
from store.results.scope import Scope
from store.warehouse.open import Warehouse

AROUND = 4
"""Steps shown on either side of the one that is looked at."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one extractor made of the record; the span is in characters of the raw text, null where not recorded."""

    extractor: str
    extracted: str | None
    answer: str | None
    extraction_path: str
    verdict: str
    unscored_reason: str | None
    span_start: int | None
    span_end: int | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A token that could have come at a step, with its log-probability (natural, unrounded)."""

    token: int
    logprob: float


@dataclass(frozen=True, slots=True)
class Step:
    """One output token. gap: best less second-best log-probability; null, and no candidates, without a capture there."""

    index: int
    token: int
    gap: float | None
    candidates: tuple[Candidate, ...]


def readings(warehouse: Warehouse, scope: Scope, record: QuestionRecord) -> tuple[Reading, ...]:
    """What every extractor made of a record, by name."""
    return warehouse.records(
        "record_answers",
        Reading,
        study=scope.study.study,
        run=record.run_id,
        q=record.question_id,
        **{"pass": record.pass_index, "sample": record.sample_index},
    )


def is_first(record: QuestionRecord) -> bool:
    """Whether the record is its run's first pass and sample, the one that measures and captures are of."""
    return record.label == record.run_id


def steps_around(taken: Captures | None, record: QuestionRecord, ids: tuple[int, ...], at: int) -> tuple[Step, ...]:
    """Output tokens from `AROUND` before `at` to as many behind it, the stop token too where its capture is known.

    Candidates by falling log-probability, then token id; none for a further pass or sample of a run: captures are of its first.
    """
    capture = taken.of(record.run_id, record.question_id) if taken is not None and is_first(record) else None
    if capture is not None and len(capture.chosen) == len(ids) + 1:
        ids = capture.chosen  # the step at which it stopped was a choice too
    found = []
    for index in range(max(0, at - AROUND), min(len(ids), at + AROUND + 1)):
        gap: float | None = None
        candidates: tuple[Candidate, ...] = ()
        if capture is not None and index < len(capture.ids):
            gap = None if np.isnan(capture.gaps[index]) else float(capture.gaps[index])
            pairs = zip(capture.ids[index], capture.logprobs[index], strict=True)
            candidates = tuple(Candidate(t, p) for t, p in sorted(pairs, key=lambda pair: (-pair[1], pair[0])))
        found.append(Step(index, ids[index], gap, candidates))
    return tuple(found)
