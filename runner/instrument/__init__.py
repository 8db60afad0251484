"""What runs inside an engine's own Python: the standard library and the engine, nothing of ours.

Packed into one file (`runner.launch.pack`), it reads a job as JSON and appends lines of JSON. It decides
nothing: planning, digests, extraction and verdicts happen outside, from what it wrote.
"""
