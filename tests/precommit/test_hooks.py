"""The real pre-commit in a real repository: what it refuses, mends, and never waits for.

Without a network: pre-commit clones this project from a folder and makes its environment with pip
as ever, but pip takes the build backend and what dreamd needs from the environment of the tests.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from msgspec import Struct

from dreamd.host import presence
from tests.laptop import ROOT, ran

LACKING = [n for n in ("pre_commit", "hatchling", "pip") if importlib.util.find_spec(n) is None]
pytestmark = pytest.mark.skipif(
    bool(LACKING), reason=f"not installed here: {' '.join(LACKING)} (the extra `test` has it)"
)
SHIPPED = (".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE")
CONFIG = """\
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
DANGLING = INDEX + "- [Deploy again](deploy_steps.md) — the same by another name\n"


class Checkout(Struct):
    """A person's repository in a home, with `docs/memory` in it and the hooks installed."""

    home: Path

    @property
    def tree(self) -> Path:
        return self.home / "work"

    def run(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        unset = ("DREAMD_", "XDG_", "GIT_", "PRE_COMMIT", "PIP_", "CLAUDE_")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(unset)}
        environ = {
            **{f"GIT_{role}_NAME": "Mira" for role in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{role}_EMAIL": "m@x.org" for role in ("AUTHOR", "COMMITTER")},
            "GIT_CONFIG_NOSYSTEM": "1",
            "HOME": str(self.home),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PIP_NO_INDEX": "1",
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it as the value of `build_isolation`
            "PIP_NO_COMPILE": "0",  # and this so
            "VIRTUALENV_NO_SEED": "1",  # there is a pip already
            "PRE_COMMIT_HOME": str(self.home.parent / "cache"),
            "PYTHONPATH": sysconfig.get_path("purelib"),
        }
        return ran(words, kept | environ, cwd or self.tree, most=120)

    def ok(self, *words: str, cwd: Path | None = None) -> str:
        done = self.run(*words, cwd=cwd)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def begin(self) -> None:
        """Publish this project as it stands, and make a repository that has its hooks."""
        hooks, memory = self.home.parent / "hooks", self.tree / "docs" / "memory"
        for folder in (hooks, memory):
            folder.mkdir(parents=True)
        for name in SHIPPED:
            shutil.copy2(ROOT / name, hooks / name)
        for name in ("dreamd", "sample_memory", "systemd"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, hooks / name, ignore=ignored)
        for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "as it is")):
            self.ok("git", *words, cwd=hooks)
        rev = self.ok("git", "rev-parse", "HEAD", cwd=hooks)
        (memory / "MEMORY.md").write_text(INDEX)
        (memory / "deploy-steps.md").write_text(DEPLOY)
        (self.tree / "README.md").write_text("Points to [nowhere](nowhere.md).\n")
        (self.tree / ".gitignore").write_text(".consolidate-lock\n")
        (self.tree / ".pre-commit-config.yaml").write_text(CONFIG.format(hooks=hooks, rev=rev))
        self.ok("git", "init", "-q", "-b", "main")
        stages = ("-t", "pre-commit", "-t", "post-commit")
        self.ok(sys.executable, "-m", "pre_commit", "install", *stages)

    def commit(self) -> subprocess.CompletedProcess[str]:
        """Stage everything, and commit as a person does."""
        self.ok("git", "add", "-A")
        return self.run("git", "commit", "-m", "notes")


def test_a_commit_pokes_the_daemon_and_a_fault_refuses_it_and_is_mended(tmp_path: Path) -> None:
    made = Checkout(tmp_path / "home")
    made.begin()
    memory, state = made.tree / "docs" / "memory", made.home / ".local" / "state" / "dreamd"
    index, lock = memory / "MEMORY.md", memory / ".consolidate-lock"
    state.mkdir(parents=True)
    with os.fdopen(presence.hold(state / "daemon.lock") or -1):  # whom a nudge pokes
        assert presence.stamp(str(state / "nudge")) is None
        first = made.commit()
        assert first.returncode == 0, first.stdout + first.stderr  # README.md is in no memory
        assert presence.stamp(str(state / "nudge")) is not None
        index.write_text(DANGLING)
        refused = made.commit()
        assert refused.returncode == 1
        assert "docs/memory/MEMORY.md:4: points to deploy_steps.md" in refused.stderr
        assert sorted(each.name for each in state.iterdir()) == ["daemon.lock", "nudge"]

        config = made.tree / ".pre-commit-config.yaml"
        config.write_text(config.read_text().replace("args: []", 'args: ["--fix"]'))
        lock.write_text(str(os.getpid()))  # a dream of this process
        index.write_text(INDEX)
        held = made.commit()
        assert held.returncode == 0, held.stdout + held.stderr  # it holds up no commit
        index.write_text(DANGLING)
        linted = made.commit()
        assert linted.returncode == 1  # for the fault
        for said in ("linted only", str(os.getpid()), "points to deploy_steps.md"):
            assert said in linted.stderr
        assert (index.read_text(), lock.read_text()) == (DANGLING, str(os.getpid()))

        lock.unlink()
        mended = made.commit()
        assert mended.returncode == 1
        assert "files were modified by this hook" in mended.stderr
        assert "fixed 1 fault" in mended.stderr.lower()
        assert "(deploy_steps.md)" not in index.read_text()
        assert not list(memory.glob(".*"))
        passed = made.commit()
    assert passed.returncode == 0, passed.stderr
    assert made.ok("git", "status", "--porcelain") == ""
