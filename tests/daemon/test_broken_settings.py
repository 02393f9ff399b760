"""While the settings cannot be read a dream would fail: the daemon waits, and says so."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from tests.daemon.house import LONG_AGO, House
from tests.spoken import touch


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
