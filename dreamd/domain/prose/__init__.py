"""A person's own words: told from what they pasted, and cut into sentences."""
