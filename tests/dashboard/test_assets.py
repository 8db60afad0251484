"""Streamlit's files from memory: the same bytes, kept for ever, and everything else as it was."""

import urllib.error
import urllib.request

import pytest

from dashboard.assets import STATIC


def ask(url, method="GET", **headers):
    """Status, headers and body of an answer."""
    request = urllib.request.Request(url, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


@pytest.mark.parametrize("kind", ["js", "css", "media"])
def test_files_are_those_of_streamlit_and_may_be_kept(server, kind):
    file = min((STATIC / "static" / kind).iterdir(), key=lambda path: path.stat().st_size)
    status, headers, body = ask(f"{server}/static/{kind}/{file.name}")
    assert (status, body) == (200, file.read_bytes())
    assert "immutable" in headers["cache-control"]
    assert headers["content-type"].startswith({"js": "text/javascript", "css": "text/css"}.get(kind, ""))
    assert "frame-ancestors" in headers["content-security-policy"]


@pytest.mark.parametrize("page", ["", "cells?study=published", "question?study=published&q=607", "words"])
def test_a_page_knows_where_its_server_is_and_is_not_kept(server, page):
    status, headers, body = ask(f"{server}/{page}")
    assert status == 200
    assert b"BACKEND_BASE_URL" in body
    assert headers["cache-control"] == "no-cache"
    assert "object-src 'none'" in headers["content-security-policy"]


def test_the_rest_goes_on_to_streamlit(server):
    file = next((STATIC / "static" / "css").iterdir())
    assert ask(f"{server}/static/css/{file.name}", Range="bytes=0-9")[0] == 206
    assert ask(f"{server}/static/css/{file.name}", method="HEAD")[2] == b""
    assert ask(f"{server}/static/..%2f..%2f..%2fasgi.py")[0] in (400, 404)
    assert ask(f"{server}/_stcore/health")[0] == 200


def test_a_deep_link_finds_its_server_at_once(server, page):
    refused = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{server}/cells?study=published")
    page.locator(".fb-h1").first.wait_for()
    assert not refused
