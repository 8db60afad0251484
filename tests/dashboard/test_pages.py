"""The pages of a study in every state a study can be in: full, empty, one run, nothing recorded but text, nobody's id."""

import pytest

from store.contract.run import StudyRole
from store.folder import Store
from tests.builders import answered, labels
from tests.dashboard.reading import column, html, parts, press, tables, url
from tests.store.test_folder import admit

VIEWS = ("cells", "compare", "pairs", "fragile", "question", "gates")


@pytest.fixture
def two_cells(tmp_path):
    """Two cells of two deployments; texts and verdicts, but no tokens, no environments, no prompts."""
    store = Store(tmp_path / "store")
    answers = {"a0": "CCI", "a1": "CII", "b0": "ICC", "b1": "ICC"}
    for_letter = {"C": "The final answer is 1", "I": "The final answer is 2"}
    runs = [
        (
            labels(run, cell=run[0], repeat=int(run[1]), arm=run[0].upper()),
            [answered(f"q{i}", for_letter[letter]) for i, letter in enumerate(letters)],
        )
        for run, letters in answers.items()
    ]
    admit(store, *runs)
    return store.root


@pytest.mark.parametrize("study", ["published", "smollm2-mini"])
@pytest.mark.parametrize("view", VIEWS)
def test_every_page_opens_on_a_loaded_study_and_says_its_whole_state(open_view, bundled_store, view, study):
    at = open_view(bundled_store, view, study=study)
    assert not at.error
    said = url(at)
    assert (said["study"], said["extractor"], said["as_of"]) == (study, "answer-line@1", "2")
    again = url(open_view(bundled_store, view, **said))
    assert again == said


@pytest.mark.parametrize("view", VIEWS)
def test_every_page_says_what_one_run_cannot_show(open_view, tmp_path, view):
    store = Store(tmp_path / "store")
    admit(store, (labels("a"), [answered("q1", "The final answer is 1"), answered("q2", None)]))
    said = html(open_view(store.root, view, study="s"))
    wanted = {
        "cells": "needs ≥ 2 deployments",
        "compare": "a comparison needs two of a kind without a run in common; this study has 1 cell",
        "pairs": "A pair needs two complete runs; of grid runs there is 1.",
        "fragile": "Fragile set not known: needs ≥ 2 deployments of a cell.",
        "question": "All records here have the same text.",
        "gates": "No gate set has judged a candidate of this study in this store yet.",
    }
    assert wanted[view] in said


@pytest.mark.parametrize("view", VIEWS)
def test_every_page_says_what_is_unknown_where_neither_tokens_nor_environments_are_recorded(open_view, two_cells, view):
    said = html(open_view(two_cells, view, study="s"))
    wanted = {
        "cells": "texts (token identity is undefined)",
        "compare": "known on neither side, so that nothing can be said of them",
        "pairs": "Reference median",
        "fragile": "1 / 3 questions are unstable in at least one of 2 cells",
        "question": "token sequence not recorded",
        "gates": "Cells of this study: a, b. Its question set: qs1:",
    }
    assert wanted[view] in said


def test_a_pair_without_tokens_says_that_its_divergence_is_unknown(open_view, two_cells):
    said = html(open_view(two_cells, "pairs", study="s", pair_a="a0", pair_b="b0"))
    assert "token identity undefined · flips 2 / 3" in said
    assert "First divergence is unknown: the runs have no comparable token ids." in said


def test_a_layer_that_nobody_recorded_is_named(open_view, two_cells):
    assert "No pair of runs has identical tokens to compare" in html(open_view(two_cells, "pairs", study="s", matrix="tokens"))


def test_questions_that_are_not_noise_are_those_both_sides_are_constant_and_different_on(open_view, two_cells):
    at = open_view(two_cells, "compare", study="s")
    noise = tables(at)["questions that are not noise"]
    # q0: a says 1 twice, b says 2 twice; q1: a is split; q2: both runs of a wrong, both of b right
    assert column(noise, "question") == ["q0", "q2"]
    assert column(noise, "right") == ["A", "B"]
    assert column(noise, "gold") == ["1", "1"]
    assert "A question that tosses a coin would look so with chance 12.5 %." in html(at)


