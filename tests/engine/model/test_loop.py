"""The session: from the first request to how it ended, over real HTTP and a scripted model."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping
from typing import Any

import msgspec.structs
import pytest

from dreamd.engine.model.line import WallsLostError
from dreamd.engine.model.order import Price
from dreamd.engine.model.troubles import ApiError
from tests.brain import Answer, Brain, Refusal, Step, say, thinking, tool, torn
from tests.engine.model.session_room import CAPS, HAIKU, hold

EDIT = tool(
    "Edit", {"file_path": "/home/ada/memory/a.md", "old_string": "80", "new_string": "8080"}
)
READ = tool("Read", {"file_path": "a.md"})


def results(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The tool results in the last message of a request."""
    return [block for block in body["messages"][-1]["content"] if block["type"] == "tool_result"]


def test_calls_are_carried_out_and_told_until_the_model_is_done() -> None:
    script = [say("## orient\nLooking.", READ), say("## consolidate", EDIT), say("## prune\nDone.")]
    phases: list[str] = []
    with Brain(script) as brain:
        held = hold(brain, phases=phases)
    assert (held.ending.ending, brain.faults) == ("done", [])
    assert held.notes.texts == {"a.md": "The port is 8080.\n"}
    assert results(brain.bodies[1])[0]["content"] == "The port is 80.\n"
    assert results(brain.bodies[2])[0]["content"] == "edited"
    assert held.session.remark == "## prune\nDone."
    assert phases == ["orient", "orient", "consolidate", "consolidate", "prune"]
    assert held.toolbox.counts == {"Read": 1, "Edit": 1}
    (call,) = held.toolbox.calls
    sent = brain.bodies[2]["messages"][-2]["content"][-1]
    assert (call["id"], call["arguments"]) == (sent["id"], sent["input"])
    assert call["facts"] == {"changed": True, "paths": ["a.md"]}
    assert held.toolbox.edited == {"a.md"}


def test_thinking_goes_back_unchanged() -> None:
    with Brain([say(thinking("let me see", "c2lnLW9m"), READ), say("ok")]) as brain:
        hold(brain)
    thought, _ = brain.bodies[1]["messages"][1]["content"]
    assert thought == {"type": "thinking", "thinking": "let me see", "signature": "c2lnLW9m"}


def test_without_announced_phases_they_are_read_off_the_calls() -> None:
    index = tool("Write", {"file_path": "MEMORY.md", "content": "x\n"})
    steps = [READ, tool("Sessions", {}), EDIT, index]
    phases: list[str] = []
    with Brain([*(say(step) for step in steps), say("end")]) as brain:
        hold(brain, phases=phases)
    assert phases[1::2] == ["orient", "gather", "consolidate", "prune"]


