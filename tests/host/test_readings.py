"""What the laptop is doing, read from files as the kernel and the client write them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dreamd.host import load, network, power, pressure, process, working
from dreamd.host.power import Power

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the files are those of Linux")


def supplies(folder: Path, **each: dict[str, str]) -> Path:
    """A /sys/class/power_supply: a folder for each, a file for each of its words."""
    for name, words in each.items():
        (folder / name).mkdir()
        for word, value in words.items():
            (folder / name / word).write_text(f"{value}\n")
    return folder


MAINS = {"type": "Mains", "online": "1"}
UNPLUGGED = {"type": "Mains", "online": "0"}
BATTERY = {"type": "Battery", "status": "Discharging", "capacity": "41", "present": "1"}
MOUSE = {"type": "Battery", "scope": "Device", "status": "Discharging", "capacity": "3"}


@on_linux
@pytest.mark.parametrize(
    ("each", "expected"),
    [
        ({}, None),
        ({"AC": MAINS}, None),
        ({"mouse": MOUSE}, None),
        ({"BAT0": BATTERY | {"present": "0"}}, None),
        ({"AC": MAINS, "BAT0": BATTERY}, Power(True, 41)),
        ({"AC": UNPLUGGED, "BAT0": BATTERY}, Power(False, 41)),
        ({"AC": UNPLUGGED, "BAT0": BATTERY, "mouse": MOUSE}, Power(False, 41)),
        ({"BAT0": BATTERY}, Power(False, 41)),
        ({"BAT0": BATTERY | {"status": "Charging"}}, Power(True, 41)),
        ({"BAT0": BATTERY | {"status": "Full"}}, Power(True, 41)),
        ({"BAT0": BATTERY | {"status": "Not charging"}}, Power(True, 41)),
        ({"BAT0": BATTERY | {"status": "Unknown"}}, Power(None, 41)),
        ({"AC": UNPLUGGED, "BAT0": BATTERY | {"status": "Unknown"}}, Power(False, 41)),
        ({"usb": {"type": "USB", "online": "0"}, "BAT0": BATTERY}, Power(False, 41)),
        ({"usb": {"type": "USB", "online": "1"}, "BAT0": BATTERY}, Power(True, 41)),
        (
            {"AC": UNPLUGGED, "BAT0": BATTERY, "BAT1": BATTERY | {"capacity": "99"}},
            Power(False, 70),
        ),
        ({"AC": UNPLUGGED, "BAT0": BATTERY | {"capacity": "?"}}, Power(False, None)),
        ({"AC": UNPLUGGED, "BAT0": BATTERY | {"capacity": "-1"}}, Power(False, None)),
        ({"BAT0": {"type": "Battery"}}, Power(None, None)),
    ],
)
def test_what_the_laptop_runs_on(
    tmp_path: Path, each: dict[str, dict[str, str]], expected: Power | None
) -> None:
    assert power.power(supplies(tmp_path, **each)) == expected


@on_linux
def test_files_of_a_battery_that_fail_tell_nothing(tmp_path: Path) -> None:
    supplies(tmp_path, BAT0=BATTERY)
    for name in ("capacity", "status"):
        (tmp_path / "BAT0" / name).unlink()
        (tmp_path / "BAT0" / name).mkdir()  # reading it fails, as a driver's file does
    (tmp_path / "AC").symlink_to("/nowhere")
    assert power.power(tmp_path) == Power(None, None)
    assert power.power(tmp_path / "gone") is None


@pytest.mark.parametrize(
    ("text", "processors", "expected"),
    [
        (b"1.67 1.44 1.50 3/178 16850\n", 2, 0.835),
        (b"0.00 0.00 0.00 1/1 1\n", 8, 0.0),
        (b"64.0 1 1 1/1 1", 1, 64.0),
    ],
)
def test_the_load_is_that_of_one_processor(
    tmp_path: Path, text: bytes, processors: int, expected: float
) -> None:
    (tmp_path / "loadavg").write_bytes(text)
    assert load.load(tmp_path / "loadavg", processors) == pytest.approx(expected)


@pytest.mark.parametrize("text", [None, b"", b"\xff", b"x y z"])
def test_a_load_that_the_file_does_not_tell_is_asked_of_the_system(
    tmp_path: Path, text: bytes | None
) -> None:
    if text is not None:
        (tmp_path / "loadavg").write_bytes(text)
    found = load.load(tmp_path / "loadavg", 1)
    assert found is not None
    assert abs(found - os.getloadavg()[0]) < 5


@pytest.mark.parametrize("text", [b"nan 1 1", b"-1 1 1", b"inf 1 1"])
def test_a_load_that_is_none_is_unknown(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "loadavg").write_bytes(text)
    assert load.load(tmp_path / "loadavg", 1) is None


SOME = b"some avg10=12.34 avg60=1.00 avg300=0.00 total=7\nfull avg10=99.00 avg60=0 avg300=0 total=0"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SOME, 12.34),
        (b"full avg10=9.00\nsome avg10=0.00 avg60=0.00\n", 0.0),
        (None, None),
        (b"", None),
        (b"some\n\n", None),
        (b"some avg10=x", None),
        (b"some avg10=nan", None),
        (b"some avg10=-1", None),
        (b"some avg60=5.00", None),
        (b"\xff\0" * 9000, None),
    ],
)
def test_pressure_on_memory(tmp_path: Path, text: bytes | None, expected: float | None) -> None:
    if text is not None:
        (tmp_path / "memory").write_bytes(text)
    assert pressure.memory_pressure(tmp_path / "memory") == expected


HEAD = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
DEFAULT = "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
TUNNEL = "wg0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n"
HALF = "tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0\n"
LOCAL = "wlan0\t0001A8C0\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0\n"
BY_ITSELF = "wlan0\t0000FEA9\t00000000\t0001\t0\t0\t1000\t0000FFFF\t0\t0\t0\n"
DOWN = "wlan0\t00000000\t0101A8C0\t0002\t0\t0\t600\t00000000\t0\t0\t0\n"
REJECTED = "*\t00000000\t00000000\t0201\t0\t0\t600\t00000000\t0\t0\t0\n"
NONE6 = "0" * 32
DEFAULT6 = f"{NONE6} 00 {NONE6} 00 fe80{'0' * 27}1 00000400 1 0 00000003    wlan0\n"
REJECT6 = f"{NONE6} 00 {NONE6} 00 {NONE6} ffffffff 1 0 00200200       lo\n"
LINK6 = f"fe80{'0' * 28} 40 {NONE6} 00 {NONE6} 00000100 1 0 00000001    wlan0\n"
LOCAL6 = f"fd00{'0' * 28} 40 {NONE6} 00 {NONE6} 00000100 1 0 00000001    wlan0\n"


@on_linux
@pytest.mark.parametrize(
    ("four", "six", "everywhere", "somewhere"),
    [
        (HEAD + DEFAULT + LOCAL, "", True, True),
        (HEAD + TUNNEL, None, True, True),
        (HEAD + LOCAL, LINK6 + REJECT6, False, True),
        (HEAD + HALF, "", False, True),
        (HEAD + BY_ITSELF, LINK6, False, False),
        (HEAD + DOWN + REJECTED, REJECT6, False, False),
        (HEAD, DEFAULT6, True, True),
        (None, DEFAULT6 + REJECT6, True, True),
        (HEAD, LOCAL6, False, True),
        (HEAD, "", False, False),
        ("", "", False, False),
        (None, None, None, None),
        (HEAD + "wlan0\tx\n\nwlan0\n", "garbage\n\n" + "x " * 9 + "wlan0", False, False),
    ],
)
def test_a_route_off_this_machine(
    tmp_path: Path,
    four: str | None,
    six: str | None,
    everywhere: bool | None,
    somewhere: bool | None,
) -> None:
    for name, text in (("route", four), ("ipv6_route", six)):
        if text is not None:
            (tmp_path / name).write_text(text)
    assert network.has_route(tmp_path) is everywhere
    assert network.has_route(tmp_path, default=False) is somewhere


@pytest.fixture
def running() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        yield child
        child.kill()


def told(folder: Path, pid: int, **fields: object) -> Path:
    """What the client keeps about a process of its own."""
    folder.mkdir(exist_ok=True)
    value: dict[str, Any] = {"pid": pid, "sessionId": "s1", "cwd": "/", "status": "busy"}
    path = folder / f"{pid}.json"
    path.write_text(json.dumps(value | {"updatedAt": 1_763_000_000_000} | fields))
    return path


def start_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]


@on_linux
def test_a_client_that_is_alive_is_told_with_what_it_does(
    tmp_path: Path, running: subprocess.Popen[bytes]
) -> None:
    told(tmp_path, running.pid, procStart=start_of(running.pid), statusUpdatedAt=1_763_000_000_500)
    (client,) = working.clients(tmp_path)
    assert (client.session, client.pid, client.status) == ("s1", running.pid, "busy")
    assert client.told == 1_763_000_000_500 * 1_000_000
    running.kill()
    running.wait()
    assert working.clients(tmp_path) == ()


@on_linux
def test_a_pid_that_was_given_to_another_process_is_no_client(
    tmp_path: Path, running: subprocess.Popen[bytes]
) -> None:
    told(tmp_path, running.pid, procStart=str(int(start_of(running.pid)) - 1))
    assert working.clients(tmp_path) == ()


@pytest.mark.parametrize("start", [None, "Sun Nov 22 04:00:00 2026", [], True, "", "\u0663" * 5000])
def test_without_a_start_that_can_be_compared_the_pid_counts(
    tmp_path: Path, running: subprocess.Popen[bytes], start: object
) -> None:
    told(tmp_path, running.pid, procStart=start)
    assert len(working.clients(tmp_path)) == 1


def test_a_zombie_is_no_client(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    try:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        told(tmp_path, child.pid)
        assert working.clients(tmp_path) == ()
        assert not process.pid_exists(child.pid)
    finally:
        child.wait()


@pytest.mark.parametrize(
    "stamp",
    [None, "x", -1, 0, 1e300, float("nan"), pytest.param([], id="a list"), 10**400],
)
def test_a_time_that_is_none_is_unknown(tmp_path: Path, stamp: object) -> None:
    told(tmp_path, os.getpid(), updatedAt=stamp)
    (client,) = working.clients(tmp_path)
    assert client.told is None


@pytest.mark.parametrize(
    "text",
    [
        *(b"", b"\0" * 100, b"{", b"[]", b"null", b"7", b'"x"', b"\xff\xfe", b"[" * 50_000),
        b'{"pid": 1, "sessionId": "s1", "status": "busy"}',  # names another than its file
        b'{"sessionId": 7, "status": "busy"}',
        b'{"sessionId": "s1", "status": {"busy": true}}',
        b'{"session_id": "s1", "cwd": "/"}',
        b'{"sessionId": "s1", "status": "busy", "long": "' + b"x" * 100_000 + b'"}',
    ],
)
def test_a_foreign_file_is_passed_over(tmp_path: Path, text: bytes) -> None:
    (tmp_path / f"{os.getpid()}.json").write_bytes(text)
    assert working.clients(tmp_path) == ()


def test_what_is_not_named_as_a_process_is_not_opened(tmp_path: Path) -> None:
    told(tmp_path, os.getpid())
    for name in ("pid-7.json", "x.json", "7.txt", "-1.json", "\u0663.json", "9" * 40 + ".json"):
        (tmp_path / name).write_text("{}")
    os.mkfifo(tmp_path / "77.json")
    (tmp_path / "78.json").mkdir()
    (tmp_path / "79.json").symlink_to(tmp_path / f"{os.getpid()}.json")
    assert [client.pid for client in working.clients(tmp_path)] == [os.getpid()]


def test_without_the_folder_nobody_is_there(tmp_path: Path) -> None:
    assert working.clients(tmp_path / "gone") == ()
    (tmp_path / "file").touch()
    assert working.clients(tmp_path / "file") == ()
