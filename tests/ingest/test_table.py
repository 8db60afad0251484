"""Ingest of tables: what is taken, what is refused, and that nothing is lost or half done."""

import gzip
import io
import json
import os
import tarfile
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.ingest import Request, ingest, load_environment
from ingest.mapping import load_mapping
from store.contract.environment import unknown_environment
from store.errors import InputError, MappingError, RunConflictError, UsageError
from store.folder import Store
from store.results.cells import study_cells
from store.results.question import output, question_result
from store.results.scope import resolve
from store.verify import verify_store
from store.warehouse.open import open_warehouse
from tests.builders import MAP, lines, mapping_file


def row(question="q1", run="a", text="The final answer is 1", gold="1", **more):
    return {"run": run, "id": question, "text": text, "gold": gold} | more


@pytest.fixture
def load(tmp_path):
    """`load(path, …)` ingests into one store and gives the report."""
    store = Store(tmp_path / "store")

    def run(*paths, study="s", mapping=MAP, environment=None):
        file = mapping_file(tmp_path / "map.toml", mapping)
        return ingest(store, Request(paths, study, load_mapping(file), tmp_path, environment, "test"), lambda _: None)

    run.store = store
    run.dir = tmp_path
    return run


def held(store):
    warehouse = open_warehouse(store.warehouse)
    found = study_cells(warehouse, resolve(warehouse, "s", None, None))
    warehouse.close()
    return {run.run: (run.correct, run.of) for cell in found.cells for run in cell.accuracy.per_run}


def text_of(store, question):
    warehouse = open_warehouse(store.warehouse)
    scope = resolve(warehouse, "s", None, None)
    record = question_result(warehouse, scope, question).records[0]
    found = output(warehouse, scope, record).raw_text
    warehouse.close()
    return found


def csv_bytes(rows):
    head = list(rows[0])
    body = "".join(",".join(json.dumps(str(r[name])).replace('\\"', '""') for name in head) + "\n" for r in rows)
    return (",".join(head) + "\n" + body).encode()


