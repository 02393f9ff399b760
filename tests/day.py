"""A home in which people do what they do on a day, and what must be true of it in the end.

The oracle is what they did, not what the code says: a line that somebody wrote by hand stands
where it was written, and what somebody asked to remember stands once.
"""

from __future__ import annotations

import contextlib
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from msgspec import Struct, field

from tests.daemon.house import Daemon, House
from tests.scripted import texts
from tests.spoken import record, session_id, touch

ALWAYS = {"DREAMD_GATES__THROTTLE_MINUTES": "0", "DREAMD_GATES__SESSIONS": "3"}
HOUR = 3_600
PATIENCE = 60  # seconds, for what a machine at ease does in two


class Day(Struct):
    """A home, and what people did in it so far."""

    house: House
    written: list[tuple[Path, str, str]] = field(default_factory=list)  # by hand: where, file, line
    asked: list[tuple[Path, str]] = field(default_factory=list)  # to be remembered
    said: int = 0

    def runs(self) -> contextlib.AbstractContextManager[Daemon]:
        return self.house.runs(**ALWAYS)

    def talk(self, folder: Path, *facts: str, sessions: int = 3) -> None:
        """Hold sessions, in which people ask for these to be remembered."""
        folder.mkdir(parents=True, exist_ok=True)
        at, cwd = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()), f"/home/dev/{folder.name}"
        for number in range(sessions):
            self.said += 1
            name = f"{folder.name}-{self.said}"
            words = [("user", "Hello."), ("assistant", "Hello.")]
            words += [("user", f"Remember that {fact}") for fact in facts[number : number + 1]]
            with (folder / f"{session_id(name)}.jsonl").open("ab", 0) as transcript:
                for role, text in [*words, ("assistant", "Understood.")]:
                    told = record(text, session=name, at=at, role=role, cwd=cwd)
                    transcript.write(json.dumps(told).encode() + b"\n")
        self.asked += [(folder / "memory", fact) for fact in facts]

    def write(self, memory: Path, name: str, line: str) -> None:
        """Let somebody add a line to a note by hand, in place."""
        with (memory / name).open("a") as note:
            note.write(f"{line}\n")
        self.written.append((memory, name, line))

    def later(self, memory: Path, hours: float = 26) -> None:
        """Let time pass for a store: whatever was stamped was stamped so much longer ago."""
        with contextlib.suppress(FileNotFoundError):
            lock = memory / ".consolidate-lock"
            touch(lock, lock.stat().st_mtime - hours * HOUR)
        for pause in self.house.state.glob("stores/*/pause"):
            told = json.loads(pause.read_text())
            pause.write_text(json.dumps(told | {"until": 0}))

    def moved(self, old: Path, new: Path) -> None:
        self.written = [(new if at == old else at, name, line) for at, name, line in self.written]
        self.asked = [(new if at == old else at, fact) for at, fact in self.asked]

    def gone(self, memory: Path) -> None:
        """Forget what was in a memory that somebody deleted."""
        self.written = [each for each in self.written if each[0] != memory]
        self.asked = [each for each in self.asked if each[0] != memory]

    @property
    def memories(self) -> list[Path]:
        return sorted({at for at, _, _ in self.written} | {at for at, _ in self.asked})

    def is_right(self) -> None:
        """See that every memory is as people left it, with what they asked for, and whole."""
        for memory, name, line in self.written:
            assert line in (memory / name).read_text().splitlines(), (memory, name)
        for memory, fact in self.asked:
            lines = "\n".join(texts(memory).values()).splitlines()
            facts = [line for line in lines if fact.lower() in line.lower() and "](" not in line]
            assert len(facts) == 1, (fact, lines)
        for memory in self.memories:
            assert not (memory / ".consolidate-lock").read_text().strip()
            odd = [name for name in texts(memory) if not name.endswith((".md", "-lock"))]
            assert not odd, odd
        assert not list(self.house.state.glob("locks/*.lease"))
        assert not list(self.house.state.glob("stores/*/journal/*"))
        assert not list(self.house.state.glob("stores/*/stages/*"))


def dreamt(daemon: Daemon, memory: Path, times: int = 1, how: str = "dreamt") -> None:
    """Wait until a dream has ended so, and the daemon has taken it in."""
    daemon.until(lambda: daemon.said.count(f"{memory}: {how}") >= times, PATIENCE)
    daemon.until(lambda: not is_dreaming(daemon, memory))


def is_dreaming(daemon: Daemon, *memories: Path) -> bool:
    wanted = set(map(str, memories))
    return any(each["dreaming"] and each["memory"] in wanted for each in daemon.board["stores"])


def limit_files(pid: int, size: int) -> None:
    """Let no file of a process, or of one it starts from now on, grow beyond this."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


def nudge(house: House, memory: Path) -> None:
    """Do what the client's hook does."""
    told = {"hook_event_name": "Stop", "transcript_path": str(memory.parent / "x.jsonl")}
    done = subprocess.run(
        [sys.executable, "-m", "dreamd", "nudge"],
        env=house.clean({}),
        input=json.dumps(told).encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
