"""Nobody gets out: every attempt, by the kernel alone, as root and as an ordinary user."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dreamd.sandbox import landlock
from tests.sandbox.room import ALL, copied, trial
from tests.sandbox.trial import ATTEMPTS, plan

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="walls of Linux")
FLAGS = {each.name: each.flags for each in ATTEMPTS}


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


@pytest.fixture(scope="module")
def room() -> Iterator[Path]:
    with copied("sandbox") as made:
        yield made


def tried(
    room: Path, user: str, role: str, level: str, way: str, first: int, step: int
) -> tuple[int, dict[str, Any]]:
    """Return how many attempts were made, and what came of those that did harm."""
    found = trial(room, user, "sandbox/trial.py", role, level, way, first, step)
    assert not [each for each in found if "WallsError" in each["said"]]  # tried, not prevented
    assert [each["name"] for each in found] == [each.name for each in plan(way, first, step)]
    return len(found), {each["name"]: each for each in found if each["damage"]}


def test_there_are_over_300_different_attempts() -> None:
    assert len({each.code for each in ATTEMPTS}) >= 300
    assert len(FLAGS) == len(ATTEMPTS)
    assert sum("!" in flags for flags in FLAGS.values()) >= 30


@trials(("reader", "direct", 0, 4))
def test_without_walls_most_attempts_succeed(
    room: Path, user: str, role: str, way: str, first: int, step: int
) -> None:
    count, harm = tried(room, user, role, "none", way, first, step)
    assert len(harm) >= 0.6 * count


@pytest.mark.skipif(not landlock.abi(), reason="no Landlock in this kernel")
@trials(("reader", "direct", 0, 4), ("writer", "direct", 1, 8), ("reader", "command", 0, 4))
def test_landlock_and_the_filter_let_nothing_out(
    room: Path, user: str, role: str, way: str, first: int, step: int
) -> None:
    _, harm = tried(room, user, role, "landlock", way, first, step)
    is_older = landlock.abi() < landlock.SCOPED_SINCE and way == "direct"
    assert {
        name: what for name, what in harm.items() if not (is_older and "6" in FLAGS[name])
    } == {}


@pytest.mark.skipif(landlock.abi() < landlock.SCOPED_SINCE, reason="no Landlock of ABI 6 here")
@trials(("client", "direct", 2, 6))
def test_a_program_with_the_network_has_the_network_and_nothing_else(
    room: Path, user: str, role: str, way: str, first: int, step: int
) -> None:
    _, harm = tried(room, user, role, "landlock", way, first, step)
    assert {name: what for name, what in harm.items() if "n" not in FLAGS[name]} == {}
