"""Cache folders, manifests and roles: laid out, listed and judged as it happened."""

import os
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.caches.layout import Fresh, LoadedFrom, Shared, lay_out
from runner.caches.manifest import CacheFile, files_digest, read_manifest
from runner.caches.roles import cache_families, overall_role
from runner.caches.roots import FAMILIES, CacheRoots, rank_of
from store.contract.environment import CacheFamily, CacheRole
from store.errors import InputError, UsageError
from tests.runner.trees import AOT, manifest, tree, write

FRESH = dict.fromkeys(FAMILIES, Fresh())
MODEL = f"{AOT}/rank_0_0/model"
FAILED = f"WARNING 12-01 02:09:48 [decorators.py:333] [backbone] Compiling model again due to a load failure from /c/{MODEL}, reason: 'function' object has no attribute 'finalize_loading'\n"
SAVED = f"INFO 12-01 02:09:55 [decorators.py:743] [backbone] saved AOT compiled function to /c/{MODEL}\n"
LOADED = f"INFO 12-01 02:09:55 [decorators.py:319] [backbone] Directly load AOT compilation from path /c/{MODEL}\n"
GRAPHS = "INFO 12-01 02:09:55 [backends.py:295] Directly load the compiled graph(s) for compile range (1, 64) from the cache, took 0.200 s\n"


def files(text):
    """`files("inductor/a=1 triton/k=2")`: paths with a letter or digit that stands for their bytes."""
    return tuple(CacheFile(path, 1, mark * 64) for path, mark in (part.split("=") for part in text.split()))


# ---- roots ---------------------------------------------------------------------------------------


def test_the_families_are_those_of_the_environment_record():
    assert get_args(CacheFamily.model_fields["family"].annotation) == FAMILIES


def test_every_variable_leads_into_a_folder_of_its_family(tmp_path):
    roots = CacheRoots(tmp_path)
    variables = roots.environment()
    below = {name: roots.family_of(f"{Path(value).relative_to(tmp_path)}/x") for name, value in variables.items()}
    assert below == {
        "VLLM_CACHE_ROOT": None,  # holds torch_compile_cache beside what is no kernel cache
        "TORCHINDUCTOR_CACHE_DIR": "inductor",
        "TRITON_CACHE_DIR": "triton",
        "FLASHINFER_WORKSPACE_BASE": "flashinfer_jit",
        "VLLM_FLASHINFER_AUTOTUNE_CACHE_DIR": "flashinfer_autotune",
        "FLASHINFER_AUTOTUNE_CACHE_DIR": "flashinfer_autotune",
    }
    assert all(Path(value).is_absolute() for value in CacheRoots(Path("relative")).environment().values())


@pytest.mark.parametrize(
    ("path", "family"),
    [
        (MODEL, "inductor"),
        ("inductor/fxgraph/a", "inductor"),
        ("triton/ABC/k.cubin", "triton"),
        ("flashinfer_jit/.cache/flashinfer/0.7.4/90a/x.so", "flashinfer_jit"),
        ("flashinfer_autotune/4f/a.json", "flashinfer_autotune"),
        ("vllm/modelinfos/a.json", None),
        ("inductor", None),  # the folder itself
        ("inductor_other/a", None),
        ("inductor/../triton/a", None),
        ("/inductor/a", None),
        ("", None),
    ],
)
def test_a_file_belongs_to_one_family_or_none(path, family, tmp_path):
    assert CacheRoots(tmp_path).family_of(path) == family


def test_a_file_in_a_folder_of_a_family_belongs_to_it(tmp_path):
    roots = CacheRoots(tmp_path)
    for family in FAMILIES:
        for folder in roots.folders(family):
            assert roots.family_of((folder / "x").relative_to(tmp_path).as_posix()) == family


