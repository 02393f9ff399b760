"""WHAT: the notes themselves, how they differ, how they merge, and how they change on disk."""
