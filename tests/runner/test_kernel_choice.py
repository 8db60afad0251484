"""The kernel choice digest: winners only, from real cache trees with planted differences."""

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.caches.kernel_choice import KernelChoices, kernel_choices
from runner.caches.roots import CacheRoots
from runner.caches.winners import best, maker_of, read_winners
from tests.runner.trees import AOT, manifest, tree, write

CHOICES = "inductor/cache/44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
TRITON = "triton/KZ2WJ5Q3/_fwd_kernel.autotune.json"
CONFIG = "inductor/xy/3d68a4ae7db154b266a035373f7cfb765efaa76eb521ace3d8e5671d928719b5.best_config"
FLASHINFER = "flashinfer_autotune/4f/autotune_configs_dp0_rank0.json"
GPU = (CONFIG, TRITON, FLASHINFER)


def choices(roots):
    return kernel_choices(roots, manifest(roots))


def edit(roots, path, change):
    """Rewrite one JSON file in place through `change`."""
    file = roots.base / path
    value = json.loads(file.read_text())
    change(value)
    file.write_text(json.dumps(value))


def rename(roots, old, new):
    (roots.base / new).parent.mkdir(parents=True, exist_ok=True)
    (roots.base / old).rename(roots.base / new)


def timings_of(value):
    return value["cache"]["packed_linear"][next(iter(value["cache"]["packed_linear"]))]["highest"]


def swap(times):
    one, other = times
    times[one], times[other] = times[other], times[one]


def scale(times):
    times.update({choice: time * 3 for choice, time in times.items()})


# ---- planted differences -------------------------------------------------------------------------


def test_two_real_compiles_with_the_same_winner_have_equal_choices_and_different_files(tmp_path):
    one, two = tree("inductor_a", tmp_path / "a"), tree("inductor_b", tmp_path / "b")
    assert {file.path for file in manifest(one)} != {file.path for file in manifest(two)}  # a wrapper's name: eg/ and fo/
    assert (one.base / CHOICES).read_bytes() != (two.base / CHOICES).read_bytes()  # timings
    assert choices(one) == choices(two)
    assert choices(one).digest.startswith("kchoice1:")
    assert (choices(one).reason, choices(one).winners) == ("", 1)


@pytest.mark.parametrize(
    ("change", "equal"),
    [
        (lambda roots: edit(roots, CHOICES, lambda v: swap(timings_of(v))), False),  # another candidate won
        (lambda roots: edit(roots, CHOICES, lambda v: scale(timings_of(v))), True),
        (lambda roots: edit(roots, CHOICES, lambda v: v["cache"].update(pad={"k": {"highest": {"a": 1.0}}})), False),
        (lambda roots: edit(roots, CHOICES, lambda v: v["cache"].update({"mm_time": 0.25})), True),  # remembered time
        (lambda roots: edit(roots, CHOICES, lambda v: v["cache"].update({"should_pad": True})), False),
        (lambda roots: write(roots, "inductor/q7/cq7k2random.py", "x = 1\n"), True),
        (lambda roots: write(roots, "inductor/fxgraph/dj/fdju5/orb56ohvexa6", "pickle"), True),
        (lambda roots: rename(roots, "inductor/eg", "inductor/zz"), True),
        (lambda roots: write(roots, f"{CHOICES}.8812.tmp", "half a file"), True),
    ],
)
def test_planted_differences_in_inductors_choices(tmp_path, change, equal):
    roots = tree("inductor_a", tmp_path)
    before = choices(roots)
    change(roots)
    after = choices(roots)
    assert after.digest is not None
    assert (after.digest == before.digest) is equal


