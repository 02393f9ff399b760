"""The daemon dreams where the gates are open, one store at a time, and says what came of it."""

from __future__ import annotations

import os
import signal
import stat
import sys
import time
from pathlib import Path

import pytest

from tests.daemon.house import House, is_there
from tests.pace import patient

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="/proc is read")


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "home")


def lock_is_free(house: House) -> bool:
    return (
        not list(house.state.glob("locks/*.lease"))
        and not (house.memory / ".consolidate-lock").read_text().strip()
    )


def test_every_store_is_dreamt_about_in_turn_and_once(house: House) -> None:
    second = house.project("harbour", said="Remember that the port of the harbour is 5430.")
    with house.runs() as daemon:
        daemon.says("dreamt: ", 2)
        daemon.until(lambda: [each["gate"] for each in daemon.board["stores"]] == ["time"] * 2)
        board = daemon.board
        assert daemon.stop()[0] == 0
    events = [line.split(" ", 2)[2] for line in daemon.said.splitlines()]
    first, then = (str(each) for each in sorted([house.memory, second]))
    told = [
        line for line in events if line.startswith((f"dreaming in {first}", f"{first}: dreamt"))
    ]
    told += [line for line in events if line.startswith((f"dreaming in {then}", f"{then}: dreamt"))]
    assert len(told) == 4
    assert [line for line in events if line in told] == told
    assert [len(house.dreamt(each)) for each in (house.memory, second)] == [1, 1]
    assert [house.dreamt(each)[0]["trigger"] for each in (house.memory, second)] == ["daemon"] * 2
    assert "5430" in "".join(note.read_text() for note in second.glob("*.md"))
    assert [each["memory"] for each in board["stores"]] == sorted(map(str, [house.memory, second]))
    assert board["sentence"].startswith("watching 2 memory directories")
    assert board["stores"][0]["next_look"] > board["started"]


def test_where_it_stands_is_for_the_owner_and_is_gone_at_the_end(house: House) -> None:
    with house.runs() as daemon:
        daemon.until(lambda: bool(daemon.board))
        assert stat.S_IMODE((house.state / "daemon.json").stat().st_mode) == 0o600
        assert daemon.board["pid"] == daemon.process.pid
        assert daemon.stop()[0] == 0
        assert not daemon.board


def test_a_second_one_is_told_that_one_is_there(house: House) -> None:
    with house.runs() as first:
        first.until(lambda: bool(first.board))
        with house.runs() as second:
            assert second.process.wait(10) == 75
            assert f"process {first.process.pid}" in second.said
        assert first.process.poll() is None


def test_looking_once_ends_by_itself(house: House) -> None:
    with house.runs("--once") as daemon:
        assert daemon.process.wait(15) == 0
    assert [(e["outcome"], e["trigger"]) for e in house.dreamt()] == [("dreamt", "timer")]


def test_looking_once_tells_of_a_dream_that_failed(house: House) -> None:
    (house.memory / "MEMORY.md").unlink()
    (house.memory / "MEMORY.md").mkdir()
    with house.runs("--once") as daemon:
        assert daemon.process.wait(15) == 1
        assert "MEMORY.md" in daemon.said


def test_only_what_is_named_is_watched(house: House) -> None:
    harbour = house.project("harbour")
    with house.runs("--once", f"{house.home}/.claude/projects/*harb*/memory") as daemon:
        assert daemon.process.wait(15) == 0
    assert house.dreamt(harbour)
    assert not house.dreamt()


def test_a_stop_takes_a_dream_in_flight_back_within_5_s(house: House) -> None:
    before = (house.memory / "MEMORY.md").read_bytes()
    house.slow_disk()
    with house.runs() as daemon:
        child = daemon.child()
        code, took = daemon.stop()
    assert (code, took < patient(5)) == (0, True)
    assert "stopped, and taken back" in daemon.said
    assert not is_there(child)
    assert lock_is_free(house)
    assert (house.memory / "MEMORY.md").read_bytes() == before


