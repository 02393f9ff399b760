"""An alarm goes off at a moment of the clock that does not stop when the machine sleeps."""

from __future__ import annotations

import select
import sys

import pytest

from dreamd.host import clock
from dreamd.host.alarm import Alarm

SECOND = 1_000_000_000


def goes_off(alarm: Alarm, within: float) -> bool:
    return bool(select.select(alarm.descriptors(), [], [], within)[0])


@pytest.mark.skipif(sys.platform != "linux", reason="the system has no such alarm")
def test_it_goes_off_at_its_moment_and_once() -> None:
    alarm = Alarm()
    moment = clock.boot_ns() + SECOND // 5
    alarm.set(moment)
    assert not goes_off(alarm, 0)
    assert goes_off(alarm, 5)
    assert moment <= clock.boot_ns() < moment + 2 * SECOND
    alarm.clear()
    assert not goes_off(alarm, 0.05)
    alarm.set(moment)  # past by now, as after a sleep
    assert goes_off(alarm, 5)
    alarm.set(clock.boot_ns() + 3_600 * SECOND)
    assert not goes_off(alarm, 0.05)
    alarm.close()
    alarm.close()
    assert alarm.descriptors() == ()
    alarm.set(moment)
    alarm.clear()
