"""Kernel caches of one deployment: where they lie, what became of them, and what they chose (METHOD P1, P2)."""
