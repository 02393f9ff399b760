"""A helper starts walled in, runs commands that cannot outlive it, and ends with all it started."""

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from dreamd.errors import WallsError
from dreamd.sandbox import landlock, run, seccomp
from dreamd.sandbox.confine import best
from dreamd.sandbox.policy import Level, Policy
from dreamd.sandbox.spawn import environment, spawn
from tests.laptop import ran
from tests.pace import until

pytestmark = pytest.mark.skipif(not landlock.abi(), reason="no Landlock in this kernel")

HELPER = """
import sys
from dreamd.sandbox.confine import confine
from dreamd.sandbox.policy import Policy
policy = Policy.from_json(sys.argv[1])
confine(policy)
import ctypes, json, os, struct
from pathlib import Path
from dreamd.sandbox import landlock, run
held = ctypes.create_string_buffer(24)
ctypes.CDLL(None).capget(struct.pack("Ii", 0x20080522, 0), held)
print(json.dumps({"environment": dict(os.environ),
    "capabilities": list(struct.unpack("6I", held.raw)),
    "files": sorted(int(each) for each in os.listdir("/proc/self/fd"))[:-1]}), flush=True)
for line in sys.stdin:
    order = json.loads(line)
    domain = landlock.Domain(1 << 6)
    if order["programs"]:
        domain = run.walls(map(Path, order["programs"]))
        domain.grant(Path(order["cwd"]) / "granted.txt", landlock.READ_FILE)
    try:
        ran = run.piped(order["pipeline"], domain=domain, cwd=Path(order["cwd"]), **order["limits"])
    except OSError as error:
        ran = run.Ran(-1, str(error).encode(), "")
    print(json.dumps({"status": ran.status, "output": ran.output.decode("utf-8", "replace"),
        "stopped": ran.stopped}), flush=True)
"""