def test_a_dream_that_does_not_end_is_killed_within_5_s_and_the_next_one_works(
    house: House,
) -> None:
    house.slow_disk()
    with house.runs() as daemon:
        child = daemon.child()
        os.kill(child, signal.SIGSTOP)
        code, took = daemon.stop()
        assert (code, took < patient(5)) == (0, True)
        assert not is_there(child)
    house.quick_disk()
    with house.runs(DREAMD_GATES__THROTTLE_MINUTES="0") as daemon:
        daemon.says("clearing up")
        daemon.says("dreamt: ")
        assert lock_is_free(house)


def test_a_killed_dream_is_cleared_up_at_once_and_held_off(house: House) -> None:
    house.slow_disk()
    with house.runs(DREAMD_DAEMON__RESCAN_SECONDS="3600") as daemon:
        child = daemon.child()
        house.quick_disk()
        os.kill(child, signal.SIGKILL)
        daemon.says("killed by SIGKILL")
        daemon.says("clearing up")
        daemon.until(lambda: lock_is_free(house))
        daemon.until(lambda: daemon.board["stores"][0]["failures"] == 1)
        daemon.until(lambda: not daemon.board["stores"][0]["dreaming"])
        assert daemon.said.count("dreaming in") == 2  # once as an event, once in the first line
        daemon.signal(signal.SIGUSR1)
        daemon.says("dreamt: ")
    assert [each["outcome"] for each in house.dreamt()] == ["failed", "dreamt"]


@ON_LINUX
def test_a_daemon_that_waits_for_a_dream_to_end_is_at_rest(house: House) -> None:
    """Meanwhile looks become overdue, which nobody will take any more."""
    house.slow_disk()
    with house.runs() as daemon:
        child = daemon.child()
        os.kill(child, signal.SIGSTOP)
        daemon.signal(signal.SIGTERM)
        daemon.says("told to stop")
        before = processor(daemon.process.pid)
        time.sleep(1.5)  # seven looks
        assert is_there(child)
        assert processor(daemon.process.pid) - before < 0.1


def processor(pid: int) -> float:
    """The seconds of a processor that a process has had; proc_pid_stat(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def test_a_dream_that_takes_too_long_is_ended_and_is_a_failure(house: House) -> None:
    house.slow_disk()
    environ = {"DREAMD_DAEMON__DREAM_MINUTES": "0.02", "DREAMD_ENGINE": "rules"}
    with house.runs(**environ) as daemon:
        daemon.says("took too long and was ended")
        daemon.until(lambda: daemon.board["stores"][0]["failures"] == 1)
        assert lock_is_free(house)


def test_a_failure_counts_once(house: House) -> None:
    (house.memory / "MEMORY.md").unlink()
    (house.memory / "MEMORY.md").mkdir()
    with house.runs() as daemon:
        for number in (1, 2):
            daemon.says(f"{house.memory}: refused", number)
            daemon.until(lambda: not daemon.board["stores"][0]["dreaming"])
            assert daemon.board["stores"][0]["failures"] == number
            daemon.signal(signal.SIGUSR1)


@ON_LINUX
def test_a_dream_ends_with_a_daemon_that_is_killed(house: House) -> None:
    house.slow_disk()
    with house.runs() as daemon:
        child = daemon.child()
        daemon.signal(signal.SIGKILL)
        daemon.process.wait()
        for _ in range(500):
            if not is_there(child):
                break
            os.sched_yield()
            signal.sigtimedwait([], 0.01)
    assert not is_there(child)
    assert lock_is_free(house)


def test_a_dream_is_asked_for_by_a_signal_whatever_the_gates_say(house: House) -> None:
    os.utime(house.memory / ".consolidate-lock")
    with house.runs() as daemon:
        daemon.until(lambda: bool(daemon.board) and daemon.board["stores"][0]["gate"] == "time")
        daemon.signal(signal.SIGUSR1)
        daemon.says("dreamt: ")
