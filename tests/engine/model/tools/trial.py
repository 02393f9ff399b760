"""Let every attempt be made through the tools, as the user it is started as, and say what came.

`trial.py BASE LEVEL WAY FIRST STEP`, with WAY `policy` (the real helpers), `kernel` (tools that
trust their arguments, behind the same walls), `control` (the same behind none) or `swaps`. Of
`kernel` and `control` those of number FIRST in each STEP are made. One JSON value.
"""

from __future__ import annotations

import glob
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from dreamd.host.renames import exchange
from dreamd.sandbox import landlock, run
from dreamd.sandbox.confine import confine
from dreamd.sandbox.policy import Level, Policy, Role
from dreamd.sandbox.spawn import spawn
from tests.engine.model.tools.desk import Laptop, opened
from tests.engine.model.tools.laid import ATTEMPTS, CANARY, Attempt, bystander, laid, seen

PATIENCE = 0.4  # seconds, after which a call hangs
READING = ("Read", "Grep", "Glob", "Sessions", "Bash")
Seen = dict[str, tuple[int, ...]]


class Hung(BaseException):
    """The call never comes back."""


def changed(before: Seen, top: Path) -> list[str]:
    after = seen(top)
    return sorted(at for at in before.keys() | after.keys() if before.get(at) != after.get(at))


def with_policy(base: Path, level: Level, pid: int) -> list[dict[str, Any]]:
    results = []
    laptop = laid(base / "laptop")
    with opened(laptop, level) as desk:
        before = seen(base)
        for attempt in ATTEMPTS:
            began = time.monotonic()
            answer = desk.ask(attempt.tool, attempt.filled(laptop, pid))
            results.append(
                told(attempt, answer["text"], changed(before, base))
                | {"seconds": time.monotonic() - began, "is_error": answer["is_error"]}
            )
    return results


def told(attempt: Attempt, text: str, found: list[str]) -> dict[str, Any]:
    return {"name": attempt.name, "told": attempt.tells(text), "changed": found, "text": text[:300]}


def trusting(base: Path, level: Level, pid: int, first: int, step: int) -> list[dict[str, Any]]:
    """Have a process that trusts its arguments make the attempts, behind walls or none."""
    results = []
    laptop, number = laid(base / "0"), 0
    argv = [sys.executable, "-B", __file__, "naive"]
    policy = laptop.policy(Role.READER, level)
    helper = spawn(argv, policy)
    before = seen(base)
    try:
        for attempt in [each for each in ATTEMPTS if each.tool in READING][first::step]:
            order = [attempt.tool, attempt.filled(laptop, pid), str(laptop.sessions)]
            order += [str(laptop.memory), str(laptop.stage)]
            helper.stdin.write(json.dumps(order).encode() + b"\n")
            said = b""
            while not said.endswith(b"\n"):
                piece = helper.stdout.read(1 << 20)
                assert piece, helper.last_words()
                said += piece
            answer = json.loads(said)
            different = changed(before, base)
            results.append(told(attempt, answer["text"], different) | {"hung": answer["hung"]})
            if different:
                number += 1
                laptop = laid(base / str(number))
                before = seen(base)
    finally:
        helper.stop()
    return results


def naive() -> None:
    """Serve calls with tools as plain as the worst of tools."""
    policy = Policy.from_json(sys.argv[-1])
    confine(policy)

    def ring(*_: object) -> None:
        raise Hung

    signal.signal(signal.SIGALRM, ring)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # which an attempt may write to
    for line in sys.stdin:
        text, hung = "", False
        tool, given, sessions, memory, stage = json.loads(line)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE if tool != "Bash" else 0)
        try:
            if tool == "Bash":
                text = bash(given["command"], stage, policy)
            else:
                text = read(tool, given, sessions, memory, stage)
        except (Hung, subprocess.TimeoutExpired):
            hung = True
        except Exception as error:  # noqa: BLE001 - whatever stopped it is what it said
            text = str(error)
        signal.setitimer(signal.ITIMER_REAL, 0)
        answers.write(json.dumps({"text": text, "hung": hung}) + "\n")
        answers.flush()


