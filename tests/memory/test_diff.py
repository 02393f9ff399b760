import os
import random
import subprocess
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.change import Change, ChangeSet, Verb
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.diff import diff, unified
from tests.pace import within

P = PurePosixPath


def tree(**files: bytes | Entry) -> Tree:
    return Tree(
        {
            P(name.replace("__", "/")): entry if isinstance(entry, Entry) else Entry(entry)
            for name, entry in files.items()
        }
    )


def test_changes_come_by_path_with_their_lines_in_file_order() -> None:
    before = tree(b=b"one\ntwo\nthree\n", gone=b"x\r\ny", a__same=b"s\n")
    after = tree(b=b"one\n2\nthree\nfour", a__new=b"new\n", a__same=b"s\n")
    assert diff(before, after) == ChangeSet(
        (
            Change(P("a/new"), Verb.ADDED, (), ("new",)),
            Change(P("b"), Verb.CHANGED, ("two",), ("2", "four")),
            Change(P("gone"), Verb.REMOVED, ("x", "y"), ()),
        )
    )


def test_times_alone_are_no_change() -> None:
    assert not diff(tree(a=Entry(b"a\n", mtime_ns=1)), tree(a=Entry(b"a\n", mtime_ns=2)))
    assert unified(tree(a=Entry(b"a\n", mtime_ns=1)), tree(a=Entry(b"a\n", mtime_ns=2))) == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Entry(b"a\n", 0o600), Entry(b"a\n", 0o644)),
        (Entry(b"a", is_link=True), Entry(b"b", is_link=True)),
        (Entry(b"a\n"), Entry(b"a\r\n")),
        (Entry(b"a\n"), Entry(b"a")),
        (Entry(b"\0a\n"), Entry(b"\0b\n")),
    ],
)
def test_what_is_no_change_of_lines_is_a_change_without_lines(before: Entry, after: Entry) -> None:
    assert diff(tree(a=before), tree(a=after)) == ChangeSet((Change(P("a"), Verb.CHANGED),))
    assert unified(tree(a=before), tree(a=after))


def test_a_note_that_became_a_link_lost_its_lines() -> None:
    change = Change(P("a"), Verb.CHANGED, ("fact",), ())
    assert diff(tree(a=b"fact\n"), tree(a=Entry(b"fact", is_link=True))) == ChangeSet((change,))


def test_bytes_that_are_no_text_can_be_printed() -> None:
    before, after = tree(a=b"caf\xe9\n"), tree(a=b"caf\xe9s\n")
    (change,) = diff(before, after)
    assert (change.removed, change.added) == (("caf\\xe9",), ("caf\\xe9s",))
    unified(before, after).encode()


def test_a_patch_reads_as_people_know_it() -> None:
    before = tree(a=b"".join(b"%d\n" % n for n in range(1, 21)))
    after = tree(a=b"".join(b"%d\n" % n for n in range(1, 21) if n != 5) + b"end")
    assert unified(before, after) == (
        "diff --git a/a b/a\n--- a/a\n+++ b/a\n"
        "@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n"
        "@@ -18,3 +17,4 @@\n 18\n 19\n 20\n+end\n\\ No newline at end of file\n"
    )


