"""Imports everything that pages need while the server starts, so that the first visitor does not wait for it."""

from dashboard import compare_parts, fragile_parts, pair_parts, question_parts, side_by_side
from dashboard.figures import accuracy, funnel
from dashboard.rows import overview, question

LOADED = (accuracy, compare_parts, fragile_parts, funnel, overview, pair_parts, question, question_parts, side_by_side)
"""Modules that are in memory once this one is."""
