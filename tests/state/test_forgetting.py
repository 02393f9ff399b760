"""A forgotten text is in no byte of the database, in whatever form it stood there."""

from __future__ import annotations

import unicodedata
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.change import Why
from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.tree import Entry, Tree
from dreamd.errors import UsageError
from dreamd.ledger import receipts
from dreamd.state.forgetting import drawn, forget, paths
from dreamd.state.history import History
from dreamd.state.store_db import StoreDb
from dreamd.text.eraser import Eraser

TEXT = "hunter2 café horse"
NFD = unicodedata.normalize("NFD", TEXT)


@pytest.mark.parametrize(
    ("note", "left"),
    [
        (f"the word is {TEXT}.", "the word is [forgotten]."),
        (f"the word is {NFD}.", "the word is [forgotten]."),
        ("hunter2\r\n  café horse", "[forgotten]"),
        ("hunter2 caf\\u00e9 horse", "[forgotten]"),
        ("Hunter2 café horse", "[forgotten]"),
        ("keep\n- hunter2 café (said 2026-11-11) horse\nkeep\n", "keep\n- [forgotten]\nkeep\n"),
        ("  - as drawn\r\nkeep", "  - [forgotten]\r\nkeep"),
        ("hunter2 cafe horse", "hunter2 cafe horse"),
        (
            f"---\nname: {TEXT}-api\n---\na: {TEXT}\n",
            '---\nname: "[forgotten]-api"\n---\na: [forgotten]\n',
        ),
    ],
)
def test_every_form_of_a_text_goes_and_nothing_else(note: str, left: str) -> None:
    eraser = Eraser.of(TEXT, lines=["- as drawn"])
    assert eraser.content(note.encode()).decode() == left


def test_a_text_that_holds_every_mark_cannot_be_replaced() -> None:
    with pytest.raises(UsageError, match="every mark"):
        Eraser.of("[forgotten]{removed}<blank>(gone)")
    assert Eraser.of("[forgotten]").content(b"a [forgotten] b") == b"a {removed} b"


def test_no_byte_of_it_stays_in_the_database(tmp_path: Path) -> None:
    db = StoreDb(tmp_path / "store.db")
    history = History(db)
    for number in range(40):
        name = f"{TEXT if number % 9 == 0 else 'note'}-{number}.md"
        text = f"line {number}\n{TEXT} {number}\n" * (1 + number * 20)
        tree = Tree({PurePosixPath(name): Entry(text.encode())})
        why = Why(PurePosixPath(name), f"- {TEXT}", "+", "memo", quote=TEXT, message="m1")
        history.write(tree, dream=f"d{number}", parts=["dream"], whys=[why])
        receipt = Receipt(f"d{number}", Kind.CONSOLIDATION, Outcome.DREAMT, f"did {TEXT}", "m", "s")
        receipts.put(db, receipt)
    assert TEXT.encode() in db.path.read_bytes(), "the control"
    assert drawn(db, Eraser.of(TEXT), {"m1"}) == {f"- {TEXT}"}
    assert forget(db, Eraser.of(TEXT, paths(db))) == 40
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for word in (TEXT, NFD, "hunter2"):
        assert word.encode() not in left
    snapshot = history.named("d9", "dream")
    assert snapshot is not None
    [(path, entry)] = history.read(snapshot).files.items()
    assert str(path) == "[forgotten]-9.md"
    assert entry.data.decode() == "line 9\n[forgotten] 9\n" * 181
    assert [each.reason for each in receipts.read(db.path)] == ["did [forgotten]"] * 40


def test_versions_that_differed_in_the_text_alone_become_one(tmp_path: Path) -> None:
    db = StoreDb(tmp_path / "store.db")
    history = History(db)
    for number, text in enumerate((TEXT, "[forgotten]")):
        tree = Tree({PurePosixPath("a.md"): Entry(text.encode())})
        history.write(tree, dream=f"d{number}", parts=["base"])
    forget(db, Eraser.of(TEXT))
    assert history.named("d0", "base") == history.named("d1", "base")
    assert history.write(tree, dream="d2", parts=["base"]) == history.named("d0", "base")
