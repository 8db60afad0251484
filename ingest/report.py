"""What an ingest did."""

from dataclasses import dataclass

from store.contract.run import RunManifest, RunState
from store.sealed.rows import Refused


@dataclass(frozen=True, slots=True)
class IngestReport:
    """runs: sealed now. unchanged: runs the store held already with equal content.

    refused: the lines that were not taken (all are kept in the bundle). skipped: names the patterns
    left out. short: run id to number of questions, for runs that answered fewer than the set holds.
    generation: null when nothing was new.
    """

    study: str
    runs: tuple[RunManifest, ...]
    unchanged: tuple[str, ...]
    refused: tuple[Refused, ...]
    skipped: tuple[str, ...]
    short: dict[str, int]
    questions: int
    generation: int | None

    @property
    def quarantined(self) -> tuple[RunManifest, ...]:
        return tuple(run for run in self.runs if run.state is RunState.QUARANTINED)

    @property
    def exit_code(self) -> int:
        """0 fine or no-op, 1 when something was sealed and a line was refused or a run quarantined."""
        return 1 if self.generation is not None and (self.refused or self.quarantined) else 0
