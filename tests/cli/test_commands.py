"""The command line as a person types it: real processes, exit codes, one clear sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dreamd import cli
from dreamd.domain.receipt import Trigger
from dreamd.domain.settings import EngineChoice
from tests.laptop import Laptop, on_screen
from tests.scripted import picture, write
from tests.spoken import say

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
    notes, named = str(laptop.memory), ("--memory", str(laptop.memory))
    before = picture(laptop.memory)
    out = laptop.ok("dream", notes, "--dry-run")
    assert f"-{DUPLICATE}" in out
    assert "\x1b" not in out  # colour never enters a pipe
    assert picture(laptop.memory) == before
    answer = laptop.json("dream", notes, "--engine", "rules")
    assert set(answer) >= KEYS
    assert (answer["outcome"], answer["engine"]) == ("dreamt", "rules")
    assert [(c["path"], c["verb"]) for c in answer["changes"]] == [("MEMORY.md", "changed")]
    index = (laptop.memory / "MEMORY.md").read_text()
    assert index.count(DUPLICATE) == 1
    assert "(deploy-steps.md)" in index
    assert "merged 1 duplicate" in laptop.ok("log", notes)
    assert "MEMORY.md" in laptop.ok("show", answer["dream"])
    assert f"-{DUPLICATE}" in laptop.ok("diff", answer["dream"][:4])
    assert "duplicate" in laptop.ok("why", notes, "--line", "second Tuesday")
    again = laptop.json("dream", notes)
    assert (again["outcome"], again["changes"]) == ("dreamt", [])
    laptop.ok("undo", *named)
    assert picture(laptop.memory) == before
    assert "undone already" in laptop.ok("undo", answer["dream"])
    copied = laptop.ok("restore", answer["dream"], "MEMORY.md", "--to", str(laptop.home / "copy"))
    assert copied.startswith("Wrote 1 note as when ")
    again = laptop.json("dream", notes)  # what was undone is not dreamt again
    assert again["changes"] == []
    assert "undid" in again["reason"]
    assert "Improved" in laptop.ok("show", *named)
    laptop.ok("redo", answer["dream"])
    assert (laptop.memory / "MEMORY.md").read_text() == index
    done = laptop.run("restore", answer["dream"], "nope.md")
    assert done.returncode == 2
    assert "nope.md did not stand in the memory then, but MEMORY.md" in done.stderr
    laptop.ok("restore", answer["dream"], "--to", str(laptop.home / "then"))
    assert (laptop.home / "then" / "MEMORY.md").read_text() == INDEX


def test_what_is_proposed_waits_and_is_named_until_it_is_settled(laptop: Laptop) -> None:
    notes, named = str(laptop.memory), ("--memory", str(laptop.memory))
    before = picture(laptop.memory)
    answer = laptop.json("dream", notes, "--propose")
    assert (answer["outcome"], answer["proposed"]) == ("proposed", 1)
    assert {n: p for n, p in picture(laptop.memory).items() if n != ".consolidate-lock"} == before
    assert f"-{DUPLICATE}" in laptop.ok("diff", "--proposal", *named)
    assert answer["dream"] in laptop.ok("status", notes)
    second = laptop.json("dream", notes, "--propose")["dream"]
    said = laptop.ok("dream", notes, "--propose").splitlines()[-1]
    assert said.startswith(f"2 proposals wait: `dreamd diff {second} --proposal` shows what was")
    laptop.ok("accept", *named)
    assert (laptop.memory / "MEMORY.md").read_text().count(DUPLICATE) == 1
    laptop.ok("reject", second)
    assert f"`dreamd accept {answer['dream']}`" in laptop.ok("dream", notes).splitlines()[-1]
    laptop.ok("reject", answer["dream"])
    assert "accept" not in laptop.ok("dream", notes)
    assert "rejected already" in laptop.ok("reject", answer["dream"])


def test_a_dream_and_the_demo_name_each_value_that_changed_and_the_old_one(laptop: Laptop) -> None:
    (laptop.memory / "MEMORY.md").write_text("# Memory\n\n- Backups are kept 30 days. (2026-05-01)")
    said = "backups are kept 60 days now instead of 30"
    say(laptop.home / "said", "one", said, at="2026-05-12T09:00:00.000Z")
    out = laptop.ok("dream", str(laptop.memory), "--sessions", str(laptop.home / "said"))
    rows = out.splitlines()
    was = rows[rows.index("  Backups are kept 60 days.") + 1]
    assert was == "      was: 30 days, 2026-05-01 · you said so on 2026-05-12"
    shown = on_screen(["demo"], laptop.environ(TERM="xterm"), laptop.home)
    assert "\x1b[2m      was: 85 EUR · you said so on 2026-06-08\x1b[0m" in shown
    assert "\\x1b" not in shown


def test_notes_are_pinned_linted_mended_and_forgotten(laptop: Laptop) -> None:
    notes, named = str(laptop.memory), ("--memory", str(laptop.memory))
    laptop.ok("pin", "MEMORY.md", *named)
    assert "pinned: true" in (laptop.memory / "MEMORY.md").read_text()
    assert laptop.json("dream", notes)["changes"] == []
    assert "pinned already" in laptop.ok("pin", "MEMORY.md", *named)
    laptop.ok("unpin", "MEMORY.md", *named)
    done = laptop.run("check", notes)
    assert done.returncode == 1
    assert "deploy_steps.md" in done.stdout
    fixed = laptop.run("check", "--fix", notes)
    assert fixed.returncode == 0, fixed.stdout
    assert "(deploy-steps.md)" in (laptop.memory / "MEMORY.md").read_text()
    assert laptop.run("check", str(laptop.memory / "MEMORY.md")).returncode == 0
    assert laptop.json("dream", notes)["changes"]
    done = laptop.run("forget", "make ship", *named)
    assert done.returncode == 2
    assert "--yes" in done.stderr
    laptop.ok("forget", "make ship", "--yes", *named)
    assert (laptop.memory / "deploy-steps.md").read_text().endswith("Run `[forgotten]`.\n")


def test_a_damaged_history_is_set_aside_before_a_text_is_forgotten(laptop: Laptop) -> None:
    named = ("--memory", str(laptop.memory))
    laptop.ok("dream", *named)
    [history] = laptop.home.glob(".local/state/dreamd/stores/*/store.db")
    history.write_bytes(b"no database " * 999)
    done = laptop.run("log", *named)
    assert done.returncode == 1
    assert "sets it aside" in done.stderr
    done = laptop.run("forget", "make ship", "--yes", *named)
    assert done.returncode == 1
    assert "store.db.damaged-1 was not searched" in done.stdout
    assert "make ship" not in (laptop.memory / "deploy-steps.md").read_text()
    laptop.ok("dream", *named)


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
    (("dream", "{memory}", "--sess", "x"), 2, "unrecognized arguments"),
    (("why", "{memory}", "-n", "-1"), 2, '"-1" is no whole number from 0 on'),
    (("undo", "--memory", "{memory}"), 1, "no dream that changed a note"),
    (("restore",), 2, "DREAM"),
    (("check", "/nowhere/x.md"), 2, "there is no"),
    (("status", "~nosuchuser/m"), 2, "no such user"),
    (("forget", "abc", "--memory", "{memory}"), 2, "at least 4 characters"),  # before it asks
    (("pin", "nowhere", "--memory", "{memory}"), 2, "there is no note nowhere"),
    (("check", "--staged", "--memory", "{memory}"), 2, "--staged"),
    (("log", "loop"), 2, "loop"),
    (("check", "{memory}/lnk/x.md"), 2, "leads out of"),
    (("why", "{memory}", "--line", " "), 2, "--line: give some words"),
    (("show", "{memory}"), 2, "is named with --memory"),
    (("dream", "{memory}", "--current", "a"), 2, "--current goes with --gated"),
    (("log", ""), 2, "names nothing"),
    (("demo", "--keep", "{memory}"), 2, "is not an empty folder: name a new one"),
    (("log", "code"), 1, "does not look like a memory directory"),
    (("log", ".claude"), 1, "is a whole client home, not one memory directory: name"),
]


@pytest.mark.parametrize(("words", "code", "sentence"), BAD, ids=[" ".join(w) for w, *_ in BAD])
def test_bad_input_gets_a_sentence_and_changes_nothing(
    laptop: Laptop, words: tuple[str, ...], code: int, sentence: str
) -> None:
    (laptop.home / "loop").symlink_to("loop")
    (laptop.memory / "lnk").symlink_to(laptop.home)
    (laptop.home / "x.md").write_text("x")
    write(laptop.home / "code" / "main.py", "pass\n")
    write(laptop.home / ".claude" / "projects" / "-x" / "memory" / "MEMORY.md", "# Memory\n")
    before = picture(laptop.memory)
    given = [word.format(memory=laptop.memory) for word in words]
    done = laptop.run(*given)
    assert done.returncode == code, done.stderr
    assert sentence in done.stderr
    assert done.stderr.count("--help") <= 1
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    if words[0] in cli.COMMANDS:  # under --json it is one object too, with every key
        answer = json.loads(laptop.run(*given, "--json").stdout)
        assert set(answer) == KEYS
        assert answer["outcome"] == ("refused" if code != 78 else "failed")
    assert picture(laptop.memory) == before


def test_a_name_that_is_no_utf8_stops_nothing(laptop: Laptop) -> None:
    write(laptop.memory / "z\udcff.md", "An odd name.\n")
    assert laptop.json("dream", str(laptop.memory))["outcome"] == "dreamt"
    assert "z\\udcff.md" in laptop.run("check", str(laptop.memory), "--json").stdout


def test_what_stands_in_the_place_of_a_file_of_ours_is_named(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    [mark] = laptop.state.glob("stores/*/store.json")
    mark.unlink()
    mark.mkdir()
    before, done = picture(laptop.memory), laptop.run("dream", str(laptop.memory))
    assert (done.returncode, done.stderr.count("\n"), picture(laptop.memory)) == (1, 1, before)
    assert "store.json: Is a directory; move it away" in done.stderr


def test_every_command_has_help_and_names_a_memory(laptop: Laptop) -> None:
    text = laptop.ok("--help")
    for name in cli.COMMANDS:
        assert f"\n  {name} " in text
        told = laptop.ok(name, "--help")
        assert f"dreamd {name}" in told
        assert "--memory DIR" in told
    choices = {f"--engine {'|'.join(EngineChoice)}", f"--trigger {'|'.join(Trigger)}"}
    assert choices <= set(cli.COMMANDS["dream"][2])


FAULTY = "# Memory\n\n- [Deploy](deploy.md) — how\n- [Gone](gone.md) — no note any more\n"


def test_what_is_staged_and_the_index_are_linted_and_all_else_passed_over(tmp_path: Path) -> None:
    """One stands in a repository with `docs/memory`; above it lies a memory that is not its."""
    top = tmp_path / "work"
    memory = top / "docs" / "memory"
    memory.mkdir(parents=True)
    (tmp_path / "MEMORY.md").write_text(FAULTY)
    (memory / "MEMORY.md").write_text(FAULTY)
    (memory / "deploy.md").write_text("See [x](none.md).\n")
    (memory / "other.md").write_text("See [x](nowhere.md), of which nobody asked.\n")
    (memory / "link.md").symlink_to("nowhere.md")
    (top / "README.md").write_text("See [[nothing]].\n")
    (top / "link").symlink_to("docs/memory")
    laptop = Laptop(top, memory)
    names = ["README.md", "link", "link/deploy.md", "gone.md", "docs/memory"]
    done = laptop.run("check", "--staged", *names)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert laptop.ok("check", "--staged") == ""
    assert {each.name for each in laptop.home.iterdir()} == {"README.md", "docs", "link"}

    done = laptop.run("check", "--staged", "docs/memory/deploy.md", "docs/memory/link.md")
    assert done.returncode == 1
    told = [line.partition("docs/memory/")[2] for line in done.stdout.splitlines()]
    link = "link.md: warning: is over 32 MiB or no regular file"
    for begins in ("MEMORY.md:4: ", "deploy.md:1: ", link):
        assert [each for each in told if each.startswith(begins)], begins
    assert not [each for each in told if each.startswith("other.md:")]
