"""A helper starts walled in, runs commands that cannot outlive it, and ends with all it started."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dreamd.errors import WallsError
from dreamd.host import process
from dreamd.sandbox import bubblewrap, choose, landlock, run, seccomp
from dreamd.sandbox.policy import Level, Policy, Role
from dreamd.sandbox.spawn import Helper, environment, spawn

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="walls of Linux")

HELPER = """
import sys
from dreamd.sandbox.confine import confine
from dreamd.sandbox.policy import Policy
policy = Policy.from_json(sys.argv[1])
words = confine(policy)
import json, os
from pathlib import Path
from dreamd.sandbox import run
print(json.dumps({"walls": words, "environment": dict(os.environ), "argv": sys.argv[2:],
    "files": sorted(int(each) for each in os.listdir("/proc/self/fd"))[:-1]}), flush=True)
for line in sys.stdin:
    order = json.loads(line)
    limits = run.Limits(**order.get("limits", {}))
    ran = run.shell(order["command"], level=policy.level, cwd=Path(order["cwd"]), limits=limits)
    print(json.dumps({"status": ran.status, "output": ran.output.decode("utf-8", "replace"),
        "stopped": ran.stopped, "seconds": ran.seconds}), flush=True)
"""
LEVELS = [
    pytest.param(
        Level.LANDLOCK, marks=pytest.mark.skipif(not landlock.abi(), reason="no Landlock here")
    ),
    pytest.param(
        Level.BUBBLEWRAP,
        marks=pytest.mark.skipif(not bubblewrap.is_available(), reason="no bubblewrap here"),
    ),
]
levels = pytest.mark.parametrize("level", LEVELS)


class Served:
    """A helper and what it said when it began."""

    def __init__(self, helper: Helper, cwd: Path) -> None:
        self.helper = helper
        self.cwd = cwd
        self.greeting = self.hear()

    def hear(self) -> dict[str, Any]:
        said = b""
        while not said.endswith(b"\n"):
            piece = os.read(self.helper.stdout.fileno(), 65536)
            assert piece, self.helper.last_words()
            said += piece
        heard: dict[str, Any] = json.loads(said)
        return heard

    def tell(self, command: str, **limits: float) -> None:
        order = {"command": command, "cwd": str(self.cwd), "limits": limits}
        self.helper.stdin.write(json.dumps(order).encode() + b"\n")

    def ask(self, command: str, **limits: float) -> dict[str, Any]:
        self.tell(command, **limits)
        return self.hear()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    started: list[Helper] = []
    (tmp_path / "stage").mkdir()
    (tmp_path / "secret").write_text("S3CRET")

    def begin(level: Level, role: Role = Role.READER) -> Served:
        policy = Policy(role, tmp_path / "stage", (tmp_path / "secret",), level)
        helper = spawn([sys.executable, "-c", HELPER], policy)
        started.append(helper)
        return Served(helper, tmp_path)

    yield begin
    for helper in started:
        helper.stop()


def gone(pid: int, *, within: float = 3.0) -> bool:
    until = time.monotonic() + within
    while process.pid_exists(pid):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def marked(mark: str) -> list[int]:
    """The PIDs of all processes with a mark in their command line."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdecimal():
            try:
                if mark.encode() in (each / "cmdline").read_bytes():
                    found.append(int(each.name))
            except OSError:
                continue
    return [pid for pid in found if process.pid_exists(pid)]


def all_gone(mark: str, *, within: float = 3.0) -> bool:
    until = time.monotonic() + within
    while marked(mark):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


@levels
def test_a_helper_inherits_no_file_and_no_variable(
    serve: Callable[..., Served], level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "S3CRET")
    kept = os.open("/etc/passwd", os.O_RDONLY)
    os.set_inheritable(kept, True)
    greeting = serve(level).greeting
    os.close(kept)
    assert greeting["files"] == [0, 1, 2]
    extra = {"LC_CTYPE", "PWD"}
    assert set(greeting["environment"]) - extra <= {*environment()}
    assert "S3CRET" not in json.dumps(greeting)
    assert greeting["walls"] == choose.best(level).words


