"""A forgotten text is in no byte of the database, in whatever form it stood there."""

from __future__ import annotations

import unicodedata
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.tree import Entry, Tree
from dreamd.errors import UsageError
from dreamd.state.forgetting import forget
from dreamd.state.history import History
from dreamd.state.store_db import StoreDb
from dreamd.text.eraser import Eraser
from tests.ledger import rows

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


def test_versions_that_differed_in_the_text_alone_become_one(tmp_path: Path) -> None:
    db = StoreDb(tmp_path / "store.db")
    history = History(db)
    for number, text in enumerate((TEXT, "[forgotten]")):
        tree = Tree({PurePosixPath("a.md"): Entry(text.encode())})
        history.write(tree, dream=f"d{number}", part="base")
    forget(db, Eraser.of(TEXT))
    history.write(tree, dream="d2", part="base")
    assert len(set(rows(db.path, "SELECT snapshot FROM name"))) == 1
