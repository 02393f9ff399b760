"""A model's dream on the demo home, whole, and struck at every step of its session."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from dreamd.sandbox.confine import best
from dreamd.sandbox.policy import Level
from tests.brain import Answer, Brain, Refusal, say
from tests.demo_night import (
    GIFTS,
    LIMIT,
    LOCK,
    LOG,
    SMOKE_NOW,
    STAMP,
    TURNS,
    Night,
    demo_home,
    places,
    script,
    struck,
    turn_of,
)  # fmt: skip
from tests.model_home import descendants, is_there
from tests.pace import patient
from tests.sample import rounds, sample
from tests.scripted import picture

STATUSES = {
    400: "invalid", 401: "the key is not accepted", 403: "may not do this",
    404: "does not know the model", 408: "waited too long", 409: "collided", 413: "too large",
    429: "rate limit", 500: "failed (500)", 502: "failed (502)", 503: "failed (503)",
    529: "overloaded",
}  # fmt: skip
CUTS = {  # how a stream ends before its time, and what is said of it
    "cut": "broke", "end": "broke off", "reset": "broke", "garble": "garbled", "odd": "garbled",
    "overloaded_error": "overloaded", "stall": "fell silent",
}  # fmt: skip
SIGNALS = ("SIGTERM", "SIGINT", "SIGKILL")


def breaks(answer: Answer, way: str) -> list[int]:
    """Where an answer can break so; one that ends after its stop reason is whole."""
    return places(answer)[:-1] if way == "end" else places(answer)


@pytest.fixture
def night(tmp_path: Path) -> Night:
    return demo_home(tmp_path)


def test_a_session_with_every_tool_dreams_through_all_phases_and_undo_restores(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    night = demo_home(tmp_path_factory.mktemp("on-disk"))  # below /dev Bash reads nothing
    with Brain(script(night.memory)) as brain:
        receipt = night.dreamt(brain)
    assert not brain.faults
    assert (receipt["outcome"], receipt["engine"], receipt["proposed"]) == ("dreamt", "model", 0)
    answers = [
        block
        for message in brain.bodies[-1]["messages"]
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    assert len(answers) == 9
    refused = [block["content"] for block in answers if block.get("is_error")]
    assert not refused or best().level is Level.PATHS  # where there is no Bash
    notes = {path: data.decode() for path, (data, _, _) in picture(night.memory).items()}
    index = notes["MEMORY.md"]
    assert len(index.splitlines()) < 200
    assert "(deploy-steps.md)" in index
    assert SMOKE_NOW in notes["deploy-steps.md"]
    assert notes["gift-orders.md"] == GIFTS
    assert LIMIT not in notes["nordpost-api.md"]
    moved = notes["spring-log.md"].removeprefix(LOG)
    before = night.before["MEMORY.md"][0].decode()
    assert moved in before
    assert len(moved.splitlines()) > 90
    touched = {change["path"] for change in receipt["changes"]}
    after = picture(night.memory)
    assert touched == {path for path in after if after[path] != night.before.get(path)} - {LOCK}
    assert (receipt["lock_prior_ns"], after[LOCK][2]) == (STAMP, receipt["lock_left_ns"])
    told = night.asked("show", receipt["dream"])
    assert any("raised" in str(why) for why in told["whys"])
    night.asked("undo")
    night.check_untouched()


@pytest.mark.parametrize("turn", sample(TURNS))
def test_each_status_at_each_turn_fails_the_dream_and_changes_nothing(
    night: Night, turn: int
) -> None:
    for status in rounds(STATUSES, turn, 1):
        with Brain(struck(night.memory, turn, Refusal(status))) as brain:
            receipt = night.dreamt(brain)
        assert turn_of(brain.bodies[-1]) == turn
        night.check_failed(receipt, STATUSES[status], paid=turn > 0)
    night.check_next()


@pytest.mark.parametrize(
    ("turn", "way"),
    [(turn, way) for turn in sample(TURNS) for way in rounds(CUTS, turn, 1)],
)
def test_each_cut_of_each_answer_fails_the_dream_and_changes_nothing(
    night: Night, turn: int, way: str
) -> None:
    answer = script(night.memory)[turn]
    for after in sample(breaks(answer, way)):
        broken = replace(answer, failing=way, after=after)
        with Brain(struck(night.memory, turn, broken)) as brain:
            receipt = night.dreamt(brain)
        assert turn_of(brain.bodies[-1]) == turn
        night.check_failed(receipt, CUTS[way], paid=turn > 0)
    night.check_next()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("number", "turn"),
    [(each, turn) for at, each in enumerate(SIGNALS) for turn in rounds([-1, *TURNS], 3 * at, 1)],
)
def test_the_end_of_a_dream_at_any_turn_ends_its_reader_and_changes_nothing(
    night: Night, number: str, turn: int
) -> None:
    """Turn -1 is before the first request, as soon as the reader is there."""
    slow = say("words " * 400, pace=0.2)  # not yet silence
    with Brain(struck(night.memory, max(turn, 0), slow)) as brain:
        dream = night.started(brain)
        for _ in range(turn + 1):
            assert brain.arrived.acquire(timeout=30)
        await_reader(dream.pid)
        everyone = descendants(dream.pid)
        began = time.monotonic()
        os.kill(dream.pid, getattr(signal, number))
        code, _, err = dream.ended()
        while any(map(is_there, everyone)) and time.monotonic() - began < 60:
            time.sleep(0.02)
        assert not any(map(is_there, everyone))
        assert time.monotonic() - began < patient(5)
    assert "Traceback" not in err
    if number == "SIGKILL":  # it can tell nothing, and leaves a wreck
        assert code == -signal.SIGKILL
        night.check_notes()
        night.check_next()  # recovers it first
        _, wreck = night.asked("log")["dreams"]
        assert (wreck["outcome"], wreck["changes"]) == ("failed", [])
        assert "died before anything was committed" in wreck["reason"]
    else:
        assert code == 130
        night.check_failed(night.last(), "stopped by a signal", paid=turn > 0)
        night.check_next()


def await_reader(pid: int) -> None:
    """Wait until the reader of a dream is there."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        for each in descendants(pid):
            with contextlib.suppress(OSError):
                if b"engine.model.reader" in Path(f"/proc/{each}/cmdline").read_bytes():
                    return
        time.sleep(0.002)
    raise AssertionError("there is no reader")
