"""Find secrets in text by the heads of the table, by what they are assigned to, by their context.

Time is linear in the text. Most of a text is not looked at by any pattern: what a secret cannot do
without (a long run of characters, a fixed word) is looked for first, with plain byte searches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from string import ascii_letters, digits

from dreamd.text.late import late
from dreamd.text.secrets.credentials import assigned, folded, is_mixed, is_placeholder, is_readable
from dreamd.text.secrets.kinds import Kind, headed, starts
from dreamd.text.secrets.opaque import opaque


@dataclass(frozen=True, slots=True)
class Secret:
    """Columns `start` to `end` (half-open) of a text hold a secret of that kind."""

    start: int
    end: int
    kind: str


_RUN = frozenset("-._+/~" + ascii_letters + digits)
_CLASSES = bytes(ord("a") if chr(byte) in _RUN else ord(" ") for byte in range(256))
_SHORTEST_RUN = 20  # of these: the shortest key (an AWS access key id)
_SHORTEST_BODY = 10  # of such a run after a head
_SHORT_TEXT, _SHORTER_RUN = 400, 15  # characters; a text no longer is looked at more closely
_TAIL = 16  # letters and digits at the end of a run that is looked at in a short text
_DIGITS = late(rb"[0-9][a-z_-]+[0-9]")  # in nearly everything random, in few words
_MASK = late(r"(?i)x{5}|your|\.{3}|example")
_AUTHORIZATION = late(rb"z(?<=authoriz)ation")  # begins with a rare letter, found fast
_BEARER = len("bearer    ")
_TOKEN = late(r"[Bb]earer[ \t]{1,4}((?=[A-Za-z+/_~.-]{0,99}\d)[A-Za-z0-9+/_~.-]{20,4096}={0,2})")
_BASIC = late(
    r"[Aa]uthorization[\"'`]?[ \t]{0,4}[:=][ \t]{0,4}[\"'`]?[Bb]asic[ \t]{1,4}"
    r"([A-Za-z0-9+/]{12,4096}={0,2})"
)
_HEADERS = {"b": ("bearer token", _TOKEN), "a": ("basic credentials", _BASIC)}
_PEM = late(r"-{4,5} ?(BEGIN|END) (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_PEM_BODY = late(r"(?:(?:\\[nr]|\s)+[A-Za-z0-9+/=]{16,4096})+")
_PEM_RUN = late(r"[A-Za-z0-9+/]{40}")
_PUTTY = late(r"Private-Lines: \d{1,3}")
_URL = late(r"://(?P<user>[^\s/:@\"'<>`]*):(?P<secret>[^\s/\"'<>`]+)@(?=[\w\[])")
_URL_TOKEN = late(r"://(?P<secret>(?=[A-Za-z_]{0,99}\d)[A-Za-z0-9_]{20,100})@(?=\w)")
_CURL = late(
    r"curl\b[^\n]{0,99}?[ \t](?:-u|--user)[ =]?[\"']?(?P<user>[^\s:\"']{1,64}):"
    r"(?P<secret>[^\s\"'`]{4,256})"
)
_DASHED = late(rb"-(?:(?=---[ -][ b]?)(?:---?-? ?begin )|(?=u|-user)(?<=[ \t]-)|(?=l)(?<=te-))")
_WELL_KNOWN = {"postgres", "root", "guest", "rabbitmq", "minioadmin"}  # defaults of local servers
_QUOTED = late(r"[\"'`](\[redacted: [^\]\n]{1,40}\])[\"'`]")


def _private_keys(text: str) -> Iterator[Secret]:
    """Yield private keys from BEGIN to END; without an END, as far as lines of a key go."""
    for mark, after in pairwise([*_PEM.finditer(text), None]):
        if mark and mark[1] == "BEGIN":
            body = _PEM_BODY.match(text, mark.end())
            end = after.end() if after and after[1] == "END" else (body or mark).end()
            if _PEM_RUN.search(text, mark.end(), end):
                yield Secret(mark.start(), end, "private key")
    for lines in _PUTTY.finditer(text):
        if body := _PEM_BODY.match(text, lines.end()):
            yield Secret(lines.end() + 1, body.end(), "private key")


@cache
def _head() -> re.Pattern[str]:
    """Return a pattern of what stands before a head: far faster than looking behind."""
    return late(
        rf"[^A-Za-z0-9](?={starts(head for rows in headed().values() for head, _ in rows)})"
    )


def _places(text: str, lowered: bytes, classes: bytes) -> tuple[list[int], list[tuple[int, int]]]:
    """Return, in order, where a head may stand, and the long runs that may be opaque."""
    heads: list[int] = []
    if _AUTHORIZATION.search(lowered):
        heads += [spot.start() - len("authori") for spot in _AUTHORIZATION.finditer(lowered)]
    runs: list[tuple[int, int]] = []
    before_head = _head().search
    find, has_digits = classes.find, _DIGITS.search
    is_short = len(text) <= _SHORT_TEXT
    long = b"a" * (_SHORTER_RUN if is_short else _SHORTEST_RUN)
    end = 0
    if classes.startswith(long) and before_head(f" {text[:_TAIL]}"):
        heads.append(0)
    while (at := find(long, end)) >= 0:
        end = find(b" ", at)
        if end < 0:
            end = len(classes)
        if has_digits(lowered, at, end):
            runs.append((at, end))
            bearer = lowered.find(b"bearer", max(at - _BEARER, 0), at)
            if bearer >= 0:
                heads.append(bearer)
        elif is_short and lowered[max(at, end - _TAIL) : end].isalnum():
            runs.append((at, end))
        if at:
            at -= 1
        last = end - _SHORTEST_BODY
        while head := before_head(text, at, last):
            at = head.end()
            heads.append(at)
    return sorted(heads), runs


def _headed(text: str, heads: list[int]) -> Iterator[Secret]:
    """Yield the secrets that begin with a head of the table, or stand in a header."""
    table = headed()
    end = 0
    for at in heads:
        if at < end:
            continue
        header = _HEADERS.get(text[at].lower())
        if header and (match := header[1].match(text, at)):
            body = match[1]
            if len(set(body)) > 9 and not _MASK.search(body) and not is_readable(body):
                yield Secret(*match.span(1), header[0])
                end = match.end()
                continue
        rows = table.get(text[at : at + 3]) or table.get(text[at : at + 2]) or []
        for head, kind in rows:
            start = at + len(head)
            if text.startswith(head, at) and _is_random(kind.body(text, start), head, kind):
                end = kind.end(text, start)
                is_address = head[-1] == "/" and "." in head
                yield Secret(start if is_address else at, end, kind.name)
                break


def _is_random(body: str, head: str, kind: Kind) -> bool:
    """Whether it is made of random characters, not of words, a mask or a few repeated."""
    if not body or len(set(body)) < min(9, len(body) * 0.5) or _MASK.search(body):
        return False
    if any(map(str.isdigit, body)):
        if kind.name == "JWT" and "." not in body:
            return False
        return kind.alphabet in {"hex", "upper", "base62"} or not is_readable(body)
    return is_mixed(body) and (len(head) > 3 or head[-1] == "_")


def _in_urls(text: str) -> Iterator[Secret]:
    for pattern in (_URL, _CURL):
        for match in pattern.finditer(text):
            secret = match["secret"]
            if secret not in {match["user"], *_WELL_KNOWN} and not is_placeholder(secret):
                yield Secret(*match.span("secret"), "URL password")
    for match in _URL_TOKEN.finditer(text):
        if not is_readable(match["secret"]):
            yield Secret(*match.span("secret"), "URL password")


def find(text: str) -> tuple[Secret, ...]:
    """Return the secrets in a text, in order, none overlapping another.

    Where two overlap, both are covered and the more telling name stands.
    """
    lowered = folded(text)
    is_dashed = _DASHED.search(lowered)
    ranked = list(_private_keys(text)) if is_dashed else []
    heads, runs = _places(text, lowered, lowered.translate(_CLASSES))
    if heads:
        ranked += _headed(text, heads)
    if (b"@" in lowered and b"://" in lowered) or (is_dashed and b"curl" in lowered):
        ranked += _in_urls(text)
    for start, end, kind in assigned(text, lowered):
        ranked.append(Secret(start, end, kind))
    if runs:
        ranked += [Secret(*each) for each in opaque(text, runs)]
    if not ranked:
        return ()
    found: list[tuple[int, Secret]] = []
    for rank, secret in sorted(enumerate(ranked), key=lambda each: (each[1].start, each[0])):
        if not found or secret.start >= found[-1][1].end:
            found.append((rank, secret))
            continue
        best, last = found[-1]
        kind = last.kind if best <= rank else secret.kind
        found[-1] = (min(best, rank), Secret(last.start, max(last.end, secret.end), kind))
    return tuple(secret for _, secret in found)


def redact(text: str) -> str:
    """Return the text with each secret replaced by `[redacted: kind]`."""
    parts: list[str] = []
    at = 0
    for secret in find(text):
        parts += [text[at : secret.start], f"[redacted: {secret.kind}]"]
        at = secret.end
    return "".join([*parts, text[at:]]) if parts else text


def without(sentence: str) -> str:
    """Return a sentence as a note keeps it: a mark for each secret, and no quotes around a mark."""
    return _QUOTED.sub(r"\1", redact(sentence)) if find(sentence) else sentence
