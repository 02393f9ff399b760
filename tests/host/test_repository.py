"""Our repository is made whole or not at all, and survives a git that was killed in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from dreamd.errors import HistoryError, HostError
from dreamd.host import repository
from dreamd.host.repository import Repository

PROJECT = Path(repository.__file__).parents[2]
REF = "refs/heads/memory"


def plain_git(folder: Path, *arguments: str) -> str:
    command = ["git", f"--git-dir={folder}", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def commit(content: str, ref: str = REF) -> bytes:
    return (
        f"commit {ref}\nmark :1\ncommitter d <d@l> 1700000000 +0000\ndata 1\nm\n"
        f"M 100644 inline f\ndata {len(content)}\n{content}\nget-mark :1\ndone\n"
    ).encode()


def write(where: Repository, content: str) -> str:
    call = ("fast-import", "--done", "--quiet", "--force")
    return where.change(*call, stdin=commit(content), refs=[REF]).decode().strip()


def test_nothing_is_created_by_asking(tmp_path: Path) -> None:
    where = Repository(tmp_path / "h.git")
    with pytest.raises(HistoryError, match="there is no history yet"):
        where.ask("for-each-ref")
    assert not where.exists
    assert list(tmp_path.iterdir()) == []


def test_a_creation_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\n[ "$*" = --version ] && echo git version 2.40.1 && exit\n'
        "echo 'fatal: cannot mkdir: No space left on device' >&2; exit 128\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/bin:/usr/bin")
    with pytest.raises(HistoryError, match="the disk is full"):
        write(Repository(tmp_path / "store" / "h.git"), "x")
    assert list((tmp_path / "store").iterdir()) == []


def test_what_lies_in_it_is_for_the_user_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        where = Repository(tmp_path / "store" / "h.git")
        write(where, "secret")
    finally:
        os.umask(old)
    everything = [where.folder, *where.folder.rglob("*")]
    assert [path for path in everything if path.stat().st_mode & 0o077] == []


def test_a_file_in_its_place_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "h.git").write_text("not a repository")
    with pytest.raises(HistoryError, match="is not the folder of a history"):
        write(Repository(tmp_path / "h.git"), "x")
    assert (tmp_path / "h.git").read_text() == "not a repository"


def test_a_half_written_repository_is_a_clear_error_and_stays_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "h.git"
    (folder / "objects").mkdir(parents=True)
    (folder / "refs").mkdir()
    with pytest.raises(HistoryError, match="not a git repository"):
        write(Repository(folder), "x")
    assert sorted(path.name for path in folder.iterdir()) == ["objects", "refs"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_a_clear_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(HostError, match="Permission denied"):
            write(Repository(tmp_path / "h.git"), "x")
    finally:
        tmp_path.chmod(0o700)


def test_two_that_create_it_at_once_share_one(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from dreamd.host.repository import Repository\n"
        "Repository(Path(sys.argv[1])).change('fast-import', '--done', '--quiet',"
        " stdin=sys.stdin.buffer.read())"
    )
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-c", code, str(tmp_path / "h.git")]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, env=environment) for _ in range(4)]
    for number, each in enumerate(running):
        each.communicate(commit(str(number), f"refs/heads/b{number}"))
    assert [each.returncode for each in running] == [0, 0, 0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["h.git"]
    assert len(plain_git(tmp_path / "h.git", "for-each-ref").splitlines()) == 4


@pytest.mark.parametrize("lock", [f"{REF}.lock", "packed-refs.lock"])
def test_a_lock_that_a_killed_git_left_does_not_end_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lock: str
) -> None:
    monkeypatch.setattr(repository, "_LOCK_IS_WRECK", timedelta(milliseconds=50))
    where = Repository(tmp_path / "h.git")
    write(where, "old")
    (where.folder / lock).touch()
    new = write(where, "new")
    where.change("update-ref", "-d", "refs/heads/none")
    assert plain_git(where.folder, "rev-parse", REF).strip() == new


def test_a_lock_that_is_in_use_is_left_to_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock seen twice with another inode is a busy ref, not a wreck."""
    where = Repository(tmp_path / "h.git")
    old = write(where, "old")
    lock = where.folder / f"{REF}.lock"
    lock.touch()

    def another_takes_it(_seconds: float) -> None:
        lock.rename(tmp_path / "earlier")  # keeps the inode from being used again
        lock.touch()

    monkeypatch.setattr("time.sleep", another_takes_it)
    with pytest.raises(HistoryError, match="cannot lock ref"):
        write(where, "new")
    assert lock.exists()
    assert plain_git(where.folder, "rev-parse", REF).strip() == old


def test_a_failure_leaves_no_part_of_a_pack_and_no_report(tmp_path: Path) -> None:
    where = Repository(tmp_path / "h.git")
    write(where, "old")
    before = sorted(where.folder.rglob("*"))
    cut = commit("a secret that was never recorded").replace(b"done\n", b"")[:-20]
    with pytest.raises(HistoryError):
        where.change("fast-import", "--done", "--quiet", stdin=cut)
    kept = {path for path in where.folder.rglob("*") if path.suffix not in {".pack", ".idx"}}
    assert sorted(kept) == [path for path in before if path.suffix not in {".pack", ".idx"}]


def test_a_full_disk_is_said_loses_nothing_and_fills_no_further(tmp_path: Path) -> None:
    script = tmp_path / "fill.py"
    script.write_text(
        "import random, sys; from pathlib import Path\n"
        "from dreamd.errors import HistoryError\n"
        "from dreamd.host.repository import Repository\n"
        "sys.path.insert(0, sys.argv[2])\n"
        "from test_repository import write\n"
        "where, kept, said = Repository(Path(sys.argv[1]) / 'h.git'), [], set()\n"
        "for number in range(25):\n"
        "    try: kept.append(write(where, random.randbytes(12000).hex()))\n"
        "    except HistoryError as error: said.add(str(error).rsplit(': ')[-1])\n"
        "packs = where.folder / 'objects' / 'pack'\n"
        "assert 3 < len(kept) < 25, kept\n"
        "assert said == {'the disk is full'}, said\n"
        "assert where.ask('rev-parse', 'refs/heads/memory').decode().strip() == kept[-1]\n"
        "where.ask('fsck', '--full')\n"
        "assert {p.suffix for p in packs.iterdir()} == {'.pack', '.idx'}, list(packs.iterdir())\n"
    )
    small = tmp_path / "small"
    small.mkdir()
    inside = f'mount -t tmpfs -o size=300k tmpfs "{small}" && exec "$@"'
    private = ["unshare", "-Urm", "sh", "-c", inside, "sh"]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*private, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("no private mounts here to make a small disk with")
    command = [*private, sys.executable, str(script), str(small), str(Path(__file__).parent)]
    ended = subprocess.run(
        command,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
