"""Sealed bundles: Parquet files and a manifest, written once and never changed."""
