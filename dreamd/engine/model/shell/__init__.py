"""Which shell commands only read: parsed, judged word by word, and written out anew."""

from dreamd.engine.model.shell.approval import approved

__all__ = ["approved"]
