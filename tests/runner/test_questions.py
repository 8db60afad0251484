"""The question file: three formats read alike, and hostile files refused with their line."""

import hashlib

import pyarrow as pa
import pytest
from pyarrow import parquet

from runner.study.questions import load_questions, question_file
from runner.study.source import Questions
from store.errors import InputError
from store.sealed.rows import Question
from tests.conftest import ROOT


def part(data=None, **more):
    sha256 = "0" * 64 if data is None else hashlib.sha256(data).hexdigest()
    return Questions(**{"file": "f", "sha256": sha256, "id": "id", "text": "text", "gold": "gold", **more})


def load(folder, name, data, **more):
    path = folder / name
    path.write_bytes(data)
    return load_questions(part(data, **more), path)


def as_parquet(folder, **columns):
    path = folder / "made.parquet"
    parquet.write_table(pa.table(columns), path)
    return path.read_bytes()


TWO = (Question("a", "1", "x", "one?"), Question("b", None, None, "two\nlines?"))


def test_json_lines_csv_and_parquet_say_the_same(tmp_path):
    lines = (
        b'{"id": "a", "text": "one?", "gold": 1, "cat": "x"}\n\n{"id": "b", "text": "two\\nlines?", "gold": null, "cat": null}'
    )
    table = b'id,text,gold,cat\r\na,one?,1,x\r\nb,"two\nlines?",,\r\n'
    rows = as_parquet(tmp_path, id=["a", "b"], text=["one?", "two\nlines?"], gold=[1, None], cat=["x", None])
    for name, data in (("q.jsonl", lines), ("q.CSV", table), ("q.parquet", rows)):
        assert load(tmp_path, name, data, category="cat") == TWO


def test_the_projects_own_questions_are_read():
    path = ROOT / "examples" / "smollm2" / "questions.jsonl"
    own = part(path.read_bytes(), text="question", category="category")
    questions = load_questions(own, path)
    assert len(questions) >= 200
    assert len({q.category for q in questions}) >= 8


def test_ids_by_row_count_from_nought_in_the_files_order(tmp_path):
    found = load(tmp_path, "q.csv", b"text,gold\none?,1\n\ntwo?,2\n", id="row")
    assert [(q.question_id, q.text) for q in found] == [("q000000", "one?"), ("q000001", "two?")]


def test_a_gold_is_what_the_patterns_first_group_finds(tmp_path):
    data = b'{"id": "a", "text": "t", "gold": "2 + 2 = 4\\n#### 1,234 "}\n'
    assert load(tmp_path, "q.jsonl", data, gold_pattern=r"####\s*(.+)")[0].gold == "1,234"


def test_numbers_are_texts_as_the_file_writes_them(tmp_path):
    data = b'{"id": 7, "text": "t", "gold": 1.50}\n{"id": 123456789012345678901, "text": "t", "gold": 1e3}\n'
    assert [(q.question_id, q.gold) for q in load(tmp_path, "q.jsonl", data)] == [
        ("7", "1.50"),
        ("123456789012345678901", "1e3"),
    ]


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path):
    data = '{"id": "a", "text": "one\u2028two", "gold": "1"}\n'.encode()
    assert load(tmp_path, "q.jsonl", data)[0].text == "one\u2028two"


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path):
    for name, data in (("q.csv", b"id,text,gold\na,t,1\n"), ("q.jsonl", b'{"id": "a", "text": "t", "gold": "1"}\n')):
        assert load(tmp_path, name, b"\xef\xbb\xbf" + data)[0].question_id == "a"


GOOD = b'{"id": "a", "text": "t", "gold": "1"}\n'


