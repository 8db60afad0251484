"""Digests: the recipes, pinned."""

import hashlib

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from store.contract.environment import EnvironmentRecord, Gpu, unknown_environment
from store.digests import canonical_digest, set_digest, text_digest, tokens_digest, without_trailing_stop
from store.env_digest import (
    ENV1_DECLARED,
    ENV1_KERNEL_STATE,
    OUTSIDE,
    EnvironmentDigest,
    environment_digest,
    verify_environment,
)
from store.errors import InputError

H100 = Gpu(
    rank=0,
    name="NVIDIA H100 80GB HBM3",
    compute_capability="9.0",
    sm_count=132,
    memory_bytes=85_520_809_984,
    mig_profile="none",
    ecc=True,
)
SAMPLE = unknown_environment(
    "not captured",
    source="observed",
    engine="vllm",
    engine_version="0.25.0",
    dtype="bfloat16",
    gpus=(H100,),
    max_num_seqs=32,
    prefix_caching=False,
    cache_role="built",
    kv_blocks=5_120,
    card="card-1",
    started_at="2026-11-01T00:00:00Z",
)


def test_the_digest_of_one_sample_never_changes():
    """A golden pair: if this fails, a recipe changed under its tag. Make env2 instead."""
    found = environment_digest(SAMPLE)
    assert found.declared == "env1:da7ebeffed144fd54bb0c6fe76e167d6fc58cf7cb29a3c3448a0f8662bdb88d2"
    assert found.full == "env1:f6329a77cf89335c64f00fc8bdac8726d2998b6e3ba6fdbe07d972c239e5648c"
    assert found.status == "incomplete (8 of 62 fields)"


def test_canonical_json_is_rfc_8785():
    # keys sorted, no spaces, 1.0 is 1, 1e-7 keeps its short form
    expected = hashlib.sha256(b'{"a":[1,1e-7,"\xc3\xbc"],"b":null}').hexdigest()
    assert canonical_digest("t", {"b": None, "a": [1.0, 1e-7, "ü"]}) == f"t:{expected}"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53 + 1, "\ud83d"])
def test_what_has_no_canonical_form_has_no_digest(value):
    with pytest.raises((ValueError, rfc8785.CanonicalizationError)):
        canonical_digest("t", value)


def test_tokens_are_little_endian_32_bit_integers():
    assert tokens_digest([1, 256]) == f"tok1:{hashlib.sha256(bytes([1, 0, 0, 0, 0, 1, 0, 0])).hexdigest()}"
    assert tokens_digest([]) != tokens_digest([0])


def test_texts_are_exact_bytes():
    assert text_digest("a") != text_digest("a ")
    assert text_digest("é") != text_digest("e\u0301")


@pytest.mark.parametrize(
    ("ids", "stops", "kept"),
    [([5, 2], [2], [5]), ([5, 2, 2], [2], [5, 2]), ([5, 3], [2], [5, 3]), ([], [2], []), ([2], [], [2])],
)
def test_one_trailing_stop_is_removed_and_no_more(ids, stops, kept):
    assert list(without_trailing_stop(ids, stops)) == kept


@given(st.lists(st.binary(min_size=32, max_size=32), max_size=6))
def test_a_set_digest_does_not_depend_on_order(members):
    assert set_digest("t", None, members) == set_digest("t", None, reversed(members))


def test_every_field_of_the_record_is_inside_or_outside_and_not_both():
    listed = (*ENV1_DECLARED, *ENV1_KERNEL_STATE, *OUTSIDE)
    assert sorted(listed) == sorted(EnvironmentRecord.model_fields)
    assert len(set(listed)) == len(listed)


def test_what_is_outside_moves_no_digest_and_what_is_inside_does():
    before = environment_digest(SAMPLE)
    elsewhere = SAMPLE.model_copy(update={"card": "card-2", "started_at": "2027-01-01T00:00:00Z", "source": "declared"})
    assert environment_digest(elsewhere) == before
    wider = environment_digest(SAMPLE.model_copy(update={"max_num_seqs": 8}))
    assert wider.declared != before.declared
    loaded = environment_digest(SAMPLE.model_copy(update={"cache_role": "loaded"}))
    assert loaded.declared == before.declared
    assert loaded.full != before.full


def test_why_a_field_is_unknown_is_not_part_of_the_environment():
    other = unknown_environment("lost in a crash", **SAMPLE.model_dump(exclude={"null_reasons"}, exclude_none=True))
    assert environment_digest(other) == environment_digest(SAMPLE)


def test_unknown_is_not_known_to_be_absent():
    assert environment_digest(unknown_environment("x")) != environment_digest(unknown_environment("x", adapter_digest="none"))


def test_complete_means_every_field():
    assert EnvironmentDigest("d", "f", 62, 62).status == "complete"


def test_an_old_scheme_is_verified_by_its_own_list_and_an_unknown_one_is_named():
    found = environment_digest(SAMPLE)
    assert verify_environment(SAMPLE, found.declared, found.full)
    assert not verify_environment(SAMPLE, found.declared, "env1:0000")
    with pytest.raises(InputError, match="unknown digest scheme 'env9'"):
        verify_environment(SAMPLE, "env9:1", "env9:2")
