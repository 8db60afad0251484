"""`python -m flipbook`."""

from flipbook.cli import main

main()
