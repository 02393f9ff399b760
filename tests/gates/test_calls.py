from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.gates import asker
from tests.gates.speed import typical
from tests.gates.world import DAY, HOUR, MINUTE, Time, World

ROOT = Path(__file__).parents[2]
# What Python and the kernel do for themselves: memory, and clocks where the kernel offers no vDSO.
OWN = {"brk", "mmap", "munmap", "mremap", "madvise", "mprotect", "clock_gettime", "gettimeofday"}


@pytest.fixture(scope="session")
def strace() -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    probe = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False)
    if probe.returncode != 0:
        pytest.skip(f"strace may not trace here: {probe.stderr.decode()[:200]}")


def turns(world: World, number: int, *words: str) -> tuple[list[str], list[list[str]]]:
    """Ask in a process under strace; what each turn said, and the system calls it made."""
    log = world.home / "log"
    command = [sys.executable, "-m", "tests.gates.asker", str(world.home), str(number), *words]
    ended = subprocess.run(
        ["strace", "-o", str(log), *command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    made: list[list[str]] = []
    for line in log.read_text().splitlines():
        if asker.MARK in line:
            made.append([])
        elif made and (call := re.match(r"(\w+)\(", line)) and call[1] not in OWN:
            made[-1].append(line)
    assert len(made) == number + 1
    return ended.stdout.split(), made[:-1]


def is_stat(line: str, path: Path) -> bool:
    return bool(re.match(r"(new)?f?l?stat\w*\(", line)) and f'"{path}"' in line


@pytest.mark.usefixtures("strace")
@pytest.mark.parametrize("body", ["", "4194305"])
def test_a_typical_turn_makes_one_stat_and_nothing_else(world: World, body: str) -> None:
    world.consolidated(3 * HOUR, body)
    said, made = turns(world, 20)
    assert said == ["time"] * 20
    for calls in made[1:]:
        assert len(calls) == 1
        assert is_stat(calls[0], world.lock)


@pytest.mark.usefixtures("strace")
@pytest.mark.parametrize("body", ["", "4194305", None])
def test_a_shut_session_gate_costs_one_stat_at_the_next_turn(
    world: World, body: str | None
) -> None:
    if body is not None:
        world.consolidated(3 * DAY, body)
    world.sessions(4)
    said, made = turns(world, 20)
    assert said == ["sessions", *["throttle"] * 19]
    assert sum("getdents" in line for line in made[0]) >= 1
    assert sum("project" in line and "openat" in line for line in made[0]) == 1
    for calls in made[1:]:
        assert len(calls) == 1
        assert is_stat(calls[0], world.lock)


@pytest.mark.usefixtures("strace")
def test_asking_once_makes_two_stats(world: World) -> None:
    world.consolidated(3 * HOUR)
    said, made = turns(world, 3, "once")
    assert said == ["time"] * 3
    for calls in made:
        assert len(calls) == 1
        assert is_stat(calls[0], world.lock)
    world.consolidated(3 * DAY)
    said, made = turns(world, 4, "once")
    assert said == ["sessions", *["throttle"] * 3]
    for calls in made[1:]:
        assert len(calls) == 2
        assert is_stat(calls[0], world.lock)
        assert is_stat(calls[1], world.store.throttle)


WATCHED = {"open", "os.scandir", "os.listdir", "os.utime", "os.rename", "os.mkdir", "os.remove"}
_heard: list[str] | None = None
_is_hooked = False


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if _heard is not None and event in WATCHED:
        _heard.append(f"{event} {arguments[0]!r}")


@contextmanager
def heard() -> Iterator[list[str]]:
    """Every file opened, folder read and name changed inside, and every stat."""
    global _heard, _is_hooked  # noqa: PLW0603 - a hook stays until the process ends
    if not _is_hooked:
        sys.addaudithook(_hear)
        _is_hooked = True
    _heard = seen = []
    stats = {name: getattr(os, name) for name in ("stat", "lstat")}

    def told(name: str) -> object:
        def stat(*arguments: object, **more: object) -> object:
            seen.append(f"stat {os.fspath(arguments[0])!r}")  # type: ignore[call-overload]
            return stats[name](*arguments, **more)

        return stat

    try:
        with pytest.MonkeyPatch.context() as patched:
            for name in stats:
                patched.setattr(os, name, told(name))
            yield seen
    finally:
        _heard = None


@pytest.mark.parametrize("body", ["", "4194305"])
def test_where_nobody_traces_a_typical_turn_is_one_stat_as_well(world: World, body: str) -> None:
    world.consolidated(3 * HOUR, body)
    cascade = world.cascade()
    cascade.ask()
    with heard() as seen:
        for _ in range(5):
            assert cascade.ask().gate == "time"
    assert seen == [f"stat {str(world.lock)!r}"] * 5


def test_where_nobody_traces_a_shut_session_gate_is_one_stat_as_well(
    world: World, clocks: Time
) -> None:
    world.consolidated(3 * DAY)
    world.sessions(4)
    cascade = world.cascade()
    with heard() as seen:
        assert cascade.ask().gate == "sessions"
    assert seen.count(f"os.scandir {str(world.folders[0])!r}") == 1
    assert not any(".jsonl" in each for each in seen)
    with heard() as seen:
        for _ in range(5):
            assert cascade.ask().gate == "throttle"
    assert seen == [f"stat {str(world.lock)!r}"] * 5
    clocks.pass_by(11 * MINUTE)
    with heard() as seen:
        assert cascade.ask().gate == "sessions"
    assert seen.count(f"os.scandir {str(world.folders[0])!r}") == 1


def test_where_nobody_traces_asking_once_is_two_stats_as_well(world: World) -> None:
    world.consolidated(3 * DAY)
    assert world.ask().gate == "sessions"
    with heard() as seen:
        assert world.ask().gate == "throttle"
    assert seen == [f"stat {str(world.lock)!r}", f"stat {str(world.store.throttle)!r}"]


def test_the_kill_switch_costs_nothing(world: World) -> None:
    world.settings = replace(world.settings, enabled=False)
    cascade = world.cascade()
    with heard() as seen:
        assert cascade.ask().gate == "kill switch"
        assert world.ask().gate == "kill switch"
    assert seen == []


def test_a_turn_costs_at_most_three_stats_of_time(world: World) -> None:
    for said in typical(world.home / "speed", batches=41).values():
        assert float(said.split(" = ")[1]) < 3
