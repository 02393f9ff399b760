"""Which memory directory is meant, and the sentence where none is."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from dreamd import stores
from dreamd.errors import DreamdError, MemoryUnfitError, UsageError


def locate(named: str | None, here: Path, home: Path) -> Path:
    return stores.locate(named, here=here, claude=home / ".claude", state=home / "state").memory


def memory_at(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "MEMORY.md").write_text("# Memory\n")
    return path


def test_the_slug_is_the_clients() -> None:
    assert stores.slug(Path("/home/Dev/My.app_2")) == "-home-Dev-My-app-2"
    long = "/" + "a" * 250
    # Reference: the same arithmetic in JavaScript, Math.abs of an int32 hash in base 36.
    number = 0
    for letter in long:
        number = (number * 31 + ord(letter)) % (1 << 32)
    number = abs(number - (1 << 32) if number >= 1 << 31 else number)
    assert stores.slug(Path(long)) == "-" + "a" * 199 + "-" + to_base_36(number)


def to_base_36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return digits[number] if number < 36 else to_base_36(number // 36) + digits[number % 36]


def test_two_paths_to_one_directory_are_one_store(tmp_path: Path) -> None:
    memory = memory_at(tmp_path / "memory")
    (tmp_path / "link").symlink_to(memory)
    state = tmp_path / "state"
    assert stores.store_at(memory, state) == stores.store_at(tmp_path / "link", state)
    other = memory_at(tmp_path / "other" / "memory")
    assert stores.store_at(memory, state).name != stores.store_at(other, state).name


def test_the_memory_one_stands_in_is_meant(tmp_path: Path) -> None:
    memory = memory_at(tmp_path / "memory")
    (memory / "team").mkdir()
    assert locate(None, memory, tmp_path) == memory
    assert locate(None, memory / "team", tmp_path) == memory


def test_a_linked_work_tree_shares_the_memory_of_its_main_one(tmp_path: Path) -> None:
    main = tmp_path / "main"
    run = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org"]
    environ = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    for words in (
        ["init", "-q", str(main)],
        ["-C", str(main), "commit", "-q", "--allow-empty", "-m", "x"],
        ["-C", str(main), "worktree", "add", "-q", str(tmp_path / "side")],
    ):
        subprocess.run([*run, *words], check=True, env=environ, capture_output=True)
    memory = memory_at(tmp_path / ".claude" / "projects" / stores.slug(main) / "memory")
    (main / "deep").mkdir()
    for here in (main, main / "deep", tmp_path / "side"):
        assert locate(None, here, tmp_path) == memory


@pytest.mark.parametrize(
    ("named", "error", "words"),
    [
        ("nowhere", UsageError, "there is no directory"),
        ("file", UsageError, "is not a directory"),
        ("", UsageError, "names nothing"),
        ("a\0b", UsageError, "names nothing"),
        ("code", MemoryUnfitError, "does not look like a memory directory"),
        ("client", MemoryUnfitError, "is a whole client home"),
    ],
)
def test_a_wrong_path_gets_one_clear_sentence(
    tmp_path: Path, named: str, error: type[DreamdError], words: str
) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "main.py").write_text("pass\n")
    memory_at(tmp_path / "client" / "projects" / "-x" / "memory")
    with pytest.raises(error, match=words):
        locate(named, tmp_path, tmp_path)


def test_no_memory_for_this_project_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="projects"):
        locate(None, tmp_path, tmp_path)


def test_a_store_notes_which_directory_it_belongs_to(tmp_path: Path) -> None:
    memory = memory_at(tmp_path / "memory")
    store = stores.store_at(memory, tmp_path / "state")
    stores.open_home(store)
    known = json.loads((store.home / "store.json").read_text())
    assert known["path"] == str(memory)
    assert known["inode"] == memory.stat().st_ino
    assert list(stores.known(tmp_path / "state")) == [store]
    assert store.home.stat().st_mode & 0o777 == 0o700
