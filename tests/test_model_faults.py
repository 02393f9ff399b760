"""A model's dream that is struck at every turn: by its endpoint, within an answer, by a signal."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.brain import Brain, Refusal, Step, events, say, tool
from tests.laptop import Laptop
from tests.model_home import (
    INDEX,
    KEY,
    MOVED,
    OLD,
    descendants,
    dreamt,
    environ,
    four_phases,
    index,
    is_there,
    laptop,
    ledger,
    unlocked,
)
from tests.pace import patient
from tests.sample import rounds, sample
from tests.scripted import picture

__all__ = ["laptop"]
LOCK = ".consolidate-lock"
STAMP = 1_777_600_000_123_456_789  # of the lock: the last consolidation, 2026-05-01
TURNS = range(4)
STATUSES = {
    400: "invalid", 401: "the key is not accepted", 403: "may not do this",
    404: "does not know the model", 408: "waited too long", 409: "collided", 413: "too large",
    429: "rate limit", 500: "failed (500)", 502: "failed (502)", 503: "failed (503)",
    529: "overloaded",
}  # fmt: skip
CUTS = {  # how a stream ends before its time, and what is said of it
    "cut": "broke", "end": "broke off", "reset": "broke", "stall": "fell silent",
    "garble": "garbled", "odd": "garbled", "overloaded_error": "overloaded",
}  # fmt: skip
MOMENTS: dict[str, Step] = {
    "waiting": Refusal(500, waits=30),
    "streaming": say("words " * 400, pace=0.2),
    "silent": say("## gather", failing="stall"),
    "calling": say(tool("Bash", {"command": "find / -name zzqq"})),
}
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)


class Home(Struct):
    """A home whose memory was consolidated before, and how its notes were."""

    laptop: Laptop
    before: dict[str, tuple[bytes, int, int]]

    def check_unchanged(self) -> None:
        """The notes are as they were, bytes, modes and mtimes; no file holds the key."""
        assert unlocked(self.laptop) == self.before
        for path in self.laptop.home.rglob("*"):
            assert not path.is_file() or KEY.encode() not in path.read_bytes()

    def check_failed(self, said: str, *, paid: bool) -> dict[str, Any]:
        """The last dream failed, left all as it was, and says why and behind which walls."""
        self.check_unchanged()
        assert picture(self.laptop.memory)[LOCK] == (b"", 0o600, STAMP)
        assert not list((self.laptop.home / ".local/state/dreamd/stores").glob("*/stages/*"))
        kept: dict[str, Any] = self.laptop.json("log", str(self.laptop.memory))["dreams"][0]
        assert (kept["outcome"], kept["engine"], kept["changes"]) == ("failed", "model", [])
        assert said in kept["reason"], kept["reason"]
        assert kept["level"].startswith(("landlock", "paths"))
        assert (kept["usage"]["dollars"] > 0) or not paid
        return kept

    def check_next(self) -> None:
        """The next dream does all of the session."""
        receipt = dreamt(self.laptop, four_phases())
        assert (receipt["outcome"], receipt["lock_prior_ns"]) == ("dreamt", STAMP), receipt
        assert index(self.laptop) == INDEX.replace(OLD, MOVED)


@pytest.fixture
def home(laptop: Laptop) -> Home:
    (laptop.memory / "deploy.md").chmod(0o640)
    (laptop.memory / LOCK).touch(0o600)
    os.utime(laptop.memory / LOCK, ns=(STAMP, STAMP))
    return Home(laptop, unlocked(laptop))


@pytest.mark.parametrize("turn", sample(TURNS))
def test_an_endpoint_that_fails_at_any_turn_fails_the_dream_which_says_why(
    home: Home, turn: int
) -> None:
    answer = four_phases()[turn]
    strokes: list[tuple[Step, str]] = [
        (Refusal(status), said) for status, said in rounds(STATUSES.items(), turn, 1)
    ]
    for way, said in rounds(CUTS.items(), turn, 1):
        whole = len([*events(answer)]) - (way == "end")  # whole after its stop reason
        places = sample(range(whole)) if way != "stall" else rounds(range(whole), turn, 1)
        strokes += [(replace(answer, failing=way, after=place), said) for place in places]
    for step, said in strokes:
        script = [*four_phases()[:turn], *[step] * 3]
        failed = dreamt(home.laptop, script)
        assert (failed["code"], failed["proposed"]) == (1, int(turn == 3))  # after the edit
        assert home.check_failed(said, paid=turn > 0)["reason"] == failed["reason"]
    home.check_next()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("number", "turn", "when"),
    [
        (number, turn, when)
        for at, number in enumerate(SIGNALS)
        for turn, when in rounds([(0, "starting"), *itertools.product(TURNS, MOMENTS)], 3 * at)
    ],
)
def test_ending_the_dream_at_any_turn_ends_every_process_of_it_changes_nothing_and_is_billed(
    home: Home, number: int, turn: int, when: str
) -> None:
    laptop = home.laptop
    script = [*four_phases()[:turn], MOMENTS.get(when, MOMENTS["waiting"])]
    with Brain(script) as brain:
        dream = laptop.start("dream", str(laptop.memory), "--json", **environ(brain))
        while when == "starting" and not descendants(dream.pid):
            assert is_there(dream.pid)
        for _ in script if when != "starting" else ():
            assert brain.arrived.acquire(timeout=30)
        time.sleep(0.2 if when == "calling" else 0)
        family = descendants(dream.pid)
        assert len(family) >= 1  # the reader, and what it runs
        for pid in family:
            told = (Path("/proc") / str(pid) / "cmdline").read_bytes()
            told += (Path("/proc") / str(pid) / "environ").read_bytes()
            assert KEY.encode() not in told
        began = time.monotonic()
        os.kill(dream.pid, number)
        code, _, err = dream.ended()
        while any(map(is_there, family)) and time.monotonic() - began < 60:
            time.sleep(0.02)
        assert not any(map(is_there, family))
        assert time.monotonic() - began < patient(5)
        paid = [request.usage for request in brain.requests[:turn] if request.usage]
    owed = sum(each.input + each.cache_read + each.cache_write for each in paid)
    assert not paid or ledger(laptop)["tokens"] >= owed > 0
    assert "Traceback" not in err
    if number != signal.SIGKILL:
        assert code == 130
        failed = home.check_failed("stopped by a signal", paid=turn > 0)
        assert failed["proposed"] == 0
        assert turn < 3 or "## gather" in laptop.ok("show", failed["dream"], "--conversation")
        home.check_next()
        return
    assert code == -signal.SIGKILL  # it can tell nothing, and leaves a wreck
    home.check_unchanged()
    home.check_next()  # recovers it first
    _, wreck = laptop.json("log", str(laptop.memory))["dreams"]
    assert (wreck["outcome"], wreck["changes"]) == ("failed", [])
    assert "died before anything was committed" in wreck["reason"]
