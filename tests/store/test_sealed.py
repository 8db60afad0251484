"""Sealed bundles: what is written can be verified, and what was changed afterwards is named."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from store.contract.record import TokenLogprob
from store.digests import file_sha256
from store.errors import InputError
from store.sealed.columns import FILES
from store.sealed.flatten import flatten
from store.sealed.manifest import load_manifest, write_manifest
from store.sealed.rows import Question
from store.sealed.verify import verify_bundle
from tests.builders import answered, labels, record, seal

STEP = (TokenLogprob(token_id=5, logprob=-0.1000000014901161, rank=1), TokenLogprob(token_id=6, logprob=-2.5, rank=None))


def two_runs(folder):
    one = [
        answered("q1", "The final answer is 1"),
        answered("q2", "perhaps 2", output_token_ids=(5, 2), stop_token_ids=(2,), topk=(STEP, STEP)),
    ]
    two = [answered("q1", "The final answer is 1"), answered("q2", "perhaps 3", output_token_ids=(5,))]
    return seal(folder, (labels("a"), one), (labels("b", repeat=1), two))


def problems(folder):
    return [f"{p.where}: {p.what}" for p in verify_bundle(folder, load_manifest(folder))]


def reseal(folder, name, change):
    """Change rows of a file and make the file hashes fit again, as somebody who hides it would."""
    path = folder / f"{name}.parquet"
    rows = change(pq.read_table(path).to_pylist())
    pq.write_table(pa.Table.from_pylist(rows, schema=FILES[name]), path)
    manifest = load_manifest(folder)
    files = tuple(
        f.model_copy(update={"sha256": file_sha256(path), "bytes": path.stat().st_size, "rows": len(rows)})
        if f.name == path.name
        else f
        for f in manifest.files
    )
    write_manifest(folder, manifest.model_copy(update={"files": files}))


def test_a_bundle_as_it_was_sealed_keeps_every_promise(tmp_path):
    manifest = two_runs(tmp_path)
    assert problems(tmp_path) == []
    assert {f.name: f.rows for f in manifest.files}["facts.parquet"] == 4
    assert [(run.run_id, run.counts.records, run.counts.correct) for run in manifest.runs] == [("a", 2, 1), ("b", 2, 1)]


def test_equal_outputs_of_a_question_are_stored_once(tmp_path):
    two_runs(tmp_path)
    outputs = pq.read_table(tmp_path / "outputs.parquet").to_pylist()
    assert [(row["question_id"], row["raw_text"]) for row in outputs].count(("q1", "The final answer is 1")) == 1
    assert len(outputs) == 3


def test_a_returned_stop_token_does_not_make_outputs_different():
    with_stop = flatten(record(output_token_ids=(5, 2), stop_token_ids=(2,))).fact
    without = flatten(record(output_token_ids=(5,), stop_token_ids=(2,))).fact
    assert with_stop["identity_digest"] == without["identity_digest"]
    assert with_stop["output_digest"] != without["output_digest"]


def test_the_same_records_in_another_order_are_the_same_bundle(tmp_path):
    one, two = [answered("q1", "1"), answered("q2", "2")], [answered("q2", "2"), answered("q1", "1")]
    assert seal(tmp_path / "a", (labels("a"), one)).content_digest == seal(tmp_path / "b", (labels("a"), two)).content_digest


def test_another_label_text_or_question_set_is_another_bundle(tmp_path):
    base = seal(tmp_path / "0", (labels("a"), [answered("q1", "1")])).content_digest
    others = [
        seal(tmp_path / "1", (labels("a", cell="other"), [answered("q1", "1")])).content_digest,
        seal(tmp_path / "2", (labels("a"), [answered("q1", "1 ")])).content_digest,
        seal(tmp_path / "3", (labels("a"), [answered("q1", "1")]), questions=(Question("q1", "1", None, None),)).content_digest,
        seal(tmp_path / "4", (labels("a"), [answered("q1", "1", category="x")])).content_digest,
    ]
    assert len({base, *others}) == 5


def test_a_changed_byte_is_found_before_anything_is_read(tmp_path):
    two_runs(tmp_path)
    path = tmp_path / "outputs.parquet"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert len(problems(tmp_path)) == 1
    assert "outputs.parquet: sha256 is" in problems(tmp_path)[0]


def test_a_missing_and_a_foreign_file_are_named(tmp_path):
    manifest = two_runs(tmp_path)
    (tmp_path / "prompts.parquet").unlink()
    foreign = manifest.files[0].model_copy(update={"name": "../../etc/passwd"})
    write_manifest(tmp_path, manifest.model_copy(update={"files": (*manifest.files, foreign)}))
    assert any("prompts.parquet: is missing" in p for p in problems(tmp_path))
    assert any("../../etc/passwd is not a file of a bundle" in p for p in problems(tmp_path))


CHANGES = {
    "a text": ("outputs", lambda rows: [r | {"raw_text": r["raw_text"].replace("perhaps 3", "perhaps 4")} for r in rows], "question q2: output"),
    "a hash": ("outputs", lambda rows: [r | {"output_digest": "out1:0"} if r["question_id"] == "q1" else r for r in rows], "question q1: output"),
    "a logprob": ("logprobs", lambda rows: [r | {"logprobs": [[-0.1, -2.5]] * 2} for r in rows], "question q2: logprobs"),
    "a verdict": ("answers", lambda rows: [r | {"verdict": "correct"} for r in rows], "run a: records do not match"),
    "a lost record": ("facts", lambda rows: rows[1:], "run a: records do not match"),
    "a gold": ("facts", lambda rows: [r | {"gold": "9"} for r in rows], "run a: records do not match"),
    "a stray run": ("facts", lambda rows: [*rows, rows[0] | {"run_id": "ghost"}], "run ghost: has records but is not in the manifest"),
    "an identity": ("facts", lambda rows: [r | {"identity_digest": "tok1:0"} for r in rows], "question q1: identity_digest does not follow"),
    "an environment": ("environments", lambda rows: [r | {"full_digest": "env1:0"} for r in rows], "deployment a: environment digest"),
    "an unreadable environment": ("environments", lambda rows: [r | {"record": "{}"} for r in rows], "deployment a: environment record"),
    "a question": ("questions", lambda rows: [{"question_id": "x", "gold": None, "category": None, "question_text": None}], "declared question set"),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_behind_fitting_file_hashes_is_found_and_named(tmp_path, what):
    name, change, said = CHANGES[what]
    two_runs(tmp_path)
    reseal(tmp_path, name, change)
    found = problems(tmp_path)
    assert any(said in problem for problem in found), found


def test_counts_of_the_manifest_are_counted_again(tmp_path):
    manifest = two_runs(tmp_path)
    boast = manifest.runs[0].model_copy(update={"counts": manifest.runs[0].counts.model_copy(update={"correct": 2})})
    write_manifest(tmp_path, manifest.model_copy(update={"runs": (boast, manifest.runs[1])}))
    assert any(
        "run a: holds (2, 1, 2, 0, 0, 2) records, correct, scored, unscored, truncated, end unknown" in p
        for p in problems(tmp_path)
    )


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "flipbook-bundle/9"}', "\ud800".encode("utf-8", "surrogatepass")])
def test_a_manifest_that_is_none_is_one_clear_error(tmp_path, text):
    (tmp_path / "manifest.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match="manifest"):
        load_manifest(tmp_path)


def test_the_manifest_says_nothing_of_the_machine_it_was_made_on(tmp_path):
    two_runs(tmp_path)
    assert str(tmp_path) not in json.dumps(json.loads((tmp_path / "manifest.json").read_text()))
