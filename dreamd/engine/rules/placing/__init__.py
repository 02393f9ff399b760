"""Placing: in which note, below which heading, a new line goes."""