@pytest.mark.parametrize(
    ("path", "rank"),
    [
        (MODEL, 0),
        ("a/rank_1_0/model", 1),
        ("a/rank_12_3/backbone/x.py", 12),
        ("a/4f/autotune_configs_dp1_rank3.json", 3),
        ("a/inductor_cache/x.py", 0),
        ("a/frank_2/x", 0),
        ("a/rank_x/y", 0),
    ],
)
def test_the_rank_is_read_from_the_path(path, rank):
    assert rank_of(path) == rank


# ---- layout --------------------------------------------------------------------------------------


def test_fresh_folders_exist_and_are_empty(tmp_path):
    roots = CacheRoots(tmp_path / "base")
    lay_out(roots, FRESH, tmp_path / "shared")
    assert all(folder.is_dir() and not any(folder.iterdir()) for family in FAMILIES for folder in roots.folders(family))
    assert not (tmp_path / "shared").exists()


def test_shared_folders_are_one_folder_used_in_place(tmp_path):
    one, two = CacheRoots(tmp_path / "one"), CacheRoots(tmp_path / "two")
    policies = FRESH | {"flashinfer_jit": Shared(), "inductor": Shared()}
    lay_out(one, policies, tmp_path / "shared")
    write(one, MODEL, "m")
    write(one, "inductor/a.py", "x")
    write(one, "flashinfer_jit/.cache/flashinfer/n.so", "s")
    write(one, "triton/k.cubin", "c")
    lay_out(two, policies, tmp_path / "shared")
    assert [file.path for file in manifest(two)] == ["flashinfer_jit/.cache/flashinfer/n.so", "inductor/a.py", MODEL]
    assert (tmp_path / "shared/inductor/1/a.py").is_file()
    assert all(folder.is_symlink() for folder in two.folders("inductor"))


def test_a_loaded_family_is_a_copy_of_what_the_builder_left(tmp_path):
    builder, loader = tree("inductor_a", tmp_path / "builder"), CacheRoots(tmp_path / "loader")
    write(builder, "triton/k.cubin", "c")
    library = write(builder, "inductor/th/k.so", "s")
    library.chmod(0o755)
    os.utime(library, (1_000_000, 1_000_000))
    left = manifest(builder)
    lay_out(loader, FRESH | {"inductor": LoadedFrom(builder, left)}, tmp_path / "shared")
    assert manifest(loader) == tuple(file for file in left if builder.family_of(file.path) == "inductor")
    copied = (loader.base / "inductor/th/k.so").stat()
    assert (copied.st_mode & 0o111, copied.st_mtime) == (0o111, 1_000_000)  # ninja and the loader look at both
    write(loader, "inductor/mine.py", "x")
    assert manifest(builder) == left


def test_a_shared_family_can_be_loaded_from_as_well(tmp_path):
    builder, loader = CacheRoots(tmp_path / "builder"), CacheRoots(tmp_path / "loader")
    lay_out(builder, FRESH | {"triton": Shared()}, tmp_path / "shared")
    write(builder, "triton/k.cubin", "c")
    lay_out(loader, FRESH | {"triton": LoadedFrom(builder, manifest(builder))}, tmp_path / "shared")
    write(loader, "triton/k.cubin", "other")
    assert (builder.base / "triton/k.cubin").read_text() == "c"


@pytest.mark.parametrize("tamper", [lambda f: f.write_text("y"), lambda f: f.write_text("xx"), Path.unlink])
def test_a_source_that_is_not_what_its_manifest_says_is_refused_and_named(tmp_path, tamper):
    builder = CacheRoots(tmp_path / "builder")
    file = write(builder, "triton/ABC/k.cubin", "x")
    left = manifest(builder)
    tamper(file)
    with pytest.raises(InputError, match="triton/ABC/k.cubin"):
        lay_out(CacheRoots(tmp_path / "loader"), FRESH | {"triton": LoadedFrom(builder, left)}, tmp_path / "shared")


