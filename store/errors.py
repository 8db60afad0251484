"""The errors a user can meet. Each names what happened, where, and what to do next.

FlipbookError
├── UsageError          the call itself is off                        exit 2
├── InputError          a file, member or mapping cannot be read      exit 2
│   └── MappingError    a mapping file is wrong or does not fit
├── RunConflictError    a run id that is already held with other data exit 2
└── StoreError          the store folder is missing, broken or full   exit 2
    ├── StoreMissingError
    └── UnknownStudyError
"""

from pydantic import ValidationError


def first_error(error: ValidationError) -> str:
    """The first thing pydantic found, as `field: what is wrong`, on one line."""
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    text = first["msg"].removeprefix("Value error, ").splitlines()[0]
    return f"{key}: {text}" if key else text


class FlipbookError(Exception):
    """Base of every named error; its text is one line, shown as it is without a traceback."""

    exit_code = 2

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        self.what = what
        self.where = where
        self.fix = fix
        super().__init__(self.line)

    @property
    def line(self) -> str:
        """`where: what. What to do.` with the empty parts left out."""
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head.rstrip('.')}. {self.fix}" if self.fix else head


class UsageError(FlipbookError):
    """The command or link asks for something that does not exist in this form."""


class InputError(FlipbookError):
    """A whole file or archive member is refused."""


class MappingError(InputError):
    """A mapping file is invalid, or names something that the data does not have."""


class RunConflictError(FlipbookError):
    """A run id is already in the store with other content; sealed runs never change."""


class StoreError(FlipbookError):
    """The store folder is unusable as it stands."""


class StoreMissingError(StoreError):
    """There is no store at this place, or it holds no study yet."""


class UnknownStudyError(StoreError):
    """The study is not in the store."""
