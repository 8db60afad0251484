"""The front door: the `flipbook` command."""

__version__ = "0.1.0"
