"""What a laptop does to a daemon: files come, go and move, disks fill, settings change."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from dreamd.host import mutex, presence
from tests.daemon.house import LONG_AGO, House
from tests.laptop import ROOT, Laptop
from tests.spoken import touch

SLOWLY = {"DREAMD_DAEMON__RESCAN_SECONDS": "3600"}
ALWAYS = {"DREAMD_GATES__THROTTLE_MINUTES": "0"}
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="/proc is read")


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A home whose one store was consolidated just now."""
    house = House(tmp_path / "home")
    os.utime(house.memory / ".consolidate-lock")
    return house


def test_what_appears_is_dreamt_about_what_moves_keeps_its_past_and_what_is_gone_is_forgotten(
    house: House,
) -> None:
    with house.runs() as daemon:
        daemon.until(lambda: bool(daemon.board))
        harbour = house.project("harbour")
        daemon.says(f"found {harbour}")
        daemon.says(f"{harbour}: dreamt")
        haven = harbour.parent.with_name("-home-dev-haven") / "memory"
        harbour.parent.rename(haven.parent)
        daemon.says(f"{harbour} has moved to {haven}")
        past = Laptop(house.home, haven).json("log", str(haven))["dreams"]
        assert [each["memory"] for each in past] == [str(harbour)]
        for memory in (haven, house.memory):
            shutil.rmtree(memory.parent)
            daemon.says(f"{memory} is gone")
        daemon.until(lambda: daemon.board["stores"] == [])
        assert "no memory directory yet" in daemon.board["sentence"]


def test_a_session_and_a_nudge_are_answered_long_before_the_next_rescan(house: House) -> None:
    harbour = house.project("harbour", sessions=4)
    touch(harbour / ".consolidate-lock", time.time() - 90_000)
    with house.runs(**SLOWLY, **ALWAYS) as daemon:
        daemon.until(lambda: daemon.gates == ["sessions", "time"])
        house.session(harbour.parent, "late")
        daemon.says(f"{harbour}: dreamt")
        time.sleep(0.3)  # an event has every store asked
        touch(house.memory / ".consolidate-lock", LONG_AGO)
        time.sleep(0.3)
        assert f"dreaming in {house.memory}" not in daemon.said
        (house.state / "nudge").touch()
        daemon.says(f"{house.memory}: dreamt")


def test_where_no_watch_is_left_a_rescan_finds_what_is_new_and_the_log_says_so_once(
    house: House,
) -> None:
    few = house.home / "few"
    few.mkdir()
    (few / "sitecustomize.py").write_text(
        "from watchdog.observers import api\n"
        "def schedule(*_, **__):\n    raise OSError(28, 'inotify watch limit reached')\n"
        "api.BaseObserver.schedule = schedule\n"
    )
    house.environ["PYTHONPATH"] = f"{few}:{ROOT}"
    with house.runs() as daemon:
        daemon.says("(inotify watch limit reached) and wait for a rescan")
        harbour = house.project("harbour")
        daemon.says(f"{harbour}: dreamt")
        assert daemon.said.count("limit reached") == 1


def test_what_cannot_be_looked_into_is_told_once(house: House) -> None:
    odd = house.home / ".claude" / "projects" / "-home-dev-odd" / "memory"
    odd.parent.mkdir()
    with house.runs(str(house.memory), str(odd)) as daemon:
        daemon.says("cannot look into")
        time.sleep(0.6)
        assert daemon.said.count("cannot look into") == 1
        odd.mkdir()
        (odd / "MEMORY.md").touch()
        daemon.says(f"found {odd}")


def test_a_state_directory_that_is_removed_is_made_again(house: House) -> None:
    with house.runs() as daemon:
        daemon.until(lambda: bool(daemon.board))
        house.state.rename(house.home / "removed")
        lock = house.state / "daemon.lock"
        daemon.until(lambda: presence.holder(lock) == daemon.process.pid)
        daemon.until(lambda: bool(daemon.board))
        daemon.signal(signal.SIGUSR1)
        daemon.says("dreamt: ")


