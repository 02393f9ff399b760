"""Whether a file is as dreamd wrote it: its first line has the hash of the rest."""

from __future__ import annotations

import hashlib

_SAYS = "Written by `dreamd install`, which replaces it only while this is its hash: sha256 "
_OPENS, _CLOSES = {"#": ("# ", ""), "<!--": ("<!-- ", " -->")}, 64


def sealed(text: str, comment: str = "#") -> str:
    """Return a text with the line that says who wrote it, as a comment of its format.

    Args:
        text: what the file is to hold. Where it begins with an XML declaration, the line comes
            right behind that.
        comment: how a comment begins, `#` or `<!--`.
    """
    head, rest = _parts(text)
    opens, closes = _OPENS[comment]
    return f"{head}{opens}{_SAYS}{_digest(head, rest)}{closes}\n{rest}"


def is_unedited(text: str) -> bool:
    """Whether a text is what `sealed` gave, byte for byte."""
    head, rest = _parts(text)
    line, _, rest = rest.partition("\n")
    before, found, after = line.partition(_SAYS)
    return (
        bool(found)
        and (before, after[_CLOSES:]) in _OPENS.values()
        and (after[:_CLOSES] == _digest(head, rest))
    )


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, as hex digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _digest(head: str, rest: str) -> str:
    return digest(head + rest)


def _parts(text: str) -> tuple[str, str]:
    end = text.find("\n") + 1 if text.startswith("<?xml") else 0
    return text[:end], text[end:]
