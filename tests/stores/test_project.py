"""What the client calls a project: its root on disk, and the folder name made of it."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from dreamd.stores.project import nominates, project_root, slug, worktrees
from tests.stores.ground import git, repository


def test_the_slug_is_the_clients() -> None:
    assert slug(Path("/home/Dev/My.app_2")) == "-home-Dev-My-app-2"
    long = "/" + "a" * 250
    # Reference: the same arithmetic in JavaScript, Math.abs of an int32 hash in base 36.
    number = 0
    for letter in long:
        number = (number * 31 + ord(letter)) % (1 << 32)
    number = abs(number - (1 << 32) if number >= 1 << 31 else number)
    assert slug(Path(long)) == "-" + "a" * 199 + "-" + to_base_36(number)


def to_base_36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return digits[number] if number < 36 else to_base_36(number // 36) + digits[number % 36]


def test_composed_and_decomposed_names_have_one_slug() -> None:
    assert slug(Path("/caf\u00e9")) == slug(Path("/cafe\u0301")) == "-caf-"


@pytest.mark.parametrize("length", [150, 198, 199, 200, 201, 300])
def test_a_sub_directory_is_nominated_however_long_the_path(length: int) -> None:
    root = Path("/" + "a" * (length - 1))
    assert nominates(slug(root), slug(root))
    assert nominates(slug(root / "sub"), slug(root))
    assert nominates(slug(root / ("b" * 100)), slug(root))
    assert not nominates(slug(Path("/" + "b" * (length - 1))), slug(root))


def test_a_sub_directory_has_the_root_of_its_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    (root / "a" / "b").mkdir(parents=True)
    assert project_root(root / "a" / "b") == root
    assert project_root(root) == root


def test_a_folder_outside_of_git_is_its_own_root(tmp_path: Path) -> None:
    (tmp_path / "plain" / "sub").mkdir(parents=True)
    assert project_root(tmp_path / "plain" / "sub") == tmp_path / "plain" / "sub"


def test_a_home_that_is_a_repository_is_the_root_of_what_lies_below(tmp_path: Path) -> None:
    home = repository(tmp_path / "home")
    (home / "work" / "thing").mkdir(parents=True)
    assert project_root(home / "work" / "thing") == home
    inner = repository(home / "work" / "own")
    assert project_root(inner) == inner


def test_a_linked_work_tree_leads_to_its_main_one(tmp_path: Path) -> None:
    root = repository(tmp_path / "main")
    side = tmp_path / "side with  odd 'name' \u00e9"
    git(root, "worktree", "add", "-q", str(side), "-b", "b")
    (side / "deep").mkdir()
    assert project_root(side) == root
    assert project_root(side / "deep") == root
    assert worktrees(root) == (side,)


def test_pointers_may_be_relative_to_the_files_they_stand_in(tmp_path: Path) -> None:
    """As git 2.48 writes them with `worktree.useRelativePaths`."""
    root = repository(tmp_path / "main")
    side = tmp_path / "deep" / "side"
    git(root, "worktree", "add", "-q", str(side))
    private = root / ".git" / "worktrees" / "side"
    (side / ".git").write_text("gitdir: ../../main/.git/worktrees/side\n")
    (private / "gitdir").write_text("../../../../deep/side/.git\n")
    assert project_root(side) == root
    assert worktrees(root) == (side,)


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    root = repository(tmp_path / "main")
    git(root, "submodule", "--quiet", "add", str(library), "vendor")
    assert (root / "vendor" / ".git").is_file()
    assert project_root(root / "vendor") == root / "vendor"


def test_work_trees_of_a_bare_repository_are_projects_of_their_own(tmp_path: Path) -> None:
    source = repository(tmp_path / "source")
    git(tmp_path, "clone", "-q", "--bare", str(source), str(tmp_path / "p" / ".bare"))
    for name in ("one", "two"):
        git(
            tmp_path / "p" / ".bare",
            "worktree",
            "add",
            "-q",
            str(tmp_path / "p" / name),
            "-b",
            name,
        )
        assert project_root(tmp_path / "p" / name) == tmp_path / "p" / name


def test_a_work_tree_whose_main_repository_moved_stands_alone(tmp_path: Path) -> None:
    root = repository(tmp_path / "main")
    git(root, "worktree", "add", "-q", str(tmp_path / "side"))
    root.rename(tmp_path / "elsewhere")
    assert project_root(tmp_path / "side") == tmp_path / "side"


def test_a_stray_git_file_does_not_lead_into_another_project(tmp_path: Path) -> None:
    root = repository(tmp_path / "trusted")
    git(root, "worktree", "add", "-q", str(tmp_path / "side"))
    (tmp_path / "stranger").mkdir()
    shutil.copy(tmp_path / "side" / ".git", tmp_path / "stranger" / ".git")
    assert project_root(tmp_path / "stranger") == tmp_path / "stranger"
    private = tmp_path / "made-up"
    private.mkdir()
    (private / "commondir").write_text(str(root / ".git"))
    (private / "gitdir").write_text(str(tmp_path / "stranger" / ".git"))
    (tmp_path / "stranger" / ".git").write_text(f"gitdir: {private}\n")
    assert project_root(tmp_path / "stranger") == tmp_path / "stranger"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"gitdir:",
        b"gitdir: \0x",
        b"gitdir: \xff\xfe\n",
        b"nonsense",
        b"gitdir: " + b"/a" * 9000,
        b"gitdir: .",
    ],
)
def test_an_odd_git_file_marks_a_project_of_its_own(tmp_path: Path, content: bytes) -> None:
    root = tmp_path / "odd"
    (root / "sub").mkdir(parents=True)
    (root / ".git").write_bytes(content)
    assert project_root(root / "sub") == root


def test_a_pipe_named_like_git_is_never_waited_for(tmp_path: Path) -> None:
    root = repository(tmp_path / "main")
    (root / "sub").mkdir()
    os.mkfifo(root / "sub" / ".git")
    assert project_root(root / "sub") == root
    git(root, "worktree", "add", "-q", str(tmp_path / "side"))
    common = root / ".git" / "worktrees" / "side" / "commondir"
    common.unlink()
    os.mkfifo(common)
    assert project_root(tmp_path / "side") == tmp_path / "side"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
def test_what_may_not_be_looked_at_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "sub").mkdir(parents=True)
    closed.chmod(0)
    try:
        assert project_root(closed / "sub") == closed / "sub"
    finally:
        closed.chmod(stat.S_IRWXU)
