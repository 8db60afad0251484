"""From an output and a gold answer to a scored `Answer`."""

from store.contract.record import SCORING_FINISHES, Answer, UnscoredReason, Verdict
from store.extractors.canonical import canonical
from store.extractors.spec import ExtractorSpec, Found


def score(spec: ExtractorSpec, text: str | None, gold: str | None, finish_reason: str | None) -> Answer:
    """What `spec` makes of one output.

    Order of the rules (METHOD: verdicts and unscored records): a failed request (no text, or a finish
    reason other than stop and length) is unscored, so is a crash of a step, and a missing gold; no
    answer found in a finished output is *incorrect* with path `none`; else the canonical forms are
    compared. An unknown finish reason scores. A string without a canonical form is compared as it stands.
    """
    if text is None or (finish_reason is not None and finish_reason not in SCORING_FINISHES):
        return _answer(spec, None, "none", None, Verdict.UNSCORED, UnscoredReason.REQUEST_FAILED)
    try:
        path, found = _first_found(spec, text)
    except (ValueError, RecursionError, OverflowError):
        return _answer(spec, None, "none", None, Verdict.UNSCORED, UnscoredReason.EXTRACTOR_CRASHED)
    answer = None if found is None else canonical(spec.canonical, found.raw) or found.raw.strip()
    if gold is None:
        return _answer(spec, found, path, answer, Verdict.UNSCORED, UnscoredReason.GOLD_MISSING)
    right = answer is not None and answer == (canonical(spec.canonical, gold) or gold.strip())
    return _answer(spec, found, path, answer, Verdict.CORRECT if right else Verdict.INCORRECT, None)


def _first_found(spec: ExtractorSpec, text: str) -> tuple[str, Found | None]:
    for step in spec.steps:
        if found := step.find(text):
            return step.path, found
    return "none", None


def _answer(
    spec: ExtractorSpec, found: Found | None, path: str, answer: str | None, verdict: Verdict, why: UnscoredReason | None
) -> Answer:
    return Answer(
        extractor=spec.name,
        extracted=found.raw if found else None,
        answer=answer,
        extraction_path=path,
        verdict=verdict,
        unscored_reason=why,
        span_start=found.start if found else None,
        span_end=found.end if found else None,
    )
