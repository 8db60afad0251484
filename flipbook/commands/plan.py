"""`flipbook plan`."""

from collections import Counter
from pathlib import Path

import click

from flipbook.console import json_option, print_json, print_table, say
from runner.study.expected import Detectable, Estimate, PairCount, Within
from runner.study.grid import PlannedRun
from runner.study.model import Caches
from runner.study.plan import Plan, plan_of
from store.analysis.accuracy import ONE_DEPLOYMENT
from store.analysis.detectable import ASSUMES
from store.analysis.pair_kind import PairKind
from store.contract.base import Json
from store.results.printing import counted, percent, plain, points

BETWEEN_CELLS = (PairKind.CROSS_CELL, PairKind.CROSS_ARM, PairKind.CROSS_BACKEND)
"""Kinds whose cells are left out of the text: there are as many as pairs of cells."""

BUILDS = {"same": " (one build)", "other": " (two builds)", "unknown": ""}


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@json_option
def plan(file: Path, as_json: bool) -> None:
    """What a study file asks for: its runs, the pairs and differences they will show, time, cost and what is missing.

    Works on any machine; no engine is started and nothing is fetched. Exit code 0 also when something is missing here.
    """
    found = plan_of(file)
    if as_json:
        print_json(plan_json(found))
        return
    click.echo(plain(_head(found)))
    print_table(("run", "cell", "arm", "role", "repeat", "engine", "model", "cache"), [_run(r) for r in found.runs], "Runs")
    print_table(("kind", "pairs", "where"), [_kind(kind, found.expected.pairs) for kind in PairKind], "Pairs of runs")
    print_table(("cell", "deployments", "pairs"), [_within(cell) for cell in found.expected.within], "Within grid cells")
    _print_detectable(found.expected.detectable)
    if found.expected.estimate is not None:
        _print_estimate(found.expected.estimate)
    print_table(("missing here",), [(sentence,) for sentence in found.missing or ("nothing",)], "This machine")
    for note in found.notes:
        say(note)


def plan_json(found: Plan) -> Json:
    """The plan as the documented JSON."""
    return {
        "study": found.study,
        "questions": {"count": found.questions, "sha256": found.sha256, "planned": found.planned},
        "runs": [_run_json(run) for run in found.runs],
        "pair_kinds": {kind.value: _kind_json(kind, found.expected.pairs) for kind in PairKind},
        "within": [{"cell": w.cell, "deployments": w.deployments, "pairs": w.pairs} for w in found.expected.within],
        "detectable": [_detectable_json(item) for item in found.expected.detectable],
        "estimate": None if found.expected.estimate is None else _estimate_json(found.expected.estimate),
        "missing": [*found.missing],
        "notes": [*found.notes],
    }


def _head(found: Plan) -> str:
    if found.questions is not None:
        questions = counted(found.questions, "question")
    else:
        reckoned = "" if found.planned is None else f", reckoned with {found.planned:,}"
        questions = f"questions not known here{reckoned}"
    deployments = counted(len({run.deployment_id for run in found.runs}), "deployment")
    return f"{found.study}: {questions}, {deployments}, {counted(len(found.runs), 'run')}"


def _run(run: PlannedRun) -> tuple[str, ...]:
    return (run.run_id, run.cell, run.arm, run.role, str(run.repeat), run.engine, run.model, _cache(run.cache))


def _cache(cache: Caches) -> str:
    """One word when all families have the same policy, else each policy with its families."""
    policies = cache.model_dump()
    if len(set(policies.values())) == 1:
        return cache.inductor
    families = {policy: [f for f, its in policies.items() if its == policy] for policy in dict.fromkeys(policies.values())}
    return "; ".join(f"{policy}: {', '.join(those)}" for policy, those in families.items())


def _kind(kind: PairKind, pairs: tuple[PairCount, ...]) -> tuple[str, ...]:
    mine = [pair for pair in pairs if pair.kind is kind]
    where = "" if kind in BETWEEN_CELLS else ", ".join(map(_place, mine))
    return (kind, f"{sum(pair.n for pair in mine):,}", where)


