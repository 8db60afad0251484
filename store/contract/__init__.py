"""What a record, an environment, a run and a bundle are: frozen pydantic models, one per file."""
