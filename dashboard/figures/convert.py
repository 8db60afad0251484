"""Run as a process of its own: Vega-Lite specifications on stdin become pictures on stdout, one after another.

The converter can abort its whole process on a text it does not like; here that costs one picture and not the server.

A request is one line of JSON, `{"form": "svg" | "png", "version": …, "spec": …}`; the answer is eight bytes of length, then
as many of the picture. A length of 0 says that this specification could not be drawn.
"""

import json
import sys
from typing import Any

import vl_convert

SCALE = 2.0
"""Pixels of a PNG for one of the chart."""


def main() -> None:
    """Convert until stdin ends; nothing is fetched."""
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        try:
            made = _convert(asked["form"], asked["spec"], asked["version"])
        except ValueError as error:
            print(error, file=sys.stderr)
            made = b""
        sys.stdout.buffer.write(len(made).to_bytes(8) + made)
        sys.stdout.buffer.flush()


def _convert(form: str, spec: dict[str, Any], version: str) -> bytes:
    if form == "svg":
        return vl_convert.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[]).encode()
    return vl_convert.vegalite_to_png(spec, vl_version=version, scale=SCALE, allowed_base_urls=[])


if __name__ == "__main__":
    main()
