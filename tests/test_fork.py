"""A dream that continues another client's conversation: its request, byte for byte, and one more
message."""

from __future__ import annotations

import hashlib
import json
import os
import re
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dreamd.domain.cost import price_of
from dreamd.engine.model.fork import parent
from dreamd.errors import UsageError
from tests.brain import Brain, say, tool
from tests.brain.script import Step
from tests.laptop import Laptop
from tests.scripted import picture
from tests.spoken import say as people_say

KEY = "sk-ant-" + "api03-Qw3rTy7uIoP9aSdF2gHjK5lZxC8vBnM1"
INDEX = "# Memory\n\n- The API listens on port 8040\n"
MARK = {"cache_control": {"type": "ephemeral"}}
SERVED = {"Read": "file_path", "Edit": "file_path", "Grep": "pattern"}


def listed(name: str) -> dict[str, Any]:
    """A tool as the parent has it: not in our words, nor in our order of keys."""
    fields = {SERVED[name]: {"type": "string"}} if name in SERVED else {}
    schema = {"type": "object", "properties": fields, "additionalProperties": True}
    return {"input_schema": schema, "name": name, "description": f"{name} — as the client tells it"}


PARENT: dict[str, Any] = {
    "model": "claude-opus-4-6",
    "messages": [
        {"role": "user", "content": "Grüß dich 世界, where does the API listen?"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I look \U0001f600."},
                {"type": "tool_use", "id": "toolu_p1", "name": "Read", "input": {"b": 1, "a": 0.5}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "toolu_p1", "content": "port 8040", **MARK}
            ],
        },
    ],
    "system": [
        {"type": "text", "text": "You are a client."},
        {"type": "text", "text": 'Rules of the "house": \\ / \u2028 — ' * 1_500, **MARK},
    ],
    "tools": [listed(name) for name in ("Task", "Read", "WebFetch", "Edit", "Grep")],
    "metadata": {"user_id": "ada"},
    "max_tokens": 32_000,
    "stream": True,
}


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    home = tmp_path / "home"
    memory = home / ".claude" / "projects" / "-home-dev-tidepool" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(INDEX)
    os.utime(memory / "MEMORY.md", (1_767_225_600, 1_767_225_600))
    people_say(memory.parent, "monday", "The API listens on port 9050 now, because 8040 was taken.")
    return Laptop(home, memory)


def written(home: Path, body: object) -> str:
    """The request in a file, as a client of JavaScript would write it."""
    path = home / "request.json"
    path.write_text(json.dumps(body, ensure_ascii=False, separators=(",", ":")))
    return str(path)


def environ(brain: Brain, **more: str) -> dict[str, str]:
    return {"ANTHROPIC_API_KEY": KEY, "DREAMD_MODEL__BASE_URL": brain.url, **more}


def moving_the_port(memory: Path) -> list[Step]:
    edit = {
        "file_path": str(memory / "MEMORY.md"),
        "old_string": "- The API listens on port 8040",
        "new_string": "- The API listens on port 9050 now, because 8040 was taken (2026-05-11)",
    }
    return [
        say("## orient", tool("Task", {"prompt": "do it for me"})),
        say("## gather", tool("WebFetch", {"url": "http://127.0.0.1/"}), tool("Sessions", {})),
        say("## consolidate", tool("Edit", edit)),
        say("## prune", "The port of the API is 9050 now."),
    ]


def part(raw: bytes, name: str, *, elements: int | None = None) -> bytes:
    """The bytes of a value of a JSON object as they stand in it, or of its first elements."""
    text = raw.decode("utf-8", "surrogatepass")
    decoder = json.JSONDecoder()
    at = 1
    while True:
        key, at = decoder.raw_decode(text, at)
        at += 1
        start = at
        _, at = decoder.raw_decode(text, at)
        if key == name:
            break
        at += 1
    if elements is not None:
        at = start
        for _ in range(elements):
            _, at = decoder.raw_decode(text, at + 1)
    return text[start:at].encode("utf-8", "surrogatepass")


def hashed(raw: bytes, messages: int) -> dict[str, str]:
    """What a prompt cache goes by, in its order, each by the hash of its bytes."""
    parts = {name: part(raw, name) for name in ("model", "tools", "system", "metadata")}
    parts["messages"] = part(raw, "messages", elements=messages)
    return {name: hashlib.sha256(data).hexdigest() for name, data in parts.items()}


