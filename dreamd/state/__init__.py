"""What dreamd knows of one memory directory and cannot rebuild: one SQLite file per store."""
