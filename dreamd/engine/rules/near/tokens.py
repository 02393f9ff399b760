"""A text cut into words and values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dreamd.text.late import late
from dreamd.text.values import Kind, Value, found

_FIGURES = {Kind.NUMBER, Kind.DATE, Kind.TIME, Kind.VERSION, Kind.PATH, Kind.ADDRESS}
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
_TOKEN = late(
    rf"[{_UNSPACED}]|[<>≤≥≠≈~±→]|(?<![^\s`(\[])--?[^\W\d_][\w-]*|--?(?=\w)|[^\W{_UNSPACED}]+(?:[._/:@=+]+[^\W{_UNSPACED}]+)*(?:\+\+?|#)?"
)
_POSSESSIVE = late(r"['’]s?(?!\w)")  # noqa: RUF001
_CLITIC = late(r"\b([^\W\d_]{1,2})['’](?=\w)|(?<=\w)['’](?:re|ve|d|m)\b")  # noqa: RUF001
_DASHED = late(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_ROOTS = ("../", "~/", "/")


def tokens(text: str) -> Iterator[tuple[int, int, Value | None]]:
    """Yield the tokens of a text with their places, values whole."""
    figures: list[Value] = []
    if any(map(str.isdigit, text)) or "/" in text or "." in text:
        taken = 0
        for value in sorted(
            (each for each in found(text) if each.kind in _FIGURES),
            key=lambda each: (each.start, -each.end),
        ):
            if value.start >= taken:
                figures.append(value)
                taken = value.end
    at = 0
    rest: tuple[Value | None, ...] = (*figures, None)
    for each in rest:
        stop = each.start if each else len(text)
        part = _DASHED.sub(" ", _CLITIC.sub(_spaced, text[at:stop]))
        part = _POSSESSIVE.sub(lambda match: " " * len(match[0]), part)
        for match in _TOKEN.finditer(part):
            if match[0].strip("-"):
                yield at + match.start(), at + match.end(), None
        if each:
            yield each.start, each.end, each
            at = each.end


def _spaced(match: re.Match[str]) -> str:
    return f"{match[1]} " if match[1] else " " * len(match[0])


def figure(value: Value, text: str) -> str:
    """Return a value in its one form; where that could be another's, too, as it stands."""
    form, said = value.forms[0], text[value.start : value.end].casefold()
    if value.kind is Kind.ADDRESS or (value.kind is Kind.DATE and len(value.forms) > 1):
        return said.rstrip("/")  # http is not https, and 3/4 one day here, another there
    if value.kind is Kind.PATH:
        return f"{next((each for each in _ROOTS if said.startswith(each)), '')}{form}"
    before = text[max(value.start - 2, 0) : value.start]
    return f"-{form}" if before.endswith("-") and before[:1] in {"-", " ", ""} else form