@levels
def test_a_command_says_what_it_says_and_reads_nothing_from_us(
    serve: Callable[..., Served], level: Level, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("readable\n")
    served = serve(level)
    assert served.ask("cat a.txt; cat; echo oops >&2; exit 3") | {"seconds": 0} == {
        "status": 3, "output": "readable\noops\n", "stopped": "", "seconds": 0,
    }  # fmt: skip
    assert "S3CRET" not in served.ask("cat secret; grep -r S3CR . ; tar cf - .")["output"]
    assert served.ask("echo x > b.txt; echo $?")["output"].endswith("\n1\n")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.txt", "secret", "stage"]
    assert served.ask("echo $HOME $PATH | grep -c : ; env | wc -l")["output"].startswith("1\n")


@levels
def test_a_command_ends_at_its_limits(serve: Callable[..., Served], level: Level) -> None:
    served = serve(level)
    slow = served.ask("sleep 30", seconds=0.2)
    assert slow["stopped"] == "time"
    assert slow["seconds"] < 2
    loud = served.ask("yes", output=5000)
    assert loud["stopped"] == "output"
    assert len(loud["output"]) == 5000
    many = served.ask("for i in {1..60}; do sleep 15 & done; sleep 15", processes=20)
    assert many["stopped"] == "processes"
    large = served.ask("python3 -c 'x=bytearray(3<<30)' 2>&1 | tail -1", memory=1 << 28)
    assert "MemoryError" in large["output"]
    assert served.ask("echo still here")["output"] == "still here\n"


@levels
def test_what_is_left_in_the_background_is_not_waited_for_and_ends(
    serve: Callable[..., Served], level: Level
) -> None:
    served = serve(level)
    mark = f"3{os.getpid()}{level.value.__len__()}"
    answer = served.ask(
        f"(sleep {mark} &) ; sleep {mark} & disown; setsid -f sleep {mark}; echo done"
    )
    assert "done\n" in answer["output"]
    assert answer["seconds"] < 2
    assert all_gone(mark)


@levels
def test_a_command_can_neither_signal_nor_look_into_its_helper(
    serve: Callable[..., Served], level: Level
) -> None:
    served = serve(level)
    served.ask("kill -9 $PPID; kill -STOP $PPID; kill -9 -- -$PPID")
    answer = served.ask("echo x > /proc/$PPID/fd/1; cat /proc/$PPID/environ; ls /proc/$PPID/fd/")
    assert "PYTHONSAFEPATH" not in answer["output"]
    assert served.helper.poll() is None
    assert served.ask("echo still here")["output"] == "still here\n"


@levels
@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_with_the_helper_ends_all_it_started(
    serve: Callable[..., Served], level: Level, ending: str
) -> None:
    served = serve(level)
    mark = f"4{os.getpid()}{len(level)}{len(ending)}"
    served.tell(f"sleep {mark} & (sleep {mark} &) ; sleep {mark}", seconds=60)
    until = time.monotonic() + 3
    while len(marked(f"sleep\0{mark}")) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    assert len(marked(f"sleep\0{mark}")) == 3
    if ending == "stop":
        assert served.helper.stop() == -signal.SIGKILL
    else:
        os.kill(served.helper.pid, signal.SIGKILL)
    assert all_gone(mark)


@levels
def test_a_helper_dies_with_the_process_that_started_it(tmp_path: Path, level: Level) -> None:
    (tmp_path / "stage").mkdir()
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, str(tmp_path / "stage"), level, HELPER],
        stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert parent.stdout is not None
    helper = int(parent.stdout.readline())
    assert process.pid_exists(helper)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert gone(helper)


_PARENT = """
import os, sys, time
from pathlib import Path
from dreamd.sandbox.policy import Level, Policy, Role
from dreamd.sandbox.spawn import spawn
helper = spawn([sys.executable, "-c", sys.argv[3]],
               Policy(Role.READER, Path(sys.argv[1]), (), Level(sys.argv[2])))
os.read(helper.stdout.fileno(), 10)
print(helper.pid, flush=True)
time.sleep(60)
"""


