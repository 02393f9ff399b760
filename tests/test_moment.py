"""Dreams that begin by themselves at the right moment, in real processes, and what they read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from dreamd import config
from dreamd.app import App
from dreamd.domain.settings import hours_of_day
from dreamd.domain.store import Store
from dreamd.errors import ConfigError
from dreamd.gates import passes
from dreamd.gates.surroundings import Day, Network
from dreamd.host import clock
from dreamd.surroundings import Around, host_of, is_here
from tests.laptop import CALM, ROOT, Laptop
from tests.spoken import say, session_id, touch

IDLE = {"DREAMD_GATES__IDLE_MINUTES": "10"}
KEY = {"ANTHROPIC_API_KEY": "sk-ant-nobody", "DREAMD_ENGINE": "model"}


def memory(home: Path, name: str, age: float = 3600) -> Path:
    """A project with five sessions, touched so many seconds ago, and never dreamt of."""
    project = home / ".claude" / "projects" / name
    for number in range(5):
        say(project, f"{name} {number}", f"Remember that host{number} listens on port 543{number}.")
        touch(project / f"{session_id(f'{name} {number}')}.jsonl", time.time() - age)
    (project / "memory").mkdir()
    (project / "memory" / "MEMORY.md").write_text("# Memory\n")
    return project / "memory"


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    home = tmp_path / "home"
    return Laptop(home, memory(home, "-home-dev-tidepool"))


@pytest.fixture
def client(laptop: Laptop) -> Iterator[Path]:
    """A client of another project that is alive; what it says of itself."""
    folder = laptop.home / ".claude" / "sessions"
    folder.mkdir()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        yield folder / f"{child.pid}.json"
        child.kill()


def says(client: Path, status: str) -> None:
    stat = Path(f"/proc/{client.stem}/stat")
    start = stat.read_text().rpartition(")")[2].split()[19] if stat.exists() else ""
    fields = {"pid": int(client.stem), "sessionId": "elsewhere", "status": status}
    client.write_text(json.dumps(fields | {"procStart": start, "updatedAt": time.time() * 1000}))


def gated(laptop: Laptop, *words: str, **environ: str) -> tuple[str, str, str]:
    said = json.loads(
        laptop.ok("dream", str(laptop.memory), "--gated", "--json", *words, **environ)
    )
    return said["outcome"], said.get("gate", ""), said["reason"]


def counted_long_ago(laptop: Laptop) -> None:
    for throttle in laptop.home.glob(".local/state/dreamd/stores/*/throttle"):
        touch(throttle, time.time() - 700)


def test_a_dream_waits_until_no_client_works_and_then_begins(laptop: Laptop, client: Path) -> None:
    says(client, "busy")
    outcome, gate, reason = gated(laptop, **IDLE)
    assert (outcome, gate) == ("skipped", "idle")
    assert f"session elsewher is working (process {client.stem})" in reason
    assert "next look in 2 min" in reason
    counted_long_ago(laptop)
    says(client, "idle")
    assert gated(laptop, **IDLE)[0] == "dreamt"


def test_a_dream_waits_while_a_session_is_touched_unless_it_is_the_asker_s(laptop: Laptop) -> None:
    mine = session_id("-home-dev-tidepool 3")
    transcript = laptop.memory.parent / f"{mine}.jsonl"
    touch(transcript, time.time() - 60)
    few = {"DREAMD_GATES__SESSIONS": "4"}
    outcome, gate, reason = gated(laptop, **IDLE, **few)
    assert (outcome, gate) == ("skipped", "idle")
    assert "a session was touched" in reason
    counted_long_ago(laptop)
    assert gated(laptop, "--current", mine, **IDLE, **few)[0] == "dreamt"


def test_a_busy_person_is_not_starved(laptop: Laptop, client: Path) -> None:
    says(client, "busy")
    assert gated(laptop, **IDLE)[1] == "idle"
    counted_long_ago(laptop)
    assert gated(laptop, **IDLE, DREAMD_GATES__CADENCE_SESSIONS="5")[0] == "dreamt"


def test_dreams_that_begin_by_themselves_are_counted_over_all_memories(laptop: Laptop) -> None:
    one = {"DREAMD_GATES__PASSES_PER_HOUR": "1"}
    kelp = memory(laptop.home, "-home-dev-kelp")
    assert gated(laptop, "--dry-run", **one)[2].startswith("dry run")  # which begins nothing
    assert gated(laptop, **one)[0] == "dreamt"
    laptop.memory = kelp
    outcome, gate, reason = gated(laptop, **one)
    assert (outcome, gate) == ("skipped", "passes")
    assert "1 dream began by itself in the last hour, as many as may (1)" in reason
    assert "next look in 1 h" in reason
    assert not list(laptop.home.glob(".local/state/dreamd/stores/*kelp*/throttle"))
    assert laptop.json("dream", str(kelp))["outcome"] == "dreamt"  # a person may, and counts not
    assert len(passes.read(laptop.home / ".local" / "state" / "dreamd")) == 1


def test_quiet_hours_hold_back_what_begins_by_itself(laptop: Laptop) -> None:
    now = clock.local(clock.now_ns())
    begins, ends = (now + timedelta(hours=by) for by in (-1, 1))
    hours = {"DREAMD_GATES__QUIET": f"{begins:%H:%M}-{ends:%H:%M}"}
    outcome, gate, reason = gated(laptop, **hours)
    assert (outcome, gate) == ("skipped", "quiet")
    assert f"these are the quiet hours {hours['DREAMD_GATES__QUIET']}" in reason
    told = laptop.ok("why", str(laptop.memory), **hours)
    assert f"they are over, {ends:%A %H:%M} (gates.quiet)" in told
    away = {"DREAMD_GATES__QUIET": f"{ends:%H:%M}-{begins:%H:%M}"}
    assert gated(laptop, **away)[0] == "dreamt"


@pytest.mark.parametrize(
    "text",
    [
        *("nights", "22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "22:00-07:00-09:00"),
        *("22.00-07.00", "2200-0700", "-22:00", "22:00-", "22:0-07:00", "\u0662:00-07:00", "-"),
    ],
)
def test_hours_that_are_none_are_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(ConfigError) as refused:
        config.load({"HOME": "/nowhere", "DREAMD_GATES__QUIET": text})
    assert str(refused.value) == (
        "the environment variable DREAMD_GATES__QUIET: gates.quiet must be two different times "
        f"of day as in 22:00-07:00, or empty for none, not {text!r}"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("  ", None),
        ("22:00-07:00", (1320, 420)),
        ("7:05 - 23:59", (425, 1439)),
        ("00:00-0:01", (0, 1)),
    ],
)
def test_hours_of_the_day(text: str, expected: tuple[int, int] | None) -> None:
    assert hours_of_day(text) == expected


def test_a_day_s_budget_that_is_used_up_keeps_a_model_s_dream_from_beginning(
    laptop: Laptop,
) -> None:
    spending = laptop.home / ".local" / "state" / "dreamd" / "spending"
    spending.mkdir(parents=True)
    today = clock.local_day(clock.now())
    line = json.dumps({"dream": "d1", "tokens": 5, "dollars": 2.5})
    (spending / f"{today}.jsonl").write_text(line + "\n")
    outcome, gate, reason = gated(laptop, **KEY)
    assert (outcome, gate) == ("skipped", "budget")
    assert "$2.50 of $2.00" in reason
    told = laptop.json("why", str(laptop.memory))["gates"]
    assert next(each for each in told if each["gate"] == "budget")["open"]  # rules cost nothing


def test_every_gate_answers_on_the_machine_as_it_is(laptop: Laptop, client: Path) -> None:
    client.write_text("{")
    state = laptop.home / ".local" / "state" / "dreamd"
    (state / "passes").mkdir(parents=True)
    (state / "spending").write_text("in the way")
    defaults = {"LOAD": "1", "MEMORY_PRESSURE": "20", "BATTERY": "40", "NETWORK": "true"}
    environ = {f"DREAMD_GATES__{key}": value for key, value in defaults.items()} | IDLE | KEY
    told = json.loads(laptop.ok("why", str(laptop.memory), "--json", **environ))["gates"]
    assert len(told) == 13
    for each in told:
        assert each["read"]
        assert bool(each["opens"]) is not each["open"]
    read = {each["gate"]: each["read"] for each in told}
    assert read["passes"].startswith("0 dreams")
    assert read["budget"] == "what was spent today cannot be read, which holds nothing back"


def around(home: Path, **environ: str) -> Around:
    app = App(config.load({"HOME": str(home)} | environ), home)
    return Around(app, Store(home / "memory", app.loaded.paths.state, "notes"))


@pytest.mark.parametrize(
    ("environ", "is_needed"),
    [
        ({}, False),
        ({"DREAMD_ENGINE": "rules", "ANTHROPIC_API_KEY": "sk-ant-nobody"}, False),
        ({"ANTHROPIC_API_KEY": "sk-ant-nobody"}, True),
        ({"ANTHROPIC_API_KEY": "no key\n at all"}, False),  # a dream says what is wrong with it
        ({"DREAMD_ENGINE": "claude-cli"}, True),
        (KEY, True),
        (KEY | {"DREAMD_MODEL__BASE_URL": "http://127.0.0.1:8080/v1"}, False),
        (KEY | {"DREAMD_MODEL__BASE_URL": "https://models.example"}, True),
        (KEY | {"HTTPS_PROXY": "http://user:secret@localhost:3128"}, False),
        (KEY | {"https_proxy": "http://proxy.example:3128"}, True),
    ],
)
def test_only_a_model_elsewhere_needs_a_network_and_only_one_costs(
    tmp_path: Path, environ: dict[str, str], is_needed: bool
) -> None:
    here = around(tmp_path, **environ)
    found = here.has_network()
    assert found.is_needed is is_needed
    if not is_needed:
        assert found == Network(is_needed=False)
    day = here.day_left()
    is_model = is_needed or any("127" in text or "localhost" in text for text in environ.values())
    assert (day is not None) is is_model


def test_what_of_the_day_is_spent_is_what_the_ledger_says(tmp_path: Path) -> None:
    here = around(tmp_path, **KEY, DREAMD_MODEL__DAY_TOKENS="1000")
    today = clock.local_day(clock.now())
    ends = clock.at_local(today + timedelta(days=1))
    assert here.day_left() == Day(0, 1000, 0.0, 2.0, ends)
    folder = tmp_path / ".local" / "state" / "dreamd" / "spending"
    folder.mkdir(parents=True)
    lines = [{"dream": name, "tokens": 400, "dollars": 0.5} for name in ("d1", "d2")]
    (folder / f"{today}.jsonl").write_text("\n".join(["{", *map(json.dumps, lines)]))
    assert here.day_left() == Day(800, 1000, 1.0, 2.0, ends)
    unpriced = around(tmp_path, **KEY, DREAMD_MODEL__NAME="nobody-knows")
    day = unpriced.day_left()
    assert day is not None
    assert day.dollars is None


@pytest.mark.parametrize(
    ("address", "host", "here"),
    [
        ("", "", False),
        ("https://api.anthropic.com", "api.anthropic.com", False),
        ("http://LocalHost:11434/v1", "localhost", True),
        ("http://[::1]:80/", "[::1]", True),
        ("http://[fd00::1]/", "[fd00::1]", False),
        ("http://user:p@127.0.0.53/x@y", "127.0.0.53", True),
        ("proxy.example:3128", "proxy.example", False),
        ("http://127.example.com", "127.example.com", False),
        ("http://model.localhost", "model.localhost", True),
    ],
)
def test_the_host_of_an_address(address: str, host: str, here: bool) -> None:
    assert host_of(address) == host
    assert is_here(host) is here


def test_a_turn_that_ends_at_the_time_gate_imports_no_later_one(laptop: Laptop) -> None:
    (laptop.memory / ".consolidate-lock").touch()
    code = (
        "import sys; from dreamd import cli\n"
        "cli.main(sys.argv[1:])\n"
        "print(*sorted(sys.modules), file=sys.stderr)\n"
    )
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("DREAMD_", "XDG_", "GIT_"))}
    ended = subprocess.run(
        [sys.executable, "-c", code, "dream", str(laptop.memory), "--gated"],
        env=clean | {"HOME": str(laptop.home), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert 'gate "time"' in ended.stdout
    modules = ended.stderr.split()
    assert "dreamd.gates.cascade" in modules
    for name in ("gates.moment", "gates.leisure", "gates.laptop", "host.power", "host.working"):
        assert f"dreamd.{name}" not in modules
    assert not {"psutil", "anthropic", "socket"} & set(modules)


def test_what_begins_is_put_down_before_it_ends(laptop: Laptop) -> None:
    (laptop.memory / "MEMORY.md").unlink()
    (laptop.memory / "MEMORY.md").symlink_to("/etc/hostname")  # unfit to be worked on
    done = laptop.run("dream", str(laptop.memory), "--gated", **CALM)
    assert done.returncode == 1
    assert len(passes.read(laptop.home / ".local" / "state" / "dreamd")) == 1
