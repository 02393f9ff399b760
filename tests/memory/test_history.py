"""History gives back every moment exactly, whatever the names and bytes; git itself agrees."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.domain.change import Why
from dreamd.domain.tree import Entry, Tree
from dreamd.errors import HistoryError
from dreamd.memory.history import History
from tests.sample import examples

NOW = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)
MAIN = "refs/heads/memory"

# Each name as the file system has it, and as a second reader finds it in the commit.
ODD_NAMES = {
    b"plain.md": b"plain.md",
    b"with space.md": b"with space.md",
    b" leading and trailing ": b" leading and trailing ",
    b"-leading-dash.md": b"-leading-dash.md",
    b"--all": b"--all",
    b'"quoted".md': b'"quoted".md',
    b'"unclosed': b'"unclosed',
    b"back\\slash.md": b"back\\slash.md",
    b"trailing\\": b"trailing\\",
    b"new\nline.md": b"new\nline.md",
    b"\n": b"\n",
    b"carriage\rreturn": b"carriage\rreturn",
    b"tab\there": b"tab\there",
    b"\x01\x1b[31m\x7f": b"\x01\x1b[31m\x7f",
    b"invalid \xff\xfe utf-8": b"invalid \xff\xfe utf-8",
    b"\xed\xa0\x80 surrogate": b"\xed\xa0\x80 surrogate",
    b"cut \xc3": b"cut \xc3",
    "caf\u00e9.md".encode(): "caf\u00e9.md".encode(),
    "cafe\u0301.md".encode(): "cafe\u0301.md".encode(),
    "\u65e5\u8a18 \U0001f4a4".encode(): "\u65e5\u8a18 \U0001f4a4".encode(),
    b"case.md": b"case.md",
    b"CASE.md": b"CASE.md",
    b"x" * 255: b"x" * 255,
    b"memory": b"memory",
    b"meta.jsonl": b"meta.jsonl",
    b"why.jsonl": b"why.jsonl",
    b"deep/memory/memory/x.md": b"deep/memory/memory/x.md",
    b":(glob)*": b":(glob)*",
    b"*?[a]": b"*?[a]",
    b"HEAD": b"HEAD",
    b"CON": b"CON",
    b"a:b": b"a:b",
    b"git~1": b"git~1",
    b".hidden": b".hidden",
    b"...": b"...",
    b"100%": b"100%",
    b"%plain": b"%plain",
    b"team/.consolidate-lock": b"team/.consolidate-lock",
    b"inline": b"inline",
    b".git": b"%.git",
    b".GIT": b"%.GIT",
    b"%.git": b"%%.git",
    b"%%.git": b"%%%.git",
    b"sub/.git/config": b"sub/%.git/config",
    b".gitmodules": b"%.gitmodules",
    b".gitattributes": b"%.gitattributes",
    b".gitignore": b"%.gitignore",
}

CONTENTS = {
    "nothing": b"",
    "no final newline": b"one\ntwo",
    "windows lines": b"one\r\ntwo\r\n",
    "bare carriage returns": b"one\rtwo\r",
    "every byte": bytes(range(256)) * 3,
    "only newlines": b"\n\n\n",
    "commands of the stream": b"done\nM 100644 inline x\ndata 3\nabc\nreset refs/heads/memory\n",
    "one mebibyte": random.Random(7).randbytes(1 << 20),
}


def plain_git(history: History, *arguments: str, stdin: bytes = b"") -> bytes:
    command = ["git", f"--git-dir={history.folder}", *arguments]
    return subprocess.run(command, check=True, capture_output=True, input=stdin).stdout


def raw(path: bytes) -> PurePosixPath:
    return PurePosixPath(os.fsdecode(path))


def tree(notes: Mapping[str, str]) -> Tree:
    return Tree({PurePosixPath(name): Entry(text.encode()) for name, text in notes.items()})


def write(
    history: History,
    what: Tree,
    parent: str | None = None,
    refs: Sequence[str] = (MAIN,),
    whys: Sequence[Why] = (),
) -> str:
    return history.write(what, parent=parent, refs=refs, message="a note", at=NOW, whys=whys)


def seen_by_git(history: History, commit: str) -> dict[bytes, bytes]:
    """Read a commit with git alone: path below memory/ to content, by blob id."""
    found = {}
    for line in plain_git(history, "ls-tree", "-r", "-z", commit).split(b"\0")[:-1]:
        about, path = line.split(b"\t", 1)
        if path.startswith(b"memory/"):
            blob = about.split()[2].decode()
            found[path[7:]] = plain_git(history, "cat-file", "blob", blob)
    return found


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "store" / "history.git")


def test_odd_names_come_back_and_git_sees_the_same(history: History) -> None:
    files = {raw(name): Entry(b"in " + name, mtime_ns=n) for n, name in enumerate(ODD_NAMES)}
    what = Tree(files)
    commit = write(history, what)
    assert history.read(commit) == what
    assert seen_by_git(history, commit) == {
        there: b"in " + name for name, there in ODD_NAMES.items()
    }
    assert history.verify() is None


@pytest.mark.parametrize("name", ODD_NAMES, ids=repr)
def test_an_odd_name_can_be_changed_and_removed(history: History, name: bytes) -> None:
    first = write(history, Tree({raw(name): Entry(b"1")}))
    second = write(history, Tree({raw(name): Entry(b"2")}), first)
    third = write(history, Tree(), second)
    assert history.data(first, raw(name)) == b"1"
    assert history.data(second, raw(name)) == b"2"
    assert seen_by_git(history, second) == {ODD_NAMES[name]: b"2"}
    assert seen_by_git(history, third) == {}


def test_odd_names_of_links_and_folders_come_back(history: History) -> None:
    links = {raw(b"l/" + name): Entry(name, 0o777, 1, is_link=True) for name in ODD_NAMES}
    what = Tree(links, {raw(b"f/" + name): 0o700 for name in ODD_NAMES})
    commit = write(history, what)
    assert history.read(commit) == what
    assert history.verify() is None


@pytest.mark.parametrize("data", CONTENTS.values(), ids=list(CONTENTS))
def test_content_comes_back_byte_for_byte(history: History, data: bytes) -> None:
    commit = write(history, Tree({PurePosixPath("n.md"): Entry(data)}))
    assert history.data(commit, PurePosixPath("n.md")) == data
    assert seen_by_git(history, commit) == {b"n.md": data}


names = st.binary(min_size=1, max_size=40).filter(
    lambda name: b"/" not in name and b"\0" not in name and name not in {b".", b".."}
) | st.sampled_from([name for name in ODD_NAMES if b"/" not in name])
entries = st.builds(
    Entry,
    st.binary(max_size=200) | st.sampled_from(list(CONTENTS.values())[:-1]),
    st.integers(0, 0o7777),
    st.integers(-(2**40), 2**63),
    st.booleans(),
)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    files: dict[PurePosixPath, Entry] = {}
    folders: dict[PurePosixPath, int] = {}
    for parts, entry in draw(
        st.lists(st.tuples(st.lists(names, min_size=1, max_size=3), entries), max_size=8)
    ):
        path = raw(b"/".join(parts))
        above = [parent for parent in path.parents if parent.parts]
        is_odd = any(part.startswith(".dreamd-") for part in path.parts)
        if path in folders or is_odd or str(path) == ".consolidate-lock":
            continue
        if not files.keys() & {path, *above}:
            files[path] = entry
            folders.update(dict.fromkeys(above, draw(st.integers(0, 0o7777))))
    unread = frozenset(raw(b"u/" + name) for name in draw(st.lists(names, max_size=2)))
    return Tree(files, folders, unread)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(trees(), min_size=1, max_size=3))
def test_any_chain_of_trees_comes_back(chain: list[Tree]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        history = History(Path(folder) / "h.git")
        commits: list[str] = []
        for each in chain:
            commits.append(write(history, each, commits[-1] if commits else None))
        for commit, each in zip(commits, chain, strict=True):
            assert history.read(commit) == each
            contents = sorted(entry.data for entry in each.files.values())
            assert sorted(seen_by_git(history, commit).values()) == contents
        assert history.verify() is None


def test_modes_times_links_folders_and_the_unread_come_back(history: History) -> None:
    what = Tree(
        {
            PurePosixPath("MEMORY.md"): Entry(b"# index\n", 0o640, 1_700_000_000_123_456_789),
            PurePosixPath("run.sh"): Entry(b"#!/bin/sh\n", 0o755, 1),
            PurePosixPath("sticky.md"): Entry(b"", 0o4711, 0),
            PurePosixPath("link.md"): Entry(b"MEMORY.md", 0o777, -5, is_link=True),
            PurePosixPath("broken"): Entry(b"../no where\n", 0o777, 2**62, is_link=True),
            PurePosixPath("team/a.md"): Entry(b"a", 0o400, 3),
        },
        {PurePosixPath("team"): 0o750, PurePosixPath("empty/inner"): 0o700},
        frozenset({PurePosixPath("socket"), raw(b"huge \xff.bin")}),
    )
    commit = write(history, what)
    assert history.read(commit) == what
    listed = plain_git(history, "ls-tree", "-r", commit, "memory/").decode().splitlines()
    assert {line.split("\t")[1]: line[:6] for line in listed} == {
        "memory/MEMORY.md": "100644",
        "memory/run.sh": "100755",
        "memory/sticky.md": "100755",
        "memory/link.md": "120000",
        "memory/broken": "120000",
        "memory/team/a.md": "100644",
    }


@pytest.mark.parametrize("path", [".consolidate-lock", ".dreamd-1-abc.tmp", "team/.dreamd-x/y"])
def test_what_is_dreamds_own_is_refused(history: History, path: str) -> None:
    with pytest.raises(HistoryError, match="does not belong in history"):
        write(history, tree({path: "x"}))
    assert not history.folder.exists()


def test_a_file_may_become_a_folder_and_back(history: History) -> None:
    chain = [tree({"a": "file"}), tree({"a/b": "inner", "a/c": "other"}), tree({"a": "again"})]
    commits: list[str] = []
    for each in chain:
        commits.append(write(history, each, commits[-1] if commits else None))
    assert [history.read(commit) for commit in commits] == chain


def test_names_that_differ_in_case_stay_two_where_git_thinks_they_are_one(history: History) -> None:
    """On a Mac `git init` sets core.ignorecase, and fast-import then folds one into the other."""
    first = write(history, tree({"a.md": "small"}))
    plain_git(history, "config", "core.ignorecase", "true")
    both = tree({"a.md": "small", "A.md": "big", "D/x": "1", "d/x": "2"})
    second = write(history, both, first)
    assert history.read(second) == both


def test_an_unchanged_tree_makes_no_commit_and_moves_the_refs(history: History) -> None:
    whys = [Why(PurePosixPath("a.md"), "x", "+", "rule")]
    first = write(history, tree({"a.md": "x"}), whys=whys)
    before = plain_git(history, "cat-file", "--batch-all-objects", "--batch-check")
    refs = ("refs/dreams/1/base", MAIN)
    assert write(history, tree({"a.md": "x"}), first, refs, whys) == first
    assert plain_git(history, "cat-file", "--batch-all-objects", "--batch-check") == before
    assert history.refs() == {"refs/dreams/1/base": first, MAIN: first}


def test_a_change_of_mode_time_or_reason_alone_is_a_commit(history: History) -> None:
    path = PurePosixPath("a.md")
    last = write(history, Tree({path: Entry(b"x", 0o600, 1)}))
    for what, whys in [
        (Tree({path: Entry(b"x", 0o600, 2)}), ()),
        (Tree({path: Entry(b"x", 0o640, 2)}), ()),
        (Tree({path: Entry(b"x", 0o640, 2)}, {PurePosixPath("d"): 0o700}), ()),
        (
            Tree({path: Entry(b"x", 0o640, 2)}, {PurePosixPath("d"): 0o700}),
            [Why(path, "x", "+", "r")],
        ),
    ]:
        now = write(history, what, last, whys=whys)
        assert now != last
        assert (history.read(now), list(history.whys(now))) == (what, list(whys))
        last = now


def test_only_what_changed_travels(history: History) -> None:
    notes = {f"n{number}.md": f"note {number}\n" * 50 for number in range(200)}
    first = write(history, tree(notes))
    pack = history.folder / "objects" / "pack"
    before = set(pack.glob("*.pack"))
    second = write(history, tree(notes | {"n1.md": "new\n", "n2.md": "newer\n"}), first)
    (added,) = set(pack.glob("*.pack")) - before
    listed = plain_git(history, "verify-pack", "-v", str(added.with_suffix(".idx"))).decode()
    kinds = [line.split()[1] for line in listed.splitlines() if line[:1].isalnum() and "e" in line]
    assert sorted(kind for kind in kinds if kind in {"blob", "tree", "commit"}) == [
        "blob",  # meta.jsonl did not change: the same modes and times
        "blob",
        "commit",
        "tree",
        "tree",
    ]
    assert plain_git(history, "rev-parse", f"{second}^").decode().strip() == first


def test_a_snapshot_without_a_parent_has_none_though_the_ref_stood_elsewhere(
    history: History,
) -> None:
    write(history, tree({"old.md": "x"}))
    commit = write(history, tree({"new.md": "y"}))
    assert plain_git(history, "rev-list", "--count", commit).strip() == b"1"
    assert seen_by_git(history, commit) == {b"new.md": b"y"}


def test_git_log_shows_every_line_that_ever_went(history: History) -> None:
    """A dream's proposal branches off; attributes in the notes do not hide what they name."""
    chance = random.Random(3)
    lines = [f"- fact {number}" for number in range(40)]
    gone: set[str] = set()
    parent = None
    attributes = "* -diff\n*.md binary\n"
    for number in range(8):
        what = tree({"MEMORY.md": "\n".join(lines), ".gitattributes": attributes})
        parent = write(history, what, parent)
        proposal = [line for line in lines if chance.random() > 0.2]
        gone.update(set(lines) - set(proposal))
        held_out = tree({"MEMORY.md": "\n".join(proposal), ".gitattributes": attributes})
        write(history, held_out, parent, [f"refs/dreams/{number}/proposal"])
        for _ in range(3):
            gone.add(lines.pop(chance.randrange(len(lines))))
    write(history, tree({}), parent)
    shown = plain_git(history, "log", "-p", "--all").decode().splitlines()
    assert gone | set(lines) <= {line[1:] for line in shown if line.startswith("-")}
    counts = plain_git(history, "rev-list", "--all", "--parents").decode().splitlines()
    assert max(len(line.split()) for line in counts) == 2


