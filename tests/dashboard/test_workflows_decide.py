"""Walks of those who decide on a change and of those who run the machines, from a cold link, in a real browser."""

import json
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.dashboard.browsing import column, mark, settled, steps

NOISE, ENVIRONMENT = "questions that are not noise", "environment fields that differ"


@pytest.mark.parametrize(
    ("study", "a", "b"),
    [("published", "BF16 cap8", "INT4 cap32"), ("smollm2-mini", "bf16-compiled-cap8", "bf16-eager-cap1")],
)
def test_4_a_release_is_judged_on_one_sentence_and_the_list_behind_it(server, bundled_store, page, study, a, b):
    page.goto(f"{server}/compare?study={study}&side_a={a}&side_b={b}")
    settled(page, f"{b} against {a}")
    command = [sys.executable, "-m", "flipbook", "compare", study, a, b, "--json", "--store", str(bundled_store)]
    said = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert re.search(r"un?resolved|not resolvable", said["sentence"])  # never "no difference"
    expect(page.locator(".fb-lead")).to_have_text(re.sub(r"\s+", " ", said["sentence"]))
    ids = column(page, NOISE, 0)
    assert sorted(ids) == sorted(q["question"] for q in said["not_noise"])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy Markdown").click()
    expect(page.get_by_role("button", name="Copied ✓")).to_be_visible()
    record = page.evaluate("navigator.clipboard.readText()")
    assert said["sentence"].replace("\u2212", "-")[:20] in record.replace("\u2212", "-")
    assert all(question in record for question in ids)


@pytest.mark.parametrize("study", ["published", "smollm2-mini"])
def test_5_digest_against_digest_leads_to_the_fields_that_differ(server, page, study):
    page.goto(f"{server}/pairs?study={study}&matrix=tokens")
    settled(page, "Pairs")
    before = steps(page)
    page.get_by_role("radio", name="declared digest").click()
    expect(page.get_by_role("heading", name="Environments against each other, by declared digest")).to_be_visible()
    expect(page).to_have_url(re.compile("group=declared"))
    assert steps(page) == before + 1
    square = mark(page, "a: env1:", "counted: ").nth(1)
    a, b = re.match(r"a: (env1:\w+); .b: (env1:\w+);", square.get_attribute("aria-label")).groups()
    assert a != b
    square.click()
    settled(page, f"{b} against {a}")
    assert column(page, ENVIRONMENT, 0)
    page.go_back()
    settled(page, "Pairs")
    expect(page.get_by_role("heading", name="Environments against each other, by declared digest")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Cells against each other")).to_be_visible()


def test_5_runs_stand_by_digest_and_a_pair_opens(server, page):
    page.goto(f"{server}/pairs?study=smollm2-mini&order=digest")
    settled(page, "Pairs")
    mark(page, "a: int8-eager-cap8.0;", "b: int8-eager-cap8.1;").first.click()
    expect(page.get_by_role("heading", name="int8-eager-cap8.1 against int8-eager-cap8.0")).to_be_visible()
    expect(page.get_by_text("fresh–fresh · identical tokens 74 / 75")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="int8-eager-cap8.1 against int8-eager-cap8.0")).to_have_count(0)
