"""`check --staged`: the files of a commit, as pre-commit names them."""

from __future__ import annotations

from pathlib import Path

from tests.laptop import Laptop

FAULTY = "# Memory\n\n- [Deploy](deploy.md) — how\n- [Gone](gone.md) — no note any more\n"


def test_what_is_staged_and_the_index_are_linted_and_mended_and_all_else_passed_over(
    tmp_path: Path,
) -> None:
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
    laptop, other = Laptop(top, memory), (memory / "other.md").read_text()
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

    done = laptop.run("check", "--staged", "--fix", "docs/memory/MEMORY.md")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Fixed " in done.stderr
    index = (memory / "MEMORY.md").read_text()
    assert "(gone.md)" not in index
    assert "(other.md)" in index
    assert (memory / "other.md").read_text() == other
