"""A dream by the user's own program: what it is told, what it can reach, and how it may fail."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dreamd.domain.receipt import Usage
from dreamd.engine.claude.session import Output
from dreamd.sandbox import landlock
from tests.engine.claude.program import Reports, installed, reporting
from tests.laptop import Laptop
from tests.model_home import INDEX, SAID, index, is_there, laptop, unlocked
from tests.sample import sample
from tests.scripted import picture

__all__ = ["laptop"]
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or landlock.abi() < landlock.SCOPED_SINCE,
    reason="needs Landlock of ABI 6",
)

TOKEN = "sk-ant-" + "oat01-Qw3rTy7uIoP9aSdF2gHjK5lZxC8vBnM1"
RENEWS = "sk-ant-" + "ort01-Zx9cVb7nMq3wErTy5uIoP1aSdF8gHjK2"
MOVES = 'answer("## consolidate", "Read", "Edit")\nedit(OLD, NEW)\nresult()\n'


@pytest.fixture(autouse=True)
def credentials(laptop: Laptop) -> Path:
    file = laptop.home / ".claude" / ".credentials.json"
    held = {"accessToken": TOKEN, "refreshToken": RENEWS, "expiresAt": 4_102_444_800_000}
    file.write_text(json.dumps({"claudeAiOauth": held}))
    file.chmod(0o600)
    return file


@pytest.fixture
def reports() -> Iterator[Reports]:
    with reporting() as made:
        yield made


def environ(laptop: Laptop, work: str, **more: str) -> dict[str, str]:
    folder = installed(laptop.home.parent / "bin", work)
    unset = dict.fromkeys(("ANTHROPIC_API_KEY", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN"), "")
    path = f"{folder}:/usr/bin:/bin"
    return {"PATH": path, "TMPDIR": str(laptop.home.parent), **unset, **more}


def command(laptop: Laptop) -> tuple[str, ...]:
    return ("dream", str(laptop.memory), "--engine", "claude-cli", "--json")


def dreamt(laptop: Laptop, work: str, **more: str) -> dict[str, Any]:
    """Run a dream with a program that does this; return its receipt, its exit code as `code`."""
    done = laptop.run(*command(laptop), **environ(laptop, work, **more))
    assert done.stdout, done.stderr
    return {**json.loads(done.stdout), "code": done.returncode}


def test_the_program_dreams_is_reviewed_and_is_undone(laptop: Laptop) -> None:
    before = picture(laptop.home / ".claude")
    work = """
    answer("## consolidate", "Read", "Edit")
    edit(OLD, NEW + "\\n- The rollback takes 47 minutes.")
    result()
    """
    receipt = dreamt(laptop, work)
    assert (receipt["outcome"], receipt["engine"]) == ("dreamt", "claude-cli")
    assert receipt["level"].startswith("landlock")
    usage = {"input": 1000, "output": 200, "cache_read": 3000, "cache_write": 400}
    usage = {f"{kind}_tokens": count for kind, count in usage.items()}
    assert receipt["usage"] == usage | {"dollars": 0.0125, "requests": 0}
    assert "port 9050 now" in index(laptop)
    assert "47 minutes" not in index(laptop)  # nobody said so
    assert receipt["proposed"] == 1
    found = laptop.json("why", str(laptop.memory), "--line", "port 9050")["found"]
    assert found[0]["quote"] == SAID
    assert "## consolidate" in laptop.ok("show", "--memory", str(laptop.memory), "--conversation")
    laptop.ok("undo", "--memory", str(laptop.memory))
    after = picture(laptop.home / ".claude")
    assert {name: each for name, each in after.items() if "lock" not in name} == before


def test_the_program_is_told_all_and_lent_only_what_a_session_needs(
    laptop: Laptop, reports: Reports
) -> None:
    work = 'report({"argv": sys.argv, "env": dict(os.environ), "prompt": prompt, "at": stage})\n'
    dreamt(
        laptop,
        work + MOVES,
        HTTPS_PROXY=reports.url,
        ANTHROPIC_API_KEY="sk-ant-" + "api03-notthisone00000000000",
        ANTHROPIC_BASE_URL="https://elsewhere.example",
        AWS_SECRET_ACCESS_KEY="hush",
        DREAMD_MODEL__DOLLARS="0.25",
        DREAMD_MODEL__TURNS="9",
    )
    told = reports.next()
    argv, env = told["argv"], told["env"]
    for flag in ("--print", "--verbose", "--strict-mcp-config", "--no-session-persistence"):
        assert flag in argv
    for flag, value in {
        "--output-format": "stream-json",
        "--tools": "Read,Grep,Glob,Edit,Write",
        "--setting-sources": "",
        "--max-budget-usd": "0.2500",
        "--max-turns": "9",
        "--model": "claude-haiku-4-5",
    }.items():
        assert argv[argv.index(flag) + 1] == value
    for words in ("port 9050 now", "no Retire", told["at"]):
        assert words in told["prompt"]
    assert env["CLAUDE_CODE_OAUTH_TOKEN"] == TOKEN
    assert env["HOME"] == env["CLAUDE_CONFIG_DIR"] == env["TMPDIR"]
    assert not Path(env["HOME"]).exists()
    assert not {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "AWS_SECRET_ACCESS_KEY"} & set(env)
    assert RENEWS not in json.dumps(told)
    assert TOKEN not in json.dumps(argv)
    for path in (laptop.home / ".local").rglob("*"):
        assert not path.is_file() or TOKEN.encode() not in path.read_bytes()


# A few of the ways out that `tests/sandbox` has by the hundred: this client is behind that wall.
TRIES = """
def attempt(work):
    try:
        work()
    except OSError as error:
        return error.strerror
    return "done"
