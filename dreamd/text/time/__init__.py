"""Days and spans in text."""
