"""Tables of a pair of runs."""

from dashboard.components.table import Chip, Column, Row, Value, number, text
from dashboard.link import Link
from dashboard.rows.overview import interval
from store.results.browse.pair import Change, OpenPair
from store.results.printing import NOTHING, fraction, p_text
from store.results.report.between_shape import KindLine
from store.results.report.between_tables import identical_text
from store.results.report.sentences import rate_text

KIND_COLUMNS = (
    Column("kind"),
    Column("among"),
    Column("pairs", right=True),
    Column("same / other card", "where both cards are recorded", right=True),
    Column("same / other build", "one build of the kernel cache or two, where that is known", right=True),
    Column("identical tokens", right=True),
    Column("flips", right=True),
)
STATISTIC_COLUMNS = (Column("number"), Column("value", right=True), Column("of", right=True), Column("what it says"))


def change_columns(found: OpenPair) -> tuple[Column, ...]:
    """Columns of gains and losses."""
    return (
        Column("question"),
        *([Column("category")] if _categories(found) else []),
        Column("direction", "gain: only the second run is right; loss: only the first is"),
        Column("gold"),
        Column(found.a.run_id, "the first run's answer"),
        Column(found.b.run_id, "the second run's answer"),
        Column("fragile", "whether some cell is unstable on it, so that new deployments alone could do this"),
    )


def change_rows(found: OpenPair, link: Link) -> list[Row]:
    """Questions with different verdicts, gains before losses."""
    some = _categories(found)
    return [Row(_change(c, some), opens=c.question, href=link.with_(q=c.question).href("question")) for c in found.changes]


def kind_rows(kinds: tuple[KindLine, ...]) -> list[Row]:
    """Pairs of each kind together."""
    return [
        Row(
            (
                text(kind.kind),
                text(kind.among),
                number(f"{kind.pairs:,}", kind.pairs, f"pairs of kind {kind.kind}, {kind.among}"),
                text(f"{kind.same_card:,} / {kind.other_card:,}"),
                text(f"{kind.same_build:,} / {kind.other_build:,}"),
                number(
                    identical_text(kind.identical, kind.identical_of),
                    kind.identical,
                    "equal token sequences of comparable pair-questions",
                    ("of", kind.identical_of),
                ),
                number(_flips(kind), kind.flips, f"of {kind.of:,} pair-questions", ("of", kind.of)),
            )
        )
        for kind in kinds
    ]


def statistic_rows(found: OpenPair) -> list[Row]:
    """McNemar's test and the interval of the difference."""
    test, c = found.test, found.counts
    rows = []
    if test is not None and c.gains is not None and c.losses is not None:
        base = f"{c.gains} gains against {c.losses} losses; {test.assumes}"
        rows.append(
            Row(
                (
                    text(test.test),
                    number(p_text(test.p), test.p, base),
                    text(f"{c.gains + c.losses} flips"),
                    text("two-sided p"),
                )
            )
        )
    if found.interval is not None:
        rows.append(Row((text("accuracy of B − A"), interval(found.interval), text(f"{c.of:,} questions"), text("in points"))))
    if found.near is not None:
        rank = found.near.rank_test
        shown = NOTHING if rank.p is None else p_text(rank.p)
        rows.append(
            Row(
                (text("rank test of gaps"), number(shown, rank.p, rank.assumes), text(f"{rank.n} divergences"), text(rank.test))
            )
        )
    return rows


def two_by_two(found: OpenPair) -> tuple[tuple[Column, ...], tuple[Row, ...]]:
    """Columns and rows of the 2 × 2 table of verdicts: a down, b across."""
    c, a, b = found.counts, found.a.run_id, found.b.run_id

    def count(what: str, n: int) -> Value:
        return number(f"{n:,}", n, f"{what}: {rate_text(n, c.of, n / c.of if c.of else None)}", ("of", c.of))

    right = (text(f"{a} correct"), count("both correct", found.both_right), count("losses", c.losses or 0))
    wrong = (text(f"{a} incorrect"), count("gains", c.gains or 0), count("both incorrect", found.both_wrong))
    return (Column("verdict"), Column(f"{b} correct", "", True), Column(f"{b} incorrect", "", True)), (Row(right), Row(wrong))


def _categories(found: OpenPair) -> bool:
    return any(change.category is not None for change in found.changes)


def _change(c: Change, category: bool) -> tuple[Value, ...]:
    gain = c.direction == "gain"
    known = {True: "yes", False: "no", None: "not known"}[c.in_fragile]
    return (
        text(c.question),
        *([text(c.category)] if category else []),
        text(c.direction),
        text(c.gold, unknown="not recorded"),
        _answer(c.answer_a, not gain),
        _answer(c.answer_b, gain),
        text(known),
    )


def _answer(answer: str | None, right: bool) -> Value:
    shown = "not known" if answer is None else answer
    return Value("", shown, "", (Chip(shown, "correct" if right else "incorrect"),))


def _flips(kind: KindLine) -> str:
    return NOTHING if kind.flips is None else fraction(kind.flips, kind.of)
