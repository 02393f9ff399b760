"""What to do next, as a table; and the other rules that need no process."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from dreamd.daemon.child import ending
from dreamd.daemon.plan import (
    GRACE,
    SECOND,
    Action,
    Limits,
    Running,
    Situation,
    next_step,
)
from dreamd.daemon.service import NOTICE, Log, NotifySocket

LIMITS = Limits(rescan=60 * SECOND, quiet=2 * SECOND, most_quiet=30 * SECOND, dream=600 * SECOND)
NOW = 1_000 * SECOND
LATER = NOW + 40 * SECOND
FRESH = Running(SECOND)


@pytest.mark.parametrize(
    ("situation", "step", "seconds"),
    [
        (Situation(NOW, LATER, hear_at=NOW + 2 * SECOND), Action.WAIT, 2),
        (Situation(NOW, NOW, has_waiting=True), Action.RESCAN, 0),
        # One dream at a time: whoever waits is not asked meanwhile, but looking goes on.
        (Situation(NOW, LATER, has_waiting=True, child=FRESH), Action.WAIT, 40),
        (Situation(NOW, NOW, has_waiting=True, child=FRESH), Action.RESCAN, 0),
        (Situation(NOW, LATER, child=Running(599 * SECOND)), Action.WAIT, 1),
        (Situation(NOW, LATER, child=Running(601 * SECOND, told=SECOND)), Action.WAIT, 3),
        (Situation(NOW, LATER, child=Running(601 * SECOND, told=GRACE)), Action.KILL, 0),
        # Stopping: the child first, nothing else is looked at, and then we leave.
        (Situation(NOW, NOW, is_stopping=True, has_waiting=True), Action.LEAVE, 0),
        (Situation(NOW, NOW, NOW, is_stopping=True, child=Running(9, told=0)), Action.WAIT, 4),
    ],
)
def test_what_is_next_and_for_how_long(situation: Situation, step: Action, seconds: int) -> None:
    assert next_step(situation, LIMITS) == (step, seconds * SECOND)


@pytest.mark.parametrize(
    ("status", "said", "complained", "is_stopping", "is_dream", "words"),
    [
        (0, '{"outcome": "proposed", "reason": "held"}', "", True, True, "held"),
        (75, '{"outcome": "busy", "reason": "busy: a client"}', "", False, None, "busy: a client"),
        (78, "", "config.yaml: no", False, False, "config.yaml: no"),
        (3, "", "", False, False, "status 3"),
        (0, "", "", False, False, "no answer"),
        (-9, "", "", True, None, "at the next start"),
        (-11, "", "", True, False, "SIGSEGV"),
    ],
)
def test_what_an_end_means(
    status: int, said: str, complained: str, is_stopping: bool, is_dream: bool | None, words: str
) -> None:
    found, sentence = ending(status, said, complained, is_stopping, False)
    assert found is is_dream
    assert words in sentence


def test_a_line_of_the_log_is_one_line_with_a_priority_for_the_journal(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as file:
        seen = os.fstat(file.fileno())
        Log(file.fileno(), f"{seen.st_dev}:{seen.st_ino}").warning("a\nb \x1b[31m \ud800")
        Log(file.fileno(), "8:1").line("c", NOTICE)
    first, second = (tmp_path / "log").read_text().splitlines()
    assert first == "<4>a b \\x1b[31m \\xd800"
    assert datetime.strptime(second, "%Y-%m-%d %H:%M:%S c").astimezone()
    reading, writing = os.pipe()
    os.close(reading)
    Log(writing).line("to nobody, which stops nothing")
    os.close(writing)


def test_the_watchdog_is_for_the_process_it_names() -> None:
    for environ, seconds in (
        ({"WATCHDOG_USEC": "180000000", "WATCHDOG_PID": str(os.getpid())}, 90),
        ({"WATCHDOG_USEC": "180000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon", "NOTIFY_SOCKET": "/there/is/nothing"}, None),
    ):
        manager = NotifySocket(environ)
        manager.say("READY=1")
        assert manager.beat == (seconds and timedelta(seconds=seconds))
