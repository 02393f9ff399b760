"""What stands in the daemon's way neither holds it up nor fills its log."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dreamd.host import mutex
from tests.daemon.house import LONG_AGO, House
from tests.laptop import ROOT
from tests.spoken import touch


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "home")


def test_pipes_in_the_places_of_its_files_hold_nobody_up(house: House) -> None:
    with house.runs() as daemon:
        daemon.says("dreamt: ")
        daemon.stop()
    (store,) = house.state.glob("stores/*")
    places = [house.state / name for name in ("nudge", "daemon.json", "passes")]
    lease = house.state / "locks" / f"{mutex.place(house.memory)}.lease"
    for place in [*places, lease, store / "pause"]:
        place.unlink(missing_ok=True)
        os.mkfifo(place)
    with house.runs() as daemon:
        daemon.says("started")
        daemon.signal(signal.SIGUSR1)
        daemon.says(".lease: not a regular file")
        daemon.until(lambda: any(not each["dreaming"] for each in daemon.board.get("stores", ())))
        lease.unlink()
        daemon.signal(signal.SIGUSR1)
        daemon.says("dreamt: ")
        assert daemon.stop()[0] == 0


def test_gates_that_open_and_close_again_and_again_are_told_once(house: House) -> None:
    for transcript in list(house.memory.parent.glob("*.jsonl"))[2:]:
        transcript.unlink()
    touch(house.memory / ".consolidate-lock", time.time() - 90_000)
    counts: set[int] = set()

    def counted() -> bool:
        counts.update(each.stat().st_mtime_ns for each in house.state.glob("stores/*/pause"))
        return len(counts) >= 4

    with house.runs(DREAMD_GATES__THROTTLE_MINUTES="0.01") as daemon:
        daemon.until(counted)
        assert daemon.said.count("not now: ") <= 2, daemon.said


def test_a_dream_that_cannot_be_started_is_one_that_failed_and_none_that_began(
    house: House,
) -> None:
    os.utime(house.memory / ".consolidate-lock")
    ours = house.home / "venv" / "bin" / "python"
    ours.parent.mkdir(parents=True)
    ours.symlink_to(sys.executable)
    found = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    with house.runs(python=str(ours), PYTHONPATH=found) as daemon:
        daemon.until(lambda: bool(daemon.board))
        ours.unlink()
        touch(house.memory / ".consolidate-lock", 1_700_000_000)
        daemon.says(f"cannot start a dream: {ours}: No such file")
        daemon.until(lambda: daemon.board["stores"][0]["failures"] == 1)
        daemon.says("not now: the last dream failed")
        assert daemon.said.count("cannot start") == 2  # as it happens, and as what is waited for
        assert not (house.state / "passes").exists()
        assert daemon.stop()[0] == 0


def status(house: House, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dreamd", "status", str(house.memory)],
        env=house.clean(more), cwd=house.home, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_daemon_waits_until_its_settings_can_be_read_again(tmp_path: Path) -> None:
    house = House(tmp_path / "home", {"DREAMD_GATES__THROTTLE_MINUTES": "0"})
    house.config.parent.mkdir(parents=True)
    house.config.write_text("gates:\n  sessions: 3\n")
    lock = house.memory / ".consolidate-lock"
    with house.runs() as daemon:
        daemon.says("dreamt: ")
        told = status(house, DREAMD_GATES__HORUS="3")  # which only this shell has
        assert (told.returncode, "daemon" in told.stderr) == (78, False)
        house.config.write_text("gates:\n  session: 3\n")
        touch(lock, LONG_AGO)
        daemon.until(lambda: daemon.board["stores"][0]["gate"] == "settings")
        assert "config.yaml:2: there is no setting" in daemon.board["stores"][0]["waits_for"]
        assert "config.yaml:2" in daemon.board["sentence"]
        told = status(house)
        assert told.returncode == 78
        assert (
            f"process {daemon.process.pid}, waits for that too, and begins no dream" in told.stderr
        )
        daemon.signal(signal.SIGUSR1)
        daemon.says("told to dream now")
        daemon.says("config.yaml:2: there is no setting", 2)  # as an event, and as an answer to it
        assert daemon.said.count("its gates are open") + daemon.said.count("asked for") == 1
        house.config.unlink()  # the defaults will do, and nobody need say so
        daemon.says("dreamt: ", 2)
    assert "failed" not in daemon.said
    assert [each["outcome"] for each in house.dreamt()] == ["dreamt", "dreamt"]
