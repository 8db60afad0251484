"""The contract as JSON Schema files: `python -m store.contract.schema docs/schema`."""

import json
import sys
from pathlib import Path

from store.contract.base import Frozen
from store.contract.environment import EnvironmentRecord
from store.contract.gates import GateSet
from store.contract.record import RequestRecord
from store.contract.run import BundleManifest

MODELS: dict[str, type[Frozen]] = {
    "record.json": RequestRecord,
    "environment.json": EnvironmentRecord,
    "bundle.json": BundleManifest,
    "gates.json": GateSet,
}


def schema_text(model: type[Frozen]) -> str:
    """The model's JSON Schema, formatted for a diff."""
    return json.dumps(model.model_json_schema(), indent=1, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> None:
    """Write one file per model."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in MODELS.items():
        (folder / name).write_text(schema_text(model), encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1]))
