"""What a statement is about, and the value it gives, as far as one look can tell."""

from __future__ import annotations

from collections.abc import Sequence

from dreamd.text.late import late

_VALUE = late(
    r"(?:[$€£¥]\s?)?\d[\d.,:/-]*(?:\s?(?:%|[kKMG]?B\b|ms\b|[smh]\b|[$€£¥]))?"
    r"(?:\s(?!(?:and|or|of|in|on|at|to|for|with|by|from|per|but|the|a|as|is|are)\b)[^\W\d_]+)?"
)
_FIGURE = late(r"\d")
_SIGN = 2  # characters of the sign before a figure, with a space
_WORDS = 3  # of a subject


def subject(concepts: Sequence[str]) -> str:
    """Return the first few concepts that are no figures: by these a statement is told apart."""
    return " ".join([each for each in concepts if not each[0].isdigit()][:_WORDS])


def value(statement: str) -> str:
    """Return the first figure of a statement with its unit or the word after it, else nothing."""
    figure = _FIGURE.search(statement)
    found = figure and _VALUE.search(statement, max(figure.start() - _SIGN, 0))
    return found[0].rstrip(".,:;- ") if found else ""