class Served:
    """A helper and what it said when it began."""

    def __init__(self, cwd: Path) -> None:
        policy = Policy(cwd / "stage", (cwd / "secret",), Level.LANDLOCK)
        self.helper, self.cwd = spawn([sys.executable, "-c", HELPER], policy), cwd
        self.greeting = self.hear()

    def hear(self) -> dict[str, Any]:
        said = b""
        while not said.endswith(b"\n"):
            piece = os.read(self.helper.stdout.fileno(), 65536)
            assert piece, self.helper.last_words()
            said += piece
        heard: dict[str, Any] = json.loads(said)
        return heard

    def tell(self, *commands: str, **limits: float) -> None:
        self.order([["bash", "--noprofile", "--norc", "-c", each] for each in commands], [], limits)

    def order(self, pipeline: list[list[str]], programs: list[str], limits: Any) -> None:
        order = {"pipeline": pipeline, "programs": programs, "cwd": str(self.cwd), "limits": limits}
        self.helper.stdin.write(json.dumps(order).encode() + b"\n")

    def ask(self, *commands: str, **limits: float) -> dict[str, Any]:
        self.tell(*commands, **limits)
        return self.hear()


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    (tmp_path / "stage").mkdir()
    texts = {"secret": "S3CRET", "granted.txt": "granted\n", "other.txt": "other\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "link.txt").symlink_to("other.txt")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "S3CRET")
    kept = os.open("/etc/passwd", os.O_RDONLY)
    os.set_inheritable(kept, True)
    begun = Served(tmp_path)
    os.close(kept)
    yield begun
    begun.helper.stop()


def marked(mark: str) -> list[int]:
    """Return what runs and has a mark in its command line."""
    found = psutil.process_iter(["cmdline"])  # of a zombie it is empty
    return [each.pid for each in found if mark in "\0".join(each.info["cmdline"] or ())]


def test_a_helper_inherits_no_file_and_no_variable(served: Served) -> None:
    greeting = served.greeting
    assert greeting["files"] == [0, 1, 2]
    assert set(greeting["environment"]) - {"LC_CTYPE", "PWD"} <= {*environment()}
    assert "S3CRET" not in json.dumps(greeting)
    assert greeting["capabilities"] in ([0] * 6, [4, 4, 0, 0, 0, 0])  # as root, to read anything


def test_a_command_says_what_it_says_and_cannot_signal_its_helper(served: Served) -> None:
    said = served.ask("exec cat granted.txt", "read x; echo $x; read x; echo oops >&2; exit 3")
    assert said == {"status": 3, "output": "granted\noops\n", "stopped": ""}
    served.ask("kill -9 $PPID; kill -STOP $PPID; kill -9 -- -$PPID")
    assert "PYTHONSAFEPATH" not in served.ask("exec cat /proc/$PPID/environ")["output"]
    assert served.ask("echo still here")["output"] == "still here\n"


def test_a_command_ends_at_its_limits_and_stays_one_process(served: Served) -> None:
    began = time.monotonic()
    assert served.ask("exec sleep 30", seconds=0.2)["stopped"] == "time"
    cut = served.ask("exec yes", "exec cat", most=5000)
    assert (cut["output"], cut["stopped"]) == ("y\n" * 2500, "output")
    assert cut["status"] in {-signal.SIGKILL, -signal.SIGPIPE}  # whichever comes first
    large = served.ask("exec python3 -c 'x=bytearray(3<<30)'")
    assert "MemoryError" in large["output"]
    mark = f"3{os.getpid()}"
    for line in (f"sleep {mark} & :", f"(sleep {mark})", f"setsid sleep {mark}; :"):
        assert "fork" in served.ask(line)["output"], line
    assert time.monotonic() - began < 5
    until(lambda: not marked(f"sleep\0{mark}"), 3)


def test_the_kernel_holds_a_reader_to_what_it_was_granted(served: Served, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    programs = [str(shutil.which(name)) for name in ("cat", "head", "find", "sort", "grep")]
    for pipeline, said in (
        ("cat granted.txt | head -n 1", "granted\n"),
        ("cat other.txt", "Permission denied"),  # it reads the files that were granted
        ("cat link.txt", "Permission denied"),
        ("head -n 1 granted.txt other.txt", "Permission denied"),
        ("grep -r . .", "other.txt: Permission denied"),
        ("rm granted.txt", "Permission denied"),  # it is one of the programs
        ("find . -exec cat {} ;", "Operation not permitted"),  # it stays one process
        ("sort -o granted.txt granted.txt", "Permission denied"),  # it writes nothing
        ("find . -delete", "Permission denied"),
        ("find . -fprint new.txt", "Permission denied"),
    ):
        served.order([part.split() for part in pipeline.split(" | ")], programs, {})
        output = served.hear()["output"]
        assert said in output, pipeline
        assert "other\n" not in output
        assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_with_the_helper_ends_all_it_started(served: Served, ending: str) -> None:
    mark = f"sleep\x004{os.getpid()}{len(ending)}"
    served.tell(f"exec {mark.replace(chr(0), ' ')}", "exec cat", seconds=60)
    until(lambda: bool(marked(mark)), 3)
    if ending == "stop":
        assert served.helper.stop() == served.helper.stop() == -signal.SIGKILL
    else:
        os.kill(served.helper.pid, signal.SIGKILL)
    until(lambda: not marked(mark), 3)


def test_without_walls_nothing_is_served_and_no_command_runs(tmp_path: Path) -> None:
    orphaned = Policy(tmp_path, (), Level.LANDLOCK, parent=1).to_json()
    done = ran([sys.executable, "-c", HELPER, orphaned], environment(), Path("/"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "WallsError" in done.stderr
    with pytest.raises(WallsError, match="walls"):
        run.piped([["true"]], domain=landlock.Domain(1 << 6))
    policy = Policy(Path("/a b/ü"), (Path("/x\ny"), Path("/z")), Level.PATHS, 7)
    assert Policy.from_json(policy.to_json()) == policy
    with pytest.raises(WallsError, match="cannot start /nowhere"):
        spawn(["/nowhere"], policy)


def test_the_walls_are_landlock_with_the_filter_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for abi, has_filter, words in (
        (4, True, "landlock (ABI 4)"), (0, True, "paths (no Bash)"), (7, False, "paths (no Bash)"),
    ):  # fmt: skip
        monkeypatch.setattr(landlock, "abi", lambda abi=abi: abi)
        monkeypatch.setattr(seccomp, "is_available", lambda has=has_filter: has)
        assert best().words == words


def test_an_older_landlock_is_asked_for_fewer_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    real = landlock._call
    asked: list[tuple[int, int]] = []

    def call(number: int, *values: int | bytes) -> int:
        if number == landlock._CREATE and isinstance(values[0], bytes):
            asked.append((len(values[0]), int.from_bytes(values[0][:8], "little")))
        return real(number, *values)

    monkeypatch.setattr(landlock, "_call", call)
    for version in range(1, 8):
        monkeypatch.setattr(landlock, "abi", lambda version=version: version)
        landlock.Domain(landlock.CHANGING).close()
    assert [size for size, _ in asked] == [8, 8, 8, 16, 16, 24, 24]
    assert [rights.bit_length() for _, rights in asked] == [13, 14, 15, 15, 16, 16, 16]
