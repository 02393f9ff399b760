"""Let every attempt be made through the tools, as the user it is started as, and say what came.

`trial.py BASE LEVEL WAY FIRST STEP`, with WAY `policy` (the real helpers), `kernel` (tools that
trust their arguments, behind the same walls), `control` (the same behind none) or `swaps`. Of
`kernel` and `control` those of number FIRST in each STEP are made. One JSON value.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from dreamd.host.renames import exchange
from dreamd.sandbox.policy import Level
from dreamd.sandbox.spawn import spawn
from tests.engine.model.tools.attempts import (
    ATTEMPTS,
    CANARY,
    Attempt,
    Setting,
    filled,
    hostile,
    laid,
    seen,
    tells,
)  # fmt: skip
from tests.engine.model.tools.desk import Laptop, opened

NAIVE = Path(__file__).with_name("naive.py")
Seen = dict[str, tuple[int, ...]]
WRITERS = ("Edit", "Write", "Move", "Retire")
BYSTANDER = """
import os, sys, time
kept = os.open(sys.argv[2], os.O_RDWR | os.O_CREAT)
os.write(kept, sys.argv[1].encode())
os.unlink(sys.argv[2])
os.dup2(kept, 9)
time.sleep(600)
"""


@contextmanager
def bystander(base: Path) -> Iterator[int]:
    """A process that has the words in its environment, in its arguments, and in an open file."""
    argv = [sys.executable, "-S", "-c", BYSTANDER, CANARY, str(base / "kept")]
    with subprocess.Popen(argv, env={"WORDS": CANARY}) as process:
        try:
            while sys.platform == "linux" and not os.path.lexists(f"/proc/{process.pid}/fd/9"):
                time.sleep(0.005)
            yield process.pid
        finally:
            process.kill()


def changed(before: Seen, top: Path) -> list[str]:
    after = seen(top)
    return sorted(at for at in before.keys() | after.keys() if before.get(at) != after.get(at))


def found(attempt: Attempt, text: str, seconds: float, **more: Any) -> dict[str, Any]:
    told = tells(attempt, text)
    return {"name": attempt.name, "tool": attempt.tool, "told": told, "text": text[:300],
            "seconds": seconds, **more}  # fmt: skip


def with_policy(base: Path, level: Level, setting: Setting) -> list[dict[str, Any]]:
    results = []
    laptop = laid(base / "laptop")
    with opened(laptop, level) as desk:
        before = seen(base)
        for attempt in ATTEMPTS:
            began = time.monotonic()
            answer = desk.ask(attempt.tool, filled(attempt, laptop, setting))
            seconds = time.monotonic() - began
            results.append(
                found(
                    attempt, answer.text, seconds,
                    changed=changed(before, base), is_error=answer.is_error,
                )
            )  # fmt: skip
    return results


def behind_walls(
    base: Path, level: Level, setting: Setting, share: Sequence[Attempt]
) -> list[dict[str, Any]]:
    results = []
    laptop = laid(base / "laptop")
    argv = [sys.executable, "-B", str(NAIVE)]
    helper = spawn(argv, laptop.policy(level))
    before = seen(base)
    try:
        for attempt in share:
            if attempt.tool in WRITERS:  # which are functions, in no process of their own
                continue
            began = time.monotonic()
            order = [attempt.tool, filled(attempt, laptop, setting)]
            order += [str(laptop.memory), str(laptop.memory), str(laptop.sessions)]
            helper.stdin.write(json.dumps(order).encode() + b"\n")
            said = b""
            while not said.endswith(b"\n"):
                piece = helper.stdout.read(1 << 20)
                assert piece, helper.last_words()
                said += piece
            outside = changed(before, base)
            before = seen(base) if outside else before
            text = json.loads(said)["text"]
            results.append(found(attempt, text, time.monotonic() - began, changed=outside))
    finally:
        helper.stop()
    return results


def without_walls(base: Path, setting: Setting, share: Sequence[Attempt]) -> list[dict[str, Any]]:
    results = []
    laptop, number = laid(base / "0"), 0
    argv = [sys.executable, "-B", str(NAIVE), "none"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as naive:
        assert naive.stdin is not None
        assert naive.stdout is not None
        before = seen(laptop.top)
        for attempt in share:
            began = time.monotonic()
            order = [attempt.tool, filled(attempt, laptop, setting)]
            order += [str(laptop.memory), str(laptop.memory), str(laptop.sessions)]
            naive.stdin.write(json.dumps(order) + "\n")
            naive.stdin.flush()
            answer = json.loads(naive.stdout.readline())
            different = changed(before, laptop.top)
            results.append(
                found(
                    attempt, answer["text"], time.monotonic() - began,
                    changed=different, hung=answer["hung"],
                )
            )  # fmt: skip
            if different:
                number += 1
                laptop = laid(base / str(number))
                before = seen(laptop.top)
        naive.stdin.close()
    return results


class Swapper:
    """Puts a link in the place of a folder and back, as fast as it can."""

    def __init__(self, place: Path, target: Path) -> None:
        self.place, self.target, self.over, self.count = place, target, threading.Event(), 0
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
    """Read where a folder is swapped for a link all the time."""
    laptop = Laptop.at(base / "laptop")
    for folder in (laptop.memory / "sub", laptop.work / "sub"):
        folder.mkdir()
        (folder / "key.txt").write_text("harmless\n")
    (laptop.vault / "key.txt").write_text(f"{CANARY}\n")
    with (
        opened(laptop, level) as desk,
        Swapper(laptop.memory / "sub", laptop.vault) as inside,
        Swapper(laptop.work / "sub", laptop.vault) as outside,
    ):
        texts = []
        for _ in range(80):
            texts.append(desk.ask("Read", {"file_path": "sub/key.txt"}).text)
            path = str(laptop.work / "sub/key.txt")
            texts.append(desk.ask("Read", {"file_path": path}).text)
            given = {"pattern": "own|harm", "path": str(laptop.work / "sub")}
            texts.append(desk.ask("Grep", given | {"output_mode": "content"}).text)
    return {
        "swaps": min(inside.count, outside.count),
        "told": sum(CANARY in text for text in texts),
        "read": sum("harmless" in text for text in texts),
    }


def main() -> None:
    base, level, way = Path(sys.argv[1]).resolve(), Level(sys.argv[2]), sys.argv[3]
    if way == "swaps":
        sys.stdout.write(json.dumps(swaps(base, level)))
        return
    first, step = map(int, sys.argv[4:])
    share = ATTEMPTS[first::step]
    with bystander(base) as pid:
        setting = Setting(pid, hostile(base / "repositories"))
        match way:
            case "policy":
                results = with_policy(base, level, setting)
            case "kernel":
                results = behind_walls(base, level, setting, share)
            case _:
                results = without_walls(base, setting, share)
    sys.stdout.write(json.dumps(results))


if __name__ == "__main__":
    main()
