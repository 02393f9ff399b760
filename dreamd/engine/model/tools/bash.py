"""Bash: read-only commands, run behind the walls of this process."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dreamd.engine.model.shell import READERS, judged, pipelines
from dreamd.engine.model.tools.page import MOST, within
from dreamd.engine.model.tools.paths import known
from dreamd.engine.model.tools.patience import patience
from dreamd.engine.model.tools.place import Answer, Place
from dreamd.engine.model.tools.source import hidden
from dreamd.errors import RefusedError
from dreamd.sandbox.run import Ran, piped, walls
from dreamd.sandbox.spawn import PATH
from dreamd.transcripts.plain import plain

_SECONDS = 30.0
_LOOKED = 5.0  # seconds in which files are found and looked through
_READ = 400_000  # bytes of output that are looked at


def run(arguments: Mapping[str, Any], place: Place) -> Answer:
    """Run a command that only reads, and show what it printed.

    Raises:
        RefusedError: the command is not read-only, or there are no walls to run it behind.
    """
    if place.level == "paths":
        raise RefusedError("There is no shell on this machine; use Read, Grep, Glob and Sessions.")
    ran = _ran(arguments["command"], arguments.get("timeout", _SECONDS * 1_000) / 1_000, place)
    text = hidden(plain(known(ran.output.decode("utf-8", "replace"), place))).rstrip("\n")
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
    if ran.status:
        notes.append(f"[exit code {ran.status}]")
    return Answer("\n".join(filter(None, [shown, *notes])) or "[no output]")


def _ran(command: str, seconds: float, place: Place) -> Ran:
    over = time.monotonic() + seconds
    ran = Ran(0, b"", "")
    with walls(_programs()) as domain:
        with patience(_LOOKED):
            steps = [
                (sign, [judged(words, place, domain) for words in pipeline])
                for sign, pipeline in pipelines(command)
            ]
        for sign, pipeline in steps:
            if ran.stopped or (sign == "&&" and ran.status) or (sign == "||" and not ran.status):
                continue
            left, room = over - time.monotonic(), _READ - len(ran.output)
            more = piped(pipeline, domain=domain, cwd=place.stage, seconds=left, most=room)
            ran = Ran(more.status, ran.output + more.output, more.stopped)
    return ran


@cache
def _programs() -> tuple[Path, ...]:
    return tuple(Path(found) for name in READERS if (found := shutil.which(name, path=PATH)))