def tar_bytes(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zip_bytes(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def parquet_bytes(rows):
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


ROWS = [row("q1"), row("q2", text="perhaps 2", gold="2"), row("q3", text="no", gold="3")]
JSONL = "".join(json.dumps(r) + "\n" for r in ROWS).encode()
CONTAINERS = {
    "plain.jsonl": JSONL,
    "plain.ndjson": JSONL,
    "no-newline.jsonl": JSONL.rstrip(b"\n"),
    "crlf.jsonl": JSONL.replace(b"\n", b"\r\n"),
    "bom.jsonl": b"\xef\xbb\xbf" + JSONL,
    "list.json": json.dumps(ROWS, indent=1).encode(),
    "table.csv": csv_bytes(ROWS),
    "crlf.csv": csv_bytes(ROWS).replace(b"\n", b"\r\n"),
    "tabs.tsv": csv_bytes(ROWS).replace(b",", b"\t"),
    "table.parquet": parquet_bytes(ROWS),
    "plain.jsonl.gz": gzip.compress(JSONL),
    "in.tgz": tar_bytes({"deep/er/a.jsonl": JSONL}),
    "in.tar.gz": tar_bytes({"a.csv": csv_bytes(ROWS)}),
    "in.zip": zip_bytes({"a.parquet": parquet_bytes(ROWS)}),
    "gz-in.zip": zip_bytes({"a.jsonl.gz": gzip.compress(JSONL)}),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_every_kind_of_table_gives_the_same_records(load, name):
    path = load.dir / name
    path.write_bytes(CONTAINERS[name])
    report = load(path)
    assert (report.exit_code, report.questions, len(report.runs)) == (0, 3, 1)
    assert held(load.store) == {"a": (2, 3)}
    assert verify_store(load.store).problems == ()


def test_a_folder_is_read_file_by_file(load):
    lines(load.dir / "in" / "x" / "a.jsonl", row("q1"), row("q2", gold="2"))
    lines(load.dir / "in" / "b.jsonl", row("q1", "b"), row("q2", "b", gold="2"))
    load(load.dir / "in")
    assert held(load.store) == {"a": (1, 2), "b": (1, 2)}


def test_the_same_content_twice_is_a_no_op_that_says_so(load):
    path = lines(load.dir / "a.jsonl", row("q1"), row("q2"))
    load(path)
    again = load(path)
    assert (again.generation, again.unchanged, again.runs, again.exit_code) == (None, ("a",), (), 0)
    assert load.store.generation() == 1


def test_rows_in_another_order_are_the_same_content(load):
    load(lines(load.dir / "a.jsonl", row("q1"), row("q2")))
    assert load(lines(load.dir / "b.jsonl", row("q2"), row("q1"))).generation is None


def test_new_runs_beside_held_ones_are_added(load):
    load(lines(load.dir / "a.jsonl", row("q1")))
    report = load(lines(load.dir / "ab.jsonl", row("q1"), row("q1", "b")))
    assert ([run.run_id for run in report.runs], report.unchanged, report.generation) == (["b"], ("a",), 2)
    assert held(load.store) == {"a": (1, 1), "b": (1, 1)}
    assert verify_store(load.store).problems == ()


def test_the_same_run_with_other_content_is_refused_and_nothing_changes(load):
    load(lines(load.dir / "a.jsonl", row("q1")))
    with pytest.raises(RunConflictError, match="run 'a' is in the store with other content, sealed at generation 1"):
        load(lines(load.dir / "b.jsonl", row("q1", text="The final answer is 2"), row("q1", "new")))
    assert held(load.store) == {"a": (1, 1)}


def test_equal_duplicates_are_kept_once_and_counted(load):
    report = load(lines(load.dir / "a.jsonl", row("q1"), row("q1"), row("q1"), row("q2")))
    assert (report.runs[0].counts.duplicates, report.runs[0].counts.records, report.exit_code) == (2, 2, 0)
    assert held(load.store) == {"a": (1 + 1, 2)}


def test_a_conflicting_duplicate_quarantines_the_run_and_keeps_both_lines(load):
    report = load(lines(load.dir / "a.jsonl", row("q1"), row("q1", text="The final answer is 2"), row("q1", "b")))
    assert [run.run_id for run in report.quarantined] == ["a"]
    assert report.quarantined[0].state_reason == "conflicting duplicates on q1"
    assert [(r.line, r.run_id) for r in report.refused] == [(2, "a")]
    assert "final answer is 2" in report.refused[0].raw
    assert report.exit_code == 1
    assert held(load.store) == {"b": (1, 1)}


def test_a_run_with_fewer_questions_is_named(load):
    report = load(lines(load.dir / "a.jsonl", row("q1"), row("q2"), row("q1", "b")))
    assert (report.short, report.questions) == ({"b": 1}, 2)
    assert held(load.store) == {"a": (1, 1), "b": (1, 1)}


REFUSED = {
    "a truncated line": ('{"run": "a", "id": "q2", "te', "not JSON: Unterminated string"),
    "a lone surrogate": ('{"run": "a", "id": "q2", "gold": "1", "text": "x\\ud83d"}', "record.raw_text: lone surrogate U+D83D at character 2"),
    "NaN": ('{"run": "a", "id": "q2", "gold": NaN, "text": "x"}', "NaN is not a JSON number"),
    "Infinity": ('{"run": "a", "id": "q2", "gold": -Infinity, "text": "x"}', "-Infinity is not a JSON number"),
    "a list": ("[1]", "expected an object, found a list"),
    "a missing column": ('{"run": "a", "id": "q2", "text": "x"}', "record.gold: this row has no 'gold'"),
    "no question id": ('{"run": "a", "id": null, "gold": "1", "text": "x"}', "record.question_id"),
    "an empty question id": ('{"run": "a", "id": "", "gold": "1", "text": "x"}', "record.question_id"),
    "no run": ('{"run": null, "id": "q2", "gold": "1", "text": "x"}', "run.id: needs a value"),
    "a text that is a list": ('{"run": "a", "id": "q2", "gold": "1", "text": ["x"]}', "record.raw_text"),
    "deep nesting": ("[" * 100_000, "not JSON"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_a_bad_line_is_refused_with_file_line_and_reason_and_the_rest_is_kept(load, what):
    bad, reason = REFUSED[what]
    report = load(lines(load.dir / "a.jsonl", row("q1"), bad, row("q3")))
    assert [(r.file, r.line) for r in report.refused] == [("a.jsonl", 2)]
    assert reason in report.refused[0].reason
    assert report.exit_code == 1
    assert held(load.store) == {"a": (2, 2)}


def test_bytes_that_are_not_utf8_refuse_their_line_only(load):
    path = load.dir / "a.jsonl"
    path.write_bytes(
        b'{"run": "a", "id": "q1", "gold": "1", "text": "1"}\n{"run": "a", "id": "q2", "gold": "1", "text": "caf\xe9"}\n'
    )
    assert "is not UTF-8" in load(path).refused[0].reason
    path = load.dir / "b.csv"
    path.write_bytes(b"run,id,gold,text\nb,q1,1,1\nb,q2,1,caf\xe9 1\n")
    report = load(path)
    assert "byte 0xE9 at character 4 is not UTF-8" in report.refused[0].reason
    assert report.refused[0].line == 3


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c"])
def test_a_line_separator_inside_a_record_stays_inside_it(load, sign):
    text = f"one{sign}The final answer is 1"
    load(lines(load.dir / "a.jsonl", json.dumps(row("q1", text=text), ensure_ascii=False), row("q2")))
    assert text_of(load.store, "q1") == text
    assert held(load.store) == {"a": (2, 2)}


def test_newlines_quotes_and_commas_inside_a_csv_field(load):
    path = load.dir / "a.csv"
    path.write_text(
        'run,id,gold,text\na,q1,1,"first,\n""second""\nThe final answer is 1"\na,q2,1,short\na,q3,1\n',
        encoding="utf-8",
        newline="",
    )
    report = load(path)
    assert text_of(load.store, "q1") == 'first,\n"second"\nThe final answer is 1'
    assert [(r.line, r.reason) for r in report.refused] == [(6, "3 fields where the header has 4")]


def test_a_csv_cut_inside_a_quoted_field_refuses_that_record(load):
    path = load.dir / "a.csv"
    path.write_text('run,id,gold,text\na,q1,1,1\na,q2,1,"cut off', encoding="utf-8")
    report = load(path)
    assert "unexpected end of data" in report.refused[0].reason
    assert held(load.store) == {"a": (1, 1)}


def test_ids_are_text_whether_a_file_writes_them_so_or_as_numbers(load):
    lines(load.dir / "in" / "a.jsonl", row(7))
    lines(load.dir / "in" / "b.jsonl", row("7", "b"))
    load(load.dir / "in")
    assert held(load.store) == {"a": (1, 1), "b": (1, 1)}


WHOLE = {
    "empty.jsonl": (b"", "the file is empty"),
    "blank.csv": (b" \n\n", "the file is empty"),
    "header.csv": (b"run,id,gold,text\n", "a header and no row"),
    "none.json": (b"[]", "holds no record"),
    "cut.json": (json.dumps(ROWS).encode()[:-9], "not whole JSON"),
    "no-list.json": (b'"text"', "the name says JSON, the content is CSV"),
    "page.json": (b"<!DOCTYPE html><html>", "of no kind that can be read"),
    "really-json.csv": (JSONL, "the name says CSV, the content is JSON lines"),
    "really-csv.parquet": (csv_bytes(ROWS), "the name says Parquet, the content is CSV"),
    "really-text.gz": (JSONL, "the name says gzip, the content is JSON lines"),
    "cut.jsonl.gz": (gzip.compress(JSONL * 50)[:-20], "damaged or cut off"),
    "cut.zip": (zip_bytes({"a.jsonl": JSONL})[:-30], "damaged or cut off"),
    "cut.parquet": (parquet_bytes(ROWS)[:-12], "not a whole Parquet file"),
    "picture.csv": (b"\x89PNG\r\n\x1a\n\0\0\0\0", "of no kind that can be read"),
    "twice.csv": (b"run,id,gold,text,id\na,q,1,1,2\n", "columns named twice: id"),
    "all-bad.jsonl": (b'{"run": "a"\n{"run": "b"\n', "not one of 2 lines could be read; line 1: not JSON"),
    "nested.zip": (zip_bytes({"inner.zip": zip_bytes({"a.jsonl": JSONL})}), "an archive inside an archive"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_that_cannot_be_read_is_one_clear_error_and_the_store_is_as_it_was(load, name):
    load(lines(load.dir / "good.jsonl", row("q1", "good")))
    data, said = WHOLE[name]
    bad = load.dir / "in" / name
    lines(load.dir / "in" / "a.jsonl", row("q1"))
    bad.write_bytes(data)
    with pytest.raises(InputError) as error:
        load(load.dir / "in")
    assert said in error.value.line
    assert name in error.value.line or "inner" in error.value.line
    assert "\n" not in error.value.line
    assert error.value.exit_code == 2
    assert held(load.store) == {"good": (1, 1)}
    assert verify_store(load.store).problems == ()


def test_a_wrong_column_names_the_key_and_the_columns_that_exist(load):
    path = lines(load.dir / "a.jsonl", row())
    with pytest.raises(MappingError) as error:
        load(path, mapping=MAP.replace('raw_text = { column = "text" }', 'raw_text = { column = "response" }'))
    assert (
        error.value.line
        == "a.jsonl: mapping key record.raw_text reads 'response', which is not here. Columns here: run, id, text, gold."
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("raw_text = ", "raw_txt = "), "unknown key raw_txt; keys here: question_id"),
        (("[files]", "[fils]"), "unknown key fils; keys here: format, name"),
        (('role = { constant = "grid" }', ""), "key run.role is missing"),
        (('column = "text"', 'colum = "text"'), "unknown key record.raw_text.colum; keys here: column, path"),
        (('column = "text"', 'column = "text", path = "x"'), "give exactly one of column, path, filename, constant, template"),
        (('column = "text"', 'column = "text", pattern = "("'), "not a regular expression"),
        (('column = "text"', 'column = "text", pattern = "x"'), "needs exactly one group"),
        (('extractor = "answer-line@1"', 'extractor = "nope@1"'), "no extractor 'nope@1' is shipped"),
        (('extractor = "answer-line@1"', ""), "give [extractor] or [harness]"),
        (('question_id = { column = "id" }', ""), "question_id is needed: records are paired by it"),
        (("format", "format = ["), "not TOML"),
        (('"flipbook-map/1"', '"flipbook-map/2"'), "key format"),
    ],
)
def test_a_wrong_mapping_names_the_key(load, change, said):
    with pytest.raises(MappingError) as error:
        load(lines(load.dir / "a.jsonl", row()), mapping=MAP.replace(*change, 1))
    assert said in error.value.line
    assert "map.toml" in error.value.line


def test_a_role_that_is_none_refuses_the_line(load):
    with pytest.raises(InputError, match="run.role: 'main' is none of grid, probe, builder, loader, anchor"):
        load(lines(load.dir / "a.jsonl", row()), mapping=MAP.replace('constant = "grid"', 'constant = "main"'))


def test_a_run_cannot_be_in_two_cells(load):
    mapping = MAP.replace('cell = { constant = "cell" }', 'cell = { column = "cell" }')
    report = load(lines(load.dir / "a.jsonl", row("q1", cell="x"), row("q2", cell="y")), mapping=mapping)
    assert "run 'a' cannot be two things: cell was x, here it is y" in report.refused[0].reason
    assert held(load.store) == {"a": (1, 1)}


def test_files_that_are_all_skipped_by_pattern_load_nothing_and_say_so(load):
    lines(load.dir / "in" / "a.jsonl", row())
    report = load(load.dir / "in", mapping=MAP.replace('include = ["*"]', 'include = ["*.csv"]'))
    assert (report.skipped, report.runs, report.generation, report.exit_code) == (("a.jsonl",), (), None, 0)
    (load.dir / "none").mkdir()
    with pytest.raises(InputError, match="there is no file in it"):
        load(load.dir / "none")


def test_patterns_skip_by_name_and_say_so(load):
    for name in ("a.jsonl", "._a.jsonl", "sub/b.jsonl"):
        lines(load.dir / "in" / name, row(run=name))
    report = load(load.dir / "in", mapping=MAP.replace('include = ["*"]', 'include = ["*.jsonl"]\nexclude = ["._*", "sub/*"]'))
    assert sorted(report.skipped) == ["._a.jsonl", "sub/b.jsonl"]
    assert [run.run_id for run in report.runs] == ["a.jsonl"]


def test_names_inside_archives_are_never_paths(load):
    path = load.dir / "in.zip"
    path.write_bytes(zip_bytes({"../../escape.jsonl": JSONL}))
    load(path)
    assert not (load.dir.parent / "escape.jsonl").exists()
    assert held(load.store) == {"a": (2, 3)}


@pytest.mark.parametrize("name", ["../x", "", "a b", "x" * 65, ".hidden", "sub/x", "naïve"])
def test_a_study_name_is_a_plain_word(load, name):
    with pytest.raises(UsageError, match="is not a study name"):
        load(lines(load.dir / "a.jsonl", row()), study=name)


def test_odd_run_and_question_names_are_only_text(load):
    odd = "<script>'; DROP TABLE runs; --\n../../x"
    load(lines(load.dir / "a.jsonl", row(odd, odd)))
    assert held(load.store) == {odd: (1, 1)}


def test_an_environment_file_is_attached_to_runs_that_carry_none(load):
    given = unknown_environment("typed by hand", engine="vllm", max_num_seqs=8)
    load(lines(load.dir / "a.jsonl", row()), environment=given)
    mapped = MAP + '\n[environment]\nengine = { constant = "sglang" }\n'
    load(lines(load.dir / "b.jsonl", row(run="b")), environment=given, mapping=mapped)
    warehouse = open_warehouse(load.store.warehouse)
    found = warehouse.frame("environment", study="s", deployment="a").iloc[0]["record"]
    other = warehouse.frame("environment", study="s", deployment="b").iloc[0]["record"]
    warehouse.close()
    assert (json.loads(found)["engine"], json.loads(found)["max_num_seqs"]) == ("vllm", 8)
    assert json.loads(other)["engine"] == "sglang"
    assert json.loads(other)["null_reasons"]["max_num_seqs"] == "not in the source"


FULL_MAP = """
format = "flipbook-map/1"
name = "full"
label = "a label"

[files]
include = ["*"]
records = "data.rows"

[run]
id = { filename = '([a-z]+)\\.json$' }
cell = { path = "meta.cell" }
arm = { path = "meta.cell", pattern = '^(\\w+)-' }
repeat = { column = "rep" }
deployment = { template = "{host}-{rep}" }
role = { column = "kind", values = { main = "grid", check = "probe" } }

[record]
question_id = { template = "{task}/{id}" }
gold = { column = "gold", pattern = '#+ (.*)', optional = true }
raw_text = { path = "choices[1].text" }
output_token_ids = { column = "ids" }
input_token_ids = { column = "prompt_ids", optional = true }
topk = { column = "lp" }
temperature = { column = "t" }
stop_token_ids = { constant = "[2]" }

[extractor]
name = "mine@2"
canonical = "letter"
steps = [{ kind = "regex", path = "p", pattern = 'is (\\w)', which = "first", ignore_case = true }]

[harness]
name = "theirs@1"
verdict = { column = "score" }
correct = ["true", "1"]
incorrect = ["false", "0"]
answer = { column = "said" }
"""


def full_row(**more):
    base = {
        "meta": {"cell": "bf16-cap8"}, "rep": 1, "host": "h", "kind": "main", "task": "t", "id": 4, "gold": "#### B", "t": 0.0,
        "choices": [{}, {"text": "It is b."}], "ids": [7, 2], "prompt_ids": [1, 5], "score": True, "said": "B",
        "lp": [[[7, -0.5, 1], [8, -1.0, 2]], {"2": {"logprob": -0.25, "rank": 1}}],
    }  # fmt: skip
    return base | more


def test_every_kind_of_source_and_a_harness_verdict_beside_ours(load):
    path = load.dir / "abc.json"
    rows = [full_row(), full_row(id=5, score=0, gold="no hash", lp=None), full_row(id=6, score=None)]
    path.write_text(json.dumps({"data": {"rows": rows}}))
    report = load(path, mapping=FULL_MAP)
    run = report.runs[0]
    assert (run.run_id, run.cell, run.arm, run.repeat, run.deployment_id, run.role) == (
        "abc",
        "bf16-cap8",
        "bf16",
        1,
        "h-1",
        "grid",
    )
    assert report.refused == ()
    warehouse = open_warehouse(load.store.warehouse)
    scope = resolve(warehouse, "s", None, "theirs@1")
    first = question_result(warehouse, scope, "t/4")
    assert {(s.extractor, s.answer, s.verdict) for s in first.scorers} == {
        ("mine@2", "B", "correct"),
        ("theirs@1", "B", "correct"),
    }
    assert first.records[0].gold == "B"
    second, third = (question_result(warehouse, scope, f"t/{i}").records[0] for i in (5, 6))
    assert (second.gold, second.verdict) == (None, "incorrect")
    assert (third.verdict, third.unscored_reason) == ("unscored", "not scored by the harness")
    ours = study_cells(warehouse, resolve(warehouse, "s", None, "mine@2")).cells[0].accuracy
    assert (ours.per_run[0].correct, ours.per_run[0].of, ours.unscored) == (2, 2, 1)
    warehouse.close()
    assert verify_store(load.store).problems == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"score": "maybe"}, "harness.verdict: 'maybe' is neither correct nor incorrect"),
        ({"score": 0.5}, "harness.verdict: '0.5' is neither"),
        ({"kind": "other"}, "run.role: 'other' is not among the mapped values: main, check"),
        ({"choices": []}, "record.raw_text: choices[1].text: the list has 0 items"),
        ({"ids": [2**40]}, "record.output_token_ids"),
        ({"ids": "7 2"}, "record.output_token_ids"),
        ({"lp": [[["x", -1]]]}, "record.topk"),
        ({"rep": -1}, "run.repeat: '-1' is not a whole number"),
        ({"t": "hot"}, "record.temperature"),
    ],
)
def test_a_value_that_does_not_fit_refuses_its_line_by_key(load, change, said):
    path = load.dir / "abc.json"
    path.write_text(json.dumps({"data": {"rows": [full_row(id=1), full_row(**change)]}}))
    report = load(path, mapping=FULL_MAP)
    assert [r.line for r in report.refused] == [2]
    assert said in report.refused[0].reason


def test_a_declared_question_set_lies_beside_the_mapping(load):
    lines(load.dir / "set.jsonl", {"q": "q1", "a": "1"}, {"q": "q2", "a": "1"}, {"q": "q3", "a": "1"})
    declared = MAP + '\n[questions]\nfile = "set.jsonl"\nquestion_id = { column = "q" }\ngold = { column = "a" }\n'
    report = load(lines(load.dir / "a.jsonl", row("q1"), row("q2"), row("x8"), row("x9")), mapping=declared)
    assert (report.questions, report.short) == (3, {"a": 2})  # two answers outside the set do not fill its gap
    with pytest.raises(MappingError, match="'gone.jsonl' is not beside the mapping"):
        load(load.dir / "a.jsonl", mapping=declared.replace("set.jsonl", "gone.jsonl"), study="t")
    lines(load.dir / "set.jsonl", {"q": "q1", "a": "1"}, {"q": "q1", "a": "1"})
    with pytest.raises(InputError, match="'q1' is declared twice"):
        load(load.dir / "a.jsonl", mapping=declared, study="t")


def test_refused_lines_stay_in_the_store(load):
    load(lines(load.dir / "a.jsonl", row("q1"), "{broken"))
    kept = pq.read_table(load.store.bundles()[0].folder / "refused.parquet").to_pylist()
    assert [(r["file"], r["line"], r["raw"]) for r in kept] == [("a.jsonl", 2, "{broken")]


def test_an_empty_gold_is_a_missing_gold_and_not_a_wrong_answer(load):
    path = load.dir / "a.csv"
    path.write_text("run,id,gold,text\na,q1,1,1\na,q2,,1\na,q3,1,\n")
    counts = load(path).runs[0].counts
    assert (counts.records, counts.scored, counts.correct, counts.unscored) == (3, 2, 1, 1)
    assert text_of(load.store, "q3") == ""


def test_whole_numbers_are_one_id_however_they_are_stored(load):
    (load.dir / "in").mkdir()
    (load.dir / "in" / "a.parquet").write_bytes(parquet_bytes([row(1.0), row(2.0)]))
    lines(load.dir / "in" / "b.jsonl", row(1, "b"), row("2", "b"))
    load(load.dir / "in")
    assert held(load.store) == {"a": (2, 2), "b": (2, 2)}


def test_bytes_in_parquet_are_text_where_they_are_utf8_and_refused_where_not(load):
    path = load.dir / "a.parquet"
    path.write_bytes(parquet_bytes([row("q1") | {"text": b"1"}, row("q2") | {"text": b"\xff"}]))
    report = load(path)
    assert [(r.line, r.reason) for r in report.refused] == [(2, "a column holds bytes that are not UTF-8")]
    assert text_of(load.store, "q1") == "1"


def test_a_key_that_stands_twice_is_refused_and_not_resolved(load):
    report = load(lines(load.dir / "a.jsonl", row("q1"), '{"run": "a", "id": "q2", "gold": "1", "gold": "2", "text": "1"}'))
    assert "'gold' stands twice in one object" in report.refused[0].reason
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["run", "run"])
    pq.write_table(table, load.dir / "b.parquet")
    with pytest.raises(InputError, match="columns named twice: run"):
        load(load.dir / "b.parquet")


