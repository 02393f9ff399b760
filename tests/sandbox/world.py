"""A laptop with victims on it, on which everything is tried, and what came of it.

`world.py BASE WAY FIRST STEP`, as the user it is started as. WAY is `kernel` (code in a confined
process, and tools that trust their arguments), `command` (as a command of it), `control` (the same
as `kernel`, without walls); attempts of number FIRST in each STEP are made, and the critical ones.
`world.py BASE WAY LEVEL`: `policy` (through the real tools), or `swaps`. One JSON value.
"""

from __future__ import annotations

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
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from dreamd.host.renames import exchange
from dreamd.sandbox.policy import Level
from tests.engine.model.tools.desk import TOKEN, Laptop, opened, said, transcript

SECRET, CANARY = "S3CRET-of-the-world", "the vault's own words"
KEY = ("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 2, "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj" * 2)
_PARTS = (TOKEN[4:24], *KEY)  # of secrets, as a command might cut them
_PROCESS = """
import ctypes, os, sys, tempfile, time
kept = ctypes.create_string_buffer(sys.argv[2].encode())
file = tempfile.TemporaryFile(dir=sys.argv[1])
file.write(sys.argv[2].encode())
file.flush()
file.seek(0)
os.dup2(file.fileno(), 9)
print(ctypes.addressof(kept), flush=True)
time.sleep(600)
"""


class Attempt(NamedTuple):
    kind: str  # python, shell, or the name of a tool
    flags: str
    name: str
    code: str  # of a tool its arguments as JSON

    def filled(self, world: World) -> dict[str, Any]:
        """Return the arguments of a tool for this world."""
        text = self.code.replace("{large}", "x" * 1_048_577).replace("{pid}", str(world.victim.pid))
        for name in ("memory", "vault", "top", "work", "sessions"):
            text = text.replace(f"{{{name}}}", str(getattr(world.laptop, name)))
        found: dict[str, Any] = json.loads(text)
        return found

    def gets(self, text: str) -> bool:
        """Say whether an answer holds what nobody may read; of a listing, names."""
        is_raw = self.kind in {"python", "shell"}
        traces = ("WON", SECRET) if is_raw else (CANARY, SECRET, *_PARTS)
        return any(each in text for each in traces) or (self.kind == "Glob" and "key.txt" in text)


def _table(name: str) -> list[list[str]]:
    text = Path(__file__).with_name(name).read_text("utf-8")
    return [row.split("\t") for row in text.splitlines() if row[0] != "#"]


ESCAPES, ATTEMPTS = (
    tuple(Attempt(*row) for row in _table(name)) for name in ("escapes.tsv", "attempts.tsv")
)


class World:
    def __init__(self, base: Path) -> None:
        self.base, self.path = base, base / "world"
        self.denied = [self.path / "home" / each for each in (".ssh", ".netrc", ".later")]
        self.denied += [Path("/etc/shadow"), self.path / "vault"]
        self.build()
        self.start_victim()
        self.listen()

    def build(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir()
        self.laptop = Laptop.at(self.path)
        self.stage = self.path / "stage"  # what a client may write
        places = {
            "top": str(self.path), "secret": SECRET, "canary": CANARY, "token": TOKEN,
            "head": TOKEN[:9], "tail": TOKEN[9:], "key": "\n".join(KEY),
        }  # fmt: skip
        for kind, name, text in _table("world.tsv"):
            place = self.path / name
            place.parent.mkdir(parents=True, exist_ok=True)
            for each, value in places.items():
                text = text.replace(f"{{{each}}}", value)  # noqa: PLW2901 - filled step by step
            match kind:
                case "file":
                    place.write_text(text.encode("latin-1").decode("unicode_escape"))
                    place.chmod(0o755 if text.startswith("#!") else 0o644)
                case "link":
                    place.symlink_to(text)
                case "hard":
                    place.hardlink_to(text)
                case "folder":
                    place.mkdir()
                case _:
                    os.mkfifo(place)
        with contextlib.suppress(OSError):
            os.setxattr(self.path / "outside/a.txt", "user.kept", b"1")
        transcript(self.path / "vault/talk.jsonl", [said(1, CANARY)])
        transcript(self.laptop.sessions / "raw.jsonl", [said(1, "hello", prompt=CANARY)])
        transcript(self.laptop.sessions / "told.jsonl", [said(1, f"use {TOKEN} for it")])
        shutil.copytree(
            self.stage,
            self.laptop.memory,
            symlinks=True,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("pipe.md", "*hard.md"),
        )
        os.mkfifo(self.laptop.memory / "pipe.md")

    def start_victim(self) -> None:
        self.victim = subprocess.Popen(
            [sys.executable, "-S", "-c", _PROCESS, str(self.base), f"{SECRET} {CANARY}"],
            stdout=subprocess.PIPE, text=True, cwd=self.path, env={"KEY": SECRET, "WORDS": CANARY},
            start_new_session=True,
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
        name = f"victim-{os.getpid()}"
        self.sockets = {}
        for each, family, kind, address in (
            ("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            ("stream", socket.AF_UNIX, socket.SOCK_STREAM, str(self.base / "stream")),
            ("datagram", socket.AF_UNIX, socket.SOCK_DGRAM, str(self.base / "datagram")),
            ("abstract", socket.AF_UNIX, socket.SOCK_STREAM, f"\0{name}"),
        ):
            self.sockets[each] = socket.socket(family, kind)
            self.sockets[each].bind(address)
            if kind == socket.SOCK_STREAM:
                self.sockets[each].listen()
        self.ports = {each: self.sockets[each].getsockname()[1] for each in ("tcp", "udp")}
        self.ports["abstract"] = name

    def called(self) -> list[str]:
        """Say which listeners something was sent to, and take it."""
        ready = set(select.select(list(self.sockets.values()), [], [], 0)[0])
        for each in ready:
            if each.type == socket.SOCK_DGRAM:
                each.recv(64)
            else:
                each.accept()[0].close()
        return sorted(name for name, each in self.sockets.items() if each in ready)

    def picture(self) -> dict[str, Any]:
        """Return all that stands there."""
        found: dict[str, Any] = {}
        for folder, folders, files in os.walk(self.path):
            for name in (*folders, *files, "."):
                at = Path(folder) / name
                seen = at.lstat()
                what = b""
                if stat.S_ISREG(seen.st_mode):
                    with contextlib.suppress(PermissionError), at.open("rb") as file:
                        what = file.read(4096)
                elif stat.S_ISLNK(seen.st_mode):
                    what = str(at.readlink()).encode()
                with contextlib.suppress(OSError):
                    what += "".join(sorted(os.listxattr(at, follow_symlinks=False))).encode()
                found[str(at)] = (
                    what.decode("latin-1"), seen.st_mode, seen.st_uid, seen.st_gid, seen.st_size,
                    seen.st_nlink, seen.st_ino, seen.st_mtime_ns,
                )  # fmt: skip
        return found

    def harm(self, before: dict[str, Any]) -> list[str]:
        """Return what was changed or reached since; nothing is, where all walls held."""
        found = []
        after = self.picture() if self.path.is_dir() else {}
        if after != before:
            changed = {at for at in before.keys() | after.keys() if before.get(at) != after.get(at)}
            found.append("changed " + ", ".join(sorted(changed)[:3]))
        if (now := self.of_victim()) != self.as_found:
            found.append(f"the victim: {now}")
        if called := self.called():
            found.append(f"reached {called}")
        return found


READING = ("Read", "Grep", "Glob", "Sessions", "Bash")


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
            pattern = os.path.join(path, given["pattern"])  # noqa: PTH118 - keeps what is odd in it
            return "python", f"loot('\\n'.join(glob.glob({pattern!r})))"
        case _:
            top, pattern = (laptop.sessions, ".") if attempt.kind == "Sessions" else (path, "own")
            looked = given.get("pattern", pattern)
            return "python", (
                f"[loot(row) for each in files({str(top)!r}) for row in open(each)"
                f" if re.search({looked!r}, row)]"
            )


def with_attacker(world: World, way: str, share: list[Attempt]) -> Iterator[dict[str, Any]]:
    level = "none" if way == "control" else "landlock"
    argv = [sys.executable, "-B", str(Path(__file__).with_name("attacker.py")), level]
    argv += [str(world.stage), *map(str, world.denied)]
    enemy = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        start_new_session=True, cwd="/",
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(sys.path[1:])},
    )  # fmt: skip
    assert enemy.stdin is not None
    assert enemy.stdout is not None
    before = None
    try:
        for attempt in share:
            is_later = "later" in attempt.name
            if "created later" in attempt.name:
                (world.path / "home/.later").mkdir(exist_ok=True)
                (world.path / "home/.later/token").write_text(SECRET)
            before = world.picture() if before is None or is_later else before
            kind, code = trusting(attempt, world)
            order = {
                "kind": way if way == "command" else kind, "code": code, "world": str(world.path),
                "base": str(world.base), "victim": world.victim.pid, "address": world.address,
                "ports": world.ports,
            }  # fmt: skip
            enemy.stdin.write(json.dumps(order) + "\n")
            answer = json.loads(enemy.stdout.readline())
            time.sleep(0.15 if is_later else 0)
            found = world.harm(before)
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


@contextlib.contextmanager
def swapped(place: Path, target: Path) -> Iterator[list[int]]:
    """Put a link in the place of a folder and back, as fast as can be; how often, the list says."""
    link, over, count = place.with_name(f"{place.name}-link"), threading.Event(), [0]
    link.symlink_to(target)

    def swap() -> None:
        while not over.is_set():
            exchange(place, link)
            count[0] += 1

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield count
    finally:
        over.set()
        thread.join()


def swaps(world: World, level: Level) -> dict[str, Any]:
    """Read where a folder is swapped for a link all the time."""
    laptop, texts = world.laptop, []
    for folder in (laptop.memory / "sub", laptop.work / "sub"):
        folder.mkdir(exist_ok=True)
        (folder / "key.txt").write_text("harmless\n")
    path = str(laptop.work / "sub/key.txt")
    with (
        opened(laptop, level) as desk,
        swapped(laptop.memory / "sub", laptop.vault) as inside,
        swapped(laptop.work / "sub", laptop.vault) as outside,
    ):
        for _ in range(25):
            for tool, given in (
                ("Read", {"file_path": "sub/key.txt"}), ("Read", {"file_path": path}),
                ("Grep", {"pattern": "own|harm", "path": path, "output_mode": "content"}),
                ("Bash", {"command": f"cat sub/key.txt {path}"}),
            ):  # fmt: skip
                texts.append(desk.ask(tool, given).text)
    return {
        "swaps": min(*inside, *outside),
        "told": sum(CANARY in text for text in texts),
        "read": sum("harmless" in text for text in texts),
    }


def main() -> None:
    base, way, words = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:]
    world = World(base)
    found: Any = None
    try:
        if way == "swaps":
            found = swaps(world, Level(*words))
        elif way == "policy":
            found = list(with_policy(world, Level(*words)))
        else:
            found = list(with_attacker(world, way, list(plan(way, *map(int, words)))))
    finally:
        world.stop_victim()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
