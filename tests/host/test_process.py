"""A PID is a process only with the proof that it still is the one it was; so is a client."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from msgspec.structs import replace

import dreamd
from dreamd.domain.store import ProcessIdentity
from dreamd.host import laptop, process
from dreamd.host.laptop import Battery, Client

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"]) as child:
        yield child
        child.kill()


def identity_of(pid: int) -> ProcessIdentity:
    seen = process.seen(pid)
    assert seen is not None
    return replace(process.myself(), pid=pid, ticks=seen[0])


@pytest.fixture(params=["proc", "psutil"])
def asked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask /proc, and ask psutil as on a system without it."""
    if request.param == "psutil":
        monkeypatch.setattr(process, "_LINUX", False)
        monkeypatch.setattr(process, "_boot", lambda: "boot")
    elif sys.platform != "linux":
        pytest.skip("no /proc here")


@pytest.mark.usefixtures("asked")
def test_a_stopped_process_is_alive_and_a_killed_one_dead_before_anyone_waits_for_it(
    child: subprocess.Popen[bytes],
) -> None:
    child.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
    identity = identity_of(child.pid)
    assert process.is_alive(identity)
    assert process.pid_exists(child.pid)
    child.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # a zombie from here on
    os.kill(child.pid, 0)  # the system still knows its PID
    for _ in range(2):
        assert not process.is_alive(identity)
        assert not process.pid_exists(child.pid)
        child.wait()


@pytest.mark.usefixtures("asked")
def test_a_reused_pid_another_boot_and_another_host_are_somebody_else() -> None:
    me = process.myself()
    assert process.is_alive(me)
    for other in ({"ticks": me.ticks - 1}, {"boot": "another"}, {"host": "another"}):
        assert not process.is_alive(replace(me, **other))


@pytest.mark.parametrize("pid", [0, -1, -4_242, -(2**63), 2**31, 2**32 + 1, 2**63, 2**64, 10**400])
def test_a_hostile_number_is_nobody_and_the_system_is_not_even_asked(
    pid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("it was asked"))
    assert not process.pid_exists(pid)
    assert not process.is_alive(replace(process.myself(), pid=pid))
    monkeypatch.undo()
    assert process.pid_exists(1)  # though it is not ours


@linux_only
def test_a_name_full_of_brackets_does_not_confuse_the_reader(tmp_path: Path) -> None:
    odd = tmp_path / "x) Z 1 (y"
    odd.symlink_to(Path("/bin/sleep").resolve())
    with subprocess.Popen([str(odd), "60"]) as child:
        until = time.monotonic() + 5
        while b"x) Z 1" not in Path(f"/proc/{child.pid}/stat").read_bytes():
            assert time.monotonic() < until
        oracle = psutil.Process(child.pid).create_time() - psutil.boot_time()
        ticks = identity_of(child.pid).ticks / os.sysconf("SC_CLK_TCK")
        assert abs(ticks - oracle) < 1.5
        child.kill()


@linux_only
def test_a_container_with_the_same_name_is_another_host() -> None:
    argv = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]
    try:
        subprocess.run([*argv, "true"], check=True, capture_output=True, timeout=20)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"no PID namespace to be had: {error}")
    code = "from dreamd.host import process; print(process.host(), process.myself().boot, sep='|')"
    environ = {"PATH": os.defpath, "PYTHONPATH": str(Path(dreamd.__file__).parents[1])}
    seen = subprocess.check_output([*argv, sys.executable, "-c", code], text=True, env=environ)
    host, boot = seen.strip().split("|")
    assert boot == process.myself().boot
    assert host != process.host()
    assert host.startswith(os.uname().nodename)


def test_what_the_laptop_runs_on_is_what_psutil_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for found, expected in (
        (lambda: None, None),
        (lambda: SimpleNamespace(percent=41.5, power_plugged=False), Battery(41.5, False)),
        (lambda: os.stat("/no/such"), None),  # noqa: PTH116
    ):
        monkeypatch.setattr(psutil, "sensors_battery", found)
        assert laptop.battery() == expected
    monkeypatch.setattr(os, "getloadavg", lambda: (1.67, 1.44, 1.5))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert laptop.load() == pytest.approx(0.835)


def told(folder: Path, pid: int, **fields: object) -> None:
    """What the client keeps about a process of its own."""
    value = {"pid": pid, "sessionId": "s1", "cwd": "/", "status": "busy"}
    value |= {"updatedAt": 1_763_000_000_000} | fields
    (folder / f"{pid}.json").write_text(json.dumps(value))


def clients(folder: Path) -> tuple[Client, ...]:
    return laptop.clients(folder, folder / "state")


@linux_only
def test_a_client_that_is_alive_is_told_with_what_it_does(
    tmp_path: Path, child: subprocess.Popen[bytes]
) -> None:
    start = identity_of(child.pid).ticks
    told(tmp_path, child.pid, procStart=str(start - 1))
    assert clients(tmp_path) == ()  # the PID was given to another process
    told(tmp_path, child.pid, procStart=str(start), statusUpdatedAt=1_763_000_000_500)
    expected = Client("s1", child.pid, "busy", 1_763_000_000_500 * 1_000_000)
    assert clients(tmp_path) == (expected,)
    told(tmp_path, child.pid, procStart=str(start), cwd=f"{tmp_path}/state/claude")
    assert clients(tmp_path) == ()  # a dream that the client's program holds
    told(tmp_path, child.pid, procStart=str(start), statusUpdatedAt=1_763_000_000_500)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert clients(tmp_path) == ()  # a zombie
    odds: tuple[object, ...] = (None, "Sun Nov 22 04:00:00 2026", [], -1, 1e300, 10**400)
    for odd in odds:
        start_told = odd if isinstance(odd, str | list) else None
        told(tmp_path, os.getpid(), procStart=start_told, updatedAt=odd)
        (client,) = clients(tmp_path)
        assert client.told is None


FOREIGN = (
    *(b"", b"\0" * 100, b"{", b"[]", b"null", b"7", b'"x"', b"\xff\xfe", b"[" * 50_000),
    b'{"pid": 1, "sessionId": "s1", "status": "busy"}',  # names another than its file
    b'{"sessionId": 7, "status": "busy"}',
    b'{"sessionId": "s1", "status": {"busy": true}}',
    b'{"sessionId": "s1", "status": "busy", "long": "' + b"x" * 100_000 + b'"}',
)


def test_what_is_no_file_of_the_client_is_passed_over(tmp_path: Path) -> None:
    assert clients(tmp_path / "gone") == ()
    for text in FOREIGN:
        (tmp_path / f"{os.getpid()}.json").write_bytes(text)
        assert clients(tmp_path) == ()
    told(tmp_path, os.getpid())
    for name in ("pid-7.json", "x.json", "7.txt", "-1.json", "\u0663.json", "9" * 40 + ".json"):
        (tmp_path / name).write_text("{}")
    os.mkfifo(tmp_path / "77.json")
    (tmp_path / "78.json").mkdir()
    assert [client.pid for client in clients(tmp_path)] == [os.getpid()]
