"""Weekdays, months and small numbers, as English spells them."""

from __future__ import annotations

from dreamd.text import lexicon

WEEKDAYS = lexicon.listed("weekday")
MONTHS = lexicon.listed("month")[:12]
MONTH_NUMBERS = {name: number for number, name in enumerate(MONTHS, 1)}
MONTH_NUMBERS |= {name[:3]: number for name, number in MONTH_NUMBERS.items()} | {"sept": 9}
NUMBER_WORDS = {word: str(number) for number, word in enumerate(lexicon.listed("numeral"))}
