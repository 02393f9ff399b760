"""Nobody gets out: every attempt, by the kernel alone, as root and as an ordinary user."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import dreamd
from dreamd.sandbox import bubblewrap, landlock, seccomp
from tests.sandbox.attempts import CRITICAL, PYTHON, SHELL
from tests.sandbox.trial import plan

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="walls of Linux")

NOBODY = 65534
ROOT = os.geteuid() == 0
DEBIAN = Path("/usr/bin/python3")
# Before ABI 6 a reader itself, which ends its commands by signals, may signal others of its user;
# its commands may not on any kernel.
SIGNALS = {
    *(f"processes: {each}" for each in ("kill", "stop", "kill its group", "tgkill", "sigqueue")),
    *("processes: pidfd_send_signal", "shell: kill", "shell: kill by program"),
}


# What a program with the network may do beyond a reader, and no more
OF_CLIENT = {
    *("sockets: UDP", "sockets: a netlink socket", "sockets: a message with descriptors"),
    *("shell: /dev/udp", "kernel: watch files"),
    *("resources: memory without end", "resources: files without end"),
}
# Files, which only root may write; where paths are the wall nothing else keeps root from them
OF_ROOT = {
    *("kernel: a kernel setting", "kernel: a kernel knob in /sys", "kernel: a control group"),
    *("kernel: the log of the kernel for writing", "kernel: the handler of dumps"),
    *("kernel: a file system of a process", "kernel: a virtual machine"),
    *("kernel: a job for later", "kernel: a library for all", "kernel: the magic key"),
    *("kernel: the disk for writing", "kernel: the memory of the machine"),
}
ALL = os.environ.get("DREAMD_SWEEP") == "all"


def trials(*cases: tuple[str, str, int, int]) -> pytest.MarkDecorator:
    """Role, way, and which attempts: the critical ones and, by each user others, one in so many."""
    return pytest.mark.parametrize(
        ("user", "role", "way", "first", "step"),
        [
            pytest.param(
                user, role, way, *((0, 1) if ALL else ((first + at) % step, step)),
                id=f"{user}-{role}-{way}",
            )
            for role, way, first, step in cases
            for at, user in enumerate(("root", "nobody"))
        ],
    )  # fmt: skip


@cache
def interpreter() -> str:
    """A Python that an ordinary user may run."""
    if DEBIAN.exists():
        asked = [str(DEBIAN), "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        if subprocess.run(asked, check=False).returncode == 0:
            return str(DEBIAN)
    return sys.executable


@pytest.fixture(scope="module")
def room() -> Iterator[Path]:
    """A readable copy of what the trial needs, and a folder for its worlds."""
    made = Path(tempfile.mkdtemp(prefix="dreamd-escapes-"))
    made.chmod(0o755)
    ours, theirs = Path(__file__).parent, made / "code"
    package = Path(dreamd.__file__).parent
    for name in ("sandbox", "host", "domain"):
        shutil.copytree(
            package / name, theirs / "dreamd" / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("__init__.py", "errors.py"):
        shutil.copy(package / name, theirs / "dreamd" / name)
    library = Path(msgspec.__file__).parent  # of which leases are made
    shutil.copytree(library, theirs / "msgspec")
    (theirs / "tests/sandbox").mkdir(parents=True)
    for name in ("__init__.py", "attempts.py", "attacker.py", "trial.py"):
        shutil.copy(ours / name, theirs / "tests/sandbox" / name)
    yield made
    shutil.rmtree(made)


def trial(
    room: Path, user: str, role: str, level: str, way: str, first: int = 0, step: int = 1
) -> list[dict[str, Any]]:
    world = Path(tempfile.mkdtemp(dir=room))
    world.chmod(0o755)
    as_user: dict[str, Any] = {}
    if user == "nobody" and ROOT:
        if interpreter() == sys.executable:
            pytest.skip("no Python here that an ordinary user may run")
        os.chown(world, NOBODY, NOBODY)
        as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    elif user == "root" and not ROOT:
        pytest.skip("not root; what an ordinary user can do is tried all the same")
    done = subprocess.run(
        [
            interpreter(),
            "-B",
            "-S",
            str(room / "code/tests/sandbox/trial.py"),
            str(world),
            role,
            level,
            way,
            str(first),
            str(step),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(room / "code")},
        **as_user,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert not [each for each in found if "WallsError" in each["said"]]  # tried, not prevented
    assert [each["name"] for each in found] == [name for _, _, name in plan(way, first, step)]
    return found


def escaped(results: list[dict[str, Any]]) -> list[str]:
    return [
        f"{each['name']}: {each['damage']} {each['said']}" for each in results if each["damage"]
    ]


def test_there_are_at_least_120_different_attempts() -> None:
    assert len({code for _, _, code in PYTHON} | {line for _, line in SHELL}) >= 300
    names = [name for _, _, name in plan("direct", 0, 1)]
    assert len(names) == len(set(names)) == len(PYTHON) + len(SHELL)
    assert set(names) >= CRITICAL
    assert len(CRITICAL) >= 30


@trials(("reader", "direct", 0, 4))
def test_without_walls_most_attempts_succeed(
    room: Path, user: str, role: str, way: str, first: int, step: int
) -> None:
    results = trial(room, user, role, "none", way, first, step)
    assert len(escaped(results)) >= 0.6 * len(results)


@pytest.mark.skipif(not landlock.abi(), reason="no Landlock in this kernel")
@trials(("reader", "direct", 0, 4), ("writer", "direct", 1, 8), ("reader", "command", 0, 4))
def test_landlock_and_the_filter_let_nothing_out(
    room: Path, user: str, role: str, way: str, first: int, step: int
) -> None:
    results = trial(room, user, role, "landlock", way, first, step)
    if landlock.abi() < 6 and (role, way) == ("reader", "direct"):
        results = [each for each in results if each["name"] not in SIGNALS]
    assert escaped(results) == []


@pytest.mark.skipif(landlock.abi() < 6, reason="no Landlock of ABI 6 in this kernel")
@trials(("client", "direct", 2, 6))
def test_a_program_with_the_network_has_the_network_and_nothing_else(
    room: Path, user: str, role: str, way: str, first: int, step: int
) -> None:
    results = trial(room, user, role, "landlock", way, first, step)
    assert escaped([each for each in results if each["name"] not in OF_CLIENT]) == []


@pytest.mark.skipif(not bubblewrap.is_available(), reason="bubblewrap does not work here")
@trials(("reader", "direct", 2, 6), ("writer", "direct", 4, 12), ("reader", "command", 2, 8))
def test_bubblewrap_and_the_filter_let_nothing_out(
    room: Path, user: str, role: str, way: str, first: int, step: int
) -> None:
    results = trial(room, user, role, "bubblewrap", way, first, step)
    assert escaped(results) == []


@pytest.mark.skipif(not seccomp.is_available(), reason="no filter of system calls in this kernel")
@trials(("reader", "direct", 4, 6), ("writer", "direct", 6, 12))
def test_where_paths_are_the_wall_the_filter_lets_nothing_of_the_machine_out(
    room: Path, user: str, role: str, way: str, first: int, step: int
) -> None:
    """Files are left to the path policy there; no program is started, no socket opened."""
    results = trial(room, user, role, "paths", way, first, step)
    of_machine = ("attributes", "sockets", "kernel", "resources", "shell")
    tried = [each for each in results if each["name"].startswith(of_machine)]
    assert len(tried) > 30
    allowed = OF_ROOT if user == "root" else set()
    assert escaped([each for each in tried if each["name"] not in allowed]) == []
