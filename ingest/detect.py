"""What a file is, told from its first bytes; its name is only checked against that."""

from enum import StrEnum
from pathlib import PurePosixPath

from store.errors import InputError

HEAD_BYTES = 4_096


class Content(StrEnum):
    """Kinds of content that can be read."""

    PARQUET = "Parquet"
    JSON = "JSON"
    JSONL = "JSON lines"
    CSV = "CSV"
    GZIP = "gzip"
    ZIP = "zip"
    TAR = "tar"


_NAMED: dict[str, tuple[Content, ...]] = {
    ".parquet": (Content.PARQUET,),
    ".json": (Content.JSON, Content.JSONL),
    ".jsonl": (Content.JSON, Content.JSONL),
    ".ndjson": (Content.JSON, Content.JSONL),
    ".csv": (Content.CSV,),
    ".tsv": (Content.CSV,),
    ".gz": (Content.GZIP,),
    ".tgz": (Content.GZIP,),
    ".zip": (Content.ZIP,),
    ".tar": (Content.TAR,),
}
READABLE = "CSV, JSON, JSON lines or Parquet, plain or in .gz, .tgz, .tar or .zip"


def detect(head: bytes, name: str) -> Content:
    """Kind of content that `head` (the first `HEAD_BYTES`) begins.

    Raises InputError on an empty file, on bytes that are none of the kinds, and where the name's
    ending promises another kind.
    """
    if not head.strip():
        raise InputError("the file is empty", where=name, fix="Leave it out, or fetch it again.")
    ending = PurePosixPath(name).suffix.lower()
    content = _by_bytes(head)
    if ending in (".jsonl", ".ndjson") and content in (Content.CSV, Content.JSON) and _starts_with_a_line(head):
        content = Content.JSONL  # a first line that is broken or no object is refused as a line
    promised = _NAMED.get(ending)
    if content is None:
        raise InputError("the bytes are of no kind that can be read", where=name, fix=f"Readable: {READABLE}.")
    if promised is not None and content not in promised:
        what = f"the name says {promised[0]}, the content is {content}"
        raise InputError(what, where=name, fix="Rename it or check where it came from.")
    return content


def packing(head: bytes) -> Content | None:
    """Kind of archive that `head` begins, null for anything else."""
    content = _by_bytes(head)
    return content if content in (Content.GZIP, Content.ZIP, Content.TAR) else None


def _starts_with_a_line(head: bytes) -> bool:
    """Whether the first line is something of its own, and not the opening of a document that goes on."""
    first = head.lstrip().split(b"\n", 1)[0].rstrip()
    return not first.startswith(b"[") or (first.endswith(b"]") and first != b"[]")


def _by_bytes(head: bytes) -> Content | None:
    if head.startswith(b"PAR1"):
        return Content.PARQUET
    if head.startswith(b"\x1f\x8b"):
        return Content.GZIP
    if head.startswith(b"PK\x03\x04"):
        return Content.ZIP
    if head[257:262] == b"ustar":
        return Content.TAR
    if b"\0" in head:
        return None
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"["):
        return Content.JSON
    if text.startswith(b"{"):
        return Content.JSONL
    return None if text.startswith(b"<") else Content.CSV
