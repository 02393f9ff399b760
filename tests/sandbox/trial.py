"""Make a world with victims in it, let an attacker try everything, and say what came of it.

`trial.py BASE ROLE LEVEL WAY FIRST STEP`, as the user it is started as, with ROLE reader, writer or
client, LEVEL landlock or none, WAY `direct` (in the confined process) or `command` (as a command of
it). Attempts of number FIRST in each STEP are made, and the critical ones. One JSON array.
"""

import contextlib
import json
import os
import resource
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

SECRET = "S3CRET-of-the-world"
TRACES = ("WON", SECRET)
_VICTIM = f"""
import ctypes, os, sys, tempfile, time
kept = ctypes.create_string_buffer(b"{SECRET}-in-memory")
file = tempfile.TemporaryFile(dir=sys.argv[1])
file.write(b"{SECRET}-in-a-file")
file.flush()
file.seek(0)
os.dup2(file.fileno(), 9)
print(ctypes.addressof(kept), flush=True)
time.sleep(600)
"""


class World:
    def __init__(self, base: Path) -> None:
        self.base = base
        self.path = base / "world"
        self.denied = [self.path / "home" / each for each in (".ssh", ".netrc", ".later")]
        self.denied.append(Path("/etc/shadow"))
        self.build()
        self.start_victim()
        self.listen()

    def build(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        for each in ("outside/empty", "home/.ssh", "stage/sub", "scratch"):
            (self.path / each).mkdir(parents=True)
        outside, home, stage = (self.path / each for each in ("outside", "home", "stage"))
        (outside / "a.txt").write_text("victim\n")
        (outside / "run.sh").write_text('#!/bin/bash\necho x > "$W/outside/a.txt"\n')
        (outside / "run.sh").chmod(0o755)
        with contextlib.suppress(OSError):
            os.setxattr(outside / "a.txt", "user.kept", b"1")
        (home / "notes.txt").write_text("readable\n")
        (home / ".ssh/id_test").write_text(SECRET)
        (home / ".netrc").write_text(SECRET)
        (home / "key-link").symlink_to(home / ".ssh/id_test")
        (home / "folder-link").symlink_to(home / ".ssh")
        (home / "chain").symlink_to("chained")
        (home / "chained").symlink_to(outside / "a.txt")
        (stage / "note.md").write_text("a note\n")
        (stage / "link.md").symlink_to(outside / "a.txt")
        (stage / "folder").symlink_to(outside)
        (stage / "dangling.md").symlink_to(outside / "new")

    def start_victim(self) -> None:
        self.victim = subprocess.Popen(
            [sys.executable, "-S", "-c", _VICTIM, str(self.base)],
            stdout=subprocess.PIPE, text=True, cwd=self.path,
            env={"KEY": SECRET}, start_new_session=True,
        )  # fmt: skip
        assert self.victim.stdout is not None
        self.address = int(self.victim.stdout.readline())
        self.as_found = self.of_victim()

    def of_victim(self) -> object:
        pid = self.victim.pid
        if self.victim.poll() is not None:
            return "ended"
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return (
            "stopped" if state in "Tt" else "runs",
            os.getpriority(os.PRIO_PROCESS, pid),
            os.sched_getscheduler(pid),
            sorted(os.sched_getaffinity(pid)),
            resource.prlimit(pid, resource.RLIMIT_NOFILE),
            Path(f"/proc/{pid}/oom_score_adj").read_text(),
        )

    def stop_victim(self) -> None:
        self.victim.kill()
        self.victim.wait()
        if self.victim.stdout is not None:
            self.victim.stdout.close()

    def listen(self) -> None:
        self.sockets = {
            "tcp": socket.socket(),
            "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
            "stream": socket.socket(socket.AF_UNIX),
            "datagram": socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
            "abstract": socket.socket(socket.AF_UNIX),
        }
        name = f"victim-{os.getpid()}"
        self.sockets["tcp"].bind(("127.0.0.1", 0))
        self.sockets["udp"].bind(("127.0.0.1", 0))
        self.sockets["stream"].bind(str(self.base / "stream"))
        self.sockets["datagram"].bind(str(self.base / "datagram"))
        self.sockets["abstract"].bind("\0" + name)
        for each in ("tcp", "stream", "abstract"):
            self.sockets[each].listen()
        self.ports = {
            "tcp": self.sockets["tcp"].getsockname()[1],
            "udp": self.sockets["udp"].getsockname()[1],
            "abstract": name,
        }

    def called(self) -> list[str]:
        """Say which listeners something was sent to, and take it."""
        ready = set(select.select(list(self.sockets.values()), [], [], 0)[0])
        for each in ready:
            if each.type == socket.SOCK_DGRAM:
                each.recv(64)
            else:
                each.accept()[0].close()
        return sorted(name for name, each in self.sockets.items() if each in ready)

    def picture(self, role: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for folder, folders, files in os.walk(self.path):
            if role != "reader" and Path(folder) == self.path:
                own = {"stage"} if role == "writer" else {"stage", "scratch"}
                folders[:] = [each for each in folders if each not in own]
            for name in (*folders, *files, "."):
                at = Path(folder) / name
                seen = at.lstat()
                what = b""
                if stat.S_ISREG(seen.st_mode):
                    with contextlib.suppress(PermissionError), at.open("rb") as file:
                        what = file.read(4096)
                elif stat.S_ISLNK(seen.st_mode):
                    what = str(at.readlink()).encode()
                found[str(at)] = (
                    what.decode("latin-1"), seen.st_mode, seen.st_uid, seen.st_gid, seen.st_size,
                    seen.st_nlink, seen.st_ino, seen.st_mtime_ns, _attributes(at),
                )  # fmt: skip
        return found


def _attributes(path: Path) -> list[str]:
    with contextlib.suppress(OSError):
        return sorted(os.listxattr(path, follow_symlinks=False))
    return []


class Attempt(NamedTuple):
    kind: str
    flags: str
    name: str
    code: str


ATTEMPTS = tuple(
    Attempt(*row.split("\t"))
    for row in Path(__file__).with_name("escapes.tsv").read_text().splitlines()
    if not row.startswith("#")
)


def plan(way: str, first: int, step: int) -> Iterator[Attempt]:
    """Yield the attempts of a way: every so many, and the critical ones."""
    every = [each for each in ATTEMPTS if way == "direct" or each.kind == "shell"]
    for number, each in enumerate(every):
        if number % step == first or "!" in each.flags:
            yield each


def attacker(world: World, role: str, level: str) -> subprocess.Popen[str]:
    argv = [sys.executable, "-B", str(Path(__file__).with_name("attacker.py")), role, level]
    argv += [str(world.path / "stage"), *map(str, world.denied)]
    return subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        start_new_session=True, cwd="/",
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(sys.path[1:])},
    )  # fmt: skip


