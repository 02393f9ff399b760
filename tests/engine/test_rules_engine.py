"""The engine on notes: what it may change, and the same bytes on any day."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import PurePosixPath

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


TREE = Tree(
    {PurePosixPath(name): Entry(data, 0o640) for name, data in FILES.items()},
    frozenset({PurePosixPath("link.md")}),
)


def test_only_notes_that_may_be_changed_are_changed() -> None:
    engine: Engine = RulesEngine()
    report = engine.dream(Brief(TREE, Settings()), quiet)
    assert report.edits is not None
    edits = {str(path): data for path, data in report.edits.items()}
    assert edits.keys() == {"MEMORY.md", "lost/labels.md"}
    assert edits["lost/labels.md"] == b"# Labels\r\n\r\n- Ivo prefers rye bread\r\n- see gone\r\n"
    index = (edits["MEMORY.md"] or b"").decode()
    assert "- [A](a-note.md)\n- [Labels](lost/labels.md) " in index
    assert "(team/rules.md)" in index
    assert not any(f"({name})" in index for name in ("latin.md", "binary.md", "big.md", "page.txt"))
    assert {why.path for why in report.whys} == report.edits.keys()


def test_the_phases_are_told_in_order() -> None:
    told: list[Phase] = []
    said = [PersonSaid("Remember that the pier is closed.", "s", "m")]
    RulesEngine().dream(Brief(TREE, Settings(), said=said), lambda phase, _: told.append(phase))
    assert set(told) == set(Phase)
    assert told[0] is Phase.ORIENT


def test_nothing_to_do_edits_nothing() -> None:
    tree = Tree({PurePosixPath("MEMORY.md"): Entry(b"# M\n")})
    report = RulesEngine().dream(Brief(tree, Settings()), quiet)
    assert (report.steps, report.whys, report.edits) == ((), (), {})


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
