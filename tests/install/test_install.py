"""`install` and `uninstall`: a service, a plugin, and what is somebody's own."""

from __future__ import annotations

import hashlib
import json
import os
import plistlib
import pwd
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest
import yaml

from dreamd import __version__, config
from dreamd.errors import ConfigError
from dreamd.hooks import turn_end
from dreamd.install import agent, plan, service
from dreamd.install.launch import Launch, words
from tests.laptop import ROOT, Laptop, on_screen, ran
from tests.scripted import picture

linux = pytest.mark.skipif(os.uname().sysname != "Linux", reason="units of systemd are for Linux")


class Place(Laptop):
    """A home with a script `dreamd`, as pip would have laid it."""

    @property
    def program(self) -> Path:
        return self.home / "bin" / "dreamd"

    @property
    def units(self) -> Path:
        return self.home / ".config" / "systemd" / "user"

    @property
    def plugin(self) -> Path:
        return self.home / ".local" / "share" / "dreamd" / "claude"

    def environ(self, **more: str) -> dict[str, str]:
        return {"HOME": str(self.home), "PATH": os.defpath} | more

    def run(self, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return ran([str(self.program), *words], self.environ(**environ), self.home)

    def asked(self, *words: str, typed: str, **environ: str) -> str:
        """Run a command to a good end on a terminal, type a line, and return what was shown."""
        given, program = self.environ(**environ), [str(self.program)]
        return on_screen([*words], given, self.home, typed=f"{typed}\n", program=program)

    def hooks(self) -> dict[str, str]:
        """The command of each hook, by its event."""
        hooks = json.loads((self.plugin / "dreamd" / "hooks" / "hooks.json").read_text())["hooks"]
        return {event: each[0]["hooks"][0]["command"] for event, each in hooks.items()}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path / "my home", tmp_path)
    made.program.parent.mkdir(parents=True)
    made.program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from dreamd.__main__ import main\nsys.exit(main())\n"
    )
    made.program.chmod(0o755)
    (made.home / ".claude").mkdir()
    return made


@linux
def test_a_dry_run_says_what_an_install_does_and_the_next_has_nothing_to_do(place: Place) -> None:
    unit = place.units / "dreamd.service"
    would = place.ok("install", "--dry-run")
    assert would == f"would write {unit}\n"
    assert not (place.home / ".config").exists()
    did = place.ok("install")
    assert did.startswith(would.removeprefix("would "))
    assert "  systemctl --user enable dreamd.service\n" in did  # nobody answers here: it says so
    before, text = picture(place.home), unit.read_text()
    assert place.ok("install").startswith("All files are as they should be.")
    assert picture(place.home) == before
    assert f'ExecStart="{place.program}" run\n' in unit.read_text()
    assert f"ConditionFileIsExecutable={place.program}\n" in unit.read_text()
    unit.write_text(unit.read_text().replace("30", "31"))
    record = unit.parent / plan.RECORD  # as if an earlier dreamd had laid this text
    record.write_text(f"{hashlib.sha256(unit.read_bytes()).hexdigest()}  {unit.name}\n")
    assert f"replace {unit}, which an earlier install wrote" in place.ok("install")
    assert unit.read_text() == text


@linux
@pytest.mark.parametrize("change", ["edited", "masked", "a pipe"])
def test_a_unit_that_is_somebodys_own_is_left_as_it_is(place: Place, change: str) -> None:
    place.ok("install", "--timer")
    once, timer = place.units / "dreamd-once.service", place.units / "dreamd.timer"
    if change == "edited":
        timer.write_bytes(timer.read_bytes().replace(b"\n", b"\r\n"))
    else:
        timer.unlink()
        # as `systemctl mask` makes it
        timer.symlink_to("/dev/null") if change == "masked" else os.mkfifo(timer)
    mine = timer.lstat()
    for command in (("install", "--timer"), ("uninstall",)):
        assert f"leave {timer} as it is" in place.ok(*command)
        left = timer.lstat()
        assert (left.st_ino, left.st_mtime_ns) == (mine.st_ino, mine.st_mtime_ns)
    assert not once.exists()


