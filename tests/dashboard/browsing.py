"""Driving a page in a real browser."""

import re

from playwright.sync_api import Page, expect

SETTLED = 20_000
"""Milliseconds a busy machine may take."""

expect.set_options(timeout=SETTLED)

RESTING = '[data-testid="stApp"][data-test-script-state="notRunning"]'
"""The server is done with the page; Streamlit's own sign for that appears only after a while."""
SHELLS = ", ".join(f".fb-{name}:empty" for name in ("side", "walk", "controls", "datatable", "figure"))
"""Components whose script has not begun: they hear no key yet."""


def settled(page: Page, heading: str) -> None:
    """Wait until the page with this heading is drawn whole."""
    expect(page.locator(".fb-h1")).to_have_text(heading, timeout=SETTLED)
    expect(page.locator(RESTING)).to_have_count(1, timeout=SETTLED)
    expect(page.locator(SHELLS)).to_have_count(0, timeout=SETTLED)
    if "study=" in page.url:  # the address is completed once the page is drawn
        expect(page).to_have_url(re.compile("as_of="), timeout=SETTLED)


def table(page: Page, caption: str):
    """The table of this caption."""
    return page.locator(".fb-table", has=page.locator("caption", has_text=re.compile(f"^{re.escape(caption)}$")))


def column(page: Page, caption: str, index: int) -> list[str]:
    """Texts of one column, as the table is sorted and filtered now."""
    expect(table(page, caption)).to_be_visible()
    return table(page, caption).locator(f"tbody tr td:nth-child({index + 1})").all_inner_texts()


def panes(page: Page, count: int = 2) -> list[str]:
    """Texts of the outputs side by side."""
    expect(page.locator(".fb-pane")).to_have_count(count, timeout=SETTLED)
    return page.locator(".fb-pane").all_text_contents()


def mark(page: Page, *said: str):
    """Marks of charts whose label holds all of these."""
    return page.locator(".fb-figure " + "".join(f'[aria-label*="{part}"]' for part in said))


def steps(page: Page) -> int:
    """Entries of the browser's history."""
    return int(page.evaluate("history.length"))
