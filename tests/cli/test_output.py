"""Output that nobody can write to: the work is done, the exit code says what was lost."""

from __future__ import annotations

import json
import os
import pty
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.laptop import ROOT, Laptop
from tests.scripted import texts
from tests.spoken import say
from tests.warm import warm

COMMANDS = """
--help|nonsense|demo|dream|dream --dry-run|dream --propose|run --once|status|why|log --json|show
|diff --proposal|undo|redo|accept|reject|restore DREAM|pin more.md|forget "more to" --yes
|forget more|check --fix|doctor|config|nudge --greet|install|uninstall|dream --json|log
""".replace("\n", "").split("|")
STREAMS = {
    "full": ("full", None), "full error": (None, "full"), "both full": ("full", "full"),
    "gone": ("gone", None), "hung up": ("hung up", "hung up"),
    "closed": ("closed", None), "closed error": (None, "closed"),
    "both closed": ("closed", "closed"),
}  # fmt: skip
ASCII = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}
Ended = tuple[int, str, str, dict[str, str]]  # code, stdout, stderr, and what the notes say


class Home(Laptop):
    """A home in which each command finds the same, as it was set up."""

    saved: Path = Path()
    dream: str = ""

    def words(self, command: str) -> list[str]:
        """Set the home up again; the memory directory stays the one it is, known by its inode."""
        for each in [*self.memory.iterdir(), *self.home.iterdir()]:
            if each.is_file():
                each.unlink()
            elif each.name != ".claude":
                shutil.rmtree(each)
        shutil.copytree(self.saved, self.home, symlinks=True, dirs_exist_ok=True)
        return shlex.split(command.replace("DREAM", self.dream))

    def usual(self, command: str) -> Ended:
        ended = warm().start(self.words(command), self.environ(), self.memory).ended()
        return (*ended, texts(self.memory))

    def ended(self, command: str, streams: tuple[str | None, str | None]) -> Ended:
        """Run it with an output that is full, gone, hung up or closed; names must be escaped."""
        words = self.words(command)
        shut = ">&- " * (streams[0] == "closed") + "2>&- " * (streams[1] == "closed")
        shut += "<&- " * (streams == ("closed", "closed"))
        with stream(streams[0]) as stdout, stream(streams[1]) as stderr:
            done = subprocess.run(
                ["sh", "-c", f"exec {shlex.join([sys.executable, '-m', 'dreamd', *words])} {shut}"],
                env=self.environ(PYTHONPATH=str(ROOT), **ASCII),
                cwd=self.memory,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                timeout=60,
                check=False,
            )
        out, err = ((each or b"").decode("ascii") for each in (done.stdout, done.stderr))
        return done.returncode, out, err, texts(self.memory)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home with a dream that changed notes and one whose proposal waits."""
    top = tmp_path_factory.mktemp("home")
    memory = top / ".claude/projects/-home-dev-tidepool/memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# Memory 🗒\n\n- Backups are kept 30 days ✅. (2026-05-01)\n")
    (memory / "more.md").write_text("There is more to say 🦀.\n")
    said = "backups are kept 60 days now instead of 30 ✅"
    say(memory.parent, "one", said, at="2026-05-12T09:00:00.000Z")
    home = Home(top, memory)
    home.dream = home.json("dream", str(memory))["dream"]
    with (memory / "MEMORY.md").open("a") as index:
        index.write("- One line, twice.\n" * 2)
    home.ok("dream", str(memory), "--propose")
    home.saved = tmp_path_factory.mktemp("saved") / "home"
    shutil.copytree(top, home.saved, symlinks=True)
    return home


@contextmanager
def stream(kind: str | None) -> Iterator[int]:
    """A descriptor to write to: a pipe without a reader, a full disk, a terminal that is gone."""
    if kind in {"gone", "hung up"}:
        read, write = os.pipe() if kind == "gone" else pty.openpty()
        os.close(read)
    elif kind == "full":
        write = os.open("/dev/full", os.O_WRONLY)
    else:
        yield subprocess.PIPE
        return
    yield write
    os.close(write)


@pytest.mark.parametrize("command", COMMANDS)
def test_output_that_is_lost_costs_the_exit_code_and_nothing_else(home: Home, command: str) -> None:
    usual, out, err, notes = home.usual(command)
    assert usual in {0, 1, 2}
    assert "Traceback" not in err
    if command.endswith("--json"):
        assert isinstance(json.loads(out), dict)
        assert out.count("\n") == 1
    name = [*STREAMS][COMMANDS.index(command) % len(STREAMS)]
    is_lost = not command.startswith("run") and any(  # its log is no answer
        said and kind not in {None, "closed"}
        for said, kind in zip((out, err), STREAMS[name], strict=True)
    )
    code, seen, complaint, left = home.ended(command, STREAMS[name])
    assert (code, left) == (usual or 1 if is_lost else usual, notes), (name, seen, complaint)
    assert "Traceback" not in seen + complaint
    assert "ignored" not in complaint
    if name == "full" and out and usual != 2:
        assert complaint.count("standard output: No space left on device") == 1
    if name == "gone":
        assert complaint.count("\n") == err.count("\n")


def test_a_time_zone_that_no_calendar_knows_is_one_sentence(home: Home) -> None:
    for zone in ("UTC+25", "UTC-24", "AAA+0BBB-30"):
        done = home.run("log", DREAMD_MEMORY=str(home.memory), TZ=zone)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
        assert done.stderr.startswith("dreamd: the time zone (TZ) ")
    for zone_that_is in ("Nowhere/Atoll", "", "UTC+23", "Europe/Paris"):
        home.ok("log", DREAMD_MEMORY=str(home.memory), TZ=zone_that_is)
