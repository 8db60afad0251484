"""Every view, also where there is nothing, one run, or a link that asks for what is not there."""

import re

import pytest

from store.contract.run import StudyRole
from store.folder import Store
from tests.builders import answered, labels
from tests.dashboard.reading import column, html, parts, press, tables, url
from tests.store.test_folder import admit


@pytest.fixture
def one_run(tmp_path):
    store = Store(tmp_path / "store")
    admit(store, (labels("a"), [answered("q1", "The final answer is 1"), answered("q2", None), answered("q3", "1", gold=None)]))
    return store.root


@pytest.mark.parametrize("view", ["studies", "cells", "compare", "pairs", "fragile", "question", "gates"])
def test_without_a_store_every_page_says_what_to_do(open_view, tmp_path, view):
    shown = open_view(tmp_path / "none", view)
    assert "No study here" in html(shown)
    assert "no study has been ingested here yet" in html(shown)
    assert "flipbook demo --load-only" in shown.code[0].value


def test_an_emptied_store_is_an_empty_store(open_view, one_run):
    Store(one_run).remove("s")
    assert "No study here" in html(open_view(one_run, "cells"))


def test_a_broken_file_is_said_and_not_shown_as_a_traceback(open_view, one_run):
    Store(one_run).warehouse.write_bytes(b"garbage" * 500)
    assert "Run `flipbook rebuild`" in html(open_view(one_run, "cells"))


def test_studies_lists_every_study_with_its_label(open_view, bundled_store):
    shown = html(open_view(bundled_store))
    assert shown.index("smollm2-mini") < shown.index("published")
    assert "synthetic reconstruction of a published study" in shown
    assert "5 cells of 3 arms · 28 deployments · 30 runs · 1,319 questions · 39,570 records" in shown


def test_cells_shows_table_one_with_its_bases(open_view, bundled_store):
    at = open_view(bundled_store, "cells", study="published")
    shown = html(at)
    for number in ("94.87 %", "0.23 pt", "95.22 %", "0.00 pt", "c32.3: 1,251 / 1,319"):
        assert number in shown
    assert "6,271 / 6,595 records of 5 deployments, on 1,319 of 1,319 common questions" in shown
    assert "synthetic reconstruction of a published study" in shown
    assert url(at) == {"study": "published", "extractor": "answer-line@1", "as_of": "2"}
    questions = tables(at)["questions with the number of right runs per cell"]
    assert len(questions["rows"]) == 1319
    assert column(questions, "split cells")[0] == "4"


def test_one_run_says_what_it_cannot_show(open_view, one_run):
    shown = html(open_view(one_run, "cells", study="s"))
    assert "needs ≥ 2 deployments" in shown
    assert "Ingest a second fresh deployment" in shown
    assert "2 records have no verdict and are counted neither right nor wrong" in shown
    assert "1 / 1" in shown


def test_an_extractor_that_scored_one_run_leaves_the_others_unscored(open_view, bundled_store):
    shown = html(open_view(bundled_store, "cells", study="published", extractor="lm_eval/strict-match@published"))
    assert "0 / 1,319" in shown
    assert ">0.00 %<" not in shown


def test_question_shows_classes_and_two_texts(open_view, bundled_store):
    at = open_view(bundled_store, "question", study="smollm2-mini", q="counting-fact-02")
    shown = html(at)
    assert "3 token sequences, 3 texts, 3 answers, 2 verdicts, 10 records of 10 deployments." in shown
    assert "8 identical tokens, 20 identical characters" in shown
    assert "How many minutes are in one hour?" in shown
    assert url(at) == {
        "study": "smollm2-mini",
        "q": "counting-fact-02",
        "extractor": "answer-line@1",
        "a": "bf16-eager-cap1.0",
        "b": "bf16-compiled-cap8.0",
        "layer": "tokens",
        "within": "all",
        "as_of": "2",
    }


def test_the_link_decides_the_layer_and_the_sides(open_view, bundled_store):
    at = open_view(bundled_store, "question", study="published", q="539", layer="answer", a="hf.0", b="c1.0", run="c8.1")
    assert url(at) | {"a": "hf.0", "b": "c1.0", "layer": "answer", "run": "c8.1"} == url(at)
    assert [c["value"] for row in parts(at, "controls") for c in row["controls"] if c["label"] == "Equal by"] == ["answer"]
    assert "shown from hf.0" in html(at)


def test_next_and_previous_keep_the_layer_and_find_new_sides(open_view, bundled_store):
    at = open_view(bundled_store, "question", study="published", q="538", layer="text")
    press(at, "walk", "to", parts(at, "walk")[0]["position"] + 1)
    assert url(at)["q"] == "539"
    assert url(at)["layer"] == "text"
    assert not at.exception


def test_disputed_golds_are_marked(open_view, bundled_store):
    assert "disputed gold: the gold is 8, the literal arithmetic gives -8" in html(
        open_view(bundled_store, "question", study="published", q="423")
    )


