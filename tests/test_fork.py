"""A dream that continues another client's conversation: its request, and one more message."""

from __future__ import annotations

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
from tests.brain import Brain, Step, results, say, text, tool
from tests.laptop import Laptop
from tests.model_home import INDEX, MOVED, OLD, edit, environ, index
from tests.scripted import picture

MARK = {"cache_control": {"type": "ephemeral"}}
SERVED = {"Read": "file_path", "Edit": "file_path", "Grep": "pattern"}
NAMES = ["Task", "Read", "WebFetch", "Edit", "Grep"]
THINKING = {"thinking": {"type": "enabled", "budget_tokens": 16_000}}


def listed(name: str) -> dict[str, Any]:
    """A tool as the parent has it: not in our words, nor in our order of keys."""
    fields = {SERVED[name]: {"type": "string"}} if name in SERVED else {}
    schema = {"type": "object", "properties": fields, "additionalProperties": True}
    return {"input_schema": schema, "name": name, "description": f"{name} — as the client tells it"}


CALL = {"type": "tool_use", "id": "toolu_p1", "name": "Read", "input": {"b": 1, "a": 0.5}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_p1", "content": "port 8040"}
RULES = 'Rules of the "house": \\ / \u2028 — ' * 1_500
PARENT: dict[str, Any] = {  # with four marks, as many as there may be
    "model": "claude-opus-4-6",
    "messages": [
        {"role": "user", "content": "Grüß dich 世界, where does the API listen?"},
        {"role": "assistant", "content": [text("I look \U0001f600."), CALL]},
        {"role": "user", "content": [RESULT | MARK, {**text("And so?"), **MARK}]},
    ],
    "system": [{**text(each), **MARK} for each in ("You are a client.", RULES)],
    "tools": [listed(name) for name in NAMES],
    "metadata": {"user_id": "ada"},
    "max_tokens": 32_000,
    "stream": True,
}
SCRIPT: list[Step] = [
    say("## orient", tool("Task", {"prompt": "do it for me"})),
    say("## gather", tool("WebFetch", {"url": "http://127.0.0.1/"}), tool("Sessions", {})),
    say("## consolidate", edit("MEMORY.md", OLD, MOVED)),
    say("## prune", "The port of the API is 9050 now."),
]


def written(home: Path, body: object) -> str:
    """The request in a file, as a client of JavaScript would write it."""
    path = home / "request.json"
    path.write_bytes(written_out(body))
    return str(path)


def begins_as(raw: bytes, body: Mapping[str, Any]) -> bool:
    """Whether a request has, byte for byte, all of another's that a prompt cache goes by."""
    for name in ("model", "tools", "system", "metadata"):
        if written_out({name: body[name]})[1:-1] not in raw:
            return False
    before = written_out({"messages": body["messages"]})[1:-2]
    return before in raw and len(json.loads(raw)["messages"]) > len(body["messages"])


def written_out(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def test_every_request_of_a_fork_begins_with_the_bytes_of_its_parent(laptop: Laptop) -> None:
    """Its tools stay listed, and are denied when called; its model is paid by its own price."""
    named = written(laptop.home, PARENT)
    raw = Path(named).read_bytes()
    with Brain([say("parent's own"), *SCRIPT]) as brain:
        post = urllib.request.Request(f"{brain.url}/v1/messages", raw, {"content-type": "a/json"})
        with urllib.request.urlopen(post) as answer:  # so that its prefix is in the cache
            answer.read()
        free = environ(brain, DREAMD_MODEL__PRICE="0/0/0/0")  # of claude-haiku-4-5, the setting's
        done = laptop.run("dream", str(laptop.memory), "--fork", named, "--json", **free)
        requests = brain.requests[1:]
    assert (done.returncode, brain.faults) == (0, []), done.stderr
    assert len(requests) == 4
    assert all(begins_as(request.raw, PARENT) for request in requests)
    (added,) = requests[0].body["messages"][3:]
    told = added["content"][0]["text"]
    assert "only these are served now: Read, Grep, Edit." in told
    assert "no Retire" in told
    assert requests[0].usage is not None
    assert requests[0].usage.cache_read > 4_096  # all that the parent had marked
    assert [each["name"] for each in requests[1].body["tools"]] == NAMES
    answers = [each for request in requests[1:] for each in results(request.body)]
    assert [bool(each.get("is_error")) for each in answers] == [True, True, False, False]
    assert "no tool Task here" in answers[0]["content"]
    receipt = json.loads(done.stdout)
    assert (receipt["outcome"], receipt["engine"]) == ("dreamt", "model")
    usage, price = receipt["usage"], price_of("claude-opus-4-6")
    assert price is not None
    counted = sum(
        usage[f"{kind}_tokens"] * getattr(price, kind) / 1_000_000
        for kind in ("input", "output", "cache_read", "cache_write")
    )
    assert usage["dollars"] == pytest.approx(counted)
    assert counted > 0
    assert 0.5 <= receipt["estimate"]["dollars"] / counted <= 2, "the parent's words are cached"
    assert MOVED in index(laptop)
    laptop.ok("undo", "--memory", str(laptop.memory))
    assert index(laptop) == INDEX


def test_a_fork_answers_the_open_call_of_a_parent_that_thinks(laptop: Laptop) -> None:
    before = picture(laptop.memory)
    open_call = {"type": "tool_use", "id": "toolu_p2", "name": "Task", "input": {}}
    messages = [*PARENT["messages"], {"role": "assistant", "content": [open_call]}]
    alien = {"tool_choice": {"type": "any"}, "betas": ["one-2026-01-01", "two"], "temperature": 1}
    body = {**PARENT, **THINKING, **alien, "messages": messages}
    named = written(laptop.home, body)
    command = ("dream", str(laptop.memory), "--fork", named, "--dry-run")
    settings = laptop.home / ".config" / "dreamd" / "config.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("model.dollars: 5\n")
    with Brain(SCRIPT) as brain:
        done = laptop.run(*command, **environ(brain))
        assert brain.faults == []
        assert begins_as(brain.requests[0].raw, body)
        assert all(body["thinking"] == THINKING["thinking"] for body in brain.bodies)
        assert {body["max_tokens"] for body in brain.bodies} == {17_024}, "room to answer"
        assert not any(alien.keys() & body.keys() for body in brain.bodies)
        assert brain.requests[0].headers["anthropic-beta"] == "one-2026-01-01,two"
    assert f"+{MOVED}" in done.stdout
    with Brain(SCRIPT) as brain:
        done = laptop.run(*command, **environ(brain, DREAMD_MODEL__DOLLARS="0.4"))
        assert brain.requests == []
    assert done.returncode == 1
    assert "16,000 tokens" in done.stderr
    assert picture(laptop.memory) == before


BAD: Mapping[str, tuple[object, str]] = {
    "no messages": ({**PARENT, "messages": []}, "at `$.messages`"),
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


def test_what_no_dream_can_continue_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for what, (body, words) in BAD.items():
        with pytest.raises(UsageError, match=re.escape(words)) as caught:
            parent(Path(written(tmp_path, body)))
        assert "\n" not in str(caught.value), what
    path = tmp_path / "request.json"
    half = json.dumps({**PARENT, "messages": [{"role": "user", "content": "\ud83d"}]})
    for torn in ("", "{", '{"model": NaN}', "[" * 200_000, half):
        path.write_text(torn)
        with pytest.raises(UsageError, match="no JSON"):
            parent(path)
    os.truncate(path, 16 * 2**20 + 1)
    with pytest.raises(UsageError, match="more than 15,728,640 bytes"):
        parent(path)
    path.unlink()
    with pytest.raises(UsageError, match="No such file"):
        parent(path)
    os.mkfifo(path)
    with pytest.raises(UsageError, match="not a regular file"):
        parent(path)
