"""The sample files that a harness command wrote: found by what changed, kept as they were read."""

import glob
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ingest.mapping import Mapping
from ingest.members import Patterns
from store.errors import InputError

Mark = tuple[int, int, int]
"""Inode, size and modification time in ns: what tells a file that was written from one that lay there."""


@dataclass(slots=True)
class Watched:
    """Files below the current folder that could be samples: those that `globs` match, else those that the mapping takes.

    `aside`: folders that are our own. To be made before the command starts.
    """

    mapping: Mapping
    globs: tuple[str, ...]
    aside: tuple[Path, ...]
    _before: dict[Path, Mark] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._before = dict(self._marks())

    def keep(self, folder: Path) -> int:
        """Copy every file that is new or changed since then into `folder`, under its path from here; gives their number.

        Raises InputError when there is none.
        """
        written = sorted(path for path, mark in self._marks() if self._before.get(path) != mark)
        if not written:
            patterns = self.globs or self.mapping.files.include
            said = f"the command wrote no sample file: nothing new or changed matches {', '.join(patterns)}"
            raise InputError(said, where=str(Path.cwd()), fix="Name the files with --samples.")
        for path in written:
            target = folder / _name(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
        return len(written)

    def _marks(self) -> Iterator[tuple[Path, Mark]]:
        for path in self._matching() if self.globs else self._taken():
            try:
                stat = path.stat()
            except OSError:
                continue  # gone in between, or a link to nowhere
            yield path, (stat.st_ino, stat.st_size, stat.st_mtime_ns)

    def _matching(self) -> Iterator[Path]:
        found = {Path(name).absolute() for pattern in self.globs for name in glob.glob(pattern, recursive=True)}  # noqa: PTH207
        return (path for path in found if path.is_file() and not self._ours(path))

    def _taken(self) -> Iterator[Path]:
        here, patterns = Path.cwd(), Patterns(self.mapping.files.include, self.mapping.files.exclude)
        for name, folders, files in os.walk(here):
            folder = Path(name)
            folders[:] = [inner for inner in folders if not self._ours(folder / inner)]
            for file in files:
                if patterns.take((folder / file).relative_to(here).as_posix()):
                    yield folder / file

    def _ours(self, path: Path) -> bool:
        return any(path.is_relative_to(folder.absolute()) for folder in self.aside)


def _name(path: Path) -> Path:
    """Path from the current folder, or from the root for a file elsewhere."""
    here = Path.cwd()
    return path.relative_to(here if path.is_relative_to(here) else path.anchor)
