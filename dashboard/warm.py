"""Imports everything that pages need while the server starts, so that the first visitor does not wait for it."""

from dashboard import compare_parts, fragile_parts, overview_parts, pair_parts, question_parts, side_by_side  # noqa: F401
from dashboard.figures import accuracy, funnel  # noqa: F401
