"""Find and redact secrets in text."""