def test_a_number_too_large_to_hold_is_refused(load):
    report = load(lines(load.dir / "a.jsonl", row("q1"), '{"run": "a", "id": "q2", "gold": 1e999, "text": "1"}'))
    assert "1e999 is too large for a number" in report.refused[0].reason


def test_a_question_set_cannot_change_under_a_study(load):
    path = lines(load.dir / "a.jsonl", row("q1"))
    load(path)
    lines(load.dir / "set.jsonl", {"q": "q1"}, {"q": "q2"})
    declared = MAP + '\n[questions]\nfile = "set.jsonl"\nquestion_id = { column = "q" }\n'
    with pytest.raises(RunConflictError, match="study 's' has no declared question set"):
        load(path, mapping=declared)
    load(path, mapping=declared, study="t")
    lines(load.dir / "set.jsonl", {"q": "q1"})
    with pytest.raises(RunConflictError, match="study 't' has another declared question set"):
        load(path, mapping=declared, study="t")
    assert load(lines(load.dir / "b.jsonl", row("q1", "b")), study="t").questions == 2


def test_one_extractor_name_has_one_rule_in_a_study(load):
    own = (
        MAP.replace('extractor = "answer-line@1"\n', "")
        + """
[extractor]
name = "mine@1"
canonical = "number"
steps = [{ kind = "regex", path = "p", pattern = '(\\d+)', which = "last", ignore_case = false }]
"""
    )
    load(lines(load.dir / "a.jsonl", row("q1")), mapping=own)
    with pytest.raises(
        RunConflictError, match="extractor 'mine@1' has other steps in this study. A changed rule is a new version"
    ):
        load(lines(load.dir / "b.jsonl", row("q1", "b")), mapping=own.replace('"last"', '"first"'))


