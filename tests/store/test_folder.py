"""The store folder: generations, atomic changes, and readers that are never disturbed."""

import threading

import duckdb
import pytest

from store.errors import InputError, StoreError, StoreMissingError, UnknownStudyError
from store.folder import Store
from store.results.cells import study_cells
from store.results.scope import list_studies, resolve
from store.sealed.rows import Question
from store.verify import verify_store
from store.warehouse.open import file_key, open_warehouse
from tests.builders import answered, labels, seal


def admit(store, *runs, study="s", **more):
    with store.writing() as staging:
        staged = staging / "bundle"
        return store.admit(staged, seal(staged, *runs, study=study, **more), staging)


def one(run="a", text="1", question="q1", **more):
    return labels(run, **more), [answered(question, text)]


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def accuracy(store, as_of=None):
    warehouse = open_warehouse(store.warehouse)
    found = study_cells(warehouse, resolve(warehouse, "s", as_of, None))
    warehouse.close()
    return [(c.cell, [(r.run, r.correct, r.of) for r in c.accuracy.per_run]) for c in found.cells]


def test_a_store_that_is_not_there_says_what_to_do(store):
    with pytest.raises(StoreMissingError, match="flipbook demo --load-only"):
        open_warehouse(store.warehouse)
    assert store.bundles() == ()
    assert store.generation() == 0


def test_every_ingest_is_a_generation_and_a_link_can_go_back(store):
    assert admit(store, one("a")).generation == 1
    assert admit(store, one("b", "2", repeat=1)).generation == 2
    assert accuracy(store) == [("cell", [("a", 1, 1), ("b", 0, 1)])]
    assert accuracy(store, as_of=1) == [("cell", [("a", 1, 1)])]
    warehouse = open_warehouse(store.warehouse)
    assert resolve(warehouse, "s", 1, None).later_runs == 1
    warehouse.close()


def test_removing_a_study_takes_a_generation_of_its_own_and_its_number_never_comes_back(store):
    admit(store, one("a"))
    admit(store, one("b"), study="other")
    removal = store.remove("other")
    assert (removal.generation, removal.runs) == (3, ("b",))
    assert admit(store, one("c", repeat=1)).generation == 4
    assert [row.study for row in list_studies(open_warehouse(store.warehouse))] == ["s"]
    assert verify_store(store).problems == ()
    with pytest.raises(UnknownStudyError, match="Studies held: s"):
        store.remove("other")


def test_removing_the_last_study_leaves_an_empty_store(store):
    admit(store, one("a"))
    store.remove("s")
    with pytest.raises(StoreMissingError):
        file_key(store.warehouse)
    assert verify_store(store).problems == ()


def test_rebuild_gives_the_same_numbers(store):
    admit(store, one("a"), one("b", "2", repeat=1))
    before = accuracy(store)
    store.warehouse.unlink()
    assert store.rebuild() == 1
    assert accuracy(store) == before
    assert verify_store(store).problems == ()


def test_a_failed_build_leaves_the_store_as_it_was(store, tmp_path):
    admit(store, one("a"))
    before = accuracy(store)
    with pytest.raises(StoreError, match="cannot be built .* Run `flipbook verify`"), store.writing() as staging:
        staged = staging / "bundle"
        manifest = seal(staged, one("b", repeat=1))
        (staged / "facts.parquet").write_bytes(b"no parquet")
        store.admit(staged, manifest, staging)
    assert accuracy(store) == before
    assert len(store.bundles()) == 1
    assert list((store.root / "staging").iterdir()) == []
    assert verify_store(store).problems == ()


def test_a_failed_removal_loses_nothing(store):
    admit(store, one("a"))
    admit(store, one("b"), study="other")
    (store.bundles()[0].folder / "facts.parquet").write_bytes(b"no parquet")
    with pytest.raises(StoreError, match="cannot be built"):
        store.remove("other")
    assert [b.manifest.study for b in store.bundles()] == ["s", "other"]
    assert store.removals() == ()


def test_a_stale_or_broken_file_is_reported_and_rebuilt(store):
    admit(store, one("a"))
    old = store.warehouse.read_bytes()
    admit(store, one("b", repeat=1))
    store.warehouse.write_bytes(old)
    assert "was built from other bundles" in verify_store(store).problems[0].what
    store.warehouse.write_bytes(b"garbage" * 1000)
    with pytest.raises(StoreError, match="flipbook rebuild"):
        open_warehouse(store.warehouse)
    store.rebuild()
    assert verify_store(store).problems == ()


def test_a_page_that_is_open_neither_blocks_ingest_nor_sees_half_of_it(store):
    admit(store, one("a"))
    old = open_warehouse(store.warehouse)
    key = file_key(store.warehouse)
    admit(store, one("b", repeat=1))
    assert file_key(store.warehouse) != key
    assert [row.runs for row in list_studies(old)] == [1]
    new = open_warehouse(store.warehouse)
    assert [row.runs for row in list_studies(new)] == [2]
    old.close()
    new.close()


