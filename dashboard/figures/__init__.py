"""Charts. Data goes in as results; no number is computed here that a result does not hold."""
