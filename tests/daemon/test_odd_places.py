"""What stands in the daemon's way neither holds it up nor fills its log."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

import pytest

from dreamd.daemon import listening
from dreamd.daemon.listening import Listening
from dreamd.daemon.log import Log
from dreamd.host import files, mutex
from tests.daemon.house import Daemon, House
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
    places = [house.state / name for name in ("nudge", "told.json", "daemon.json", "passes")]
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


def test_a_pipe_is_no_content(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        files.content(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"\r\n\xff" * 100_000)
    assert files.content(tmp_path / "file") == b"\r\n\xff" * 100_000


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


def test_after_a_failure_a_store_is_said_to_wait_for_that(house: House) -> None:
    (house.memory / "MEMORY.md").unlink()
    (house.memory / "MEMORY.md").mkdir()
    with house.runs() as daemon:
        daemon.says(": refused")
        daemon.until(lambda: "the last dream failed" in daemon.board["stores"][0]["waits_for"])
        daemon.says("not now: the last dream failed")


def test_a_log_says_why_a_dream_begins(house: House) -> None:
    with house.runs() as daemon:
        daemon.says("its gates are open")
        daemon.says("dreamt: ")
        daemon.signal(signal.SIGUSR1)
        daemon.says("asked for by SIGUSR1")


class FewWatches:
    """Ears of a system that allows one watch less each time."""

    times = 0

    def fileno(self) -> int:
        return -1

    def listen(self, places: Collection[Path]) -> str:
        self.times += 1
        return "" if self.times == 4 else f"{self.times} of {len(places)} are not listened at"

    def heard(self) -> frozenset[Path]:
        return frozenset()

    def close(self) -> None:
        return None


def test_too_few_watches_are_told_once_until_there_were_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "ears", FewWatches)
    with (tmp_path / "log").open("wb") as file:
        ears = Listening(tmp_path / "nudge", Log(file.fileno()))
        for _ in range(6):
            ears.listen(())
    said = [line.split(" ", 2)[2] for line in (tmp_path / "log").read_text().splitlines()]
    assert said == ["1 of 1 are not listened at", "5 of 1 are not listened at"]


def test_a_dream_that_cannot_be_started_is_one_that_failed_and_none_that_began(
    house: House,
) -> None:
    os.utime(house.memory / ".consolidate-lock")
    ours = house.home / "venv" / "bin" / "python"
    ours.parent.mkdir(parents=True)
    ours.symlink_to(sys.executable)
    environ = house.clean({"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])})
    said = house.home / "said"
    with said.open("wb") as stderr:
        command = [str(ours), "-m", "dreamd", "run"]
        process = subprocess.Popen(command, env=environ, cwd=house.home, stderr=stderr)
    daemon = Daemon(house, process, said)
    try:
        daemon.until(lambda: bool(daemon.board))
        ours.unlink()
        touch(house.memory / ".consolidate-lock", 1_700_000_000)
        daemon.says(f"cannot start a dream: {ours}: No such file")
        daemon.until(lambda: daemon.board["stores"][0]["failures"] == 1)
        daemon.says("not now: the last dream failed")
        assert daemon.said.count("cannot start") == 2  # as it happens, and as what is waited for
        assert not (house.state / "passes").exists()
        assert daemon.stop()[0] == 0
    finally:
        process.kill()
        process.wait()
