"""The user service of systemd: its units laid down, enabled, and taken up again."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from dreamd.errors import HostError
from dreamd.install import laying, seal, units
from dreamd.install.launch import Launch
from dreamd.install.laying import FileState, Piece
from dreamd.install.plan import Plan

_CONTROL = ("systemctl", "--user")
_PATIENCE = 100  # seconds; a stop may wait for a dream to roll back


def install(
    folder: Path, shipped: Mapping[str, str], launch: Launch, *, timer: bool, now: bool
) -> Plan:
    """Return the plan of an install; the daemon replaces the timer, and the timer the daemon.

    Args:
        folder: where the units of a user lie, `$XDG_CONFIG_HOME/systemd/user`.
        shipped: the units that ship with dreamd, by name.
        launch: how this dreamd is started.
        timer: a look now and then instead of a daemon.
        now: start it too, again if it runs.
    """
    names = (units.ONCE, units.TIMER) if timer else (units.SERVICE,)
    pieces = {folder / name: units.rendered(shipped[name], launch) for name in names}
    if launch.key_file is not None:
        pieces[_key_place(folder, names[0])] = units.key_part(launch.key_file)
    unit, other = (units.TIMER, units.SERVICE) if timer else (units.SERVICE, units.TIMER)
    gone = [path for path in every_place(folder) if path not in pieces]
    replaces = laying.standing(_known(folder / other)) in {FileState.OURS, FileState.SAME}
    after = [(*_CONTROL, "daemon-reload"), (*_CONTROL, "enable", unit)]
    return Plan(
        lay=tuple(_piece(path, text) for path, text in pieces.items()),
        take=tuple(map(_known, gone)),
        top=folder,
        before=((*_CONTROL, "disable", "--now", other),) if replaces else (),
        after=(*after, (*_CONTROL, "restart", unit)) if now else tuple(after),
        links=_links(folder, other) if replaces else (),
        refusal=refusal(),
    )


def uninstall(folder: Path) -> Plan:
    """Return the plan that takes back whatever an install did; an edited unit stays, disabled."""
    known = tuple(map(_known, every_place(folder)))
    there = [each.path for each in known if laying.standing(each) is not FileState.ABSENT]
    enabled = [name for name in (units.SERVICE, units.TIMER) if folder / name in there]
    return Plan(
        take=known,
        top=folder,
        before=((*_CONTROL, "disable", "--now", *enabled),) if enabled else (),
        after=((*_CONTROL, "daemon-reload"),) if there else (),
        links=(*_links(folder, units.SERVICE), *_links(folder, units.TIMER)),
        refusal=refusal(),
    )


def every_place(folder: Path) -> tuple[Path, ...]:
    """Return where an install may have laid something."""
    services = (units.SERVICE, units.ONCE)
    return (
        *(folder / each for each in (*services, units.TIMER)),
        *(_key_place(folder, each) for each in services),
    )


def refusal() -> str:
    """Return why the user's service manager cannot be told anything, "" where it can."""
    try:
        tell((*_CONTROL, "show", "--property=Version"))
    except HostError as error:
        return str(error)
    return ""


def tell(words: Sequence[str]) -> None:
    """Run a command of the service manager.

    Raises:
        HostError: it is not there, or says no; the sentence has its words.
    """
    try:
        done = subprocess.run(
            list(words),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )
    except FileNotFoundError as error:
        raise HostError(f"there is no {words[0]} here") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostError(f"`{shlex.join(words)}` did not end well: {error}") from error
    if done.returncode != 0:
        said = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise HostError(f"`{shlex.join(words)}`: {said}")


def _piece(path: Path, text: str) -> Piece:
    return Piece(path, seal.sealed(text), seal.is_unedited)


def _known(path: Path) -> Piece:
    return Piece(path, "", seal.is_unedited)


def _key_place(folder: Path, service: str) -> Path:
    return folder / f"{service}.d" / units.KEY


def _links(folder: Path, unit: str) -> tuple[tuple[Path, Path], ...]:
    wants = "timers.target.wants" if unit == units.TIMER else "default.target.wants"
    return ((folder / wants / unit, folder / unit),)