@pytest.mark.parametrize(
    ("block", "stop", "told"),
    [
        (torn("Write", '{"file_path": "a.md", "content": "The po'), "max_tokens", "cut off"),
        (torn("Write", '{"file_path": '), "tool_use", "no whole JSON object"),
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
    assert [name for name, _ in held.notes.served] == ["Read"]
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


def test_a_refusal_stops_the_session_and_carries_out_nothing() -> None:
    with Brain([say(EDIT, stop="refusal")]) as brain:
        held = hold(brain)
    assert held.ending.ending == "stopped"
    assert "refused" in held.ending.reason
    assert held.notes.served == []


def test_a_model_that_cannot_read_on_is_capped() -> None:
    with Brain([say("hm", stop="model_context_window_exceeded")]) as brain:
        assert hold(brain).ending.ending == "capped"


@pytest.mark.parametrize("nothing", [(), ("  \n",), (thinking("hm"),)])
def test_an_empty_answer_is_nudged_once(nothing: tuple[Any, ...]) -> None:
    with Brain([say(READ), say(*nothing), say("all done")]) as brain:
        assert hold(brain).ending.ending == "done"
        assert brain.faults == []
    with Brain([say(READ), say(*nothing), say(*nothing), say("never")]) as brain:
        held = hold(brain)
        assert (held.ending.ending, len(brain.requests)) == ("stopped", 3)
    assert "answered nothing" in held.ending.reason


def test_the_same_call_with_the_same_result_three_times_ends_it() -> None:
    with Brain(lambda _: say(READ)) as brain:
        held = hold(brain)
        assert len(brain.requests) == 3
    assert held.ending.ending == "stopped"
    assert "Read" in held.ending.reason


def test_a_change_between_makes_the_same_call_new() -> None:
    back = tool("Edit", {"file_path": "a.md", "old_string": "8080", "new_string": "80"})
    script = [say(step) for step in (READ, READ, EDIT, READ, back, READ, READ)]
    with Brain([*script, say("done")]) as brain:
        assert hold(brain).ending.ending == "done"


def test_two_edits_that_change_nothing_end_it() -> None:
    same = {"old_string": "80", "new_string": "80"}
    idle = [tool("Edit", {"file_path": "a.md", **same, "replace_all": flag}) for flag in (1, 2)]
    with Brain([say(idle[0]), say(idle[1]), say("never")]) as brain:
        held = hold(brain)
        assert len(brain.requests) == 2
    assert held.ending.ending == "stopped"
    assert "changed nothing" in held.ending.reason


@pytest.mark.parametrize(
    ("cap", "reason"),
    [
        ({"turns": 3}, "limit of 3 requests"),
        ({"tokens": 6_000}, "limit of 6,000 tokens"),
        ({"dollars": 0.01}, "limit of $0.01"),
    ],
)
def test_no_cap_is_ever_passed(cap: dict[str, Any], reason: str) -> None:
    number = 0

    def on(_: Mapping[str, Any]) -> Step:
        nonlocal number
        number += 1
        return say(tool("Grep", {"pattern": f"{number} " + "x" * 200}))

    caps = msgspec.structs.replace(CAPS, **cap)
    with Brain(on) as brain:
        held = hold(brain, caps=caps)
    assert held.ending.ending == "capped"
    assert reason in held.ending.reason
    assert brain.requests
    assert held.purse.turns <= caps.turns
    assert held.purse.spent.all <= caps.tokens
    assert held.purse.spent.dollars(HAIKU) <= caps.dollars
    assert held.purse.spent.all > 0.5 * caps.tokens or "tokens" not in cap


def test_even_the_longest_answers_pass_no_cap() -> None:
    """The answer may have what is left, and the model uses all of it."""

    def long(body: Mapping[str, Any]) -> Step:
        words = "w" * (4 * body["max_tokens"] - 60)
        return say(words, stop="max_tokens")

    caps = msgspec.structs.replace(CAPS, tokens=30_000, dollars=0.05)
    with Brain(long) as brain:
        held = hold(brain, caps=caps)
    assert held.ending.ending == "capped"
    assert held.purse.spent.all <= 30_000
    assert held.purse.spent.dollars(HAIKU) <= 0.05


def test_without_a_price_there_is_no_cap_in_dollars() -> None:
    caps = msgspec.structs.replace(CAPS, dollars=0.0)
    with Brain([say("done")]) as brain:
        held = hold(brain, caps=caps, price=None)
    assert held.ending.ending == "done"
    assert held.purse.usage()["dollars"] is None


def test_time_is_a_cap_too() -> None:
    caps = msgspec.structs.replace(CAPS, seconds=0.5)
    with Brain(lambda _: say("slow " * 40, pace=0.1)) as brain:
        held = hold(brain, caps=caps)
    assert held.ending.ending == "capped"
    assert "seconds" in held.ending.reason
    assert held.seconds < 1.5
    assert held.purse.spent.input > 0  # what broke off is billed too


def test_the_model_is_told_before_the_last_answers() -> None:
    caps = msgspec.structs.replace(CAPS, turns=4)
    script = [say(tool("Grep", {"pattern": str(each)})) for each in range(3)]
    with Brain([*script, say("done")]) as brain:
        assert hold(brain, caps=caps).ending.ending == "done"
    last = [body["messages"][-1]["content"][-1] for body in brain.bodies]
    assert ["Two more answers" in str(each.get("text")) for each in last] == [
        *(False, False, True, False)
    ]


def test_broken_attempts_are_paid_for() -> None:
    with Brain([say("first words", failing="cut", after=4), say("done")]) as brain:
        held = hold(brain)
        (_, whole) = brain.requests
    assert whole.usage is not None
    assert held.purse.lost.input == whole.usage.input
    assert held.purse.spent.input == 2 * whole.usage.input


def test_an_api_that_fails_ends_it_with_its_sentence() -> None:
    with Brain([say(READ), Refusal(401)]) as brain, pytest.raises(ApiError, match="the key"):
        hold(brain)


def test_a_helper_that_dies_ends_it() -> None:
    with (
        Brain([say(tool("Bash", {"command": "ls"}))]) as brain,
        pytest.raises(WallsLostError, match="reader process ended"),
    ):
        hold(brain)


# The prompt cache


def dream(turns: int) -> list[Answer]:
    """A session as they are: a few calls a turn, results of some kilobytes."""
    script = []
    for turn in range(turns - 1):
        pattern = f"turn {turn} " + "lorem ipsum " * 60
        calls = [tool("Grep", {"pattern": f"{pattern}{each}"}) for each in range(1 + turn % 3)]
        script.append(say(f"Step {turn}.", *calls))
    return [*script, say("done")]


def share_of_reads(brain: Brain) -> float:
    usages = [request.usage for request in brain.requests if request.usage]
    read = sum(usage.cache_read for usage in usages)
    return read / sum(usage.cache_read + usage.cache_write + usage.input for usage in usages)


def test_a_dream_of_twelve_turns_reads_85_per_cent_from_the_cache() -> None:
    with Brain(dream(12)) as brain:
        hold(brain, system="rules " * 1_000, first="digest " * 8_000)
        assert len(brain.requests) == 12
        assert share_of_reads(brain) >= 0.85


def test_a_turn_of_many_calls_does_not_lose_the_cache() -> None:
    """The cache is looked for at most 20 blocks before a mark; the last mark is kept instead."""
    many = [tool("Glob", {"pattern": f"{each}.md"}) for each in range(30)]
    with Brain([say(READ), say(*many), say("done")]) as brain:
        hold(brain, first="digest " * 8_000)
        last = brain.requests[-1].usage
    assert last is not None
    assert last.cache_read > 10_000


def test_each_request_begins_with_the_one_before() -> None:
    with Brain(dream(6)) as brain:
        hold(brain)
        bodies = brain.bodies
    bare = [json.dumps(unmarked(body["messages"]))[:-1] for body in bodies]
    for before, after in itertools.pairwise(bare):
        assert after.startswith(before)
    heads = {json.dumps([body["model"], body["system"], body["tools"]]) for body in bodies}
    assert len(heads) == 1


def unmarked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: unmarked(each) for name, each in value.items() if name != "cache_control"}
    return [unmarked(each) for each in value] if isinstance(value, list) else value


def test_the_head_is_the_same_in_every_dream() -> None:
    heads = set()
    for first in ("one store", "another store, another day"):
        with Brain([say("done")]) as brain:
            hold(brain, first=first)
            raw = brain.requests[0].raw
            heads.add(raw[: raw.index(b'"max_tokens"')])
    assert len(heads) == 1


# Fork mode

PARENT: dict[str, Any] = {
    "model": "claude-opus-4-6",
    "max_tokens": 32_000,
    "temperature": 1,
    "system": [
        {"type": "text", "text": "You are a client.", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "Grüße — 世界 " * 900, "cache_control": {"type": "ephemeral"}},
    ],
    "tools": [
        {"name": "Read", "description": "reads", "input_schema": {"type": "object"}},
        {"name": "Task", "description": "starts an agent", "input_schema": {"type": "object"}},
        {"name": "WebFetch", "description": "fetches", "input_schema": {"type": "object"}},
    ],
    "messages": [
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": [{"type": "text", "text": "hi \ud83d\ude00"}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "and?", "cache_control": {"type": "ephemeral"}},
            ],
        },
    ],
    "metadata": {"user_id": "u"},
    "stream": True,
}
PARENT = json.loads(json.dumps(PARENT))


