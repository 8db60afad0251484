"""Findings of a report: doubts that stand beside its numbers."""

import json
from dataclasses import dataclass

from store.analysis.funnel import broken_chain
from store.analysis.pair_kind import LOADED
from store.env_digest import ENV1_DECLARED
from store.extractors.score import score
from store.extractors.spec import ExtractorSpec
from store.results.findings import Finding
from store.results.printing import counted, level_text, percent, points, signed_points
from store.results.report.between_shape import CrossCell
from store.results.report.cell_shape import Cell
from store.results.report.environments import environment_values, request_settings
from store.results.study import StudyData
from store.warehouse.open import Parameter

SHOWN = 10
"""Ids or cases that a sentence names; the finding's items hold them all."""


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A verdict as stored, the output it must follow from, and the runs that hold it."""

    question_id: str
    raw_text: str | None
    gold: str | None
    finish_reason: str | None
    answer: str | None
    verdict: str
    runs: tuple[str, ...]


def one_deployment(cells: tuple[Cell, ...]) -> list[Finding]:
    """Cells with a single deployment, for which nothing about repeating can be said."""
    single = tuple(cell.cell for cell in cells if cell.deployments == 1)
    if not single:
        return []
    text = f"one deployment only, so flips, identity, unstable questions and sd need ≥ 2 deployments: {_some(single)}"
    return [Finding("one-deployment", text, single)]


def empty_outputs(cells: tuple[Cell, ...]) -> list[Finding]:
    """Cells with empty outputs, which are identical to each other without saying anything."""
    some = [cell for cell in cells if cell.empty]
    if not some:
        return []
    said = "; ".join(f"{cell.cell}: {cell.empty:,} of {counted(cell.records, 'record')}" for cell in some)
    return [Finding("empty-outputs", f"empty outputs, which count as identical: {said}", tuple(c.cell for c in some))]


def not_fresh(data: StudyData) -> list[Finding]:
    """Grid cells whose deployments loaded a cache: they share a build and are no independent repeats."""
    found = []
    for cell in data.grid.cells:
        loaded = tuple(run.run_id for run in cell.runs if run.cache_role == LOADED)
        if loaded:
            share = f"{len(loaded)} of {counted(len(cell.runs), 'deployment')}"
            text = f"{cell.cell}: {share} loaded a kernel cache and are no fresh repeats: {_some(loaded)}"
            found.append(Finding("not-fresh", text, loaded))
    return found


def inputs(data: StudyData) -> list[Finding]:
    """Prompts, input ids and tokenizers that are not the same in all runs."""
    rows = data.warehouse.frame("asked_differently", study=data.scope.study.study, as_of=data.scope.as_of)
    rows = rows[rows["question_id"].isin(data.questions)]
    found = []
    for column, kind, what in (("prompts", "prompt-differs", "prompt texts"), ("inputs", "inputs-differ", "input ids")):
        several = set(rows.loc[rows[column] > 1, "question_id"])
        ids = tuple(question for question in data.questions if question in several)
        if ids:
            text = f"asked with different {what} in different runs: {counted(len(ids), 'question')}: {_some(ids)}"
            found.append(Finding(kind, text, ids))  # type: ignore[arg-type]
    digests = request_settings(data, [run.run_id for run in data.complete]).get("tokenizer_digest", {})
    if len(digests) > 1:
        said = "; ".join(f"{_short(digest)}: {_some(tuple(runs))}" for digest, runs in digests.items())
        text = f"{len(digests)} tokenizers, so token identity between their runs is undefined and only texts compare: {said}"
        found.append(Finding("tokenizers-differ", text, tuple(digests)))
    return found


def bit_identical(data: StudyData) -> list[Finding]:
    """Runs of different deployments that hold the very same records, clocks included."""
    rows = data.warehouse.frame("run_bodies", study=data.scope.study.study, as_of=data.scope.as_of)
    found = []
    for _, group in rows.groupby("body", sort=False):
        if group["deployment_id"].nunique() < 2:
            continue
        runs = tuple(group["run_id"])
        clock = "clocks included" if group["clocked"].sum() else "without a clock that could tell a repeat from a copy"
        text = f"{_some(runs)} are equal in every recorded field of {counted(int(group['records'].iloc[0]), 'record')}, {clock}"
        found.append(Finding("bit-identical", text, runs))
    return found


def scoring(data: StudyData) -> list[Finding]:
    """Verdicts that do not follow from outputs: flips with equal tokens, broken chains, and re-scoring that disagrees."""
    panel = data.panel
    broken = broken_chain(panel)
    found = []
    if broken.flip_with_equal_tokens.any():
        ids = panel.ids(broken.flip_with_equal_tokens)
        text = f"verdict flips although the tokens are equal, a fault of scoring: {counted(len(ids), 'question')}: {_some(ids)}"
        found.append(Finding("equal-tokens-flip", text, ids))
    chain = (broken.flip_with_equal_answer | broken.answer_change_with_equal_tokens) & ~broken.flip_with_equal_tokens
    if chain.any():
        ids = panel.ids(chain)
        text = (
            "flips without an answer change, or answer changes with equal tokens; a scorer that judges or runs code can do so:"
            f" {counted(len(ids), 'question')}: {_some(ids)}"
        )
        found.append(Finding("chain-broken", text, ids))
    return found + _rescored(data)


def _rescored(data: StudyData) -> list[Finding]:
    """Stored verdicts of the scope's extractor that its own rule does not give; a harness's scorer has no rule here."""
    scope = data.scope
    if scope.extractor is None:
        return []
    specs = data.warehouse.frame("extractor_spec", study=scope.study.study, extractor=scope.extractor)
    if specs.empty:
        return []
    spec = ExtractorSpec.model_validate_json(specs["spec"].iloc[0])
    where: dict[str, Parameter] = {"study": scope.study.study, "as_of": scope.as_of, "extractor": scope.extractor}
    wrong = []
    for row in data.warehouse.records("rescoring", StoredVerdict, **where):
        again = score(spec, row.raw_text, row.gold, row.finish_reason)
        if (again.verdict.value, again.answer) != (row.verdict, row.answer):
            wrong += [f"{run} {row.question_id} ({row.verdict} → {again.verdict.value})" for run in row.runs]
    if not wrong:
        return []
    text = f"stored verdict ≠ re-scored by {scope.extractor} in {counted(len(wrong), 'record')}: {_some(tuple(wrong))}"
    return [Finding("stored-verdict", text, tuple(wrong))]


def hidden_dimensions(data: StudyData) -> list[Finding]:
    """Settings that vary inside a cell although its deployments count as repeats of one configuration."""
    found = []
    for cell in data.grid.cells:
        varying = request_settings(data, [run.run_id for run in cell.runs])
        of_environment = environment_values(data, cell)
        varying |= {name: of_environment[name] for name in (*ENV1_DECLARED, "cache_role") if name in of_environment}
        mixed = {name: values for name, values in varying.items() if len(values) > 1}
        if mixed:
            said = "; ".join(f"{name}: {_spread(values, len(cell.runs))}" for name, values in mixed.items())
            text = f"{cell.cell}: its deployments are not repeats of one configuration. {said}"
            found.append(Finding("hidden-dimension", text, tuple(mixed)))
    return found


def _spread(values: dict[str, list[str]], deployments: int) -> str:
    """`550.54 in 3, 560.28 in 2 of 5 deployments`; of JSON objects only the keys that differ."""
    shown = _differing_keys(list(values)) or {value: value for value in values}
    said = ", ".join(f"{_short(shown[value])} in {len(who)}" for value, who in values.items())
    return f"{said} of {counted(deployments, 'deployment')}"


def _differing_keys(values: list[str]) -> dict[str, str]:
    """Each value with the keys on which all agree left out; empty when one of them is no JSON object."""
    try:
        parsed = [json.loads(value) for value in values]
    except ValueError:
        return {}
    if not all(isinstance(one, dict) for one in parsed):
        return {}
    keys = sorted({key for one in parsed for key in one})
    mixed = [key for key in keys if any(one.get(key) != parsed[0].get(key) or key not in one for one in parsed)]
    return {
        value: json.dumps({key: one[key] for key in mixed if key in one}, ensure_ascii=False)
        for value, one in zip(values, parsed, strict=True)
    }


def unresolved(crossed: tuple[CrossCell, ...]) -> list[Finding]:
    """Accuracy differences that this many deployments were not able to see."""
    small = [pair for pair in crossed if pair.difference.resolved is False]
    if not small:
        return []
    said = "; ".join(
        f"{pair.b} − {pair.a} = {signed_points(pair.difference.value)} ({_why_unresolved(pair)})" for pair in small[:SHOWN]
    )
    text = f"unresolved, not shown to be equal: {len(small)} of {counted(len(crossed), 'accuracy difference')}: {said}"
    return [Finding("unresolved", text, tuple(f"{pair.a} | {pair.b}" for pair in small))]


def _why_unresolved(pair: CrossCell) -> str:
    d = pair.difference
    if d.value is not None and d.mde is not None and abs(d.value) < d.mde:
        return f"MDE {points(d.mde)}"
    return f"MDE {points(d.mde)}, but Welch's interval covers 0"


def zero_events(cells: tuple[Cell, ...]) -> list[Finding]:
    """Cells whose deployments never differed, and how little that proves."""
    seen = [(cell, cell.zero_events[0]) for cell in cells if cell.zero_events]
    if not seen:
        return []
    said = "; ".join(
        f"{cell.cell}: {zero.layer} equal in {cell.deployments} deployments, up to {percent(zero.next_differs.upper, 0)}"
        for cell, zero in seen
    )
    level = level_text(seen[0][1].next_differs.level)
    text = f"never having differed is not proof. Chance that the next deployment differs ({level} limit): {said}"
    return [Finding("zero-events", text, tuple(cell.cell for cell, _ in seen))]


def _some(items: tuple[str, ...]) -> str:
    more = len(items) - SHOWN
    return ", ".join(items[:SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def _short(value: str) -> str:
    return value if len(value) <= 40 else f"{value[:37]}…"
