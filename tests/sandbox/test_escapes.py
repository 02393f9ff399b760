"""Nobody gets out: every attempt, by policy and by the kernel alone, as root and as a user."""

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import dreamd
from dreamd.sandbox import landlock
from dreamd.sandbox.policy import Level
from tests.sandbox.world import ATTEMPTS, ESCAPES, plan

ALL = os.environ.get("DREAMD_SWEEP") == "all"
_NOBODY = 65534
_ROOT = os.geteuid() == 0
_TESTS = Path(__file__).parents[1]


@cache
def interpreter(user: str) -> str:
    """Return a Python of this version that the user may run; or nothing."""
    if user == "root" or not _ROOT:
        return sys.executable
    same = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    for python in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            done = subprocess.run(
                [python, "-c", same], user=_NOBODY, group=_NOBODY, extra_groups=[], cwd="/",
                env={}, capture_output=True, check=False,
            )  # fmt: skip
            if done.returncode == 0:
                return python
    return ""


def trial(room: Path, user: str, *words: object) -> Any:
    """Run the attempts of the copy over a folder of its own, and return the JSON that it prints."""
    if user == "root" and not _ROOT:
        pytest.skip("not root; what an ordinary user can do is tried all the same")
    if not (python := interpreter(user)):
        pytest.skip("no Python here that an ordinary user may run")
    base = Path(tempfile.mkdtemp(dir=room))
    base.chmod(0o755)
    as_user: dict[str, Any] = {}
    if user == "nobody" and _ROOT:
        os.chown(base, _NOBODY, _NOBODY)
        as_user = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}
    code = room / "code"
    done = subprocess.run(
        [python, "-B", str(code / "tests/sandbox/world.py"), str(base), *map(str, words)],
        capture_output=True, text=True, timeout=600, check=False, cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(code), "HOME": str(base)}, **as_user,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="walls of Linux")
walled = pytest.mark.skipif(not landlock.abi(), reason="no Landlock in this kernel")
users = pytest.mark.parametrize("user", ["root", "nobody"])
both = pytest.mark.parametrize(  # of walls and users, each at least once
    ("level", "user"),
    [
        pytest.param(level, user, marks=walled if level is Level.LANDLOCK else ())
        for level, user in itertools.product((Level.LANDLOCK, Level.PATHS), ("root", "nobody"))
        if ALL or (level is Level.LANDLOCK) == (user == "nobody")
    ],
)
FLAGS = {each.name: each.flags for each in (*ESCAPES, *ATTEMPTS)}


@pytest.fixture(scope="module")
def room() -> Iterator[Path]:
    """Copy the package, the one library that the walls need, and two folders of tests."""
    made = Path(tempfile.mkdtemp(prefix="dreamd-room-"))
    made.chmod(0o755)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(dreamd.__file__).parent, made / "code/dreamd", ignore=unwanted)
    library = find_spec("msgspec")
    assert library is not None
    assert library.origin is not None
    shutil.copytree(Path(library.origin).parent, made / "code/msgspec", ignore=unwanted)
    for folder in ("sandbox", "engine/model/tools"):
        there = made / "code/tests" / folder
        shutil.copytree(_TESTS / folder, there, ignore=unwanted, dirs_exist_ok=True)
        for above in (there, *there.parents):
            if above.is_relative_to(made / "code/tests"):
                (above / "__init__.py").touch()
    try:
        yield made
    finally:
        shutil.rmtree(made)


def tried(room: Path, user: str, way: str, first: int, step: int) -> tuple[int, dict[str, Any]]:
    """Return how many attempts were made, and what came of those that did harm or hang.

    The critical ones are made, and of the others by each user one in so many.
    """
    first, step = (0, 1) if ALL else ((first + (user == "nobody")) % step, step)
    found = trial(room, user, way, first, step)
    assert not [each for each in found if "WallsError" in each["said"]]  # tried, not prevented
    assert [each["name"] for each in found] == [each.name for each in plan(way, first, step)]
    return len(found), {
        each["name"]: each for each in found if each["harm"] or (each["hung"] and way == "control")
    }


def test_there_are_over_500_different_attempts() -> None:
    assert len({each.code for each in ESCAPES}) >= 300
    assert len({each.code for each in ATTEMPTS}) >= 200
    assert len(FLAGS) == len(ESCAPES) + len(ATTEMPTS)
    assert sum("!" in flags for flags in FLAGS.values()) >= 30


@both
def test_with_the_policy_no_attempt_succeeds(room: Path, level: Level, user: str) -> None:
    found = trial(room, user, "policy", level)
    assert [each["name"] for each in found] == [each.name for each in ATTEMPTS]
    assert [each for each in found if each["harm"]] == []
    for each, attempt in zip(found, ATTEMPTS, strict=True):
        assert each["seconds"] < 3, each
        if attempt.kind in {"Read", "Edit", "Write", "Move", "Retire"} and "s" not in attempt.flags:
            assert each["is_error"], each


@both
def test_a_folder_that_is_swapped_for_a_link_during_the_call_is_never_followed(
    room: Path, level: Level, user: str
) -> None:
    came = trial(room, user, "swaps", level)
    assert came["swaps"] > 100
    assert came["told"] == 0
    assert came["read"] > 0


@users
@walled
@pytest.mark.parametrize("way", ["kernel", "command"])
def test_the_kernel_alone_lets_nothing_out(room: Path, user: str, way: str) -> None:
    _, harm = tried(room, user, way, 0, 40)
    excused = "k6" if landlock.abi() < 6 and way == "kernel" else "k"
    assert {name: what for name, what in harm.items() if not {*excused} & {*FLAGS[name]}} == {}


@users
def test_without_walls_most_attempts_succeed(room: Path, user: str) -> None:
    """The control: the lists can fail."""
    count, harm = tried(room, user, "control", 0, 32)
    assert len(harm) >= 0.6 * count
