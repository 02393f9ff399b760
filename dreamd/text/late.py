"""Compile patterns when they are first used: a dream needs only a few of them."""

from __future__ import annotations

import re

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import AnyStr as _Text

_ASKED = ("search", "match", "fullmatch", "findall", "finditer", "sub", "split", "groups", "flags")


class Late:
    """Stands for a pattern; once compiled, what is asked for often is at hand as an attribute."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # asked by who copies it
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        vars(self).update({each: getattr(compiled, each) for each in _ASKED})
        found: object = getattr(compiled, name)
        return found


def late(pattern: _Text, flags: int = 0) -> re.Pattern[_Text]:
    """Return a pattern like `re.compile`, compiled when it is first used.

    A pattern that is none raises `re.error` only then, and `match.re` is another object.
    """
    found: re.Pattern[_Text] = Late(pattern, flags)  # type: ignore[assignment]
    return found
