"""The daemon dreams where the gates are open, one store at a time, and says what came of it."""

from __future__ import annotations

import os
import signal
import stat
import time
from pathlib import Path

import psutil
import pytest

from dreamd.domain.settings import Gates
from dreamd.gates import pause
from dreamd.stores.identity import store_at
from tests.daemon.house import House
from tests.model_home import is_there
from tests.pace import patient


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
        daemon.until(lambda: daemon.gates == ["time"] * 2)
        board = daemon.board
        with house.runs() as another:
            assert another.process.wait(10) == 75
            assert f"process {daemon.process.pid}" in another.said
        assert stat.S_IMODE((house.state / "daemon.json").stat().st_mode) == 0o600
        assert daemon.stop()[0] == 0
        assert not daemon.board
    memories = sorted(map(str, [house.memory, second]))
    begins = [f"{how}{at}" for at in memories for how in ("dreaming in ", "")]
    told = [line.split(" ", 2)[2] for line in daemon.said.splitlines()]
    told = [line for line in told if line.startswith(("dreaming in", *memories))]
    assert len(told) == 4
    assert all(line.startswith(begin) for line, begin in zip(told, begins, strict=True)), told
    assert "its gates are open" in told[0]
    assert [[each["trigger"] for each in house.dreamt(Path(at))] for at in memories] == [
        ["daemon"]
    ] * 2
    assert "5430" in "".join(note.read_text() for note in second.glob("*.md"))
    assert [each["memory"] for each in board["stores"]] == memories
    assert board["stores"][0]["verdict"]["again"] > board["started"]


def test_looking_once_ends_by_itself_and_looks_at_what_is_named_only(house: House) -> None:
    harbour = house.project("harbour")
    with house.runs("--once", f"{house.home}/.claude/projects/*harb*/memory") as daemon:
        assert daemon.process.wait(15) == 0
    assert [(e["outcome"], e["trigger"]) for e in house.dreamt(harbour)] == [("dreamt", "timer")]
    assert not house.dreamt()


def test_a_failure_counts_once_and_is_what_the_store_then_waits_for(house: House) -> None:
    (house.memory / "MEMORY.md").unlink()
    (house.memory / "MEMORY.md").mkdir()
    with house.runs("--once") as daemon:
        assert daemon.process.wait(15) == 1
        assert "MEMORY.md" in daemon.said
    with house.runs() as daemon:
        daemon.says("not now: the last dream failed")
        daemon.until(lambda: "the last dream failed" in str(daemon.board.get("stores")))
        daemon.signal(signal.SIGUSR1)
        daemon.says(f"{house.memory}: refused")
        daemon.until(lambda: not daemon.board["stores"][0]["dreaming"])
        assert house.failures == 2


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


def test_a_dream_that_does_not_end_is_killed_within_5_s_and_meanwhile_the_daemon_is_at_rest(
    house: House,
) -> None:
    """Meanwhile looks become overdue, which nobody will take any more."""
    house.slow_disk()
    with house.runs() as daemon:
        child = daemon.child()
        os.kill(child, signal.SIGSTOP)
        begun = time.monotonic()
        daemon.signal(signal.SIGTERM)
        daemon.says("told to stop")
        process = psutil.Process(daemon.process.pid)
        before = sum(process.cpu_times()[:2])
        time.sleep(1.5)  # seven looks
        assert is_there(child)
        assert sum(process.cpu_times()[:2]) - before < 0.1
        assert daemon.process.wait(60) == 0
        assert time.monotonic() - begun < patient(5)
        assert not is_there(child)
    house.quick_disk()
    with house.runs(DREAMD_GATES__THROTTLE_MINUTES="0") as daemon:
        daemon.says("clearing up")
        daemon.says("dreamt: ")
        assert lock_is_free(house)


def test_a_killed_dream_is_cleared_up_at_once_and_held_off(house: House) -> None:
    os.utime(house.memory / ".consolidate-lock")
    house.slow_disk()
    with house.runs(DREAMD_DAEMON__RESCAN_SECONDS="3600") as daemon:
        daemon.until(lambda: bool(daemon.board))
        pause.failed(store_at(house.memory, house.state), Gates(), "one by hand")
        daemon.signal(signal.SIGUSR1)
        child = daemon.child()
        house.quick_disk()
        os.kill(child, signal.SIGKILL)
        daemon.says("killed by SIGKILL")
        daemon.says("clearing up")
        daemon.until(lambda: lock_is_free(house))
        daemon.until(lambda: house.failures == 2, 10)
        daemon.until(lambda: not daemon.board["stores"][0]["dreaming"])
        assert daemon.said.count("dreaming in") == 1
        daemon.signal(signal.SIGUSR1)
        daemon.says("dreamt: ")
    assert [each["outcome"] for each in house.dreamt()] == ["failed", "dreamt"]


def test_a_dream_that_takes_too_long_is_ended_and_is_a_failure(house: House) -> None:
    house.slow_disk()
    environ = {"DREAMD_DAEMON__DREAM_MINUTES": "0.02", "DREAMD_ENGINE": "rules"}
    with house.runs(**environ) as daemon:
        daemon.says("took too long and was ended")
        daemon.until(lambda: house.failures == 1)
        assert lock_is_free(house)
