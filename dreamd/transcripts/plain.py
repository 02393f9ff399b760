"""Text made plain as it enters: ordinary line ends, nothing invisible, no secret."""

from __future__ import annotations

from dreamd.text.late import late
from dreamd.text.secrets.secrets import redact

_BEYOND = 512  # characters past a cap that are looked at, for a secret across it
_LONGEST = 80_000  # no known secret without white space is longer

_REMOVED = bytes(byte for byte in (*range(32), 127) if chr(byte) not in "\n\t")
_ODD = late(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_ESCAPE = late(  # ECMA-48: control sequences, control strings, then the shorter ones
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"
    r"|\x1b\][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b\n]{0,4096}\x1b\\"
    r"|\x1b[ -/]{0,8}[0-~]"
)
_SURROGATE = late(r"[\ud800-\udfff]")
_SPACE = late(r"\s")


def plain(text: str) -> str:
    r"""Return a text with `\n` as its line end and no escape sequence or control character.

    Tabs stay; half a surrogate pair, which no file could hold, becomes U+FFFD.
    """
    if text.isprintable() or _is_plain(text):  # the first is far cheaper, for a single line
        return text
    text = _ESCAPE.sub("", text)
    text = _SURROGATE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _ODD.sub("", text)


def _is_plain(text: str) -> bool:
    """Whether `plain` would change nothing: a byte search, far cheaper than the patterns."""
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return False
    if len(encoded.translate(None, _REMOVED)) != len(encoded):
        return False
    return b"\xc2" not in encoded or not _ODD.search(text)  # U+0080 to U+009F begin with C2


def redacted_start(text: str, cap: int) -> tuple[str, bool]:
    """Return the first `cap` characters of a text as they may be kept, and whether that cut it.

    Secrets are redacted in more than is kept, up to white space, so that none is halved by the
    cap and kept as something that no shape fits. A run without white space that is longer than
    any secret is dropped from its beginning.
    """
    window = text
    if len(text) > cap + _BEYOND:
        end = _SPACE.search(text, cap + _BEYOND, cap + _BEYOND + _LONGEST)
        if end:
            window = text[: end.start()]
        elif len(text) > cap + _BEYOND + _LONGEST:
            window = text[: max(text.rfind(mark, 0, cap) for mark in " \t\n") + 1]
    kept = redact(plain(window))
    return kept[:cap], len(kept) > cap or len(window) < len(text)


def redacted_end(text: str, most: int) -> str:
    """Return the last `most` characters of a text, from a word on, as they may be kept.

    Secrets are redacted in more than is kept. Of a text with a private key nothing is: its lines
    have no shape of their own.
    """
    if "PRIVATE KEY" in text:
        return ""
    window = text[-most - _BEYOND :]
    if len(window) < len(text):
        window = window.partition(" ")[2]
    kept = redact(plain(window))
    return kept if len(kept) <= most else kept[-most:].partition(" ")[2]
