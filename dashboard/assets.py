"""Streamlit's own files, answered from memory, and the page that loads them, told where the server is.

A cold page asks for about a hundred small files. Streamlit's file route costs several milliseconds each (threads, file status,
four layers of middleware), and takes them from the script of the page, which runs in the same process.
"""

import mimetypes
from collections.abc import Collection
from pathlib import Path

import streamlit
from starlette.types import ASGIApp, Receive, Scope, Send

STATIC = Path(streamlit.__file__).parent / "static"
FOREVER = "public, immutable, max-age=31536000"
"""File names carry a hash of their content, so what was read once stays right."""

HERE = '<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location.href).href}</script>'
"""Without it a deep link first looks for the server below the page's own name, is told 404, waits and looks again."""

_KINDS = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2"}
_ENTRY = '<script type="module"'


class KeptAssets:
    """Answers `GET` of Streamlit's hashed files and of `pages`, by name, "" being the first; the rest goes on to `app`."""

    def __init__(self, app: ASGIApp, pages: Collection[str]) -> None:
        self._app = app
        self._pages = frozenset(f"/{page}" for page in pages)
        self._files = {f"/{p.relative_to(STATIC).as_posix()}": p for p in (STATIC / "static").rglob("*") if p.is_file()}
        self._shell = (STATIC / "index.html").read_text(encoding="utf-8").replace(_ENTRY, HERE + _ENTRY, 1).encode()
        self._bodies: dict[str, bytes] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        whole = scope["type"] == "http" and scope["method"] == "GET" and not _is_partial(scope)
        path = scope["path"] if whole else None
        if path in self._pages:
            await _answer(send, self._shell, "text/html; charset=utf-8", "no-cache")
        elif path in self._files:
            if path not in self._bodies:
                self._bodies[path] = self._files[path].read_bytes()
            kind = _KINDS.get(Path(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
            await _answer(send, self._bodies[path], kind, FOREVER)
        else:
            await self._app(scope, receive, send)


def _is_partial(scope: Scope) -> bool:
    return any(name in (b"range", b"if-none-match", b"if-modified-since") for name, _ in scope["headers"])


async def _answer(send: Send, body: bytes, kind: str, kept: str) -> None:
    headers = {"content-type": kind, "content-length": str(len(body)), "cache-control": kept}
    await send(
        {
            "type": "http.response.start",
            "status": 200,
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": body})
