from __future__ import annotations

import os
import plistlib
import pwd
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest

from dreamd import config
from dreamd.errors import ConfigError
from dreamd.hooks import turn_end
from dreamd.install import agent, seal, units
from dreamd.install.launch import Launch, words
from tests.install.place import Place

linux = pytest.mark.skipif(os.uname().sysname != "Linux", reason="units of systemd are for Linux")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "home").lay()


def below(folder: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }


@linux
def test_a_dry_run_says_what_an_install_then_does_and_the_next_one_has_nothing_to_do(
    place: Place,
) -> None:
    would = place.ok("install", "--dry-run")
    assert would == f"would write {place.units / 'dreamd.service'}\n"
    assert not (place.home / ".config").exists()
    did = place.ok("install")
    assert did.startswith(would.removeprefix("would "))
    assert "  systemctl --user enable dreamd.service\n" in did  # nobody answers here: it says so
    before = below(place.home)
    stamp = (place.units / "dreamd.service").stat().st_mtime_ns
    assert place.ok("install").startswith("All files are as they should be.")
    assert (place.units / "dreamd.service").stat().st_mtime_ns == stamp
    assert below(place.home) == before
    unit = (place.units / "dreamd.service").read_text()
    assert f'ExecStart="{place.program}" run\n' in unit
    assert f"ConditionFileIsExecutable={place.program}\n" in unit


def edited(unit: Path) -> None:
    unit.write_text(unit.read_text().replace("30min", "5min"))


def with_other_line_ends(unit: Path) -> None:
    unit.write_bytes(unit.read_bytes().replace(b"\n", b"\r\n"))


def masked(unit: Path) -> None:
    unit.unlink()
    unit.symlink_to("/dev/null")  # what `systemctl mask` makes of it


def a_pipe(unit: Path) -> None:
    unit.unlink()
    os.mkfifo(unit)


@linux
@pytest.mark.parametrize("change", [edited, with_other_line_ends, masked, a_pipe])
def test_a_unit_that_is_somebodys_own_is_left_as_it_is_by_install_and_uninstall(
    place: Place, change: Callable[[Path], None]
) -> None:
    place.ok("install", "--timer")
    service, timer = place.units / "dreamd-once.service", place.units / "dreamd.timer"
    change(timer)
    mine = timer.lstat()
    for command in (("install", "--timer"), ("uninstall",)):
        assert f"leave {timer}" in place.ok(*command)
        left = timer.lstat()
        assert (left.st_ino, left.st_mtime_ns) == (mine.st_ino, mine.st_mtime_ns)
    assert not service.exists()


@linux
def test_a_unit_of_an_earlier_dreamd_is_replaced(place: Place) -> None:
    unit = place.units / "dreamd.service"
    unit.parent.mkdir(parents=True)
    unit.write_text(seal.sealed("[Service]\nExecStart=/old/venv/bin/dreamd run\n"))
    assert f"replace {unit}, which an earlier install wrote" in place.ok("install")
    assert "/old/venv" not in unit.read_text()


@linux
def test_notes_elsewhere_may_be_written_and_moved_places_are_handed_on(place: Place) -> None:
    notes = place.home / "my notes" / "memory"
    notes.mkdir(parents=True)
    (notes / "MEMORY.md").write_text("# Memory\n\n- one\n- one\n")
    state = str(place.home / "state")
    place.ok("dream", str(notes), XDG_STATE_HOME=state)
    place.ok("install", XDG_STATE_HOME=state)
    unit = (place.units / "dreamd.service").read_text().splitlines()
    assert [line for line in unit if line.startswith("ReadWritePaths=")] == [
        f'ReadWritePaths="-{place.home}/.claude"',
        f'ReadWritePaths="-{notes}"',
        f'ReadWritePaths="-{state}"',
    ]
    assert f'Environment="XDG_STATE_HOME={state}"' in unit
    assert "store.db" in "".join(below(place.home / "state"))
    before = below(place.home / "state") | below(notes)
    said = place.ok("uninstall", XDG_STATE_HOME=state)
    assert f"rm -r {state}/dreamd" in said
    assert below(place.home / "state") | below(notes) == before