def _place(pair: PairCount) -> str:
    cells = pair.a if pair.a == pair.b else f"{pair.a} and {pair.b}"
    return f"{cells} {pair.n}{BUILDS[pair.build]}"


def _within(cell: Within) -> tuple[str, ...]:
    return (cell.cell, str(cell.deployments), str(cell.pairs) if cell.pairs else ONE_DEPLOYMENT)


def _print_detectable(items: tuple[Detectable, ...]) -> None:
    if not items:
        return
    header = ("cell", "other", "deployments", "questions", "least difference")
    rows = [(d.a, d.b, f"{d.deployments_a} and {d.deployments_b}", f"{d.questions:,}", _least(d)) for d in items]
    print_table(header, rows, "Differences in accuracy that would be seen")
    d = items[0]
    say(f"size {d.alpha:g}, power {d.power:g}, flip rate {percent(d.flip_rate)} in both cells; {ASSUMES}")


def _least(item: Detectable) -> str:
    return points(item.difference) if item.difference <= 1 else "none: above 100 pt"


def _print_estimate(found: Estimate) -> None:
    times = Counter((one.passes, one.seconds) for one in found.deployments)
    rows = [(str(n), str(passes), duration(seconds), duration(n * seconds)) for (passes, seconds), n in times.items()]
    print_table(("deployments", "passes", "each", "together"), rows, "Time")
    cost = f"{found.device_hours:,.1f} h × {found.price_per_device_hour:,g} = {found.cost:,.2f} {found.currency}"
    click.echo(plain(f"in all {duration(found.seconds)} on {counted(found.devices, 'device')}; device time {cost}"))
    one = found.deployments[0]
    samples = "" if one.samples == 1 else f" × {one.samples} samples"
    asked = f"passes × {counted(one.questions, 'question')}{samples} × {one.tokens_per_question:g} tokens"
    say(f"each: {one.start_s:g} s + {asked} / {one.tokens_per_s:g} tokens a second")


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3 h 05 min`: two parts at most, rounded."""
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours:,} h {minutes:02d} min" if hours else f"{minutes} min"


def _run_json(run: PlannedRun) -> Json:
    return {
        "run": run.run_id,
        "cell": run.cell,
        "arm": run.arm,
        "role": run.role.value,
        "repeat": run.repeat,
        "pass": run.pass_index,
        "deployment": run.deployment_id,
        "engine": run.engine,
        "model": run.model,
        "cache": run.cache.model_dump(),
    }


def _kind_json(kind: PairKind, pairs: tuple[PairCount, ...]) -> Json:
    mine = [pair for pair in pairs if pair.kind is kind]
    return {"n": sum(pair.n for pair in mine), "cells": [_place_json(pair) for pair in mine]}


def _place_json(pair: PairCount) -> Json:
    return {"a": pair.a, "b": pair.b, "build": pair.build, "n": pair.n}


def _detectable_json(item: Detectable) -> Json:
    return {
        "a": item.a,
        "b": item.b,
        "deployments_a": item.deployments_a,
        "deployments_b": item.deployments_b,
        "questions": item.questions,
        "flip_rate": item.flip_rate,
        "alpha": item.alpha,
        "power": item.power,
        "points": 100 * item.difference,
    }


def _estimate_json(found: Estimate) -> Json:
    return {
        "seconds": found.seconds,
        "devices": found.devices,
        "device_hours": found.device_hours,
        "price_per_device_hour": found.price_per_device_hour,
        "cost": found.cost,
        "currency": found.currency,
        "deployments": [
            {
                "deployment": one.deployment,
                "seconds": one.seconds,
                "start_s": one.start_s,
                "passes": one.passes,
                "questions": one.questions,
                "samples": one.samples,
                "tokens_per_question": one.tokens_per_question,
                "tokens_per_s": one.tokens_per_s,
            }
            for one in found.deployments
        ],
    }
