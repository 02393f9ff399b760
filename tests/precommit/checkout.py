"""A person's repository that keeps its memory in the tree, with the real pre-commit installed.

Without a network: pre-commit clones this project from a folder and makes its environment with pip
as ever, but pip takes the build backend and what dreamd needs from the environment of the tests.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from dreamd.host import presence

ROOT = Path(__file__).resolve().parents[2]
_SHIPPED = (".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE")
_FOLDERS = ("dreamd", "sample_memory", "systemd")
_CONFIG = """\
repos:
  - repo: {hooks}
    rev: {rev}
    hooks:
      - id: dreamd-check
        args: []
      - id: dreamd-nudge
"""
INDEX = "# Memory\n\n- [Deploy](deploy-steps.md) — how to deploy\n"
DEPLOY = "---\nname: deploy\ndescription: how to deploy\n---\n\nRun `make ship`.\n"


def publish(to: Path) -> tuple[Path, str]:
    """Commit this checkout, as it stands, to a repository that hooks are cloned from."""
    to.mkdir()
    for name in _SHIPPED:
        shutil.copy2(ROOT / name, to / name)
    for name in _FOLDERS:
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    git(to, "init", "-q", "-b", "main")
    git(to, "add", "-A")
    git(to, "commit", "-q", "-m", "as it stands")
    return to, git(to, "rev-parse", "HEAD").strip()


def git(folder: Path, *words: str, **environ: str) -> str:
    done = subprocess.run(
        ["git", *words],
        cwd=folder,
        env=clean(folder) | environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def clean(home: Path) -> dict[str, str]:
    unset = ("DREAMD_", "XDG_", "GIT_", "PRE_COMMIT", "PIP_", "CLAUDE_")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(unset)}
    who = {"name": "Mira", "email": "m@x.org"}
    signed = {
        f"GIT_{role}_{key.upper()}": who[key] for role in ("AUTHOR", "COMMITTER") for key in who
    }
    return kept | signed | {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}


class Checkout(Struct):
    """A repository with `docs/memory` in it, and a home in which pre-commit keeps its cache."""

    home: Path
    cache: Path

    @property
    def tree(self) -> Path:
        return self.home / "work"

    @property
    def memory(self) -> Path:
        return self.tree / "docs" / "memory"

    @property
    def state(self) -> Path:
        return self.home / ".local" / "state" / "dreamd"

    @property
    def environ(self) -> dict[str, str]:
        offline = {
            "PIP_NO_INDEX": "1",
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it as the value of `build_isolation`
            "PYTHONPATH": sysconfig.get_path("purelib"),
        }
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        cache = {"PRE_COMMIT_HOME": str(self.cache), "PATH": path}
        return clean(self.home) | offline | cache

    def begin(self, hooks: Path, rev: str) -> None:
        """Make the repository, with notes in order and the hooks installed."""
        self.memory.mkdir(parents=True)
        (self.memory / "MEMORY.md").write_text(INDEX)
        (self.memory / "deploy-steps.md").write_text(DEPLOY)
        (self.tree / "README.md").write_text("Points to [nowhere](nowhere.md).\n")
        config = _CONFIG.format(hooks=hooks, rev=rev)
        (self.tree / ".pre-commit-config.yaml").write_text(config)
        git(self.tree, "init", "-q", "-b", "main")
        stages = ("-t", "pre-commit", "-t", "post-commit")
        done = self.run(sys.executable, "-m", "pre_commit", "install", *stages)
        assert done.returncode == 0, done.stdout + done.stderr

    @contextlib.contextmanager
    def daemon(self) -> Iterator[None]:
        """Seem to be the daemon, whom a nudge pokes instead of beginning a dream itself."""
        self.state.mkdir(parents=True)
        with presence.Presence(self.state / "daemon.lock"):
            yield

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=self.tree,
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def commit(self) -> subprocess.CompletedProcess[str]:
        """Stage everything, and commit as a person does."""
        git(self.tree, "add", "-A")
        return self.run("git", "commit", "-m", "notes")
