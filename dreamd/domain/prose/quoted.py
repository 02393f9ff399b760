"""What stands in a person's prose as somebody else's words: code, quotations, addresses."""

from __future__ import annotations

import re

BLANK = "\ue000"  # a private character: no letter, no space, no punctuation
_PLAIN = str.maketrans("‘’–：，；", "''—:,;")  # noqa: RUF001
_HIDDEN = re.compile(
    r"(?<!`)(?P<code>`{1,3})(?!`)[^`]{1,500}(?P=code)(?!`)"
    r"|(?<!\w)\"(?=\S)(?:[^\"]{1,4000}\"|[^\"]{1,4000})"  # one left open runs to the end
    r"|“[^”]{1,4000}”?|«[^»]{1,4000}»?|„[^“”]{1,4000}[“”]?|「[^」]{1,4000}」?|『[^』]{1,4000}』?"
    r"|(?<![\w'’])['‘](?=\w)[^'’\n]{0,200}(?:['’](?=\w)[^'’\n]{0,200}){0,8}[^\s'’]['’](?!\w)"  # noqa: RUF001
    r"|\b[A-Za-z][\w+.-]{1,20}://[^\s<>]{1,2000}"
    r"|\\\([^\n]{1,300}?\\\)|\$[^$\s][^$\n]{0,200}(?<=[^\s$])\$(?!\d)"  # formulas
    r"|<[A-Za-z/!][^<>]{0,300}>"
)


def masked(text: str) -> str:
    """Return a text with all that is no prose blanked, every column where it was.

    Commas and full stops inside vanish with the rest, so no sentence is cut there. Of signs
    that have several forms (apostrophes, dashes, colons) the plain one is shown.
    """
    return _HIDDEN.sub(lambda match: BLANK * len(match[0]), text).translate(_PLAIN)
