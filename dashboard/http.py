"""What is served beside the pages: health, and response headers."""

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.data import store_folder
from store.errors import FlipbookError, StoreMissingError
from store.results.scope import newest_generation
from store.warehouse.open import open_warehouse

HEADERS = {
    # Streamlit and Vega need inline script and eval; images, connections, forms and frames stay at home
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws: wss:; worker-src 'self' blob:; "
        "form-action 'self'; frame-ancestors 'self'; frame-src 'self'; object-src 'none'; base-uri 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def health(_: Request) -> JSONResponse:
    """`{"status": "ok" | "empty" | "unreadable", "generation": …}`; 503 when the store cannot be read."""
    try:
        warehouse = open_warehouse(store_folder().warehouse)
        generation = newest_generation(warehouse)
        warehouse.close()
    except StoreMissingError:
        return JSONResponse({"status": "empty", "generation": 0})
    except FlipbookError as error:
        return JSONResponse({"status": "unreadable", "generation": None, "reason": error.line}, status_code=503)
    return JSONResponse({"status": "ok", "generation": generation})


class SecurityHeaders:
    """Adds `HEADERS` to every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)
