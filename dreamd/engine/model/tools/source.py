"""A file as the lines that the model may see: no escape sequence, no secret, no raw transcript."""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from dreamd.engine.model.tools.conversation import rows_of
from dreamd.engine.model.tools.opening import LARGEST, held, missing, opened
from dreamd.engine.model.tools.paths import note_of
from dreamd.engine.model.tools.place import Place
from dreamd.errors import RefusedError
from dreamd.text.secrets.secrets import find
from dreamd.transcripts.plain import plain

_SNIFFED = 8_192  # bytes in which a NUL says that a file is no text
_KEPT = 4  # files read last, for paging through them
_KEPT_SIZE = 4_000_000  # characters of one that is kept


class Source(Struct, frozen=True):
    """The lines of a file as they may be shown; of a transcript, those of its conversation."""

    name: str
    rows: tuple[str, ...]
    is_conversation: bool = False


_Key = tuple[Path, int, int, int, int]
_recent: OrderedDict[_Key, Source] = OrderedDict()


def source(path: Path, place: Place) -> Source:
    """Return the lines of a note or a file, redacted as a whole: no line of a private key is shown.

    Raises:
        RefusedError: it may not be shown, or is no text.
    """
    said = str(path)
    if (note := note_of(path, place)) is not None:
        if note not in place.notes:
            beside = [each.name for each in place.notes if each.parent == note.parent]
            raise RefusedError(missing(said, note.name, beside))
        return Source(str(place.memory / note), _rows(place.notes[note]))
    with opened(path, place) as (descriptor, real, status):
        key = (real, status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size)
        if key in _recent:
            _recent.move_to_end(key)
            return replace(_recent[key], name=said)
        if real.suffix == ".jsonl":
            found = Source(said, tuple(rows_of(held(descriptor))), is_conversation=True)
        elif status.st_size > LARGEST:
            raise RefusedError(
                f"{said} has {status.st_size:,} bytes; files up to {LARGEST:,} are shown."
            )
        else:
            data = _bytes(descriptor)
            if b"\0" in data[:_SNIFFED]:
                raise RefusedError(f"{said} is no text (it holds NUL bytes); read text files.")
            found = Source(said, _rows(data.decode("utf-8", "replace")))
    if sum(map(len, found.rows)) <= _KEPT_SIZE:
        _recent[key] = found
        if len(_recent) > _KEPT:
            _recent.popitem(last=False)
    return found


def _rows(text: str) -> tuple[str, ...]:
    """Return the lines of a text as they may be shown."""
    text = hidden(plain(text))
    return tuple(text.removesuffix("\n").split("\n")) if text else ()


def hidden(text: str) -> str:
    """Return a text without its secrets, every line where it was."""
    parts: list[str] = []
    at = 0
    for secret in find(text):
        ends = "\n" * text.count("\n", secret.start, secret.end)
        parts += [text[at : secret.start], f"[redacted: {secret.kind}]{ends}"]
        at = secret.end
    return "".join([*parts, text[at:]]) if parts else text


def _bytes(descriptor: int) -> bytes:
    parts: list[bytes] = []
    left = LARGEST
    while left and (part := os.read(descriptor, min(left, 1 << 20))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
