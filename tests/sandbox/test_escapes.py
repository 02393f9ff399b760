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

import pytest

import dreamd
from dreamd.sandbox import bubblewrap, landlock
from tests.sample import sample
from tests.sandbox.attempts import PYTHON, SHELL

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


@cache
def interpreter() -> str:
    """A Python that an ordinary user may run."""
    if DEBIAN.exists():
        asked = [str(DEBIAN), "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        if subprocess.run(asked, check=False).returncode == 0:
            return str(DEBIAN)
    return sys.executable


@pytest.fixture
def room() -> Iterator[Path]:
    """A readable copy of what the trial needs, and a folder for its world."""
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
    (theirs / "tests/sandbox").mkdir(parents=True)
    for name in ("__init__.py", "attempts.py", "attacker.py", "trial.py"):
        shutil.copy(ours / name, theirs / "tests/sandbox" / name)
    yield made
    shutil.rmtree(made)


def trial(room: Path, user: str, role: str, level: str, way: str) -> list[dict[str, Any]]:
    world = room / "base"
    world.mkdir()
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
    return found


def escaped(results: list[dict[str, Any]]) -> list[str]:
    return [
        f"{each['name']}: {each['damage']} {each['said']}" for each in results if each["damage"]
    ]


def test_there_are_at_least_120_different_attempts() -> None:
    assert len({code for _, _, code in PYTHON} | {line for _, line in SHELL}) >= 120


@pytest.mark.parametrize("user", ["root", "nobody"])
def test_without_walls_most_attempts_succeed(room: Path, user: str) -> None:
    results = trial(room, user, "reader", "none", "direct")
    assert len(results) == len(PYTHON) + len(SHELL)
    assert len(escaped(results)) >= 0.6 * len(results)


@pytest.mark.skipif(not landlock.abi(), reason="no Landlock in this kernel")
@pytest.mark.parametrize(
    ("role", "way"), [("reader", "direct"), ("writer", "direct"), ("reader", "command")]
)
@pytest.mark.parametrize("user", ["root", "nobody"])
def test_landlock_and_the_filter_let_nothing_out(
    room: Path, user: str, role: str, way: str
) -> None:
    results = trial(room, user, role, "landlock", way)
    assert len(results) == len(SHELL) + (len(PYTHON) if way == "direct" else 0)
    if landlock.abi() < 6 and (role, way) == ("reader", "direct"):
        results = [each for each in results if each["name"] not in SIGNALS]
    assert escaped(results) == []


@pytest.mark.skipif(not bubblewrap.is_available(), reason="bubblewrap does not work here")
@pytest.mark.parametrize(
    ("user", "role", "way"),
    sample(
        [
            ("root", "reader", "direct"),
            ("root", "writer", "direct"),
            ("nobody", "reader", "direct"),
            ("nobody", "reader", "command"),
        ]
    ),
)
def test_bubblewrap_and_the_filter_let_nothing_out(
    room: Path, user: str, role: str, way: str
) -> None:
    results = trial(room, user, role, "bubblewrap", way)
    assert len(results) == len(SHELL) + (len(PYTHON) if way == "direct" else 0)
    assert escaped(results) == []