@pytest.mark.parametrize(
    ("second", "says"),
    [
        (b"{", "not a line of JSON"),
        (b"[1]", "not a JSON object"),
        (b'{"id": "b", "text": "t", "gold": NaN}', "NaN is no JSON"),
        (b'{"id": "b", "id": "c", "text": "t", "gold": "1"}', "a key stands twice"),
        (b'{"id": "b", "text": "\xff", "gold": "1"}', "can't decode byte 0xff"),
        (b"[" * 100_000, "not a line of JSON: maximum recursion depth"),
        (b'{"id": "a", "text": "t", "gold": "1"}', "id 'a' is also at"),
        (b'{"id": "", "text": "t", "gold": "1"}', "'id' is blank"),
        (b'{"id": null, "text": "t", "gold": "1"}', "'id' is null"),
        (b'{"id": "b", "text": " \\n", "gold": "1"}', "'text' is blank"),
        (b'{"id": "b", "text": null, "gold": "1"}', "'text' is null"),
        (b'{"id": "b", "text": ["t"], "gold": "1"}', "'text' is neither text nor a number"),
        (b'{"id": "b", "text": true, "gold": "1"}', "'text' is neither text nor a number"),
        (b'{"id": "b", "text": "t"}', "no column 'gold'. It has: id, text"),
        (b'{"id": "b", "text": "\\ud800", "gold": "1"}', "'text' has half a character (U+D800)"),
        (b'{"id": "' + b"b" * 513 + b'", "text": "t", "gold": "1"}', "an id of 513 characters; 512 is the most"),
    ],
)
def test_a_line_that_is_off_is_refused_with_its_place(tmp_path, second, says):
    with pytest.raises(InputError) as caught:
        load(tmp_path, "q.jsonl", GOOD + b"\n" + second + b"\n")
    assert caught.value.where == f"{tmp_path / 'q.jsonl'}:3"
    assert says in caught.value.line


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (b'id,text,gold\na,"t\nt",1\nb,t\n', 4, "2 fields, the header has 3"),
        (b'id,text,gold\na,t,1\nb,"t,2\n', 3, "not a line of CSV"),
        (b"id,text,text\na,t,1\n", 1, "two columns have the name 'text'"),
        (b"id,text,gold\na,,1\n", 2, "'text' is null"),
        (b"id,question,gold\na,t,1\n", 2, "no column 'text'"),
    ],
)
def test_csv_is_refused_at_the_line_its_row_begins_on(tmp_path, data, line, says):
    with pytest.raises(InputError) as caught:
        load(tmp_path, "q.csv", data)
    assert caught.value.where == f"{tmp_path / 'q.csv'}:{line}"
    assert says in caught.value.what


def test_parquet_is_refused_at_its_row(tmp_path):
    data = as_parquet(tmp_path, id=["a", "b"], text=["t", None], gold=["1", "2"])
    with pytest.raises(InputError, match="q.parquet: row 2: 'text' is null"):
        load(tmp_path, "q.parquet", data)


def test_parquet_with_bytes_that_are_no_text_is_refused(tmp_path):
    offsets, letters = pa.py_buffer(b"\x00\x00\x00\x00\x02\x00\x00\x00"), pa.py_buffer(b"\xff\xfe")
    broken = pa.StringArray.from_buffers(1, offsets, letters)
    data = as_parquet(tmp_path, id=["a"], text=broken, gold=["1"])
    with pytest.raises(InputError, match="not a Parquet file that can be read"):
        load(tmp_path, "q.parquet", data)


@pytest.mark.parametrize("cut", [0, 4, 100, -1])
def test_a_cut_parquet_file_is_refused(tmp_path, cut):
    data = as_parquet(tmp_path, id=["a"], text=["t"], gold=["1"])[:cut]
    with pytest.raises(InputError, match="not a Parquet file that can be read"):
        load(tmp_path, "q.parquet", data)


def test_a_gold_that_the_pattern_does_not_find_is_refused(tmp_path):
    for gold in (b'"no mark"', b'"#### "'):
        data = GOOD.replace(b'"1"', b'"#### 1"') + b'{"id": "b", "text": "t", "gold": ' + gold + b"}\n"
        with pytest.raises(InputError, match=r"q.jsonl:2: gold_pattern finds nothing in 'gold'"):
            load(tmp_path, "q.jsonl", data, gold_pattern=r"####\s*(\d*)")


def test_other_bytes_than_the_pinned_ones_are_refused(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_bytes(GOOD)
    with pytest.raises(InputError, match=f"its sha256 is {hashlib.sha256(GOOD).hexdigest()}, the study file says 0000"):
        load_questions(part(), path)


def test_a_file_that_is_empty_absent_or_of_another_format_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no question"):
        load(tmp_path, "q.jsonl", b"\n")
    with pytest.raises(InputError, match="holds no question"):
        load(tmp_path, "q.csv", b"")
    with pytest.raises(InputError, match="is no question file. Known endings: .jsonl, .ndjson, .csv, .parquet"):
        load(tmp_path, "q.xlsx", GOOD)
    with pytest.raises(InputError, match="cannot be read"):
        load_questions(part(), tmp_path / "absent.jsonl")


def test_a_hub_file_is_found_in_the_hubs_cache_and_nowhere_else(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    hub = part(file=None, sha256=None, hub="o/n", revision="0123456", path="main/q.jsonl")
    assert question_file(hub, tmp_path) is None
    for commit in ("0123456" + "a" * 33, "0123456" + "b" * 33):
        file = tmp_path / "datasets--o--n" / "snapshots" / commit / "main" / "q.jsonl"
        file.parent.mkdir(parents=True)
        file.write_bytes(GOOD)
        if commit.endswith("a"):
            assert question_file(hub, tmp_path) == file
            assert len(load_questions(hub, file)) == 1
    assert question_file(hub, tmp_path) is None  # two commits begin so: which one is meant cannot be known
