"""Shared ground of the contract models."""

import json
from typing import Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""Any JSON value, as `json.loads` gives it."""


def compact_json(value: Json) -> str:
    """JSON text with sorted keys and no spaces: equal values give equal texts. Numbers as Python writes them."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Frozen(BaseModel):
    """An immutable model that refuses unknown fields, NaN and infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, protected_namespaces=())


class Reasoned(Frozen):
    """A model in which unknown is null *with a reason*, and a field is never absent.

    Every field must be passed. `null_reasons` holds one non-empty sentence for each field that is
    null and for no other. "Known to be absent" is a value of its own: the string ``none``, 0 or an
    empty list; null always means "not known".
    """

    null_reasons: dict[str, str] = Field(description="Why each null field is unknown: field name to reason.")

    @model_validator(mode="after")
    def _every_null_has_its_reason(self) -> Self:
        nulls = {name for name in type(self).model_fields if getattr(self, name) is None}
        given = {name for name, reason in self.null_reasons.items() if reason.strip()}
        if missing := sorted(nulls - given):
            raise ValueError(f"null without a reason in null_reasons: {', '.join(missing)}")
        if surplus := sorted(set(self.null_reasons) - nulls):
            raise ValueError(f"null_reasons names fields that are not null or have an empty reason: {', '.join(surplus)}")
        return self
