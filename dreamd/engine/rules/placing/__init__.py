"""Choose the place of a new line."""