@pytest.mark.parametrize(
    ("view", "params", "said"),
    [
        ("compare", {"side_a": "nope", "side_b": "BF16 cap1"}, "&#x27;nope&#x27; is no environment digest of this study"),
        ("compare", {"side_a": "BF16 cap1", "side_b": "BF16 cap1"}, "is compared with itself"),
        ("pairs", {"pair_a": "nope", "pair_b": "c1.0"}, "has no complete run &#x27;nope&#x27;"),
        ("pairs", {"pair_a": "c1.0", "pair_b": "c1.0"}, "is compared with itself"),
        ("pairs", {"matrix": "smell"}, "the link says matrix=smell. What there is: tokens, text, answer, verdict, divergence."),
        ("fragile", {"cell": "nope"}, "has no cell &#x27;nope&#x27;"),
        ("fragile", {"category": "nope"}, "has no category &#x27;nope&#x27;"),
        ("fragile", {"find": "("}, "is no regular expression"),
        ("fragile", {"top": "-1"}, "top=-1 is no row"),
        ("question", {"q": "x9"}, "has no question &#x27;x9&#x27;"),
        ("question", {"q": "607", "within": "smell"}, "the link says within=smell"),
        (
            "gates",
            {"gates": "nope"},
            "this store has seen no gate set &#x27;nope&#x27; of this study. Gate sets here: weights-2026-11.",
        ),
        ("gates", {"candidate": "nope"}, "has no cell &#x27;nope&#x27;"),
        ("gates", {"candidate": "BF16 cap32"}, "baseline and candidate share 5 runs"),
    ],
)
def test_a_link_that_asks_for_what_is_not_there_gets_a_sentence(open_view, bundled_store, view, params, said):
    shown = html(open_view(bundled_store, view, study="published", **params))
    assert "Cannot show this" in shown
    assert said in shown


def test_two_environments_are_compared_by_their_digests(open_view, bundled_store):
    at = open_view(bundled_store, "compare", study="published", by="environment")
    assert url(at)["side_a"].startswith("env1:")
    rows = tables(at)["environment fields that differ"]
    assert column(rows, "field") == ["max_num_seqs"]
    assert column(rows, "kind") == ["declared"]


def test_the_map_has_groups_first_then_the_fragile_set(open_view, bundled_store):
    at = open_view(bundled_store, "fragile", study="published")
    listed = tables(at)["questions on which runs disagree"]
    groups = column(listed, "group")
    assert [groups.count(name) for name in dict.fromkeys(groups)] == [4, 11, 7, 55]
    assert list(dict.fromkeys(groups))[-1] == "fragile set"
    assert "55 / 1,319 questions are unstable in at least one of 5 cells" in html(at)


@pytest.mark.parametrize(
    ("params", "count"),
    [
        ({"core": "yes"}, 22),
        ({"cell": "BF16 cap8"}, 25),
        ({"arm": "FP8"}, 0),
        ({"arm": "FP8", "core": "yes"}, 22),
        ({"find": "q607"}, 1),
        ({"find": "no such"}, 0),
    ],
)
def test_filters_of_the_map(open_view, bundled_store, params, count):
    at = open_view(bundled_store, "fragile", study="published", **params)
    rows = tables(at).get("questions on which runs disagree", {"rows": []})["rows"]
    assert len(rows) == count
    assert f"{count} / 77 questions" in html(at)


@pytest.mark.parametrize(
    ("params", "place", "following"),
    [
        ({"within": "map"}, "27 of 77 on the map of questions, as filtered", "77"),
        ({"within": "map", "cell": "BF16 cap1"}, "5 of 16", "77"),
        ({"within": "compare", "side_a": "BF16 cap1", "side_b": "BF16 cap8"}, "not among the 2 that are not noise", "221"),
        ({"within": "pair", "pair_a": "c1.0", "pair_b": "i4.0"}, "8 of 27 gained or lost by the pair", "721"),
        ({}, "608 of 1,319 of the question set", "608"),
    ],
)
def test_next_walks_the_list_the_reader_came_from(open_view, bundled_store, params, place, following):
    at = open_view(bundled_store, "question", study="published", q="607", **params)
    assert place in html(at)
    press(at, "walk", "to", parts(at, "walk")[0]["position"] + 1)
    assert url(at)["q"] == following
    assert {name: url(at)[name] for name in params} == params


def test_three_outputs_stand_side_by_side(open_view, bundled_store):
    at = open_view(bundled_store, "question", study="smollm2-mini", q="short-word-problem-11", c="int8-eager-cap8.0")
    said = html(at)
    assert said.count('<section class="fb-pane"') == 3
    assert "A | B: 33 identical tokens" in said
    assert "Gap A 0.25, B 0; swing 0.25 nats: exact-tie." in said
    assert "A | C: 0 identical tokens" in said
    assert column(tables(at)["what each extractor read in the outputs shown"], "read") == [" 18", " 14", " 2"]


def test_a_study_of_probes_only_says_so_on_every_page(open_view, tmp_path):
    store = Store(tmp_path / "store")
    admit(store, *((labels(f"p{i}", role=StudyRole.PROBE, repeat=i), [answered("q1", "1")]) for i in range(2)))
    for view in VIEWS:
        at = open_view(store.root, view, study="s")
        assert not at.exception
    assert "this study has 0 cells" in html(open_view(store.root, "compare", study="s"))


