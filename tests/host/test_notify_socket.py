"""What the service manager is told, and when nobody is."""

from __future__ import annotations

import os
import socket
import sys
from datetime import timedelta

import pytest

from dreamd.daemon.service import NotifySocket


@pytest.mark.skipif(sys.platform != "linux", reason="abstract sockets are Linux's")
def test_lines_arrive_in_one_datagram_at_an_abstract_socket_or_nowhere() -> None:
    name = f"@dreamd-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name.replace("@", "\0"))
        assert NotifySocket({"NOTIFY_SOCKET": name}).say("READY=1", "STATUS=two\nlines")
        assert manager.recv(100) == b"READY=1\nSTATUS=two lines"
    for address in ("", "vsock:2:1", "/there/is/nothing"):
        assert not NotifySocket({"NOTIFY_SOCKET": address}).say("READY=1")


@pytest.mark.parametrize(
    ("environ", "beat"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "180000000"}, timedelta(seconds=90)),
        ({"WATCHDOG_USEC": "180000000", "WATCHDOG_PID": str(os.getpid())}, timedelta(seconds=90)),
        ({"WATCHDOG_USEC": "180000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "1", "WATCHDOG_PID": "me"}, None),
    ],
)
def test_the_watchdog_is_for_the_process_it_names(
    environ: dict[str, str], beat: timedelta | None
) -> None:
    assert NotifySocket(environ).beat == beat
