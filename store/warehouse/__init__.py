"""The DuckDB file: built from sealed bundles, put in place at once, only ever read through `open`."""
