"""What a laptop does to a daemon: files come, go and move, disks fill, settings change."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dreamd import config
from dreamd.app import daemon_ports, wiring
from dreamd.daemon.service import Log
from dreamd.daemon.turns import Turns
from dreamd.host import presence
from tests.daemon.house import House
from tests.laptop import ROOT
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


def test_what_appears_is_dreamt_about_and_what_is_gone_is_forgotten(house: House) -> None:
    with house.runs() as daemon:
        daemon.until(lambda: bool(daemon.board))
        harbour = house.project("harbour")
        daemon.says(f"found {harbour}")
        daemon.says(f"{harbour}: dreamt")
        for memory in (harbour, house.memory):
            shutil.rmtree(memory.parent)
            daemon.says(f"{memory} is gone")
        daemon.until(lambda: daemon.board["stores"] == [])
        assert "no memory directory yet" in daemon.board["sentence"]


def test_a_session_and_a_nudge_are_answered_long_before_the_next_rescan(house: House) -> None:
    harbour = house.project("harbour", sessions=4)
    touch(harbour / ".consolidate-lock", time.time() - 90_000)
    with house.runs(**SLOWLY, **ALWAYS) as daemon:
        daemon.until(
            lambda: (
                [each["gate"] for each in daemon.board.get("stores", ())] == ["sessions", "time"]
            )
        )
        house.session(harbour.parent, "late")
        daemon.says(f"{harbour}: dreamt")
        time.sleep(0.3)  # an event has every store asked
        touch(house.memory / ".consolidate-lock", 1_700_000_000)
        time.sleep(0.3)
        assert f"dreaming in {house.memory}" not in daemon.said
        (house.state / "nudge").touch()
        daemon.says(f"{house.memory}: dreamt")


def test_what_cannot_be_looked_into_is_told_once(house: House) -> None:
    odd = house.home / ".claude" / "projects" / "-home-dev-odd" / "memory"
    odd.parent.mkdir()
    with house.runs(str(house.memory), str(odd)) as daemon:
        daemon.says("cannot look into")
        time.sleep(0.6)
        assert daemon.said.count("cannot look into") == 1
        assert daemon.board["unreadable"][0]["path"] == str(odd)
        odd.mkdir()
        (odd / "MEMORY.md").touch()
        daemon.says(f"found {odd}")


def test_what_was_missed_while_stopped_is_caught_up_once(house: House) -> None:
    with house.runs() as daemon:
        daemon.until(lambda: bool(daemon.board))
        daemon.signal(signal.SIGSTOP)
        touch(house.memory / ".consolidate-lock", 1_700_000_000)
        for _ in range(3):
            (house.state / "nudge").touch()
            time.sleep(0.05)
        daemon.signal(signal.SIGCONT)
        daemon.says("dreamt: ")
        time.sleep(0.6)
    assert len(house.dreamt()) == 1


def test_a_bad_configuration_is_no_start(house: House) -> None:
    with house.runs(DREAMD_ENABLED="perhaps") as daemon:
        assert daemon.process.wait(10) == 78
        assert "DREAMD_ENABLED" in daemon.said


def test_a_page_that_cannot_be_written_is_told_once_and_stops_nothing(house: House) -> None:
    house.state.mkdir(parents=True)
    (house.state / "daemon.json").mkdir()
    with house.runs() as daemon:
        daemon.says("cannot write")
        daemon.signal(signal.SIGUSR1)
        daemon.says("dreamt: ")
        daemon.says("asked for by SIGUSR1")
        assert daemon.said.count("cannot write") == 1
        (house.state / "daemon.json").rmdir()
        daemon.until(lambda: bool(daemon.board))


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


def test_a_concern_is_told_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    said = iter([("3 days",), ("4 days",), (), ("5 days",)])
    monkeypatch.setattr("dreamd.app.alerts.concerns", lambda _, __: next(said))
    monkeypatch.setattr("dreamd.daemon.turns._LOOK_AGAIN", 0)
    started = wiring.App(config.load(house.clean({})), house.home)
    on_duty = daemon_ports.duty(started)
    with (house.home / "log").open("wb") as file:
        turns = Turns(on_duty, Log(file.fileno()))
        for _ in range(4):
            turns.rescan()
    told = [line.rpartition(": ")[2] for line in (house.home / "log").read_text().splitlines()]
    assert told == ["3 days", "5 days"]
    assert turns.wards.known[house.memory].notices == ("5 days",)


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
            hear("WATCHDOG")
            daemon.signal(signal.SIGHUP)
            before = time.monotonic_ns() // 1_000
            assert abs(int(hear("RELOADING")["MONOTONIC_USEC"]) - before) < 5_000_000
            assert hear("READY")
            daemon.signal(signal.SIGUSR1)
            child = daemon.child()
            given = Path(f"/proc/{child}/environ").read_bytes()
            assert b"NOTIFY_SOCKET" not in given
            assert b"WATCHDOG" not in given
            daemon.signal(signal.SIGSTOP)
            manager.setblocking(False)
            time.sleep(0.1)
            while True:
                try:
                    manager.recv(4096)
                except BlockingIOError:
                    break
            time.sleep(0.35)
            with pytest.raises(BlockingIOError):
                manager.recv(4096)
            manager.settimeout(10)
            daemon.signal(signal.SIGCONT)
            hear("WATCHDOG")
            daemon.signal(signal.SIGTERM)
            assert hear("STOPPING")
            assert daemon.process.wait(10) == 0


@ON_LINUX
def test_it_is_small_and_loads_neither_sdk_nor_parser(house: House) -> None:
    asked = (
        "import sys\nfrom dreamd.cli import main\nmain(['run', '--once'])\nprint(*sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked],
        env=house.clean({"PYTHONPATH": str(ROOT)}),
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "dreamd" in loaded
    assert not loaded & {"anthropic", "watchdog", "yaml", "psutil"}
    with house.runs() as daemon:
        daemon.until(lambda: bool(daemon.board))
        status = Path(f"/proc/{daemon.process.pid}/status").read_text()
    (resident,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    assert int(resident) < 30 * 1024
