"""The instrument as one file, for any Python to run."""

import zipfile
from importlib.resources import files
from pathlib import Path

PACKAGE = "flipbook_instrument"
START = (
    f"from {PACKAGE}.main import main\n\nif __name__ == '__main__':  # vLLM's spawned processes import this again\n    main()\n"
)
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def pack_instrument(target: Path) -> None:
    """Write the instrument to `target`; the same bytes for the same sources."""
    new = target.with_suffix(".new")
    with zipfile.ZipFile(new, "w") as archive:
        archive.writestr(zipfile.ZipInfo("__main__.py", LONG_AGO), START)
        for source in sorted(files("runner.instrument").iterdir(), key=lambda entry: entry.name):
            if source.name.endswith(".py"):
                archive.writestr(zipfile.ZipInfo(f"{PACKAGE}/{source.name}", LONG_AGO), source.read_bytes())
    new.replace(target)
