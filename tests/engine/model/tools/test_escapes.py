"""Nothing that the tools are told makes them read a credential store or write outside the notes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dreamd.sandbox.choose import best
from dreamd.sandbox.policy import Level
from tests.engine.model.tools.desk import Laptop, opened
from tests.engine.model.tools.laid import ATTEMPTS
from tests.engine.model.tools.trial import READING
from tests.sandbox.room import ALL, copied, trial

SCRIPT = "engine/model/tools/trial.py"
FLAGS = {each.name: each.flags for each in ATTEMPTS}
users = pytest.mark.parametrize("user", ["root", "nobody"])
walled = pytest.mark.skipif(best().level is Level.PATHS, reason="no walls on this machine")
levels = pytest.mark.parametrize("level", [pytest.param(Level.LANDLOCK, marks=walled), Level.PATHS])


@pytest.fixture(scope="module")
def room() -> Iterator[Path]:
    with copied("engine/model/tools") as made:
        yield made


def share(user: str) -> tuple[int, int]:
    """Return which attempts are tried of the long lists: all are, by one user or the other."""
    return (0, 1) if ALL else (int(user == "nobody"), 2)


def harm(results: list[dict[str, Any]]) -> dict[str, str]:
    return {
        each["name"]: f"{each['changed'][:3]} {each['text']}"
        for each in results
        if each["told"] or each["changed"]
    }


def test_there_are_enough_attempts_and_each_is_another() -> None:
    assert len(ATTEMPTS) >= 190
    assert len(FLAGS) == len(ATTEMPTS)


@users
@levels
def test_no_attempt_succeeds(room: Path, level: Level, user: str) -> None:
    results = trial(room, user, SCRIPT, level, "policy")
    assert [each["name"] for each in results] == [each.name for each in ATTEMPTS]
    assert harm(results) == {}
    for each, attempt in zip(results, ATTEMPTS, strict=True):
        assert each["seconds"] < 3, each
        if attempt.tool in {"Read", "Edit", "Write", "Retire"} and "s" not in attempt.flags:
            assert each["is_error"], each


@users
@walled
def test_tools_that_trust_their_arguments_are_held_by_the_walls_alone(
    room: Path, user: str
) -> None:
    results = trial(room, user, SCRIPT, Level.LANDLOCK, "kernel", *share(user))
    assert {name: said for name, said in harm(results).items() if "k" not in FLAGS[name]} == {}


@users
def test_without_walls_the_same_tools_fail_most_attempts(room: Path, user: str) -> None:
    """The control: the list can fail."""
    results = trial(room, user, SCRIPT, Level.PATHS, "control", *share(user))
    succeeded = harm(results).keys() | {each["name"] for each in results if each["hung"]}
    count = sum(each.tool in READING for each in ATTEMPTS)
    assert len(results) >= count // 2
    assert len(succeeded) >= 0.6 * len(results), {each["name"] for each in results} - succeeded


@users
@levels
def test_a_folder_that_is_swapped_for_a_link_during_the_call_is_never_followed(
    room: Path, level: Level, user: str
) -> None:
    came = trial(room, user, SCRIPT, level, "swaps")
    assert came["swaps"] > 100
    assert came["told"] == 0
    assert came["read"] > 0
    assert came["written"] == ["key.txt"]


def test_one_faulty_call_does_not_end_a_helper(tmp_path: Path) -> None:
    laptop = Laptop.at(tmp_path.resolve())
    with opened(laptop, best().level) as desk:
        (laptop.stage / "MEMORY.md").write_bytes(b"\xff\xfe")
        assert "is not UTF-8" in desk.refused(
            "Edit", file_path="MEMORY.md", old_string="a", new_string="b"
        )
        for text in ("x" * 3_000_000, "\x00" * 100, "語" * 100_000):
            desk.ask("Grep", {"pattern": text})
            desk.ask("Read", {"file_path": text})
            desk.ask("Bash", {"command": text})
            desk.ask("Edit", {"file_path": "ana.md", "old_string": text, "new_string": text})
        assert "Harbor" in desk("Read", file_path="ana.md")


def test_a_helper_ends_when_its_pipe_does(tmp_path: Path) -> None:
    with opened(Laptop.at(tmp_path.resolve()), best().level) as desk:
        helper = desk.helpers["reader"]
        helper.stdin.close()
        until = time.monotonic() + 3
        while helper.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert helper.poll() == 0
        writer = desk.helpers["writer"]
        writer.stdin.write(b"\xff\xff\xff\xff no message")
        while writer.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert writer.poll() == 1