def test_a_closed_terminal_ends_it(house: House) -> None:
    ours, terminal = os.openpty()
    environ = house.clean({})
    words = [sys.executable, "-m", "dreamd", "run"]
    daemon = subprocess.Popen(words, env=environ, cwd=house.home, stderr=terminal)
    os.close(terminal)
    assert b"started" in os.read(ours, 4096)
    os.close(ours)
    daemon.send_signal(signal.SIGHUP)
    assert daemon.wait(10) == 0


@ON_LINUX
def test_the_service_manager_hears_how_it_is(house: House, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "manager"))
        manager.settimeout(10)
        environ = {"NOTIFY_SOCKET": str(tmp_path / "manager"), "WATCHDOG_USEC": "300000"}
        house.slow_disk()
        told: list[dict[str, str]] = []

        def hear(key: str) -> dict[str, str]:
            while True:
                said = manager.recv(4096).decode()
                told.append(dict(line.split("=", 1) for line in said.splitlines()))
                if key in told[-1]:
                    return told[-1]

        with house.runs(**environ) as daemon:
            assert hear("READY")["STATUS"].startswith("watching 1 memory directory")
            hear("WATCHDOG")
            daemon.signal(signal.SIGHUP)
            before = time.monotonic_ns() // 1_000
            assert abs(int(hear("RELOADING")["MONOTONIC_USEC"]) - before) < 5_000_000
            assert hear("READY")
            daemon.signal(signal.SIGUSR1)
            given = Path(f"/proc/{daemon.child()}/environ").read_bytes()
            assert b"NOTIFY_SOCKET" not in given
            assert b"WATCHDOG" not in given
            hear("WATCHDOG")
            daemon.signal(signal.SIGTERM)
            assert hear("STOPPING")
            assert daemon.process.wait(10) == 0


@ON_LINUX
def test_it_is_small_and_loads_neither_sdk_nor_parser(house: House) -> None:
    with house.runs() as daemon:
        daemon.until(lambda: bool(daemon.board))
        process = psutil.Process(daemon.process.pid)
        libraries = [each.path for each in process.memory_maps()]
        assert process.memory_info().rss < 30 << 20
    assert any("msgspec" in path for path in libraries)  # the control
    assert not [path for path in libraries if re.search("pydantic|yaml|psutil", path)]


def test_pipes_in_the_places_of_its_files_hold_nobody_up(house: House) -> None:
    touch(house.memory / ".consolidate-lock", LONG_AGO)
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


def test_a_dream_that_cannot_be_started_is_one_that_failed_and_none_that_began(
    house: House,
) -> None:
    ours = house.home / "venv" / "bin" / "python"
    ours.parent.mkdir(parents=True)
    ours.symlink_to(sys.executable)
    found = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    with house.runs(python=str(ours), PYTHONPATH=found) as daemon:
        daemon.until(lambda: bool(daemon.board))
        ours.unlink()
        touch(house.memory / ".consolidate-lock", LONG_AGO)
        daemon.says(f"cannot start a dream: {ours}: No such file")
        daemon.until(lambda: house.failures == 1)
        daemon.says("not now: the last dream failed")
        assert daemon.said.count("cannot start") == 2  # as it happens, and as what is waited for
        assert not (house.state / "passes").exists()
        assert daemon.stop()[0] == 0


def test_the_daemon_waits_until_its_settings_can_be_read_again(house: House) -> None:
    house.config.parent.mkdir(parents=True)
    house.config.write_text("gates:\n  sessions: 3\n")

    with house.runs(**ALWAYS) as daemon:
        daemon.until(lambda: bool(daemon.board))
        house.config.write_text("gates:\n  session: 3\n")
        touch(house.memory / ".consolidate-lock", LONG_AGO)
        daemon.until(lambda: daemon.gates == ["settings"])
        assert "config.yaml: there is no setting" in daemon.board["stores"][0]["verdict"]["read"]
        assert "config.yaml" in daemon.board["sentence"]
        house.config.unlink()
        daemon.says("dreamt: ")  # the defaults do, and nobody need say so
    assert "failed" not in daemon.said
    assert [each["outcome"] for each in house.dreamt()] == ["dreamt"]
