"""Write the day beside a relative date, as in "yesterday (2026-05-10)"."""

from __future__ import annotations

from datetime import date

from dreamd.text.late import late
from dreamd.text.time.relative import DatedPhrase, RelativePhrase, dated_phrases, is_anchored

_POSSESSIVE = late(r"['’]s\b")  # noqa: RUF001


def relative(text: str, day: date) -> list[DatedPhrase]:
    """Return the relative dates of a text that have no date in brackets beside them."""
    return [each for each in dated_phrases(text, day) if not is_anchored(text, each.phrase)]


def beside(text: str, phrase: RelativePhrase, means: str) -> str:
    """Return a text with what one of its phrases means in brackets behind it."""
    possessive = _POSSESSIVE.match(text, phrase.end)
    at = possessive.end() if possessive else phrase.end
    return f"{text[:at]} ({means}){text[at:]}"
