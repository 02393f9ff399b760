"""A word to the person at the desk, where the desktop has a way to show one."""

from __future__ import annotations

import subprocess
import sys

_PATIENCE = 2  # seconds; a bus without a desktop lets one wait
_SCRIPT = (
    "on run words",
    "display notification (item 2 of words) with title (item 1 of words)",
    "end run",
)


def notify(title: str, text: str) -> bool:
    """Show a notification by notify-send(1), on a Mac by osascript(1); whether it was taken.

    Control characters become spaces. Nothing is raised: with no desktop, no such program, or
    none that answers in 2 s, the answer is False.
    """
    if sys.platform == "darwin":
        script = [word for line in _SCRIPT for word in ("-e", line)]
        return _run(["osascript", *script, _plain(title), _plain(text)])
    # The body is markup (Desktop Notifications Specification 1.2, "Markup"), the title is not.
    marked = _plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _run(["notify-send", "--app-name=dreamd", "--", _plain(title), marked])


def _run(command: list[str]) -> bool:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _plain(text: str) -> str:
    """Return text as one line that any argument and any bus can carry."""
    said = "".join(each if each.isprintable() else " " for each in text)
    return said.encode("utf-8", "replace").decode("utf-8")