def write(path):
    return lambda: open(path, "a").write("x")
def read(path):
    return lambda: open(path, "rb").read(1)
def connect(family, where):
    return lambda: socket.socket(family).connect(where)
def by_child():
    if subprocess.run(["/bin/sh", "-c", f"echo x >> {HOME}/.bashrc"], stderr=-3).returncode:
        raise OSError(1, "the child could not")
PLACES = (f"{HOME}/.bashrc", f"{HOME}/.claude/settings.json", MEMORY, SESSION, f"{OUTSIDE}/x")
SECRETS = (".claude/.credentials.json", ".claude.json", ".aws/credentials", ".ssh/key")
denied = {f"write {path}": write(path) for path in PLACES}
denied |= {f"read {name}": read(f"{HOME}/{name}") for name in SECRETS} | {
    "remove": lambda: os.unlink(f"{HOME}/spare"),
    "rename": lambda: os.rename(f"{HOME}/spare2", "spare.md"),
    "link": lambda: os.link(f"{HOME}/.bashrc", "link.md"),
    "child": by_child,
    "read environment": read(f"/proc/{os.getppid()}/environ"),
    "signal": lambda: os.kill(os.getppid(), 0),
    "local socket": connect(socket.AF_UNIX, f"{OUTSIDE}/local"),
    "another port": connect(socket.AF_INET, ("127.0.0.1", PORT)),
}
granted = {
    "write stage": write("new.md"),
    "write scratch": write(os.environ["TMPDIR"] + "/x"),
    "read session": read(SESSION),
    "read home": read(f"{HOME}/.bashrc"),
    "run": lambda: subprocess.run(["/bin/true"], check=True),
}
tries = {"denied": denied, "granted": granted}
report({kind: {name: attempt(each[name]) for name in each} for kind, each in tries.items()})
result()
"""


def test_the_program_reaches_the_stage_and_the_network_and_nothing_else(
    laptop: Laptop, reports: Reports
) -> None:
    home = laptop.home
    for name in (".bashrc", "spare", "spare2", ".claude.json", ".aws/credentials", ".ssh/key"):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("x")
    notes = str(laptop.memory.relative_to(home))

    def around() -> dict[str, Any]:
        found = picture(home).items()
        return {name: each for name, each in found if not name.startswith((".local", notes))}

    before = around()
    with (
        tempfile.TemporaryDirectory() as outside,
        socket.create_server(("127.0.0.1", 0)) as other,
        socket.socket(socket.AF_UNIX) as local,
    ):
        local.bind(f"{outside}/local")
        local.listen()
        names = {
            "HOME": str(home),
            "MEMORY": str(laptop.memory / "MEMORY.md"),
            "SESSION": str(next(laptop.memory.parent.glob("*.jsonl"))),
            "OUTSIDE": outside,
            "PORT": other.getsockname()[1],
        }
        work = "".join(f"{name} = {value!r}\n" for name, value in names.items()) + TRIES
        receipt = dreamt(laptop, work, HTTPS_PROXY=reports.url)
        assert receipt["outcome"] in {"dreamt", "proposed"}, receipt["reason"]
        inside = reports.next()
        assert around() == before
        room = home.parent / "control"  # the attempts are real ones: without walls they succeed
        room.mkdir()
        env = environ(laptop, work, HTTPS_PROXY=reports.url, TMPDIR=str(room))
        claude = home.parent / "bin" / "claude"
        subprocess.run([claude], env=env, cwd=room, input=b"", check=True, capture_output=True)
        freed = reports.next()["denied"]
    assert set(inside["granted"].values()) == {"done"}, inside["granted"]
    assert "done" not in inside["denied"].values(), inside["denied"]
    assert list(freed.values()).count("done") >= len(freed) - 2, freed


FAILURES = {
    "an error": ('result(is_error=True, result="Please run /login")', "Please run /login"),
    "its own": ('result("error", is_error=True, errors=["it broke"])', "it broke"),
    "an option": ('sys.exit("unknown option --tools")', "status 1): unknown option --tools"),
    "its token": (
        'sys.exit("no access with " + os.environ["CLAUDE_CODE_OAUTH_TOKEN"])',
        "no access with [token]",
    ),
    "its death": ("edit(OLD, NEW)\nos.kill(os.getpid(), 9)", "status -9"),
    "no words": ("print('hello')", "without a result"),
    "silence": ("time.sleep(600)", "said nothing in 5 seconds"),
    "noise": ('while True: print("x" * 1_000_000)', "said more than"),
}


@pytest.mark.parametrize("what", sample(FAILURES))
def test_a_session_that_fails_changes_nothing_and_says_why(laptop: Laptop, what: str) -> None:
    work, words = FAILURES[what]
    before = unlocked(laptop)
    receipt = dreamt(laptop, work, DREAMD_MODEL__SECONDS="5")
    assert (receipt["code"], receipt["outcome"]) == (1, "failed")
    assert words in receipt["reason"]
    assert unlocked(laptop) == before
    none = dreamt(laptop, MOVES, DREAMD_MODEL__DAY_DOLLARS="0")
    assert none["code"] == 1
    assert "budget" in none["reason"], "the day has one budget for it too"
    assert unlocked(laptop) == before


CAPS = {  # by what comes instead of a result
    "its budget": ('result("error_max_budget_usd")', "dollars"),
    "its turns": ('result("error_max_turns", is_error=True)', "turns"),
    "its time": ("time.sleep(600)", "5 seconds were over"),
    "its endpoint": ('result(is_error=True, result="API Error: 529 Overloaded")', "529"),
    "its tokens": ('answer("more", tokens=9000)\ntime.sleep(600)', "8,000 tokens"),
}


@pytest.mark.parametrize("what", [*sample(CAPS), "its endpoint"])
def test_what_a_limit_or_its_endpoint_ended_waits_as_a_proposal(laptop: Laptop, what: str) -> None:
    end, words = CAPS[what]
    limits = {"DREAMD_MODEL__SECONDS": "5", "DREAMD_MODEL__TOKENS": "8000"}
    receipt = dreamt(laptop, MOVES.replace("result()", end), **limits)
    ended = "failed" if what == "its endpoint" else "proposed"
    assert (receipt["outcome"], receipt["proposed"]) == (ended, 1), receipt["reason"]
    assert words in receipt["reason"]
    assert index(laptop) == INDEX
    assert laptop.json("show", receipt["dream"], "--conversation")["messages"]
    laptop.ok("accept", receipt["dream"])
    assert "9050" in index(laptop)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_program_ends_with_the_dream(laptop: Laptop, reports: Reports, number: int) -> None:
    work = 'child = subprocess.Popen(["/bin/sleep", "600"])\n'
    work += 'report({"pids": [os.getpid(), child.pid]})\n'
    env = environ(laptop, work + "time.sleep(600)", HTTPS_PROXY=reports.url)
    dream = laptop.start(*command(laptop), **env)
    pids, until = reports.next()["pids"], time.monotonic() + 20
    os.kill(dream.pid, number)
    dream.ended()
    if number == signal.SIGKILL:  # then nobody is left who could end what the program started
        os.kill(pids[1], signal.SIGKILL)
    while any(map(is_there, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(is_there, pids))
    assert index(laptop) == INDEX
    receipt = dreamt(laptop, work + MOVES, HTTPS_PROXY=reports.url)
    assert receipt["outcome"] == "dreamt"
    assert not any(map(is_there, reports.next()["pids"])), "what it left in the background is gone"


@pytest.mark.parametrize(
    ("held", "words"),
    [
        (None, "there is none in"),
        ("{", "holds no login"),
        ('{"claudeAiOauth": {"accessToken": "a b"}}', "holds no token"),
        ('{"claudeAiOauth": {"accessToken": "ab", "expiresAt": 1}}', "has run out"),
    ],
)
def test_without_a_login_a_sentence_says_what_to_do(
    laptop: Laptop, credentials: Path, held: str | None, words: str
) -> None:
    credentials.unlink()
    if held is not None:
        credentials.write_text(held)
    done = laptop.run(*command(laptop)[:-1], **environ(laptop, MOVES))
    assert (done.returncode, done.stderr.count("\n")) == (78, 1)
    assert words in done.stderr
    assert "setup-token" in done.stderr
    status = laptop.run(
        "status", str(laptop.memory), **environ(laptop, MOVES, DREAMD_ENGINE="claude-cli")
    )
    assert status.returncode == 0, status.stderr
    if held is None:
        assert dreamt(laptop, MOVES, CLAUDE_CODE_OAUTH_TOKEN=TOKEN)["code"] == 0


def test_without_the_program_or_with_a_fork_a_sentence_says_so(laptop: Laptop) -> None:
    bare = environ(laptop, MOVES) | {"PATH": "/usr/bin:/bin"}
    done = laptop.run(*command(laptop)[:-1], **bare)
    assert (done.returncode, done.stderr.count("\n")) == (78, 1)
    assert "needs the program `claude`" in done.stderr
    (laptop.home / ".local").mkdir(exist_ok=True)
    installed(laptop.home / ".local" / "bin", MOVES)
    assert laptop.run(*command(laptop), **bare).returncode == 0
    request = laptop.home / "request.json"
    messages = [{"role": "user", "content": "Hello."}]
    request.write_text(json.dumps({"model": "some-model", "max_tokens": 9, "messages": messages}))
    done = laptop.run(*command(laptop)[:-1], "--fork", str(request), **bare)
    assert done.returncode == 2
    assert "engine here is claude-cli" in done.stderr


@pytest.mark.parametrize("count", ["Infinity", "1e400", "NaN", "-5", "1" + "0" * 400, '"7"', "[]"])
def test_what_is_no_count_counts_nothing_and_what_has_no_end_is_passed_over(count: str) -> None:
    told = Output()
    message = {"role": "assistant", "content": [{"type": "text", "text": "%"}]}
    line = json.dumps({"type": "assistant", "message": message})
    for text in (line.replace('"%"', "[" * 940 + "]" * 940), line):
        told.take(text.encode())
    assert told.messages == [message]
    usage = f'{{"input_tokens": {count}, "output_tokens": 7}}'
    cost = f'"total_cost_usd": {count}, "usage": {usage}'
    told.take(f'{{"type": "result", "subtype": "success", {cost}}}'.encode())
    assert (told.usage, told.fault) == (Usage(output_tokens=7), "")