@linux
def test_notes_elsewhere_may_be_written_and_moved_places_are_handed_on(place: Place) -> None:
    notes = place.home / "notes" / "memory"
    notes.mkdir(parents=True)
    (notes / "MEMORY.md").write_text("# Memory\n\n- one\n- one\n")
    state = str(place.home / "state")
    place.ok("dream", str(notes), XDG_STATE_HOME=state)
    place.ok("install", XDG_STATE_HOME=state)
    unit = (place.units / "dreamd.service").read_text().splitlines()
    assert [line for line in unit if line.startswith("ReadWritePaths=")] == [
        f'ReadWritePaths="-{each}"' for each in (place.home / ".claude", notes, state)
    ]
    assert f'Environment="XDG_STATE_HOME={state}"' in unit
    before = picture(place.home / "state") | picture(notes)
    assert "store.db" in "".join(before)
    said = place.ok("uninstall", XDG_STATE_HOME=state)
    assert f"rm -r '{state}/dreamd'" in said
    assert picture(place.home / "state") | picture(notes) == before
    assert picture(place.units) == {}


SECRET = "sk-ant-" + "secret"
ONLY = {"ANTHROPIC_API_KEY": SECRET}


@linux
def test_without_a_terminal_nobody_is_asked_a_stored_key_is_a_credential(place: Place) -> None:
    said = place.ok("install", **ONLY)
    assert "Engine: rules (a key is only in the environment: `dreamd install --engine mo" in said
    assert "by hand model claude-haiku-4-5, behind" in said
    assert SECRET not in str(picture(place.home))
    settings = place.home / ".config" / "dreamd" / "config.yaml"
    settings.parent.mkdir()
    settings.write_text("model: {key_file: ~/key}\n")
    assert "Engine: none, until this is fixed: the key file" in place.ok("install", **ONLY)
    part = place.units / "dreamd.service.d" / "dreamd-key.conf"
    assert f"LoadCredential=anthropic-api-key:{place.home}/key\n" in part.read_text()
    settings.unlink()
    place.ok("install")
    assert not part.parent.exists()


@linux
@pytest.mark.parametrize(
    ("typed", "words", "engine"),
    [
        ("y", ("install",), "model"),
        ("", ("install",), "auto"),
        ("", ("install", "--engine", "rules"), "rules"),
    ],
)
def test_a_person_is_asked_once_whether_dreams_may_spend_and_the_answer_is_a_setting(
    place: Place, typed: str, words: tuple[str, ...], engine: str
) -> None:
    folder = place.home / ".config" / "dreamd"
    (place.home / "dotfiles").mkdir()
    folder.mkdir(parents=True)
    real = place.home / "dotfiles" / "dreamd.yaml"
    real.write_text("# mine\ndiary: true\n")
    (folder / "config.yaml").symlink_to(real)
    gateway = {**ONLY, "ANTHROPIC_BASE_URL": "https://gateway.example/v1"}
    asked = place.asked(*words, typed=typed, **gateway)
    question = "claude-haiku-4-5 at https://gateway.example/v1, for at most $1.00 a day?"
    assert (question in asked) is (len(words) == 1)
    text = real.read_text()
    assert (folder / "config.yaml").is_symlink()
    assert text.startswith("# mine\ndiary: true\n")
    loaded = config.load({"HOME": str(place.home)})
    assert loaded.settings.engine == engine
    assert loaded.sources["engine"] == "config.yaml"
    key = folder / "key"
    assert key.exists() is (engine == "model")
    if key.exists():
        assert (key.read_text(), key.stat().st_mode & 0o777) == (SECRET, 0o600)
        model = loaded.settings.model
        assert (model.key_file, model.base_url) == (str(key), "https://gateway.example/v1")
        assert SECRET not in asked + text
        assert (place.units / "dreamd.service.d" / "dreamd-key.conf").exists()
    again = place.asked(*words, typed="y", **gateway)
    assert question not in again
    assert sorted(real.read_text()) == sorted(text)
    assert ("Engine: rules; by hand none" in again) is (engine == "auto")


