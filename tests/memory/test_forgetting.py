"""What is forgotten stands nowhere in the repository's bytes; everything else stays as it was."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.domain.change import Why
from dreamd.domain.tree import Entry, Tree
from dreamd.errors import HistoryError, UsageError
from dreamd.memory import history as history_module
from dreamd.memory.forgetting import forget
from dreamd.memory.history import History
from tests.sample import examples

PROJECT = Path(history_module.__file__).parents[2]
START = datetime(2025, 3, 1, tzinfo=UTC)
MAIN = "refs/heads/memory"
SECRET = "hunter2-s3cr3t"


def plain_git(history: History, *arguments: str, stdin: bytes = b"") -> bytes:
    command = ["git", f"--git-dir={history.folder}", *arguments]
    return subprocess.run(command, check=True, capture_output=True, input=stdin).stdout


def everything(history: History) -> bytes:
    """Return all objects of the repository, reachable or not, and all its other files."""
    objects = plain_git(history, "cat-file", "--batch-all-objects", "--batch", "--unordered")
    others = [
        os.fsencode(path.name) + b"\n" + path.read_bytes()
        for path in history.folder.rglob("*")
        if path.is_file() and "objects/pack/pack-" not in str(path)
    ]
    return b"\n".join([objects, *others])


def note(text: str, mode: int = 0o600, mtime_ns: int = 7) -> Entry:
    return Entry(text.encode("utf-8", "surrogateescape"), mode, mtime_ns)


def tree(**notes: str) -> Tree:
    return Tree({PurePosixPath(f"{name}.md"): note(text) for name, text in notes.items()})


def write(
    history: History,
    what: Tree,
    parent: str | None = None,
    refs: tuple[str, ...] = (MAIN,),
    message: str = "a dream",
    whys: tuple[Why, ...] = (),
    day: int = 0,
) -> str:
    at = START + timedelta(days=day)
    return history.write(what, parent=parent, refs=refs, message=message, at=at, whys=whys)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "store" / "history.git")


def told(history: History) -> list[str]:
    """Tell a life in which the secret stood everywhere it can; return its commits in order."""
    path = PurePosixPath
    secret_path = path(f"keys/{SECRET}/{SECRET}.md")
    clean = tree(MEMORY="# Index\n", a="one\n")
    with_secret = Tree(
        {
            **clean.files,
            path("MEMORY.md"): note(f"- [key]({secret_path}) {SECRET}\n{SECRET}{SECRET}\n"),
            secret_path: note("by name only\n", 0o640, 123_456_789_012_345_678),
            path("binary"): Entry(b"\0\xff" + SECRET.encode() + b"\r\n\xfe", 0o755, 9),
            path("link"): Entry(f"keys/{SECRET}".encode(), 0o777, 5, is_link=True),
            path(".gitmodules"): note(SECRET),
        },
        {path("keys"): 0o700, path(f"keys/{SECRET}"): 0o750, path(f"empty {SECRET}"): 0o700},
        frozenset({path(f"{SECRET}.sock")}),
    )
    whys = (
        Why(secret_path, SECRET, "-", "expired", path(f"{SECRET}.md"), f'said "{SECRET}"'),
        Why(path("a.md"), "one", "+", SECRET, None, "", SECRET, SECRET, SECRET, SECRET),
    )
    first = write(history, clean, day=0)
    base = write(history, with_secret, first, (MAIN, "refs/dreams/1/base"), f"base {SECRET}", day=1)
    dream = write(history, clean, base, (MAIN, "refs/dreams/1/dream"), "dream", whys, day=2)
    proposal = write(
        history,
        replace(clean, unread=with_secret.unread),
        dream,
        ("refs/dreams/1/proposal",),
        day=3,
    )
    last = write(history, tree(MEMORY="# Index\n", a="two\n"), dream, day=4)
    return [first, base, dream, proposal, last]


def cleared(value: str) -> str:
    return value.replace(SECRET, "[forgotten]")


def expected(what: Tree) -> Tree:
    """Return what a tree becomes, said independently of how it is done."""

    def moved(path: PurePosixPath) -> PurePosixPath:
        return PurePosixPath(cleared(str(path)))

    return Tree(
        {
            moved(path): replace(entry, data=entry.data.replace(SECRET.encode(), b"[forgotten]"))
            for path, entry in what.files.items()
        },
        {moved(path): mode for path, mode in what.folders.items()},
        frozenset(map(moved, what.unread)),
    )


def test_the_text_is_gone_from_every_object_and_file(history: History) -> None:
    told(history)
    assert SECRET.encode() in everything(history)
    forgotten = forget(history, SECRET)
    assert SECRET.encode() not in everything(history)
    assert forgotten.commits == 4
    assert forgotten.blobs >= 5
    assert history.verify() is None


def test_all_else_stays_refs_order_dates_modes_and_times(history: History) -> None:
    old = told(history)
    before = {commit: (history.read(commit), history.whys(commit)) for commit in old}
    refs = history.refs()
    shape = ("log", "--all", "--date-order", "--format=%cI %aI %an %ae %s %D")
    told_before = plain_git(history, *shape).decode()
    parents = plain_git(history, "rev-list", "--all", "--parents").decode()

    moved = forget(history, SECRET).moved

    assert set(moved) == set(old[1:])
    assert history.refs() == {ref: moved.get(tip, tip) for ref, tip in refs.items()}
    assert plain_git(history, *shape).decode() == cleared(told_before)
    for one, other in moved.items():
        parents = parents.replace(one, other)
    now = plain_git(history, "rev-list", "--all", "--parents").decode()
    assert sorted(now.splitlines()) == sorted(parents.splitlines())
    for commit, (what, whys) in before.items():
        assert history.read(moved.get(commit, commit)) == expected(what)
        assert [why.line for why in history.whys(moved.get(commit, commit))] == [
            cleared(why.line) for why in whys
        ]


def test_snapshots_before_the_text_came_keep_their_ids(history: History) -> None:
    first = write(history, tree(a="one"))
    second = write(history, tree(a="two"), first, day=1)
    third = write(history, tree(a=f"three {SECRET}"), second, day=2)
    assert set(forget(history, SECRET).moved) == {third}
    assert history.read(first) == tree(a="one")
    assert plain_git(history, "rev-list", MAIN).decode().split()[1:] == [second, first]


def test_what_no_ref_names_is_gone_too(history: History) -> None:
    tip = write(history, tree(a="kept"))
    write(history, tree(a=f"unnamed {SECRET}"), tip, ("refs/x",))
    history.point({"refs/x": None})
    plain_git(history, "hash-object", "-w", "--stdin", stdin=f"loose {SECRET}".encode())
    plain_git(history, "config", "core.logAllRefUpdates", "always")
    logged = write(history, tree(a=SECRET), tip, ("refs/y",), day=1)
    plain_git(history, "update-ref", "-m", SECRET, "refs/heads/logged", logged)
    plain_git(history, "update-ref", "-d", "refs/y")
    plain_git(history, "update-ref", "-m", SECRET, "refs/heads/logged", tip)
    pack = history.folder / "objects" / "pack"
    for each in list(pack.glob("*.pack")):
        each.with_suffix(".keep").write_text(SECRET)
    (pack / "tmp_pack_a").write_text(SECRET)
    (pack / ".tmp-12-pack-a.pack").write_text(SECRET)
    (history.folder / "fast_import_crash_1").write_text(SECRET)
    assert (history.folder / "logs").exists()

    forget(history, SECRET)

    assert SECRET.encode() not in everything(history)
    assert history.ref(MAIN) == tip
    assert history.read(tip) == tree(a="kept")
    assert len(list(pack.glob("*.pack"))) == 1


@pytest.mark.parametrize(
    "secret",
    [
        'with "quotes" inside',
        "back\\slash\\",
        "two\nlines",
        "tab\tand\r\nreturn",
        "caf\u00e9 \U0001f4a4",
        "nul\0byte",
        '\\"\\\\"\\',
        "[forgotten]",
        "[[forgotten",
        "n]ab",
        "gott",
        "****",
        "\udcff\udcfebytes",
        "sk-" + "x" * 300,
    ],
    ids=repr,
)
def test_any_text_can_be_forgotten(history: History, secret: str) -> None:
    content = f"a {secret}b{secret}{secret}c {secret[1:]}{secret[:-1]}"
    why = Why(PurePosixPath("a.md"), content, "-", "r", quote=f"{json.dumps(secret)} {secret}")
    first = write(history, tree(a=content, b=json.dumps({"key": secret})))
    write(history, tree(a="clean"), first, whys=(why,))
    forget(history, secret)
    left = everything(history)
    escaped = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    assert [form for form in {secret, *escaped} if os.fsencode(form) in left] == []
    tip = history.ref(MAIN)
    assert tip is not None
    assert history.read(tip) == tree(a="clean")
    assert secret not in history.whys(tip)[0].quote


def test_a_text_that_stands_only_as_json_within_json_is_found(history: History) -> None:
    """A reason that quotes a transcript line holds the text with its quotes escaped twice."""
    secret = 'pass"word\\'
    why = Why(PurePosixPath("a.md"), "x", "+", "r", quote=json.dumps({"said": secret}))
    commit = write(history, tree(a="x"), whys=(why,))
    moved = forget(history, secret).moved
    assert history.whys(moved[commit])[0].quote == '{"said": "[forgotten]"}'


@pytest.mark.parametrize(
    "word", ["path", "mode", "mtime_ns", "kind", "folder", "0600", "memory", "meta.jsonl", "line"]
)
def test_a_word_of_our_own_format_goes_from_the_notes_and_the_format_still_reads(
    history: History, word: str
) -> None:
    folders = {PurePosixPath("d"): 0o600}
    what = Tree({PurePosixPath("a.md"): note(f"the {word}\n", 0o600)}, folders)
    why = Why(PurePosixPath("a.md"), f"the {word}", "+", "r")
    first = write(history, what, message=word, whys=(why,))
    second = forget(history, word).moved[first]
    after = {PurePosixPath("a.md"): note("the [forgotten]\n", 0o600)}
    assert history.read(second) == Tree(after, folders)
    assert history.whys(second) == (replace(why, line="the [forgotten]"),)
    assert plain_git(history, "show", "-s", "--format=%B", second).strip() == b"[forgotten]"


@pytest.mark.parametrize("text", ["", "abc", "  a  ", "\n\n\n\n\n"])
def test_a_text_too_short_to_be_a_secret_is_refused(history: History, text: str) -> None:
    commit = write(history, tree(a=f"x{text}y"))
    with pytest.raises(UsageError, match="at least 4 characters"):
        forget(history, text)
    assert history.ref(MAIN) == commit


def test_the_message_of_a_refusal_does_not_repeat_the_secret(history: History) -> None:
    write(history, tree(a="x"))
    everything_that_could_stand = "[forgotten]{removed}<blank>(gone)"
    with pytest.raises(UsageError, match="every mark") as caught:
        forget(history, everything_that_could_stand)
    assert everything_that_could_stand not in str(caught.value)
    with pytest.raises(UsageError, match="no valid Unicode"):
        forget(history, "half \ud83d a character")


def test_forgetting_twice_changes_nothing_more(history: History) -> None:
    told(history)
    forget(history, SECRET)
    before = (history.refs(), everything(history))
    again = forget(history, SECRET)
    assert (again.blobs, again.moved) == (0, {})
    assert (history.refs(), everything(history)) == before


def test_forgetting_without_a_history_creates_nothing(history: History) -> None:
    assert forget(history, SECRET).commits == 0
    assert not history.folder.exists()


def test_names_that_differed_by_two_secrets_still_differ(history: History) -> None:
    first = write(history, tree(**{"key alpha1": "A", "key beta22": "B", "key beta22 2": "C"}))
    after_one = forget(history, "alpha1").moved[first]
    after_two = forget(history, "beta22").moved[after_one]
    found = {str(path): entry.data for path, entry in history.read(after_two).files.items()}
    assert found == {
        "key [forgotten].md": b"A",
        "key [forgotten 2].md": b"B",
        "key [forgotten 2] 2.md": b"C",
    }


def test_a_snapshot_that_differed_by_the_secret_alone_stays_a_snapshot(history: History) -> None:
    first = write(history, tree(a="key: [forgotten]"))
    second = write(history, tree(a=f"key: {SECRET}"), first, day=1)
    third = write(history, tree(a="key: [forgotten]"), second, day=2)
    moved = forget(history, SECRET).moved
    assert plain_git(history, "rev-list", MAIN).decode().split() == [
        moved[third],
        moved[second],
        first,
    ]


texts = st.text(min_size=4, max_size=12).filter(
    lambda text: len(text.strip()) >= 4 and text.encode("utf-8", "replace").decode() == text
)


@settings(max_examples=examples(20), deadline=None)
@given(
    texts, st.lists(st.lists(st.text(max_size=6), max_size=3), min_size=1, max_size=3), st.data()
)
def test_whatever_stands_around_it_it_is_gone(
    secret: str, chain: list[list[str]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        history = History(Path(folder) / "h.git")
        parent = None
        for day, pieces in enumerate(chain):
            joint = data.draw(st.sampled_from([secret, secret * 2, secret[:-1], "", secret[1:]]))
            why = Why(PurePosixPath("a.md"), joint.join(pieces), "+", "r", quote=joint)
            parent = write(
                history, tree(a=joint.join(pieces)), parent, message=joint, whys=(why,), day=day
            )
        count = plain_git(history, "rev-list", "--count", "--all")
        forget(history, secret)
        records = plain_git(history, "log", "--all", "--format=%B")
        for commit in plain_git(history, "rev-list", "--all").decode().split():
            records += b"".join(entry.data for entry in history.read(commit).files.values())
            records += "".join(f"{w.line}\n{w.quote}\n" for w in history.whys(commit)).encode()
        assert secret.encode() not in records
        assert plain_git(history, "rev-list", "--count", "--all") == count
        assert history.verify() is None


def test_a_history_with_a_merge_is_not_rewritten(history: History) -> None:
    tips = [write(history, tree(a=SECRET * n), refs=(f"refs/dreams/{n}/base",)) for n in (1, 2)]
    parents = [word for tip in tips for word in ("-p", tip)]
    environment = ["-c", "user.name=u", "-c", "user.email=u@l"]
    merge = plain_git(
        history, *environment, "commit-tree", f"{tips[0]}^{{tree}}", *parents, "-m", "m"
    )
    history.point({MAIN: merge.decode().strip()})
    before = history.refs()
    with pytest.raises(HistoryError, match="more than one parent"):
        forget(history, SECRET)
    assert history.refs() == before


KILLING_GIT = """#!/bin/sh
case "$*" in *fast-import*|*update-ref*|*repack*|*prune*) ;; *) exec {git} "$@";; esac
count=$(cat "$COUNTER" 2>/dev/null || echo 0); count=$((count + 1)); echo $count > "$COUNTER"
[ $count-before = "$FATAL" ] && kill -9 $PPID && exit 1
{git} "$@"; code=$?
[ $count-after = "$FATAL" ] && kill -9 $PPID
exit $code
"""


@pytest.mark.parametrize(
    "fatal", [f"{n}-{when}" for n in range(1, 5) for when in ("before", "after")]
)
def test_a_forgetting_killed_anywhere_loses_nothing_and_can_be_finished(
    history: History, tmp_path: Path, fatal: str
) -> None:
    """Killed around each git call that changes something: import, refs, repack, prune."""
    first = write(history, tree(a="one", b=f"{SECRET} of old"))
    write(history, tree(a=f"two {SECRET}"), first, (MAIN, "refs/dreams/1/base"), day=1)
    git = shutil.which("git")
    assert git is not None
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(KILLING_GIT.replace("{git}", git))
    program.chmod(0o755)
    code = (
        "import sys; from pathlib import Path; from dreamd.memory.history import History\n"
        "from dreamd.memory.forgetting import forget\n"
        f"forget(History(Path(sys.argv[1])), {SECRET!r})"
    )
    environment = os.environ | {
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(PROJECT),
        "COUNTER": str(tmp_path / "count"),
        "FATAL": fatal,
    }
    command = [sys.executable, "-c", code, str(history.folder)]
    ended = subprocess.run(command, env=environment, check=False, capture_output=True)
    assert ended.returncode == -9

    assert history.verify() is None
    for ref in (MAIN, "refs/dreams/1/base"):
        tip = history.ref(ref)
        assert tip is not None
        data = history.read(tip).files[PurePosixPath("a.md")].data
        assert data in {f"two {SECRET}".encode(), b"two [forgotten]"}
    forget(history, SECRET)
    assert SECRET.encode() not in everything(history)
    assert set(history.refs()) == {MAIN, "refs/dreams/1/base"}
    assert len(set(history.refs().values())) == 1
