"""Which memory directory is meant, and the sentence where none is."""

from __future__ import annotations

import os

import pytest

from dreamd.errors import HostError, MemoryUnfitError, RefusedError, UsageError
from dreamd.stores.identity import opened
from tests.stores.ground import Ground, git, notes, repository


def test_the_memory_one_stands_in_or_that_of_the_project_is_meant(ground: Ground) -> None:
    plain, client = notes(ground.home / "memory"), ground.memory(ground.home / "p")
    (client / "MEMORY.md").unlink()  # the client's is one without an index too
    for memory in (plain, client):
        (memory / "team").mkdir()
        assert ground.locate(None, memory).memory == memory
        assert ground.locate(None, memory / "team").memory == memory
    elsewhere = ground.home / "else" / "memory"
    elsewhere.mkdir(parents=True)
    with pytest.raises(UsageError, match=r"no memory directory for this project.*projects"):
        ground.locate(None, elsewhere)
    main, side = repository(ground.home / "main"), ground.home / "side"
    git(main, "worktree", "add", "-q", str(side))
    memory = ground.memory(main)
    (main / "deep").mkdir()
    for here in (main, main / "deep", side):
        assert ground.locate(None, here).memory == memory


def test_a_project_with_transcripts_and_no_memory_yet_is_a_store(ground: Ground) -> None:
    root = repository(ground.home / "p")
    (root / "sub").mkdir()
    ground.session(root / "sub")
    memory = ground.folder(root) / "memory"
    for store in (
        ground.locate(None, root),
        ground.locate(None, root / "sub"),
        ground.locate(str(memory)),
        ground.locate(f".claude/projects/{memory.parent.name}/memory"),
    ):
        assert store == ground.at(memory)
    for named in ("p/memory", f"{memory.parent}/notes", f"{memory.parent}/a/memory"):
        with pytest.raises(UsageError, match="there is no directory"):
            ground.locate(named)
    assert not memory.exists()
    assert not ground.state.exists()
    with pytest.raises(MemoryUnfitError, match="`dreamd dream` writes the first"), opened(store):
        pass
    ground.state.parent.mkdir(parents=True)
    ground.state.write_text("a file in the way\n")
    with pytest.raises(HostError, match="a file stands"), opened(store, create=True):
        pass
    assert not memory.exists(), "it was made in vain"
    ground.state.unlink()
    with pytest.raises(FileNotFoundError), opened(store, create=True):
        (memory / "no such").read_text()
    assert not memory.exists()
    with opened(store, create=True):
        assert memory.stat().st_mode & 0o777 == 0o700
    memory.rmdir()
    with pytest.raises(AttributeError), opened(store, create=True):
        (memory / "MEMORY.md").write_text("a note\n").no_such()  # type: ignore[attr-defined]
    assert (memory / "MEMORY.md").exists(), "something came into it"
    (memory / "MEMORY.md").unlink()
    memory.rmdir()
    with pytest.raises(MemoryUnfitError, match="`dreamd restore DREAM` brings"), opened(store):
        pass


def test_a_folder_without_a_transcript_awaits_no_memory(ground: Ground) -> None:
    folder = ground.folder(ground.home / "p")
    (folder / "folder.jsonl").mkdir(parents=True)
    os.mkfifo(folder / "pipe.jsonl")
    for lure in ("agent-1.jsonl", ".hidden.jsonl", "s.json"):
        (folder / lure).write_text("{}\n")
    (ground.home / "p").mkdir()
    with pytest.raises(UsageError, match="there is no directory"):
        ground.locate(str(folder / "memory"))
    with pytest.raises(UsageError, match="no memory directory for this project, and no transc"):
        ground.locate(None, ground.home / "p")


def test_the_clients_own_choice_of_a_memory_is_the_projects(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, chosen = repository(ground.home / "p"), ground.home / "my notes"
    ground.session(root)
    ground.choose(chosen)
    for store in (ground.locate(None, root), ground.locate(str(chosen))):
        assert store.memory == chosen
    with pytest.raises(UsageError, match="there is no directory"):
        ground.locate(f"{chosen}2")
    notes(chosen)
    ground.memory(root)
    monkeypatch.setenv("HOME", str(ground.home))
    for named in (f"{chosen}/", "~/my notes"):
        ground.choose(named)
        assert ground.locate(None, root).memory == chosen


NONSENSE = ["null", "7", '""', '"notes"', '"/"', '"/a/../"', '"~/"', '"~/.."', '"~other/x"']
NONSENSE += ['"/a\\u0000b"', '"/a\\ud800b"']


def test_a_client_setting_that_makes_no_sense_counts_as_not_set(ground: Ground) -> None:
    root = repository(ground.home / "p")
    memory, file = ground.memory(root), ground.claude / "settings.json"
    odd = [f'{{"autoMemoryDirectory": {value}}}'.encode() for value in NONSENSE]
    for data in (b"", b"not json", b"[]", b"{}", b"[" * 100_000, b"\xff\xfe\xff", *odd):
        file.write_bytes(data)
        assert ground.locate(None, root).memory == memory, data[:40]
    file.unlink()
    os.mkfifo(file)  # which is never waited for
    assert ground.locate(None, root).memory == memory


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
@pytest.mark.parametrize("mode", [0o000, 0o111])
@pytest.mark.parametrize("above", ["", "projects"])
def test_a_closed_project_folder_is_not_called_absent(
    ground: Ground, above: str, mode: int
) -> None:
    root = repository(ground.home / "p")
    ground.session(root)
    closed = ground.claude / above if above else ground.folder(root)
    closed.chmod(mode)
    try:
        with pytest.raises(RefusedError, match="no permission to look into"):
            ground.locate(None, root)
        if mode == 0:
            with pytest.raises(RefusedError, match="no permission to look into"):
                ground.locate(str(ground.folder(root) / "memory"))
    finally:
        closed.chmod(0o700)