def test_every_request_of_a_fork_begins_with_the_bytes_of_its_parent(laptop: Laptop) -> None:
    named = written(laptop.home, PARENT)
    parent = hashed(Path(named).read_bytes(), 3)
    with Brain([say("parent's own"), *moving_the_port(laptop.memory)]) as brain:
        post(brain.url, Path(named).read_bytes())
        done = laptop.run("dream", str(laptop.memory), "--fork", named, "--json", **environ(brain))
        requests = brain.requests[1:]
    assert (done.returncode, brain.faults) == (0, []), done.stderr
    assert len(requests) == 4
    for request in requests:
        assert hashed(request.raw, 3) == parent
    added = requests[0].body["messages"][3:]
    assert [each["role"] for each in added] == ["user"]
    told = added[0]["content"][0]["text"]
    assert "only these are served now: Read, Grep, Edit." in told
    assert "no Retire" in told
    assert requests[0].usage is not None
    assert requests[0].usage.cache_read > 4_096  # all that the parent had marked
    receipt = json.loads(done.stdout)
    assert (receipt["outcome"], receipt["engine"]) == ("dreamt", "model")
    assert "port 9050 now" in (laptop.memory / "MEMORY.md").read_text()
    laptop.ok("undo", "--memory", str(laptop.memory))
    assert (laptop.memory / "MEMORY.md").read_text() == INDEX


def test_tools_of_the_parent_stay_listed_and_are_denied_when_called(laptop: Laptop) -> None:
    named = written(laptop.home, PARENT)
    with Brain(moving_the_port(laptop.memory)) as brain:
        laptop.run("dream", str(laptop.memory), "--fork", named, **environ(brain))
        bodies = brain.bodies
    names = [each["name"] for each in bodies[1]["tools"]]
    assert names == ["Task", "Read", "WebFetch", "Edit", "Grep"]
    (task,) = results(bodies[1])
    (web, sessions) = results(bodies[2])
    (edit,) = results(bodies[3])
    assert task["is_error"]
    assert "no tool Task here" in task["content"]
    assert web["is_error"]
    assert not sessions.get("is_error")
    assert not edit.get("is_error")


def test_the_parents_model_is_paid_by_its_own_price(laptop: Laptop) -> None:
    named = written(laptop.home, PARENT)
    with Brain(moving_the_port(laptop.memory)) as brain:
        free = environ(brain, DREAMD_MODEL__PRICE="0/0/0/0")  # of claude-haiku-4-5, the setting's
        done = laptop.run("dream", str(laptop.memory), "--fork", named, "--json", **free)
        assert {body["model"] for body in brain.bodies} == {"claude-opus-4-6"}
    usage = json.loads(done.stdout)["usage"]
    price = price_of("claude-opus-4-6")
    assert price is not None
    counted = price.dollars(
        input_=usage["input_tokens"],
        output=usage["output_tokens"],
        cache_read=usage["cache_read_tokens"],
        cache_write=usage["cache_write_tokens"],
    )
    assert usage["dollars"] == pytest.approx(counted)
    assert counted > 0


def test_a_parent_that_thinks_gets_room_to_answer(laptop: Laptop) -> None:
    parent = {**PARENT, "thinking": {"type": "enabled", "budget_tokens": 16_000}}
    named = written(laptop.home, parent)
    with Brain(moving_the_port(laptop.memory)) as brain:
        done = laptop.run(
            "dream",
            *(str(laptop.memory), "--fork", named, "--json"),
            **environ(brain, DREAMD_MODEL__DOLLARS="5"),
        )
        assert brain.faults == []
        assert all(body["thinking"] == parent["thinking"] for body in brain.bodies)
        assert {body["max_tokens"] for body in brain.bodies} == {17_024}
    assert json.loads(done.stdout)["outcome"] == "dreamt", done.stdout


def test_a_parent_that_thinks_more_than_the_limits_leave_is_not_asked(laptop: Laptop) -> None:
    parent = {**PARENT, "thinking": {"type": "enabled", "budget_tokens": 16_000}}
    before = picture(laptop.memory)
    named = written(laptop.home, parent)
    with Brain(moving_the_port(laptop.memory)) as brain:
        done = laptop.run(
            "dream",
            *(str(laptop.memory), "--fork", named, "--json"),
            **environ(brain, DREAMD_MODEL__DOLLARS="0.4"),
        )
        assert brain.requests == []
    assert done.returncode == 1
    assert "16,000 tokens" in json.loads(done.stdout)["reason"]
    assert picture(laptop.memory) == before


def test_a_fork_in_the_middle_of_a_call_answers_it_first(laptop: Laptop) -> None:
    open_call = {"type": "tool_use", "id": "toolu_p2", "name": "Task", "input": {}}
    messages = [*PARENT["messages"], {"role": "assistant", "content": [open_call]}]
    named = written(laptop.home, {**PARENT, "messages": messages})
    with Brain(moving_the_port(laptop.memory)) as brain:
        done = laptop.run("dream", str(laptop.memory), "--fork", named, **environ(brain))
        assert brain.faults == []
        assert hashed(brain.requests[0].raw, 4) == hashed(Path(named).read_bytes(), 4)
    assert done.returncode == 0, done.stderr


