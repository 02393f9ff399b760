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

from dreamd.sandbox import landlock
from tests.engine.claude.program import Reports, installed
from tests.laptop import ROOT, Laptop
from tests.sample import sample
from tests.scripted import picture
from tests.spoken import say as people_say

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or landlock.abi() < landlock.SCOPED_SINCE,
    reason="needs Landlock of ABI 6",
)

TOKEN = "sk-ant-" + "oat01-Qw3rTy7uIoP9aSdF2gHjK5lZxC8vBnM1"
RENEWS = "sk-ant-" + "ort01-Zx9cVb7nMq3wErTy5uIoP1aSdF8gHjK2"
INDEX = "# Memory\n\n- The API listens on port 8040\n"
MOVES = 'answer("## consolidate", "Read", "Edit")\nedit(OLD, NEW)\nresult()\n'


def logged_in(home: Path, **more: object) -> Path:
    file = home / ".claude" / ".credentials.json"
    held = {"accessToken": TOKEN, "refreshToken": RENEWS, "expiresAt": 4_102_444_800_000, **more}
    file.write_text(json.dumps({"claudeAiOauth": held}))
    file.chmod(0o600)
    return file


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    home = tmp_path / "home"
    memory = home / ".claude" / "projects" / "-home-dev-tidepool" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(INDEX)
    os.utime(memory / "MEMORY.md", (1_767_225_600, 1_767_225_600))
    people_say(memory.parent, "monday", "The API listens on port 9050 now, because 8040 was taken.")
    logged_in(home)
    return Laptop(home, memory)


@pytest.fixture
def reports() -> Iterator[Reports]:
    with Reports() as made:
        yield made


def environ(laptop: Laptop, work: str, **more: str) -> dict[str, str]:
    folder = installed(laptop.home.parent / "bin", work)
    return {
        "PATH": f"{folder}:/usr/bin:/bin",
        "ANTHROPIC_API_KEY": "",
        "TMPDIR": str(laptop.home.parent),
        "CLAUDE_CONFIG_DIR": "",
        "CLAUDE_CODE_OAUTH_TOKEN": "",
        **more,
    }


def dreamt(laptop: Laptop, work: str, *words: str, **more: str) -> dict[str, Any]:
    done = laptop.run(
        *("dream", str(laptop.memory), "--engine", "claude-cli", "--json", *words),
        **environ(laptop, work, **more),
    )
    assert done.stdout, done.stderr
    receipt = json.loads(done.stdout)
    assert isinstance(receipt, dict)
    return receipt


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
    assert receipt["usage"] == {
        "input_tokens": 1000,
        "output_tokens": 200,
        "cache_read_tokens": 3000,
        "cache_write_tokens": 400,
        "dollars": 0.0125,
        "requests": 0,
    }
    text = (laptop.memory / "MEMORY.md").read_text()
    assert "port 9050 now" in text
    assert "47 minutes" not in text  # nobody said so
    assert receipt["proposed"] == 1
    found = laptop.json("why", str(laptop.memory), "--line", "port 9050")["found"]
    assert found[0]["quote"] == "The API listens on port 9050 now, because 8040 was taken."
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
    told = reports.first()
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
    assert "port 9050 now" in told["prompt"]
    assert "no Retire" in told["prompt"]
    assert told["at"] in told["prompt"]
    assert env["CLAUDE_CODE_OAUTH_TOKEN"] == TOKEN
    assert env["HOME"] == env["CLAUDE_CONFIG_DIR"] == env["TMPDIR"]
    assert not Path(env["HOME"]).exists()
    assert not {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "AWS_SECRET_ACCESS_KEY"} & set(env)
    assert RENEWS not in json.dumps(told)
    assert TOKEN not in json.dumps(argv)
    for path in (laptop.home / ".local").rglob("*"):
        assert not path.is_file() or TOKEN.encode() not in path.read_bytes()


