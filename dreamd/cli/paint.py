"""Colour on a terminal, and never with NO_COLOR."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import TextIO


def painted(stream: TextIO) -> bool:
    """Whether a stream wants colour: a terminal, and NO_COLOR unset or empty (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, code: str, stream: TextIO | None = None) -> str:
    """Return text wrapped in an SGR code where the stream wants colour."""
    return f"\x1b[{code}m{text}\x1b[0m" if painted(stream or sys.stdout) else text


def bold(text: str) -> str:
    """Return text in bold."""
    return paint(text, "1")


def dim(text: str) -> str:
    """Return text in a fainter colour."""
    return paint(text, "2")


def diff(text: str) -> str:
    """Return a unified diff with its lines coloured."""
    if not painted(sys.stdout):
        return text
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    if line.startswith(("+++", "---")):
        return bold(line)
    colour = {"+": "32", "-": "31", "@": "36"}.get(line[:1])
    return paint(line, colour) if colour else line


def printable(text: str) -> str:
    """Return text that is safe to print: control bytes and lone surrogates as escapes.

    A note may hold terminal escapes; what it says must not move a reader's cursor.
    """
    safe = "".join(
        c
        if c in "\n\t" or (c.isprintable() and not "\ud800" <= c <= "\udfff")
        else f"\\x{ord(c):02x}"
        for c in text
    )
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return safe.encode(encoding, "backslashreplace").decode(encoding)


def on_one_line(text: str) -> str:
    """Return printable text without line ends, for a name or a path inside a line."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")
