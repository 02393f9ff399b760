"""When dreams began by themselves: a small file that survives whatever happens to it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dreamd.gates import passes
from dreamd.host import clock
from tests.gates.world import HOUR, SECOND, Time

ROOT = Path(__file__).parents[2]


def test_each_beginning_is_kept_and_private(tmp_path: Path) -> None:
    state = tmp_path / "state" / "dreamd"
    assert passes.read(state) == ()
    before = clock.now_ns()
    for number in range(1, 5):
        passes.record(state)
        begun = passes.read(state)
        assert len(begun) == number
        assert all(before <= each <= clock.now_ns() for each in begun)
    assert (state / "passes").stat().st_mode & 0o777 == 0o600
    assert state.stat().st_mode & 0o777 == 0o700
    assert [each.name for each in state.iterdir()] == ["passes"]


def test_it_does_not_grow_and_forgets_what_is_over_an_hour_ago(
    tmp_path: Path, clocks: Time
) -> None:
    for _ in range(1000):
        passes.record(tmp_path)
        clocks.pass_by(30 * SECOND)
    assert (tmp_path / "passes").stat().st_size < 2 * 4096
    lately = [each for each in passes.read(tmp_path) if each > clock.now_ns() - HOUR]
    assert len(lately) == 119  # one is just an hour ago


@pytest.mark.parametrize(
    "garbage",
    [b"", b"\0" * 100, b"\xff\xfe", b"-5\n1.5\n0x7\n", b"9" * 100_000, b"x\n" * 100_000, b"12"],
)
def test_garbage_in_the_file_hides_nothing_that_comes_after(tmp_path: Path, garbage: bytes) -> None:
    (tmp_path / "passes").write_bytes(garbage)
    now = clock.now_ns()
    assert all(each < now - HOUR for each in passes.read(tmp_path))
    passes.record(tmp_path)
    passes.record(tmp_path)
    assert sum(each >= now for each in passes.read(tmp_path)) == 2


@pytest.mark.parametrize("what", ["folder", "pipe", "link", "dangling link", "a file for a folder"])
def test_an_odd_thing_in_its_place_tells_nothing_and_harms_nothing(
    tmp_path: Path, what: str
) -> None:
    state, place = tmp_path / "state", tmp_path / "state" / "passes"
    target = tmp_path / "target"
    if what == "a file for a folder":
        state.write_text("in the way")
    else:
        state.mkdir()
    match what:
        case "folder":
            place.mkdir()
        case "pipe":
            os.mkfifo(place)
        case "link":
            target.write_text("mine")
            place.symlink_to(target)
        case "dangling link":
            place.symlink_to(target)
    passes.record(state)
    assert passes.read(state) == ()
    assert not target.exists() or target.read_text() == "mine"


def test_processes_that_begin_at_once_are_all_counted(tmp_path: Path) -> None:
    passes.record(tmp_path)
    code = (
        "import sys; from pathlib import Path; from dreamd.gates import passes\n"
        "sys.stdin.readline()\n"
        f"for _ in range(20): passes.record(Path({str(tmp_path)!r}))"
    )
    pipe = subprocess.PIPE
    racers = [
        subprocess.Popen([sys.executable, "-c", code], stdin=pipe, text=True, cwd=ROOT)
        for _ in range(2)
    ]
    for racer in racers:
        racer.communicate("go\n")
    assert len(passes.read(tmp_path)) == 41
