"""The SQL of the project: files, each run under its own name with bound parameters."""

from functools import cache
from importlib.resources import files


@cache
def statement(name: str) -> str:
    """Text of `store/sql/<name>.sql`, e.g. ``read/runs``."""
    return files("store").joinpath("sql", f"{name}.sql").read_text(encoding="utf-8")
