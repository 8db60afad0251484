"""The studies that travel with Flipbook."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal

from flipbook import __version__
from ingest.ingest import Request, ingest
from store.errors import StoreError
from store.folder import Store
from store.people.database import annotate, annotations, open_people
from store.people.gates import gate_set, gate_set_row, keep_gate_set
from store.people.models import Annotation, AnnotationKind
from store.results.gate.file import load_gate_set

STUDIES = ("smollm2-mini", "published")
"""In the order in which they are shown: the real one first."""

DISPUTED = (
    ("423", "the gold is 8, the literal arithmetic gives -8"),
    ("510", "the gold day count is one of three defensible readings"),
)
"""Questions of `published` whose gold its authors dispute."""


def load_bundled(root: Path) -> Iterator[str]:
    """Ingest both studies into the store at `root`, a sentence for each; loaded ones are left alone."""
    store = Store(root)
    for study in STUDIES:
        report = ingest(
            store, Request((bundled_folder() / study,), None, None, None, None, f"flipbook {__version__}"), lambda _: None
        )
        state = "was loaded already" if report.generation is None else f"loaded, {len(report.runs)} runs"
        yield f"{study}: {state}"
    engine = open_people(store.people)
    for question, text in DISPUTED:
        if not annotations(engine, "published", question):
            annotate(engine, _remark(question, text))
    for study in STUDIES:
        gates = load_gate_set(bundled_folder("gates") / f"{study}.toml")
        if gate_set(engine, study, gates.id) is None:  # that of an earlier version stays what it was
            keep_gate_set(engine, gate_set_row(study, gates))
    engine.dispose()


def bundled_folder(name: Literal["studies", "gates"] = "studies") -> Path:
    """Where the sealed studies and their gate sets lie: inside the package, or in examples/ of a checkout."""
    packaged = Path(str(files("flipbook"))) / name
    checkout = Path(str(files("flipbook"))).parent / "examples" / name
    found = next((folder for folder in (packaged, checkout) if folder.is_dir()), None)
    if found is None:
        raise StoreError(f"the bundled {name} are missing from this installation", where=str(packaged), fix="Install it again.")
    return found


def _remark(question: str, text: str) -> Annotation:
    kind = AnnotationKind.DISPUTED_GOLD
    return Annotation(study="published", question_id=question, kind=kind, text=text, author="the study's authors")
