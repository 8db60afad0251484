"""Which runs of an ingest are new to the store."""

from store.contract.run import RunManifest
from store.errors import RunConflictError
from store.folder import HeldRun


def new_and_unchanged(runs: tuple[RunManifest, ...], held: dict[str, HeldRun]) -> tuple[list[RunManifest], list[str]]:
    """Runs to seal, and ids held already. Raises RunConflictError on a held run with other content."""
    fresh: list[RunManifest] = []
    unchanged: list[str] = []
    for run in runs:
        known = held.get(run.run_id)
        if known is None:
            fresh.append(run)
        elif known.content_digest == run.content_digest:
            unchanged.append(run.run_id)
        else:
            raise RunConflictError(
                f"run {run.run_id!r} is in the store with other content, sealed at generation {known.generation}",
                fix="Sealed runs never change: give the new one another run id, or remove the study first.",
            )
    return fresh, unchanged