@levels
def test_a_helper_that_was_not_walled_in_serves_nobody(tmp_path: Path, level: Level) -> None:
    argument = Policy(Role.READER, tmp_path, (tmp_path / "gone",), level, parent=1).to_json()
    done = subprocess.run(
        [sys.executable, "-c", HELPER, argument], capture_output=True, text=True, check=False,
        env=environment(), cwd="/", stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 1
    assert "WallsError" in done.stderr
    assert done.stdout == ""


def test_a_command_without_walls_is_not_run() -> None:
    with pytest.raises(WallsError, match="walls"):
        run.shell("true", level=Level.LANDLOCK)
    with pytest.raises(WallsError, match="walls"):
        run.shell("true", level=Level.PATHS)


def test_at_level_paths_no_command_can_run(serve: Callable[..., Served]) -> None:
    served = serve(Level.PATHS)
    assert served.greeting["walls"] == "paths (no Bash)"
    served.tell("true")
    assert gone(served.helper.pid)
    assert "walls" in served.helper.last_words()


def test_a_writer_writes_the_stage_and_reads_it_and_nothing_else(tmp_path: Path) -> None:
    if not landlock.abi():
        pytest.skip("no Landlock in this kernel")
    (tmp_path / "stage").mkdir()
    (tmp_path / "beside.txt").write_text("beside")
    script = """
import sys
from dreamd.sandbox.confine import confine
from dreamd.sandbox.policy import Policy
policy = Policy.from_json(sys.argv[1])
confine(policy)
from dreamd.sandbox import walk
with walk.root(policy.stage) as start:
    walk.write(start, "team/a.md", b"words")
    print(walk.read(start, "team/a.md"))
    walk.write(start, "team/a.md", b"more words")
    walk.write(start, "b.md", b"words")
    walk.remove(start, "b.md")
import difflib, decimal, sqlite3  # what is imported late can still be read
for path in (policy.stage.parent / "beside.txt", policy.stage.parent / "new.txt"):
    for mode in "rw":
        try:
            open(path, mode)
        except OSError as error:
            print(type(error).__name__)
"""
    policy = Policy(Role.WRITER, tmp_path / "stage", (), Level.LANDLOCK)
    helper = spawn([sys.executable, "-c", script], policy)
    said = helper.stdout.read().decode()
    assert helper.stop() == 0, helper.last_words()
    assert said.split() == [
        "b'words'",
        "PermissionError",
        "PermissionError",
        "FileNotFoundError",
        "PermissionError",
    ]
    assert (tmp_path / "stage/team/a.md").read_text() == "more words"
    assert not (tmp_path / "stage/b.md").exists()


def test_stopping_twice_is_stopping_once(serve: Callable[..., Served]) -> None:
    helper = serve(choose.best().level).helper
    assert helper.poll() is None
    assert helper.stop() == helper.stop() == helper.poll() == -signal.SIGKILL


def test_a_helper_that_cannot_be_started_says_so(tmp_path: Path) -> None:
    with pytest.raises(WallsError, match="cannot start /nowhere"):
        spawn(["/nowhere"], Policy(Role.READER, tmp_path, (), Level.PATHS))


def test_a_policy_survives_the_command_line() -> None:
    policy = Policy(Role.WRITER, Path("/a b/ü"), (Path("/x\ny"), Path("/z")), Level.BUBBLEWRAP, 7)
    assert Policy.from_json(policy.to_json()) == policy


def test_the_strongest_walls_are_chosen_and_never_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "is_available", lambda: True)
    monkeypatch.setattr(landlock, "abi", lambda: 4)
    monkeypatch.setattr(bubblewrap, "is_available", lambda: True)
    assert choose.best().words == "landlock (ABI 4)"
    assert choose.best(Level.PATHS).words == "paths (no Bash)"
    assert choose.best(Level.BUBBLEWRAP).level is Level.BUBBLEWRAP
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    assert choose.best().level is Level.BUBBLEWRAP
    with pytest.raises(WallsError, match=r"it has bubblewrap"):
        choose.best(Level.LANDLOCK)
    monkeypatch.setattr(bubblewrap, "is_available", lambda: False)
    assert choose.best().level is Level.PATHS
    monkeypatch.setattr(seccomp, "is_available", lambda: False)
    monkeypatch.setattr(landlock, "abi", lambda: 7)
    assert choose.best().level is Level.PATHS


def test_an_older_landlock_is_asked_for_fewer_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not landlock.abi() or not hasattr(os, "fork"):
        pytest.skip("no Landlock in this kernel")
    real = landlock._call
    for version in (1, 2, 3, 4, 5):
        asked: list[int] = []

        def call(name: str, *values: int | bytes, v: int = version, a: list[int] = asked) -> int:
            if name == "landlock_create_ruleset" and isinstance(values[0], bytes):
                size = int(values[1]) if isinstance(values[1], int) else 0
                a.append(size)
                if size > (8 if v < 4 else 16):
                    raise OSError(22, "Invalid argument")
            return real(name, *values)

        monkeypatch.setattr(landlock, "_call", call)
        reached, ruleset = landlock._ruleset(landlock.CHANGING)
        os.close(ruleset)
        monkeypatch.setattr(landlock, "_call", real)
        assert reached in {3, 5}
        assert asked[0] == 24


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_a_denied_place_is_masked_once_and_only_where_it_exists(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    denied = (tmp_path / "a", tmp_path / "a/b", tmp_path / "none")
    policy = Policy(Role.READER, tmp_path, denied, Level.BUBBLEWRAP)
    assert list(bubblewrap.masked(policy)) == [tmp_path / "a"]
    assert "--cap-drop" in bubblewrap.prefix(policy)
