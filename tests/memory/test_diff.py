"""Changes and patches, with `patch` and a count of lines as judges."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path, PurePosixPath
from random import Random

import pytest

from dreamd.domain.change import Change, ChangeSet, Verb
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.diff import diff
from dreamd.memory.lines import split
from dreamd.views.patch import unified
from tests.memory.test_merge import crowded, text
from tests.memory.test_review import tree

P = PurePosixPath


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Entry(b"a\n", 0o600), Entry(b"a\n", 0o644)),
        (Entry(b"a\n"), Entry(b"a\r\n")),
        (Entry(b"a\n"), Entry(b"a")),
        (Entry(b"\0a\n"), Entry(b"\0b\n")),
    ],
)
def test_what_is_no_change_of_lines_is_a_change_without_lines(before: Entry, after: Entry) -> None:
    one, other = Tree({P("a"): before}), Tree({P("a"): after})
    assert diff(one, other) == ChangeSet((Change(P("a"), Verb.CHANGED),))
    assert unified(one, other)
    later = Tree({P("a"): Entry(after.data, after.mode, after.mtime_ns + 1)})
    assert not diff(other, later), "times alone are no change"


def test_a_patch_reads_as_people_know_it() -> None:
    rows = [f"{n}\n" for n in range(1, 21)]
    after = {"a": "".join([*rows[:4], *rows[5:], "end"]), "new": "y\n"}
    assert unified(tree({"a": "".join(rows), "gone": "x\n"}), tree(after)) == (
        "--- a/a\n+++ b/a\n"
        "@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n"
        "@@ -18,3 +17,4 @@\n 18\n 19\n 20\n+end\n\\ No newline at end of file\n"
        "--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+y\n"
    )
    assert unified(tree({"a": "\0"}), tree({"a": "b\n"})) == "# a: binary\n"
    (change,) = diff(tree({"a": b"caf\xe9\n"}), tree({"a": b"caf\xe9s\n"}))
    assert (change.removed, change.added) == (("caf\\xe9",), ("caf\\xe9s",))
    odd = Tree({P("two\nlines \udcff.md"): Entry(b"x\n")})
    assert "+++ b/two\\x0alines \\udcff.md\t\n" in unified(Tree(), odd)


ODD = ["plain.md", "two words.md", "naïve ✓.md", "sub/deep/note.md", "-dash.md"]
LINES = ["one", "two", "three", "", "- x", "--- y", "+++ z", "\\ n"]


def a_pair(random: Random) -> tuple[Tree, Tree]:
    """Notes as a user and a dream change them, with odd lines, ends and names."""
    found: list[dict[PurePosixPath, Entry]] = [{}, {}]
    for name in ODD:
        base, after, other = crowded(random)
        for side, rows in enumerate(random.choice([(base, base), (base, after), (after, other)])):
            mixed = [*rows, *random.choices(LINES, k=len(rows) // 3)]
            data = text(mixed).replace(b"e", random.choice([b"e", b"\r\n"]))
            if random.random() < 0.8:
                found[side][P(name)] = Entry(data[: -(random.random() < 0.3) or None], 0o644)
    return Tree(found[0]), Tree(found[1])


@pytest.mark.skipif(shutil.which("patch") is None, reason="no patch command here")
@pytest.mark.parametrize("seed", range(12))
def test_patch_applies_the_patch(seed: int, tmp_path: Path) -> None:
    before, after = a_pair(Random(seed))
    for path, entry in before.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(entry.data)
    command = ["patch", "-p1", "-s", "--binary", "--remove-empty-files"]
    patch = unified(before, after).encode()
    for change in diff(before, after):
        old, new = (Counter(split(each.data(change.path) or b"").texts) for each in (before, after))
        went, came = (Counter(map(str.encode, each)) for each in (change.removed, change.added))
        assert old - new <= went
        assert (new + went, came <= new) == (old + came, True)
    subprocess.run(command, cwd=tmp_path, input=patch, capture_output=True, check=True)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    found = {P(path.relative_to(tmp_path)): path.read_bytes() for path in files}
    expected = {path: entry.data for path, entry in after.files.items()}
    assert {p: data for p, data in found.items() if data} == {
        p: data for p, data in expected.items() if data
    }
