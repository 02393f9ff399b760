"""A day in a minute: what a laptop goes through, with a real daemon, real sessions and dreams."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.daemon.house import House, is_there
from tests.day import HOUR, PATIENCE, Day, dreamt, is_dreaming, limit_files, nudge
from tests.laptop import Laptop
from tests.spoken import touch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc and prlimit(2) are used")


@pytest.fixture
def day(tmp_path: Path) -> Day:
    house = House(tmp_path / "home")
    house.slow_disk()
    house.quick_disk()
    return Day(house)


def test_a_day_in_a_minute(day: Day) -> None:
    house, tidepool = day.house, day.house.memory
    harbour = tidepool.parent.with_name("-home-dev-harbour") / "memory"
    day.write(tidepool, "MEMORY.md", "- [Field notes](field.md) — measured by hand")
    day.write(tidepool, "field.md", "\n".join(f"{n:04} cm of tide" for n in range(1_600)))
    day.written.pop()
    day.write(tidepool, "field.md", "The gauge is read at noon.")
    with day.runs() as daemon:
        # Two projects are due at once; one of them has no memory yet.
        day.talk(harbour.parent, "the port of the harbour is 5430.")
        day.talk(tidepool.parent, "the gauge hangs at pier 4.")
        dreamt(daemon, harbour)
        dreamt(daemon, tidepool)

        # The lid is closed for a night, and hooks poke nobody. At the first dream after it,
        # somebody writes into the note that the dream has read.
        daemon.signal(signal.SIGSTOP)
        day.talk(tidepool.parent, "the tide table is printed on Fridays.")
        day.later(tidepool)
        nudge(house, tidepool)
        before = len(house.dreamt())
        daemon.signal(signal.SIGCONT)
        child = daemon.child()
        with contextlib.suppress(ProcessLookupError):  # it was quick
            os.kill(child, signal.SIGSTOP)
        day.write(tidepool, "MEMORY.md", "- Ask Ines before the pump is switched off")
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGCONT)
        daemon.until(lambda: len(house.dreamt()) > before)
        daemon.until(lambda: not is_dreaming(daemon, tidepool))

        # A project is renamed. Its history goes with it.
        haven = harbour.parent.with_name("-home-dev-haven") / "memory"
        harbour.parent.rename(haven.parent)
        day.moved(harbour, haven)
        daemon.says(f"{harbour} has moved to {haven}")
        day.talk(haven.parent, "the ferry leaves at 07:40.")
        day.later(haven)
        dreamt(daemon, haven)
        past = Laptop(house.home, haven).json("log", str(haven))["dreams"]
        assert [each["memory"] for each in past] == [str(haven), str(harbour)]

        # Somebody breaks the configuration, and mends it.
        house.config.parent.mkdir(parents=True)
        house.config.write_text("gates: {hours: soon}\n")
        daemon.signal(signal.SIGHUP)
        daemon.says("the configuration stays as it was")
        day.talk(tidepool.parent, "the spare pump is in shed 9.")
        day.later(tidepool)
        dreamt(daemon, tidepool, how=f"not now: {house.config}: ")

        # The disk is full, which a note of 20 kB meets; and is not.
        limit_files(daemon.process.pid, 16 << 10)
        house.config.write_text("gates: {hours: 12}\n")
        day.later(tidepool, 1)
        daemon.signal(signal.SIGHUP)
        dreamt(daemon, tidepool, how="failed: ")
        assert "gates.hours" not in "".join(each["reason"] for each in house.dreamt(tidepool))
        limit_files(daemon.process.pid, resource.RLIM_INFINITY)
        daemon.signal(signal.SIGUSR1)
        dreamt(daemon, tidepool, 3)
        dreamt(daemon, haven, 2)

        # A memory is deleted, and begun anew by hand.
        shutil.rmtree(haven)
        day.gone(haven)
        haven.mkdir(exist_ok=True)
        day.write(haven, "MEMORY.md", "- A new beginning")
        dreamt(daemon, haven, 3)
        day.talk(haven.parent, "the crane is out of use.")

        # The daemon is killed in the midst of a dream: what it began ends with it.
        (house.home / "disk-is-slow").touch()
        day.talk(tidepool.parent, "the divers come by boat.")
        day.later(tidepool)
        child = daemon.child()
        daemon.signal(signal.SIGKILL)
        daemon.process.wait()
        ended = time.monotonic() + PATIENCE
        while is_there(child):
            assert time.monotonic() < ended
            time.sleep(0.01)
    house.quick_disk()
    # The next one finds a clock that was set a year ahead and back, and goes on.
    touch(tidepool / ".consolidate-lock", time.time() + 8_766 * HOUR)
    with day.runs() as daemon:
        dreamt(daemon, tidepool)
        day.later(haven)
        dreamt(daemon, haven)
        assert abs((tidepool / ".consolidate-lock").stat().st_mtime - time.time()) < HOUR
        assert daemon.stop()[0] == 0
    day.is_right()
