"""Make a world with victims in it, let everything be tried, and say what came of it.

`trial.py BASE WAY ROLE FIRST STEP`, as the user it is started as. WAY is `kernel` (code in a
confined process of ROLE reader or client, and tools that trust their arguments), `command`
(as a command of it), `control` (the same as `kernel`, without walls), `policy` (through the real
tools; ROLE is the level), or `swaps`. Attempts of number FIRST in each STEP are made, and the
critical ones. One JSON value.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from dreamd.host.renames import exchange
from dreamd.sandbox.policy import Level
from tests.engine.model.tools.desk import opened
from tests.sandbox.world import ATTEMPTS, CANARY, ESCAPES, SECRET, Attempt, World

READING = ("Read", "Grep", "Glob", "Sessions", "Bash")
OWN = {"reader": (), "client": ("stage", "scratch")}


def plan(way: str, first: int, step: int) -> Iterator[Attempt]:
    """Yield the attempts of a way: every so many, and the critical ones unless without walls."""
    every = [each for each in ESCAPES if way != "command" or each.kind == "shell"]
    every += [each for each in ATTEMPTS if each.kind in READING[4 if way == "command" else 0 :]]
    for number, each in enumerate(every):
        if number % step == first or ("!" in each.flags and way != "control"):
            yield each


def trusting(attempt: Attempt, world: World) -> tuple[str, str]:
    """Return the kind and the code of an attempt; of a tool, of one as plain as the worst."""
    if attempt.kind not in READING:
        return attempt.kind, attempt.code
    given, laptop = attempt.filled(world), world.laptop
    if attempt.kind == "Bash":
        return "shell", f"cd {laptop.memory}; {given['command']}"
    said = str(given.get("file_path", given.get("path", laptop.memory)))
    path = f"{laptop.memory}/{said}" if said[0] not in "/~" else os.path.expanduser(said)  # noqa: PTH111
    match attempt.kind:
        case "Read":
            return "python", f"loot(open({path!r}, 'rb').read(4000))"
        case "Glob":
            pattern = (
                given["pattern"] if given["pattern"][0] == "/" else f"{path}/{given['pattern']}"
            )
            return "python", f"loot('\\n'.join(glob.glob({pattern!r})))"
        case _:
            top, pattern = (laptop.sessions, ".") if attempt.kind == "Sessions" else (path, "own")
            looked = given.get("pattern", pattern)
            return "python", (
                f"[loot(row) for each in files({str(top)!r}) for row in open(each)"
                f" if re.search({looked!r}, row)]"
            )


def with_attacker(
    world: World, way: str, role: str, share: list[Attempt]
) -> Iterator[dict[str, Any]]:
    level = "none" if way == "control" else "landlock"
    argv = [sys.executable, "-B", str(Path(__file__).with_name("attacker.py")), role, level]
    argv += [str(world.stage), *map(str, world.denied)]
    enemy = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        start_new_session=True, cwd="/",
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(sys.path[1:])},
    )  # fmt: skip
    assert enemy.stdin is not None
    assert enemy.stdout is not None
    before, own = None, OWN[role]
    try:
        for attempt in share:
            is_later = "later" in attempt.name
            if "created later" in attempt.name:
                (world.path / "home/.later").mkdir(exist_ok=True)
                (world.path / "home/.later/token").write_text(SECRET)
            before = world.picture(*own) if before is None or is_later else before
            kind, code = trusting(attempt, world)
            order = {
                "kind": way if way == "command" else kind, "code": code, "world": str(world.path),
                "base": str(world.base), "victim": world.victim.pid, "address": world.address,
                "ports": world.ports,
            }  # fmt: skip
            enemy.stdin.write(json.dumps(order) + "\n")
            answer = json.loads(enemy.stdout.readline())
            time.sleep(0.15 if is_later else 0)
            found = world.harm(before, *own)
            found += ["got " + answer["said"][:80]] * attempt.gets(answer["said"])
            found += ["outlived its session"] * answer["alive"]
            if found:
                before = None
                world.build()
                if world.of_victim() != world.as_found:
                    world.stop_victim()
                    world.start_victim()
            yield {"name": attempt.name, "harm": found, "said": answer["said"][:120],
                   "hung": answer["hung"]}  # fmt: skip
    finally:
        enemy.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(enemy.pid, signal.SIGKILL)
        enemy.wait()


def with_policy(world: World, level: Level) -> Iterator[dict[str, Any]]:
    with opened(world.laptop, level) as desk:
        before = world.picture()
        for attempt in ATTEMPTS:
            began = time.monotonic()
            answer = desk.ask(attempt.kind, attempt.filled(world))
            found = world.harm(before)
            found += ["got " + answer.text[:80]] * attempt.gets(answer.text)
            yield {"name": attempt.name, "harm": found, "said": answer.text[:120],
                   "is_error": answer.is_error, "seconds": time.monotonic() - began}  # fmt: skip


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


def swaps(world: World, level: Level) -> dict[str, Any]:
    """Read where a folder is swapped for a link all the time."""
    laptop, texts = world.laptop, []
    for folder in (laptop.memory / "sub", laptop.work / "sub"):
        folder.mkdir(exist_ok=True)
        (folder / "key.txt").write_text("harmless\n")
    path = str(laptop.work / "sub/key.txt")
    with (
        opened(laptop, level) as desk,
        Swapper(laptop.memory / "sub", laptop.vault) as inside,
        Swapper(laptop.work / "sub", laptop.vault) as outside,
    ):
        for _ in range(25):
            for tool, given in (
                ("Read", {"file_path": "sub/key.txt"}), ("Read", {"file_path": path}),
                ("Grep", {"pattern": "own|harm", "path": path, "output_mode": "content"}),
                ("Bash", {"command": f"cat sub/key.txt {path}"}),
            ):  # fmt: skip
                texts.append(desk.ask(tool, given).text)
    return {
        "swaps": min(inside.count, outside.count),
        "told": sum(CANARY in text for text in texts),
        "read": sum("harmless" in text for text in texts),
    }


def main() -> None:
    base, way, role = Path(sys.argv[1]).resolve(), *sys.argv[2:4]
    world = World(base)
    found: Any = None
    try:
        if way == "swaps":
            found = swaps(world, Level(role))
        elif way == "policy":
            found = list(with_policy(world, Level(role)))
        else:
            found = list(with_attacker(world, way, role, list(plan(way, *map(int, sys.argv[4:])))))
    finally:
        world.stop_victim()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
