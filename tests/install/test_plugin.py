from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from dreamd import __version__
from tests.install.place import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "my home").lay()


def folder(place: Place) -> Path:
    return place.home / ".local" / "share" / "dreamd" / "claude"


def commands(place: Place) -> dict[str, str]:
    hooks = json.loads((folder(place) / "dreamd" / "hooks" / "hooks.json").read_text())["hooks"]
    return {event: each[0]["hooks"][0]["command"] for event, each in hooks.items()}


def is_silent(place: Place, command: str, data: bytes = b"{}") -> bool:
    """Whether a hook's command succeeds without a word."""
    environ = {"HOME": str(place.home), "PATH": os.defpath}
    words = ["sh", "-c", command]
    done = subprocess.run(words, env=environ, input=data, capture_output=True, check=False)
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_plugin_is_whole_and_says_how_to_add_it(place: Place) -> None:
    said = place.ok("install", "--claude")
    top = folder(place)
    assert f"  /plugin marketplace add '{top}'\n  /plugin install dreamd@dreamd\n" in said
    market = json.loads((top / ".claude-plugin" / "marketplace.json").read_text())
    (entry,) = market["plugins"]
    plugin = top / entry["source"]
    manifest = json.loads((plugin / ".claude-plugin" / "plugin.json").read_text())
    assert (manifest["name"], manifest["version"]) == (entry["name"], __version__)
    head, body = (plugin / "skills" / "dream" / "SKILL.md").read_text().split("---\n")[1:]
    fields = yaml.safe_load(head)
    assert fields["name"] == "dream"
    assert fields["disable-model-invocation"] is True
    assert "$ARGUMENTS" in body
    assert "@" not in head + body
    place.ok("install", "--claude")
    assert set(commands(place)) == {"SessionStart", "Stop", "SessionEnd"}
    subprocess.run(["sha256sum", "-c", "--quiet", ".laid.sha256"], cwd=top, check=True)


def test_its_hooks_run_and_are_silent_when_dreamd_is_gone(place: Place) -> None:
    place.ok("install", "--claude")
    for event, command in commands(place).items():
        assert is_silent(place, command, json.dumps({"hook_event_name": event}).encode())
    assert (place.home / ".local" / "state" / "dreamd" / "nudge").exists()
    place.program.write_text("#!/nowhere/python\n")
    assert all(is_silent(place, command) for command in commands(place).values())
    place.program.unlink()
    assert all(is_silent(place, command) for command in commands(place).values())


def test_the_skill_says_dreamd_where_every_shell_finds_this_one(place: Place) -> None:
    skill = folder(place) / "dreamd" / "skills" / "dream" / "SKILL.md"
    place.ok("install", "--claude")
    assert f"allowed-tools: Bash('{place.program}':*)\n" in skill.read_text()
    path = f"{place.program.parent}:{os.defpath}"
    place.ok("install", "--claude", PATH=path)
    assert "allowed-tools: Bash(dreamd:*)\n" in skill.read_text()
    place.ok("install", "--claude", PATH=path, VIRTUAL_ENV=str(place.program.parents[1]))
    assert "Bash(dreamd:*)" not in skill.read_text()


def test_an_edited_skill_is_kept_and_the_rest_goes(place: Place) -> None:
    place.ok("install", "--claude", "--dir", "plugin")
    skill = place.home / "plugin" / "dreamd" / "skills" / "dream" / "SKILL.md"
    skill.write_text(skill.read_text() + "\nSpeak Latin.\n")
    assert f"leave {skill} as it is" in place.ok("install", "--claude", "--dir", "plugin")
    place.ok("uninstall", "--claude", "--dir", "plugin")
    assert [each for each in (place.home / "plugin").rglob("*") if each.is_file()] == [skill]
    place.ok("install", "--claude")
    place.ok("uninstall", "--claude")
    assert not folder(place).exists()
    assert "nothing to remove" in place.ok("uninstall", "--claude")


def test_a_folder_is_named_for_a_plugin_only(place: Place) -> None:
    for words in (("install", "--dir", "x"), ("install", "--claude", "--timer")):
        assert place.run(*words).returncode == 2


@pytest.mark.skipif(shutil.which("claude") is None, reason="the client is not installed here")
@pytest.mark.skipif("DREAMD_CLIENT" not in os.environ, reason="DREAMD_CLIENT=1 runs the client")
def test_the_client_itself_finds_the_plugin_valid(place: Place) -> None:
    place.ok("install", "--claude")
    client = shutil.which("claude")
    assert client is not None
    for what in (folder(place), folder(place) / "dreamd"):
        done = subprocess.run(
            [client, "plugin", "validate", str(what)],
            env={"HOME": str(place.home), "PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
