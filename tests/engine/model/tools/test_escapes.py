"""Nothing that the tools are told makes them read a credential store or write outside the notes."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import dreamd
from dreamd.engine.model.toolbox import ReaderLostError
from dreamd.errors import WallsError
from dreamd.sandbox.choose import best
from dreamd.sandbox.policy import Level
from tests.engine.model.tools.attempts import ATTEMPTS, BEYOND_THE_KERNEL
from tests.engine.model.tools.desk import Laptop, opened
from tests.engine.model.tools.trial import WRITERS

SHOWN = {  # without what must not be seen of them
    *("a raw transcript", "a raw transcript by a link", "a secret in a file"),
    *("a secret in a transcript", "a secret cut by escapes"),
}
NOBODY = 65534
ROOT = os.geteuid() == 0
TESTS = Path(__file__).parents[3]


def _had(level: Level) -> bool:
    with contextlib.suppress(WallsError):
        return best(level).level is level
    return False


def levels(*wanted: Level) -> pytest.MarkDecorator:
    each = [
        pytest.param(
            level, marks=pytest.mark.skipif(not _had(level), reason=f"no {level} on this machine")
        )
        for level in wanted
    ]
    return pytest.mark.parametrize("level", each)


users = pytest.mark.parametrize("user", ["root", "nobody"])


@cache
def interpreter(user: str) -> str:
    """Return a Python that this user may run, with the libraries of the tools; or nothing."""
    if user == "root" or not ROOT:
        return sys.executable
    same = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    for python in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            done = subprocess.run(
                [python, "-c", same], user=NOBODY, group=NOBODY, extra_groups=[], cwd="/",
                env={}, capture_output=True, check=False,
            )  # fmt: skip
            if done.returncode == 0:
                return python
    return ""


@pytest.fixture(scope="module")
def room() -> Iterator[Path]:
    """A readable copy of the code, for whoever the trial is run as."""
    made = Path(tempfile.mkdtemp(prefix="dreamd-tools-"))
    made.chmod(0o755)
    shutil.copytree(Path(dreamd.__file__).parent, made / "code/dreamd")
    for library in ("msgspec", "tree_sitter", "tree_sitter_bash"):
        where = find_spec(library)
        assert where is not None
        assert where.origin is not None
        shutil.copytree(Path(where.origin).parent, made / "code" / library)
    ours = Path(__file__).parent
    for folder in (TESTS, *(TESTS / each for each in ("engine", "engine/model")), ours):
        there = made / "code/tests" / folder.relative_to(TESTS)
        there.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "__init__.py", there)
    for name in ("attempts.py", "desk.py", "naive.py", "trial.py"):
        shutil.copy(ours / name, made / "code/tests/engine/model/tools")
    yield made
    shutil.rmtree(made)


_numbers = count()


ALL = os.environ.get("DREAMD_SWEEP") == "all"


def share(user: str, level: str) -> tuple[int, int]:
    """Return which attempts are tried of the long lists: all are, by one user or the other."""
    return (0, 1) if ALL else ((user == "nobody") ^ (level == Level.BUBBLEWRAP), 2)


def trial(room: Path, user: str, level: str, way: str) -> Any:
    if user == "root" and not ROOT:
        pytest.skip("not root; what an ordinary user can do is tried all the same")
    if not (python := interpreter(user)):
        pytest.skip("no Python here that an ordinary user may run")
    base = room / f"base-{next(_numbers)}"
    base.mkdir()
    as_user: dict[str, Any] = {}
    if user == "nobody" and ROOT:
        os.chown(base, NOBODY, NOBODY)
        as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    done = subprocess.run(
        [python, "-B", str(room / "code/tests/engine/model/tools/trial.py"),
         str(base), level, way, *map(str, map(int, share(user, level)))],
        capture_output=True, text=True, timeout=60, check=False, cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(room / "code"), "HOME": str(base)},
        **as_user,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def escaped(results: list[dict[str, Any]]) -> dict[str, str]:
    return {
        each["name"]: f"{each['changed'][:3]} {each['text']}"
        for each in results
        if each["told"] or each["changed"]
    }


def test_there_are_enough_attempts_and_each_is_another() -> None:
    assert len(ATTEMPTS) >= 160
    assert len({attempt.name for attempt in ATTEMPTS}) == len(ATTEMPTS)


@users
@levels(*Level)
def test_no_attempt_succeeds(room: Path, level: Level, user: str) -> None:
    results = trial(room, user, level, "policy")
    assert [each["name"] for each in results] == [each.name for each in ATTEMPTS]
    assert escaped(results) == {}
    for each in results:
        assert each["seconds"] < 3, each
        if each["tool"] in {"Read", "Edit", "Write", "Retire"} and each["name"] not in SHOWN:
            assert each["is_error"], each


@users
@levels(Level.LANDLOCK, Level.BUBBLEWRAP)
def test_tools_that_trust_their_arguments_are_held_by_the_walls_alone(
    room: Path, level: Level, user: str
) -> None:
    results = trial(room, user, level, "kernel")
    first, step = share(user, level)
    assert [each["name"] for each in results] == [
        each.name for each in ATTEMPTS[first::step] if each.tool not in WRITERS
    ]
    assert escaped(results).keys() <= BEYOND_THE_KERNEL, {
        name: what for name, what in escaped(results).items() if name not in BEYOND_THE_KERNEL
    }


@users
def test_without_walls_the_same_tools_fail_most_attempts(room: Path, user: str) -> None:
    """The control: the list can fail."""
    results = trial(room, user, Level.PATHS, "control")
    succeeded = escaped(results).keys() | {each["name"] for each in results if each["hung"]}
    assert len(results) >= len(ATTEMPTS) // 2
    assert len(succeeded) >= 0.6 * len(results), {each["name"] for each in results} - succeeded


@users
@levels(*Level)
def test_a_folder_that_is_swapped_for_a_link_during_the_call_is_never_followed(
    room: Path, level: Level, user: str
) -> None:
    came = trial(room, user, level, "swaps")
    assert came["swaps"] > 100
    assert came["told"] == 0
    assert came["read"] > 0


def test_one_faulty_call_does_not_end_a_reader(tmp_path: Path) -> None:
    laptop = Laptop.at(tmp_path.resolve())
    (laptop.memory / "MEMORY.md").write_bytes(b"\xff\xfe")
    with opened(laptop, best().level) as desk:
        given = {"file_path": "MEMORY.md", "old_string": "a", "new_string": "b"}
        assert "no ordinary file of UTF-8 text" in desk.refused("Edit", **given)
        for text in ("x" * 3_000_000, "\x00" * 100, "語" * 100_000):
            desk.ask("Grep", {"pattern": text})
            desk.ask("Read", {"file_path": text})
            desk.ask("Bash", {"command": text})
            desk.ask("Edit", {"file_path": "ana.md", "old_string": text, "new_string": text})
        assert "Harbor" in desk("Read", file_path="ana.md")


def test_a_reader_ends_when_its_pipe_does_and_one_that_ended_is_said_to(tmp_path: Path) -> None:
    with opened(Laptop.at(tmp_path.resolve()), best().level) as desk:
        assert "Harbor" in desk("Read", file_path="ana.md")
        desk.reader._requests.close()
        desk.reader._helper.stdin.close()
        until = time.monotonic() + 3
        while desk.reader._helper.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert desk.reader._helper.poll() == 0
        with pytest.raises(ReaderLostError, match="the reader process ended"):
            desk("Read", file_path="ana.md")