def test_a_builder_that_left_nothing_in_the_family_is_refused(tmp_path):
    builder = tree("inductor_a", tmp_path / "builder")
    with pytest.raises(InputError, match="nothing in the triton cache"):
        lay_out(CacheRoots(tmp_path / "l"), FRESH | {"triton": LoadedFrom(builder, manifest(builder))}, tmp_path / "s")


def test_a_base_that_holds_anything_is_refused(tmp_path):
    roots = CacheRoots(tmp_path)
    write(roots, "note", "x")
    with pytest.raises(InputError, match="not empty"):
        lay_out(roots, FRESH, tmp_path / "shared")
    with pytest.raises(InputError, match="not empty"):
        lay_out(CacheRoots(tmp_path / "note"), FRESH, tmp_path / "shared")
    assert [path.name for path in tmp_path.iterdir()] == ["note"]


def test_every_family_needs_a_policy(tmp_path):
    with pytest.raises(UsageError, match="triton, flashinfer_jit"):
        lay_out(CacheRoots(tmp_path), {"inductor": Fresh(), "flashinfer_autotune": Fresh()}, tmp_path / "shared")


# ---- manifest ------------------------------------------------------------------------------------

A, B = "a" * 64, "b" * 64


def test_a_manifest_is_read_sorted():
    assert read_manifest([["triton/k", 2, A], ["inductor/a", 0, B]]) == (
        CacheFile("inductor/a", 0, B),
        CacheFile("triton/k", 2, A),
    )
    assert read_manifest([]) == ()


@pytest.mark.parametrize(
    "row",
    [
        None, [], ["a", 1], ["a", 1, A, A], ["", 1, A], [1, 1, A], ["a", "1", A], ["a", -1, A], ["a", True, A], ["a", 1.0, A],
        ["a", 1, A[1:]], ["a", 1, A.upper()], ["a", 1, None], ["/a", 1, A], ["../a", 1, A], ["a/../../b", 1, A], {"path": "a"},
    ],
)  # fmt: skip
def test_a_row_of_another_form_is_refused_with_its_number(row):
    with pytest.raises(InputError, match="row 2 of the cache manifest"):
        read_manifest([["b", 1, A], row])


def test_a_path_listed_twice_is_refused():
    with pytest.raises(InputError, match="inductor/a twice"):
        read_manifest([["inductor/a", 1, A], ["b", 1, A], ["inductor/a", 1, A]])


def test_the_files_digest_covers_path_size_and_bytes_of_kernel_caches_alone():
    one = files("inductor/a=1 triton/k=2")
    assert files_digest(one) == files_digest(one[::-1]) == files_digest((*one, *files("vllm/modelinfos/m=3")))
    others = [
        files("inductor/b=1 triton/k=2"),
        files("inductor/a=3 triton/k=2"),
        files("inductor/a=1"),
        (CacheFile("inductor/a", 2, "1" * 64), one[1]),
    ]
    assert len({files_digest(one), *map(files_digest, others)}) == 5
    # sha256 of the RFC 8785 form of [["triton/k",1,"222…"]]
    assert files_digest(files("triton/k=2")) == KFILES


# ---- roles ---------------------------------------------------------------------------------------

BEST = "inductor/xy/" + "3" * 64 + ".best_config"
TUNED = "triton/KZ/k.autotune.json"
NOT_KNOWN = None


