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

from dreamd import config, gates
from dreamd.app import gating
from dreamd.app.wiring import App
from dreamd.domain.store import Store
from dreamd.gates.pause import passes
from dreamd.host import clock
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


def pauses(laptop: Laptop) -> list[Path]:
    return list(laptop.home.glob(".local/state/dreamd/stores/*/pause"))


def test_a_dream_waits_until_no_client_works_and_then_begins(laptop: Laptop, client: Path) -> None:
    says(client, "busy")
    outcome, gate, reason = gated(laptop, **IDLE)
    assert (outcome, gate) == ("skipped", "idle")
    assert f"session elsewher is working (process {client.stem})" in reason
    assert "next look in 2 min" in reason
    assert gated(laptop, **IDLE)[1] == "throttle"
    pauses(laptop)[0].unlink()
    says(client, "idle")
    assert gated(laptop, **IDLE)[0] == "dreamt"


def test_dreams_that_begin_by_themselves_are_counted_over_all_memories(laptop: Laptop) -> None:
    one = {"DREAMD_GATES__PASSES_PER_HOUR": "1"}
    kelp = memory(laptop.home, "-home-dev-kelp")
    assert gated(laptop, "--dry-run", **one)[2].startswith("dry run")  # which begins nothing
    assert gated(laptop, **one)[0] == "dreamt"
    laptop.memory = kelp
    outcome, gate, reason = gated(laptop, **one)
    assert (outcome, gate) == ("skipped", "passes")
    assert "1 automatic dream in the last hour, as many as may (1)" in reason
    assert "next look in 1 h" in reason
    assert not [each for each in pauses(laptop) if "kelp" in str(each)]
    assert laptop.json("dream", str(kelp))["outcome"] == "dreamt"  # a person may, and counts not
    assert len(passes(laptop.home / ".local" / "state" / "dreamd")) == 1


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


def test_a_dream_by_hand_skips_the_gates_but_not_the_switch_and_the_lock(laptop: Laptop) -> None:
    memory, lock = str(laptop.memory), laptop.memory / ".consolidate-lock"
    lock.touch()
    assert gated(laptop)[1] == "time"
    assert gated(laptop, DREAMD_GATES__HOURS="0", DREAMD_GATES__SESSIONS="9")[1] == "sessions"
    pause = json.loads(pauses(laptop)[0].read_text())
    pauses(laptop)[0].write_text(json.dumps(pause | {"found": "", "failures": 2}))
    assert gated(laptop, DREAMD_GATES__HOURS="0")[2].startswith("not now: 2 dreams in a row failed")
    off = json.loads(laptop.ok("dream", memory, "--json", DREAMD_ENABLED="no"))
    assert (off["outcome"], off["gate"]) == ("skipped", "kill switch")
    lock.write_text(str(os.getpid()))
    assert laptop.run("dream", memory).returncode == 75
    lock.write_text("")
    assert laptop.json("dream", memory)["outcome"] == "dreamt"
    assert not pauses(laptop)


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
    environ = {"DREAMD_GATES__LOAD": "1", "DREAMD_GATES__BATTERY": "40"} | IDLE | KEY
    told = json.loads(laptop.ok("why", str(laptop.memory), "--json", **environ))["gates"]
    assert [each["gate"] for each in told] == [each.name for each in gates.GATES]
    assert all(each["read"] and bool(each["opens"]) is not each["open"] for each in told)


def wired(home: Path, environ: dict[str, str]) -> gates.Context:
    app = App(config.load({"HOME": str(home)} | environ), home)
    return gating.context(app, Store(home / "memory", app.loaded.paths.state, "notes"))


@pytest.mark.parametrize(
    ("environ", "costs"),
    [
        ({}, False),
        ({"DREAMD_ENGINE": "rules", "ANTHROPIC_API_KEY": "sk-ant-nobody"}, False),
        ({"ANTHROPIC_API_KEY": "sk-ant-nobody"}, True),
        ({"ANTHROPIC_API_KEY": "no key\n at all"}, False),  # a dream says what is wrong with it
        ({"DREAMD_ENGINE": "claude-cli"}, True),
        (KEY | {"DREAMD_MODEL__BASE_URL": "http://127.0.0.1:8080/v1"}, True),
    ],
)
def test_only_a_model_costs(tmp_path: Path, environ: dict[str, str], costs: bool) -> None:
    assert (wired(tmp_path, environ).spent() is not None) is costs


def test_a_turn_that_ends_at_the_time_gate_loads_nothing_heavy(laptop: Laptop) -> None:
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
    assert "dreamd.gates" in modules
    assert not {"psutil", "anthropic", "sqlite3", "socket"} & set(modules)


def test_what_begins_is_put_down_before_it_ends(laptop: Laptop) -> None:
    (laptop.memory / "MEMORY.md").unlink()
    (laptop.memory / "MEMORY.md").symlink_to("/etc/hostname")  # unfit to be worked on
    done = laptop.run("dream", str(laptop.memory), "--gated", **CALM)
    assert done.returncode == 1
    assert len(passes(laptop.home / ".local" / "state" / "dreamd")) == 1
