"""The session: from the first request to how it ended, over real HTTP and a scripted model."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
import pytest

from dreamd.domain.cost import Price
from dreamd.domain.dream import Brief
from dreamd.domain.settings import Model, Settings
from dreamd.domain.tree import Tree
from dreamd.engine.model.api import Api
from dreamd.engine.model.engine import mishaps
from dreamd.engine.model.reader import ReaderProcess
from dreamd.engine.model.reasons import Heard
from dreamd.engine.model.session import Session
from dreamd.engine.model.spending import SessionBudget, SessionEnd, SessionPlan
from dreamd.engine.model.toolbox import Toolbox
from dreamd.engine.model.tools import change
from dreamd.engine.model.tools.dispatch import Answer
from dreamd.engine.model.tools.notes import Notes
from tests.brain import Brain, Refusal, Script, Step, results, say, thinking, tool, torn

pytestmark = pytest.mark.usefixtures("hasty")
KEY = "sk-test-0123456789abcdefghij"
LIMITS = Model(turns=40, tokens=10_000_000, dollars=100.0, seconds=20, output_tokens=4096)
HAIKU = Price(1, 5, 0.10, 1.25)
MEMORY = Path("/home/ada/memory")
NOTES = {PurePosixPath("a.md"): "The port is 80.\n"}
EDIT = tool(
    "Edit", {"file_path": "/home/ada/memory/a.md", "old_string": "80", "new_string": "8080"}
)
READ = tool("Read", {"file_path": "a.md"})
LONG = "digest " * 8_000


class Reads(ReaderProcess):
    """A reader without a process, that does the least that one does."""

    def __init__(self) -> None:
        """Start none."""

    def ask(
        self, tool: str, arguments: Mapping[str, Any], notes: Mapping[PurePosixPath, str]
    ) -> Answer:
        if tool == "Read":
            name = Path(str(arguments["file_path"])).name
            return Answer(notes.get(PurePosixPath(name), "no such file"))
        return Answer(f"{tool} {sorted(arguments.items())}")


class Held(msgspec.Struct):
    """A session that was held, and all that it left."""

    ending: SessionEnd
    budget: SessionBudget
    tools: Toolbox
    brain: Brain

    @property
    def note(self) -> str:
        return self.tools.notes.now[PurePosixPath("a.md")]


def hold(script: Script, first: str = "Here are the notes.", **limits: Any) -> Held:
    """Hold a session with a brain over one note."""
    plan = SessionPlan(msgspec.structs.replace(LIMITS, **limits), HAIKU, first)
    budget = SessionBudget(plan.model, plan.price)
    heard = Heard(Brief(Tree(), Settings(), MEMORY))
    tools = Toolbox(Reads(), Notes(MEMORY, NOTES, NOTES), heard)
    with Brain(script) as brain, contextlib.closing(Api(KEY, brain.url, 0.3)) as api:
        session = Session(plan.conversation(), api, tools, budget, lambda _phase, _words: None)
        return Held(session.hold(), budget, tools, brain)


def test_a_call_that_cannot_be_is_answered_and_not_carried_out() -> None:
    half = torn("Write", '{"file_path": "a.md", "content": "The po')
    for block, stop, told in (
        (half, "max_tokens", "cut off"),
        (half, "tool_use", "needs either"),
        (torn("Write", "[1]"), "tool_use", "no whole JSON object"),
        (torn("Write", ""), "max_tokens", "cut off"),
        (tool("WebFetch", {"url": "http://x"}), "tool_use", "no tool WebFetch here; call one of"),
        (tool("", {}), "tool_use", "There is no tool"),
    ):
        held = hold([say(READ, block, stop=stop), say("I see")])
        assert (held.ending.ending, held.brain.faults) == ("done", [])
        assert held.note == "The port is 80.\n"
        first, second = results(held.brain.bodies[1])
        assert "is_error" not in first
        assert second["is_error"]
        assert told in second["content"]


def test_a_text_that_was_cut_is_continued_and_a_paused_turn_goes_on() -> None:
    script = [say("I will now", stop="max_tokens"), say("on", stop="pause_turn"), say("done")]
    held = hold(script)
    assert held.ending.ending == "done"
    assert "cut" in held.brain.bodies[1]["messages"][-1]["content"][0]["text"]
    assert [each["role"] for each in held.brain.bodies[2]["messages"]][-2:] == ["user", "assistant"]


BACK = tool("Edit", {"file_path": "a.md", "old_string": "8080", "new_string": "80"})
SAME = {"file_path": "a.md", "old_string": "80", "new_string": "80"}
IDLE = [tool("Edit", {**SAME, "replace_all": flag}) for flag in (True, False)]
ROUND = [*(say(each) for each in (READ, READ, EDIT, READ, BACK, READ, READ)), say("done")]


@pytest.mark.parametrize(
    ("script", "ending", "reason"),
    [
        ([say(EDIT, stop="refusal")], "stopped", "refused"),
        ([say("hm", stop="model_context_window_exceeded")], "capped", "longer than the model"),
        ([say(READ), say(), say()], "stopped", "answered nothing"),
        ([say(READ), say("  \n"), say("all done")], "done", "done"),
        ([say(READ), say(thinking("hm")), say("all done")], "done", "done"),
        ([say(READ)] * 3, "stopped", "call of Read had the same result 3 times"),
        (ROUND, "done", "done"),  # a change between makes the same call new
        ([say(each) for each in IDLE], "stopped", "2 edits in a row changed nothing"),
        ([say(READ), Refusal(403, message=KEY)], "failed", "the key may not do this"),
    ],
)
def test_a_session_ends_for_a_reason(script: list[Step], ending: str, reason: str) -> None:
    held = hold(script)
    assert len(held.brain.requests) == len(script)
    assert (held.ending.ending, held.brain.faults) == (ending, [])
    assert reason in held.ending.reason
    assert KEY not in held.ending.reason
    assert held.note == "The port is 80.\n"


def test_no_cap_is_ever_passed_even_by_the_longest_answers() -> None:
    numbers = itertools.count()

    def long(body: Mapping[str, Any]) -> Step:
        return say("w" * (4 * body["max_tokens"] - 60), stop="max_tokens")

    def many(_body: Mapping[str, Any]) -> Step:
        return say(tool("Grep", {"pattern": f"{next(numbers)} " + "x" * 200}))

    cases: list[tuple[Script, dict[str, Any], str]] = [
        (many, {"turns": 3}, "limit of 3 requests"),
        (many, {"tokens": 20_000}, "limit of 20,000 tokens"),
        (many, {"dollars": 0.02}, "limit of $0.02"),
        (long, {"tokens": 50_000, "dollars": 0.07}, "limit of"),
    ]
    for on, cap, reason in cases:
        held = hold(on, **cap)
        caps, spent = held.budget.caps, held.budget.spent
        assert held.ending.ending == "capped"
        assert reason in held.ending.reason
        assert 0 < held.budget.turns <= caps.turns
        assert spent.tokens <= caps.tokens
        assert held.budget.close().dollars <= caps.dollars
        assert spent.tokens > 0.5 * caps.tokens or "tokens" not in cap


def test_the_model_is_told_before_the_last_answers() -> None:
    script = [say(tool("Grep", {"pattern": str(each)})) for each in range(3)]
    held = hold([*script, say("done")], turns=4)
    assert held.ending.ending == "done"
    last = [body["messages"][-1]["content"][-1] for body in held.brain.bodies]
    told = ["Two more answers" in str(each.get("text")) for each in last]
    assert told == [False, False, True, False]


def test_what_the_model_wrote_itself_is_no_source() -> None:
    script = [
        say(tool("Read", {"file_path": "a.md"}), tool("Read", {"file_path": "/etc/hosts"})),
        say(EDIT),
        say(
            *(tool("Read", {"file_path": path}) for path in ("a.md", "/home/ada/memory/a.md")),
            *(tool("Grep", {"pattern": "8080", "path": path}) for path in ("/", "/home/ada", "")),
            tool("Grep", {"pattern": "8080"}),
            tool("Read", {"file_path": "/etc/services"}),
            tool("Sessions", {"matching": "8080"}),
        ),
        say("done"),
    ]
    held = hold(script)
    assert held.tools.seen == [
        ("a.md", "The port is 80.\n"),
        ("/etc/hosts", "no such file"),
        ("/etc/services", "no such file"),
    ]


def test_a_fault_of_ours_in_a_tool_is_told_by_its_place_and_not_by_its_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def faulty(_arguments: object, _notes: object) -> None:
        raise TypeError(KEY)

    monkeypatch.setattr(change, "edit", faulty)
    held = hold([say(EDIT), say(EDIT), say("done")])
    assert held.ending.ending == "done"
    assert results(held.brain.bodies[1])[0]["content"] == "Edit failed inside: TypeError."
    (said,) = mishaps(held.tools, 0)
    assert re.fullmatch(
        r"the tool Edit met a fault of its own: TypeError at test_session.py:\d+ \(2 times\)", said
    )


def test_a_turn_of_many_calls_does_not_lose_the_cache() -> None:
    """The cache is looked for at most 20 blocks before a mark; the last mark is kept instead."""
    many = [tool("Glob", {"pattern": f"{each}.md"}) for each in range(30)]
    last = hold([say(READ), say(*many), say("done")], first=LONG).brain.requests[-1].usage
    assert last is not None
    assert last.cache_read > 10_000