def test_one_opened_file_serves_many_threads(store):
    admit(store, *(one(f"r{i}", str(i % 2), repeat=i) for i in range(8)))
    warehouse = open_warehouse(store.warehouse)
    scope = resolve(warehouse, "s", None, None)
    expected = [r.correct for r in study_cells(warehouse, scope).cells[0].accuracy.per_run]
    wrong = []

    def read():
        for _ in range(15):
            found = [r.correct for r in study_cells(warehouse, scope).cells[0].accuracy.per_run]
            if found != expected:
                wrong.append(found)

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    warehouse.close()


def test_a_folder_with_glob_signs_in_its_name_is_only_a_folder(tmp_path):
    store = Store(tmp_path / "we[i]rd * 'quoted' %20")
    admit(store, one("a"))
    assert accuracy(store) == [("cell", [("a", 1, 1)])]
    with pytest.raises(StoreError, match="a [?] in its name"):
        admit(Store(tmp_path / "what?"), one("a"))


def test_the_declared_set_is_the_denominator_and_the_rest_is_a_finding(store):
    declared = tuple(Question(f"q{i}", "1", None, None) for i in (1, 2, 3))
    admit(store, (labels("a"), [answered("q1", "1"), answered("q2", "2"), answered("q9", "1")]), questions=declared)
    warehouse = open_warehouse(store.warehouse)
    found = study_cells(warehouse, resolve(warehouse, "s", None, None))
    assert found.questions == ("q1", "q2", "q3")
    assert [(r.correct, r.of) for r in found.cells[0].accuracy.per_run] == [(1, 2)]
    assert {f.kind: f.items for f in found.findings} == {"not-asked": ("cell",), "outside-set": ("q9",)}
    warehouse.close()


def test_a_folder_named_like_a_partition_is_only_a_folder(tmp_path):
    """DuckDB would read `verdict=incorrect` in a path as a column."""
    store = Store(tmp_path / "verdict=incorrect" / "gold=7" / "run_id=evil")
    admit(store, one("a"))
    assert accuracy(store) == [("cell", [("a", 1, 1)])]
    assert verify_store(store).problems == ()


def test_a_bundle_without_its_manifest_is_reported_and_never_dropped(store):
    admit(store, one("a"))
    admit(store, one("b"), study="other")
    (store.bundles()[0].folder / "manifest.json").unlink()
    assert "no manifest.json here" in verify_store(store).problems[0].what
    with pytest.raises(InputError, match="no manifest.json here"):
        store.rebuild()
    assert accuracy(store) == [("cell", [("a", 1, 1)])]
    assert store.remove("s").generation == 3
    assert [b.manifest.study for b in store.bundles()] == ["other"]
    assert verify_store(store).problems == ()


def test_an_edited_file_is_told_from_the_bundles(store):
    admit(store, one("a", "2"))
    with duckdb.connect(str(store.warehouse)) as con:
        con.execute("UPDATE answers SET verdict = 'correct'")
    assert "answers: 1 of 1 rows do not follow from the bundles" in verify_store(store).problems[0].what
    store.rebuild()
    assert verify_store(store).problems == ()


@pytest.mark.parametrize("left", ["nothing", "the old file"])
def test_a_crash_between_the_two_moves_is_mended_by_the_next_ingest(store, left):
    admit(store, one("a"))
    old = store.warehouse.read_bytes()
    admit(store, one("b", repeat=1))
    store.warehouse.write_bytes(old) if left == "the old file" else store.warehouse.unlink()
    assert not store.is_current()
    if left == "nothing":
        with pytest.raises(StoreError, match="the DuckDB file is missing.*flipbook rebuild"):
            file_key(store.warehouse)
    with store.writing() as staging:
        store.bring_up_to_date(staging)
    assert accuracy(store) == [("cell", [("a", 1, 1), ("b", 1, 1)])]


def test_what_a_killed_process_left_in_staging_is_cleared(store):
    admit(store, one("a"))
    (store.root / "staging" / "tmpdead").mkdir()
    (store.root / "staging" / "tmpdead" / "facts.part").write_bytes(b"x" * 100)
    admit(store, one("b", repeat=1))
    assert list((store.root / "staging").iterdir()) == []


def test_a_file_that_lacks_a_table_is_said(store):
    admit(store, one("a"))
    with duckdb.connect(str(store.warehouse)) as con:
        con.execute("DROP TABLE facts")
    with pytest.raises(StoreError, match="cannot answer questions .*Run `flipbook rebuild`"):
        accuracy(store)


def test_the_generation_of_a_damaged_bundle_is_not_given_again(store):
    admit(store, one("a"))
    (store.bundles()[0].folder / "manifest.json").write_text("{}")
    assert store.remove("s").generation == 2
    assert admit(store, one("b")).generation == 3
