"""Sleep for coding agents: keeps a memory directory true, short and current."""

__version__ = "0.1.0"
