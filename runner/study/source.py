"""The study file's part on where the questions come from."""

import re
from typing import Annotated, Self

from pydantic import Field, StringConstraints, field_validator, model_validator

from store.contract.base import Frozen

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Revision = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{7,40}$")]


class Questions(Frozen):
    """Where the questions are: a local file, or one file of a hub dataset at a pinned revision."""

    file: str | None = Field(default=None, description="JSON lines, CSV or Parquet, beside the study file or absolute.")
    hub: str | None = Field(default=None, description="Dataset repository, owner/name.")
    revision: Revision | None = Field(default=None, description="Commit of the dataset repository.")
    path: str | None = Field(default=None, description="File inside the dataset repository.")
    sha256: Sha256 | None = Field(
        default=None,
        description="Of the file's bytes, checked before anything is asked. Null only for a hub file, which its "
        "revision pins: the digest as fetched is then recorded.",
    )
    id: str = Field(description="Column of the question's id, or `row` for q000000, q000001, …")
    text: str = Field(description="Column of the question.")
    gold: str = Field(description="Column of the gold answer.")
    gold_pattern: str | None = Field(default=None, description="Its group 1, in the column, is the gold; null: all of it.")
    category: str | None = Field(default=None, description="Column of the category tag; null where there is none.")
    data_class: str | None = Field(default=None, description="Of prompts and outputs, such as public.")
    access_scope: str | None = Field(default=None, description="Who may read them.")
    retention_until: str | None = Field(default=None, description="ISO 8601 date.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        hub = (self.hub, self.revision, self.path)
        if (self.file is None) == (self.hub is None) or len({part is None for part in hub}) > 1:
            raise ValueError("give either file, or hub with revision and path")
        if self.file is not None and self.sha256 is None:
            raise ValueError("a local file needs its sha256: nothing else pins it")
        return self

    @field_validator("gold_pattern")
    @classmethod
    def _finds_a_group(cls, pattern: str | None) -> str | None:
        try:
            groups = 1 if pattern is None else re.compile(pattern).groups
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from error
        if not groups:
            raise ValueError("has no group: what its first group finds is the gold")
        return pattern
