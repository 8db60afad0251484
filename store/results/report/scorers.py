"""Scorers of one run against each other, and answers arm by arm."""

from collections import Counter
from dataclasses import dataclass

import pandas as pd

from store.analysis.disagreement import Scored, disagreement_kind
from store.results.report.shape import ArmAnswer, ScorerPair
from store.results.study import StudyData
from store.warehouse.open import Parameter


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One record on which two scorers give different verdicts."""

    run_id: str
    question_id: str
    a: str
    b: str
    read_a: str | None
    path_a: str
    verdict_a: str
    read_b: str | None
    path_b: str
    verdict_b: str
    gold: str | None
    finish_reason: str | None
    raw_text: str | None

    @property
    def kind(self) -> str:
        """Why, as far as both readings tell."""
        theirs = Scored(self.read_b, f"{self.b} {self.path_b}")
        truncated = self.finish_reason == "length"
        return disagreement_kind(Scored(self.read_a, self.path_a), theirs, self.gold, self.raw_text, truncated).value


@dataclass(frozen=True, slots=True)
class PairRow:
    """Records of a run that both scorers gave a verdict on."""

    run_id: str
    a: str
    b: str
    both: int
    disagree: int


def scorer_pairs(data: StudyData) -> tuple[ScorerPair, ...]:
    """Every pair of extractors that scored one run, the scope's extractor first; the whole run, question set or not."""
    scope = data.scope
    where: dict[str, Parameter] = {"study": scope.study.study, "as_of": scope.as_of, "extractor": scope.extractor}
    pairs = data.warehouse.records("scorer_pairs", PairRow, **where)
    found = data.warehouse.records("disagreements", Disagreement, **where) if pairs else ()
    order = {question: i for i, question in enumerate(data.questions)}
    lines = []
    for pair in pairs:
        mine = [one for one in found if (one.run_id, one.a, one.b) == (pair.run_id, pair.a, pair.b)]
        ids = sorted((one.question_id for one in mine), key=lambda q: order.get(q, len(order)))
        lines.append(
            ScorerPair(
                run=pair.run_id,
                a=pair.a,
                b=pair.b,
                disagree=pair.disagree,
                of=pair.both,
                rate=pair.disagree / pair.both if pair.both else None,
                right_a_only=sum(one.verdict_a == "correct" for one in mine),
                right_b_only=sum(one.verdict_b == "correct" for one in mine),
                kinds=dict(sorted(Counter(one.kind for one in mine).items())),
                in_fragile=sum(bool(data.is_fragile(question)) for question in ids) if data.repeated else None,
                ids=tuple(ids),
            )
        )
    return tuple(lines)


def answers_by_arm(data: StudyData, questions: tuple[str, ...]) -> tuple[ArmAnswer, ...]:
    """Answers to `questions` in every complete run, by arm and engine: how many deployments of each role gave them."""
    if not questions:
        return ()
    scope = data.scope
    rows = data.warehouse.frame(
        "given_answers",
        study=scope.study.study,
        as_of=scope.as_of,
        extractor=scope.extractor,
        questions=list(questions),
    )
    runs = {run.run_id: run for run in data.runs}
    golds = {row.question_id: row.gold for row in data.asked}
    given: dict[tuple[str, str, str | None, str | None, str], dict[str, set[str]]] = {}
    for question, run_id, answer, verdict in rows[["question_id", "run_id", "answer", "verdict"]].itertuples(index=False):
        run = runs[run_id]
        key = (question, run.arm, run.engine, None if pd.isna(answer) else answer, verdict)
        given.setdefault(key, {}).setdefault(run.role, set()).add(run.deployment_id)
    order = {question: i for i, question in enumerate(questions)}
    arms = {arm: i for i, arm in enumerate(dict.fromkeys(run.arm for run in data.runs))}
    found = [
        ArmAnswer(q, golds.get(q), arm, engine, answer, verdict, {role: len(who) for role, who in sorted(roles.items())})
        for (q, arm, engine, answer, verdict), roles in given.items()
    ]

    def place(one: ArmAnswer) -> tuple[int, int, str, int, str]:
        return order[one.question], arms[one.arm], one.engine or "", -sum(one.deployments.values()), one.answer or ""

    return tuple(sorted(found, key=place))
