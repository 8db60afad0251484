"""Measurements of speed, side by side with the plainest code that does the same."""