@pytest.mark.parametrize(
    ("before", "after", "read", "mapped", "log", "role"),
    [
        # nothing there before: what the log says of artefacts made on the way does not matter
        ("", "", "", "", "", "none"),
        ("", "", None, "", "", "none"),
        ("", "inductor/a=1", None, "", "", "built"),
        ("", f"{MODEL}=1", "", "", SAVED, "built"),
        ("", f"{MODEL}=1", "", "", SAVED + LOADED, "built"),
        ("", f"{MODEL}=1", "", "", SAVED + FAILED, "built"),
        # a failed load, as vLLM 0.32.0 on CPU really logs it
        (f"{MODEL}=1 inductor/a=1", f"{MODEL}=2 inductor/a=1", MODEL, "inductor/a", FAILED + SAVED, "load failed and rebuilt"),
        (f"{MODEL}=1", f"{MODEL}=1", None, "", FAILED, "load failed and rebuilt"),
        # nothing written
        (f"{MODEL}=1", f"{MODEL}=1", "", "", LOADED, "loaded"),
        (f"{MODEL}=1", f"{MODEL}=1", None, "", LOADED, "loaded"),
        (f"{MODEL}=1", f"{MODEL}=1", None, "", GRAPHS, "loaded"),
        ("inductor/a=1", "inductor/a=1", "inductor/a", "", "", "loaded"),
        ("inductor/a=1", "inductor/a=1", None, "inductor/a", "", "loaded"),
        ("inductor/a=1", "inductor/a=1", "", "inductor/b", "", "none"),
        ("inductor/a=1", "inductor/a=1", "", "", "", "none"),
        ("inductor/a=1", "inductor/a=1", None, "", "", NOT_KNOWN),
        ("inductor/a=1", "inductor/a=1", None, "inductor/b", SAVED, NOT_KNOWN),
        ("inductor/a=1", "", "", "", "", "none"),
        # something written
        ("inductor/a=1", "inductor/a=1 inductor/b=1", "inductor/a", "", "", "mixed"),
        ("inductor/a=1 inductor/b=1", "inductor/a=1 inductor/b=2", None, "inductor/a", "", "mixed"),
        (f"{MODEL}=1", f"{MODEL}=1 inductor/b=1", "", "", LOADED, "mixed"),
        ("inductor/a=1", "inductor/a=1 inductor/b=1", "", "", "", "built"),
        ("inductor/a=1", "inductor/a=2", "inductor/a", "inductor/a", "", "built"),  # written anew: its fresh times prove nothing
        ("inductor/a=1", "inductor/a=1 inductor/b=1", None, "inductor/b", "", NOT_KNOWN),  # its own file, mapped
        # winners
        (f"{BEST}=1", f"{BEST}=2", "", "", "", "re-tuned"),
        (f"{BEST}=1", f"{BEST}=2", None, "", "", "re-tuned"),
        (f"{BEST}=1", f"{BEST}=1", BEST, "", "", "loaded"),
        ("inductor/a=1", f"inductor/a=1 {BEST}=2", "inductor/a", "", "", "re-tuned"),
        ("inductor/a=1", f"inductor/a=1 {BEST}=2", "", "", "", "built"),
        ("inductor/a=1", f"inductor/a=1 {BEST}=2", None, "", "", NOT_KNOWN),
        # locks and build logs are no content
        ("inductor/a=1", "inductor/a=1 inductor/locks/a.lock=2", "inductor/a", "", "", "loaded"),
        ("", "inductor/locks/a.lock=2", "", "", "", "none"),
    ],
)  # fmt: skip
def test_the_role_of_the_inductor_cache(before, after, read, mapped, log, role):
    roles = cache_families(files(before), files(after), None if read is None else read.split(), mapped.split(), log)
    if role is NOT_KNOWN:
        assert roles.families is None
        assert roles.reason.startswith("inductor, rank 0: ")
    else:
        assert roles.reason == ""
        assert [(row.family, row.rank, row.role) for row in roles.families] == [
            ("inductor", 0, role), ("triton", 0, "none"), ("flashinfer_jit", 0, "none"), ("flashinfer_autotune", 0, "none"),
        ]  # fmt: skip


def roles_of(before, after, read, log=""):
    return {
        (row.family, row.rank): row.role for row in cache_families(files(before), files(after), read.split(), (), log).families
    }


