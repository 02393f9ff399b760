"""Ears: file events as a hint that something may have changed; the slow rescan is the truth."""
