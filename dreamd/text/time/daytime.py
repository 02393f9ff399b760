"""Parse hours of the day."""

from __future__ import annotations


def hours_of_day(text: str) -> tuple[int, int] | None:
    """Return the minutes of the day at which hours such as "22:00-07:00" begin and end.

    They may last over midnight; None where the text is empty.

    Raises:
        ValueError: the text is not two different times of day.
    """
    if not text.strip():
        return None
    begins, ends = (_minute(part.strip()) for part in text.split("-"))
    if begins == ends:
        raise ValueError(text)
    return begins, ends


def _minute(text: str) -> int:
    hour, minute = text.split(":")
    is_plain = text.isascii() and hour.isdecimal() and minute.isdecimal() and len(minute) == 2
    if not is_plain or len(hour) > 2 or int(hour) > 23 or int(minute) > 59:
        raise ValueError(text)
    return int(hour) * 60 + int(minute)
