"""`check --staged`: the files of a commit, as pre-commit names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.laptop import Laptop

INDEX = "# Memory\n\n- [Deploy](deploy.md) — how to deploy\n"
FAULTY = INDEX + "- [Gone](gone.md) — no note any more\n"


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    """One stands in a repository with `docs/memory`; above it lies a memory that is not its."""
    top = tmp_path / "work"
    memory = top / "docs" / "memory"
    memory.mkdir(parents=True)
    (tmp_path / "MEMORY.md").write_text(FAULTY)
    (memory / "MEMORY.md").write_text(INDEX)
    (memory / "deploy.md").write_text("Run `make ship`.\n")
    (top / "README.md").write_text("See [[nothing]].\n")
    return Laptop(top, memory)


def test_files_in_no_memory_of_the_repository_are_passed_over(laptop: Laptop) -> None:
    (laptop.home / "link").symlink_to("docs/memory")
    (laptop.memory / "MEMORY.md").write_text(FAULTY)
    names = ["README.md", "link", "link/deploy.md", "gone.md", "docs/memory"]
    done = laptop.run("check", "--staged", *names)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert laptop.ok("check", "--staged") == ""
    assert {each.name for each in laptop.home.iterdir()} == {"README.md", "docs", "link"}


def test_faults_of_the_staged_note_and_of_the_index_are_told(laptop: Laptop) -> None:
    (laptop.memory / "deploy.md").write_text("See [x](none.md).\n")
    (laptop.memory / "other.md").write_text("See [x](nowhere.md), of which nobody asked.\n")
    (laptop.memory / "MEMORY.md").write_text(FAULTY + "- [Other](other.md)\n")
    done = laptop.run("check", "--staged", "docs/memory/deploy.md")
    assert done.returncode == 1
    told = [line.partition("docs/memory/")[2].split(": ")[0] for line in done.stdout.splitlines()]
    assert told == ["MEMORY.md:4", "deploy.md:1"]


def test_a_staged_link_is_said_to_be_one(laptop: Laptop) -> None:
    (laptop.memory / "link.md").symlink_to("nowhere.md")
    done = laptop.run("check", "--staged", "docs/memory/link.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert "docs/memory/link.md: warning: is over 32 MiB or no regular file" in done.stdout


def test_fix_mends_what_is_staged_and_leaves_other_notes_alone(laptop: Laptop) -> None:
    other = "See [x](nowhere.md).\n"
    (laptop.memory / "other.md").write_text(other)
    (laptop.memory / "MEMORY.md").write_text(FAULTY)
    done = laptop.run("check", "--staged", "--fix", "docs/memory/MEMORY.md")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Fixed 2 faults" in done.stderr
    index = (laptop.memory / "MEMORY.md").read_text()
    assert "(gone.md)" not in index
    assert "(other.md)" in index
    assert (laptop.memory / "other.md").read_text() == other


def test_an_unstaged_memory_is_not_named(laptop: Laptop) -> None:
    done = laptop.run("check", "--staged", "--memory", str(laptop.memory))
    assert done.returncode == 2
    assert "--staged" in done.stderr
