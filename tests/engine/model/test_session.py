"""The session: from the first request to how it ended, over real HTTP and a scripted model."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from dreamd.domain.cost import Price
from tests.brain import Answer, Brain, Refusal, Step, say, thinking, tool, torn
from tests.brain.haste import hasten
from tests.engine.model.session_room import CAPS, HAIKU, KEY, hold

EDIT = tool(
    "Edit", {"file_path": "/home/ada/memory/a.md", "old_string": "80", "new_string": "8080"}
)
READ = tool("Read", {"file_path": "a.md"})


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    for (module, name), value in hasten().items():
        monkeypatch.setattr(module, name, value)


def capped(**caps: Any) -> Any:
    return msgspec.structs.replace(CAPS, **caps)


def results(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The tool results in the last message of a request."""
    return [block for block in body["messages"][-1]["content"] if block["type"] == "tool_result"]


def test_calls_are_carried_out_and_told_until_the_model_is_done() -> None:
    script = [say("## orient\nLooking.", READ), say("## consolidate", EDIT), say("## prune\nDone.")]
    said: list[str] = []
    with Brain(script) as brain:
        held = hold(brain, said=said)
    assert (held.ending.ending, brain.faults) == ("done", [])
    assert held.texts == {"a.md": "The port is 8080.\n"}
    assert results(brain.bodies[1])[0]["content"] == "The port is 80.\n"
    assert results(brain.bodies[2])[0]["content"].startswith("Changed a.md in 1 place.")
    assert held.session.remark == "## prune\nDone."
    assert [words.split()[0] for words in said] == [
        *("orient", "orient", "consolidate", "consolidate", "prune")
    ]
    first, *_, last = said
    assert first.startswith("orient 1/4 · ")
    assert last.startswith("prune 4/4 · 1 read · 1 edit · 1 note edited · ")
    assert "k tokens · $0.0" in last


def test_thinking_goes_back_unchanged() -> None:
    with Brain([say(thinking("let me see", "c2lnLW9m"), READ), say("ok")]) as brain:
        hold(brain)
    thought, _ = brain.bodies[1]["messages"][1]["content"]
    assert thought == {"type": "thinking", "thinking": "let me see", "signature": "c2lnLW9m"}


def test_without_announced_phases_they_are_read_off_the_calls() -> None:
    index = tool("Write", {"file_path": "MEMORY.md", "content": "x\n"})
    steps = [READ, tool("Sessions", {}), EDIT, index]
    said: list[str] = []
    with Brain([*(say(step) for step in steps), say("end")]) as brain:
        hold(brain, said=said)
    phases = [words.split()[0] for words in said]
    assert phases[1::2] == ["orient", "gather", "consolidate", "prune"]


@pytest.mark.parametrize(
    ("block", "stop", "told"),
    [
        (torn("Write", '{"file_path": "a.md", "content": "The po'), "max_tokens", "cut off"),
        (torn("Write", '{"file_path": "a.md", "content": "The po'), "tool_use", "needs either"),
        (torn("Write", "[1]"), "tool_use", "no whole JSON object"),
        (tool("WebFetch", {"url": "http://x"}), "tool_use", "no tool WebFetch here; call one of"),
        (tool("", {}), "tool_use", "There is no tool"),
    ],
)
def test_a_call_that_cannot_be_is_answered_and_not_carried_out(
    block: Any, stop: str, told: str
) -> None:
    with Brain([say(READ, block, stop=stop), say("I see")]) as brain:
        held = hold(brain)
    assert held.ending.ending == "done"
    assert brain.faults == []
    assert held.texts == {"a.md": "The port is 80.\n"}
    first, second = results(brain.bodies[1])
    assert "is_error" not in first
    assert second["is_error"]
    assert told in second["content"]


def test_a_text_that_was_cut_is_continued() -> None:
    with Brain([say("I will now", stop="max_tokens"), say("done")]) as brain:
        assert hold(brain).ending.ending == "done"
    assert "cut" in brain.bodies[1]["messages"][-1]["content"][0]["text"]


def test_a_paused_turn_goes_on_with_what_was_said() -> None:
    with Brain([say("still at it", stop="pause_turn"), say("done")]) as brain:
        assert hold(brain).ending.ending == "done"
    assert [each["role"] for each in brain.bodies[1]["messages"]] == ["user", "assistant"]