TRIES = """
import ctypes
def attempt(name, work):
    try:
        work()
        tried[name] = "done"
    except OSError as error:
        tried[name] = error.strerror
def write(path):
    with open(path, "a") as file:
        file.write("x")
def read(path):
    with open(path, "rb") as file:
        assert file.read(1) is not None
def connect(family, where):
    with socket.socket(family) as line:
        line.settimeout(5)
        line.connect(where)
def pair():
    one, two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, two:
        one.connect(DATAGRAM)
def by_child():
    if subprocess.run(["/bin/sh", "-c", f"echo x >> {HOME}/.bashrc"], stderr=-3).returncode:
        raise OSError(1, "the child could not")
def multipath():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as line:
        line.connect(("127.0.0.1", PORT))
def fast_open():
    with socket.socket() as line:
        line.sendto(b"x", 0x20000000, ("127.0.0.1", PORT))
tried = {}
for name in (".bashrc", ".claude/settings.json", ".claude/projects/x.jsonl", "new.md"):
    attempt(f"write {name}", lambda: write(f"{HOME}/{name}"))
attempt("write memory", lambda: write(f"{MEMORY}/MEMORY.md"))
attempt("write session", lambda: write(SESSION))
attempt("write temporary", lambda: write(f"{OUTSIDE}/x"))
attempt("make folder", lambda: os.mkdir(f"{HOME}/folder"))
attempt("remove", lambda: os.unlink(f"{HOME}/spare"))
attempt("rename", lambda: os.rename(f"{HOME}/spare2", "spare.md"))
attempt("truncate", lambda: os.truncate(f"{HOME}/.bashrc", 0))
attempt("mode", lambda: os.chmod(f"{HOME}/.bashrc", 0o777))
attempt("time", lambda: os.utime(f"{HOME}/.bashrc", (1, 1)))
attempt("link", lambda: os.link(f"{HOME}/.bashrc", "link.md"))
attempt("symlink", lambda: os.symlink(f"{HOME}/.bashrc", "symlink.md"))
attempt("child", by_child)
for name in (".claude/.credentials.json", ".claude.json", ".aws/credentials", ".ssh/key"):
    attempt(f"read {name}", lambda: read(f"{HOME}/{name}"))
attempt("read environment", lambda: read(f"/proc/{os.getppid()}/environ"))
attempt("signal", lambda: os.kill(os.getppid(), 0))
attempt("local socket", lambda: connect(socket.AF_UNIX, LOCAL))
attempt("datagrams", pair)
attempt("another port", lambda: connect(socket.AF_INET, ("127.0.0.1", PORT)))
attempt("multipath", multipath)
attempt("fast open", fast_open)
denied = dict(tried)
tried = {}
attempt("write stage", lambda: write("new.md"))
attempt("write scratch", lambda: write(os.environ["TMPDIR"] + "/x"))
attempt("read session", lambda: read(SESSION))
attempt("read home", lambda: read(f"{HOME}/.bashrc"))
attempt("run", lambda: subprocess.run(["/bin/true"], check=True))
report({"denied": denied, "granted": tried})
result()
"""


def test_the_program_reaches_the_stage_and_the_network_and_nothing_else(
    laptop: Laptop, reports: Reports
) -> None:
    home = laptop.home
    for name in (".bashrc", "spare", "spare2", ".claude.json", ".aws/credentials", ".ssh/key"):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("x")
    before = {name: each for name, each in picture(home).items() if not name.startswith(".local")}
    with (
        tempfile.TemporaryDirectory() as outside,
        socket.create_server(("127.0.0.1", 0)) as other,
        socket.socket(socket.AF_UNIX) as local,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagram,
    ):
        local.bind(f"{outside}/local")
        local.listen()
        datagram.bind(f"{outside}/datagram")
        names = {
            "HOME": str(home),
            "MEMORY": str(laptop.memory),
            "SESSION": str(next(laptop.memory.parent.glob("*.jsonl"))),
            "OUTSIDE": outside,
            "LOCAL": f"{outside}/local",
            "DATAGRAM": f"{outside}/datagram",
            "PORT": other.getsockname()[1],
        }
        said = "".join(f"{name} = {value!r}\n" for name, value in names.items())
        work = said + TRIES
        receipt = dreamt(laptop, work, HTTPS_PROXY=reports.url)
        assert receipt["outcome"] in {"dreamt", "proposed"}, receipt["reason"]
        after = {n: each for n, each in picture(home).items() if not n.startswith(".local")}
        inside = reports.first()
        freed = controlled(laptop, work, reports.url)
    assert set(inside["granted"].values()) == {"done"}, inside["granted"]
    assert "done" not in inside["denied"].values(), inside["denied"]
    notes = str(laptop.memory.relative_to(home))
    assert {n: each for n, each in after.items() if not n.startswith(notes)} == {
        n: each for n, each in before.items() if not n.startswith(notes)
    }
    done = [name for name, came in freed["denied"].items() if came == "done"]
    assert len(done) >= len(freed["denied"]) - 4, freed["denied"]  # the attempts are real ones


