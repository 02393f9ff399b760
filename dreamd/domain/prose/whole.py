"""A piece of a sentence as a sentence of its own."""

from __future__ import annotations

_ENDS = (".", "!", "。", "！", ".)", '."', ".”")  # noqa: RUF001


def as_sentence(text: str) -> str:
    """Return words with a capital first and a full stop last; `iOS` and `/etc` stay as they are."""
    first = text[:1].upper() if _is_word(text) else text[:1]
    said = first + text[1:]
    return said if said.endswith(_ENDS) else f"{said}."


def _is_word(text: str) -> bool:
    """Whether the first word is plain, so that a capital changes nothing: not `iOS` or `/etc`."""
    word = text.split(maxsplit=1)[0]
    return word.rstrip(".,;:!").replace("'", "").replace("’", "").isalpha() and word.islower()  # noqa: RUF001