@pytest.mark.parametrize(
    ("address", "settings", "engine", "kept"),
    [
        ("http://127.0.0.1:9/v1", "", "auto", False),
        ("https://api.anthropic.com.example", "", "auto", False),
        ("https://api.anthropic.com", "", "model", True),
        ("http://127.0.0.1:9/v1", "model.base_url: http://127.0.0.1:9\n", "model", False),
    ],
)
def test_an_option_confirms_no_host_that_only_the_environment_names(
    place: Place, address: str, settings: str, engine: str, kept: bool
) -> None:
    file = place.home / ".config" / "dreamd" / "config.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(settings)
    (place.home / "anthropic-api-key").write_text("another")
    given = {**ONLY, "ANTHROPIC_BASE_URL": address, "CREDENTIALS_DIRECTORY": str(place.home)}
    before = picture(place.home)
    done = place.run("install", "--claude", "--engine", "model", **given)
    assert config.load({"HOME": str(place.home)}).settings.engine == engine
    assert file.with_name("key").exists() is kept
    if engine == "auto":
        assert (done.returncode, done.stdout, picture(place.home)) == (78, "", before)
        assert len(done.stderr.splitlines()) == 1
        host = address.removesuffix(":9/v1")
        assert re.search(f"{host}, which .* set model.base_url .* at a terminal$", done.stderr)
    else:
        assert done.returncode == 0, done.stderr


def test_settings_that_cannot_be_added_as_lines_are_left_to_the_person(place: Place) -> None:
    file = place.home / ".config" / "dreamd" / "config.yaml"
    file.parent.mkdir(parents=True)
    for text in ("{diary: true}\n", "diary: true\n...\n", "- a\n"):
        file.write_text(text)
        with pytest.raises(ConfigError, match=r"cannot add `engine: model`: write that there"):
            config.record(file, {"engine": "model"})
        assert file.read_text() == text
    file.write_text("engine: auto\nmodel:\n  turns: 9")
    with pytest.raises(ConfigError, match="cannot add"):
        config.record(file, {"model.base_url": "ftp://x"})
    would = place.ok("install", "--engine", "model", "--dry-run", **ONLY)
    assert f"would set engine: model in {file}\n" in would
    assert file.read_text() == "engine: auto\nmodel:\n  turns: 9"
    assert not file.with_name("key").exists()
    config.record(file, {"engine": "rules", "model.base_url": "http://[::1]:80/v1"})
    loaded = config.load({"HOME": str(place.home)}).settings
    assert (loaded.engine, loaded.model.turns) == ("rules", 9)
    assert loaded.model.base_url == "http://[::1]:80/v1"


@linux
def test_two_installs_at_once_leave_one_whole_unit(place: Place) -> None:
    with ThreadPoolExecutor(2) as both:
        codes = [done.returncode for done in both.map(lambda _: place.run("install"), range(2))]
    assert codes == [0, 0]
    assert set(picture(place.units)) == {"dreamd.service", plan.RECORD}
    found = plan.standing(plan.Plan(place.units))
    assert list(found) == [("dreamd.service", "ours")]


def test_what_stands_in_the_way_is_said_in_one_sentence(place: Place) -> None:
    (place.home / ".config").mkdir()
    (place.home / ".config" / "systemd").symlink_to("systemd")  # leads to itself
    (place.home / ".local").write_text("a file")
    for asked in (("install",), ("uninstall",), ("install", "--claude")):
        done = place.run(*asked)
        (sentence,) = done.stderr.splitlines()
        assert (done.returncode, sentence.startswith("dreamd: cannot ")) == (1, True)
        assert str(place.home) in sentence


def test_without_a_home_there_is_one_sentence_and_no_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: int) -> NoReturn:
        raise KeyError("no such user")

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    with pytest.raises(ConfigError, match=r"^HOME is not set, and this user has no home"):
        config.load({})
    assert turn_end.news({}) is None
    turn_end.poke_daemon({})


def test_a_dreamd_that_only_this_shell_can_start_is_refused(place: Place) -> None:
    script = place.program.read_text().splitlines(keepends=True)
    script[0] = f"{script[0].rstrip()} -S\n"  # no site: dreamd may be installed for this Python
    place.program.write_text("".join(line for line in script if "sys.path" not in line))
    here = [str(ROOT), *(each for each in sys.path if "packages" in each)]
    done = place.run("install", PYTHONPATH=os.pathsep.join(here))
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "outside of this shell" in done.stderr
    assert not (place.home / ".config").exists()