def test_words_shows_the_asked_one_first_and_names_one_that_is_not_there(open_view, bundled_store):
    at = open_view(bundled_store, "words", word="flip")
    headings = [block.proto.body for block in at.get("html") if "fb-h2" in block.proto.body]
    assert ">flip<" in headings[0]
    assert len(headings) > 40
    assert "There is no word &#x27;nope&#x27; here" in html(open_view(bundled_store, "words", word="nope"))


def test_a_cell_and_an_arm_that_have_no_run_in_common_are_said(open_view, bundled_store):
    said = html(open_view(bundled_store, "fragile", study="published", cell="INT4 cap32", arm="BF16"))
    assert "No run of arm BF16 is in cell INT4 cap32." in said


@pytest.mark.parametrize(
    ("view", "params", "control"),
    [
        ("fragile", {"find": "("}, "Text matches"),
        ("fragile", {"cell": "nope"}, "Cell"),
        ("compare", {"side_a": "nope"}, "A"),
        ("question", {"q": "nope"}, "Go to question id"),
    ],
)
def test_what_can_be_chosen_stays_where_a_link_cannot_be_followed(open_view, bundled_store, view, params, control):
    at = open_view(bundled_store, view, study="published", **params)
    lines = [part["hint"] for part in parts(at, "walk")]
    assert control in [*(c["label"] for row in parts(at, "controls") for c in row["controls"]), *lines]
    assert "rebuild" not in html(at)


def test_rows_beyond_the_last_page_of_the_map_are_the_last_page(open_view, bundled_store):
    said = html(open_view(bundled_store, "fragile", study="published", top="9999"))
    assert "77 / 77 questions on which runs disagree" in said
    assert "Rows" not in said


def test_next_keeps_the_two_sides_of_a_comparison(open_view, bundled_store):
    params = {"within": "compare", "side_a": "BF16 cap8", "side_b": "INT4 cap32", "a": "c8.0", "b": "i4.0"}
    at = open_view(bundled_store, "question", study="published", q="154", **params)
    press(at, "walk", "to", parts(at, "walk")[0]["position"] + 1)
    assert (url(at)["a"], url(at)["b"], url(at)["q"]) == ("c8.0", "i4.0", "539")


def test_a_row_leads_where_a_click_on_it_leads(open_view, bundled_store):
    at = open_view(bundled_store, "compare", study="published", side_a="BF16 cap8", side_b="INT4 cap32")
    first = tables(at)["questions that are not noise"]["rows"][0]
    assert "a=c8.0&b=i4.0" in first["href"]
    assert "within=compare" in first["href"]


def test_a_comparison_by_environment_picks_two_without_a_run_in_common(open_view, two_cells, bundled_store):
    assert "this study has 0 environment digests" in html(open_view(two_cells, "compare", study="s", by="environment"))
    at = open_view(bundled_store, "compare", study="published", side_a="env1:8b839dfd")
    assert url(at)["by"] == "environment"
    (sides,) = parts(at, "controls")
    assert "incomplete (11 of 62 fields)" in str([c["options"] for c in sides["controls"] if c["label"] == "A"])


def test_the_fragile_set_is_not_known_where_nothing_is_scored_twice(open_view, tmp_path):
    store = Store(tmp_path / "store")
    admit(store, *((labels(f"a{i}", repeat=i), [answered("q1", "1", gold=None)]) for i in range(2)))
    said = html(open_view(store.root, "fragile", study="s"))
    assert "Fragile set not known: no cell has two verdicts on any question." in said
    assert "Not known: no question has a verdict in two runs." in said


@pytest.mark.parametrize(
    ("view", "params", "said"),
    [
        ("cells", {"run": "nope"}, "The link names run nope, which is in no cell here."),
        ("pairs", {"pair_a": "c1.0"}, "The link names one run of a pair, c1.0; click a square for a pair."),
        ("question", {"q": "607", "within": "pair"}, "The list this link names cannot be made here"),
        ("question", {"q": "607", "run": "nope"}, "The link names run nope, which has no record of this question"),
    ],
)
def test_what_a_link_says_in_vain_is_said(open_view, bundled_store, view, params, said):
    assert said in html(open_view(bundled_store, view, study="published", **params))


def test_statistics_save_also_where_a_cell_has_no_interval(open_view, bundled_store):
    at = open_view(bundled_store, "cells", study="published")
    rows = tables(at)["intervals and estimates"]["rows"]
    assert "r" not in rows[3]["c"][2]  # FP8 never varied
