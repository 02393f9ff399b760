"""git is called in an environment that nobody else has touched, or says clearly why it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dreamd.errors import HistoryError
from dreamd.host import git


def fake_git(folder: Path, script: str) -> Path:
    folder.mkdir(exist_ok=True)
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return folder


def answering(version: str, otherwise: str) -> str:
    return f'case "$*" in --version) echo "{version}";; *) {otherwise};; esac'


def test_a_missing_git_is_named_with_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HistoryError, match=r"git is not on PATH; history needs git 2\.36 or newer"):
        git.run(tmp_path, "init")


def test_an_empty_path_variable_is_a_missing_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(HistoryError, match="git is not on PATH"):
        git.check_version()


@pytest.mark.parametrize(
    ("said", "accepted"),
    [
        ("git version 2.30.2", False),
        ("git version 1.9.5", False),
        ("git version 2.35.8", False),
        ("git version 2.36.0", True),
        ("git version 2.39.5 (Apple Git-154)", True),
        ("git version 2.9.5", False),
        ("git version 3.0.rc1", True),
    ],
)
def test_an_old_git_is_refused_by_number_not_by_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, accepted: bool
) -> None:
    monkeypatch.setenv("PATH", str(fake_git(tmp_path / "bin", f'echo "{said}"')))
    if accepted:
        git.check_version()
    else:
        with pytest.raises(HistoryError, match=r"too old .*; install git 2\.36 or newer"):
            git.check_version()


def test_a_git_that_does_not_run_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = "echo 'xcode-select: no developer tools were found' >&2; exit 1"
    monkeypatch.setenv("PATH", str(fake_git(tmp_path / "bin", script)))
    with pytest.raises(HistoryError, match="xcode-select: no developer tools were found"):
        git.check_version()


def test_a_git_that_may_not_be_run_is_a_clear_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = fake_git(tmp_path / "bin", "exit 0")
    (folder / "git").chmod(0o644)
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(HistoryError, match="git cannot be started: Permission denied"):
        git.check_version()


def test_the_version_is_asked_once_per_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tmp_path / "asked"
    script = f'echo "$*" >> {asked}; ' + answering("git version 2.40.1", "true")
    monkeypatch.setenv("PATH", f"{fake_git(tmp_path / 'bin', script)}:/bin:/usr/bin")
    for _ in range(3):
        git.run(tmp_path, "fsck")
    assert [line for line in asked.read_text().splitlines() if "--version" in line] == ["--version"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("fatal: not a git repository: 'x'", "not a git repository: 'x'"),
        ("hint: a\\nhint: b\\nerror: cannot lock ref 'r'\\nfatal: c", "cannot lock ref 'r'"),
        ("error: sha1 file 'p' write error: No space left on device", "the disk is full"),
        ("fatal: sha1 file 'p' write error. Out of diskspace", "the disk is full"),
        ("fatal: write error: Disk quota exceeded", "the disk quota is used up"),
        ("", "exit code 128"),
    ],
)
def test_a_failure_is_gits_own_reason_on_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, reason: str
) -> None:
    failing = f'printf "{words}" >&2; exit 128'
    script = answering("git version 2.40.1", failing)
    monkeypatch.setenv("PATH", f"{fake_git(tmp_path / 'bin', script)}:/bin:/usr/bin")
    with pytest.raises(HistoryError) as caught:
        git.run(tmp_path / "h.git", "fast-import", stdin=b"blob")
    assert str(caught.value) == f"git fast-import failed in {tmp_path / 'h.git'}: {reason}"


def test_a_git_ended_by_a_signal_is_reported_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = answering("git version 2.40.1", "kill -9 $$")
    monkeypatch.setenv("PATH", f"{fake_git(tmp_path / 'bin', script)}:/bin:/usr/bin")
    with pytest.raises(HistoryError, match="ended by signal 9"):
        git.run(tmp_path, "fsck")


def test_no_variable_of_a_hook_reaches_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DIR", "INDEX_FILE", "OBJECT_DIRECTORY", "WORK_TREE", "NAMESPACE", "TRACE"):
        monkeypatch.setenv(f"GIT_{name}", str(tmp_path / "theirs"))
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("KEPT", "yes")
    script = answering("git version 2.40.1", "env")
    monkeypatch.setenv("PATH", f"{fake_git(tmp_path / 'bin', script)}:/bin:/usr/bin")
    seen = dict(
        line.split("=", 1) for line in git.run(tmp_path, "env").decode().splitlines() if "=" in line
    )
    assert {name: value for name, value in seen.items() if name.startswith("GIT_")} == {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
    }
    assert seen["LC_ALL"] == "C"
    assert seen["KEPT"] == "yes"


def test_git_works_where_the_working_directory_is_gone(tmp_path: Path) -> None:
    """The daemon may have been started in a folder that was deleted since."""
    code = (
        "import os, sys; from pathlib import Path; from dreamd.host import git\n"
        "os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')\n"
        f"git.run(Path({str(tmp_path)!r}) / 'h.git', 'init', '--bare')\n"
    )
    project = Path(git.__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": str(project)}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, env=environment)
    assert (tmp_path / "h.git" / "HEAD").exists()
