"""What stands in a person's prose as somebody else's words: code, quotations, addresses."""

from __future__ import annotations

from dreamd.text.late import late

BLANK = "\ue000"  # a private character: no letter, no space, no punctuation
_PLAIN = tuple(zip("‘’–：，；", "''—:,;", strict=True))  # noqa: RUF001
_HIDDEN = late(
    r"(?<!`)(?P<code>`{1,3})(?!`)[^`]{1,500}(?P=code)(?!`)"
    r"|(?<!\w)\"(?=\S)(?:[^\"]{1,4000}\"|[^\"]{1,4000})"  # one left open runs to the end
    r"|“[^”]{1,4000}”?|«[^»]{1,4000}»?|„[^“”]{1,4000}[“”]?|「[^」]{1,4000}」?|『[^』]{1,4000}』?"
    r"|(?<![\w'’])['‘](?=\w)[^'’\n]{0,200}(?:['’](?=\w)[^'’\n]{0,200}){0,8}[^\s'’]['’](?!\w)"  # noqa: RUF001
    r"|\b[A-Za-z][\w+.-]{1,20}://[^\s<>]{1,2000}"
    r"|\\\([^\n]{1,300}?\\\)|\$[^$\s][^$\n]{0,200}(?<=[^\s$])\$(?!\d)"  # formulas
    r"|<[A-Za-z/!][^<>]{0,300}>"
)
_SIGN = late("[`\"“«„「『'‘\\\\$<]")  # noqa: RUF001 - all but an address begin so


def masked(text: str) -> str:
    """Return a text with all that is no prose blanked, every column where it was.

    Commas and full stops inside vanish with the rest, so no sentence is cut there. Of signs
    that have several forms (apostrophes, dashes, colons) the plain one is shown.
    """
    shown = _blanked(text)
    if not text.isascii():
        for sign, plain in _PLAIN:
            shown = shown.replace(sign, plain)
    return shown


def _blanked(text: str) -> str:
    if "://" in text:
        return _HIDDEN.sub(lambda match: BLANK * len(match[0]), text)
    parts = []
    at = written = 0
    while sign := _SIGN.search(text, at):
        at = sign.end()
        if match := _HIDDEN.match(text, sign.start()):
            at = match.end()
            parts += [text[written : match.start()], BLANK * len(match[0])]
            written = at
    return "".join((*parts, text[written:])) if parts else text
