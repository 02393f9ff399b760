"""What to do next, as a table; and the other rules that need no process."""

from __future__ import annotations

import json
import os
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from dreamd import gates
from dreamd.app import gating
from dreamd.daemon.board import page
from dreamd.daemon.child import Result, ending
from dreamd.daemon.plan import (
    GRACE,
    SECOND,
    Action,
    Limits,
    Running,
    Situation,
    listens,
    next_step,
)
from dreamd.daemon.service import Level, Log
from dreamd.daemon.ward import Ward, Wards
from dreamd.domain.lease import Standing
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.domain.verdict import Verdict
from dreamd.host import presence
from dreamd.stores.belonging import Survey

LIMITS = Limits(rescan=60 * SECOND, quiet=2 * SECOND, most_quiet=30 * SECOND, dream=600 * SECOND)
NOW = 1_000 * SECOND
LATER = NOW + 40 * SECOND
FRESH = Running(SECOND)


@pytest.mark.parametrize(
    ("situation", "step", "seconds"),
    [
        (Situation(NOW, LATER), Action.WAIT, 40),
        (Situation(NOW, NOW), Action.RESCAN, 0),
        (Situation(NOW, LATER, hear_at=NOW + 2 * SECOND), Action.WAIT, 2),
        (Situation(NOW, LATER, hear_at=NOW), Action.HEAR, 0),
        (Situation(NOW, LATER, has_waiting=True), Action.ASK, 0),
        (Situation(NOW, NOW, has_waiting=True), Action.RESCAN, 0),
        # One dream at a time: whoever waits is not asked meanwhile, but looking goes on.
        (Situation(NOW, LATER, has_waiting=True, child=FRESH), Action.WAIT, 40),
        (Situation(NOW, NOW, has_waiting=True, child=FRESH), Action.RESCAN, 0),
        (Situation(NOW, LATER, child=Running(599 * SECOND)), Action.WAIT, 1),
        (Situation(NOW, LATER, child=Running(600 * SECOND)), Action.TERMINATE, 0),
        (Situation(NOW, LATER, child=Running(601 * SECOND, told=SECOND)), Action.WAIT, 3),
        (Situation(NOW, LATER, child=Running(601 * SECOND, told=GRACE)), Action.KILL, 0),
        # Stopping: the child first, nothing else is looked at, and then we leave.
        (Situation(NOW, NOW, is_stopping=True), Action.LEAVE, 0),
        (Situation(NOW, NOW, is_stopping=True, has_waiting=True), Action.LEAVE, 0),
        (Situation(NOW, NOW, is_stopping=True, child=FRESH), Action.TERMINATE, 0),
        (Situation(NOW, NOW, NOW, is_stopping=True, child=Running(9, told=0)), Action.WAIT, 4),
        (Situation(NOW, NOW, is_stopping=True, child=Running(9, told=GRACE)), Action.KILL, 0),
        (Situation(NOW, NOW, is_stopping=True, child=Running(9, GRACE, True)), Action.WAIT, 60),
    ],
)
def test_what_is_next(situation: Situation, step: Action, seconds: int) -> None:
    assert next_step(situation, LIMITS) == (step, seconds * SECOND)


def test_only_what_may_open_soon_is_listened_for() -> None:
    now = datetime(2026, 5, 11, 9, tzinfo=UTC)
    assert listens(None, now)
    assert listens(Verdict("sessions", False, ""), now)
    assert listens(Verdict("sessions", False, "", again=now + timedelta(minutes=10)), now)
    assert not listens(Verdict("time", False, "", again=now + timedelta(hours=20)), now)


@pytest.mark.parametrize(
    ("status", "said", "complained", "how", "result", "words"),
    [
        (0, {"outcome": "dreamt", "reason": "improved 2 notes"}, "", "", "SUCCESS", "improved 2"),
        (0, {"outcome": "proposed", "reason": "held"}, "", "stopping", "SUCCESS", "held"),
        (0, {"outcome": "skipped", "reason": "off"}, "", "", "NEITHER", "skipped: off"),
        (75, {"outcome": "busy", "reason": "busy: a client"}, "", "", "NEITHER", "busy: a client"),
        (1, {"outcome": "refused", "reason": "refused: no"}, "", "", "FAILURE", "refused: no"),
        (1, {"outcome": "failed", "reason": "disk full"}, "", "", "FAILURE", "disk full"),
        (78, None, "config.yaml: no", "", "FAILURE", "config.yaml: no"),
        (1, None, "KeyError: 'x'", "", "FAILURE", "KeyError"),
        (3, None, "", "", "FAILURE", "status 3"),
        (0, None, "", "", "FAILURE", "no answer"),
        (130, None, "stopped", "stopping", "NEITHER", "taken back"),
        (-9, None, "", "stopping", "NEITHER", "at the next start"),
        (-11, None, "", "stopping", "FAILURE", "SIGSEGV"),
        (130, None, "stopped", "over time", "FAILURE", "too long"),
        (-9, None, "", "over time", "FAILURE", "too long"),
        (-9, None, "", "", "FAILURE", "SIGKILL"),
    ],
)
def test_what_an_end_means(
    status: int, said: object, complained: str, how: str, result: str, words: str
) -> None:
    end = ending(
        status,
        "" if said is None else json.dumps(said),
        complained,
        how == "stopping",
        how == "over time",
    )
    assert end.result is Result[result]
    assert words in end.sentence
    assert end.is_wreck == (status < 0)


