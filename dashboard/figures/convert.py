"""Run as a process of its own: a Vega-Lite specification on stdin becomes a picture on stdout.

The converter can abort its whole process on a text it does not like; here that costs one picture and not the server.
"""

import sys

import vl_convert

SCALE = 2.0
"""Pixels of a PNG for one of the chart."""


def main(form: str, version: str) -> None:
    """Convert; nothing is fetched."""
    spec = sys.stdin.read()
    if form == "svg":
        sys.stdout.buffer.write(vl_convert.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[]).encode())
    else:
        sys.stdout.buffer.write(vl_convert.vegalite_to_png(spec, vl_version=version, scale=SCALE, allowed_base_urls=[]))


if __name__ == "__main__":
    main(*sys.argv[1:])
