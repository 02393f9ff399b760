"""A home of its own, with projects that people worked in: real folders, real git, real files."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from msgspec import Struct

from dreamd.domain.store import Store
from dreamd.stores.belonging import transcript_folders
from dreamd.stores.choice import locate
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

    def belonging(self, root: Path) -> set[str]:
        """The names of the folders that belong to a project's memory, less its slug."""
        found = self.folders(self.folder(root) / "memory")
        assert list(found) == sorted(set(found))
        return {path.name.removeprefix(slug(root)) for path in found}

    def folders(self, memory: Path) -> tuple[Path, ...]:
        return transcript_folders(memory, claude=self.claude, state=self.state)

    def locate(self, named: str | None, here: Path | None = None) -> Store:
        return locate(named, here=here or self.home, claude=self.claude, state=self.state)

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