def test_a_deployment_has_one_environment(load):
    mapped = MAP + '\n[environment]\nmodel_id = { column = "model" }\n'
    report = load(lines(load.dir / "a.jsonl", row("q1", model="A"), row("q2", model="B")), mapping=mapped)
    assert report.refused[0].reason == "deployment 'a' has one environment, but model_id differs from before"
    other = (
        MAP.replace('deployment = { column = "run" }', 'deployment = { constant = "a" }')
        + '\n[environment]\nmodel_id = { constant = "C" }\n'
    )
    with pytest.raises(RunConflictError, match="deployment 'a' is in the store with another environment"):
        load(lines(load.dir / "b.jsonl", row("q1", "b")), mapping=other)


def test_a_refused_line_that_is_met_again_is_counted_once(load):
    path = lines(load.dir / "a.jsonl", row("q1"), "{broken", row("q2", "a", text=["x"]))
    load(path)
    with path.open("a") as file:
        file.write(json.dumps(row("q1", "b")) + "\n")
    load(path)
    warehouse = open_warehouse(load.store.warehouse)
    assert resolve(warehouse, "s", None, None).study.refused == 2
    warehouse.close()
    assert verify_store(load.store).problems == ()


def test_a_later_run_is_short_of_the_whole_study_and_not_of_its_own_ingest(load):
    load(lines(load.dir / "a.jsonl", row("q1"), row("q2"), row("q3")))
    report = load(lines(load.dir / "b.jsonl", row("q1", "b")))
    assert (report.short, report.questions) == ({"b": 1}, 3)


