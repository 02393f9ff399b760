"""A home of its own, with projects that people worked in: real folders, real git, real files."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from dreamd import stores
from dreamd.domain.store import Store
from dreamd.stores.project import slug


@dataclass(frozen=True)
class Ground:
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

    def memory(self, root: Path, notes: str = "# Memory\n") -> Path:
        memory = self.folder(root) / "memory"
        memory.mkdir(parents=True)
        (memory / "MEMORY.md").write_text(notes)
        return memory

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

    def heard(self, root: Path) -> set[str]:
        """The names of the folders that belong to a project's memory, less its slug."""
        memory = self.folder(root) / "memory"
        found = stores.transcript_folders(memory, claude=self.claude, state=self.state)
        assert list(found) == sorted(set(found))
        return {path.name.removeprefix(slug(root)) for path in found}

    def locate(self, named: str | None, here: Path | None = None) -> Store:
        return stores.locate(named, here=here or self.home, claude=self.claude, state=self.state)

    def at(self, memory: Path) -> Store:
        return stores.store_at(memory, self.state)

    def dreamt(self, memory: Path) -> Store:
        """The store of a directory after a first change."""
        store = self.at(memory)
        stores.open_home(store)
        (store.home / "store.db").touch()
        return store


def git(at: Path, *words: str) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    clean |= {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    allowed = ["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"]
    done = subprocess.run(
        ["git", *identity, *allowed, "-C", str(at), *words],
        check=True,
        env=clean,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def repository(root: Path, says: str | None = None) -> Path:
    """A repository with one commit; what it says makes its root commit one of its own."""
    root.mkdir(parents=True)
    git(root, "init", "-q")
    git(root, "commit", "-q", "--allow-empty", "-m", says or root.name)
    return root
