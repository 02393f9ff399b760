"""The real pre-commit in a real repository: what it refuses, mends, and never waits for."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from dreamd.host import presence
from tests.precommit.checkout import INDEX, Checkout, git, publish

LACKING = [n for n in ("pre_commit", "hatchling", "pip") if importlib.util.find_spec(n) is None]
pytestmark = pytest.mark.skipif(
    bool(LACKING), reason=f"not installed here: {' '.join(LACKING)} (the extra `test` has it)"
)
DANGLING = INDEX + "- [Deploy again](deploy_steps.md) — the same by another name\n"


def test_a_commit_pokes_the_daemon_a_fault_refuses_it_and_fix_mends_it_unless_a_dream_goes_on(
    tmp_path: Path,
) -> None:
    made = Checkout(tmp_path / "home", tmp_path / "cache")
    made.home.mkdir()
    made.begin(*publish(tmp_path / "hooks"))
    (made.tree / ".gitignore").write_text(".consolidate-lock\n")
    index, lock = made.memory / "MEMORY.md", made.memory / ".consolidate-lock"
    with made.daemon():
        assert presence.stamp(str(made.state / "nudge")) is None
        first = made.commit()
        assert first.returncode == 0, first.stdout + first.stderr  # README.md is in no memory
        assert presence.stamp(str(made.state / "nudge")) is not None
        index.write_text(DANGLING)
        refused = made.commit()
        assert refused.returncode == 1
        assert "docs/memory/MEMORY.md:4: points to deploy_steps.md" in refused.stderr
        assert sorted(each.name for each in made.state.iterdir()) == ["daemon.lock", "nudge"]

        config = made.tree / ".pre-commit-config.yaml"
        config.write_text(config.read_text().replace("args: []", 'args: ["--fix"]'))
        lock.write_text(str(os.getpid()))  # a dream of this process
        index.write_text(INDEX)
        held = made.commit()
        assert held.returncode == 0, held.stdout + held.stderr  # it holds up no commit
        index.write_text(DANGLING)
        linted = made.commit()
        assert linted.returncode == 1  # for the fault
        assert "linted only" in linted.stderr
        assert str(os.getpid()) in linted.stderr
        assert "points to deploy_steps.md" in linted.stderr
        assert (index.read_text(), lock.read_text()) == (DANGLING, str(os.getpid()))

        lock.unlink()
        mended = made.commit()
        assert mended.returncode == 1
        assert "files were modified by this hook" in mended.stderr
        assert "fixed 1 fault" in mended.stderr.lower()
        assert "(deploy_steps.md)" not in index.read_text()
        assert not list(made.memory.glob(".*"))
        passed = made.commit()
    assert passed.returncode == 0, passed.stderr
    assert git(made.tree, "status", "--porcelain") == ""
