"""What starts dreams by itself: the daemon, its service or timer, the plugin, lingering."""

from __future__ import annotations

import os
import pwd
import re
import shlex
import sys
from pathlib import Path

from dreamd.app.wiring import App
from dreamd.checkup.result import Patient, Result, fail, ok, warn
from dreamd.errors import HostError
from dreamd.host import presence
from dreamd.install import agent, plugin, units
from dreamd.install import service as manager

_CONTROL = ("systemctl", "--user", "--quiet")
_HOOK = re.compile(r"\[ ! -x (.{1,500}?) \] \|\| ")
_LINGER = Path("/var/lib/systemd/linger")


def service(patient: Patient) -> Result:
    """Look whether the service is installed, starts what is there, and runs."""
    app = patient.app
    if sys.platform == "darwin":
        return _agent(app)
    if not (_units(app) / units.SERVICE).exists():
        return ok("not installed (`dreamd install` starts the daemon with each login)")
    return _unit(app, units.SERVICE, units.SERVICE)


def timer(patient: Patient) -> Result:
    """Look whether the timer is installed, starts what is there, and runs."""
    app = patient.app
    if sys.platform == "darwin" or not (_units(app) / units.TIMER).exists():
        return ok("not installed (`dreamd install --timer`, for who wants no daemon)")
    return _unit(app, units.TIMER, units.ONCE)


def daemon(patient: Patient) -> Result:
    """Look whether the daemon runs; without it something else should begin dreams."""
    app = patient.app
    pid = presence.holder(app.loaded.paths.state / "daemon.lock")
    if pid is not None:
        return ok(f"running (process {pid or 'unknown'})")
    if (_units(app) / units.TIMER).exists():
        return ok("not running, for there is the timer")
    if plugin.recorded(_plugin_folder(app)):
        return ok("not running; the plugin's hooks begin dreams")
    return warn("not running, and nothing else begins dreams", "`dreamd install --now`")


def hooks(patient: Patient) -> Result:
    """Look whether the plugin is laid down, and its hooks start what is there."""
    folder = _plugin_folder(patient.app)
    try:
        laid = plugin.recorded(folder)
        if not laid:
            return ok("not installed (`dreamd install --claude` adds /dream to the client)")
        text = (folder / "dreamd" / "hooks" / "hooks.json").read_text("utf-8")
    except (HostError, OSError, UnicodeDecodeError) as error:
        return warn(str(error), "`dreamd install --claude` installs it again")
    gone = [each for each in map(_word, _HOOK.findall(text)) if not os.access(each, os.X_OK)]
    if gone:
        return fail(
            f"its hooks start {gone[0]}, which is not there",
            "`dreamd install --claude`, by the dreamd that you mean",
        )
    return ok(f"installed in {folder}")


def lingering(patient: Patient) -> Result:
    """Say whether the service goes on without a login."""
    if sys.platform != "linux" or not any(
        (_units(patient.app) / each).exists() for each in (units.SERVICE, units.TIMER)
    ):
        return ok("not needed: there is no service")
    try:
        name = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        name = str(os.getuid())
    if (_LINGER / name).exists():
        return ok("on: the service goes on after your last logout")
    return ok("off: it ends with your last logout (`loginctl enable-linger` lets it go on)")


def _unit(app: App, unit: str, starts: str) -> Result:
    path = _units(app) / starts
    try:
        command = started(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        return fail(f"{path} cannot be read: {error}", "`dreamd install` writes it again")
    if command is None or not os.access(command, os.X_OK):
        found = f"{path} starts {command or 'nothing'}, which is not there"
        return fail(found, "`dreamd install` again, by the dreamd that you mean")
    if refusal := manager.refusal():
        return warn(f"installed, and nobody can say whether it runs: {refusal}", "log in, and ask")
    if _is("is-failed", unit):
        mend = f"`journalctl --user -u {starts}` says why; `systemctl --user restart {unit}`"
        return fail("it failed", mend)
    if not _is("is-active", unit):
        return warn("installed, and not running", f"`systemctl --user start {unit}`")
    if not _is("is-enabled", unit):
        return warn("running, and not enabled", f"`systemctl --user enable {unit}`")
    return ok(f"enabled and running: {command}")


def started(unit: str) -> str | None:
    """Return the program that a unit starts (systemd.service(5), "Command lines").

    Raises:
        ValueError: a quote is never closed.
    """
    for line in unit.splitlines():
        if line.startswith("ExecStart="):
            words = shlex.split(line.removeprefix("ExecStart="))
            home = os.path.expanduser("~")  # noqa: PTH111 - Path.home raises where there is none
            return words[0].replace("%h", home).replace("%%", "%") if words else None
    return None


def _agent(app: App) -> Result:
    place = agent.place(app.loaded.paths.home)
    if not place.exists():
        return ok("not installed (`dreamd install` starts the daemon with each login)")
    try:
        manager.tell(("launchctl", "print", agent.target()))
    except HostError:
        load = f"`launchctl bootstrap {agent.target().rpartition('/')[0]} {place}`"
        return warn("installed, and not loaded", load)
    return ok(f"loaded: {place}")


def _is(what: str, unit: str) -> bool:
    try:
        manager.tell((*_CONTROL, what, unit))
    except HostError:
        return False
    return True


def _units(app: App) -> Path:
    return app.loaded.paths.config_file.parents[1] / "systemd" / "user"


def _plugin_folder(app: App) -> Path:
    return app.loaded.paths.home / ".local" / "share" / "dreamd" / "claude"


def _word(quoted: str) -> str:
    return shlex.split(quoted)[0]
