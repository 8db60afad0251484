"""`flipbook serve` and `flipbook demo`."""

import os
import socket
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import click

from flipbook.console import STORE_VARIABLE, say, store_option
from store.errors import UsageError

HOST = "127.0.0.1"
FIRST_PORT, TRIES = 8501, 50
port_option = click.option(
    "--port", type=click.IntRange(1, 65_535), help=f"Port on {HOST}; default: the first free one from {FIRST_PORT}."
)


@click.command()
@port_option
@store_option
def serve(port: int | None, root: Path) -> None:
    """Show a store in a browser, on 127.0.0.1 only. Stop it with Ctrl-C."""
    run_server(root, port)


@click.command()
@click.option("--load-only", is_flag=True, help="Load the bundled studies and stop.")
@port_option
@store_option
def demo(load_only: bool, port: int | None, root: Path) -> None:
    """Load the bundled studies, a small real one and a synthetic reconstruction, and show them."""
    from flipbook.bundled import load_bundled

    for line in load_bundled(root):
        say(line)
    if not load_only:
        run_server(root, port)


def run_server(root: Path, port: int | None) -> None:
    """Become the Streamlit server. Raises UsageError when the port is taken."""
    chosen = _port(port)
    os.environ[STORE_VARIABLE] = str(root.resolve())
    script = str(files("dashboard").joinpath("asgi.py"))
    options = {**_settings(), "server.address": HOST, "server.port": str(chosen)}
    say(f"Flipbook shows {root} at http://{HOST}:{chosen} (Ctrl-C stops it)")
    arguments = [f"--{name}={value}" for name, value in options.items()]
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", script, *arguments])


def _settings() -> dict[str, str]:
    """The packaged config.toml as Streamlit options, so that they hold in any working folder."""
    packaged = Path(str(files("dashboard"))) / "streamlit-config.toml"
    path = packaged if packaged.exists() else Path(str(files("dashboard"))).parent / ".streamlit" / "config.toml"
    return _flat(tomllib.loads(path.read_text(encoding="utf-8")), "")


def _flat(table: dict[str, object], prefix: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            options |= _flat(value, f"{prefix}{name}.")
        else:
            options[f"{prefix}{name}"] = str(value).lower() if isinstance(value, bool) else str(value)
    return options


def _port(wanted: int | None) -> int:
    if wanted is not None:
        if not _free(wanted):
            raise UsageError(f"port {wanted} is taken", fix="Give another one with --port.")
        return wanted
    found = next((port for port in range(FIRST_PORT, FIRST_PORT + TRIES) if _free(port)), None)
    if found is None:
        raise UsageError(f"no free port from {FIRST_PORT} on", fix="Give one with --port.")
    return found


def _free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
