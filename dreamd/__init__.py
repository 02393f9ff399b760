"""Keep a coding agent's memory directory correct, short and current."""

__version__ = "0.1.0"
