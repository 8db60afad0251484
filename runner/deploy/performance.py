"""What a run took: latencies, throughput, memory, failures, device hours (METHOD: performance)."""

from collections.abc import Sequence

import numpy as np

from runner.deploy.pick import at, int_at
from runner.deploy.told import Told
from runner.study.launch import Planning
from store.contract.record import RequestRecord
from store.contract.run import Performance, Spread


def performance_of(told: Told, records: Sequence[RequestRecord], pass_index: int, planning: Planning) -> Performance:
    """Performance of one pass of a deployment.

    The engine's own clock only, differences of it: time to first token includes queueing, inter-token time is the
    decode time over the tokens after the first. The warm-up request is in neither.
    """
    workers = at(told.environment, "engine", "workers")
    held = [worker for worker in (workers if isinstance(workers, list) else []) if at(worker, "device") is not None]
    bytes_held = [size for worker in held if (size := int_at(worker, "peak_device_bytes")) is not None]
    devices = max(len(held), 1)
    start, end = told.started_unix_s, told.ended_unix_s
    return Performance(
        first_token_s=_spread([r.first_token_latency_s for r in records if r.first_token_latency_s is not None]),
        inter_token_s=_spread([gap for r in records if (gap := _inter_token(r)) is not None]),
        output_tokens=sum(len(r.output_token_ids or ()) for r in records),
        generation_s=told.seconds(f"pass {pass_index}"),
        failed=sum(r.finish_reason == "error" for r in records),
        requests=len(records),
        phases_s={name: seconds for name, _ in told.phases if (seconds := told.seconds(name)) is not None},
        peak_resident_bytes=told.peak_resident_bytes,
        peak_device_bytes=sum(bytes_held) if bytes_held else None,
        devices=devices,
        device_hours=None if start is None or end is None else devices * (end - start) / 3600,
        price_per_device_hour=planning.price_per_device_hour,
        currency=planning.currency,
    )


def _inter_token(record: RequestRecord) -> float | None:
    tokens = len(record.output_token_ids or ())
    if tokens < 2 or record.first_token_s is None or record.last_token_s is None:
        return None
    return (record.last_token_s - record.first_token_s) / (tokens - 1)


def _spread(values: list[float]) -> Spread | None:
    if not values:
        return None
    p50, p95 = np.percentile(values, [50, 95])
    return Spread(p50=float(p50), p95=float(p95), requests=len(values))