def test_a_file_that_came_or_went_is_compared_with_nothing() -> None:
    assert unified(tree(), tree(a=b"x\n")) == (
        "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n"
    )
    assert unified(tree(a=b"x\n"), tree()) == (
        "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    )


def test_bytes_with_nul_are_only_named() -> None:
    assert unified(tree(a=b"\0"), tree(a=b"b\n")) == (
        "diff --git a/a b/a\nBinary files a/a and b/a differ\n"
    )


# --- git and patch as judges -------------------------------------------------------------------


def lay(root: Path, tree: Tree) -> Path:
    root.mkdir()
    for path, entry in tree.files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if entry.is_link:
            place.symlink_to(os.fsdecode(entry.data))
        else:
            place.write_bytes(entry.data)
            place.chmod(entry.mode)
    return root


def found(root: Path) -> dict[PurePosixPath, tuple[bytes, bool]]:
    return {
        P(place.relative_to(root)): (
            (os.fsencode(place.readlink()), True)
            if place.is_symlink()
            else (place.read_bytes(), False)
        )
        for place in root.rglob("*")
        if place.is_symlink() or place.is_file()
    }


def run(root: Path, patch: str, *command: str) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(root),
        "GIT_CEILING_DIRECTORIES": str(root.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C",
    }
    done = subprocess.run(
        command, cwd=root, env=environment, input=patch.encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode() + patch


def expected(tree: Tree) -> dict[PurePosixPath, tuple[bytes, bool]]:
    return {path: (entry.data, entry.is_link) for path, entry in tree.files.items()}


ODD = [
    "plain.md",
    "two words.md",
    "tab\there.md",
    'quote".md',
    "back\\slash.md",
    "new\nline.md",
    "naïve ✓.md",
    "control\x017.md",
    "caf\udce9.md",
    "sub/deep/note.md",
    "-dash.md",
]


def a_text(random: random.Random) -> bytes:
    lines = [
        random.choice([b"one", b"two", b"three", b"", b"- x", b"--- y", b"+++ z", b"\\ n"])
        + random.choice([b"\n", b"\n", b"\n", b"\r\n"])
        for _ in range(random.randint(0, 25))
    ]
    data = b"".join(lines)
    return data[:-1] if lines and random.random() < 0.3 and data[:-1] else data


def edited(random: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    for _ in range(random.randint(1, 4)):
        at = random.randint(0, len(lines))
        lines[at : at + random.randint(0, 2)] = [b"new\n"] * random.randint(0, 2)
    return b"".join(lines)


def a_pair(random: random.Random) -> tuple[Tree, Tree]:
    before, after = {}, {}
    for name in ODD:
        old, new = a_text(random), a_text(random)
        what = random.choice(["same", "edit", "replace", "add", "remove", "mode"])
        if what != "add":
            before[P(name)] = Entry(old, 0o644)
        if what != "remove":
            kept = old if what in ("same", "mode") else edited(random, old)
            mode = 0o755 if what == "mode" else 0o644
            after[P(name)] = Entry(new if what in ("replace", "add") else kept, mode)
    return Tree(before), Tree(after)


@pytest.mark.parametrize("seed", range(15))
def test_git_applies_the_patch_forward_and_back(seed: int, tmp_path: Path) -> None:
    before, after = a_pair(random.Random(seed))
    patch = unified(before, after)
    forward, back = lay(tmp_path / "before", before), lay(tmp_path / "after", after)
    if patch:
        run(forward, patch, "git", "apply", "--whitespace=nowarn", "-")
        run(back, patch, "git", "apply", "--whitespace=nowarn", "-R", "-")
    assert found(forward) == expected(after)
    assert found(back) == expected(before)


def test_git_applies_links_modes_and_empty_files(tmp_path: Path) -> None:
    before = tree(
        link=Entry(b"one", is_link=True), gone=Entry(b"x", is_link=True), turned=b"text\n",
        empty=b"", run=Entry(b"#!\n", 0o644),
    )  # fmt: skip
    after = tree(
        link=Entry(b"two", is_link=True), came=Entry(b"y", is_link=True), fresh=b"",
        turned=Entry(b"target", is_link=True), run=Entry(b"#!\n", 0o755),
    )  # fmt: skip
    root = lay(tmp_path / "before", before)
    run(root, unified(before, after), "git", "apply", "-")
    assert found(root) == expected(after)
    assert (root / "run").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("seed", range(6))
def test_patch_applies_the_patch(seed: int, tmp_path: Path) -> None:
    if subprocess.run(["which", "patch"], capture_output=True, check=False).returncode:
        pytest.skip("no patch command here")
    before, after = a_pair(random.Random(seed))
    usual = [P(name) for name in ODD if "\n" not in name]
    before, after = (
        Tree({path: Entry(one.files[path].data, 0o644) for path in usual if path in one.files})
        for one in (before, after)
    )
    root = lay(tmp_path / "before", before)
    run(root, unified(before, after), "patch", "-p1", "-s", "--binary", "--remove-empty-files")
    left = {path: entry for path, entry in expected(after).items() if entry[0]}
    assert {path: entry for path, entry in found(root).items() if entry[0]} == left


@pytest.mark.parametrize("seed", range(40))
def test_removed_and_added_lines_account_for_the_difference(seed: int) -> None:
    before, after = a_pair(random.Random(seed))
    changes = {change.path: change for change in diff(before, after)}
    assert list(changes) == sorted(changes)
    for name in ODD:
        old, new = before.files.get(P(name)), after.files.get(P(name))
        change = changes.get(P(name))
        assert (change is None) == (old == new)
        if change is not None:
            counts: dict[str, int] = {}
            for entry, step in ((old, -1), (new, 1)):
                data = entry.data.decode() if entry else ""
                whole, _, rest = data.rpartition("\n")
                lines = [
                    line.removesuffix("\r")
                    for line in f"{whole}\n".split("\n")[:-1]
                    if "\n" in data
                ]
                for line in lines + [rest] * bool(rest):
                    counts[line] = counts.get(line, 0) + step
            for line in change.removed:
                counts[line] = counts.get(line, 0) + 1
            for line in change.added:
                counts[line] = counts.get(line, 0) - 1
            assert not any(counts.values())


def test_twenty_thousand_lines_are_compared_in_well_under_a_second() -> None:
    old = tree(a=b"".join(b"line %d\n" % n for n in range(20_000)))
    for new in (
        tree(a=b"".join(b"other %d\n" % n for n in range(20_000))),
        tree(a=b"".join(b"line %d\n" % (n + n % 2) for n in range(20_000))),
    ):
        with within(1):
            assert len(next(iter(diff(old, new))).added) >= 10_000
            assert unified(old, new).count("\n+") >= 10_000
