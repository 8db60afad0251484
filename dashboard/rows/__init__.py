"""Rows of the pages' tables, from results."""
