"""`check --staged`: the files of a commit, as pre-commit names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.laptop import Laptop

FAULTY = "# Memory\n\n- [Deploy](deploy.md) — how\n- [Gone](gone.md) — no note any more\n"


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
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
    return Laptop(top, memory)


def test_files_in_no_memory_of_the_repository_are_passed_over(laptop: Laptop) -> None:
    names = ["README.md", "link", "link/deploy.md", "gone.md", "docs/memory"]
    done = laptop.run("check", "--staged", *names)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert laptop.ok("check", "--staged") == ""
    assert {each.name for each in laptop.home.iterdir()} == {"README.md", "docs", "link"}


def test_faults_of_what_is_staged_and_of_the_index_are_told(laptop: Laptop) -> None:
    done = laptop.run("check", "--staged", "docs/memory/deploy.md", "docs/memory/link.md")
    assert done.returncode == 1
    told = [line.partition("docs/memory/")[2] for line in done.stdout.splitlines()]
    for begins in (
        "MEMORY.md:4: ",
        "deploy.md:1: ",
        "link.md: warning: is over 32 MiB or no regular file",
    ):
        assert [each for each in told if each.startswith(begins)], begins
    assert not [each for each in told if each.startswith("other.md:")]


def test_fix_mends_what_is_staged_and_leaves_other_notes_alone(laptop: Laptop) -> None:
    other = (laptop.memory / "other.md").read_text()
    done = laptop.run("check", "--staged", "--fix", "docs/memory/MEMORY.md")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Fixed " in done.stderr
    index = (laptop.memory / "MEMORY.md").read_text()
    assert "(gone.md)" not in index
    assert "(other.md)" in index
    assert (laptop.memory / "other.md").read_text() == other