def digest(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def test_a_fork_continues_the_parent_byte_for_byte() -> None:
    raw = json.dumps(PARENT, ensure_ascii=False, separators=(",", ":"))
    task = tool("Task", {"prompt": "do it for me"})
    with Brain([say("parent's own"), say(READ), say(task), say("done")]) as brain:
        older = {key: value for key, value in PARENT.items() if key != "temperature"}
        post(brain.url, json.dumps(older).encode())
        held = hold(brain, fork=json.loads(raw), system="RULES", first="DIGEST")
        requests = brain.requests[1:]
    assert held.ending.ending == "done"
    assert brain.faults == []
    for request in requests:
        body = request.body
        for name in ("model", "system", "tools"):
            assert digest(body[name]) == digest(PARENT[name])
            part = json.dumps(PARENT[name], ensure_ascii=False, separators=(",", ":"))
            assert part.encode() in request.raw
        assert digest(body["messages"][:3]) == digest(PARENT["messages"])
        assert "temperature" not in body
        assert body["metadata"] == PARENT["metadata"]
    added = requests[0].body["messages"][3:]
    assert [each["role"] for each in added] == ["user"]
    assert added[0]["content"][0]["text"] == "RULES\n\nDIGEST"
    assert requests[0].usage is not None
    assert requests[0].usage.cache_read > 4_096  # all of the parent's prefix
    denied = results(requests[2].body)[0]
    assert denied["is_error"]
    assert "no tool Task here" in denied["content"]
    assert all(each not in PARENT["messages"] for each in held.conversation.own)


def test_a_fork_of_a_request_with_every_mark_taken_adds_none() -> None:
    marked = {"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}
    parent = {**PARENT, "messages": [{"role": "user", "content": [marked, marked]}]}
    with Brain([say(READ), say("done")]) as brain:
        held = hold(brain, fork=parent)
    assert (held.ending.ending, brain.faults) == ("done", [])


def test_a_fork_answers_calls_that_the_parent_left_open() -> None:
    asked = {"type": "tool_use", "id": "toolu_p", "name": "Task", "input": {}}
    messages = [*PARENT["messages"], {"role": "assistant", "content": [asked]}]
    with Brain([say("done")]) as brain:
        held = hold(brain, fork={**PARENT, "messages": messages})
    assert (held.ending.ending, brain.faults) == ("done", [])


def test_a_fork_does_not_force_calls_and_names_its_betas() -> None:
    parent = {**PARENT, "tool_choice": {"type": "any"}, "betas": ["one-2026-01-01", "two"]}
    with Brain([say("done")]) as brain:
        hold(brain, fork=parent)
        (request,) = brain.requests
    assert "tool_choice" not in request.body
    assert "betas" not in request.body
    assert request.headers["anthropic-beta"] == "one-2026-01-01,two"


def post(url: str, raw: bytes) -> None:
    """Send a request as another client would, and read its answer."""
    import urllib.request

    request = urllib.request.Request(f"{url}/v1/messages", raw, {"content-type": "a/json"})
    with urllib.request.urlopen(request) as answer:
        answer.read()


# What was seen


def test_what_the_model_wrote_itself_is_no_source() -> None:
    script = [
        say(tool("Read", {"file_path": "a.md"}), tool("Read", {"file_path": "/etc/hosts"})),
        say(EDIT),
        say(
            *(tool("Read", {"file_path": path}) for path in ("a.md", "/home/ada/memory/a.md")),
            *(tool("Grep", {"pattern": "8080", "path": path}) for path in ("/", "/home/ada", "")),
            tool("Grep", {"pattern": "8080"}),
            tool("Read", {"file_path": "/state/stage/a.md"}),
            tool("Read", {"file_path": "/etc/services"}),
            tool("Sessions", {"matching": "8080"}),
        ),
        say("done"),
    ]
    with Brain(script) as brain:
        held = hold(brain)
    assert [each["tool"] for each in held.toolbox.seen] == ["Read", "Read", "Read", "Sessions"]


def test_prices_are_of_each_kind() -> None:
    with Brain([say(READ), say("done")]) as brain:
        held = hold(brain, first="digest " * 8_000, price=Price(1, 10, 100, 1_000))
        usages = [request.usage for request in brain.requests if request.usage]
    spent = held.purse.spent
    assert spent.input == sum(each.input for each in usages)
    assert spent.cache_read == sum(each.cache_read for each in usages) > 0
    assert spent.cache_write == sum(each.cache_write for each in usages) > 0
    counted = spent.input + 10 * spent.output + 100 * spent.cache_read + 1_000 * spent.cache_write
    assert held.purse.dollars == pytest.approx(counted / 1_000_000)
