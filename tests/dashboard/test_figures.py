"""What charts hold, read from their specifications."""

import io

import altair as alt
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from dashboard.figures.base import charted, uncharted
from dashboard.figures.divergence import divergence_histogram, gap_histogram, survival_figure
from dashboard.figures.matrix import cell_figure, run_figure
from dashboard.figures.question_map import map_figure
from dashboard.figures.save import picture
from store.analysis.divergence import divergence_summary
from store.results.browse.matrix import matrix_runs, run_matrix, side_matrix
from store.results.browse.question_map import MapFilter, answer_texts, question_map
from store.results.study import study_data
from tests.builders import answered, labels


def rows(chart):
    """Rows of a chart's data, all its datasets one after another."""
    return [row for data in chart.to_dict()["datasets"].values() for row in data]


@pytest.fixture
def uneven(study):
    """Cell a of two deployments, cell b of one."""
    return study_data(
        *study(
            (labels("a0", cell="a"), [answered("q1", "1"), answered("q2", "no number")]),
            (labels("a1", cell="a", repeat=1), [answered("q1", "2"), answered("q2", "7")]),
            (labels("b0", cell="b"), [answered("q1", "2"), answered("q2", None)]),
        )
    )


def test_a_cell_of_one_deployment_keeps_its_place_and_stays_empty(uneven):
    chart = cell_figure(side_matrix(uneven, uneven.grid.cells, "verdict", 0.95), "verdict")
    spec = chart.to_dict()
    assert spec["layer"][0]["encoding"]["x"]["scale"]["domain"] == ["a", "b"]
    assert {(row["a"], row["b"]) for row in rows(chart)} == {("a", "a"), ("a", "b"), ("b", "a")}


def test_squares_hold_counts_and_exact_values(uneven):
    matrix = run_matrix(uneven, matrix_runs(uneven, "grid"), "verdict")
    found = {(row["a"], row["b"]): (row["count"], row["of"], row["value"]) for row in rows(run_figure(matrix, (0, 1, 2)))}
    assert found["a0", "b0"] == (1, 1, 1.0)
    assert found["a1", "a0"] == (1, 2, 0.5)


def test_no_answer_and_no_record_are_states_of_their_own_on_the_map(uneven):
    found = question_map(uneven, MapFilter(None, None, None, False, None))
    marks = {
        (row["question"], row["run"]): row
        for row in rows(map_figure(found, answer_texts(uneven, found), "answer"))
        if "rank" in row
    }
    assert marks["q1", "a0"]["rank"] == "gold"
    assert marks["q1", "a1"]["rank"] == "other 1"
    assert "q2" not in found.ids()  # both wrong: no disagreement


def test_survival_begins_with_everybody_at_risk():
    summary = divergence_summary(np.array([2, 5]), np.array([4, 9]), 0)
    first = next(row for row in rows(survival_figure(summary)) if row["token"] == 0)
    assert (first["equal"], first["at risk"]) == (1.0, 4)


@pytest.mark.parametrize("at", [[0], [0, 0, 3], [5, 399, 400]])
def test_histogram_bins_hold_every_divergence_once_at_whole_tokens(at):
    found = rows(divergence_histogram(at))
    assert sum(row["questions"] for row in found) == len(at)
    assert all(row["from"] == int(row["from"]) for row in found)
    assert rows(gap_histogram([]))


def test_a_picture_names_signs_that_cannot_stand_in_it(study):
    data = study_data(
        *study(*((labels(f"a{i}\x1b[31m", cell="a\u202e", repeat=i), [answered("q1", str(i))]) for i in range(2)))
    )
    chart = run_figure(run_matrix(data, matrix_runs(data, "grid"), "verdict"), (0, 1))
    svg = picture(chart, "svg").decode()
    assert svg.startswith("<svg")
    assert "U+001B" in svg
    assert picture(chart, "png").startswith(b"\x89PNG")


def test_a_picture_as_pixels_holds_its_words():
    bars = alt.Chart(pd.DataFrame({"a": ["first", "second"], "v": [1, 2]})).mark_bar(color="#ddeeff").encode(x="a:N", y="v:Q")
    pixels = np.asarray(Image.open(io.BytesIO(picture(bars, "png"))).convert("L"))
    assert (pixels < 110).sum() > 500  # only words are dark here


def test_names_that_every_javascript_object_has_are_kept_apart(study):
    names = ("constructor", "__proto__", "toString")
    data = study_data(
        *study(*((labels(n, cell="a", repeat=i), [answered(n, str(i + 1)) for n in names]) for i, n in enumerate(names)))
    )
    found = question_map(data, MapFilter(None, None, None, False, None))
    marks = [row for row in rows(map_figure(found, answer_texts(data, found), "verdict")) if "verdict" in row]
    assert len(marks) == 9
    assert not {row["run"] for row in marks} & set(names)
    assert {uncharted(row["question"]) for row in marks} == set(names)
    assert uncharted(charted("q1")) == charted("q1") == "q1"
