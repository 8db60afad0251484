"""Moving between pages and questions: the side bar, arrow keys, the line for an id."""

import re

import pytest
from playwright.sync_api import expect

from tests.dashboard.browsing import settled, steps, table


def test_the_side_bar_leads_to_every_page_and_keeps_the_study(server, page):
    page.goto(f"{server}/cells?study=published")
    settled(page, "published")
    side = page.get_by_role("navigation", name="Pages of the study")
    expect(side.locator("[aria-current=page]")).to_have_text(re.compile("Overview"))
    before = steps(page)
    for label, heading in (("Fragile set", "Fragile set"), ("Question", "Question 0"), ("Pairs", "Pairs")):
        side.get_by_role("link", name=label).click()
        settled(page, heading)
        expect(page).to_have_url(re.compile("study=published.*as_of="))
    assert steps(page) == before + 3
    page.go_back()
    settled(page, "Question 0")
    page.get_by_role("navigation", name="Flipbook").get_by_role("link", name="Words").click()
    settled(page, "Words")
    page.go_back()
    settled(page, "Question 0")


def test_another_study_and_another_extractor_are_chosen_in_the_side_bar(server, page):
    page.goto(f"{server}/pairs?study=published")
    settled(page, "Pairs")
    page.get_by_label("Scored by").select_option("lm_eval/strict-match@published")
    expect(page).to_have_url(re.compile("extractor=lm_eval%2Fstrict-match%40published"))
    expect(page.get_by_text("Verdicts by lm_eval/strict-match@published.")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Verdicts by answer-line@1.")).to_be_visible()
    expect(page.get_by_label("Scored by")).to_have_value("answer-line@1")
    page.get_by_label("Study", exact=True).select_option("smollm2-mini")
    settled(page, "smollm2-mini")


@pytest.mark.parametrize("pause", [0, 170, 300])
def test_no_press_of_an_arrow_key_is_lost(server, page, pause):
    page.goto(f"{server}/question?study=published&q=600")
    settled(page, "Question 600")
    before = steps(page)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(pause)
    settled(page, "Question 605")
    assert before < steps(page) <= before + 5
    page.keyboard.press("ArrowLeft")
    settled(page, "Question 604")
    page.go_back()
    settled(page, "Question 605")


def test_a_press_just_as_the_page_arrives_counts(server, page):
    page.goto(f"{server}/question?study=published&q=600")
    settled(page, "Question 600")
    page.evaluate(
        """() => {  // the heading is drawn before the buttons know where they are: turn round in that moment
            const seen = new MutationObserver(() => {
                if (document.querySelector(".fb-h1")?.textContent !== "Question 601") return;
                seen.disconnect();
                window.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
                window.turned = true;
            });
            seen.observe(document.body, { subtree: true, childList: true, characterData: true });
        }"""
    )
    page.keyboard.press("ArrowRight")
    page.wait_for_function("window.turned")
    settled(page, "Question 600")


def test_clicks_that_follow_each_other_in_the_side_bar_end_where_the_last_leads(server, page):
    page.goto(f"{server}/cells?study=published")
    settled(page, "published")
    side = page.get_by_role("navigation", name="Pages of the study")
    for label in ("Compare", "Pairs", "Fragile set"):
        side.get_by_role("link", name=label).click()
        page.wait_for_timeout(80)
    settled(page, "Fragile set")
    expect(page.get_by_text("encountered an error")).to_have_count(0)


def test_choices_that_follow_each_other_are_all_taken_and_keep_the_keyboard(server, page):
    page.goto(f"{server}/pairs?study=published")
    settled(page, "Pairs")
    for name in ("answer", "digest", "every role", "verdict flips"):
        page.get_by_role("radio", name=name, exact=True).click()
        page.wait_for_timeout(30)
    expect(page).to_have_url(re.compile("matrix=verdict.*order=digest.*among=all"))
    for name in ("verdict flips", "digest", "every role"):
        expect(page.get_by_role("radio", name=name, exact=True)).to_be_checked()
    page.get_by_role("radio", name="verdict flips", exact=True).focus()
    for layer in ("answer", "text"):
        page.keyboard.press("ArrowLeft")
        expect(page).to_have_url(re.compile(f"matrix={layer}"))
        expect(page.get_by_role("radio", name=layer, exact=True)).to_be_focused()


def test_the_line_for_an_id_opens_it_and_arrow_keys_in_it_move_the_cursor(server, page):
    page.goto(f"{server}/question?study=published&q=600")
    settled(page, "Question 600")
    line = page.get_by_placeholder("Go to question id")
    line.fill("607")
    line.press("ArrowLeft")
    settled(page, "Question 600")
    line.press("Enter")
    settled(page, "Question 607")
    page.get_by_placeholder("Go to question id").fill("no such question")
    page.get_by_placeholder("Go to question id").press("Enter")
    settled(page, "Question no such question")
    page.get_by_placeholder("Go to question id").fill("1318")
    page.get_by_placeholder("Go to question id").press("Enter")
    settled(page, "Question 1318")
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.get_by_role("link", name="Back to Overview").click()
    settled(page, "published")


BACK_AT_ONCE = """words => {  // Back in the moment the address says it, before the page is drawn
    const push = history.pushState;
    history.pushState = function (...step) {
        push.apply(history, step);
        if (!String(step[2]).includes(words)) return;
        history.pushState = push;
        setTimeout(() => history.back(), 0);
        window.wentBack = true;
    };
}"""


def choose_layer(page):
    page.get_by_role("radio", name="verdict flips", exact=True).click()


def choose_scorer(page):
    page.get_by_label("Scored by").select_option("lm_eval/strict-match@published")


def sort_table(page):
    table(page, "pairs of each kind together").get_by_role("button").first.click()


@pytest.mark.parametrize(
    ("choose", "said"), [(choose_layer, "matrix=verdict"), (choose_scorer, "strict-match"), (sort_table, "sort=")]
)
def test_back_before_the_page_has_followed_leaves_what_the_address_says(server, page, choose, said):
    page.goto(f"{server}/pairs?study=published")
    settled(page, "Pairs")
    page.evaluate(BACK_AT_ONCE, said)
    choose(page)
    page.wait_for_function("window.wentBack")
    expect(page).not_to_have_url(re.compile(re.escape(said)))
    settled(page, "Pairs")
    expect(page.get_by_role("radio", name="tokens", exact=True)).to_be_checked()
    expect(page.get_by_label("Scored by")).to_have_value("answer-line@1")
    expect(page.locator("th[aria-sort=ascending], th[aria-sort=descending]")).to_have_count(0)
