"""Pure functions: dense arrays in, frozen dataclasses out. No database, no drawing."""