def test_a_rehearsed_fork_writes_nothing(laptop: Laptop) -> None:
    before = picture(laptop.memory)
    named = written(laptop.home, PARENT)
    with Brain(moving_the_port(laptop.memory)) as brain:
        done = laptop.run(
            "dream", str(laptop.memory), "--fork", named, "--dry-run", **environ(brain)
        )
        assert hashed(brain.requests[0].raw, 3) == hashed(Path(named).read_bytes(), 3)
    assert "+- The API listens on port 9050" in done.stdout
    assert picture(laptop.memory) == before


BAD: Mapping[str, tuple[object, str]] = {
    "a list": ([PARENT], "Expected `object`, got `array`"),
    "no model": ({**PARENT, "model": ""}, "length >= 2 - at `$.model`"),
    "no messages": ({**PARENT, "messages": []}, "at `$.messages`"),
    "an odd message": ({**PARENT, "messages": ["hello"]}, "`$.messages[0]`"),
    "an odd choice": ({**PARENT, "tool_choice": "auto"}, "`$.tool_choice`"),
    "odd betas": ({**PARENT, "betas": [1]}, "`$.betas[0]`"),
    "betas that end a header": ({**PARENT, "betas": ["a\r\nx-key: b"]}, "`$.betas[0]`"),
    "many thoughts": ({**PARENT, "thinking": {"budget_tokens": "many"}}, "budget_tokens`"),
    "no end": ({**PARENT, "metadata": json.loads("[" * 600 + "]" * 600)}, "nested too deep"),
    "a search on the web": (
        {**PARENT, "tools": [*PARENT["tools"], {"type": "web_search_20250305", "name": "web"}]},
        "the API carries out itself",
    ),
    "tools of a server": ({**PARENT, "mcp_servers": [{"url": "https://a"}]}, "`mcp_servers`"),
    "a toolset": ({**PARENT, "tools": [{"type": "mcp_toolset"}]}, "field `name`"),
    "nothing to write with": ({**PARENT, "tools": [listed("Read")]}, "Edit, Write"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_no_dream_can_continue_is_refused_in_a_sentence(tmp_path: Path, what: str) -> None:
    body, words = BAD[what]
    with pytest.raises(UsageError, match=re.escape(words)) as caught:
        parent(Path(written(tmp_path, body)))
    assert "\n" not in str(caught.value)


def test_what_the_api_is_to_judge_is_its_own_to_refuse(laptop: Laptop) -> None:
    named = written(laptop.home, {**PARENT, "messages": PARENT["messages"][1:]})
    with Brain([]) as brain:
        done = laptop.run("dream", str(laptop.memory), "--fork", named, **environ(brain))
    assert (done.returncode, brain.faults) == (
        1,
        ["messages: first message must use the user role"],
    )
    assert "calls the request invalid (400)" in done.stderr
    assert (laptop.memory / "MEMORY.md").read_text() == INDEX


def test_a_request_that_cannot_be_read_is_refused_in_a_sentence(laptop: Laptop) -> None:
    path = laptop.home / "request.json"
    refused(laptop, str(path), "No such file")
    os.mkfifo(path)
    refused(laptop, str(path), "no regular file")
    path.unlink()
    half = json.dumps({**PARENT, "messages": [{"role": "user", "content": "\ud83d"}]})
    for text in ("", "{", '{"model": NaN}', "[" * 200_000, half):
        path.write_text(text)
        with pytest.raises(UsageError, match="no JSON"):
            parent(path)
    with path.open("wb") as file:
        file.truncate(16 * 2**20 + 1)
    with pytest.raises(UsageError, match="more than 15,728,640 bytes"):
        parent(path)


@pytest.mark.parametrize(
    ("words", "key"), [(("--engine", "rules"), KEY), ((), ""), (("--engine", "auto"), "")]
)
def test_the_rules_cannot_continue_a_conversation(
    laptop: Laptop, words: tuple[str, ...], key: str
) -> None:
    refused(laptop, written(laptop.home, PARENT), "engine here is rules", *words, key=key)


def refused(laptop: Laptop, named: str, why: str, *words: str, key: str = KEY) -> None:
    """The command ends as one that cannot be meant, in one line, and leaves all as it was."""
    before = picture(laptop.memory)
    done = laptop.run("dream", str(laptop.memory), "--fork", named, *words, ANTHROPIC_API_KEY=key)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert why in done.stderr
    assert picture(laptop.memory) == before


def results(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [each for each in body["messages"][-1]["content"] if each["type"] == "tool_result"]


def post(url: str, raw: bytes) -> None:
    """Send a request as the parent would, so that its prefix is in the cache."""
    request = urllib.request.Request(f"{url}/v1/messages", raw, {"content-type": "a/json"})
    with urllib.request.urlopen(request) as answer:
        answer.read()