@linux
def test_a_key_in_this_shell_alone_is_said_and_one_in_a_file_becomes_a_credential(
    place: Place,
) -> None:
    said = place.ok("install", ANTHROPIC_API_KEY="sk-ant-secret")
    assert "set model.key_file" in said
    assert b"sk-ant-secret" not in b"".join(below(place.home).values())
    config = place.home / ".config" / "dreamd" / "config.yaml"
    config.parent.mkdir()
    config.write_text("model: {key_file: ~/key}\n")
    assert "set model.key_file" not in place.ok("install", ANTHROPIC_API_KEY="sk-ant-secret")
    part = place.units / "dreamd.service.d" / "dreamd-key.conf"
    assert f"LoadCredential=anthropic-api-key:{place.home}/key\n" in part.read_text()
    config.unlink()
    place.ok("install")
    assert not part.parent.exists()


@linux
def test_two_installs_at_once_leave_one_whole_unit(place: Place) -> None:
    with ThreadPoolExecutor(2) as both:
        codes = [done.returncode for done in both.map(lambda _: place.run("install"), range(2))]
    assert codes == [0, 0]
    (name,) = below(place.units)
    assert name == "dreamd.service"
    assert seal.is_unedited((place.units / name).read_text())


@pytest.mark.parametrize("words", [("install",), ("uninstall",), ("install", "--claude")])
def test_what_stands_in_the_way_is_said_in_one_sentence(
    place: Place, words: tuple[str, ...]
) -> None:
    (place.home / ".config").mkdir()
    (place.home / ".config" / "systemd").symlink_to("systemd")  # leads to itself
    (place.home / ".local").write_text("a file")
    done = place.run(*words)
    assert done.returncode == 1
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("dreamd: cannot ")
    assert str(place.home) in sentence


def test_without_a_home_there_is_one_sentence_and_nothing_for_a_hook_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
    here = [str(Path(__file__).parents[2]), *(each for each in sys.path if "packages" in each)]
    done = place.run("install", PYTHONPATH=os.pathsep.join(here))
    assert done.returncode == 1
    assert "outside of this shell" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (place.home / ".config").exists()


def test_the_command_is_the_script_that_was_called_links_included(tmp_path: Path) -> None:
    (tmp_path / "venv").mkdir()
    (tmp_path / "bin").mkdir()
    script, link = tmp_path / "venv" / "dreamd", tmp_path / "bin" / "dreamd"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    link.symlink_to(script)  # as pipx makes it
    python = str(tmp_path / "venv" / "python")
    assert words(str(link), python) == (str(link),)
    assert words(str(tmp_path / "dreamd" / "__main__.py"), python) == (str(script),)
    assert words("-c", str(tmp_path / "python")) == (
        *(str(tmp_path / "python"), "-P", "-m", "dreamd"),
    )


def test_words_of_a_unit_are_taken_as_they_stand() -> None:
    assert units.quoted('a "b" 100% \\') == '"a \\"b\\" 100%% \\\\"'
    assert units.argument("$HOME") == '"$$HOME"'
    with pytest.raises(Exception, match="control character"):
        units.quoted("a\nExecStart=/bin/sh")


def test_the_agent_of_a_mac_is_a_property_list_that_starts_the_same_command() -> None:
    launch = Launch(("/opt/my tools/dreamd",), (("CLAUDE_CONFIG_DIR", "/x & y"),))
    for timer in (False, True):
        text = seal.sealed(agent.rendered(launch, Path("/Users/dev"), timer=timer), "<!--")
        said = plistlib.loads(text.encode())
        assert said["ProgramArguments"] == ["/opt/my tools/dreamd", "run", *["--once"][:timer]]
        assert said["EnvironmentVariables"] == {"CLAUDE_CONFIG_DIR": "/x & y"}
        assert said["Label"] == agent.place(Path("/Users/dev")).stem
        assert ("KeepAlive" in said, "StartInterval" in said) == (not timer, timer)
        assert seal.is_unedited(text)
