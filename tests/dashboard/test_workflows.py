"""The walks of those who use the pages every week, from a cold link, in a real browser, on both bundled studies."""

import re

import pytest
from playwright.sync_api import expect

from store.folder import Store
from tests.builders import answered, labels
from tests.conftest import serving
from tests.dashboard.browsing import column, mark, panes, settled, steps, table
from tests.store.test_folder import admit

NOISE, ENVIRONMENT, CHANGES = "questions that are not noise", "environment fields that differ", "gains and losses"


def in_another_browser(browser, link, heading):
    """The link as somebody else opens it: nothing is shared with who sent it."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    other = context.new_page()
    other.goto(link)
    settled(other, heading)
    return other


def copied(page):
    """What Copy link puts into the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied ✓")).to_be_visible()
    return page.evaluate("navigator.clipboard.readText()")


@pytest.mark.parametrize(
    ("study", "a", "b", "fields", "noise", "sentence"),
    [
        ("published", "BF16 cap1", "BF16 cap8", ["max_num_seqs"], ["221", "1272"], "+0.08 pt on 1,319 questions, unresolved"),
        (
            "smollm2-mini",
            "bf16-compiled-cap8",
            "bf16-eager-cap1",
            ["compilation_mode", "compilation_options", "max_num_seqs"],
            ["counting-fact-02", "short-word-problem-11", "code-06", "low-margin-01"],
            "+2.67 pt on 75 questions, not resolvable",
        ),
    ],
)
def test_1_before_an_upgrade_two_configurations_are_compared_and_a_question_is_read(
    server, page, browser, study, a, b, fields, noise, sentence
):
    page.goto(f"{server}/compare?study={study}&side_a={a}&side_b={b}")
    settled(page, f"{b} against {a}")
    expect(page.locator(".fb-lead")).to_contain_text(sentence)
    assert column(page, ENVIRONMENT, 0) == fields
    assert column(page, NOISE, 0) == noise
    expect(page.locator(".fb-figure svg").first).to_be_visible()
    before = steps(page)
    table(page, NOISE).get_by_role("link", name=noise[0], exact=True).click()
    settled(page, f"Question {noise[0]}")
    assert steps(page) == before + 1
    expect(page.get_by_text(f"1 of {len(noise)} that are not noise")).to_be_visible()
    texts = panes(page)
    page.keyboard.press("ArrowRight")
    settled(page, f"Question {noise[1]}")
    page.go_back()
    settled(page, f"Question {noise[0]}")
    expect(page.locator(".fb-pane")).to_have_text(texts)
    other = in_another_browser(browser, copied(page), f"Question {noise[0]}")
    assert panes(other) == texts
    other.context.close()
    page.go_back()
    settled(page, f"{b} against {a}")
    page.go_forward()
    settled(page, f"Question {noise[0]}")


def test_1_the_same_by_environment_digest(server, page):
    page.goto(f"{server}/compare?study=published")
    settled(page, "BF16 cap8 against BF16 cap1")
    page.get_by_role("radio", name="environment").click()
    expect(page.locator(".fb-h1")).to_have_text(re.compile("env1:.* against env1:"))
    assert column(page, ENVIRONMENT, 0) == ["max_num_seqs"]
    page.get_by_role("button", name="Swap").click()
    expect(page.locator(".fb-lead")).to_contain_text("−0.08 pt")
    page.go_back()
    expect(page.locator(".fb-lead")).to_contain_text("+0.08 pt")


@pytest.mark.parametrize(
    ("study", "row", "cells"),
    [
        (
            "published",
            ["BF16 cap32", "BF16", "5", "95.09 %", "0.17 pt", "0.83 %", "64.18 %", "22", "42.9", "0", "1,319 / 1,319"],
            5,
        ),
        (
            "smollm2-mini",
            ["int8-eager-cap8", "INT8", "2", "14.67 %", "0.00 pt", "0.00 %", "98.67 %", "0", "∞", "5", "75 / 75"],
            5,
        ),
    ],
)
def test_2_an_author_takes_the_table_the_figures_and_the_link(server, page, browser, study, row, cells):
    page.goto(f"{server}/cells?study={study}")
    settled(page, study)
    caption = "accuracy, flips and identity of every cell"
    assert len(column(page, caption, 0)) == cells
    assert table(page, caption).locator("tr", has_text=row[0]).locator("td").all_inner_texts() == row
    for name, head in (("cells:CSV", b"\xef\xbb\xbfcell,arm"), ("cells:Parquet", b"PAR1")):
        with page.expect_download() as saved:
            key, form = name.split(":")
            page.locator(f'.fb-save[data-name="{key}"]').get_by_role("button", name=form).click()
        assert saved.value.path().read_bytes().startswith(head)
    for name, head in (("accuracy:SVG", b"<svg"), ("funnel:PNG", b"\x89PNG")):
        with page.expect_download() as saved:
            key, form = name.split(":")
            page.locator(f'.fb-save[data-name="figure-{key}"]').get_by_role("button", name=form).click()
        assert saved.value.path().read_bytes().startswith(head)
    table(page, caption).get_by_role("button", name="accuracy").click()
    expect(page).to_have_url(re.compile("sort=cells%3Aaccuracy%3Adown"))
    ranked = column(page, caption, 0)
    other = in_another_browser(browser, page.url, study)
    assert column(other, caption, 0) == ranked
    other.context.close()


