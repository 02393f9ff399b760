"""What the laptop is doing, read from files as the kernel and the client write them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from dreamd.host import laptop, process
from dreamd.host.laptop import Battery

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the files are those of Linux")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (None, None),
        (SimpleNamespace(percent=41, power_plugged=False), Battery(41, False)),
        (SimpleNamespace(percent=41.5, power_plugged=None), Battery(41.5, None)),
        (OSError(2, "no /sys"), None),
    ],
)
def test_what_the_laptop_runs_on_is_what_psutil_says(
    monkeypatch: pytest.MonkeyPatch, found: object, expected: Battery | None
) -> None:
    def sensors() -> object:
        if isinstance(found, OSError):
            raise found
        return found

    monkeypatch.setattr(psutil, "sensors_battery", sensors)
    assert laptop.battery() == expected


def test_the_load_is_that_of_one_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (1.67, 1.44, 1.5))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert laptop.load() == pytest.approx(0.835)


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
    (client,) = laptop.clients(tmp_path)
    assert (client.session, client.pid, client.status) == ("s1", running.pid, "busy")
    assert client.told == 1_763_000_000_500 * 1_000_000
    told(tmp_path, running.pid, procStart=str(int(start_of(running.pid)) - 1))
    assert laptop.clients(tmp_path) == ()  # the PID was given to another process
    told(tmp_path, running.pid, procStart=start_of(running.pid))
    assert len(laptop.clients(tmp_path)) == 1
    running.kill()
    running.wait()
    assert laptop.clients(tmp_path) == ()


@pytest.mark.parametrize("start", [None, "Sun Nov 22 04:00:00 2026", [], True, "", "\u0663" * 5000])
def test_without_a_start_that_can_be_compared_the_pid_counts(
    tmp_path: Path, running: subprocess.Popen[bytes], start: object
) -> None:
    told(tmp_path, running.pid, procStart=start)
    assert len(laptop.clients(tmp_path)) == 1


def test_a_zombie_is_no_client(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    try:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        told(tmp_path, child.pid)
        assert laptop.clients(tmp_path) == ()
        assert not process.pid_exists(child.pid)
    finally:
        child.wait()


@pytest.mark.parametrize(
    "stamp",
    [None, "x", -1, 0, 1e300, pytest.param([], id="a list"), 10**400],
)
def test_a_time_that_is_none_is_unknown(tmp_path: Path, stamp: object) -> None:
    told(tmp_path, os.getpid(), updatedAt=stamp)
    (client,) = laptop.clients(tmp_path)
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
    assert laptop.clients(tmp_path) == ()


def test_what_is_not_named_as_a_process_is_not_opened(tmp_path: Path) -> None:
    told(tmp_path, os.getpid())
    for name in ("pid-7.json", "x.json", "7.txt", "-1.json", "\u0663.json", "9" * 40 + ".json"):
        (tmp_path / name).write_text("{}")
    os.mkfifo(tmp_path / "77.json")
    (tmp_path / "78.json").mkdir()
    (tmp_path / "79.json").symlink_to(tmp_path / f"{os.getpid()}.json")
    assert [client.pid for client in laptop.clients(tmp_path)] == [os.getpid()]


def test_without_the_folder_nobody_is_there(tmp_path: Path) -> None:
    assert laptop.clients(tmp_path / "gone") == ()
    (tmp_path / "file").touch()
    assert laptop.clients(tmp_path / "file") == ()