def damage(world: World, role: str, before: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    found = []
    after = world.picture(role) if world.path.is_dir() else {}
    if after != before:
        changed = {at for at in before.keys() | after.keys() if before.get(at) != after.get(at)}
        found.append("changed " + ", ".join(sorted(changed)[:3]))
    if (now := world.of_victim()) != world.as_found:
        found.append(f"the victim: {now}")
    if called := world.called():
        found.append(f"reached {called}")
    if any(trace in answer["said"] for trace in TRACES):
        found.append("got " + answer["said"][:80])
    if answer["alive"]:
        found.append("outlived its session")
    if found:
        world.build()
        if now != world.as_found:
            world.stop_victim()
            world.start_victim()
    return found


def main() -> None:
    base = Path(sys.argv[1])
    role, level, way = sys.argv[2:5]
    base.mkdir(exist_ok=True)
    world = World(base)
    results: list[dict[str, Any]] = []
    enemy = attacker(world, role, level)
    assert enemy.stdin is not None
    assert enemy.stdout is not None
    before = None
    try:
        for attempt in plan(way, int(sys.argv[5]), int(sys.argv[6])):
            is_later = "later" in attempt.name
            if "created later" in attempt.name:
                (world.path / "home/.later").mkdir(exist_ok=True)
                (world.path / "home/.later/token").write_text(SECRET)
            before = world.picture(role) if before is None or is_later else before
            order = {
                "way": attempt.kind if way == "direct" else way, "code": attempt.code,
                "world": str(world.path), "base": str(base), "victim": world.victim.pid,
                "address": world.address, "ports": world.ports, "wait": level == "none",
            }  # fmt: skip
            enemy.stdin.write(json.dumps(order) + "\n")
            answer = json.loads(enemy.stdout.readline())
            if is_later:
                time.sleep(0.15)
            found = damage(world, role, before, answer)
            before = None if found or is_later else before
            results.append({"name": attempt.name, "damage": found, "said": answer["said"][:120]})
    finally:
        enemy.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(enemy.pid, signal.SIGKILL)
        enemy.wait()
        world.stop_victim()
    sys.stdout.write(json.dumps(results))


if __name__ == "__main__":
    main()
