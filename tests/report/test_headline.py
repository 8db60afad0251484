"""The study in one sentence, with its bases."""

from store.results.report.build import METHOD_CONVENTIONS, Asked, study_report
from store.results.report.headline import headline
from tests.builders import answered, labels

ASKED = Asked(METHOD_CONVENTIONS, None, None)


def said(warehouse_and_scope):
    return headline(study_report(*warehouse_and_scope, ASKED, ()))


def test_pairs_of_all_cells_are_added_up(study):
    right, wrong = "The final answer is 1", "The final answer is 2"
    # cell a: texts differ on q1 of 2, and flip; cell b: equal; cell c: one deployment, left out of both
    found = said(
        study(
            (labels("a0", cell="a"), [answered("q0", right, gold="1"), answered("q1", right, gold="1")]),
            (labels("a1", cell="a", repeat=1), [answered("q0", right, gold="1"), answered("q1", wrong, gold="1")]),
            *(
                (labels(f"b{i}", cell="b", repeat=i), [answered("q0", right, gold="1"), answered("q1", wrong, gold="1")])
                for i in range(2)
            ),
            (labels("c0", cell="c"), [answered("q0", wrong, gold="1"), answered("q1", wrong, gold="1")]),
        )
    )
    assert found == (
        "Between two fresh deployments of one cell texts differ in 25.00 % (1 / 4), verdicts in 25.00 % (1 / 4) of"
        " pair-questions. Mean accuracy of 2 cells: 50.00 % to 75.00 %."
    )


def test_one_deployment_of_each_cell_says_nothing(study):
    assert said(study((labels("a0"), [answered("q0", "The final answer is 1")]))) is None
