"""A dream by the client's own program: the real one, in front of the scripted server."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from dreamd.engine.model.prompt import SYSTEM
from dreamd.engine.model.tools import TOOLS
from tests.brain import Answer, Block, Brain, Refusal, Script, Step, say, tool
from tests.laptop import ROOT, Laptop, ran
from tests.model_home import INDEX, MOVED, OLD, descendants, edit, index, is_there, laptop
from tests.pace import until
from tests.sample import sample
from tests.scripted import picture

__all__ = ["laptop"]
INSTALLED = find_spec("claude_agent_sdk") is not None
real = pytest.mark.skipif(
    not INSTALLED, reason="claude-agent-sdk (dreamd[claude]), which carries the program, is absent"
)
TOKEN = "sk-ant-" + "oat01-Qw3rTy7uIoP9aSdF2gHjK5lZxC8vBnM1"


def ours(name: str, **arguments: Any) -> Block:
    return tool(f"mcp__dreamd__{name}", arguments)


def moves(*more: Block) -> list[Answer]:
    """A session that moves a port and says what it was."""
    change = ours("Edit", **edit("MEMORY.md", OLD, MOVED)["input"])
    first = ours("Read", file_path="MEMORY.md")
    return [say("## orient", first, *more), say("## consolidate", change), say("Moved the port.")]


def environ(laptop: Laptop, url: str, **more: str) -> dict[str, str]:
    file = laptop.home / ".config/dreamd/config.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"model: {{base_url: '{url}'}}\n")
    unset = dict.fromkeys(("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"), "")
    place = {"CLAUDE_CONFIG_DIR": str(laptop.home / ".claude")}
    quick = {"CLAUDE_CODE_MAX_RETRIES": "0", "PATH": "/usr/bin:/bin"}
    login = {"CLAUDE_CODE_OAUTH_TOKEN": TOKEN}
    return {**unset, **place, **login, **quick, "TMPDIR": str(laptop.home.parent), **more}


def command(laptop: Laptop) -> tuple[str, ...]:
    return ("dream", str(laptop.memory), "--engine", "claude-cli", "--json")


def dreamt(laptop: Laptop, script: Script, *words: str, **more: str) -> dict[str, Any]:
    """Run a dream with this script; return its receipt, with its exit code as `code`."""
    with Brain(script) as brain:
        done = laptop.run(*command(laptop), *words, **environ(laptop, brain.url, **more))
    assert not brain.faults
    assert done.stdout, done.stderr
    return {**json.loads(done.stdout), "code": done.returncode}


def results(body: Mapping[str, Any]) -> list[str]:
    return [json.dumps(each) for each in body["messages"][-1]["content"] if "tool_use_id" in each]


@real
def test_the_program_dreams_with_our_tools_alone_is_reviewed_and_is_undone(laptop: Laptop) -> None:
    home, before = laptop.home, picture(laptop.home / ".claude")
    for name, text in {  # what a project or a user has set does not count
        ".claude/settings.json": {
            "hooks": {
                each: [{"hooks": [{"type": "command", "command": f"touch {home}/hooked"}]}]
                for each in ("SessionStart", "PreToolUse", "Stop")
            },
            "permissions": {"allow": ["Bash", "Write"]},
        },
        ".mcp.json": {"mcpServers": {"their": {"command": "touch", "args": [f"{home}/served"]}}},
        ".claude/CLAUDE.md": "Say hello.",
    }.items():
        (home / name).write_text(json.dumps(text))
    unsaid = say(
        ours("Edit", **edit("MEMORY.md", MOVED, f"{MOVED}\n- Rollback takes 47 min.")["input"])
    )
    others = (
        tool("Bash", {"command": f"touch {home}/ran"}),
        tool("Write", {"file_path": f"{home}/written", "content": "x"}),
        tool("mcp__their__touch", {}),
    )
    first, second, last = moves(*others)
    with Brain([first, second, unsaid, last]) as brain:
        key = {"ANTHROPIC_API_KEY": "sk-ant-" + "api03-notthisone00000000000"}
        done = laptop.run(*command(laptop), **environ(laptop, brain.url) | key)
        requests = brain.requests
    assert (done.returncode, brain.faults) == (0, []), done.stderr
    receipt = json.loads(done.stdout)
    assert (receipt["outcome"], receipt["engine"], receipt["proposed"]) == (
        "dreamt",
        "claude-cli",
        1,
    )
    body = requests[0].body
    offered = {each["name"]: (each["description"], each["input_schema"]) for each in body["tools"]}
    assert offered.keys() == {f"mcp__dreamd__{each.name}" for each in TOOLS}
    assert all(offered[f"mcp__dreamd__{each.name}"][0] == each.description for each in TOOLS)
    assert SYSTEM in [each["text"] for each in body["system"]]
    assert "Say hello" not in json.dumps(body)
    assert {each.headers["authorization"] for each in requests} == {f"Bearer {TOKEN}"}
    assert not any("x-api-key" in each.headers for each in requests)
    answers = results(requests[1].body)
    assert ["No such tool" in each for each in answers] == [False, True, True, True], answers
    assert not any((home / each).exists() for each in ("hooked", "served", "ran", "written"))
    aside = [path for path in home.rglob("*") if path.is_file() and ".local" not in path.parts]
    heard = [path.suffix for path in aside if b"9050" in path.read_bytes()]
    assert sorted(heard) == [".jsonl", ".md"], "the session of before, and the note"
    used = [each.usage for each in requests if each.usage]
    counted = receipt["usage"]
    assert counted["requests"] == 4
    assert counted["cache_read_tokens"] == sum(each.cache_read for each in used)
    assert counted["cache_write_tokens"] == sum(each.cache_write for each in used)
    assert all(each.cache_read for each in used[1:]), "each request reads what the last one wrote"
    assert 0 < counted["dollars"] < 0.1
    assert MOVED in index(laptop)
    assert "47 min" not in index(laptop), "nobody said so"
    assert "## consolidate" in laptop.ok("show", "--memory", str(laptop.memory), "--conversation")
    laptop.ok("undo", "--memory", str(laptop.memory))
    after = {n: e for n, e in picture(home / ".claude").items() if n.startswith("projects/")}
    assert {n: e for n, e in after.items() if "lock" not in n} == {
        n: e for n, e in before.items() if n.startswith("projects/")
    }, "the program left no transcript, and the notes are as they were"


@real
def test_a_session_is_continued_while_it_is_underway_and_leaves_no_transcript(
    laptop: Laptop,
) -> None:
    """`/dream` gives its id. What the parent had in the cache does not serve: its tools differ."""
    import claude_agent_sdk

    skill = laptop.home / ".claude/skills/dream/SKILL.md"
    skill.parent.mkdir(parents=True)
    written = (ROOT / "dreamd/install/plugin/SKILL.md").read_text()
    skill.write_text(written.replace("@DREAMD@", "dreamd"))
    held = {"accessToken": TOKEN, "expiresAt": 4_102_444_800_000, "scopes": ["user:inference"]}
    login = laptop.home / ".claude/.credentials.json"  # the client gives no command its token
    login.write_text(json.dumps({"claudeAiOauth": {**held, "refreshToken": "none"}}))
    session, projects = str(uuid4()), laptop.home / ".claude/projects"
    project = laptop.home / "tidepool"
    project.mkdir()
    sessions = projects / re.sub("[^a-zA-Z0-9]", "-", str(project))
    folders = [f"--sessions={each}" for each in (laptop.memory.parent, sessions)]
    dream = [sys.executable, "-m", "dreamd", *command(laptop), *folders, "--fork", session]
    script = [
        say("Gladly.", tool("Bash", {"command": shlex.join(dream), "timeout": 100_000})),
        *moves(),
        say("The dream is over."),
    ]
    with Brain(script) as brain:
        given = environ(laptop, brain.url, ANTHROPIC_BASE_URL=brain.url)
        del given["CLAUDE_CODE_OAUTH_TOKEN"]
        program = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
        argv = [program, "-p", "/dream", "--session-id", session, "--allowedTools", "Bash"]
        argv += ["--model", "claude-haiku-4-5"]
        ran(list(map(str, argv)), laptop.environ(**given), project)
    assert brain.faults == []
    parent, *own, last = brain.requests
    assert f"dream --fork {session}" in json.dumps(parent.body["messages"])
    said = json.loads(results(last.body)[0])["content"].partition("\n\n<system")[0]
    receipt = json.loads(said)
    assert (receipt["outcome"], receipt["usage"]["requests"]) == ("dreamt", 3)
    assert MOVED in index(laptop)
    assert len(own) == 3
    for request in own:
        assert "Gladly." in json.dumps(request.body["messages"])
        assert all(each["name"].startswith("mcp__dreamd__") for each in request.body["tools"])
        assert request.body["model"] == "claude-haiku-4-5"
    used = [each.usage for each in own if each.usage]
    assert used[0].cache_read == 0
    assert [each.cache_read for each in used[1:]] == [
        each.cache_read + each.cache_write for each in used[:-1]
    ]
    counted = receipt["usage"]
    assert counted["cache_read_tokens"] == sum(each.cache_read for each in used) > 0
    assert [each.name for each in sessions.glob("*.jsonl")] == [f"{session}.jsonl"]
    assert len(list(projects.iterdir())) == 2
    for named in (str(uuid4()), "request.json", f"../tidepool/{session}"):
        done = laptop.run(*command(laptop), "--fork", named, **given)
        assert (done.returncode, "id of no session" in done.stderr) == (2, True), done.stderr
    done = laptop.run(*command(laptop), **given, DREAMD_MODEL__BASE_URL="https://elsewhere.example")
    assert (done.returncode, "no address" in done.stderr) == (78, True)
    laptop.ok("dream", str(laptop.memory), "--engine", "rules", "--fork", session)


DEATH = say("Nobody hears this: the program is killed before.")
FAILURES: Mapping[str, tuple[list[Step], dict[str, str], str]] = {
    "no login": ([], {"CLAUDE_CODE_OAUTH_TOKEN": ""}, "`claude setup-token`"),
    "a login that is refused": ([Refusal(401, "authentication_error")], {}, "`claude setup-token`"),
    "an overload": ([Refusal(529, "overloaded_error")], {}, "claude failed: API Error: 529"),
    "silence": ([say("Hm.", failing="stall")], {"DREAMD_MODEL__SECONDS": "15"}, "15 seconds"),
    "its death": ([DEATH], {}, "without a result: status -9"),
}


@real
@pytest.mark.parametrize("what", sample(FAILURES))
def test_a_session_that_fails_says_why_and_what_it_did_waits(laptop: Laptop, what: str) -> None:
    script, given, words = FAILURES[what]
    done = [] if what == "no login" else moves()[:2]
    steps = iter([*done, *script])

    def next_step(_body: Mapping[str, Any]) -> Step:
        step = next(steps, script[-1])
        for pid in descendants(os.getpid()) if step is DEATH else ():
            if (Path("/proc") / str(pid) / "exe").resolve().name == "claude":
                os.kill(pid, signal.SIGKILL)
        return step

    receipt = dreamt(laptop, next_step, **given)
    assert words in receipt["reason"], receipt["reason"]
    ended_as = "proposed" if what == "silence" else "failed"  # a limit
    assert (receipt["outcome"], receipt["proposed"]) == (ended_as, int(bool(done)))
    assert index(laptop) == INDEX
    if done:
        assert laptop.json("show", receipt["dream"], "--conversation")["messages"]
        laptop.ok("accept", receipt["dream"])
        assert MOVED in index(laptop)


CAPS = {
    "turns": ({"DREAMD_MODEL__TURNS": "2"}, "requests (model.turns)"),
    "dollars": ({"DREAMD_MODEL__DOLLARS": "0.02"}, "(model.dollars"),
    "tokens": ({"DREAMD_MODEL__TOKENS": "12000"}, "12,000 tokens"),
}


@real
@pytest.mark.parametrize("what", sample(CAPS))
def test_what_a_limit_ended_waits_as_a_proposal(laptop: Laptop, what: str) -> None:
    given, words = CAPS[what]
    first, second, last = moves()
    long = say("Very long. " * 2_000, ours("Glob", pattern="*"))
    receipt = dreamt(laptop, [second, first, long, first, last], **given)
    assert (receipt["outcome"], receipt["proposed"]) == ("proposed", 1), receipt["reason"]
    assert words in receipt["reason"]
    assert index(laptop) == INDEX
    assert receipt["usage"]["dollars"] > 0


@real
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_program_ends_with_the_dream(laptop: Laptop, number: int) -> None:
    silent = say("Hm.", failing="stall", after=2)
    with Brain([moves()[1], silent]) as brain:
        dream = laptop.start(*command(laptop), **environ(laptop, brain.url))
        for _ in range(2):
            assert brain.arrived.acquire(timeout=60)
        pids = descendants(dream.pid)
        assert len(pids) >= 2, "the program, and the reader"
        os.kill(dream.pid, number)
        began = time.monotonic()
        dream.ended()
        until(lambda: not any(map(is_there, pids)))
        assert time.monotonic() - began < 5
    assert index(laptop) == INDEX
    assert dreamt(laptop, moves())["outcome"] == "dreamt"


@real
def test_the_program_of_the_user_is_used_where_there_is_one(laptop: Laptop) -> None:
    program = laptop.home / ".local/bin/claude"
    program.parent.mkdir(parents=True)
    lines = ("#!/bin/sh", "[ $1 = --version ] && exec echo 2.1.248", "read it")
    program.write_text("\n".join((*lines, 'echo "I am yours: $1" >&2', "exit 3", "")))
    program.chmod(0o755)
    receipt = dreamt(laptop, [])
    assert (receipt["code"], receipt["outcome"]) == (1, "failed")
    assert "without a result: I am yours: --output-format" in receipt["reason"]
    status = laptop.ok("status", str(laptop.memory), DREAMD_ENGINE="claude-cli")
    assert f"held by {program}" in status
    program.write_text(program.read_text().replace("2.1.248", "2.1.247"))
    status = laptop.ok("status", str(laptop.memory), DREAMD_ENGINE="claude-cli")
    assert "held by the program of claude-agent-sdk" in status, "an old one would read what @ names"


def test_without_the_package_a_sentence_says_what_to_install(laptop: Laptop) -> None:
    hidden = laptop.home / "sitecustomize.py"
    hidden.write_text("import sys\nsys.modules['claude_agent_sdk'] = None\n")
    given = {"PYTHONPATH": f"{laptop.home}:{ROOT}", "DREAMD_ENGINE": "claude-cli"}
    done = laptop.cold("dream", str(laptop.memory), **given)
    assert (done.returncode, done.stderr.count("\n")) == (78, 1)
    assert "install dreamd[claude]" in done.stderr
    assert "install dreamd[claude]" in laptop.cold("status", str(laptop.memory), **given).stdout