def test_a_first_line_that_is_broken_or_another_object_refuses_only_itself(load):
    for i, first in enumerate(("garbage", "[1]", '{"error": "timeout"}')):
        report = load(lines(load.dir / f"{i}.jsonl", first, row("q1", f"r{i}")))
        assert [r.line for r in report.refused] == [1]
    assert held(load.store) == {f"r{i}": (1, 1) for i in range(3)}


def test_files_that_the_patterns_leave_out_are_not_even_looked_at(load):
    folder = load.dir / "in"
    lines(folder / "a.jsonl", row("q1"))
    for name, data in {
        "img.png": b"\x89PNG\0",
        ".gitkeep": b"",
        "index.html": b"<html>",
        "bad.zip": b"no zip",
        "manifest.json": b"{}",
    }.items():
        (folder / name).write_bytes(data)
    report = load(folder, mapping=MAP.replace('include = ["*"]', 'include = ["*.jsonl"]'))
    assert sorted(report.skipped) == [".gitkeep", "bad.zip", "img.png", "index.html", "manifest.json"]
    assert held(load.store) == {"a": (1, 1)}


def tar_with(*members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data) if data else None)
    return out.getvalue()


def entry(name, data=b"", link="", kind=tarfile.REGTYPE):
    info = tarfile.TarInfo(name)
    info.size, info.linkname, info.type = len(data), link, kind
    return info, data


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_links_in_a_tar_are_files_and_a_damaged_header_is_seen(load, pack):
    def one(run):
        return json.dumps(row("q1", run)).encode()

    path = load.dir / ("a.tar" if pack is bytes else "a.tar.gz")
    by_name = MAP.replace('id = { column = "run" }', "id = { filename = '(\\w+)\\.jsonl' }").replace(
        'deployment = { column = "run" }', "deployment = { filename = '(\\w+)\\.jsonl' }"
    )
    links = (entry("b.jsonl", link="a.jsonl", kind=tarfile.LNKTYPE), entry("c.jsonl", link="a.jsonl", kind=tarfile.SYMTYPE))
    whole = tar_with(entry("a.jsonl", one("a")), *links)
    path.write_bytes(pack(whole))
    load(path, mapping=by_name)
    assert held(load.store) == {"a": (1, 1), "b": (1, 1), "c": (1, 1)}
    three = bytearray(tar_with(*(entry(f"{r}.jsonl", one(r)) for r in "xyz")))
    three[1024 + 5] ^= 1  # the second member's header
    path.write_bytes(pack(bytes(three)))
    with pytest.raises(InputError, match="a member's header is damaged"):
        load(path, mapping=by_name)
    path.write_bytes(pack(tar_with(entry("b.jsonl", link="gone.jsonl", kind=tarfile.SYMTYPE))))
    with pytest.raises(InputError, match="links to a member that is not in the archive"):
        load(path, mapping=by_name)


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.csv.gz", "a.json.gz", "crc.jsonl.gz"])
def test_an_archive_cut_far_behind_its_beginning_is_still_named(load, name):
    noise = [row(f"q{i}", text=os.urandom(300).hex()) for i in range(3_000)]
    body = {
        "jsonl": "".join(json.dumps(r) + "\n" for r in noise).encode(),
        "csv": csv_bytes(noise),
        "json": json.dumps(noise).encode(),
    }
    packed = gzip.compress(body[name.split(".")[1]])
    (load.dir / name).write_bytes(packed[:-8] + b"\0" * 8 if name.startswith("crc") else packed[: len(packed) // 2])
    with pytest.raises(InputError, match=f"{name.removesuffix('.gz')}.*damaged or cut off"):
        load(load.dir / name)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"prompt_ids": [2**31]}, "record.input_token_ids"),
        ({"prompt_ids": [True]}, "record.input_token_ids"),
        ({"ids": [1.0]}, "record.output_token_ids"),
        ({"ids": "[" * 100_000}, "record.output_token_ids: expected a JSON list"),
        ({"rep": 2**63}, "run.repeat"),
        ({"host": "x" * 600}, "run.deployment: needs a value of at most 512 characters, found 602 characters"),
        ({"choices": [{}, {"words": 1}]}, "choices[1].text: nothing at 'text'; keys there: words"),
    ],
)
def test_a_value_out_of_bounds_refuses_its_line_by_key(load, change, said):
    path = load.dir / "abc.json"
    path.write_text(json.dumps({"data": {"rows": [full_row(id=1), full_row(**change)]}}))
    report = load(path, mapping=FULL_MAP)
    assert [r.line for r in report.refused] == [2]
    assert said in report.refused[0].reason


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('path = "choices[1].text"', 'path = "."'), "a path begins with a name"),
        (('template = "{task}/{id}"', 'template = "{task"'), "not a template"),
        (('template = "{task}/{id}"', 'template = "{}"'), "braces hold a column's name"),
        (('template = "{task}/{id}"', 'template = "{id:>4}"'), "braces hold a column's name"),
        (
            ('canonical = "letter"', 'canonical = "letter"\ncolour = 1'),
            "unknown key extractor.colour; keys here: name, canonical, steps",
        ),
        (
            ("ignore_case = true", "ignore_case = true, colour = 1"),
            "colour; keys here: kind, path, pattern, which, ignore_case",
        ),
    ],
)
def test_a_wrong_key_deep_in_a_mapping_is_named_with_its_neighbours(load, change, said):
    (load.dir / "abc.json").write_text("{}")
    with pytest.raises(MappingError) as error:
        load(load.dir / "abc.json", mapping=FULL_MAP.replace(*change, 1))
    assert said in error.value.line


