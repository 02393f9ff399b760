"""What runs while a person waits: the end of a turn, the start of a session."""
