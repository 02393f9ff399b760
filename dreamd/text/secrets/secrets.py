"""Find secrets in text by their well-known shapes, and spare what only looks like one.

The shapes are the prefixes and lengths that the issuers document. Time is linear in the text:
every repetition is bounded, or cannot begin again inside itself. Most of a text is not looked at
by any pattern: what a shape cannot do without (a long run of characters, a fixed word) is looked
for first, with plain byte searches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_letters, digits

from dreamd.text.late import late
from dreamd.text.secrets.credentials import (
    assigned,
    folded,
    is_placeholder,
    is_readable,
    matches_at,
)


@dataclass(frozen=True, slots=True)
class Secret:
    """Columns `start` to `end` (half-open) of a text hold a secret of that kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class _Shape:
    """A kind of secret, and the fixed head with which each of them begins.

    `wordy` shapes could be words joined by dashes, which are spared.
    """

    kind: str
    head: str
    pattern: re.Pattern[str]
    wordy: bool = False


def _shape(kind: str, head: str, rest: str, *, wordy: bool = False) -> _Shape:
    """Return a shape that begins at no letter or digit; the group, if any, is the secret."""
    return _Shape(kind, head, late(rf"(?<![A-Za-z0-9]){head}{rest}"), wordy)


_SHAPES = (
    _shape("AWS access key id", "(?:AKIA|ASIA|ABIA|ACCA)", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _shape("GitHub key", "gh[pousr]_", r"[A-Za-z0-9]{30,255}"),
    _shape("GitHub key", "github_pat_", r"[A-Za-z0-9_]{22,255}"),
    _shape(
        "GitLab key",
        "gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-",
        r"[A-Za-z0-9_.-]{20,255}",
        wordy=True,
    ),
    _shape("Slack key", "xox[abeoprs]", r"(?:\.xox[bp])?-[A-Za-z0-9-]{10,255}"),
    _shape("Slack key", "xapp-", r"[0-9]-[A-Za-z0-9-]{10,255}"),
    _shape(
        "Slack webhook",
        r"hooks\.slack\.com",
        r"/services/([A-Za-z0-9]{6,20}/[A-Za-z0-9]{6,20}/[A-Za-z0-9]{16,40})",
    ),
    _shape("Stripe key", "[sr]k_(?:live|test)_", r"[A-Za-z0-9]{10,255}"),
    _shape("Stripe key", "whsec_", r"[A-Za-z0-9+/]{24,255}"),
    _shape("Google key", "AIza", r"[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    _shape("Google key", "GOCSPX-", r"[A-Za-z0-9_-]{24,40}"),
    _shape("Google key", r"ya29\.", r"[A-Za-z0-9_.-]{20,2048}"),
    _shape("Anthropic key", "sk-ant-", r"[A-Za-z0-9_-]{16,255}", wordy=True),
    _shape(
        "OpenAI key",
        "sk-(?:proj|svcacct|admin|None|or-v1)-",
        r"[A-Za-z0-9_-]{20,255}",
        wordy=True,
    ),
    _shape("OpenAI key", "sk-", r"(?=[A-Za-z]{0,99}\d)[A-Za-z0-9]{20,255}"),
    _shape("npm key", "npm_", r"[A-Za-z0-9]{30,255}"),
    _shape("PyPI key", "pypi-", r"[A-Za-z0-9_-]{32,2048}", wordy=True),
    _shape("Hugging Face key", "hf_", r"[A-Za-z0-9]{30,60}"),
    _shape("SendGrid key", r"SG\.", r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    _shape("DigitalOcean key", "do[opr]_v1_", r"[a-f0-9]{64}"),
    _shape("Docker key", "dckr_pat_", r"[A-Za-z0-9_-]{20,64}"),
    _shape(
        "JWT",
        r"(?<![_-])eyJ",
        r"[A-Za-z0-9_-]{8,8192}\.eyJ[A-Za-z0-9_-]{8,65536}\.[A-Za-z0-9_-]{10,2048}",
    ),
    _shape(
        "bearer token",
        "[Bb]earer",
        r"[ \t]{1,4}((?=[A-Za-z+/_~.-]{0,99}\d)[A-Za-z0-9+/_~.-]{20,4096}={0,2})",
        wordy=True,
    ),
    _shape(
        "basic credentials",
        "[Aa]uthorization",
        r"[\"'`]?[ \t]{0,4}[:=][ \t]{0,4}[\"'`]?[Bb]asic[ \t]{1,4}"
        r"([A-Za-z0-9+/]{12,4096}={0,2})",
        wordy=True,
    ),
)
_RUN = frozenset("-._+/~" + ascii_letters + digits)
_SHORTEST_RUN = 18  # of these: the shortest secret (`sk_live_` and ten characters) but Slack's
_SHORTEST_BODY = 10  # of such a run after a head
_LONG = b"a" * _SHORTEST_RUN
_CLASSES = bytes(ord("a") if chr(byte) in _RUN else ord(" ") for byte in range(256))
_HEAD = late("|".join(shape.head for shape in _SHAPES))
_BEFORE_HEAD = late(rf"[^A-Za-z0-9](?={_HEAD.pattern})")  # far faster than looking behind
# Heads of shapes that may be shorter, or hold spaces; each begins with a rare letter, found fast.
_SLACK = late(rb"x(?:ox[abeoprs]|app-)")
_BASIC = late(rb"z(?<=authoriz)ation")

_DASHED = late(rb"-(?:(?=----begin )|(?=u|-user)(?<=[ \t]-))")  # of a key, or for curl
_PEM = late(r"-----(BEGIN|END) (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = late(r"(?:(?:\\[nr]|\s)+[A-Za-z0-9+/=]{16,4096})+")
_PEM_RUN = late(r"[A-Za-z0-9+/]{40}")
_URL = late(r"://(?P<user>[^\s/:@\"'<>`]*):(?P<secret>[^\s/\"'<>`]+)@(?=[\w\[])")
_URL_TOKEN = late(r"://(?P<secret>(?=[A-Za-z_]{0,99}\d)[A-Za-z0-9_]{20,100})@(?=\w)")
_CURL = late(
    r"curl\b[^\n]{0,99}?[ \t](?:-u|--user)[ =]?[\"']?(?P<user>[^\s:\"']{1,64}):"
    r"(?P<secret>[^\s\"'`]{4,256})"
)
_WELL_KNOWN = {"postgres", "root", "guest", "rabbitmq", "minioadmin"}  # defaults of local servers


def _private_keys(text: str) -> Iterator[Secret]:
    """Yield private keys from BEGIN to END; without an END, as far as lines of a key go."""
    marks = list(_PEM.finditer(text))
    for mark, after in pairwise([*marks, None]):
        if mark is None or mark[1] != "BEGIN":
            continue
        end = after.end() if after and after[1] == "END" else None
        if end is None:
            body = _PEM_BODY.match(text, mark.end())
            end = body.end() if body else mark.end()
        if _PEM_RUN.search(text, mark.end(), end):
            yield Secret(mark.start(), end, "private key")


def _heads(text: str, lowered: bytes) -> list[int]:
    """Return, in order, where a shape may begin: most often nowhere.

    Only long runs are looked into for a head, and before them for the word `bearer`; the shapes
    whose run may be short are looked for by the word they begin with.
    """
    found: list[int] = []
    if _SLACK.search(lowered):
        found += [spot.start() for spot in _SLACK.finditer(lowered)]
    if _BASIC.search(lowered):
        found += [spot.start() - len("authori") for spot in _BASIC.finditer(lowered)]
    classes = lowered.translate(_CLASSES)
    end = 0
    while (at := classes.find(_LONG, end)) >= 0:
        end = classes.find(b" ", at)
        end = len(classes) if end < 0 else end
        if at == 0:
            found += [0] if _HEAD.match(text) else []
        else:
            bearer = lowered.find(b"bearer", max(at - len("bearer    "), 0), at)
            found += [bearer] if bearer >= 0 else []
            at -= 1
        while head := _BEFORE_HEAD.search(text, at, end - _SHORTEST_BODY):
            at = head.end()
            found.append(at)
    return sorted(found) if found else found


def _shaped(text: str, heads: list[int]) -> Iterator[Secret]:
    for shape in _SHAPES:
        for match in matches_at(heads, shape.pattern, text):
            group = shape.pattern.groups
            body = match[group]
            varied = len(set(body)) > 9 and not re.search(r"(?i)x{5}|your|\.{3}", body)
            if varied and not (shape.wordy and is_readable(body)):
                yield Secret(*match.span(group), shape.kind)


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

    Where two shapes overlap, both are covered and the more telling name stands.
    """
    lowered = folded(text)
    is_dashed = _DASHED.search(lowered)
    ranked = list(_private_keys(text)) if is_dashed else []
    if heads := _heads(text, lowered):
        ranked += _shaped(text, heads)
    if (b"@" in lowered and b"://" in lowered) or (is_dashed and b"curl" in lowered):
        ranked += _in_urls(text)
    for start, end, kind in assigned(text, lowered):
        ranked.append(Secret(start, end, kind))
    if not ranked:
        return ()
    order = sorted(enumerate(ranked), key=lambda each: (each[1].start, each[0]))
    found: list[tuple[int, Secret]] = []
    for rank, secret in order:
        if not found or secret.start >= found[-1][1].end:
            found.append((rank, secret))
            continue
        best, last = found[-1]
        kind = last.kind if best <= rank else secret.kind
        found[-1] = (min(best, rank), Secret(last.start, max(last.end, secret.end), kind))
    return tuple(secret for _, secret in found)


def redact(text: str) -> str:
    """Return the text with each secret replaced by `[redacted: kind]`."""
    secrets = find(text)
    if not secrets:
        return text
    parts: list[str] = []
    at = 0
    for secret in secrets:
        parts += [text[at : secret.start], f"[redacted: {secret.kind}]"]
        at = secret.end
    return "".join([*parts, text[at:]])