def controlled(laptop: Laptop, work: str, proxy: str) -> dict[str, Any]:
    """What the same attempts bring without walls."""
    room = laptop.home.parent / "control"
    room.mkdir()
    env = environ(laptop, work, HTTPS_PROXY=proxy, TMPDIR=str(room))
    before = laptop.home.parent / "bin" / "claude"
    with Reports() as own:
        env["HTTPS_PROXY"] = own.url
        subprocess.run([before], env=env, cwd=room, input=b"", check=True, capture_output=True)
        return dict(own.first())


FAILURES = {
    "an error": (
        'result(is_error=True, result="Invalid API key · Please run /login")',
        "Please run /login",
    ),
    "an error of its own": (
        'result("error_during_execution", is_error=True, errors=["it broke"])',
        "it broke",
    ),
    "an unknown option": (
        'print("error: unknown option --tools", file=sys.stderr)\nsys.exit(1)',
        "status 1): error: unknown option --tools",
    ),
    "its token in an error": (
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
    before = picture(laptop.memory)
    done = laptop.run(
        *("dream", str(laptop.memory), "--engine", "claude-cli", "--json"),
        **environ(laptop, work, DREAMD_MODEL__SECONDS="5"),
    )
    receipt = json.loads(done.stdout)
    assert (done.returncode, receipt["outcome"]) == (1, "failed")
    assert words in receipt["reason"]
    after = picture(laptop.memory)
    assert {name: each for name, each in after.items() if "lock" not in name} == before
    assert dreamt(laptop, MOVES)["outcome"] == "dreamt"


def test_what_it_did_before_its_endpoint_failed_waits_as_a_proposal(laptop: Laptop) -> None:
    before = picture(laptop.memory)
    work = MOVES.replace("result()", 'result(is_error=True, result="API Error: 529 Overloaded")')
    done = laptop.run(
        *("dream", str(laptop.memory), "--engine", "claude-cli", "--json"), **environ(laptop, work)
    )
    failed = json.loads(done.stdout)
    assert (done.returncode, failed["outcome"], failed["proposed"]) == (1, "failed", 1)
    assert "529" in failed["reason"]
    assert "1 note until then wait as a proposal" in failed["reason"]
    assert failed["usage"]["dollars"] == 0.0125
    after = picture(laptop.memory)
    assert {name: each for name, each in after.items() if "lock" not in name} == before
    assert laptop.json("show", failed["dream"], "--conversation")["messages"]
    laptop.ok("accept", failed["dream"])
    assert "9050" in (laptop.memory / "MEMORY.md").read_text()


CAPS = {
    "its budget": (MOVES.replace("result()", 'result("error_max_budget_usd")'), "dollars"),
    "its turns": (MOVES.replace("result()", 'result("error_max_turns", is_error=True)'), "turns"),
    "its time": (MOVES.replace("result()", "time.sleep(600)"), "5 seconds were over"),
    "its tokens": (
        MOVES.replace("result()", 'answer("more", tokens=3000)\ntime.sleep(600)'),
        "2,000 tokens",
    ),
}


@pytest.mark.parametrize("what", sample(CAPS))
def test_what_a_limit_ended_becomes_a_proposal(laptop: Laptop, what: str) -> None:
    work, words = CAPS[what]
    more = {"DREAMD_MODEL__SECONDS": "5"}
    if what == "its tokens":
        more["DREAMD_MODEL__TOKENS"] = "2000"
    receipt = dreamt(laptop, work, **more)
    assert (receipt["outcome"], receipt["proposed"]) == ("proposed", 1), receipt["reason"]
    assert words in receipt["reason"]
    assert (laptop.memory / "MEMORY.md").read_text() == INDEX
    laptop.ok("accept", "--memory", str(laptop.memory))
    assert "9050" in (laptop.memory / "MEMORY.md").read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_program_ends_with_the_dream(laptop: Laptop, reports: Reports, number: int) -> None:
    work = 'report({"pid": os.getpid()})\ntime.sleep(600)'
    env = {k: v for k, v in os.environ.items() if not k.startswith(("DREAMD_", "XDG_", "GIT_"))}
    env |= {"HOME": str(laptop.home), "PYTHONPATH": str(ROOT)}
    env |= environ(laptop, work, HTTPS_PROXY=reports.url)
    words = ("dream", str(laptop.memory), "--engine", "claude-cli")
    dream = subprocess.Popen(
        [sys.executable, "-m", "dreamd", *words], env=env, stdout=-1, stderr=subprocess.PIPE
    )
    until = time.monotonic() + 20
    while not reports.heard and time.monotonic() < until:
        time.sleep(0.02)
    dream.send_signal(number)
    dream.communicate(timeout=20)
    pid = reports.heard[0]["pid"]
    while is_there(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_there(pid)
    assert (laptop.memory / "MEMORY.md").read_text() == INDEX
    assert dreamt(laptop, MOVES)["outcome"] == "dreamt"


def test_what_it_left_in_the_background_is_gone(laptop: Laptop, reports: Reports) -> None:
    work = 'child = subprocess.Popen(["/bin/sleep", "600"])\nreport({"pid": child.pid})\nresult()'
    dreamt(laptop, work, HTTPS_PROXY=reports.url)
    assert not is_there(reports.heard[0]["pid"])


def is_there(pid: int) -> bool:
    """Whether a process runs; one that ended and whose end nobody noted does not."""
    try:
        stat = (Path("/proc") / str(pid) / "stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_the_day_has_one_budget_for_it_too(laptop: Laptop) -> None:
    work = "edit(OLD, NEW)\nresult()"
    done = laptop.run(
        *("dream", str(laptop.memory), "--engine", "claude-cli", "--json"),
        **environ(laptop, work, DREAMD_MODEL__DAY_DOLLARS="0"),
    )
    assert done.returncode == 1
    assert "budget" in json.loads(done.stdout)["reason"]
    assert (laptop.memory / "MEMORY.md").read_text() == INDEX


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
    laptop: Laptop, held: str | None, words: str
) -> None:
    file = laptop.home / ".claude" / ".credentials.json"
    file.unlink()
    if held is not None:
        file.write_text(held)
    command = ("dream", str(laptop.memory), "--engine", "claude-cli")
    done = laptop.run(*command, **environ(laptop, MOVES))
    assert (done.returncode, done.stderr.count("\n")) == (78, 1)
    assert words in done.stderr
    assert "setup-token" in done.stderr
    status = laptop.run(
        "status", str(laptop.memory), **environ(laptop, MOVES, DREAMD_ENGINE="claude-cli")
    )
    assert status.returncode == 0, status.stderr
    long_lived = environ(laptop, MOVES, CLAUDE_CODE_OAUTH_TOKEN=TOKEN)
    assert laptop.run(*command, **long_lived).returncode == 0


def test_without_the_program_a_sentence_says_so(laptop: Laptop) -> None:
    command = ("dream", str(laptop.memory), "--engine", "claude-cli")
    done = laptop.run(*command, **(environ(laptop, MOVES) | {"PATH": "/usr/bin:/bin"}))
    assert (done.returncode, done.stderr.count("\n")) == (78, 1)
    assert "needs the program `claude`" in done.stderr
    (laptop.home / ".local").mkdir(exist_ok=True)
    installed(laptop.home / ".local" / "bin", MOVES)
    found = laptop.run(*command, **(environ(laptop, MOVES) | {"PATH": "/usr/bin:/bin"}))
    assert found.returncode == 0, found.stderr


def test_the_program_cannot_continue_a_conversation(laptop: Laptop) -> None:
    request = laptop.home / "request.json"
    messages = [{"role": "user", "content": "Hello."}]
    request.write_text(json.dumps({"model": "some-model", "max_tokens": 9, "messages": messages}))
    command = ("dream", str(laptop.memory), "--engine", "claude-cli", "--fork", str(request))
    done = laptop.run(*command, **environ(laptop, MOVES))
    assert done.returncode == 2
    assert "engine here is claude-cli" in done.stderr