def test_the_commit_says_who_when_and_what(history: History) -> None:
    at = datetime(2024, 2, 29, 23, 59, 59, 999_999, tzinfo=UTC)
    message = 'Improved 4 notes: "quotes"\n\nand caf\u00e9\ndata 3\n'
    commit = history.write(Tree(), parent=None, refs=[MAIN], message=message, at=at)
    said = plain_git(history, "show", "-s", "--format=%an <%ae>%n%cI%n%B", commit).decode()
    assert said.rstrip("\n") == (
        "dreamd <dreamd@localhost>\n2024-02-29T23:59:59+00:00\n" + message.rstrip("\n")
    )


@settings(max_examples=examples(25), deadline=None)
@given(
    st.lists(
        st.builds(
            Why,
            path=st.sampled_from([raw(name) for name in ODD_NAMES]),
            line=st.text(),
            sign=st.sampled_from("+-"),
            rule=st.text(max_size=5),
            moved_to=st.none() | st.sampled_from([raw(name) for name in ODD_NAMES]),
            quote=st.text(st.characters() | st.sampled_from("\udcff\u2028\x85\r\n")),
            session=st.text(max_size=5),
            message=st.text(max_size=5),
            day=st.text(max_size=5),
            speaker=st.text(max_size=5),
        ),
        max_size=5,
    )
)
def test_reasons_come_back(whys: list[Why]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        history = History(Path(folder) / "h.git")
        commit = write(history, tree({"a.md": "x"}), whys=whys)
        assert history.whys(commit) == tuple(whys)
        later = write(history, tree({"a.md": "y"}), commit)
        assert history.whys(later) == ()
        listed = plain_git(history, "ls-tree", "--name-only", later).decode().split()
        assert listed == ["memory", "meta.jsonl"]


def test_half_a_character_in_a_quote_comes_back(history: History) -> None:
    """A transcript may be cut between the two halves of a surrogate pair."""
    whys = (Why(PurePosixPath("a.md"), "- \ud83d", "+", "r", quote="\udca4 caf\u00e9"),)
    commit = write(history, tree({"a.md": "x"}), whys=whys)
    assert history.whys(commit) == whys


def test_history_knows_which_blobs_it_holds(history: History) -> None:
    here, there = Entry(b"here"), Entry(b"there")
    assert history.holds([here.blob]) == set()
    write(history, Tree({PurePosixPath("a"): here}))
    assert history.holds([here.blob, there.blob, here.blob]) == {here.blob}
    assert history.holds([]) == set()


def test_asking_an_absent_history_creates_nothing(history: History) -> None:
    assert history.refs("refs/dreams") == {}
    assert history.ref(MAIN) is None
    assert history.verify() is None
    assert history.repack_if_many() is False
    with pytest.raises(HistoryError, match="no history yet"):
        history.read("0" * 40)
    assert not history.folder.parent.exists()


@pytest.mark.parametrize("commit", ["HEAD", "--help", "", "abc", MAIN, "A" * 40])
def test_only_an_id_names_a_snapshot(history: History, commit: str) -> None:
    write(history, Tree())
    with pytest.raises(HistoryError, match="is no id of a snapshot"):
        history.read(commit)


def test_an_unknown_snapshot_is_a_clear_error(history: History) -> None:
    write(history, Tree())
    with pytest.raises(HistoryError, match="not a tree object"):
        history.read("1" * 40)
    with pytest.raises(HistoryError, match="not a tree object"):
        write(history, Tree(), "1" * 40)


def test_a_path_that_a_snapshot_lacks_has_no_bytes(history: History) -> None:
    commit = write(history, tree({"a/b.md": "x"}))
    assert history.data(commit, PurePosixPath("a")) is None
    assert history.data(commit, PurePosixPath("a/B.md")) is None


def test_refs_move_together_or_not_at_all(history: History) -> None:
    one = write(history, tree({"a": "1"}))
    two = write(history, tree({"a": "2"}), one)
    history.point({"refs/dreams/1/base": one, "refs/dreams/1/dream": two})
    before = history.refs()
    for bad in (
        {"refs/dreams/1/base": two, "refs/dreams/1/dream": "3" * 40},
        {MAIN: None, "refs/dreams/1/bad..name": one},
        {"refs/dreams/1/base": None, "refs/dreams/1/base/below": two, "refs/x": one},
    ):
        with pytest.raises(HistoryError, match="git update-ref failed"):
            history.point(bad)
        assert history.refs() == before
    history.point({"refs/dreams/1/base": two, "refs/dreams/1/dream": None, "refs/none": None})
    assert history.refs("refs/dreams/") == {"refs/dreams/1/base": two}
    history.point({})


def test_refs_are_found_by_whole_parts_of_their_names(history: History) -> None:
    commit = write(history, Tree(), refs=["refs/dreams/1/base", "refs/dreams/10/base", MAIN])
    assert list(history.refs("refs/dreams/1")) == ["refs/dreams/1/base"]
    assert history.ref("refs/dreams/1/base") == commit
    assert history.ref("refs/dreams/1") is None


@pytest.mark.parametrize("ref", ["memory", "refs/a b", "refs/a\nreset refs/b", "", "refs/\xe9"])
def test_a_ref_cannot_smuggle_in_a_command(history: History, ref: str) -> None:
    with pytest.raises(HistoryError, match="is no name for a ref"):
        write(history, Tree(), refs=[ref])
    with pytest.raises(HistoryError, match="no ref names"):
        write(history, Tree(), refs=[])


def test_many_packs_become_one_and_nothing_is_dropped(history: History) -> None:
    parent = None
    for number in range(50):
        parent = write(history, tree({"a.md": f"{number}\n"}), parent)
    assert history.repack_if_many() is False
    unnamed = write(history, tree({"b.md": "no ref names this any more"}), refs=["refs/x"])
    history.point({"refs/x": None})
    packs = history.folder / "objects" / "pack"
    kept = next(packs.glob("*.pack")).with_suffix(".keep")
    kept.touch()  # as a git killed in mid-write leaves it
    assert history.repack_if_many() is True
    assert len(list(packs.glob("*.pack"))) == 1
    assert history.read(unnamed) == tree({"b.md": "no ref names this any more"})
    assert history.verify() is None
    assert history.repack_if_many() is False


def damage_pack(history: History) -> None:
    for pack in (history.folder / "objects" / "pack").glob("*.pack"):
        pack.chmod(0o600)
        pack.write_bytes(pack.read_bytes()[:-30])


def damage_missing_pack(history: History) -> None:
    shutil.rmtree(history.folder / "objects" / "pack")


def damage_head(history: History) -> None:
    (history.folder / "HEAD").write_bytes(b"")


def damage_config(history: History) -> None:
    (history.folder / "config").write_bytes(b"[core\n\0\0")


@pytest.mark.parametrize("damage", [damage_pack, damage_missing_pack, damage_head, damage_config])
def test_a_damaged_history_is_a_clear_error(history: History, damage: object) -> None:
    commit = write(history, tree({"a.md": "x" * 1000}))
    assert callable(damage)
    damage(history)
    assert str(history.folder) in (history.verify() or "")
    for doing in (lambda: history.read(commit), lambda: write(history, tree({}), commit)):
        with pytest.raises(HistoryError) as caught:
            doing()
        assert str(history.folder) in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("meta", [b"not json\n", b'{"path": "a.md"}\n', b"[1]\n", b"\xff\n"])
def test_a_damaged_record_is_a_clear_error(history: History, meta: bytes) -> None:
    write(history, tree({"a.md": "x"}))
    stream = b"commit %s\ncommitter d <d@l> 1 +0000\ndata 0\nfrom %s^0\n" % ((MAIN.encode(),) * 2)
    stream += b"".join(
        b"M 100644 inline %s\ndata %d\n%s\n" % (name, len(meta), meta)
        for name in (b"meta.jsonl", b"why.jsonl")
    )
    plain_git(history, "fast-import", "--quiet", stdin=stream)
    commit = plain_git(history, "rev-parse", MAIN).decode().strip()
    with pytest.raises(HistoryError, match="damaged"):
        history.read(commit)
    with pytest.raises(HistoryError, match="damaged"):
        history.whys(commit)
    assert history.data(commit, PurePosixPath("a.md")) == b"x"