def read(tool: str, given: dict[str, Any], sessions: str, memory: str, stage: str) -> str:
    said = str(given.get("file_path", given.get("path", stage)))
    path = f"{memory}/{said}" if said[0] not in "/~" else said
    if path.startswith(f"{memory}/") and "/.." not in path:
        path = stage + path[len(memory) :]
    if tool == "Glob":
        pattern = given["pattern"] if given["pattern"][0] == "/" else f"{said}/{given['pattern']}"
        return "\n".join(glob.glob(pattern))  # noqa: PTH207 - as plain as that
    paths = [path]
    if tool != "Read":
        top = sessions if tool == "Sessions" else path
        paths = [f"{at}/{name}" for at, _, names in os.walk(top) for name in names] or [path]
    found = ""
    for each in paths if tool == "Read" else filter(os.path.isfile, paths):
        with suppress(*([] if tool == "Read" else [OSError])), Path(each).open() as file:
            rows = [file.read(4000)] if tool == "Read" else list(file)
            found += "".join(row for row in rows if re.search(given.get("pattern", ""), row))
    return found


def bash(command: str, stage: str, policy: Policy) -> str:
    argv, seconds = ["bash", "-c", command], 2 * PATIENCE
    if policy.level is Level.LANDLOCK:
        limits, domain = run.Limits(seconds=seconds), landlock.Domain(1 << 6)
        said = run.piped([argv], domain=domain, cwd=Path(stage), limits=limits).output
    else:
        said = subprocess.run(
            argv, cwd=stage, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, timeout=seconds,
        ).stdout[:400_000]  # fmt: skip
    return said.decode("utf-8", "replace")


class Swapper:
    """Puts a link in the place of a folder and back, as fast as it can."""

    def __init__(self, place: Path, target: Path) -> None:
        self.place, self.over, self.count = place, threading.Event(), 0
        self.link = place.with_name(f"{place.name}-link")
        self.link.symlink_to(target)
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        while not self.over.is_set():
            exchange(self.place, self.link)
            self.count += 1

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()


def swaps(base: Path, level: Level) -> dict[str, Any]:
    """Read and write where a folder is swapped for a link all the time."""
    laptop = Laptop.at(base / "laptop")
    (laptop.vault / "key.txt").write_text(f"{CANARY}\n")
    for folder in (laptop.stage / "sub", laptop.work / "sub", laptop.work / "victim"):
        folder.mkdir()
        (folder / "key.txt").write_text("harmless\n")
    path, texts = str(laptop.work / "sub/key.txt"), []
    with opened(laptop, level) as desk:
        with (
            Swapper(laptop.stage / "sub", laptop.vault) as inside,
            Swapper(laptop.work / "sub", laptop.vault) as outside,
        ):
            for _ in range(80):
                for tool, given in (
                    ("Read", {"file_path": "sub/key.txt"}), ("Read", {"file_path": path}),
                    ("Grep", {"pattern": "own|harm", "path": path, "output_mode": "content"}),
                    ("Bash", {"command": f"cat sub/key.txt {path}"}),
                ):  # fmt: skip
                    texts.append(desk.ask(tool, given)["text"])
        (laptop.stage / "sub2").mkdir()
        with Swapper(laptop.stage / "sub2", laptop.work / "victim") as writing:
            for number in range(80):
                desk.ask("Write", {"file_path": "sub2/a.md", "content": f"x {number}\n"})
    return {
        "swaps": min(inside.count, outside.count, writing.count),
        "told": sum(CANARY in text for text in texts),
        "read": sum("harmless" in text for text in texts),
        "written": sorted(each.name for each in (laptop.work / "victim").iterdir()),
    }


def main() -> None:
    if sys.argv[1] == "naive":
        naive()
        return
    base, level, way = Path(sys.argv[1]).resolve(), Level(sys.argv[2]), sys.argv[3]
    results: Any
    with bystander(base) as pid:
        if way == "swaps":
            results = swaps(base, level)
        elif way == "policy":
            results = with_policy(base, level, pid)
        else:
            results = trusting(base, level, pid, *map(int, sys.argv[4:]))
    sys.stdout.write(json.dumps(results))


if __name__ == "__main__":
    main()
