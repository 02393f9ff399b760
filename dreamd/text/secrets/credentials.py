"""Decide whether the value of a telling name (`password = …`) is a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, zip_longest

from dreamd.text import lexicon
from dreamd.text.late import late

Span = tuple[int, int, str]  # start, end and kind of a secret
_ASSIGNED = lexicon.pattern("secret-assigned")
_TOLD = lexicon.pattern("secret-told")
_FLAG = lexicon.pattern("secret-flag")
_VALUE = late(
    r"\\?\"([^\"\n\\]{1,512})|\\?'([^'\n\\]{1,512})|`([^`\n]{1,512})|([^\s\"'`<>]{1,2048})"
)
_NEXT = late(r"[&;]\w{1,40}=")  # in a query or a connection string
_CODE = late(r"[(\[{]")  # a call or a subscript
_SPOTS = late(rb"ke[ny]"), late(rb"cre[td]"), late(rb"p(?:ass|w)")  # rare letters are found fast
_KEYED = late(rb"(?:api|access|auth|private|encryption|signing|master|account|deploy)[_ -]?key\Z")
_MASK = lexicon.pattern("secret-masked")
_REFERENCE = lexicon.pattern("secret-reference")
_NAMED = lexicon.pattern("secret-named")
_READABLE = late(r"[A-Za-z]?[a-z]*(?:[A-Z][a-z]+){0,5}\d{0,4}|[A-Z]+\d{0,4}|\d+|[vV]\d+[a-z]?")
_JOINTS = late(r"[-_./:\\,=&|+]")
_CLASSES = (str.islower, str.isupper, str.isdigit, lambda letter: not letter.isalnum())
WORD = late(r"[a-z0-9]+")
_HASHES = lexicon.of("hash-beside")
_AWS = late(r"[A-Za-z0-9/+]{40}")
_HEX = late(r"[0-9a-fA-F]{7,128}")


def is_placeholder(value: str) -> bool:
    """Whether a value (`<your-key>`, `${VAR}`, `changeme`, a path, a UUID) stands for a secret."""
    is_none = _MASK.search(value) or _REFERENCE.fullmatch(value) or _NAMED.fullmatch(value)
    return bool(is_none) or len(set(value)) < 5


def is_readable(value: str) -> bool:
    """Whether a value is made of words and short numbers, as names and versions are."""
    return all(_READABLE.fullmatch(piece) for piece in _JOINTS.split(value))


def is_mixed(value: str) -> bool:
    """Whether letters change case, or letters and digits alternate, as nobody's words do."""
    shapes = pairwise(zip(map(str.isupper, value), map(str.isdigit, value), strict=True))
    return sum(one != other for one, other in shapes) > len(value) * 0.3


def folded(text: str) -> bytes:
    """Return a text in lower case as ASCII, a byte a character (others are `?`): columns stay."""
    if not text.isascii():
        for odd, usual in zip("\u0130\u0131\u017f\u212a", "iisk", strict=True):  # case ignored
            text = text.replace(odd, usual)
    return text.encode("ascii", "replace").lower()


def _name_starts(lowered: bytes) -> list[int]:
    """Return, in order, where a telling name may begin, and nowhere else does one."""
    found: list[int] = []
    for spots in _SPOTS:
        for spot in spots.finditer(lowered):
            at = spot.start()
            if spot[0] != b"key":
                found.append(max(at - 2, 0) if spot[0] in {b"ken", b"cret"} else at)
            elif keyed := _KEYED.search(lowered, max(at - 12, 0), spot.end()):
                found.append(keyed.start())
    return sorted(found)


def assigned(text: str, lowered: bytes) -> Iterator[Span]:
    """Yield each secret that is assigned to a telling name; `lowered` is the `folded` text.

    A value ends where the next name begins, so that a line of nothing but names is read once.
    """
    names = _name_starts(lowered)
    for pattern in (_ASSIGNED, _TOLD, _FLAG) if names else ():
        matches: list[re.Match[str]] = []
        for at in names:
            if (not matches or at >= matches[-1].end()) and (here := pattern.match(text, at)):
                matches.append(here)
        for match, after in zip_longest(matches, matches[1:]):
            found = _VALUE.match(text, match.end(), after.start() if after else len(text))
            value = found[found.lastindex or 0] if found else ""
            if found and found[4]:  # without quotes
                value = _NEXT.split(value, maxsplit=1)[0].rstrip(".,;:!?)]}*|\\")
                value = "" if _CODE.search(value) else value
            start = found.start(found.lastindex or 0) if found else 0
            if kind := _kind(match, value, start, told=pattern is _TOLD):
                yield start, start + len(value), kind


def _kind(match: re.Match[str], value: str, start: int, *, told: bool) -> str | None:
    """Return what kind of secret an assigned value, which starts there, is; None if it is none.

    What a sentence only tells (`told`) must look more like one than what stands beside a sign.
    """
    name, is_password, head = match["name"].casefold(), bool(match["password"]), value[:256]
    if "access" in name and _AWS.fullmatch(value):
        return "AWS secret access key"
    if len(value) < 6 or " " in head or is_placeholder(head):
        return None
    has_digit, readable = any(map(str.isdigit, head)), is_readable(head)
    classes = sum(any(map(kind, head)) for kind in _CLASSES)
    is_both = has_digit and any(map(str.isalpha, head))
    if told and (len(head) < 8 or not has_digit or readable):
        return None
    if name == "passphrase" and has_digit and len(head) > 11:
        return "password"
    if is_password:
        is_prose = match["sign"] in {"is", "was", "|"}
        is_strong = not readable and classes > 2 and not is_prose and len(head) > 7
        is_secret = is_strong or (is_both and not (readable and _JOINTS.search(head)))
    elif readable:
        is_secret = len(head) > 19 and len(set(head)) > 7 and is_mixed(head)
    else:
        is_long = len(head) > 15 or (len(head) > 11 and classes > 2)
        is_secret = is_long and len(set(head)) > 7 and (is_both or is_mixed(head))
    if is_secret and _HEX.fullmatch(value):
        before = match.string[max(match.start() - 60, 0) : start].rpartition("\n")[2]
        is_secret = _HASHES.isdisjoint(WORD.findall(before.lower()))
    return ("password" if is_password else "secret") if is_secret else None