@given(some.integers(-64, 255), some.text(), some.text(), some.booleans(), some.booleans())
def test_no_answer_is_too_odd(
    status: int, said: str, complained: str, stopping: bool, late: bool
) -> None:
    end = ending(status, said, complained, stopping, late)
    assert end.sentence
    assert end.result is not Result.SUCCESS


def shut(each: Store) -> gates.Context:
    """What gates read that nobody asks."""
    standing = Standing(None, None, from_future=False, interrupted=None, verdict="")
    return gates.Context(each, Settings(), tuple, lambda: standing, lambda: None, tuple)


def store(path: str, name: str = "") -> Store:
    return Store(Path(path), Path("/state"), name or path.strip("/"))


def took(wards: Wards, *stores: Store, unreadable: tuple[tuple[Path, str], ...] = ()) -> list[str]:
    new, lines = wards.differ(Survey(stores, unreadable))
    for each in new:
        wards.known[each.memory] = Ward(each, shut(each))
    wards.wait(wards.known)
    return lines


def test_nobody_is_passed_over() -> None:
    wards = Wards()
    stores = [store(f"/{name}") for name in "abc"]
    turns = []
    for _ in range(6):  # a rescan before each dream
        took(wards, *stores)
        turn = wards.next()
        assert turn is not None
        turns.append(turn[0].store.name)
    assert turns == list("abcabc")


def test_a_wish_to_dream_unasked_outlives_a_rescan() -> None:
    wards = Wards()
    took(wards, store("/a"))
    wards.wait([Path("/a")], unasked=True)
    took(wards, store("/a"))
    turn = wards.next()
    assert turn is not None
    assert turn[1]


def test_the_board_says_of_any_path_what_others_read_there(tmp_path: Path) -> None:
    odd = store("/home/\udcff/memory")
    wards = [Ward(odd, shut(odd), Verdict("time", False, "x", "y", datetime.now(UTC)))]
    said = {"pid": 7, "started": datetime.now(UTC), "dreaming": odd.memory, "said": "watching"}
    with presence.Presence(tmp_path / "daemon.lock"):
        (tmp_path / "daemon.json").write_bytes(page(wards, {odd.memory: "no"}, **said))  # type: ignore[arg-type]
        seen = gating.watch(tmp_path)
        assert seen is not None
        row = gating.row(seen, odd)
        assert row is not None
        assert row.dreaming
        assert (row.gate, row.waits_for, row.opens) == ("time", "x", "y")
        for garbage in (b"", b"[]", b"[" * 100_000, b'{"pid": 7}'):
            (tmp_path / "daemon.json").write_bytes(garbage)
            seen = gating.watch(tmp_path)
            assert seen is not None
            assert (seen.pid, seen.sentence) == (os.getpid(), "just starting")
    assert gating.watch(tmp_path) is None


def test_a_line_of_the_log_is_one_line_with_a_priority_for_the_journal(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as file:
        seen = os.fstat(file.fileno())
        Log(file.fileno(), f"{seen.st_dev}:{seen.st_ino}").warning("a\nb \x1b[31m \ud800")
        Log(file.fileno(), "8:1").line("c", Level.NOTICE)
    first, second = (tmp_path / "log").read_text().splitlines()
    assert first == "<4>a b \\x1b[31m \\xd800"
    assert datetime.strptime(second, "%Y-%m-%d %H:%M:%S c").astimezone()


def test_a_log_that_nobody_reads_stops_nothing() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    assert signal.getsignal(signal.SIGPIPE) is signal.SIG_IGN
    Log(writing).line("to nobody")
    os.close(writing)