def test_the_log_of_the_compiler_says_nothing_about_other_families():
    for log in (LOADED, FAILED, GRAPHS):
        assert roles_of("triton/k=1", "triton/k=1", "", log)["triton", 0] == "none"


def test_triton_that_tunes_at_a_first_shape_beside_loaded_kernels_is_re_tuned():
    assert roles_of("triton/k=1", f"triton/k=1 {TUNED}=1", "triton/k")["triton", 0] == "re-tuned"


def test_every_rank_has_its_own_role():
    other, third = MODEL.replace("rank_0_0", "rank_1_0"), MODEL.replace("rank_0_0", "rank_2_0")
    before = f"{MODEL}=1 {other}=1"
    after = f"{MODEL}=1 {other}=2 {third}=1"
    log = LOADED + FAILED.replace("rank_0_0", "rank_1_0")
    roles = roles_of(before, after, "", log)
    assert [roles["inductor", rank] for rank in (0, 1, 2)] == ["loaded", "load failed and rebuilt", "built"]
    autotune = "flashinfer_autotune/4f/autotune_configs_dp0_rank1.json=1"
    assert roles_of("", autotune, "")["flashinfer_autotune", 1] == "built"
    assert roles_of("", autotune, "")["flashinfer_autotune", 0] == "none"


def test_files_outside_the_families_have_no_role():
    assert set(roles_of("", "vllm/modelinfos/a.json=1", "").values()) == {"none"}


ROLES = get_args(CacheRole)


def rows(text):
    """`rows("inductor:built triton:none")`, all of rank 0."""
    return [CacheFamily(family=family, rank=0, role=role) for family, role in (part.split(":") for part in text.split())]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("", "none"),
        ("inductor:none triton:none", "none"),
        ("inductor:built triton:none", "built"),
        ("inductor:loaded triton:loaded flashinfer_autotune:none", "loaded"),
        ("inductor:loaded triton:built", "mixed"),
        ("inductor:re-tuned triton:loaded", "mixed"),
        ("inductor:loaded flashinfer_jit:built", "loaded"),  # compiled code without choices
        ("flashinfer_jit:loaded", "none"),
    ],
)
def test_the_role_of_the_deployment(text, role):
    assert overall_role(rows(text)) == role


@given(st.lists(st.builds(CacheFamily, family=st.sampled_from(FAMILIES), rank=st.integers(0, 3), role=st.sampled_from(ROLES))))
def test_a_load_that_failed_wins_and_order_does_not_matter(families):
    role = overall_role(families)
    assert role == overall_role(families[::-1])
    assert role in ROLES
    assert overall_role([*families, *rows("inductor:none")]) == role
    failed = CacheFamily(family="inductor", rank=0, role="load failed and rebuilt")
    assert overall_role([*families, failed]) == failed.role


path_marks = st.dictionaries(st.sampled_from(["inductor/a", MODEL, BEST, "triton/k", TUNED]), st.sampled_from("12"))


@given(
    path_marks, path_marks, st.sets(st.sampled_from(["inductor/a", MODEL, "triton/k"])), st.sampled_from(["", LOADED, FAILED])
)
def test_a_family_is_loaded_only_when_something_was_there_and_nothing_was_written(before, after, read, log):
    old, new = (tuple(CacheFile(path, 1, mark * 64) for path, mark in sorted(d.items())) for d in (before, after))
    for row in cache_families(old, new, read, (), log).families:
        here = {path for path in before if CacheRoots(Path()).family_of(path) == row.family}
        written = {
            path for path in after if CacheRoots(Path()).family_of(path) == row.family and before.get(path) != after[path]
        }
        if row.role == "loaded":
            assert here
            assert not written
        if row.role in ("built", "mixed", "re-tuned"):
            assert written
        if row.role in ("mixed", "re-tuned", "load failed and rebuilt"):
            assert here


KFILES = "kfiles1:e48017edee920927f19ab11779e537d089e918ef11e92fd9bd5fa9a0a720291f"
