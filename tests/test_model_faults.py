"""A model's dream that fails: struck at every turn by its endpoint, within an answer, by a signal.

What was paid for is kept, what may be torn is not, and all of it is said. Real processes and HTTP.
"""

from __future__ import annotations

import itertools
import json
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
from tests.laptop import ROOT, Laptop
from tests.model_home import (
    DEPLOY,
    INDEX,
    KEY,
    MOVED,
    OLD,
    descendants,
    dreamt,
    edit,
    environ,
    four_phases,
    index,
    is_there,
    ledger,
    unlocked,
)
from tests.pace import patient, until
from tests.sample import rounds, sample
from tests.scripted import picture, texts

LOCK = ".consolidate-lock"
STAMP = 1_777_600_000_123_456_789  # of the lock: the last consolidation, 2026-05-01
TURNS = range(4)
STATUSES = {401: "the key is not accepted", 429: "rate limit", 529: "overloaded"}  # others alike
CUTS = {  # how a stream ends before its time, and what is said of it
    "cut": "broke", "end": "broke off", "garble": "garbled", "stall": "fell silent",
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
def test_an_endpoint_that_fails_at_any_turn_fails_the_dream(home: Home, turn: int) -> None:
    answer = four_phases()[turn]
    strokes: list[tuple[Step, str]] = [
        (Refusal(status), said) for status, said in rounds(STATUSES.items(), turn, 1)
    ]
    for way, said in rounds(CUTS.items(), turn, 1):
        ends = way == "end"  # nothing at all is garbled; all but the last event is whole
        places = range(ends, len([*events(answer)]) - ends)
        some = sample(places) if way != "stall" else rounds(places, turn, 1)
        strokes += [(replace(answer, failing=way, after=place), said) for place in some]
    for step, said in strokes:
        script = [*four_phases()[:turn], *[step] * 3]
        failed = dreamt(home.laptop, script)
        assert (failed["code"], failed["proposed"]) == (1, int(turn == 3))  # after the edit
        assert home.check_failed(said, paid=turn > 0)["reason"] == failed["reason"]
    home.check_next()
    home.laptop.ok("undo", "--memory", str(home.laptop.memory))
    home.check_unchanged()
    assert picture(home.laptop.memory)[LOCK] == (b"", 0o600, STAMP)


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
        until(lambda: not any(map(is_there, family)))
        assert time.monotonic() - began < patient(5)
        paid = [request.usage for request in brain.requests[:turn] if request.usage]
        owed: float = sum(each.input + each.cache_read + each.cache_write for each in paid)
        if when in {"waiting", "streaming"}:  # what is underway is billed too, by its bytes
            owed += len(brain.requests[-1].raw) / 5
    assert not owed or ledger(laptop)["tokens"] >= owed
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


REFUSED = Refusal(401, "authentication_error")


def test_what_was_done_before_the_endpoint_failed_waits_as_a_proposal(laptop: Laptop) -> None:
    """As far as it passed review; and it is billed."""
    before = unlocked(laptop)
    both = f"{MOVED}\n- The rollback takes 47 minutes"  # nobody said the latter
    script: list[Step] = [*four_phases()[:2], say(edit("MEMORY.md", OLD, both)), REFUSED]
    failed = dreamt(laptop, script)
    paid = [request.usage for request in failed["requests"] if request.usage]
    assert (failed["code"], failed["outcome"], failed["proposed"]) == (1, "failed", 1)
    assert (failed["changes"], failed["engine"]) == ([], "model")
    assert failed["level"].startswith(("landlock", "paths"))
    assert "the key is not accepted" in failed["reason"]
    assert "changes to 1 note until then wait as a proposal" in failed["reason"]
    assert any("47" in finding for finding in failed["findings"])
    usage = failed["usage"]
    assert usage["input_tokens"] == sum(each.input for each in paid)
    assert usage["dollars"] > 0
    spent = sum(value for kind, value in usage.items() if kind.endswith("_tokens"))
    assert ledger(laptop)["tokens"] == spent
    assert unlocked(laptop) == before
    assert "never" in laptop.ok("why", str(laptop.memory))  # was it consolidated
    (pause,) = (laptop.home / ".local/state/dreamd").rglob("pause")
    assert json.loads(pause.read_text())["failures"] == 1
    dream = failed["dream"]
    assert laptop.json("status", str(laptop.memory))["proposals"] == [dream]
    patch = laptop.ok("diff", dream, "--proposal")
    assert f"\n+{MOVED}\n" in patch
    assert f"\n-{OLD}\n" in patch
    assert "47 minutes" not in patch
    told = laptop.json("show", dream)
    assert {(why["sign"], why["line"]) for why in told["whys"]} >= {("+", MOVED), ("-", OLD)}
    mine = INDEX + "- The user wrote this\n"
    (laptop.memory / "MEMORY.md").write_text(mine)
    for command in ("accept", "undo", "redo"):
        laptop.ok(command, dream)
        assert index(laptop) == (mine if command == "undo" else mine.replace(OLD, MOVED))


def test_the_rules_dream_in_a_models_stead_where_that_is_allowed_and_say_so(laptop: Laptop) -> None:
    (laptop.memory / "stray.md").write_text(DEPLOY.replace("deploy", "stray"))
    script: list[Step] = [*four_phases()[:2], REFUSED]
    receipt = dreamt(laptop, script, DREAMD_FALLBACK="rules")
    assert (receipt["code"], receipt["engine"], receipt["outcome"]) == (0, "rules", "dreamt")
    assert receipt["findings"][0].startswith("the model's session failed: the key is not accepted")
    assert receipt["usage"]["output_tokens"] == 0
    assert "stray.md" in texts(laptop.memory)["MEMORY.md"]
    (_, failed) = laptop.json("log", str(laptop.memory))["dreams"]
    assert (failed["outcome"], failed["engine"], failed["proposed"]) == ("failed", "model", 0)
    assert not any(word in failed["reason"] for word in ("proposal", "dropped"))
    assert "## gather" in laptop.ok("show", failed["dream"], "--conversation")
    assert not list((laptop.home / ".local/state/dreamd").rglob("pause"))
    receipt = dreamt(laptop, [], DREAMD_FALLBACK="rules", DREAMD_MODEL__DAY_TOKENS="0")
    assert (receipt["code"], receipt["engine"], receipt["outcome"]) == (0, "rules", "dreamt")
    assert "model.day_tokens" in receipt["findings"][0]


def test_what_no_session_can_begin_with_is_said_by_the_dreams_receipt(laptop: Laptop) -> None:
    before = unlocked(laptop)
    address = {"DREAMD_MODEL__BASE_URL": "http://127.0.0.1:9"}
    rows: list[tuple[dict[str, str], int, str]] = [
        ({"DREAMD_MODEL__DENIED": "/"}, 78, "/ holds the notes"),
        ({"DREAMD_MODEL__DENIED": "~no:~:x"}, 78, "holds the notes"),
        ({"DREAMD_MODEL__DENIED": f"x:{ROOT}/dreamd/errors.py"}, 78, "is part of dreamd itself"),
        ({"DREAMD_MODEL__DENIED": str(Path(os.__file__).parent)}, 78, "holds the Python that"),
        ({"DREAMD_MODEL__BASE_URL": "http://[::1"}, 78, "model.base_url must be an address"),
        ({}, 1, "cannot be reached"),  # nobody is there
        ({"HTTP_PROXY": "::none::"}, 1, "model.base_url, or a proxy"),
    ]
    for more, code, said in rows:
        given = {"ANTHROPIC_API_KEY": KEY, **address, **more}
        done = laptop.run("dream", str(laptop.memory), "--json", **given)
        failed = json.loads(done.stdout)
        assert (done.returncode, failed["outcome"]) == (code, "failed")
        assert said in failed["reason"]
    *_, logged = laptop.json("log", str(laptop.memory))["dreams"]
    assert logged["engine"] == "model"  # of the one that had an address
    assert logged["level"].startswith(("landlock", "paths"))
    assert unlocked(laptop) == before
