"""A finding: a doubt that is shown beside a number."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """kind: stable name for tests and machines. text: one sentence for people. items: what it is about."""

    kind: Literal[
        "quarantined",
        "incomplete",
        "missing",
        "not-asked",
        "unscored",
        "shared-deployment",
        "outside-set",
        "no-extractor",
        "gold-differs",
        "prompt-differs",
        "environment-varies",
        "thinking",
        "one-deployment",
        "common-questions",
        "tokenizers-differ",
        "inputs-differ",
        "bit-identical",
        "equal-tokens-flip",
        "chain-broken",
        "stored-verdict",
        "hidden-dimension",
        "unresolved",
        "zero-events",
        "empty-outputs",
        "same-repeat",
        "no-cells",
        "not-fresh",
        "no-partner",
    ]
    text: str
    items: tuple[str, ...]
