"""The user service in a real `systemd --user`: installed by dreamd, started, hung, stopped."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.brain import Brain, say
from tests.daemon.house import LONG_AGO, House
from tests.engine.claude.test_claude_dream import TOKEN, real
from tests.ledger import receipts_of
from tests.pace import until
from tests.scripted import picture
from tests.spoken import touch
from tests.systemd.bed import Bed, made, needs_systemd, program

pytestmark = needs_systemd
KEY = "sk-ant-" + "api03-Qw3rTy7uIoP9aSdF2gHjK5lZxC8vBnM1"
DREAMD = "/home/dev/.local/bin/dreamd"
TIMER = "dreamd.timer"
ANALYSES = shutil.which("systemd-analyze") is not None
ANY_WEATHER = "gates: {load: 0, battery: 0}\n"


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Bed]:
    """A home with five sessions since a consolidation long ago, and its user manager."""
    house = House(tmp_path / "home", said="Remember that host{0} listens on port 543{0}.")
    for each in house.memory.parent.glob("*.jsonl"):
        touch(each, LONG_AGO + 86_400)
    assert program(house.home) == DREAMD
    with made(house.home) as running:
        configure(running, ANY_WEATHER)
        yield running


def configure(bed: Bed, text: str) -> None:
    folder = bed.home / ".config" / "dreamd"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(text)


def key(bed: Bed) -> None:
    (bed.home / "key").write_text(KEY)
    (bed.home / "key").chmod(0o600)


def part(bed: Bed, unit: str, text: str) -> None:
    """What `systemctl --user edit` writes."""
    folder = bed.home / ".config" / "systemd" / "user" / f"{unit}.d"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "override.conf").write_text(text)
    bed.ok("systemctl", "--user", "daemon-reload")


def notes(bed: Bed) -> Path:
    return bed.home / ".claude" / "projects" / "-home-dev-tidepool" / "memory"


def ledger(bed: Bed) -> list[dict[str, object]]:
    return receipts_of(bed.home / ".local" / "state" / "dreamd")


def test_it_starts_says_what_it_does_is_started_anew_when_it_hangs_and_goes_again(bed: Bed) -> None:
    configure(bed, "gates:\n  hours: 8784\n")
    said = bed.ok(DREAMD, "install", "--now")
    assert said.index("write /home/dev/") < said.index("run systemctl --user daemon-reload")
    assert bed.ask("is-active", "dreamd.service") == "active"  # Type=notify: READY came
    assert bed.ask("is-enabled", "dreamd.service") == "enabled"
    until(lambda: bed.of("dreamd.service", "StatusText") != "")
    units = bed.home / ".config/systemd/user"
    assert (units / "default.target.wants/dreamd.service").is_symlink()
    again = bed.ok(DREAMD, "install")
    assert "write" not in again
    assert "replace" not in again

    part(bed, "dreamd.service", "[Service]\nWatchdogSec=2s\nRestartSec=50ms\nTimeoutAbortSec=1s\n")
    bed.ok("systemctl", "--user", "restart", "dreamd.service")
    hung = bed.of("dreamd.service", "MainPID")
    bed.ok("kill", "-STOP", hung)
    until(lambda: bed.of("dreamd.service", "NRestarts") == "1")
    until(lambda: bed.ask("is-active", "dreamd.service") == "active")
    assert bed.of("dreamd.service", "MainPID") != hung

    shutil.rmtree(units / "dreamd.service.d")
    gone = bed.ok(DREAMD, "uninstall")
    assert "rm -r /home/dev/.local/state/dreamd" in gone
    assert bed.ask("is-active", "dreamd.service") != "active"
    assert not [*units.rglob("*dreamd*")]
    assert picture(notes(bed))


def test_the_timer_takes_the_daemons_place_and_systemd_finds_no_fault_in_either(bed: Bed) -> None:
    key(bed)
    configure(bed, ANY_WEATHER + "engine: rules\nmodel: {key_file: /home/dev/key}\n")
    elsewhere = bed.home / 'my "50%" notes $HOME' / "memory"
    elsewhere.mkdir(parents=True)
    (elsewhere / "MEMORY.md").write_text("# Memory\n")
    settings = {"autoMemoryDirectory": str(elsewhere).replace(str(bed.home), "/home/dev")}
    (bed.home / ".claude" / "settings.json").write_text(json.dumps(settings))
    folder = bed.home / ".config" / "systemd" / "user"
    for words, names in (([], ["dreamd.service"]), (["--timer"], ["dreamd-once.service", TIMER])):
        bed.ok(DREAMD, "install", *words)
        assert sorted(each.name for each in folder.glob("dreamd*") if each.is_file()) == names
        for name in names:
            path = f"/home/dev/.config/systemd/user/{name}"
            assert '"-/home/dev/my \\"50%% notes' not in (folder / name).read_text()
            if ANALYSES:
                bed.ok("systemd-analyze", "verify", "--user", "--recursive-errors=yes", path)
            if ANALYSES and name != TIMER:
                scored = ("systemd-analyze", "security", "--offline=true", "--threshold=31", path)
                bed.ok(*scored)
    part(bed, TIMER, "[Timer]\nOnActiveSec=50ms\nAccuracySec=1ms\nRandomizedDelaySec=0\n")
    bed.ok("systemctl", "--user", "start", TIMER)
    until(lambda: any(each["outcome"] == "dreamt" for each in ledger(bed)))
    until(lambda: bed.of("dreamd-once.service", "ActiveState") == "inactive")
    assert bed.of("dreamd-once.service", "Result") == "success"
    assert "5432" in "".join(note.read_text() for note in elsewhere.glob("*.md"))


def test_the_walls_of_the_unit_leave_the_walls_of_a_dream_as_they_are(bed: Bed) -> None:
    key(bed)
    configure(bed, ANY_WEATHER + "model: {key_file: /home/dev/key}\n")
    bed.ok(DREAMD, "install", "--timer")
    memory = "/home/dev/.claude/projects/-home-dev-tidepool/memory"
    free = bed.ok(DREAMD, "status", memory)
    trial = f"{DREAMD} status {memory}; cd; ls -a .ssh; touch .bashrc; cat key"
    (bed.home / ".ssh").mkdir()
    (bed.home / ".ssh" / "id").touch()
    out = "/home/dev/.local/state/dreamd/said"
    text = (
        "[Service]\nExecStart=\nExecStart=-/bin/sh -c '%s'\n"
        "StandardOutput=append:%s\nStandardError=append:%s\n"
    )
    part(bed, "dreamd-once.service", text % (trial, out, out))
    bed.ok("systemctl", "--user", "start", "dreamd-once.service")
    said = (bed.home / ".local/state/dreamd/said").read_text()
    (level,) = [line for line in free.splitlines() if line.startswith("engine")]
    assert level in said.splitlines()  # e.g. "behind landlock (ABI 7)", in the unit and without
    assert "model" in level  # it has the key, as a credential
    assert "touch: cannot touch '.bashrc': Read-only file system" in said
    assert "id\n" not in said
    assert KEY not in said


@pytest.mark.parametrize("engine", ["model", pytest.param("claude-cli", marks=real)])
def test_a_stop_rolls_back_the_dream_in_flight(bed: Bed, engine: str) -> None:
    before = picture(notes(bed))
    key(bed)
    held = {"accessToken": TOKEN, "expiresAt": 4_102_444_800_000, "scopes": ["user:inference"]}
    login = json.dumps({"claudeAiOauth": {**held, "refreshToken": "none"}})
    (bed.home / ".claude" / ".credentials.json").write_text(login)
    own = "key_file: /home/dev/key, " * (engine == "model")
    with Brain([say("## orient", "wait", failing="stall")]) as brain:
        model = f"engine: {engine}\nmodel: {{{own}base_url: '{brain.url}'}}\n"
        configure(bed, ANY_WEATHER + model)
        bed.ok(DREAMD, "install", "--now")
        assert brain.arrived.acquire(timeout=60)
        assert (notes(bed) / ".consolidate-lock").read_text()
        bed.ok("systemctl", "--user", "stop", "dreamd.service")
        assert bed.of("dreamd.service", "Result") == "success"
    assert [each["outcome"] for each in ledger(bed)][-1] == "failed"
    assert picture(notes(bed)) == before
    assert not bed.run("pgrep", "-x", "claude").stdout


def test_a_dreamd_that_is_gone_and_a_wrong_configuration_are_not_tried_again(bed: Bed) -> None:
    configure(bed, "gates:\n  hour: 1\n")
    assert bed.run(DREAMD, "install").returncode == 78
    configure(bed, "")
    bed.ok(DREAMD, "install")
    (bed.home / ".local/bin/dreamd").unlink()
    bed.ok("systemctl", "--user", "start", "dreamd.service")
    assert bed.of("dreamd.service", "ConditionResult") == "no"
    assert bed.of("dreamd.service", "ActiveState") == "inactive"

    program(bed.home)
    configure(bed, "gates:\n  hour: 1\n")
    part(bed, "dreamd.service", "[Service]\nRestartSec=10ms\n")
    bed.run("systemctl", "--user", "start", "dreamd.service")
    until(lambda: bed.of("dreamd.service", "ActiveState") == "failed")
    assert bed.of("dreamd.service", "ExecMainStatus") == "78"
    assert bed.of("dreamd.service", "NRestarts") == "0"
