"""ASGI entry: the Streamlit app, a health route, and headers that keep model text from reaching out."""

import logging
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

import dashboard.warm  # noqa: F401 - before the first visitor comes
from dashboard.assets import KeptAssets
from dashboard.http import SecurityHeaders, health
from dashboard.link import KEYS as PAGES

log = logging.getLogger("flipbook")


def _log_fault(error: Exception) -> None:
    """Keep the traceback in the server's log; the page shows one calm line (client.showErrorDetails)."""
    log.error("a page failed", exc_info=error)


app = st.App(
    str(Path(__file__).with_name("app.py")),
    routes=[Route("/api/health", health)],
    middleware=[Middleware(SecurityHeaders), Middleware(KeptAssets, pages=("", "words", *PAGES))],
    on_script_error=_log_fault,
)
