"""What is being run right now, for whoever looks at the store: one small file per study, replaced as a whole."""

import os
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from store.contract.base import Frozen
from store.contract.run import StudyName

LIVE = "live"


class LiveDeployment(Frozen):
    """A deployment at work: its phase, and answers so far of all it will give."""

    deployment: str
    phase: str
    answers: int
    of: int


class LiveStudy(Frozen):
    """A study at work. `pid` and `host` are the runner's, so that a reader can tell a dead one from a slow one."""

    study: StudyName
    complete: int
    of: int
    at_work: tuple[LiveDeployment, ...]
    updated_at: str
    pid: int
    host: str


def tell(root: Path, study: str, complete: int, of: int, at_work: tuple[LiveDeployment, ...]) -> None:
    """Say how far a study is. The store folder is made when it is not there."""
    told = LiveStudy(
        study=study,
        complete=complete,
        of=of,
        at_work=at_work,
        updated_at=datetime.now(UTC).isoformat(timespec="seconds"),
        pid=os.getpid(),
        host=os.uname().nodename,
    )
    path = root / LIVE / f"{study}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(told.model_dump_json(), encoding="utf-8")
    new.replace(path)


def told(root: Path) -> tuple[LiveStudy, ...]:
    """Every study at work, by name. A file that cannot be read is left out: its runner replaces it soon."""
    found = []
    for path in sorted((root / LIVE).glob("*.json")):
        try:
            found.append(LiveStudy.model_validate_json(path.read_bytes()))
        except (OSError, ValidationError):
            continue
    return tuple(found)


def be_silent(root: Path, study: str) -> None:
    """Take the file away: this process runs nothing any more. Another's is left alone."""
    if any(live.study == study and live.pid == os.getpid() for live in told(root)):
        (root / LIVE / f"{study}.json").unlink(missing_ok=True)