def test_an_environment_value_without_a_canonical_form_is_refused(load):
    with pytest.raises(InputError, match="environment.kv_blocks"):
        load(lines(load.dir / "a.jsonl", row()), mapping=MAP + "\n[environment]\nkv_blocks = { constant = 9007199254740993 }\n")


def test_a_mapping_that_is_a_folder_is_said(load):
    with pytest.raises(MappingError, match="the mapping file cannot be read"):
        load_mapping(load.dir)


def test_an_environment_file_may_hold_only_what_is_known(load):
    path = load.dir / "env.json"
    path.write_text('{"engine": "vllm", "max_num_seqs": 8}')
    found = load_environment(path)
    assert (found.engine, found.dtype, found.null_reasons["dtype"]) == ("vllm", None, "not given in env.json")
    path.write_text(found.model_dump_json())
    assert load_environment(path) == found
    for text, said in (
        ('{"engin": "x"}', "engin: Extra inputs"),
        ('{"kv_blocks": 1e3000}', "not an environment record"),
        ("[]", "one JSON object"),
        ("{", "not JSON"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=said):
            load_environment(path)


def test_how_a_record_ended_is_not_known_where_nobody_says(load):
    counts = load(lines(load.dir / "a.jsonl", row("q1"), row("q2"))).runs[0].counts
    assert (counts.truncated, counts.end_unknown) == (0, 2)
    said = MAP + 'finish_reason = { column = "end", optional = true }\n'
    counts = (
        load(
            lines(load.dir / "b.jsonl", row("q1", "b", end="length"), row("q2", "b", end="stop"), row("q3", "b")),
            mapping=said,
            study="t",
        )
        .runs[0]
        .counts
    )
    assert (counts.truncated, counts.end_unknown) == (1, 1)


def test_refused_lines_of_a_run_without_one_good_record_stay_in_the_store_too(load):
    path = lines(load.dir / "a.jsonl", row("q1"), row("q1", "dead", text=["x"]))
    load(path)
    kept = pq.read_table(load.store.bundles()[0].folder / "refused.parquet").to_pylist()
    assert [(r["run_id"], r["line"]) for r in kept] == [("dead", 2)]


def test_a_zip_packed_in_an_unknown_way_is_said(load):
    packed = bytearray(zip_bytes({"a.jsonl": JSONL}))
    packed[8:10] = (99).to_bytes(2, "little")  # the method in the local header, then in the directory
    directory = packed.index(b"PK\x01\x02")
    packed[directory + 10 : directory + 12] = (99).to_bytes(2, "little")
    (load.dir / "a.zip").write_bytes(packed)
    with pytest.raises(InputError, match="a.zip: the archive is packed in a way that is not read"):
        load(load.dir / "a.zip")


def test_a_file_name_that_is_not_utf8_is_spelled_out(load):
    (load.dir / "in").mkdir()
    (load.dir / "in" / os.fsdecode(b"caf\xe9.jsonl")).write_bytes(JSONL)
    load(load.dir / "in")
    assert load.store.bundles()[0].manifest.sources[0].name == "caf\\xe9.jsonl"
