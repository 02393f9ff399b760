"""The launchd agent for a Mac (launchd.plist(5))."""

from __future__ import annotations

import os
from pathlib import Path

from dreamd.errors import HostError
from dreamd.install import plan
from dreamd.install.launch import Launch
from dreamd.install.plan import Commands, Plan

LABEL = "dev.dreamd"
_EVERY = 1_800  # seconds, of the agent that is no daemon
_REST = 30  # seconds between two starts


def place(home: Path) -> Path:
    """Return where the agent of a user lies."""
    return home / "Library" / "LaunchAgents" / f"{LABEL}.plist"


def target() -> str:
    """Return the name of the agent in launchctl(1), in the login session of this user."""
    return f"gui/{os.getuid()}/{LABEL}"


def load(home: Path) -> tuple[str, ...]:
    """Return the command that starts the agent."""
    return ("launchctl", "bootstrap", target().rpartition("/")[0], str(place(home)))


def install(home: Path, launch: Launch, *, timer: bool, now: bool) -> Plan:
    """Return the plan of an install; `now` ends an agent that runs and starts this one."""
    path = place(home)
    texts = {path.name: rendered(launch, home, timer=timer)}
    return Plan(path.parent, texts, _bootout() if now else (), (load(home),) if now else ())


def uninstall(home: Path) -> Plan:
    """Return the plan that takes the agent back."""
    return Plan(place(home).parent, before=_bootout())


def rendered(launch: Launch, home: Path, *, timer: bool) -> str:
    """Return the agent: the daemon, kept alive unless it ends well; or one look now and then.

    launchd knows no exit code that forbids a new start, so that a wrong configuration is tried
    again every 30 seconds.
    """
    import plistlib  # noqa: PLC0415 - on a Mac only

    log = str(home / "Library" / "Logs" / "dreamd.log")
    agent: dict[str, object] = {
        "Label": LABEL,
        "ProgramArguments": [*launch.words, "run", *(["--once"] if timer else [])],
        "EnvironmentVariables": dict(launch.environ),
        "ProcessType": "Background",
        "LowPriorityIO": True,
        "Nice": 10,
        "Umask": 0o077,
        "StandardOutPath": log,
        "StandardErrorPath": log,
        "ThrottleInterval": _REST,
        "ExitTimeOut": 60,
    }
    agent |= {"StartInterval": _EVERY} if timer else {"KeepAlive": {"SuccessfulExit": False}}
    agent |= {} if timer else {"RunAtLoad": True}
    return plistlib.dumps(agent, sort_keys=False).decode("utf-8")


def _bootout() -> Commands:
    """Return the command that ends the agent, if launchd knows of it."""
    try:
        plan.tell(("launchctl", "print", target()))
    except HostError:
        return ()
    return (("launchctl", "bootout", target()),)
