"""Browser parts of our own: a table that sorts, filters and prints, and a button that copies."""