@pytest.mark.parametrize(
    ("change", "equal"),
    [
        (lambda r: edit(r, CONFIG, lambda v: v.update(num_warps=8)), False),
        (lambda r: edit(r, CONFIG, lambda v: v.update(time_taken_ms=99)), True),
        (lambda r: edit(r, CONFIG, lambda v: v.update(triton_cache_hash="ZZ", configs_hash="0", found_by_coordesc=True)), True),
        (lambda r: rename(r, CONFIG, f"{AOT}/inductor_cache/{CONFIG.removeprefix('inductor/')}"), True),
        (lambda r: rename(r, CONFIG, f"inductor/rank_1_0/{CONFIG.removeprefix('inductor/')}"), False),  # another rank
        (lambda r: edit(r, TRITON, lambda v: v["configs_timings"][0].__setitem__(1, [0.001, 0.001, 0.001])), False),
        (lambda r: edit(r, TRITON, lambda v: v["configs_timings"][1].__setitem__(1, [0.012, 0.001, 0.02])), True),
        (lambda r: edit(r, TRITON, lambda v: v["configs_timings"].reverse()), True),
        (lambda r: edit(r, TRITON, lambda v: v["key"].__setitem__(0, 256)), False),  # another shape bucket
        (lambda r: rename(r, TRITON, TRITON.replace("KZ2WJ5Q3", "AAAAAAAA")), True),
        (lambda r: shutil.copytree(r.base / "triton/KZ2WJ5Q3", r.base / "triton/tmp.pid_77_e1f0"), True),  # left by a kill
        (lambda r: edit(r, FLASHINFER, lambda v: v["('mm_fp8', 'CutlassRunner', ((256, 128),), ())"].__setitem__(1, 8)), False),
        (lambda r: edit(r, FLASHINFER, lambda v: v["('mm_fp8', 'CutlassRunner', ((256, 128),), ())"].__delitem__(2)), True),
        (lambda r: edit(r, FLASHINFER, lambda v: v.update(_generation="0", _metadata={})), True),
        (lambda r: rename(r, FLASHINFER, FLASHINFER.replace("/4f/", "/5e/")), True),
        (lambda r: shutil.rmtree(r.base / "flashinfer_autotune/v2"), True),  # the same winner, once more
        (
            lambda r: edit(
                r, "flashinfer_autotune/v2/df3e7041c5ab280a/entries/55c9c9fadf324fadae79b680.json", lambda v: v.update(tactic=8)
            ),
            False,
        ),
    ],
)
def test_planted_differences_in_the_winners_of_a_gpu(tmp_path, change, equal):
    roots = tree("gpu_winners", tmp_path)
    before = choices(roots)
    assert before.winners == 5  # 2 Inductor configurations, 1 Triton kernel, 2 FlashInfer ops
    change(roots)
    after = choices(roots)
    assert after.digest is not None
    assert (after.digest == before.digest) is equal


def test_the_recipe_of_the_digest_does_not_change(tmp_path):
    assert choices(tree("inductor_a", tmp_path / "a")).digest == INDUCTOR_DIGEST
    assert choices(tree("gpu_winners", tmp_path / "g")).digest == GPU_DIGEST


# ---- nothing chosen, and not known ---------------------------------------------------------------


def test_no_files_is_an_observation(tmp_path):
    assert kernel_choices(CacheRoots(tmp_path), ()) == KernelChoices(digest="none", reason="", winners=0)


def test_a_vllm_compile_with_cpp_kernels_alone_chose_nothing(tmp_path):
    roots = tree("vllm_cpu", tmp_path)
    write(roots, f"{AOT}/rank_0_0/model", "pickle")
    write(roots, f"{AOT}/inductor_cache/aotautograd/arrf5/chjt2", "pickle")
    assert choices(roots).digest == "none"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("triton/ABC/_kernel.cubin", "code"),
        (f"{AOT}/inductor_cache/triton/0/ABC/_kernel.ttir", "code"),
        (f"{AOT}/inductor_cache/b2/other.py", "kernel = async_compile.triton('triton_poi_0', '''...''')"),
        ("flashinfer_jit/.cache/flashinfer/0.7.4/90a/cached_ops/norm/norm.so", "code"),
    ],
)
def test_an_opaque_artefact_beside_gpu_kernels_is_not_known(tmp_path, path, text):
    roots = tree("vllm_cpu", tmp_path)
    write(roots, f"{AOT}/rank_0_0/model", "pickle")
    write(roots, path, text)
    found = choices(roots)
    assert found.digest is None
    assert f"{AOT}/rank_0_0/model" in found.reason


def test_an_opaque_artefact_alone_is_not_known(tmp_path):
    roots = tree("vllm_cpu", tmp_path)
    shutil.rmtree(roots.base / AOT)
    write(roots, f"{AOT}/rank_0_0/model", "pickle")
    assert choices(roots).digest is None


def test_compiled_kernels_without_candidates_chose_nothing(tmp_path):
    roots = tree("gpu_winners", tmp_path)
    for path in ("inductor", "triton", "flashinfer_autotune"):
        shutil.rmtree(roots.base / path)
    write(roots, "triton/ABC/_kernel.cubin", "code")
    write(roots, "triton/ABC/_kernel.json", "{}")
    write(roots, "vllm/modelinfos/a.json", "{}")
    assert choices(roots).digest == "none"


def test_a_readable_winner_speaks_beside_an_opaque_artefact(tmp_path):
    roots = tree("gpu_winners", tmp_path)
    plain = choices(roots)
    write(roots, f"{AOT}/rank_0_0/model", "pickle")
    assert choices(roots) == plain


@pytest.mark.parametrize("path", GPU)
@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"key": 1}', '"x"', "[" * 100_000])
def test_a_broken_winner_file_is_not_known_and_named(tmp_path, path, text):
    roots = tree("gpu_winners", tmp_path)
    write(roots, path, text)
    found = choices(roots)
    assert (found.digest, found.winners) == (None, 0)
    assert found.reason.startswith(f"{path}: ")
    assert "\n" not in found.reason


