"""Bash: a read-only shell command, run behind the walls of this process."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dreamd.engine.model.shell import approved
from dreamd.engine.model.tools.page import MOST, within
from dreamd.engine.model.tools.paths import known
from dreamd.engine.model.tools.place import Answer, Place
from dreamd.engine.model.tools.source import hidden
from dreamd.errors import RefusedError
from dreamd.sandbox.policy import Level
from dreamd.transcripts.plain import plain

_SECONDS = 30.0
_GIT_FAILED = 128  # whose own words are not shown
_READ = 400_000  # bytes of output that are looked at
# Of a key without its head, after whatever a command puts before a line; `cat -E` ends it with $.
_KEY_LINE = re.compile(r"(?m)(?<![A-Za-z0-9+/=.])[A-Za-z0-9+/]{60,76}={0,2}(?=\$?$)")


def run(arguments: Mapping[str, Any], place: Place) -> Answer:
    """Run a command that was approved, and show what it printed.

    Raises:
        RefusedError: the command is not read-only, or there are no walls to run it behind.
    """
    if place.level == "paths":
        raise RefusedError("There is no shell on this machine; use Read, Grep, Glob and Sessions.")
    from dreamd.sandbox.run import Limits, shell  # noqa: PLC0415 - where there is a shell

    command = approved(arguments["command"], place)
    seconds = arguments.get("timeout", _SECONDS * 1_000) / 1_000
    limits = Limits(seconds=seconds, output=_READ)
    ran = shell(command, level=Level(place.level), cwd=place.stage, limits=limits)
    output = ran.output.decode("utf-8", "replace")
    text = _KEY_LINE.sub("[redacted: key]", hidden(plain(known(output, place)))).rstrip("\n")
    total = text.count("\n") + 1 if text else 0
    shown = within(text, MOST - 300)
    notes = []
    if shown != text:
        count = shown.count("\n")
        shown = shown.rpartition("\n")[0]
        more = "at least " if ran.stopped else ""
        notes.append(f"[lines 1-{count:,} of {more}{total:,}; use head, tail or sed -n for others]")
    elif ran.stopped:
        notes.append(f"[stopped at its limit of {ran.stopped}; ask for less]")
    if ran.status == _GIT_FAILED and not text:
        notes.append("[git found no such commit, file or repository, or could not read it]")
    if ran.status:
        notes.append(f"[exit code {ran.status}]")
    return Answer("\n".join(filter(None, [shown, *notes])) or "[no output]")
