"""The study file: what it refuses, with the key and the line."""

import pytest

from runner.study.load import load_study
from store.errors import InputError
from tests.conftest import ROOT
from tests.runner.studies import cell, study_text


def load(folder, text):
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return load_study(path)


def line(text, start, nth=0):
    """1-based line of the nth line that begins so."""
    return [n for n, one in enumerate(text.splitlines(), start=1) if one.startswith(start)][nth]


@pytest.mark.parametrize("name", ["published-grid.toml", "smollm2-cpu.toml"])
def test_the_example_studies_are_valid(name):
    assert load_study(ROOT / "examples" / name).study == name.removesuffix(".toml")


@pytest.mark.parametrize(
    ("swap", "at", "key", "says"),
    [
        (("top_p = 1.0", "top_p = 1.5"), "top_p", "sampling.top_p", "less than or equal to 1"),
        (("top_p = 1.0\n", ""), "[sampling]", "sampling.top_p", "Field required"),
        (("top_p = 1.0", "top_q = 1.0\ntop_p = 1.0"), "top_q", "sampling.top_q", "Extra inputs"),
        (("samples = 1", "samples = 2"), "[sampling]", "sampling", "at temperature 0 samples is 1"),
        (('level = "none"', 'level = "top-k"'), "[capture]", "capture", "k is above 0 exactly when level is top-k"),
        (('"{question}"', '"?"'), "[prompt]", "prompt", "template has no {question}"),
        (('"flipbook-study/1"', '"flipbook-study/9"'), "format", "format", "Input should be 'flipbook-study/1'"),
        (('gold = "gold"', 'gold = "gold"\ngold_pattern = "("'), "gold_pattern", "questions.gold_pattern", "not a regular"),
        (('gold = "gold"', 'gold = "gold"\ngold_pattern = "x"'), "gold_pattern", "questions.gold_pattern", "has no group"),
        (('file = "questions.jsonl"\n', ""), "[questions]", "questions", "either file, or hub"),
        (('file = "', 'revision = "0123456"\nfile = "'), "[questions]", "questions", "either file, or hub"),
        (("sha256", "# sha256"), "[questions]", "questions", "a local file needs its sha256"),
        (("repeats = 1", "repeats = 0"), "repeats", "cells.0.repeats", "greater than or equal to 1"),
        (('inductor = "fresh"', 'inductor = "load c"'), "cache", "cells.0.cache.inductor", "should match pattern"),
        (("repeats = 1", "repeats = 1\npasses = 3"), "[[cells]]", "cells.0", "order_seed is given exactly when"),
        (("repeats = 1", "repeats = 1\npasses = 3\norder_seed = 1"), "[[cells]]", "cells.0", "only a probe"),
        (('kind = "transformers"', 'kind = "server"'), "[engines.e]", "engines.e", "server is given exactly when"),
        (("devices = [", "devices = []  # ["), "devices", "launch.devices", "at least 1 item"),
    ],
)
def test_an_error_names_the_file_the_line_and_the_key(tmp_path, swap, at, key, says):
    text = study_text(swap=[swap])
    with pytest.raises(InputError) as caught:
        load(tmp_path, text)
    assert caught.value.where == f"{tmp_path / 'study.toml'}:{line(text, at)}"
    assert caught.value.what.startswith(f"{key}: ")
    assert says in caught.value.what


@pytest.mark.parametrize(
    ("last", "key", "says"),
    [
        (cell("c"), "name", "there is a cell 'c' above"),
        (cell("d").replace('engine = "e"', 'engine = "f"'), "engine", "'f' is not in [engines]"),
        (cell("d").replace('model = "m"', 'model = "n"'), "model", "'n' is not in [models]"),
        (cell("d", load="x"), "cache", "loads from 'x', which is no other cell"),
        (cell("d", load="d"), "cache", "loads from 'd', which is no other cell"),
        (cell("d", "probe", more='within = "x"'), "within", "'x' is no cell of its own"),
        (cell("d", "probe", more='within = "d"'), "within", "'d' is no cell of its own"),
        (cell("d", "probe", more='within = "b"'), "within", "'b' is no cell of its own"),
        (cell("d", more='within = "c"'), "role", "a grid cell is a cell of its own, not within 'c'"),
        (cell("d", "probe", more='within = "c"', arm="B"), "arm", "not that of 'c', so not within it"),
        (cell("d", "probe", more='within = "c"', arguments="{x = 1}"), "arguments", "not that of 'c', so not within it"),
    ],
)
def test_a_cell_that_does_not_fit_the_others_is_named_with_its_line(tmp_path, last, key, says):
    text = study_text(cell("c"), cell("b", "builder", more='within = "c"'), last)
    at = [n for n, one in enumerate(text.splitlines(), start=1) if one.startswith(f"{key} =")][-1]
    with pytest.raises(InputError) as caught:
        load(tmp_path, text)
    assert (caught.value.where, caught.value.what) == (f"{tmp_path / 'study.toml'}:{at}", f"cells.2.{key}: {says}")


def test_the_second_cell_is_the_one_that_is_named(tmp_path):
    text = study_text(cell("c"), cell("d").replace('role = "grid"', 'role = "grit"'))
    with pytest.raises(InputError, match="cells.1.role: ") as caught:
        load(tmp_path, text)
    assert caught.value.where.endswith(f":{line(text, 'role', 1)}")


OWN = 'extractor = { name = "mine@1", canonical = "number", steps = [{ kind = "regex", path = "p", pattern = "x", which = "last", ignore_case = false }] }'


def test_an_extractor_of_the_studys_own_is_its_steps(tmp_path):
    assert load(tmp_path, study_text(swap=[('extractor = "answer-line@1"', OWN)])).spec.name == "mine@1"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ('extractor = "mine@1"', "extractor: 'mine@1' is not shipped; known: answer-line@1"),
        (OWN.replace('"x"', '"("'), "extractor.steps.0.regex.pattern: not a regular expression: "),
        (OWN.replace(', canonical = "number"', ""), "extractor.canonical: Field required"),
    ],
)
def test_an_extractor_that_is_off_is_named_on_its_line(tmp_path, given, says):
    with pytest.raises(InputError) as caught:
        load(tmp_path, study_text(swap=[('extractor = "answer-line@1"', given)]))
    assert caught.value.where.endswith(":4")
    assert caught.value.what.startswith(says)


def test_lines_inside_a_long_text_are_neither_keys_nor_tables(tmp_path):
    long = '"""\n[cells]\nthinking = 1\n{question}"""'
    text = study_text(swap=[('"{question}"', long), ('thinking = "off"', 'thinking = "of"')])
    with pytest.raises(InputError, match="prompt.thinking: ") as caught:
        load(tmp_path, text)
    assert caught.value.where.endswith(f":{line(text, 'thinking', 1)}")


def test_a_hub_file_is_pinned_by_its_revision_and_needs_no_digest(tmp_path):
    hub = 'hub = "o/n"\nrevision = "0123456"\npath = "a.parquet"\nid = "row"'
    lines = study_text().splitlines()
    first = lines.index("[questions]") + 1
    loaded = load(tmp_path, "\n".join([*lines[:first], hub, *lines[first + 3 :]]))
    assert (loaded.questions.hub, loaded.questions.sha256) == ("o/n", None)


@pytest.mark.parametrize(
    ("data", "says"),
    [(b"a = = 1", "not TOML"), (b"label = '\xff'", "byte 10 is not UTF-8"), (None, "cannot be read")],
)
def test_what_is_no_study_file_is_refused(tmp_path, data, says):
    path = tmp_path / "study.toml"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError, match=says):
        load_study(path)
