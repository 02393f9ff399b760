"""Decide whether the value of a telling name (`password = …`) is a secret."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, zip_longest

from dreamd.text.late import late

_NAMES = (
    r"(?P<password>passw(?:or)?d|passphrase|passwd|pwd|(?<![a-z])pw)"
    r"|secret(?:[_ -]?access)?(?:[_ -]?key)?|token|credential"
    r"|(?:api|access|auth|private|encryption|signing|master|account|deploy)[_ -]?key"
)
_ASSIGNED = late(
    rf"(?P<name>{_NAMES})s?(?:[_-]?(?:value|prod|production|dev|staging|live|test|\d{{1,3}}))?"
    r"(?:\\?[\"'`]\]?|\*\*|__){0,2}[ \t]{0,8}"
    r"(?P<sign>:[ \t]?(?:&?str(?:ing)?|Optional\[str\])[ \t]?=|:=|=>|==?|[:|]"
    r"|(?<=[ \t])(?:is|was)(?=[ \t]))(?:\*\*|__)?[ \t]{0,8}(?:\*\*|__)?",
    re.IGNORECASE,
)
_TOLD = late(  # "API key (prod) — `…`", "the admin password was changed to …"
    rf"(?P<name>{_NAMES})s?(?:\*\*|__)?"
    r"(?:[ \t]\(?(?:[\w'/-]{1,16}(?![\w'/>-])|[\w'/]{1,16}(?=->))\)?){0,4}"
    r"[ \t]{0,2}(?P<sign>:|=|→|->|—|–|(?<=[ \t])(?:is|to)(?=[ \t]))[ \t]{1,4}",  # noqa: RUF001
    re.IGNORECASE,
)
_FLAG = late(
    r"(?<=-)(?P<name>(?P<password>password|passwd|pass)|token|secret|(?:api|access|secret)-key)"
    r"(?P<sign>=|[ \t]{1,4})"
)
_VALUE = late(
    r"\\?\"([^\"\n\\]{1,512})|\\?'([^'\n\\]{1,512})|`([^`\n]{1,512})|([^\s\"'`<>]{1,2048})"
)
_NEXT = late(r"[&;]\w{1,40}=")  # in a query or a connection string
_CODE = late(r"[(\[{]")  # a call or a subscript
_ALIKE = (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"), ("\u212a", "k"))  # case ignored
_SIGNED = (  # what follows a name; see `folded` for the `?`: its rest, a few words, and a sign
    rb"(?=[ \t:=|\\\"'`*_?0-9vpdslt-])(?:(?<=-%b)|"
    rb"(?=(?:[^ \t\n:=|>?]{0,32}[ \t]{1,8}(?![ \t])){0,7}?"
    rb"(?:[^ \t\n:=|>?]{0,32}[:=|>?]|(?:is|was|to)[ \t])))"
)
_OWNED = rb"(?:(?<=%b[_ -]key)|(?<=%bkey))" % ((rb"(?:pi|ss|th|te|on|ng|er|nt|oy)",) * 2)
_SPOTS = (  # in every name; each begins with one letter, none of the frequent, found fast
    late(rb"k(?:en(?<=token)%b|ey%b%b)" % (_SIGNED % b"token", _OWNED, _SIGNED % b"key")),
    late(
        rb"c(?:re(?:t(?<=secret)(?:(?=[ak])|%b)|dential%b))"
        % (_SIGNED % b"secret", _SIGNED % b"credential")
    ),
    late(
        rb"p(?:ass(?:word%b|wd%b|phrase%b|(?<=-pass)(?=[= \t]))|w%b)"
        % tuple(_SIGNED % name for name in (b"password", b"passwd", b"passphrase", b"pw"))
    ),
)
_KEYED = late(rb"(?:api|access|auth|private|encryption|signing|master|account|deploy)[_ -]?key\Z")
_SHORTEST = 6  # characters of a value that may be a secret
_UNQUOTED = 4  # the group of a value without quotes

_MASK = late(
    r"(?i)x{4}|\*{3}|\.{3}|…|example|change.?me|placeholder|your|dummy|redacted|foobar|insert"
    r"|replace|sample|fake|lorem"
)
_REFERENCE = late(
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"  # the name of an environment variable
    r"|\$\{?[A-Za-z_]\w*.*|\$\(.*|%\w+%|\{.*|\[.*|@.*"  # ${VAR}, $(command), {{ name }}, [name]
    r"|[\w.+-]+@[\w-]+\.[\w.-]+"  # an address
    r"|(?:~|\.{1,2})/.*|[A-Za-z]:\\.*|\w+://.*|(?i:sha\d+|md5)[:-].*"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
)
_NAMED = late(
    r"(?i)(?:my|the|test|new|old|super|user|db|root|admin|default|no|set)?[-_]?"
    r"(?:passw(?:or)?d|passwd|pass|secret|token|key|pwd|test|login)[-_]?\d{0,4}!?"
    r"|(?:argon2|bcrypt|scrypt|pbkdf2|sha-?\d|md5|hmac|aes|rsa|ed25519|base(?:32|58|64)"
    r"|utf-?(?:8|16)|oauth|[hre]s(?:256|384|512)|tls|http|ntlm|saml|webauthn|fido|1pass|k8s)"
    r"\w*(?:-\w+)*"
)
_READABLE = late(r"[A-Za-z]?[a-z]*(?:[A-Z][a-z]+){0,5}\d{0,4}|[A-Z]+\d{0,4}|\d+|[vV]\d+[a-z]?")
_JOINTS = late(r"[-_./:\\,=&|+]")
_HASH_NEARBY = late(
    r"(?i)\b(?:commit|sha\d*|hash|revision|rev|blob|tree|merge|digest|checksum|etag)\b"
)
_HEX = late(r"[0-9a-fA-F]{7,128}")
_AWS = late(r"[A-Za-z0-9/+]{40}")


def is_placeholder(value: str) -> bool:
    """Whether a value is a placeholder for a secret: `<your-key>`, `${VAR}`, `changeme`, `xxxx`.

    So do the names of environment variables and algorithms, addresses, paths, UUIDs and calls.
    """
    return (
        bool(_MASK.search(value) or _REFERENCE.fullmatch(value) or _NAMED.fullmatch(value))
        or len(set(value)) < 5
    )


def is_readable(value: str) -> bool:
    """Whether a value is made of words and short numbers, as names and versions are."""
    return all(_READABLE.fullmatch(piece) for piece in _JOINTS.split(value))


def folded(text: str) -> bytes:
    """Return a text in lower case as ASCII, a byte a character (others are `?`): columns stay.

    A pattern that ignores case takes four letters for ASCII ones; so does this.
    """
    if not text.isascii():
        for odd, usual in _ALIKE:
            text = text.replace(odd, usual)
    return text.encode("ascii", "replace").lower()


def _name_starts(lowered: bytes) -> list[int]:
    """Return, in order, where a telling name may begin, and nowhere else does one."""
    found: list[int] = []
    for spots in _SPOTS:
        first = spots.search(lowered)
        for spot in spots.finditer(lowered, first.start()) if first else ():
            at = spot.start()
            if spot[0] == b"key":
                if keyed := _KEYED.search(lowered, max(at - 12, 0), spot.end()):
                    found.append(keyed.start())
            else:
                found.append(at - 2 if spot[0] in {b"ken", b"cret"} else at)
    return sorted(found) if found else found


def assigned(text: str, lowered: bytes) -> Iterable[tuple[int, int, str]]:
    """Return start, end and kind of each secret that is assigned to a telling name.

    `lowered` is the `folded` text.
    """
    names = _name_starts(lowered)
    return _at_names(text, names) if names else ()


def _at_names(text: str, names: list[int]) -> Iterator[tuple[int, int, str]]:
    """Yield what the patterns find at the names.

    A value ends where the next telling name begins: `secret: token = …` has one secret, and a line
    of nothing but names costs no more than its length.
    """
    for pattern in (_ASSIGNED, _TOLD, _FLAG):
        matches: list[re.Match[str]] = []
        for at in names:
            if (not matches or at >= matches[-1].end()) and (here := pattern.match(text, at)):
                matches.append(here)
        for match, after in zip_longest(matches, matches[1:]):
            found = _VALUE.match(text, match.end(), after.start() if after else len(text))
            if not found:
                continue
            group = found.lastindex or 0
            value = found[group]
            if group == _UNQUOTED:
                value = _NEXT.split(value, maxsplit=1)[0].rstrip(".,;:!?)]}*|\\")
                if _CODE.search(value):
                    continue
            start = found.start(group)
            if kind := _kind(match, value, start, told=pattern is _TOLD):
                yield start, start + len(value), kind


def _kind(match: re.Match[str], value: str, start: int, *, told: bool) -> str | None:
    """Return what kind of secret an assigned value, which starts there, is; None if it is none.

    What a sentence only tells (`told`) must look more like one than what stands beside a sign.
    """
    if len(value) < _SHORTEST:
        return None
    if "access" in match["name"].casefold() and _AWS.fullmatch(value):
        return "AWS secret access key"
    prose = match["sign"] in {"is", "was", "|"}
    password = bool(match["password"])
    head = value[:256]
    if told and (len(head) < 8 or not any(map(str.isdigit, head)) or is_readable(head)):
        return None
    if match["name"].casefold() == "passphrase" and re.search(r"\d", head) and len(head) > 11:
        return None if is_placeholder(head) or " " in head else "password"
    if not _is_secret(head, password=password, prose=prose):
        return None
    if _HEX.fullmatch(value):
        before = match.string[max(match.start() - 60, 0) : start].rpartition("\n")[2]
        if _HASH_NEARBY.search(before):
            return None
    return "password" if password else "secret"


def _is_secret(value: str, *, password: bool, prose: bool) -> bool:
    if " " in value or is_placeholder(value):
        return False
    digits = any(map(str.isdigit, value))
    letters = any(map(str.isalpha, value))
    readable = is_readable(value)
    if password:
        if readable and not (digits and letters and not _JOINTS.search(value)):
            return False
        return (digits and letters) or (_classes(value) > 2 and not prose and len(value) > 7)
    if len(value) < 12 or len(set(value)) < 8 or (len(value) < 16 and _classes(value) < 3):
        return False
    if readable:
        return len(value) > 19 and is_mixed(value)
    return (digits and letters) or is_mixed(value)


def _classes(value: str) -> int:
    """Return how many of lower case, upper case, digits and signs a value has."""
    kinds = (str.islower, str.isupper, str.isdigit, lambda character: not character.isalnum())
    return sum(any(map(kind, value)) for kind in kinds)


def is_mixed(value: str) -> bool:
    """Whether letters change case, or letters and digits alternate, as nobody's words do."""
    turns = sum(
        one.isupper() != other.isupper() or one.isdigit() != other.isdigit()
        for one, other in pairwise(value)
    )
    return turns > len(value) * 0.3
