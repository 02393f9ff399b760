"""Secrets in text: recognised and redacted."""
