"""The engine of people with a login: a session that the client's own program holds for us."""
