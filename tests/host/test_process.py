"""A PID is a process only with the proof that it still is the one it was."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

import dreamd
from dreamd.domain.lease import ProcessIdentity
from dreamd.errors import HostError
from dreamd.host import process

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@contextmanager
def running(*argv: str) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(argv)
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def identity_of(pid: int) -> ProcessIdentity:
    seen = process._seen(pid)
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
def test_a_killed_process_is_dead_before_anyone_waits_for_it() -> None:
    with running("sleep", "60") as child:
        identity = identity_of(child.pid)
        assert process.is_alive(identity)
        assert process.pid_exists(child.pid)
        child.send_signal(signal.SIGKILL)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # a zombie from here on
        os.kill(child.pid, 0)  # the system still knows its PID
        assert not process.is_alive(identity)
        assert not process.pid_exists(child.pid)
        child.wait()
        assert not process.is_alive(identity)
        assert not process.pid_exists(child.pid)


@pytest.mark.usefixtures("asked")
def test_a_stopped_process_is_alive() -> None:
    with running("sleep", "60") as child:
        child.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
        assert process.is_alive(identity_of(child.pid))
        child.send_signal(signal.SIGCONT)


@pytest.mark.usefixtures("asked")
def test_a_reused_pid_another_boot_and_another_host_are_somebody_else() -> None:
    me = process.myself()
    assert not process.is_alive(replace(me, ticks=me.ticks - 1))
    assert not process.is_alive(replace(me, boot="another boot"))
    assert not process.is_alive(replace(me, host="another host"))
    assert process.is_alive(me)


@pytest.mark.parametrize("pid", [0, -1, -4_242, -(2**63), 2**31, 2**32 + 1, 2**63, 2**64, 10**400])
def test_a_hostile_number_is_nobody_and_the_system_is_not_even_asked(
    pid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(os, "kill", lambda *args: asked.append(args))
    assert not process.pid_exists(pid)
    assert not process.is_alive(replace(process.myself(), pid=pid))
    assert asked == []
    monkeypatch.undo()
    assert process.pid_exists(1)  # though it is not ours


@linux_only
def test_a_name_full_of_brackets_does_not_confuse_the_reader(tmp_path: Path) -> None:
    odd = tmp_path / "x) Z 1 (y"
    odd.symlink_to(Path("/bin/sleep").resolve())
    with running(str(odd), "60") as child:
        until = time.monotonic() + 5
        while b"x) Z 1" not in Path(f"/proc/{child.pid}/stat").read_bytes():
            assert time.monotonic() < until
        assert process.pid_exists(child.pid)
        oracle = psutil.Process(child.pid).create_time() - psutil.boot_time()
        ticks = identity_of(child.pid).ticks / os.sysconf("SC_CLK_TCK")
        assert abs(ticks - oracle) < 1.5


@linux_only
def test_a_container_with_the_same_name_is_another_host() -> None:
    argv = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]
    try:
        subprocess.run([*argv, "true"], check=True, capture_output=True, timeout=20)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"no PID namespace to be had: {error}")
    code = "from dreamd.host import process; print(process.host(), process.myself().boot, sep='|')"
    seen = subprocess.run(
        [*argv, sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={"PATH": os.defpath, "PYTHONPATH": str(Path(dreamd.__file__).parents[1])},
    ).stdout.strip()
    host, boot = seen.split("|")
    assert boot == process.myself().boot
    assert host != process.host()
    assert host.startswith(os.uname().nodename)


@linux_only
def test_a_system_that_hides_proc_is_told_about_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hidden(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", hidden)
    with pytest.raises(HostError, match="cannot tell when this process started"):
        process.myself()
