"""Paths, folders and archives as one stream of members, each a name and its bytes."""

import gzip
import io
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO

from ingest.detect import HEAD_BYTES, Content, detect, packing
from store.errors import InputError

MAX_MEMBER_BYTES = 8 << 30
"""An archive member that unpacks to more than this is refused: it is a mistake or an attack."""


@dataclass(frozen=True, slots=True)
class Member:
    """One readable file. `stream` is valid until the next member is asked for."""

    name: str
    content: Content
    stream: BinaryIO


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that the patterns leave out."""

    name: str


@dataclass(frozen=True, slots=True)
class Patterns:
    """Which names count: matching one of `include` and none of `exclude` (shell patterns on the whole name)."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]

    def take(self, name: str) -> bool:
        """Whether the member of this name counts. A pattern without `/` is also tried on the last part alone."""
        return any(_matches(name, p) for p in self.include) and not any(_matches(name, p) for p in self.exclude)


def list_files(paths: tuple[Path, ...]) -> tuple[tuple[Path, str], ...]:
    """Every file below the paths with the name it goes by: its own name, or its path inside the given folder.

    Raises InputError on a path that does not exist.
    """
    found: list[tuple[Path, str]] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file())
            found.extend((p, _printable(p.relative_to(path).as_posix())) for p in inside)
        elif path.is_file():
            found.append((path, _printable(path.name)))
        else:
            raise InputError("there is no such file or folder", where=str(path), fix="Check the path.")
    return tuple(found)


def members(path: Path, name: str, patterns: Patterns, progress: Callable[[int], None]) -> Iterator[Member | Skipped]:
    """Members of one file, in the order they stand in it; an archive gives one per file inside.

    Names inside archives are only ever compared with patterns, never used as paths. Raises InputError
    where the file or a member that counts cannot be read.
    """
    with _opened(path) as raw, damaged(name):
        counted = io.BufferedReader(_Counting(raw, progress), HEAD_BYTES * 16)
        head = counted.peek(HEAD_BYTES)[:HEAD_BYTES]
        packed = packing(head)
        if packed is None and not patterns.take(name):
            yield Skipped(name)
        elif packed is None:
            yield Member(name, detect(head, name), counted)
        elif detect(head, name) is Content.GZIP:
            yield from _gzip(counted, name, patterns)
        elif packed is Content.ZIP:
            yield from _zip(counted, name, patterns)
        else:
            yield from _tar(counted, name, patterns)


class _Counting(io.RawIOBase):
    """Raw file that tells how many bytes were read from it."""

    def __init__(self, raw: BinaryIO, progress: Callable[[int], None]) -> None:
        self._raw, self._progress = raw, progress

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        return self._raw.tell()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._raw.read(len(buffer))
        buffer[: len(data)] = data
        self._progress(len(data))
        return len(data)


def _gzip(stream: BinaryIO, name: str, patterns: Patterns) -> Iterator[Member | Skipped]:
    inner = io.BufferedReader(gzip.GzipFile(fileobj=stream), HEAD_BYTES * 16)
    head = inner.peek(HEAD_BYTES)[:HEAD_BYTES]
    bare = name.removesuffix(".gz")
    if packing(head) is Content.TAR:
        with tempfile.TemporaryFile() as unpacked:
            shutil.copyfileobj(inner, unpacked)
            unpacked.seek(0)
            yield from _tar(unpacked, name, patterns)
    elif patterns.take(bare):
        yield Member(bare, detect(head, bare), inner)
    else:
        yield Skipped(bare)


def _tar(stream: BinaryIO, name: str, patterns: Patterns) -> Iterator[Member | Skipped]:
    """Members of a tar that can be sought in, so that links are followed and a damaged header is seen."""
    with tarfile.open(fileobj=stream, mode="r:") as archive:
        for info in archive:
            if info.isdir():
                continue
            linked = info.islnk() or info.issym()
            if not patterns.take(info.name) or not (info.isfile() or linked):
                yield Skipped(info.name)
                continue
            try:
                file = archive.extractfile(info)
            except KeyError as error:
                raise InputError("links to a member that is not in the archive", where=f"{name}:{info.name}") from error
            if file is None:
                yield Skipped(info.name)
                continue
            yield _member(file.read(_allowed(info.size, f"{name}:{info.name}") or -1), info.name)
        stream.seek(archive.offset)
        if stream.read(tarfile.BLOCKSIZE).strip(b"\0"):
            raise InputError("a member's header is damaged; what follows it cannot be read", where=name, fix="Fetch it again.")


def _zip(stream: BinaryIO, name: str, patterns: Patterns) -> Iterator[Member | Skipped]:
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if not patterns.take(info.filename):
                yield Skipped(info.filename)
                continue
            if info.flag_bits & 1:
                raise InputError("the member is encrypted", where=f"{name}:{info.filename}", fix="Unpack it first.")
            _allowed(info.file_size, f"{name}:{info.filename}")
            yield _member(archive.read(info), info.filename)


def _member(data: bytes, name: str) -> Member:
    content = detect(data[:HEAD_BYTES], name)
    if content is Content.GZIP:
        data, name = gzip.decompress(data), name.removesuffix(".gz")
        content = detect(data[:HEAD_BYTES], name)
    if content in (Content.GZIP, Content.ZIP, Content.TAR):
        raise InputError("an archive inside an archive is not opened", where=name, fix="Unpack the outer one first.")
    return Member(name, content, io.BytesIO(data))


def _allowed(size: int, where: str) -> int:
    if size > MAX_MEMBER_BYTES:
        raise InputError(f"unpacks to {size:,} bytes, more than {MAX_MEMBER_BYTES:,}", where=where)
    return size


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", where=str(path)) from error


@contextmanager
def damaged(name: str) -> Iterator[None]:
    """Turn what a damaged or unusual archive raises, wherever it is read, into an InputError that names the file."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile, tarfile.TarError, zipfile.BadZipFile) as error:
        raise InputError(f"the archive is damaged or cut off: {error}", where=name, fix="Fetch it again.") from error
    except NotImplementedError as error:  # zipfile's word for a compression method it does not know
        raise InputError(
            f"the archive is packed in a way that is not read: {error}", where=name, fix="Pack it again."
        ) from error


def _printable(name: str) -> str:
    """A file name as text: bytes that are not UTF-8 are spelled out."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) or ("/" not in pattern and fnmatchcase(name.rpartition("/")[2], pattern))
