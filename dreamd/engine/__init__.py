"""How notes are improved: engines behind one protocol."""
