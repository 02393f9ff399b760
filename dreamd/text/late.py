"""Compile patterns when they are first used: a dream needs only a few of them."""

from __future__ import annotations

import re
from typing import AnyStr


class Late:
    """Stands for a pattern; what has been asked for once is at hand as an attribute."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # asked by who copies it
            raise AttributeError(name)
        found: object = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern like `re.compile`, compiled when it is first used.

    A pattern that is none raises `re.error` only then, and `match.re` is another object.
    """
    found: re.Pattern[AnyStr] = Late(pattern, flags)  # type: ignore[assignment]
    return found
