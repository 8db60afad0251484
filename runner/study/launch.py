"""The study file's parts that touch no result: how deployments are started, and what a plan reckons with."""

from pydantic import Field

from store.contract.base import Frozen


class Launch(Frozen):
    """How deployments are started. The words of `wrapper` stand before the engine's command."""

    wrapper: tuple[str, ...] = Field(description="Empty for local; {device}, {work} and {deployment} are filled in.")
    devices: tuple[str, ...] = Field(min_length=1, description="One deployment at a time on each; `cpu` sets no variable.")
    start_limit_s: float = Field(gt=0, description="Longest silence while the engine starts.")
    silence_limit_s: float = Field(gt=0, description="Longest silence between answers.")


class Planning(Frozen):
    """What `flipbook plan` reckons with. Nothing here touches a result."""

    questions: int | None = Field(default=None, ge=1, description="How many there will be, reckoned with until they are here.")
    flip_rate: float = Field(gt=0, lt=1, description="Pairwise verdict flip rate within a cell, as expected.")
    alpha: float = Field(ge=0.0001, le=0.5)
    power: float = Field(ge=0.5, le=0.9999)
    start_s: float = Field(gt=0, description="Seconds from launch to the first answer.")
    tokens_per_s: float = Field(gt=0, description="Output tokens a second and deployment.")
    tokens_per_question: float = Field(gt=0)
    price_per_device_hour: float = Field(ge=0)
    currency: str
