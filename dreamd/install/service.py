"""The user service of systemd: the units that ship with dreamd, made to fit this machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dreamd.errors import HostError, RefusedError
from dreamd.host import files
from dreamd.install import plan, resources
from dreamd.install.launch import Launch
from dreamd.install.plan import Plan

SERVICE, ONCE, TIMER = "dreamd.service", "dreamd-once.service", "dreamd.timer"
_KEY = "dreamd-key.conf"
_CONTROL = ("systemctl", "--user")
_STARTS = "ExecStart=%h/.local/bin/dreamd "
_ESCAPES = {"\\": "\\\\", '"': '\\"', "%": "%%"}


def place(config_file: Path) -> Path:
    """Return where the units of the user lie (systemd.unit(5), "User Unit Search Path")."""
    return config_file.parents[1] / "systemd" / "user"


def install(folder: Path, launch: Launch, *, timer: bool, now: bool) -> Plan:
    """Return the plan of an install; the daemon replaces the timer, and the timer the daemon."""
    shipped, texts = resources.folder("systemd"), dict[str, str]()
    for name in (ONCE, TIMER) if timer else (SERVICE,):
        with files.faults("read", shipped / name):
            texts[name] = rendered((shipped / name).read_text("utf-8"), launch)
    if (key := launch.key_file) is not None:  # given to the service, which cannot read the file
        texts[f"{ONCE if timer else SERVICE}.d/{_KEY}"] = (
            f"[Service]\nLoadCredential=anthropic-api-key:{_plain(str(key))}\n"
            f"Environment=DREAMD_MODEL__KEY_FILE=\nInaccessiblePaths={quoted(f'-{key}')}\n"
        )
    unit, other = (TIMER, SERVICE) if timer else (SERVICE, TIMER)
    replaces = (other, "ours") in plan.standing(Plan(folder))
    after = [(*_CONTROL, "daemon-reload"), (*_CONTROL, "enable", unit)]
    after += [(*_CONTROL, "restart", unit)] if now else []
    return Plan(
        folder,
        texts,
        before=((*_CONTROL, "disable", "--now", other),) if replaces else (),
        after=tuple(after),
        refusal=refusal(),
    )


def uninstall(folder: Path) -> Plan:
    """Return the plan that takes back whatever an install did; an edited unit stays, disabled."""
    there = [name for name in (SERVICE, TIMER) if (folder / name).exists()]
    return Plan(
        folder,
        before=((*_CONTROL, "disable", "--now", *there),) if there else (),
        after=((*_CONTROL, "daemon-reload"),) if there else (),
        refusal=refusal(),
    )


def refusal() -> str:
    """Return why the user's service manager cannot be told anything, "" where it can."""
    try:
        plan.tell((*_CONTROL, "show", "--property=Version"))
    except HostError as error:
        return str(error)
    return ""


def rendered(unit: str, launch: Launch) -> str:
    """Return a shipped unit with the real command, the real places, and what it must be told.

    A service whose program is gone is skipped by systemd, which says so, instead of failing.
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
