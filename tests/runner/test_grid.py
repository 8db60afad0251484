"""From cells to runs: their order, names and numbers."""

import pytest

from runner.study.expected import estimate, expected, pair_counts
from runner.study.grid import deployments, grid
from runner.study.load import load_study
from store.errors import UsageError
from tests.conftest import ROOT
from tests.runner.studies import cell, study


def ids(*cells):
    return [run.run_id for run in grid(study(*cells))]


def probe(name, more=""):
    return cell(name, "probe", more=f"passes = 3\norder_seed = 1\n{more}")


def test_cells_run_as_the_file_has_them():
    assert ids(cell("b", repeats=2), cell("a")) == ["b.0", "b.1", "a.0"]


def test_a_cell_that_others_load_from_runs_before_the_first_of_them():
    cells = (cell("x"), cell("l", "loader", 2, load="k"), cell("y"), cell("k", "loader", load="b"), cell("b", "builder"))
    assert ids(*cells) == ["x.0", "b.0", "k.0", "l.0", "l.1", "y.0"]


def test_cells_that_load_from_each_other_in_a_circle_are_named():
    with pytest.raises(UsageError, match="in a circle: b from c from d from b"):
        grid(study(cell("a", load="b"), cell("b", load="c"), cell("c", load="d"), cell("d", load="b")))


def test_passes_are_runs_of_one_deployment():
    (runs,) = deployments(study(probe("p")))
    assert [(r.run_id, r.deployment_id, r.repeat, r.pass_index) for r in runs] == [
        ("p.0.p0", "p.0", 0, 0),
        ("p.0.p1", "p.0", 1, 1),
        ("p.0.p2", "p.0", 2, 2),
    ]


def test_runs_within_a_cell_are_numbered_after_its_own_wherever_they_stand():
    within = 'within = "c"'
    runs = grid(study(cell("b", "builder", more=within), probe("p", within), cell("c", repeats=2)))
    assert {(r.run_id, r.entry, r.cell, r.repeat) for r in runs} == {
        ("c.0", "c", "c", 0),
        ("c.1", "c", "c", 1),
        ("b.0", "b", "c", 2),
        ("p.0.p0", "p", "c", 3),
        ("p.0.p1", "p", "c", 4),
        ("p.0.p2", "p", "c", 5),
    }


def test_the_published_study_has_23_grid_runs_probe_builder_loaders_and_anchor():
    runs = grid(load_study(ROOT / "examples" / "published-grid.toml"))
    roles = [run.role.value for run in runs]
    assert {role: roles.count(role) for role in roles} == {"grid": 23, "probe": 3, "builder": 1, "loader": 2, "anchor": 1}
    assert len({run.deployment_id for run in runs}) == 28
    cells = [run.cell for run in runs if run.role == "grid"]
    assert {name: cells.count(name) for name in cells} == {
        "bf16-cap1": 3, "bf16-cap8": 5, "bf16-cap32": 5, "fp8-cap32": 5, "int4-cap32": 5,
    }  # fmt: skip
    assert {(r.repeat, r.run_id) for r in runs if r.cell == "bf16-cap32"} >= {(4, "bf16-cap32.4"), (10, "bf16-cap32-loader.1")}


def test_a_loader_makes_pairs_of_its_own_kinds():
    """b builds, l.0 and l.1 load it, x is fresh and of another cell.

    b–l.0, b–l.1: builder–loader of one build. l.0–l.1: loader–loader. x with each of the three: cross-cell.
    """
    counts = pair_counts(study(cell("b", "builder"), cell("l", "loader", 2, load="b"), cell("x")))
    assert {(c.kind.value, c.build, c.a, c.b, c.n) for c in counts} == {
        ("builder–loader", "same", "b", "l", 2),
        ("loader–loader", "same", "l", "l", 1),
        ("cross-cell", "unknown", "b", "x", 1),
        ("cross-cell", "unknown", "l", "x", 2),
    }


def test_a_shared_compile_cache_makes_the_first_deployment_the_builder():
    shared = cell("c", repeats=3).replace('inductor = "fresh"', 'inductor = "shared"')
    assert {(c.kind.value, c.n) for c in pair_counts(study(shared))} == {("builder–loader", 2), ("loader–loader", 1)}


def test_one_deployment_has_no_pair_within_its_cell():
    found = expected(study(cell("a"), cell("b", repeats=3)), 2)
    assert [(w.cell, w.deployments, w.pairs) for w in found.within] == [("a", 1, 0), ("b", 3, 3)]


def test_the_detectable_difference_follows_repeats_and_questions():
    """z = 1.95996 + 0.84162 = 2.80159; (0.01/2 + 0.01/6)/100 = 6.6667e-5, root 0.0081650; times z = 0.022875."""
    (found,) = expected(study(cell("a"), cell("b", repeats=3)), 100).detectable
    assert (found.a, found.b, found.deployments_a, found.deployments_b, found.questions) == ("a", "b", 1, 3, 100)
    assert found.difference == pytest.approx(0.022875, abs=1e-6)


def test_only_grid_cells_are_compared():
    assert not expected(study(cell("a"), cell("b", "builder"), probe("p")), 100).detectable


def test_time_and_cost_are_their_formulas():
    """2 questions × 50 tokens / 10 per s = 10 s a pass: 110 s, 110 s and 130 s (three passes); 350 s × 3.6/3600 = 0.35."""
    found = estimate(study(cell("a", repeats=2), probe("p")), 2)
    assert [one.seconds for one in found.deployments] == [110, 110, 130]
    assert found.seconds == 350
    assert found.cost == pytest.approx(0.35)


def test_deployments_share_the_devices_and_a_loader_waits_for_its_builder():
    """Two devices, 110 s each: b and x at once, then l on one of them: 220 s. l alone beside b still waits: 220 s."""
    two = [('devices = ["cpu"]', 'devices = ["0", "1"]')]
    assert estimate(study(cell("b", "builder"), cell("x"), cell("l", "loader", load="b"), swap=two), 2).seconds == 220
    assert estimate(study(cell("b", "builder"), cell("l", "loader", load="b"), swap=two), 2).seconds == 220


def test_without_a_number_of_questions_nothing_is_reckoned_from_one():
    found = expected(study(cell("a", repeats=2), cell("b")), None)
    assert (found.detectable, found.estimate) == ((), None)
    assert found.pairs
