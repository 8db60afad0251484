"""Fresh deployments that write per-question records.

This room is still empty: bundles come from `ingest`. What a runner has to leave is `store.contract`.
"""
