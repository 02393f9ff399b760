"""What starts dreams by itself: the daemon, its service or timer, the plugin."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

from dreamd.app.wiring import App
from dreamd.checkup import Result, fail, ok, warn
from dreamd.errors import HostError
from dreamd.host import presence
from dreamd.install import agent, plan, plugin
from dreamd.install import service as units

_HOOK = re.compile(r"\[ ! -x (.{1,500}?) \] \|\| ")
_LINGER = Path("/var/lib/systemd/linger")
_AGAIN = "`dreamd install` again, by the dreamd that you mean"


def daemon(app: App) -> Result:
    """Look whether the daemon runs; without it something else should begin dreams."""
    pid = presence.holder(app.loaded.paths.state / "daemon.lock")
    if pid is not None:
        return ok(f"running (process {pid or 'unknown'})")
    if (units.place(app.loaded.paths.config_file) / units.TIMER).exists():
        return ok("not running, for there is the timer")
    if plan.recorded(plugin.place(app.loaded.paths.home)):
        return ok("not running; the plugin's hooks begin dreams")
    return warn("not running, and nothing else begins dreams", "`dreamd install --now`")


def service(app: App) -> Result:
    """Look whether the service or the timer is installed, starts what is there, and runs."""
    if sys.platform == "darwin":
        return _agent(app.loaded.paths.home)
    folder = units.place(app.loaded.paths.config_file)
    unit = next((each for each in (units.SERVICE, units.TIMER) if (folder / each).exists()), "")
    if not unit:
        return ok("not installed (`dreamd install` starts the daemon with each login)")
    starts = units.ONCE if unit == units.TIMER else unit
    try:
        command = started((folder / starts).read_text("utf-8"))
    except (OSError, ValueError) as error:
        return fail(f"{folder / starts} cannot be read: {error}", _AGAIN)
    if command is None or not os.access(command, os.X_OK):
        gone = f"{folder / starts} starts {command or 'nothing'}, which is not there"
        return fail(gone, _AGAIN)
    if refusal := units.refusal():
        return warn(f"installed, and nobody can say whether it runs: {refusal}", "log in, and ask")
    asked = ("systemctl", "--user", "--quiet")
    if _says_yes(*asked, "is-failed", unit):
        mend = f"`journalctl --user -u {starts}` says why; `systemctl --user restart {unit}`"
        return fail("it failed", mend)
    if not _says_yes(*asked, "is-active", unit):
        return warn("installed, and not running", f"`systemctl --user start {unit}`")
    if not _says_yes(*asked, "is-enabled", unit):
        return warn("running, and not enabled", f"`systemctl --user enable {unit}`")
    user = app.loaded.environ.get("USER") or str(os.getuid())
    lingers = (_LINGER / user).exists()
    ends = "" if lingers else " until your last logout (`loginctl enable-linger` lets it go on)"
    return ok(f"{unit} is enabled and running{ends}: {command}")


def hooks(app: App) -> Result:
    """Look whether the plugin is laid down, and its hooks start what is there."""
    folder = plugin.place(app.loaded.paths.home)
    try:
        if not plan.recorded(folder):
            return ok("not installed (`dreamd install --claude` adds /dream to the client)")
        text = (folder / plugin.HOOKS).read_text("utf-8")
    except (HostError, OSError, ValueError) as error:
        return warn(str(error), "`dreamd install --claude` installs it again")
    programs = [shlex.split(each)[0] for each in _HOOK.findall(text)]
    gone = [each for each in programs if not os.access(each, os.X_OK)]
    if gone:
        mend = "`dreamd install --claude`, by the dreamd that you mean"
        return fail(f"its hooks start {gone[0]}, which is not there", mend)
    return ok(f"installed in {folder}")


def started(unit: str) -> str | None:
    """Return the program that a unit starts (systemd.service(5), "Command lines")."""
    for line in unit.splitlines():
        if line.startswith("ExecStart="):
            words = shlex.split(line.removeprefix("ExecStart="))
            home = os.path.expanduser("~")  # noqa: PTH111 - Path.home raises where there is none
            return words[0].replace("%h", home).replace("%%", "%") if words else None
    return None


def _agent(home: Path) -> Result:
    if not agent.place(home).exists():
        return ok("not installed (`dreamd install` starts the daemon with each login)")
    if _says_yes("launchctl", "print", agent.target()):
        return ok(f"loaded: {agent.place(home)}")
    return warn("installed, and not loaded", f"`{shlex.join(agent.load(home))}`")


def _says_yes(*words: str) -> bool:
    try:
        plan.tell(words)
    except HostError:
        return False
    return True