@pytest.mark.parametrize(
    ("path", "change"),
    [
        (TRITON, lambda v: v["configs_timings"][0].__setitem__(1, "fast")),
        (TRITON, lambda v: v["configs_timings"][0].__setitem__(1, [])),
        (TRITON, lambda v: v["configs_timings"][0].__setitem__(1, float("nan"))),
        (TRITON, lambda v: v["configs_timings"][0].__setitem__(1, 10**400)),
        (TRITON, lambda v: v["configs_timings"][0].append(1)),
        (CONFIG, lambda v: v.pop("num_warps")),
        (FLASHINFER, lambda v: v.update(_records={"product": {}})),  # choices of another form
        (FLASHINFER, lambda v: v.update(odd=["runner"])),
    ],
)
def test_a_winner_file_of_an_unknown_form_is_not_known(tmp_path, path, change):
    roots = tree("gpu_winners", tmp_path)
    edit(roots, path, change)
    found = choices(roots)
    assert found.digest is None
    assert found.reason.startswith(f"{path}: ")


@pytest.mark.parametrize("entry", [None, "x", [1], {"inputs": 1}, {"inputs": {"highest": [1]}}])
def test_inductors_choices_of_an_unknown_form_are_not_known(tmp_path, entry):
    roots = tree("inductor_a", tmp_path)
    edit(roots, CHOICES, lambda v: v["cache"].update(op=entry))
    assert choices(roots).reason.startswith(f"{CHOICES}: ")


def test_a_file_that_changed_or_went_since_the_manifest_is_not_known(tmp_path):
    roots = tree("gpu_winners", tmp_path)
    taken = manifest(roots)
    edit(roots, TRITON, lambda v: v["key"].append("more"))
    assert kernel_choices(roots, taken).reason == f"{TRITON}: changed since the manifest was taken"
    (roots.base / TRITON).unlink()
    assert kernel_choices(roots, taken).reason == f"{TRITON}: No such file or directory"


# ---- the least time ------------------------------------------------------------------------------

INF = float("inf")


@pytest.mark.parametrize(
    ("timings", "winner"),
    [
        ([("a", 2.0), ("b", 1.0)], "b"),
        ([("a", [2.0, 0.0, 0.0]), ("b", [1.0, 9.0, 9.0])], "b"),  # quantiles, the median first
        ([("a", INF), ("b", 9.0)], "b"),
        ([("b", 1.0), ("a", 1.0)], "b"),  # tie: the engines take the first they measured
        ([("a", [INF, INF, INF])], None),
        ([], None),
    ],
)
def test_the_least_finite_time_wins(timings, winner):
    assert best(timings) == winner


@given(st.dictionaries(st.text(max_size=3), st.sampled_from([1.0, 2.0, INF]), max_size=5), st.randoms())
def test_the_least_time_does_not_hang_on_the_order_of_the_file(timings, random):
    rows = list(timings.items())
    shuffled = random.sample(rows, len(rows))
    winner = best(rows)
    assert timings.get(winner) == timings.get(best(shuffled))
    if winner is not None:
        assert timings[winner] == min(timings.values()) < INF


def test_a_kernel_whose_candidates_all_failed_has_no_winner():
    text = json.dumps({"key": [1], "configs_timings": [[{"kwargs": {}, "num_warps": 4}, [INF, INF, INF]]]})
    assert read_winners(TRITON, "triton", text.encode()) == frozenset()


@pytest.mark.parametrize(
    ("path", "maker"),
    [
        (CHOICES, "inductor choice"),
        (f"{AOT}/inductor_cache/{CHOICES.removeprefix('inductor/')}", "inductor choice"),
        (CONFIG, "inductor config"),
        (f"inductor/triton/0/{TRITON}", "triton"),
        (TRITON, "triton"),
        (FLASHINFER, "flashinfer"),
        ("flashinfer_autotune/v2/df3e/manifest.json", None),
        ("flashinfer_autotune/4f/.autotuner_x1.tmp", None),
        ("triton/ABC/_kernel.json", None),
        (f"other/{CHOICES}", None),
        ("vllm/modelinfos/x.autotune.json", None),
    ],
)
def test_winner_files_are_known_by_their_names(path, maker):
    assert maker_of(path) == maker


INDUCTOR_DIGEST = "kchoice1:8c6224eb52985650d05525dbe01172d61e240902476f688dce17b8c9e11fd66d"
GPU_DIGEST = "kchoice1:9a10278cabf93b046f19af10c9980b030947ea4679713bf5f79de419cca1ad1d"