CIRCLES = [READ] * 3
SAME = {"file_path": "a.md", "old_string": "80", "new_string": "80"}
IDLE = [tool("Edit", {**SAME, "replace_all": flag}) for flag in (True, False)]


@pytest.mark.parametrize(
    ("script", "ending", "reason"),
    [
        ([say(EDIT, stop="refusal")], "stopped", "refused"),
        ([say("hm", stop="model_context_window_exceeded")], "capped", "longer than the model"),
        ([say(READ), say(), say()], "stopped", "answered nothing"),
        ([say(READ), say("  \n"), say("all done")], "done", "done"),
        ([say(READ), say(thinking("hm")), say("all done")], "done", "done"),
        ([say(each) for each in CIRCLES], "stopped", "call of Read had the same result 3 times"),
        ([say(each) for each in IDLE], "stopped", "2 edits in a row changed nothing"),
        ([say(READ), Refusal(401)], "failed", "the key is not accepted"),
        ([say(tool("Bash", {"command": "ls"}))], "failed", "the reader process ended"),
    ],
)
def test_a_session_ends_for_a_reason(script: list[Step], ending: str, reason: str) -> None:
    with Brain(script) as brain:
        held = hold(brain)
        assert len(brain.requests) == len(script)
    assert brain.faults == []
    assert held.ending.ending == ending
    assert reason in held.ending.reason
    assert held.texts == {"a.md": "The port is 80.\n"}


def test_what_was_done_before_it_failed_stands_and_no_sentence_has_the_key() -> None:
    with Brain([say(EDIT), Refusal(403, message=KEY)]) as brain:
        held = hold(brain)
    assert (held.ending.ending, held.budget.turns) == ("failed", 1)
    assert KEY not in held.ending.reason
    assert held.texts == {"a.md": "The port is 8080.\n"}


def test_a_change_between_makes_the_same_call_new() -> None:
    back = tool("Edit", {"file_path": "a.md", "old_string": "8080", "new_string": "80"})
    script = [say(step) for step in (READ, READ, EDIT, READ, back, READ, READ)]
    with Brain([*script, say("done")]) as brain:
        assert hold(brain).ending.ending == "done"


@pytest.mark.parametrize(
    ("cap", "reason"),
    [
        ({"turns": 3}, "limit of 3 requests"),
        ({"tokens": 20_000}, "limit of 20,000 tokens"),
        ({"dollars": 0.02}, "limit of $0.02"),
    ],
)
def test_no_cap_is_ever_passed(cap: dict[str, Any], reason: str) -> None:
    number = 0

    def on(_: Mapping[str, Any]) -> Step:
        nonlocal number
        number += 1
        return say(tool("Grep", {"pattern": f"{number} " + "x" * 200}))

    caps = capped(**cap)
    with Brain(on) as brain:
        held = hold(brain, caps=caps)
    assert held.ending.ending == "capped"
    assert reason in held.ending.reason
    assert brain.requests
    assert held.budget.turns <= caps.turns
    assert held.budget.spent.all <= caps.tokens
    assert held.budget.close().dollars <= caps.dollars
    assert held.budget.spent.all > 0.5 * caps.tokens or "tokens" not in cap


def test_even_the_longest_answers_pass_no_cap() -> None:
    """The answer may have what is left, and the model uses all of it."""

    def long(body: Mapping[str, Any]) -> Step:
        words = "w" * (4 * body["max_tokens"] - 60)
        return say(words, stop="max_tokens")

    caps = capped(tokens=50_000, dollars=0.07)
    with Brain(long) as brain:
        held = hold(brain, caps=caps)
    assert held.ending.ending == "capped"
    assert held.budget.spent.all <= 50_000
    assert held.budget.spent.dollars(HAIKU) <= 0.07


def test_without_a_price_there_is_no_cap_in_dollars() -> None:
    with Brain([say("done")]) as brain:
        held = hold(brain, caps=capped(dollars=0.0), price=None)
    assert held.ending.ending == "done"
    assert held.budget.close().dollars == 0


def test_time_is_a_cap_too() -> None:
    call = tool("Glob", {"pattern": "*"})
    with Brain(lambda _: say("slow " * 20, call, pace=0.1)) as brain:
        held = hold(brain, caps=capped(seconds=0.5))
        assert len(brain.requests) == 1
    assert held.ending.ending == "capped"
    assert "0.5 seconds were over" in held.ending.reason
    assert held.reads.served == []


