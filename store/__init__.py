"""The ground floor: record contract, digests, sealed bundles, warehouse and the pure analysis on top of them.

Imports nothing of `ingest`, `runner` or `dashboard`.
"""