def test_a_broken_people_file_is_said_and_the_question_still_shows(open_view, one_run):
    Store(one_run).people.write_bytes(b"no database" * 100)
    shown = html(open_view(one_run, "question", study="s", q="q1"))
    assert "annotations and decisions cannot be read" in shown
    assert "The final answer is" in shown


@pytest.mark.parametrize(
    ("view", "params", "said"),
    [
        ("cells", {"study": "nope"}, "no study &#x27;nope&#x27; in this store. Studies held: smollm2-mini, published."),
        ("cells", {"study": "<script>x"}, "&lt;script&gt;x"),
        (
            "cells",
            {"study": "published", "extractor": "nope@1"},
            "is scored by &#x27;nope@1&#x27;. Extractors here: answer-line@1, lm_eval",
        ),
        ("cells", {"study": "published", "as_of": "1"}, "first ingested at generation 2, not by 1"),
        (
            "cells",
            {"study": "published", "as_of": "99"},
            "this store is at generation 2, generation 99 was asked for. The link was made on another store.",
        ),
        ("cells", {"study": "published", "as_of": "soon"}, "as_of=soon is no generation"),
        ("question", {"study": "published", "q": "x9"}, "has no question &#x27;x9&#x27;. It has 1,319 from 0 to 1318."),
        (
            "question",
            {"study": "published", "q": "1", "layer": "smell"},
            "the link says layer=smell. What there is: tokens, text, answer, verdict.",
        ),
    ],
)
def test_a_link_that_asks_for_what_is_not_there_gets_a_sentence(open_view, bundled_store, view, params, said):
    shown = html(open_view(bundled_store, view, **params))
    assert "Cannot show this" in shown
    assert said in shown


def test_an_older_link_shows_the_runs_of_its_time_and_offers_the_newest(open_view, one_run):
    admit(Store(one_run), (labels("b", repeat=1), [answered("q1", "The final answer is 2")]))
    at = open_view(one_run, "cells", study="s", as_of="1")
    assert "This link shows the study as of generation 1. Added since and left out: 1 run." in html(at)
    assert "needs ≥ 2 deployments" in html(at)
    next(button for button in at.button if button.label == "Show the newest").click()
    at.run()
    assert url(at)["as_of"] == "2"
    assert "Added since and left out" not in html(at)


def test_a_question_without_texts_or_tokens_says_so(open_view, one_run):
    shown = html(open_view(one_run, "question", study="s", q="q2"))
    assert "token sequence not recorded, text not recorded" in shown
    assert "request failed" in shown
    assert "The rendered prompt is not recorded." in shown


def test_token_ids_without_a_tokenizer_are_undefined_and_not_unrecorded(open_view, tmp_path):
    store = Store(tmp_path / "store")
    records = [answered("q1", text, output_token_ids=ids) for text, ids in (("a 1", (1, 2, 3)), ("a 2", (1, 2, 4)))]
    admit(store, *((labels(f"r{i}", repeat=i), [record]) for i, record in enumerate(records)))
    shown = html(open_view(store.root, "question", study="s", q="q1", layer="tokens"))
    assert "token identity undefined, 2 texts, 2 answers, 2 verdicts, 2 records of 2 deployments." in shown
    assert (
        "Token identity is undefined for 2 records: the token ids are recorded, the tokenizer digest or the input ids are not."
        in shown
    )


def test_a_link_that_names_a_run_without_a_record_says_so_and_keeps_two_sides(open_view, bundled_store):
    at = open_view(bundled_store, "question", study="published", q="607", a="ghost", b="c1.0")
    assert "The link names run ghost, which has no record of this question" in html(at)
    assert url(at)["b"] == "c1.0"
    assert url(at)["a"] not in ("ghost", "c1.0")


def test_the_first_pair_is_a_contrast(open_view, bundled_store):
    shown = html(open_view(bundled_store, "question", study="published", q="77"))
    left, right = re.findall(r"<h3>(.*?)</h3>", shown)
    assert left.endswith("· correct")
    assert right.endswith("· incorrect")


def test_the_questions_that_differ_most_come_first_also_where_no_cell_is_split(open_view, bundled_store):
    table = tables(open_view(bundled_store, "cells", study="smollm2-mini"))["questions with the number of right runs per cell"]
    assert column(table, "question")[:2] == ["counting-fact-02", "short-word-problem-11"]
    assert [c["label"] for c in table["columns"]][:5] == ["question", "category", "split cells", "outputs", "answers"]
    assert [column(table, name)[0] for name in ("split cells", "outputs", "answers")] == ["0", "3", "3"]


def test_what_is_not_known_of_how_records_ended_is_a_dash(open_view, one_run):
    shown = html(open_view(one_run, "cells", study="s"))
    assert "3 / 3 records do not say how they ended" in shown


def test_a_study_without_grid_runs_says_why_it_has_no_cell(open_view, tmp_path):
    store = Store(tmp_path / "store")
    admit(store, (labels("p", role=StudyRole.PROBE), [answered("q1", "1")]))
    assert "None of the 1 runs has the role grid" in html(open_view(store.root, "cells", study="s"))