def test_2_the_map_of_questions_opens_one_at_the_run_that_was_clicked(server, page):
    page.goto(f"{server}/fragile?study=published")
    settled(page, "Fragile set")
    expect(page.get_by_text("55 / 1,319 questions are unstable")).to_be_visible()
    before = steps(page)
    mark(page, "question: 607;", "run: i4.1;").first.click()
    settled(page, "Question 607")
    expect(page).to_have_url(re.compile("a=i4.1.*within=map"))
    assert steps(page) == before + 1
    page.go_back()
    settled(page, "Fragile set")
    page.get_by_placeholder("regular expression").fill("q(607|77)\\b")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 / 77 questions")).to_be_visible()
    page.get_by_role("radio", name="answer").click()
    expect(page).to_have_url(re.compile("show=answer"))
    page.go_back()
    expect(page).to_have_url(re.compile("show=verdict"))
    expect(page.get_by_text("2 / 77 questions")).to_be_visible()


@pytest.mark.parametrize(
    ("study", "q", "following", "classes", "gold"),
    [
        ("published", "607", "608", 10, "gold answer 10"),
        ("smollm2-mini", "short-word-problem-11", "short-word-problem-12", 3, "gold answer 14"),
    ],
)
def test_3_a_reviewer_lands_on_one_question_and_walks_on(server, page, study, q, following, classes, gold):
    page.goto(f"{server}/question?study={study}&q={q}")
    settled(page, f"Question {q}")
    expect(page.get_by_text(gold)).to_be_visible()
    assert len(column(page, "classes of equal output", 0)) == classes
    first = panes(page)
    assert first[0] != first[1]
    expect(page.get_by_text("identical tokens, then")).to_be_visible()
    assert column(page, "what each extractor read in the outputs shown", 1) == ["answer-line@1", "answer-line@1"]
    page.get_by_text("Tokens around the divergence", exact=True).click()
    expect(table(page, "output tokens around the divergence")).to_be_visible()
    page.mouse.click(5, 5)
    page.keyboard.press("ArrowRight")
    settled(page, f"Question {following}")
    page.keyboard.press("ArrowLeft")
    settled(page, f"Question {q}")
    expect(page.locator(".fb-pane")).to_have_text(first)


@pytest.mark.parametrize(
    ("study", "a", "b", "table_counts", "layer"),
    [
        ("published", "c1.0", "i4.0", ["1,238", "10", "17", "54"], "identical tokens"),
        ("smollm2-mini", "bf16-eager-cap8.0", "int8-eager-cap8.0", ["9", "10", "2", "54"], "identical tokens"),
    ],
)
def test_4_and_5_a_pair_is_opened_from_the_matrix_and_its_changes_read(server, page, browser, study, a, b, table_counts, layer):
    page.goto(f"{server}/pairs?study={study}")
    settled(page, "Pairs")
    page.get_by_role("radio", name="similarity").click()
    expect(page).to_have_url(re.compile("order=similarity"))
    mark(page, f"a: {a};", f"b: {b};", layer).first.click()
    expect(page.get_by_role("heading", name=f"{b} against {a}")).to_be_visible()
    counts = table(page, re.sub("x", "x", f"verdicts of both on {'1,319' if study == 'published' else '75'} questions"))
    assert counts.locator("td.fb-right").all_inner_texts() == table_counts
    changed = column(page, CHANGES, 0)
    assert len(changed) == min(int(table_counts[1]) + int(table_counts[2]), 20)
    table(page, CHANGES).get_by_role("link", name=changed[0], exact=True).click()
    settled(page, f"Question {changed[0]}")
    expect(page).to_have_url(re.compile(f"a={a}.*b={b}"))
    page.go_back()
    settled(page, "Pairs")
    expect(page.get_by_role("heading", name=f"{b} against {a}")).to_be_visible()
    other = in_another_browser(browser, copied(page), "Pairs")
    assert column(other, CHANGES, 0) == changed
    other.context.close()
    page.go_back()
    expect(page.get_by_role("heading", name=f"{b} against {a}")).to_have_count(0)


def test_5_the_cell_matrix_leads_to_the_comparison(server, page):
    page.goto(f"{server}/pairs?study=published&matrix=verdict")
    settled(page, "Pairs")
    mark(page, "a: BF16 cap1;", "b: FP8 cap32;", "floor").first.click()
    settled(page, "FP8 cap32 against BF16 cap1")
    page.go_back()
    settled(page, "Pairs")


def test_a_link_keeps_its_meaning_when_runs_are_added_and_when_the_store_is_rebuilt(tmp_path, browser):
    store = Store(tmp_path / "store")
    one, two = [answered("q1", "The final answer is 1")], [answered("q1", "The final answer is 2")]
    admit(
        store,
        *(
            (labels(f"{cell}{i}", cell=cell, repeat=i), [*records])
            for cell, records in (("x", one), ("y", two))
            for i in range(2)
        ),
    )
    for server in serving(store.root):
        page = browser.new_page()
        links = {}
        for path, heading in (
            ("cells", "s"),
            ("compare", "y against x"),
            ("pairs", "Pairs"),
            ("fragile", "Fragile set"),
            ("question", "Question q1"),
        ):
            page.goto(f"{server}/{path}?study=s")
            settled(page, heading)
            expect(page).to_have_url(re.compile("as_of=1"))
            links[path] = (page.url, heading, page.locator(".fb-table").first.inner_text())
        admit(store, (labels("x2", cell="x", repeat=2), [answered("q1", "The final answer is 3")]))
        store.rebuild()
        for link, heading, shown in links.values():
            page.goto(link)
            settled(page, heading)
            expect(page.get_by_text("Added since and left out: 1 run.")).to_be_visible()
            assert page.locator(".fb-table").first.inner_text() == shown
            assert page.url == link
        page.goto(links["compare"][0])
        settled(page, "y against x")
        page.get_by_role("button", name="Show the newest").click()
        expect(page).to_have_url(re.compile("as_of=2"))
        expect(page.locator(".fb-lead")).to_contain_text("at 3 × 2 deployments")
        page.close()