def test_the_model_is_told_before_the_last_answers() -> None:
    script = [say(tool("Grep", {"pattern": str(each)})) for each in range(3)]
    with Brain([*script, say("done")]) as brain:
        assert hold(brain, caps=capped(turns=4)).ending.ending == "done"
    last = [body["messages"][-1]["content"][-1] for body in brain.bodies]
    assert ["Two more answers" in str(each.get("text")) for each in last] == [
        *(False, False, True, False)
    ]


def test_broken_attempts_are_paid_for_and_prices_are_of_each_kind() -> None:
    script = [say(READ), say("first words", failing="cut", after=4), say("done")]
    with Brain(script) as brain:
        held = hold(brain, first="digest " * 8_000, price=Price(1, 10, 100, 1_000))
        usages = [request.usage for request in brain.requests if request.usage]
    spent = held.budget.spent
    assert len(usages) == 3
    assert spent.input == sum(each.input for each in usages)
    assert spent.cache_read == sum(each.cache_read for each in usages) > 0
    assert spent.cache_write == sum(each.cache_write for each in usages) > 0
    counted = spent.input + 10 * spent.output + 100 * spent.cache_read + 1_000 * spent.cache_write
    assert held.budget.close().dollars == pytest.approx(counted / 1_000_000)


# The prompt cache


def dream(turns: int) -> list[Answer]:
    """A session as they are: a few calls a turn, results of some kilobytes."""
    script = []
    for turn in range(turns - 1):
        pattern = f"turn {turn} " + "lorem ipsum " * 60
        calls = [tool("Grep", {"pattern": f"{pattern}{each}"}) for each in range(1 + turn % 3)]
        script.append(say(f"Step {turn}.", *calls))
    return [*script, say("done")]


def test_a_dream_of_twelve_turns_reads_85_per_cent_from_the_cache() -> None:
    with Brain(dream(12)) as brain:
        hold(brain, first="digest " * 8_000)
        usages = [request.usage for request in brain.requests if request.usage]
    assert len(usages) == 12
    read = sum(usage.cache_read for usage in usages)
    assert read >= 0.85 * (read + sum(usage.cache_write + usage.input for usage in usages))


def test_a_turn_of_many_calls_does_not_lose_the_cache() -> None:
    """The cache is looked for at most 20 blocks before a mark; the last mark is kept instead."""
    many = [tool("Glob", {"pattern": f"{each}.md"}) for each in range(30)]
    with Brain([say(READ), say(*many), say("done")]) as brain:
        hold(brain, first="digest " * 8_000)
        last = brain.requests[-1].usage
    assert last is not None
    assert last.cache_read > 10_000


def test_each_request_begins_with_the_one_before_and_the_head_is_the_same_in_every_dream() -> None:
    heads = set()
    for first in ("one store", "another store, another day"):
        with Brain(dream(6)) as brain:
            hold(brain, first=first)
            bodies = brain.bodies
        bare = [json.dumps(unmarked(body["messages"]))[:-1] for body in bodies]
        for before, after in itertools.pairwise(bare):
            assert after.startswith(before)
        heads |= {json.dumps([body["model"], body["system"], body["tools"]]) for body in bodies}
    assert len(heads) == 1


def unmarked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: unmarked(each) for name, each in value.items() if name != "cache_control"}
    return [unmarked(each) for each in value] if isinstance(value, list) else value


def test_a_fork_has_four_marks_at_most_forces_no_call_and_names_its_betas() -> None:
    marked = {"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}
    parent = {
        "model": "claude-opus-4-6",
        "system": [marked, marked],
        "messages": [{"role": "user", "content": [marked, marked]}],
        "tool_choice": {"type": "any"},
        "betas": ["one-2026-01-01", "two"],
        "temperature": 1,
        "max_tokens": 9,
    }
    with Brain([say(READ), say("done")]) as brain:
        held = hold(brain, fork=parent)
        request = brain.requests[0]
    assert (held.ending.ending, brain.faults) == ("done", [])
    assert not {"tool_choice", "betas", "temperature"} & request.body.keys()
    assert request.headers["anthropic-beta"] == "one-2026-01-01,two"


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
    with Brain(script) as brain:
        held = hold(brain)
    assert held.tools.seen == ["The port is 80.\n", "no such file", "no such file"]
