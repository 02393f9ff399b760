"""The systemd units for this machine, from those that ship with dreamd (systemd.unit(5))."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dreamd.errors import RefusedError
from dreamd.install.launch import Launch

SERVICE, ONCE, TIMER = "dreamd.service", "dreamd-once.service", "dreamd.timer"
KEY = "dreamd-key.conf"
_STARTS = "ExecStart=%h/.local/bin/dreamd "
_ESCAPES = {"\\": "\\\\", '"': '\\"', "%": "%%"}


def rendered(unit: str, launch: Launch) -> str:
    """Return a shipped unit with the real command, the real places, and what it must be told.

    A service whose program is gone is skipped by systemd, which says so, instead of failing.

    Raises:
        RefusedError: a path has a line end, which no unit can hold.
    """
    lines = []
    for line in unit.splitlines():
        if line.startswith(_STARTS):
            command = [quoted(launch.words[0]), *(argument(each) for each in launch.words[1:])]
            lines.append(f"ExecStart={' '.join(command)} {line.removeprefix(_STARTS)}")
        elif line.startswith("ReadWritePaths="):
            lines += [f"ReadWritePaths={quoted(f'-{each}')}" for each in launch.writable]
        elif line == "[Service]":
            at = lines.index("[Unit]") + 1
            # Not quoted: the whole rest of the line is the path.
            lines.insert(at, f"ConditionFileIsExecutable={_plain(launch.words[0])}")
            lines.append(line)
            lines += [f"Environment={quoted(f'{key}={text}')}" for key, text in launch.environ]
        else:
            lines.append(line)
    return "\n".join([*lines, ""])


def key_part(key_file: Path) -> str:
    """Return the drop-in by which a service is given the key and cannot read the file itself."""
    return (
        "[Service]\n"
        f"LoadCredential=anthropic-api-key:{_plain(str(key_file))}\n"
        "Environment=DREAMD_MODEL__KEY_FILE=\n"
        f"InaccessiblePaths={quoted(f'-{key_file}')}\n"
    )


def writable(places: Iterable[Path]) -> tuple[Path, ...]:
    """Return the places each once, sorted, without those inside another."""
    found: list[Path] = []
    for each in sorted(set(places)):
        if not any(each.is_relative_to(other) for other in found):
            found.append(each)
    return tuple(found)


def quoted(text: str) -> str:
    """Return a text as one word of a unit, as it stands."""
    return f'"{"".join(_ESCAPES.get(each, each) for each in _one_line(text))}"'


def argument(text: str) -> str:
    """Return a text as one argument of a command; there a dollar sign would name a variable."""
    return quoted(text).replace("$", "$$")


def _plain(text: str) -> str:
    return _one_line(text).replace("%", "%%")


def _one_line(text: str) -> str:
    if any(ord(each) < 32 for each in text):
        raise RefusedError(f"{text!r} has a control character, which no unit can hold: rename it")
    return text
