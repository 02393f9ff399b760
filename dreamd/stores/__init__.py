"""Which memory directory is meant, which sessions are its own, and where its store lies."""
