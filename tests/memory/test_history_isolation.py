"""History is its own: no hook's variables, configuration or template of the user reaches it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from dreamd.memory import history
from dreamd.memory.history import History

PROJECT = Path(history.__file__).parents[2]
DATE = "2025-03-01T12:00:00Z"
WRITE = """
import sys
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.forgetting import forget
from dreamd.memory.history import History

history = History(Path(sys.argv[1]))
parent = None
for content in (b"one secret\\n", b"two\\n"):
    parent = history.write(
        Tree({PurePosixPath("note.md"): Entry(content), PurePosixPath(".git"): Entry(b"odd")}),
        parent=parent,
        refs=["refs/heads/memory", "refs/dreams/1/base"],
        message="from a hook",
        at=datetime(2025, 3, 1, tzinfo=UTC),
    )
history.point({"refs/dreams/1/base": None})
history.repository.change("repack", "-adkq")
assert not (history.folder / "logs").exists()
forget(history, "secret")
assert history.verify() is None
"""


def clean(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    home.mkdir(exist_ok=True)
    names = {"GIT_AUTHOR_NAME": "u", "GIT_AUTHOR_EMAIL": "u@l", "GIT_AUTHOR_DATE": DATE}
    names |= {"GIT_COMMITTER_NAME": "u", "GIT_COMMITTER_EMAIL": "u@l", "GIT_COMMITTER_DATE": DATE}
    return (
        kept | names | {"HOME": str(home), "PYTHONPATH": str(PROJECT), "GIT_CONFIG_NOSYSTEM": "1"}
    )


def user_git(where: Path, environment: dict[str, str], *arguments: str) -> str:
    ended = subprocess.run(
        ["git", *arguments], cwd=where, env=environment, check=True, capture_output=True, text=True
    )
    return ended.stdout


def user_repository(where: Path, environment: dict[str, str], hook: str) -> Path:
    """Make a repository with one commit, one staged and one unstaged change, and a hook."""
    where.mkdir()
    user_git(where, environment, "init", "-q", "--initial-branch=main")
    (where / "code.py").write_text("first = 1\n")
    user_git(where, environment, "add", ".")
    user_git(where, environment, "commit", "-q", "-m", "first")
    (where / "code.py").write_text("second = 2\n")
    user_git(where, environment, "add", ".")
    (where / "other.py").write_text("untracked\n")
    program = where / ".git" / "hooks" / "pre-commit"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\nenv > {where}.env\n{hook}\n")
    program.chmod(0o755)
    return where


def state(where: Path, environment: dict[str, str]) -> dict[str, str]:
    check = ("cat-file", "--batch-all-objects", "--batch-check", "--unordered")
    return {
        "objects": "\n".join(sorted(user_git(where, environment, *check).splitlines())),
        "refs": user_git(where, environment, "for-each-ref"),
        "head": user_git(where, environment, "log", "--format=%H %s"),
        "status": user_git(where, environment, "status", "--porcelain"),
        "fsck": user_git(where, environment, "fsck", "--full"),
        "config": (where / ".git" / "config").read_text(),
    }


def written(folder: Path) -> None:
    found = History(folder)
    tip = found.ref("refs/heads/memory")
    assert tip is not None
    assert found.data(tip, PurePosixPath("note.md")) == b"two\n"


@pytest.mark.parametrize("outcome", ["exit 0", "exit 1"])
@pytest.mark.parametrize("how", [[], ["-a"], ["--", "code.py"]], ids=["index", "all", "path"])
def test_a_snapshot_taken_in_a_commit_hook_stays_out_of_the_users_repository(
    tmp_path: Path, outcome: str, how: list[str]
) -> None:
    """The same commit in a twin repository, whose hook writes no history, is the oracle."""
    environment = clean(tmp_path / "home")
    folder = tmp_path / "store" / "history.git"
    write = f"{shlex.join([sys.executable, '-c', WRITE, str(folder)])} || exit 3"
    user = user_repository(tmp_path / "user", environment, f"{write}\n{outcome}")
    twin = user_repository(tmp_path / "twin", environment, outcome)
    codes = [
        subprocess.run(
            ["git", "commit", "-q", "-m", "second", *how],
            cwd=where,
            env=environment,
            check=False,
            capture_output=True,
        ).returncode
        for where in (user, twin)
    ]
    assert codes[0] == codes[1]
    assert "GIT_INDEX_FILE=" in Path(f"{user}.env").read_text()
    assert state(user, environment) == state(twin, environment)
    written(folder)


def test_variables_that_point_into_another_repository_are_not_followed(tmp_path: Path) -> None:
    environment = clean(tmp_path / "home")
    user = user_repository(tmp_path / "user", environment, "true")
    before = state(user, environment)
    inherited = {
        "GIT_DIR": str(user / ".git"),
        "GIT_COMMON_DIR": str(user / ".git"),
        "GIT_WORK_TREE": str(user),
        "GIT_INDEX_FILE": str(user / ".git" / "index"),
        "GIT_OBJECT_DIRECTORY": str(user / ".git" / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(user / ".git" / "objects"),
        "GIT_QUARANTINE_PATH": str(user / ".git" / "objects" / "incoming"),
        "GIT_NAMESPACE": "theirs",
        "GIT_REPLACE_REF_BASE": "refs/theirs",
        "GIT_DEFAULT_HASH": "sha256",
        "GIT_CONFIG_PARAMETERS": "'core.bare=false'",
        "GIT_TRACE": str(tmp_path / "trace"),
    }
    folder = tmp_path / "store" / "history.git"
    command = [sys.executable, "-c", WRITE, str(folder)]
    subprocess.run(command, cwd=user, env=environment | inherited, check=True)
    assert state(user, environment) == before
    assert not (tmp_path / "trace").exists()
    assert not (folder / "objects" / "info" / "alternates").exists()
    written(folder)


def hostile(tmp_path: Path, environment: dict[str, str]) -> tuple[dict[str, str], Path]:
    """Return an environment whose configuration and templates run a hook that leaves a mark."""
    mark = tmp_path / "a hook ran"
    template = tmp_path / "template"
    for name in ("reference-transaction", "pre-auto-gc", "post-index-change"):
        hook = template / "hooks" / name
        hook.parent.mkdir(parents=True, exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch '{mark}'\nexit 1\n")
        hook.chmod(0o755)
    (template / "info").mkdir()
    (template / "info" / "attributes").write_text("* -diff filter=theirs\n")
    config = tmp_path / "config"
    config.write_text(
        f"[core]\n\thooksPath = {template / 'hooks'}\n\tignoreCase = true\n\tbigFileThreshold = 1\n"
        f"[init]\n\ttemplateDir = {template}\n\tdefaultBranch = theirs\n"
        "[fastimport]\n\tunpackLimit = 1000\n[safe]\n\tbareRepository = explicit\n"
        "[transfer]\n\tfsckObjects = true\n[extensions]\n\tnonsense = true\n"
    )
    home = tmp_path / "home"
    (home / ".config" / "git").mkdir(parents=True)
    (home / ".gitconfig").write_text(config.read_text())
    (home / ".config" / "git" / "config").write_text(config.read_text())
    (home / ".config" / "git" / "attributes").write_text("* -diff\n")
    theirs = {
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_CONFIG_SYSTEM": str(config),
        "GIT_TEMPLATE_DIR": str(template),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": str(template / "hooks"),
    }
    cleared = {name: value for name, value in environment.items() if name != "GIT_CONFIG_NOSYSTEM"}
    return cleared | theirs, mark


def test_the_users_configuration_templates_and_hooks_have_no_say(tmp_path: Path) -> None:
    environment, mark = hostile(tmp_path, clean(tmp_path / "home"))
    control = tmp_path / "control"
    control.mkdir()
    user_git(control, environment, "init", "-q")
    ended = subprocess.run(
        ["git", "commit", "--allow-empty", "-m", "x"],
        cwd=control,
        env=environment,
        check=False,
        capture_output=True,
    )
    assert ended.returncode != 0
    assert mark.exists(), "the configuration is not hostile: nothing would be shown"
    mark.unlink()

    folder = tmp_path / "store" / "history.git"
    subprocess.run([sys.executable, "-c", WRITE, str(folder)], env=environment, check=True)
    assert not mark.exists()
    assert not (folder / "hooks").exists()
    assert not (folder / "info" / "attributes").exists()
    assert (folder / "HEAD").read_text() == "ref: refs/heads/memory\n"
    written(folder)


def test_a_hook_or_a_reflog_switched_on_in_the_repository_does_nothing(tmp_path: Path) -> None:
    environment, mark = hostile(tmp_path, clean(tmp_path / "home"))
    folder = tmp_path / "store" / "history.git"
    command = [sys.executable, "-c", WRITE, str(folder)]
    subprocess.run(command, env=environment, check=True)
    (tmp_path / "template" / "hooks").rename(folder / "hooks")
    ours = {name: value for name, value in environment.items() if not name.startswith("GIT_CON")}
    always = ("config", "core.logAllRefUpdates", "always")
    user_git(folder, ours | {"GIT_CONFIG_GLOBAL": "/dev/null"}, *always)
    subprocess.run(command, env=environment, check=True)
    assert not mark.exists()
    assert not (folder / "logs").exists()
    written(folder)
