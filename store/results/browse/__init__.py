"""What a reader browses: matrices of runs, one pair, the map of questions, one record's trace."""
