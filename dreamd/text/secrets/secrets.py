"""Find secrets in text by the heads of the table, by what they are assigned to, by their context.

What a secret cannot do without (a long run, a fixed word) is looked for first, in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from string import ascii_letters, digits
from typing import NamedTuple

from dreamd.text.late import late
from dreamd.text.secrets.credentials import assigned, folded, is_mixed, is_placeholder, is_readable
from dreamd.text.secrets.opaque import SHORT_TEXT, SecretKind, headed, opaque, wholes


class Secret(NamedTuple):
    """Columns `start` to `end` (half-open) of a text hold a secret of that kind."""

    start: int
    end: int
    kind: str


_RUN = frozenset("-._+/~" + ascii_letters + digits)
_CLASSES = bytes(ord("a") if chr(byte) in _RUN else ord(" ") for byte in range(256))
_SHORTEST_RUN, _SHORTER_RUN, _SHORTEST_BODY = 20, 15, 10  # in a long text, a short one; of a body
_ENOUGH = 512  # characters of a body that are judged
_ALNUM = {"[0-9a-fA-F]*", "[A-Z0-9]*", "[A-Za-z0-9]*"}  # forms in which no words are written
_MASK = late(r"(?i)x{5}|your|\.{3}|example")
_PEM = late(r"-{4,5} ?(BEGIN|END) (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_PEM_BODY = late(r"(?:(?:\\[nr]|\s)+[A-Za-z0-9+/=]{16,4096})+")
_PEM_RUN = late(r"[A-Za-z0-9+/]{40}")
_PUTTY = late(r"Private-Lines: \d{1,3}")
_WELL_KNOWN = {"postgres", "root", "guest", "rabbitmq", "minioadmin"}  # defaults of local servers


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


def _spread(text: str, kind: SecretKind) -> Iterator[Secret]:
    """Yield what is inside a form of the table: a header, an address, a command."""
    for match in kind.form.finditer(text):
        value, user = match[match.lastindex or 0], match.groupdict().get("user")
        is_default = value == user or value in _WELL_KNOWN or is_placeholder(value[:99])
        if not is_default and (user is not None or not is_readable(value)):
            yield Secret(*match.span(match.lastindex or 0), kind.name)


@cache
def _heads() -> tuple[re.Pattern[str], dict[str, list[tuple[str, SecretKind]]]]:
    """Return a pattern of what is before a head, and heads by two letters, the longest first."""
    heads = sorted((head for head in headed() if head[0] not in "@*"), key=len, reverse=True)
    rows: dict[str, list[tuple[str, SecretKind]]] = {head[:2]: [] for head in heads}
    for head in heads:
        rows[head[:2]] += [(head, kind) for kind in headed()[head]]
    return late(f"[^A-Za-z0-9](?={'|'.join(map(re.escape, rows))})"), rows


def _headed(text: str, runs: list[tuple[int, int]]) -> Iterator[Secret]:
    """Yield the secrets that begin with a head of the table."""
    (before_head, rows), shown, end = _heads(), f" {text}", 0
    for first, last in runs:
        for place in before_head.finditer(shown, first, last + 1 - _SHORTEST_BODY):
            at = place.start()
            for head, kind in rows[text[at : at + 2]] if at >= end else ():
                if text.startswith(head, at) and (ends := _end(text, at + len(head), head, kind)):
                    yield Secret(at + len(head) * (head[-1] == "/"), ends, kind.name)
                    end = ends
                    break


def _end(text: str, start: int, head: str, kind: SecretKind) -> int:
    """Return where a key ends whose body begins there, 0 where it is too short or made of words."""
    end = kind.end(text, start, _ENOUGH)
    body = text[start:end]
    is_cut = end < start + _ENOUGH and text[end : end + 1].isalnum()
    if is_cut or len(body) < max(kind.least, 1) or (kind.name == "JWT" and "." not in body):
        return 0
    if len(set(body)) < min(9, len(body) * 0.5) or _MASK.search(body):
        return 0
    is_sure = kind.form.pattern in _ALNUM or not is_readable(body)
    if not any(map(str.isdigit, body)):
        is_sure = is_mixed(body) and (len(head) > 3 or head[-1] == "_")
    return kind.end(text, start, len(text)) if is_sure else 0


def _runs(lowered: bytes) -> Iterator[tuple[int, int]]:
    """Yield the long runs of letters, digits and a few signs."""
    long = b"a" * (_SHORTER_RUN if len(lowered) <= SHORT_TEXT else _SHORTEST_RUN)
    classes, end = lowered.translate(_CLASSES), 0
    while (at := classes.find(long, end)) >= 0:
        end = classes.find(b" ", at) % (len(classes) + 1)  # to the end where there is no other
        yield at, end


def find(text: str) -> tuple[Secret, ...]:
    """Return the secrets of a text in order; two that overlap are one with the better name."""
    lowered = folded(text)
    ranked = list(_private_keys(text)) if b"private" in lowered else []
    if runs := list(_runs(lowered)):
        ranked += _headed(text, runs)
    for holds, rows in wholes().items():
        if holds and holds in lowered:
            ranked += [each for kind in rows for each in _spread(text, kind)]
    ranked += map(Secret._make, assigned(text, lowered))
    if runs:
        ranked += map(Secret._make, opaque(text, lowered, runs))
    found, best = list[Secret](), 0
    for rank, secret in sorted(enumerate(ranked), key=lambda each: (each[1].start, each[0])):
        if not found or secret.start >= found[-1].end:
            best = rank
            found.append(secret)
            continue
        last = found.pop()
        best, kind = min((best, last.kind), (rank, secret.kind))
        found.append(Secret(last.start, max(last.end, secret.end), kind))
    return tuple(found)


def redact(text: str) -> str:
    """Return the text with each secret replaced by `[redacted: kind]`."""
    parts, at = list[str](), 0
    for secret in find(text):
        parts += [text[at : secret.start], f"[redacted: {secret.kind}]"]
        at = secret.end
    return "".join([*parts, text[at:]])
