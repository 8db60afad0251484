"""The scripts of our components: each is a file beside this one, put together with those it uses."""

from pathlib import Path


def script(*names: str) -> str:
    """One script of several files, in this order; the last one holds the component itself."""
    return "\n".join(Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8") for name in names)
