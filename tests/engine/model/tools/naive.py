"""Tools that trust their arguments, behind the walls of a policy or, as a control, behind none.

`naive.py POLICY` with a policy as JSON, or `none`; one JSON array a line in (tool, arguments,
memory, stage, sessions), one JSON object a line out.
"""

# As plain as the worst of tools.
# ruff: noqa: PTH103, PTH111, PTH118, PTH120, PTH123, PTH207

import glob
import json
import os
import re
import signal
import subprocess
import sys
import traceback
from typing import Any

from dreamd.sandbox import run
from dreamd.sandbox.confine import confine
from dreamd.sandbox.policy import Policy

PATIENCE = 0.4  # seconds, after which a call hangs


class Hung(BaseException):
    """The call never comes back."""


def ring(*_: object) -> None:
    raise Hung


def put(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def done(order: list[Any], policy: Policy | None) -> str:
    tool, given, memory, stage, sessions = order

    def at(path: str) -> str:
        path = os.path.join(memory, os.path.expanduser(path))
        if path.startswith(memory + "/") and "/.." not in path:
            path = stage + path[len(memory) :]
        return path

    if tool == "Bash":
        return shell(given["command"], stage, policy)
    if tool == "Read":
        with open(at(given["file_path"]), errors="replace") as file:
            return file.read(4000)
    if tool == "Grep":
        top, found = at(given["path"]), []
        paths = [os.path.join(f, n) for f, _, names in os.walk(top) for n in names] or [top]
        for path in filter(os.path.isfile, paths):
            try:
                with open(path, errors="replace") as rows:
                    found += [row for row in rows if re.search(given["pattern"], row)]
            except OSError:
                continue
        return "".join(found)
    if tool == "Glob":
        return "\n".join(glob.glob(os.path.join(given.get("path", stage), given["pattern"])))
    if tool == "Sessions":
        said = []
        for path in glob.glob(sessions + "/*.jsonl"):
            try:
                with open(path) as file:
                    said.append(file.read())
            except OSError:
                continue
        return "".join(said)
    if tool == "Write":
        for one in given.get("files") or [given]:
            put(at(one["file_path"]), one["content"])
    else:
        path = at(given["file_path"])
        with open(path) as note:
            lines = note.readlines()
        if tool == "Edit":
            put(path, "".join(lines).replace(given["old_string"], given["new_string"]))
        else:
            put(path, "".join(row for row in lines if given["text"] not in row))
    return ""


def shell(command: str, stage: str, policy: Policy | None) -> str:
    if policy is not None:
        from pathlib import Path

        limits = run.Limits(seconds=2 * PATIENCE)
        ran = run.shell(command, level=policy.level, cwd=Path(stage), limits=limits)
        return ran.output.decode("utf-8", "replace")
    ended = subprocess.run(
        ["bash", "-c", command],
        cwd=stage, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        check=False, timeout=2 * PATIENCE,
    )  # fmt: skip
    return ended.stdout[:400_000].decode("utf-8", "replace")


def main() -> None:
    policy = None if sys.argv[-1] == "none" else Policy.from_json(sys.argv[-1])
    if policy is not None:
        confine(policy)
    signal.signal(signal.SIGALRM, ring)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # which an attempt may write to
    for line in sys.stdin:
        order, text, hung = json.loads(line), "", False
        if order[0] != "Bash":
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            text = done(order, policy)
        except Hung:
            hung = True
        except subprocess.TimeoutExpired:
            hung = True
        except Exception:  # noqa: BLE001 - whatever stopped it is what it said
            text = traceback.format_exc(limit=1)
        signal.setitimer(signal.ITIMER_REAL, 0)
        answers.write(json.dumps({"text": text, "hung": hung}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
