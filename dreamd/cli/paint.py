"""Colour on a terminal, and never with NO_COLOR."""

from __future__ import annotations

import os
import sys


def painted() -> bool:
    """Whether stdout wants colour: a terminal, and NO_COLOR unset or empty (no-color.org)."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not is_plain


def paint(text: str, code: str) -> str:
    """Return text wrapped in an SGR code where stdout wants colour."""
    return f"\x1b[{code}m{text}\x1b[0m" if painted() else text


def bold(text: str) -> str:
    """Return text in bold."""
    return paint(text, "1")


def dim(text: str) -> str:
    """Return text in a fainter colour."""
    return paint(text, "2")


def diff(text: str) -> str:
    """Return a unified diff with its lines coloured."""
    return "\n".join(map(_line, text.split("\n"))) if painted() else text


def _line(line: str) -> str:
    if line.startswith(("+++", "---")):
        return bold(line)
    colour = {"+": "32", "-": "31", "@": "36"}.get(line[:1])
    return paint(line, colour) if colour else line


def printable(text: str) -> str:
    """Return text that is safe to print: control bytes and lone surrogates as escapes.

    A note may hold terminal escapes; what it says must not move a reader's cursor.
    """
    return "".join(c if c in "\n\t" or c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def on_one_line(text: str) -> str:
    """Return printable text without line ends, for a name or a path inside a line."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")
