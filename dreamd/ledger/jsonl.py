"""JSON for files, a value a line; any name that a file may have is written."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path, PurePath
from typing import Any, TypeVar

import msgspec

from dreamd.host import files

_Kind = TypeVar("_Kind")


def encode(value: object) -> bytes:
    """Return a value, Structs and paths in it as well, as JSON on one line."""
    try:
        return msgspec.json.encode(value, enc_hook=str)
    except UnicodeEncodeError:  # the name of a file that is no UTF-8
        import json  # noqa: PLC0415 - seldom needed

        return json.dumps(msgspec.to_builtins(value, enc_hook=str)).encode("ascii")


def decode(data: bytes | str, kind: type[_Kind]) -> _Kind:
    """Return the value of this type that was encoded; keys that it does not know are ignored.

    Raises:
        ValueError: it is none.
    """
    try:
        return msgspec.json.decode(data, type=kind, dec_hook=_path)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ValueError(str(error)) from error
    except msgspec.DecodeError:  # damaged, or `encode` wrote a name that is no UTF-8
        import json  # noqa: PLC0415 - as above

        return msgspec.convert(json.loads(data), kind, dec_hook=_path)


def read(path: Path, kind: type[_Kind]) -> list[_Kind]:
    """Return what is of this type on the lines of a file, oldest first; other lines go by."""
    with files.faults("read", path):
        try:
            lines = files.content(path).split(b"\n")
        except FileNotFoundError:
            return []
    found = []
    for line in filter(None, lines):
        with contextlib.suppress(ValueError):
            found.append(decode(line, kind))
    return found


def _path(kind: type, value: Any) -> Any:
    if not issubclass(kind, PurePath) or not isinstance(value, str):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    os.fsencode(value)  # half a surrogate pair names no file
    return kind(value)
