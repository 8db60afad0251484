"""What a first visitor would wait for, done while the server starts: imports, and the process that draws."""

from threading import Thread

from dashboard import compare_parts, fragile_parts, overview_parts, pair_parts, question_parts, side_by_side  # noqa: F401
from dashboard.figures import accuracy, funnel  # noqa: F401
from dashboard.figures.still import still
from store.contract.base import Json

_ANY: dict[str, Json] = {"mark": "point", "data": {"values": []}, "encoding": {}}

Thread(target=still, args=(_ANY,), daemon=True).start()  # its first picture costs half a second more than the others
