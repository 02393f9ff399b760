"""The command line as a person types it: real processes, exit codes, one clear sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.laptop import Laptop
from tests.scripted import picture, write

ROOT = Path(__file__).parents[2]
KEYS = {"dream", "outcome", "reason", "engine", "proposed", "changes", "usage", "seconds"}
DUPLICATE = "- The release branch is cut every second Tuesday by Mira\n"
INDEX = (
    "# Memory\n\n- [Deploy](deploy_steps.md) — how to deploy\n"
    f"- Uses pnpm for everything in this repository\n{DUPLICATE}{DUPLICATE}"
)
DEPLOY = "---\nname: deploy\ndescription: how to deploy\ntype: project\n---\n\nRun `make ship`.\n"


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    memory = tmp_path / "home" / "notes" / "memory"
    write(memory / "MEMORY.md", INDEX)
    write(memory / "deploy-steps.md", DEPLOY)
    return Laptop(tmp_path / "home", memory)


def test_a_dream_from_the_command_line_and_back(laptop: Laptop) -> None:
    before = picture(laptop.memory)
    answer = laptop.json("dream", str(laptop.memory), "--engine", "rules")
    assert set(answer) >= KEYS
    assert answer["outcome"] == "dreamt"
    assert answer["engine"] == "rules"
    assert [(c["path"], c["verb"]) for c in answer["changes"]] == [("MEMORY.md", "changed")]
    index = (laptop.memory / "MEMORY.md").read_text()
    assert index.count(DUPLICATE) == 1
    assert "(deploy-steps.md)" in index
    assert "merged 1 duplicate" in laptop.ok("log", str(laptop.memory))
    shown = laptop.ok("show", answer["dream"])
    assert "MEMORY.md" in shown
    assert f"-{DUPLICATE}" in laptop.ok("diff", answer["dream"][:4])
    assert "duplicate" in laptop.ok("why", str(laptop.memory), "--line", "second Tuesday")
    again = laptop.json("dream", str(laptop.memory))
    assert (again["outcome"], again["changes"]) == ("dreamt", [])
    laptop.ok("undo", "--memory", str(laptop.memory))
    assert picture(laptop.memory) == before
    done = laptop.run("undo", answer["dream"])
    assert done.returncode == 0
    assert "undone already" in done.stdout
    laptop.ok("redo", answer["dream"])
    assert (laptop.memory / "MEMORY.md").read_text() == index


def test_what_was_undone_is_not_dreamt_again(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    laptop.ok("undo", "--memory", str(laptop.memory))
    answer = laptop.json("dream", str(laptop.memory))
    assert answer["changes"] == []
    assert "undid" in answer["reason"]
    assert (laptop.memory / "MEMORY.md").read_text() == INDEX
    assert "Improved" in laptop.ok("show", "--memory", str(laptop.memory))


def test_propose_accept_and_reject(laptop: Laptop) -> None:
    before = picture(laptop.memory)
    answer = laptop.json("dream", str(laptop.memory), "--propose")
    assert answer["outcome"] == "proposed"
    assert answer["proposed"] == 1
    assert {n: p for n, p in picture(laptop.memory).items() if n != ".consolidate-lock"} == before
    assert f"-{DUPLICATE}" in laptop.ok("diff", "--proposal", "--memory", str(laptop.memory))
    assert answer["dream"] in laptop.ok("status", str(laptop.memory))
    laptop.ok("accept", "--memory", str(laptop.memory))
    assert (laptop.memory / "MEMORY.md").read_text().count(DUPLICATE) == 1
    done = laptop.run("reject", answer["dream"])
    assert (done.returncode, "accepted already" in done.stdout) == (0, True)


def test_a_dry_run_shows_the_patch_and_writes_nothing(laptop: Laptop) -> None:
    before = picture(laptop.home)
    out = laptop.ok("dream", str(laptop.memory), "--dry-run")
    assert f"-{DUPLICATE}" in out
    after = {name: seen for name, seen in picture(laptop.home).items() if "stages" not in name}
    assert after == before


def test_a_pinned_note_is_left_alone_until_it_is_unpinned(laptop: Laptop) -> None:
    laptop.ok("pin", "MEMORY.md", "--memory", str(laptop.memory))
    pinned = (laptop.memory / "MEMORY.md").read_text()
    assert "pinned: true" in pinned
    assert (laptop.memory / "MEMORY.md").stat().st_mtime > (
        laptop.memory / "deploy-steps.md"
    ).stat().st_mtime
    assert laptop.json("dream", str(laptop.memory))["changes"] == []
    assert "pinned already" in laptop.ok("pin", "MEMORY.md", "--memory", str(laptop.memory))
    laptop.ok("unpin", "MEMORY.md", "--memory", str(laptop.memory))
    assert laptop.json("dream", str(laptop.memory))["changes"]
    done = laptop.run("pin", "nowhere", "--memory", str(laptop.memory))
    assert done.returncode == 2


def test_check_finds_faults_and_fix_mends_the_mechanical_ones(laptop: Laptop) -> None:
    done = laptop.run("check", str(laptop.memory))
    assert done.returncode == 1
    assert "deploy_steps.md" in done.stdout
    fixed = laptop.run("check", "--fix", str(laptop.memory))
    assert fixed.returncode == 0, fixed.stdout
    assert "(deploy-steps.md)" in (laptop.memory / "MEMORY.md").read_text()
    assert laptop.run("check", str(laptop.memory / "MEMORY.md")).returncode == 0


def test_forget_asks_and_then_leaves_nothing(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    done = laptop.run("forget", "make ship", "--memory", str(laptop.memory))
    assert done.returncode == 2
    assert "--yes" in done.stderr
    laptop.ok("forget", "make ship", "--yes", "--memory", str(laptop.memory))
    assert "make ship" not in (laptop.memory / "deploy-steps.md").read_text()
    assert "Run `" in (laptop.memory / "deploy-steps.md").read_text()


def test_restore_to_a_folder(laptop: Laptop) -> None:
    answer = laptop.json("dream", str(laptop.memory))
    laptop.ok("restore", answer["dream"], "--to", str(laptop.home / "then"))
    assert (laptop.home / "then" / "MEMORY.md").read_text() == INDEX


BAD = [
    (("dream", "/nowhere/at/all"), 2, "there is no directory"),
    (("dream", "{memory}/MEMORY.md"), 2, "not a directory"),
    (("dream", "{memory}", "--memory", "/other"), 2, "two memory directories"),
    (("dream", "{memory}", "--sessions", "/nowhere"), 2, "--sessions"),
    (("dream",), 2, "no memory directory for this project"),
    (("dream", "{memory}", "--engine", "magic"), 2, "invalid choice"),
    (("dream", "{memory}", "--engine", "model"), 78, "rules"),
    (("dreem",), 2, 'did you mean "dream"'),
    (("show", "abcdef"), 2, "no dream begins with"),
    (("show", "a"), 2, "too short"),
    (("undo", "--memory", "{memory}"), 1, "no dream that changed a note"),
    (("restore",), 2, "DREAM"),
    (("forget", "abc", "--yes", "--memory", "{memory}"), 2, "at least 4 characters"),
    (("check", "/nowhere/x.md"), 2, "there is no"),
    (("check", "{memory}/nothing.md"), 2, "there is no"),
    (("status", "~nosuchuser/m"), 2, "no such user"),
    (("dream", "{memory}", "--sess", "x"), 2, "unrecognized arguments"),
    (("forget", "abc", "--memory", "{memory}"), 2, "at least 4 characters"),  # before it asks
    (("log", "{memory}", "-n", "-1"), 2, "no whole number from 0 on"),
    (("why", "{memory}", "-n", "few"), 2, '"few" is no whole number from 0 on'),
    (("why", "{memory}", "--line", " "), 2, "--line: give some words"),
    (("show", "{memory}"), 2, "is named with --memory"),
    (("dream", "{memory}", "--current", "a"), 2, "--current goes with --gated"),
    (("status", "{memory}", "--watch="), 2, '"" is no number of seconds'),
]


@pytest.mark.parametrize(("words", "code", "sentence"), BAD, ids=[" ".join(w) for w, *_ in BAD])
def test_bad_input_gets_a_sentence_and_changes_nothing(
    laptop: Laptop, words: tuple[str, ...], code: int, sentence: str
) -> None:
    before = picture(laptop.memory)
    done = laptop.run(*(word.format(memory=laptop.memory) for word in words))
    assert done.returncode == code, done.stderr
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert picture(laptop.memory) == before


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed_are_nobodys_loss(laptop: Laptop, closed: str) -> None:
    words = f'"$0" -m dreamd dream "$1" {closed}'
    environ = os.environ | {"HOME": str(laptop.home), "PYTHONPATH": str(ROOT)}
    command = ["sh", "-c", words, sys.executable, str(laptop.memory)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert ("Improved" in done.stdout) is closed.startswith("2")
    assert laptop.json("log", str(laptop.memory))["dreams"][0]["outcome"] == "dreamt"
    assert (laptop.memory / "MEMORY.md").read_text().startswith("# Memory")


def test_help_is_pointed_to_once_and_only_what_lacks_is_asked_for(laptop: Laptop) -> None:
    assert laptop.run("estimate").stderr.count("--help") == 1
    assert "required: DREAM (" in laptop.run("restore").stderr


def test_a_path_that_did_not_stand_then_is_told_with_those_that_did(laptop: Laptop) -> None:
    dream = laptop.json("dream", str(laptop.memory))["dream"]
    done = laptop.run("restore", dream, "nope.md")
    assert done.returncode == 2
    assert "nope.md did not stand in the memory then, but MEMORY.md" in done.stderr


def test_an_error_under_json_is_one_object_too(laptop: Laptop) -> None:
    done = laptop.run("dream", "/nowhere", "--json")
    answer = json.loads(done.stdout)
    assert answer["outcome"] == "refused"
    assert "no directory" in answer["reason"]
    assert done.returncode == 2


def test_a_slip_under_json_is_one_object_with_every_key(laptop: Laptop) -> None:
    done = laptop.run("dream", str(laptop.memory), "--json", "--bogus")
    assert done.returncode == 2
    assert set(json.loads(done.stdout)) >= KEYS


def test_a_link_to_itself_and_a_closed_folder_are_sentences(laptop: Laptop) -> None:
    (laptop.home / "loop").symlink_to("loop")
    done = laptop.run("log", "loop")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    (laptop.memory / "lnk").symlink_to(laptop.home)
    (laptop.home / "x.md").write_text("x")
    done = laptop.run("check", str(laptop.memory / "lnk" / "x.md"))
    assert done.returncode == 2
    assert "leads out of" in done.stderr


def test_a_name_that_is_no_utf8_stops_nothing(laptop: Laptop) -> None:
    write(laptop.memory / "z\udcff.md", "An odd name.\n")
    assert laptop.json("dream", str(laptop.memory))["outcome"] == "dreamt"
    assert (laptop.memory / "z\udcff.md").exists()
    index = (laptop.memory / "MEMORY.md").read_bytes().decode("utf-8")
    assert index.count(DUPLICATE) == 1
    assert laptop.run("pin", "z\udcff.md", "--memory", str(laptop.memory)).returncode == 0
    plain = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    assert laptop.run("show", "--memory", str(laptop.memory), **plain).returncode == 0


def test_restore_never_writes_a_copy_into_the_memory(laptop: Laptop) -> None:
    answer = laptop.json("dream", str(laptop.memory))
    done = laptop.run("restore", answer["dream"], "--to", str(laptop.memory / "copy"))
    assert done.returncode == 2
    assert not (laptop.memory / "copy").exists()


def test_a_wrong_configuration_names_file_line_and_key(laptop: Laptop) -> None:
    file = laptop.home / ".config" / "dreamd" / "config.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("engine: rules\nbudgett: 3\n")
    done = laptop.run("dream", str(laptop.memory))
    assert done.returncode == 78
    assert "config.yaml" in done.stderr
    assert "2" in done.stderr
    assert "budget" in done.stderr


def test_settings_can_be_looked_up_while_one_of_them_is_wrong(laptop: Laptop) -> None:
    done = laptop.run("config", DREAMD_GATES__HORUS="3")
    assert done.returncode == 78
    assert "DREAMD_GATES__HORUS" in done.stderr
    assert "gates.hours  " in done.stdout
    assert {line.split()[-1] for line in done.stdout.splitlines()[:-4]} == {"default"}
    assert json.loads(laptop.run("config", "--json", DREAMD_GATES__HORUS="3").stdout)["outcome"]


def test_switched_off_means_no_dream(laptop: Laptop) -> None:
    done = laptop.run("dream", str(laptop.memory), "--json", DREAMD_ENABLED="false")
    assert json.loads(done.stdout)["outcome"] == "skipped"
    assert done.returncode == 0


def test_a_held_lock_is_busy(laptop: Laptop) -> None:
    (laptop.memory / ".consolidate-lock").write_text(str(os.getpid()))
    done = laptop.run("dream", str(laptop.memory), "--json")
    assert done.returncode == 75
    assert json.loads(done.stdout)["outcome"] == "busy"
    assert str(os.getpid()) in json.loads(done.stdout)["reason"]


def test_an_unwritable_state_directory_is_a_sentence(laptop: Laptop) -> None:
    (laptop.home / ".local").write_text("in the way")
    before = picture(laptop.memory)
    done = laptop.run("dream", str(laptop.memory))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert ".local" in done.stderr
    assert picture(laptop.memory) == before


def test_looking_imports_neither_the_sdk_nor_the_watcher_nor_yaml(laptop: Laptop) -> None:
    script = (
        "import sys; from dreamd.cli import main; code = main(sys.argv[1:]);"
        "print(*sorted({m.partition('.')[0] for m in sys.modules}), file=sys.stderr);sys.exit(code)"
    )
    for words in (["log", str(laptop.memory)], ["status", str(laptop.memory)], ["--help"]):
        done = subprocess.run(
            [sys.executable, "-c", script, *words],
            env=os.environ | {"HOME": str(laptop.home), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        loaded = set(done.stderr.split())
        assert not loaded & {"anthropic", "watchdog", "yaml", "psutil", "asyncio"}, words


def test_every_command_has_help_and_the_table_names_them_all(laptop: Laptop) -> None:
    from dreamd.cli import COMMANDS

    text = laptop.ok("--help")
    for name in COMMANDS:
        assert f"\n  {name} " in text
        assert f"dreamd {name}" in laptop.ok(name, "--help")


def test_colour_never_enters_a_pipe(laptop: Laptop) -> None:
    assert "\x1b" not in laptop.ok("dream", str(laptop.memory), "--dry-run")


def test_status_says_where_others_may_read_the_key_file(laptop: Laptop) -> None:
    key = laptop.home / "key"
    key.write_text("a-key-of-no-known-shape\n")
    for mode, is_told in ((0o644, True), (0o600, False)):
        key.chmod(mode)
        told = laptop.ok("status", str(laptop.memory), DREAMD_MODEL__KEY_FILE=str(key))
        assert "model claude-haiku-4-5, behind" in told
        assert ("others may read the key file" in told) is is_told
        assert "a-key-of" not in told
