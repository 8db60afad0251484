"""Every published number of the study behind `published`, out of `flipbook report published --json`, one by one."""

import json
import subprocess
import sys

import pytest

from tests.conftest import ROOT

BF16 = ("BF16 cap1", "BF16 cap8", "BF16 cap32")


@pytest.fixture(scope="module")
def report(bundled_store):
    command = [sys.executable, "-m", "flipbook", "report", "published", "--json", "--store", str(bundled_store)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


def cell(report, name):
    return next(one for one in report["cells"] if one["cell"] == name)


def crossed(report, a, b):
    return next(one for one in report["cross_cell"] if {one["a"], one["b"]} == {a, b})


def pair(report, a, b):
    return next(one for one in report["pairs"] if {one["a"], one["b"]} == {a, b})


def run(report, name):
    return next(one for one in report["runs"] if one["run"] == name)


def spread(values, digits, scale=1.0):
    return f"{min(values) * scale:.{digits}f}-{max(values) * scale:.{digits}f}"


def same_core(report, arm):
    """The stable core of a quantised cell against each BF16 cell, when it is one and the same set."""
    cores = [crossed(report, f"{arm} cap32", bf16)["stable_core"] for bf16 in BF16]
    assert cores[0]["ids"] == cores[1]["ids"] == cores[2]["ids"]
    return cores[0]


def in_agreement(report, question, answer):
    """Deployments of the BF16 arm on vLLM that gave `answer`: the grid's, and the probe's once."""
    rows = [
        row
        for row in report["answers_by_arm"]
        if (row["question"], row["arm"], row["engine"], row["answer"]) == (question, "BF16", "vllm", answer)
    ]
    return sum(row["deployments"].get(role, 0) for row in rows for role in ("grid", "probe"))


def of_cell(name, mean, sd, unstable, flips, identity, repeats):
    return {
        f"{name} reps": (repeats, lambda r: str(cell(r, name)["deployments"])),
        f"{name} mean": (mean, lambda r: f"{cell(r, name)['accuracy']['mean']:.2%}".rstrip("%")),
        f"{name} sd ddof=1": (sd, lambda r: f"{100 * cell(r, name)['accuracy']['sd']:.2f}"),
        f"{name} unstable": (unstable, lambda r: str(cell(r, name)["unstable"]["count"])),
        f"{name} flips %": (flips, lambda r: f"{100 * cell(r, name)['flips']['count'] / cell(r, name)['flips']['of']:.2f}"),
        f"{name} identity %": (identity, lambda r: f"{100 * cell(r, name)['identity']['rate']:.1f}"),
    }


def shared_pair(a, b, identical, flips):
    return {
        f"{a}/{b} identical, flips": (
            str((identical, flips)),
            lambda r: str((pair(r, a, b)["identical"], pair(r, a, b)["flips"])),
        )
    }


def harness(report):
    (found,) = report["extractors"]
    return found


NUMBERS = (
    {
        "23 grid runs": ("23", lambda r: str(sum(one["role"] == "grid" for one in r["runs"]))),
        "22 GPUs": ("22", lambda r: str(r["gpus"])),
        "5 GPUs for FP8": ("5", lambda r: str(cell(r, "FP8 cap32")["gpus"])),
    }
    | of_cell("BF16 cap1", "94.87", "0.23", "16", "0.81", "59.3", "3")
    | of_cell("BF16 cap8", "94.95", "0.20", "25", "0.91", "59.3", "5")
    | of_cell("BF16 cap32", "95.09", "0.17", "22", "0.83", "64.2", "5")
    | of_cell("FP8 cap32", "95.22", "0.00", "0", "0.00", "100.0", "5")
    | of_cell("INT4 cap32", "95.21", "0.11", "34", "1.26", "59.9", "5")
    | {
        "cap32 pair-questions": ("13190", lambda r: str(cell(r, "BF16 cap32")["identity"]["of"])),
        "cap32 diverged": ("4724", lambda r: str(cell(r, "BF16 cap32")["attenuation_base"]["diverged"])),
        "cap32 flips": ("110", lambda r: str(cell(r, "BF16 cap32")["flips"]["count"])),
        "cap32 attenuation": ("43", lambda r: f"{cell(r, 'BF16 cap32')['attenuation']:.0f}"),
        "attenuation range": ("32-50", lambda r: spread([c["attenuation"] for c in r["cells"] if c["attenuation"]], 0)),
        "median first divergence range": (
            "103-110",
            lambda r: spread([c["first_divergence"]["median"] for c in r["cells"] if c["first_divergence"]["median"]], 0),
        ),
        "fragile set": ("55", lambda r: str(r["fragile_set"]["count"])),
        "fragile set = annotated": ("True", lambda r: str(r["fragile_set"]["ids"] == annotated_fragile())),
        "churn range": (
            "36-41",
            lambda r: spread([1 - c["identity"]["rate"] for c in r["cells"] if c["identity"]["rate"] < 1], 0, 100),
        ),
        "cross-cell BF16 flips": (
            "0.88-1.02",
            lambda r: spread([crossed(r, a, b)["rate"] for a in BF16 for b in BF16 if a < b], 2, 100),
        ),
        "differing inside fragile": (
            "True",
            lambda r: str(
                all(crossed(r, a, b)["differing"] == crossed(r, a, b)["inside_fragile"] for a in BF16 for b in BF16 if a < b)
            ),
        ),
        "FP8 cap32 vs every BF16 cell: same set": ("15", lambda r: str(same_core(r, "FP8")["count"])),
        "FP8 cap32 correct on": ("8", lambda r: str(same_core(r, "FP8")["right"]["FP8 cap32"])),
        "INT4 cap32 vs every BF16 cell: same set": ("11", lambda r: str(same_core(r, "INT4")["count"])),
        "INT4 cap32 correct on": ("8", lambda r: str(same_core(r, "INT4")["right"]["INT4 cap32"])),
        "stable arm disagreements": ("22", lambda r: str(sum(group["count"] for group in r["signature_groups"]))),
        "re-roll share pooled arms": ("65-83", lambda r: spread([arm["reroll_share"] for arm in r["arms"]], 0, 100)),
        "HF flips": ("15", lambda r: str(r["anchor"]["flips"])),
        "HF identical": ("0", lambda r: str(r["anchor"]["identical"])),
        "HF acc": ("95.15", lambda r: f"{100 * run(r, r['anchor']['run'])['correct'] / run(r, r['anchor']['run'])['of']:.2f}"),
        "vLLM reference acc": (
            "95.22",
            lambda r: f"{100 * run(r, r['anchor']['partner'])['correct'] / run(r, r['anchor']['partner'])['of']:.2f}",
        ),
        "HF flips in fragile": ("14", lambda r: str(r["anchor"]["in_fragile"])),
        "the fifteenth": ("[539]", lambda r: str([int(q) for q in r["anchor"]["others"]])),
        "q539 BF16 vLLM all 30 (14 deployments)": ("14", lambda r: str(in_agreement(r, "539", "30"))),
        "probe identical": ("1319", lambda r: str(r["probe"]["identical"])),
    }
    | shared_pair("share.0", "share.1", 793, 12)
    | shared_pair("share.0", "share.2", 793, 12)
    | shared_pair("share.1", "share.2", 1319, 0)
    | {
        "median of ten reference pairs": ("60.4", lambda r: f"{100 * cell(r, 'BF16 cap32')['identity']['median_pair']:.1f}"),
        "133: least diverged cap32 pair": (
            "133",
            lambda r: str(min(p["of"] - p["count"] for p in cell(r, "BF16 cap32")["identity"]["per_pair"])),
        ),
        "harness disagreements": ("9", lambda r: str(harness(r)["disagree"])),
        "all n.00, ours right, none fragile": (
            "9",
            lambda r: str(
                min(harness(r)["kinds"]["format-decimal"], harness(r)["right_a_only"]) if not harness(r)["in_fragile"] else None
            ),
        ),
        "98-99% (all pair-questions reading)": (
            "98-99",
            lambda r: spread([c["same_answer"]["of_all"] for c in r["cells"] if c["flips"]["count"]], 0, 100),
        ),
        "accuracy range": (
            "0.35",
            lambda r: (
                f"{100 * (max(c['accuracy']['mean'] for c in r['cells']) - min(c['accuracy']['mean'] for c in r['cells'])):.2f}"
            ),
        ),
    }
)
"""Name → the number as published, and where the report has it."""


def annotated_fragile():
    """The questions the reconstruction marks as fragile, as it lists them (55 of 1,319)."""
    return [line.strip() for line in (ROOT / "tests" / "report" / "fragile.txt").read_text().splitlines()]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_published_number_comes_out_of_the_report(report, name):
    published, found = NUMBERS[name]
    assert found(report) == published


def test_no_published_number_is_left_out(shared):
    listed = json.loads((shared / "published" / "expected.json").read_text())["numbers"]
    assert {entry["name"]: entry["published"] for entry in listed} == {name: value for name, (value, _) in NUMBERS.items()}
    assert len(listed) == len(NUMBERS) == 67


def test_the_fragile_list_is_the_annotated_one(shared):
    import pyarrow.parquet as pq

    rows = pq.read_table(shared / "published" / "roles.parquet").to_pylist()
    assert annotated_fragile() == [str(q) for q in sorted(row["question_id"] for row in rows if row["role"] == "fragile")]
