"""Extractors as data: pattern steps, a canonical form, a verdict; each `name@version`."""
