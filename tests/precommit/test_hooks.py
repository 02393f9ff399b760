"""The real pre-commit in a real repository: what it refuses, mends, and never waits for."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest
from filelock import FileLock

from dreamd.host import poke
from tests.precommit.checkout import INDEX, Checkout, git, publish

LACKING = [n for n in ("pre_commit", "hatchling", "pip") if importlib.util.find_spec(n) is None]
pytestmark = pytest.mark.skipif(
    bool(LACKING), reason=f"not installed here: {' '.join(LACKING)} (the extra `test` has it)"
)
DANGLING = INDEX + "- [Deploy again](deploy_steps.md) — the same by another name\n"


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, Path]:
    """The hooks' repository, its revision, and a cache; made once for all test processes."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    shared = base / "pre-commit-hooks"
    shared.mkdir(exist_ok=True)
    with FileLock(shared / "lock"):
        if not (shared / "made").exists():
            publish(shared / "hooks")
            (shared / "made").touch()
    rev = git(shared / "hooks", "rev-parse", "HEAD").strip()
    return shared / "hooks", rev, shared / "cache"


def checkout(home: Path, hooks: tuple[Path, str, Path], *args: str) -> Checkout:
    repository, rev, cache = hooks
    made = Checkout(home, cache)
    made.begin(repository, rev, args=args)
    return made


def test_a_commit_pokes_the_daemon_a_fault_refuses_it_and_fix_lets_it_through(
    tmp_path: Path, hooks: tuple[Path, str, Path]
) -> None:
    made = checkout(tmp_path, hooks)
    with made.daemon():
        assert poke.stamp(str(made.state / "nudge")) is None
        first = made.commit()
        assert first.returncode == 0, first.stdout + first.stderr  # README.md is in no memory
        assert poke.stamp(str(made.state / "nudge")) is not None
        (made.memory / "MEMORY.md").write_text(DANGLING)
        refused = made.commit()
        assert refused.returncode == 1
        assert "docs/memory/MEMORY.md:4: points to deploy_steps.md" in refused.stderr
        assert sorted(each.name for each in made.state.iterdir()) == ["daemon.lock", "nudge"]

        config = made.tree / ".pre-commit-config.yaml"
        config.write_text(config.read_text().replace("args: []", 'args: ["--fix"]'))
        mended = made.commit()
        assert mended.returncode == 1
        assert "files were modified by this hook" in mended.stderr
        assert "fixed 1 fault" in mended.stderr.lower()
        assert "(deploy_steps.md)" not in (made.memory / "MEMORY.md").read_text()
        assert not list(made.memory.glob(".*"))
        passed = made.commit()
    assert passed.returncode == 0, passed.stderr
    assert git(made.tree, "status", "--porcelain") == ""


def test_a_dream_that_goes_on_holds_up_no_commit(
    tmp_path: Path, hooks: tuple[Path, str, Path]
) -> None:
    made = checkout(tmp_path, hooks, "--fix")
    (made.tree / ".gitignore").write_text(".consolidate-lock\n")
    lock = made.memory / ".consolidate-lock"
    lock.write_text(str(os.getpid()))  # until this test ends
    with made.daemon():
        assert made.commit().returncode == 0
        (made.memory / "MEMORY.md").write_text(DANGLING)
        refused = made.commit()
    assert refused.returncode == 1  # for the fault
    assert "linted only" in refused.stderr
    assert str(os.getpid()) in refused.stderr
    assert "points to deploy_steps.md" in refused.stderr
    assert (made.memory / "MEMORY.md").read_text() == DANGLING
    assert lock.read_text() == str(os.getpid())
