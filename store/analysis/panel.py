"""What every run gave to every question, on every layer, as dense arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from store.analysis.verdicts import MISSING, VerdictArray

UNKNOWN = -1
"""Code of what is not known: no record, or a record without this layer."""

CodeArray = npt.NDArray[np.int32]
"""Shape (runs, questions): equal codes in one column mean equal outputs; codes of two columns say nothing together."""

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


OutputLayerName = Literal["tokens", "text"]


@dataclass(frozen=True, slots=True)
class OutputLayer:
    """One layer on which outputs are compared; codes compare only inside one `domain`, which texts do not have."""

    name: OutputLayerName
    codes: CodeArray
    domain: CodeArray | None


@dataclass(frozen=True, slots=True)
class Panel:
    """Dense arrays of shape (runs, questions), rows in the order of `runs`, columns in that of `questions`.

    domain: class of (tokenizer, input ids); token ids are compared only inside one (METHOD: identity).
    tokens: class of the ids less one trailing stop id, `UNKNOWN` also where the domain is unknown.
    texts: class of the exact bytes. answers: class of the canonical answer, "no answer" being one.
    """

    runs: tuple[str, ...]
    questions: tuple[str, ...]
    verdicts: VerdictArray
    domain: CodeArray
    tokens: CodeArray
    texts: CodeArray
    answers: CodeArray

    def rows(self, runs: Sequence[str]) -> "Panel":
        """The panel of some of its runs, in the order asked for. Raises KeyError on a run it does not have."""
        at = {run: i for i, run in enumerate(self.runs)}
        index = np.array([at[run] for run in runs], dtype=np.intp)
        domain, tokens, texts, answers = (codes[index] for codes in (self.domain, self.tokens, self.texts, self.answers))
        return Panel(tuple(runs), self.questions, self.verdicts[index], domain, tokens, texts, answers)

    def columns(self, questions: BoolArray) -> "Panel":
        """The panel of some of its questions, a mask of shape (questions,)."""
        kept = tuple(self.questions[i] for i in np.flatnonzero(questions))
        domain, tokens, texts, answers = (c[:, questions] for c in (self.domain, self.tokens, self.texts, self.answers))
        return Panel(self.runs, kept, self.verdicts[:, questions], domain, tokens, texts, answers)

    @property
    def present(self) -> BoolArray:
        """Where there is a record, shape (runs, questions)."""
        return np.asarray(self.verdicts != MISSING)

    @property
    def token_layer(self) -> OutputLayer:
        """Token ids, comparable inside one tokenizer and prompt."""
        return OutputLayer("tokens", self.tokens, self.domain)

    @property
    def text_layer(self) -> OutputLayer:
        """Exact texts."""
        return OutputLayer("text", self.texts, None)

    @property
    def output_layer(self) -> OutputLayer | None:
        """What "outputs differ" is counted on: tokens where any are known, else texts, else nothing; never mixed."""
        for layer in (self.token_layer, self.text_layer):
            if (layer.codes != UNKNOWN).any():
                return layer
        return None

    def ids(self, mask: BoolArray) -> tuple[str, ...]:
        """Question ids where `mask`, shape (questions,), holds; in the panel's order."""
        return tuple(self.questions[i] for i in np.flatnonzero(mask))
