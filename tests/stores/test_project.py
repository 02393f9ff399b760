"""What the client calls a project: its root on disk, and the folder name made of it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from dreamd.stores.project import nominates, project_root, slug, worktrees
from tests.stores.ground import git, repository


def test_the_slug_is_the_clients() -> None:
    assert slug(Path("/home/Dev/My.app_2")) == "-home-Dev-My-app-2"
    assert slug(Path("/caf\u00e9")) == slug(Path("/cafe\u0301")) == "-caf-"
    long = "/" + "a" * 250
    # As JavaScript has it: Math.abs of an int32 hash in base 36.
    assert slug(Path(long)) == "-" + "a" * 199 + "-feo44x"
    for length in (150, 198, 199, 200, 201, 300):
        root = Path("/" + "a" * (length - 1))
        assert all(
            nominates(slug(each), slug(root)) for each in (root, root / "s", root / long[1:])
        )
        assert not nominates(slug(Path("/" + "b" * (length - 1))), slug(root))


def test_a_work_tree_leads_to_its_main_one_by_whole_and_by_relative_paths(tmp_path: Path) -> None:
    home, side = repository(tmp_path / "home"), tmp_path / "side with  odd 'name' \u00e9"
    git(home, "worktree", "add", "-q", str(side), "-b", "b")
    (side / "deep").mkdir()
    assert project_root(side / "deep") == home
    private = next((home / ".git" / "worktrees").iterdir())
    # As git 2.48 writes them with `worktree.useRelativePaths`.
    (side / ".git").write_text(f"gitdir: ../home/.git/worktrees/{private.name}\n")
    (private / "gitdir").write_text(f"../../../../{side.name}/.git\n")
    assert (project_root(side), worktrees(home)) == (home, [side])
    home.rename(tmp_path / "elsewhere")
    assert project_root(side) == side, "its main repository moved"
    bare = tmp_path / ".bare"
    git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "elsewhere"), str(bare))
    git(bare, "worktree", "add", "-q", str(tmp_path / "one"), "-b", "one")
    assert project_root(tmp_path / "one") == tmp_path / "one"


def test_a_stray_git_file_does_not_lead_into_another_project(tmp_path: Path) -> None:
    root, stranger = repository(tmp_path / "trusted"), tmp_path / "stranger"
    git(root, "worktree", "add", "-q", str(tmp_path / "side"))
    stranger.mkdir()
    shutil.copy(tmp_path / "side" / ".git", stranger / ".git")
    assert project_root(stranger) == stranger
    private = tmp_path / "made-up"
    private.mkdir()
    (private / "commondir").write_text(str(root / ".git"))
    (private / "gitdir").write_text(str(stranger / ".git"))
    (stranger / ".git").write_text(f"gitdir: {private}\n")
    assert project_root(stranger) == stranger
    common = root / ".git" / "worktrees" / "side" / "commondir"
    common.unlink()
    os.mkfifo(common)  # is never waited for
    assert project_root(tmp_path / "side") == tmp_path / "side"


ODD = [b"", b"gitdir:", b"gitdir: \0x", b"gitdir: \xff\xfe\n", b"nonsense", b"gitdir: ."]


def test_an_odd_git_file_marks_a_project_of_its_own_and_a_pipe_none(tmp_path: Path) -> None:
    root = tmp_path / "odd"
    (root / "sub").mkdir(parents=True)
    os.mkfifo(root / "sub" / ".git")
    for content in (*ODD, b"gitdir: " + b"/a" * 9000):
        (root / ".git").write_bytes(content)
        assert project_root(root / "sub") == root
