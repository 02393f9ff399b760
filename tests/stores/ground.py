"""A home of its own, with projects that people worked in: real folders, real git, real files."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from msgspec import Struct

from dreamd.domain.store import Store
from dreamd.stores import belonging, choice
from dreamd.stores.identity import opened, store_at
from dreamd.stores.project import slug


class Ground(Struct, frozen=True):
    home: Path

    @property
    def claude(self) -> Path:
        return self.home / ".claude"

    @property
    def state(self) -> Path:
        return self.home / "state" / "dreamd"

    def folder(self, root: Path) -> Path:
        """The project folder that the client makes for a path."""
        return self.claude / "projects" / slug(root)

    def memory(self, root: Path) -> Path:
        return notes(self.folder(root) / "memory")

    def sessions(self, *cwds: Path) -> None:
        for cwd in cwds:
            self.session(cwd)

    def session(
        self, cwd: Path, *, at: Path | None = None, name: str = "s", age: int = 0, lead: str = ""
    ) -> Path:
        """A transcript of a session started in `cwd`, in the folder of `at` (else of `cwd`)."""
        folder = self.folder(at or cwd)
        folder.mkdir(parents=True, exist_ok=True)
        record = {"parentUuid": None, "cwd": str(cwd), "type": "user", "message": {"content": "x"}}
        path = folder / f"{name}.jsonl"
        path.write_text(f'{lead}{{"type":"queue-operation"}}\n{json.dumps(record)}\n')
        os.utime(path, (1_790_000_000 - age, 1_790_000_000 - age))
        return path

    def choose(self, memory: object) -> None:
        """Set the client's `autoMemoryDirectory`."""
        self.claude.mkdir(exist_ok=True)
        (self.claude / "settings.json").write_text(json.dumps({"autoMemoryDirectory": str(memory)}))

    def folders(self, memory: Path) -> tuple[Path, ...]:
        found = belonging.transcript_folders(memory, claude=self.claude, state=self.state)
        assert list(found) == sorted(set(found))
        return found

    def survey(self) -> list[Path]:
        """The memory directories there are, of which none is made by looking."""
        seen = belonging.survey(self.claude, self.state)
        assert not seen.unreadable
        assert all(store == self.at(store.memory) for store in seen.stores)
        return [store.memory for store in seen.stores]

    def holds(self, wanted: dict[Path, set[Path]]) -> None:
        """Each project, by its root, is a store and has the sessions of these folders."""
        memories = {self.folder(root) / "memory": cwds for root, cwds in wanted.items()}
        assert self.survey() == sorted(memories)
        for memory, cwds in memories.items():
            assert set(self.folders(memory)) == set(map(self.folder, cwds)), memory

    def locate(self, named: str | None, here: Path | None = None) -> Store:
        return choice.locate(named, here=here or self.home, claude=self.claude, state=self.state)

    def at(self, memory: Path) -> Store:
        return store_at(memory, self.state)

    def opened(self, memory: Path) -> Store:
        """The store of a directory after a first change."""
        store = self.at(memory)
        with opened(store):
            (store.home / "store.db").touch()
        return store


def notes(memory: Path) -> Path:
    """A memory directory."""
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# Memory\n")
    return memory


def git(at: Path, *words: str) -> None:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    clean |= {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    allowed = ["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"]
    command = ["git", *identity, *allowed, "-C", str(at), *words]
    subprocess.run(command, check=True, env=clean, capture_output=True)


def repository(root: Path) -> Path:
    """A repository with one commit."""
    root.mkdir(parents=True)
    git(root, "init", "-q")
    git(root, "commit", "-q", "--allow-empty", "-m", root.name)
    return root