def test_the_command_is_the_script_that_was_called_links_included(tmp_path: Path) -> None:
    (tmp_path / "venv").mkdir()
    (tmp_path / "bin").mkdir()
    script, link = tmp_path / "venv" / "dreamd", tmp_path / "bin" / "dreamd"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    link.symlink_to(script)  # as pipx makes it
    python, other = str(tmp_path / "venv" / "python"), str(tmp_path / "python")
    assert words(str(link), python) == (str(link),)
    assert words(str(tmp_path / "dreamd" / "__main__.py"), python) == (str(script),)
    assert words("-c", other) == (other, "-P", "-m", "dreamd")


def test_words_of_a_unit_are_taken_as_they_stand() -> None:
    assert service.quoted('a "b" 100% \\') == '"a \\"b\\" 100%% \\\\"'
    assert service.argument("$HOME") == '"$$HOME"'
    with pytest.raises(Exception, match="control character"):
        service.quoted("a\nExecStart=/bin/sh")


def test_the_agent_of_a_mac_is_a_property_list_that_starts_the_same_command() -> None:
    launch = Launch(("/opt/my tools/dreamd",), (("CLAUDE_CONFIG_DIR", "/x & y"),))
    for timer in (False, True):
        said = plistlib.loads(agent.rendered(launch, Path("/Users/dev"), timer=timer).encode())
        assert said["ProgramArguments"] == ["/opt/my tools/dreamd", "run", *["--once"][:timer]]
        assert said["EnvironmentVariables"] == {"CLAUDE_CONFIG_DIR": "/x & y"}
        assert said["Label"] == agent.place(Path("/Users/dev")).stem
        assert ("KeepAlive" in said, "StartInterval" in said) == (not timer, timer)


def test_the_plugin_is_whole_and_says_how_to_add_it(place: Place) -> None:
    said, top = place.ok("install", "--claude"), place.plugin
    assert f"  /plugin marketplace add '{top}'\n  /plugin install dreamd@dreamd\n" in said
    (entry,) = json.loads((top / ".claude-plugin" / "marketplace.json").read_text())["plugins"]
    plugin = top / entry["source"]
    manifest = json.loads((plugin / ".claude-plugin" / "plugin.json").read_text())
    assert (manifest["name"], manifest["version"]) == (entry["name"], __version__)
    skill = plugin / "skills" / "dream" / "SKILL.md"
    head, body = skill.read_text().split("---\n")[1:]
    fields = yaml.safe_load(head)
    assert (fields["name"], fields["disable-model-invocation"]) == ("dream", True)
    assert "$ARGUMENTS" in body
    assert "@" not in head + body
    assert set(place.hooks()) == {"SessionStart", "Stop", "SessionEnd"}
    subprocess.run(["sha256sum", "-c", "--quiet", plan.RECORD], cwd=top, check=True)
    assert fields["allowed-tools"] == f"Bash('{place.program}':*)"


def test_its_hooks_run_and_are_silent_when_dreamd_is_gone(place: Place) -> None:
    place.ok("install", "--claude")
    broken, gone = (lambda: place.program.write_text("#!/nowhere/python\n")), place.program.unlink
    for damage in (lambda: None, broken, gone):
        damage()
        for event, command in place.hooks().items():
            told = json.dumps({"hook_event_name": event})
            done = ran(["sh", "-c", command], place.environ(), place.home, told)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (place.home / ".local" / "state" / "dreamd" / "nudge").exists()


def test_an_edited_skill_is_kept_and_the_rest_goes(place: Place) -> None:
    place.ok("install", "--claude", "--dir", "plugin")
    skill = place.home / "plugin" / "dreamd" / "skills" / "dream" / "SKILL.md"
    skill.write_text(skill.read_text() + "\nSpeak Latin.\n")
    assert f"leave {skill} as it is" in place.ok("install", "--claude", "--dir", "plugin")
    place.ok("uninstall", "--claude", "--dir", "plugin")
    assert set(picture(place.home / "plugin")) == {"dreamd/skills/dream/SKILL.md"}
    place.ok("install", "--claude")
    place.ok("uninstall", "--claude")
    assert not place.plugin.exists()
    assert "nothing to remove" in place.ok("uninstall", "--claude")
    for odd in (("install", "--dir", "x"), ("install", "--claude", "--timer")):
        assert place.run(*odd).returncode == 2
