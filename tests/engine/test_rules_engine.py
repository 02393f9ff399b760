"""The engine on a stage: real files, their modes, and the same bytes on any day."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.change import Declined
from dreamd.domain.dream import Brief
from dreamd.domain.evidence import PersonSaid
from dreamd.domain.receipt import Phase
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.engine import Engine
from dreamd.engine.rules import RulesEngine
from dreamd.engine.rules.consolidated import consolidated
from dreamd.engine.rules.orient import orient
from dreamd.errors import HostError
from tests.engine.night import quiet
from tests.pace import within

FILES = {
    "MEMORY.md": b"# Memory\n\n- [A](a_note.md)\n- Ivo prefers rye bread\n",
    "a-note.md": b"# A\n\nText of it.\n",
    "lost/labels.md": b"# Labels\r\n\r\n- Ivo prefers rye bread\r\n- see [[gone]]\r\n",
    "pinned.md": b"---\npinned: true\n---\nsee [[gone]]\n",
    "latin.md": b"caf\xe9 [[gone]]\n",
    "binary.md": b"a\0b [[gone]]\n",
    "big.md": b"see [[gone]]\n" + b"word " * 220_000,
    "team/rules.md": b"see [[gone]]\n",
    "logs/2026/01/05.md": b"see [[gone]]\n",
    "page.txt": b"see [[gone]]\n",
    ".hidden.md": b"see [[gone]]\n",
}


def laid(folder: Path) -> Tree:
    """Write the files, and return them as a tree."""
    for name, data in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o640)
    (folder / "link.md").symlink_to("a-note.md")
    files = {PurePosixPath(name): Entry(data, 0o640) for name, data in FILES.items()}
    return Tree(files, frozenset({PurePosixPath("link.md")}))


def test_only_notes_that_may_be_changed_are_changed(tmp_path: Path) -> None:
    tree = laid(tmp_path)
    engine: Engine = RulesEngine()
    report = engine.dream(Brief(tmp_path, tree, Settings()), quiet)
    changed = {name for name, data in FILES.items() if (tmp_path / name).read_bytes() != data}
    assert changed == {"MEMORY.md", "lost/labels.md"}
    assert (tmp_path / "lost/labels.md").read_bytes() == (
        b"# Labels\r\n\r\n- Ivo prefers rye bread\r\n- see gone\r\n"
    )
    index = (tmp_path / "MEMORY.md").read_text()
    assert "- [A](a-note.md)\n- [Labels](lost/labels.md) " in index
    assert "(team/rules.md)" in index
    assert not any(f"({name})" in index for name in ("latin.md", "binary.md", "big.md", "page.txt"))
    assert (tmp_path / "link.md").is_symlink()
    assert {why.path for why in report.whys} == {PurePosixPath(name) for name in changed}


def test_modes_stay_and_new_files_are_private(tmp_path: Path) -> None:
    texts = "# M\n\n" + "".join(
        f"## Day 2026-01-{n:02}\n" + f"- thing {n}\n" * 12 for n in range(1, 29)
    )
    (tmp_path / "MEMORY.md").write_text(texts)
    (tmp_path / "MEMORY.md").chmod(0o644)
    tree = Tree({PurePosixPath("MEMORY.md"): Entry(texts.encode(), 0o644)})
    RulesEngine().dream(Brief(tmp_path, tree, Settings()), quiet)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes.pop("MEMORY.md") == 0o644
    assert set(modes.values()) == {0o600}


def test_the_phases_are_told_in_order(tmp_path: Path) -> None:
    told: list[Phase] = []
    said = [PersonSaid("Remember that the pier is closed.", "s", "m")]
    RulesEngine().dream(
        Brief(tmp_path, laid(tmp_path), Settings(), said=said), lambda phase, _: told.append(phase)
    )
    assert set(told) == set(Phase)
    assert told[0] is Phase.ORIENT


def test_nothing_to_do_touches_no_file(tmp_path: Path) -> None:
    tree = Tree({PurePosixPath("MEMORY.md"): Entry(b"# M\n")})
    report = RulesEngine().dream(Brief(tmp_path, tree, Settings()), quiet)
    assert list(tmp_path.iterdir()) == []
    assert (report.steps, report.whys) == ((), ())


def test_a_stage_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(HostError, match=r"cannot write .*MEMORY\.md"):
        RulesEngine().dream(Brief(tmp_path / "gone", laid(tmp_path), Settings()), quiet)


SCRIPT = """
import sys
from pathlib import PurePosixPath
from dreamd.domain.change import Declined
from dreamd.domain.settings import Budget, Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.consolidated import consolidated
from dreamd.engine.rules.orient import orient
days = [f"2026-{m:02}-{d:02}" for m in range(1, 9) for d in (1, 9, 17, 25)]
pairs = [(a, b) for a in ("Ann", "Bob", "Cem") for b in ("Dora", "Eve")]
index = "# M\\n\\n" + "".join(
    f"## Log {d}\\n" + "".join(f"- {a} met {b} on {d}\\n" for a, b in pairs) for d in days)
files = {PurePosixPath("MEMORY.md"): index, PurePosixPath("z.md"): "z"}
tree = Tree({path: Entry(text.encode()) for path, text in files.items()})
settings = Settings(budget=Budget(memory_bytes=4000))
result = consolidated(orient(tree), settings, Declined(), lambda *told: None)
print(sorted((str(p), t) for p, t in result.texts.items()), result.steps, result.whys)
"""


def test_the_same_notes_give_the_same_bytes_in_every_process() -> None:
    seen = set()
    for seed in ("0", "1", "4242"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "TZ": f"UTC-{seed[0]}"}
        out = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=env, capture_output=True, check=True
        )
        seen.add(hashlib.sha256(out.stdout).hexdigest())
        assert b"moved {line} out of the index" in out.stdout
    assert len(seen) == 1


def test_two_hundred_notes_are_dreamt_over_in_half_a_second_of_cpu() -> None:
    lines = [f"- fact {n} of note number {n % 977} about thing {n % 31}\n" for n in range(20_000)]
    files = {
        PurePosixPath(f"note-{number}.md"): Entry(
            f"---\nname: note-{number}\n---\n# Note {number}\n\n".encode()
            + "".join(lines[number * 100 : (number + 1) * 100]).encode()
        )
        for number in range(199)
    }
    index = "# M\n\n" + "".join(f"- [Note]({name}) — hook\n" for name in files)
    files[PurePosixPath("MEMORY.md")] = Entry(index.encode())
    assert sum(len(entry.data) for entry in files.values()) > 800_000
    with within(0.8):
        consolidated(orient(Tree(files)), Settings(), Declined(), quiet)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "**a " * 20_000,
            "[a" * 20_000 + "](",
            "# " + " " * 50_000 + "x",
            "|" * 50_000,
            "- " * 30_000,
        ),
        *(
            "2026-" * 20_000,
            "```\n" * 3001,
            "\n".join(f"# h{n}" for n in range(2000)),
            "<!--" * 10_000,
        ),
    ],
)
def test_hostile_text_takes_a_moment_only(text: str) -> None:
    with within(4):
        for name in ("MEMORY.md", "note.md"):
            tree = Tree({PurePosixPath(name): Entry(text.encode())})
            consolidated(orient(tree), Settings(), Declined(), quiet)
