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
from tests.brain import Brain, say, tool
from tests.laptop import Laptop
from tests.ledger import rows
from tests.model_home import OLD, SAID, edit, environ, four_phases, laptop, write
from tests.spoken import say as people_say

__all__ = ["laptop"]
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
        ("hunter2 caf\\u00e9\\n  12\\thorse", "[forgotten]"),  # as a tool lists it
        ("hunter2 café 12\thorse", "hunter2 café 12\thorse"),
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


CODES = "- The vault code is kiwi 7731 (2026-05-11)\n- The pier code is mango 4402 (2026-05-11)"
TOLD = (
    "The vault code is kiwi 7731.",
    "The pier code is mango 4402.",
    "Remember that zebra-47 opens the vault of the yard.",
    "Remember that the header is <material alpha-77> in every mail of the shop.",
)


def test_a_forgotten_text_is_in_nothing_that_dreams_keep(laptop: Laptop) -> None:
    memory, stores = laptop.memory, laptop.state / "stores"
    people_say(memory.parent, "codes", *TOLD)
    codes = "- [Codes](codes.md) — what opens what"
    drawn = f"{OLD}\n{codes}\n- The yard's vault opens with zebra-47 (2026-05-11)"
    writing = say("## consolidate", write("codes.md", f"# Codes\n\n{CODES}\n"))
    listing = say("## orient", tool("Read", {"file_path": "codes.md"}))
    for script in (
        [four_phases()[0], writing, say("", edit("MEMORY.md", OLD, drawn)), say("done")],
        [listing, *four_phases()[1:]],
    ):
        with Brain(script) as brain:
            laptop.ok("dream", str(memory), **environ(brain))
        people_say(memory.parent, "tuesday", SAID, at="2026-05-13T09:00:00.000Z")
    kept = {path: path.read_bytes() for path in stores.rglob("conversations/*")}
    for text, words in (
        (CODES, "mango 4402 (2026"),
        ("zebra-47 opens the vault", "zebra-47"),
        ("<material alpha-77> in every mail", "alpha-77"),
    ):
        assert any(words.encode() in said for said in kept.values())
        laptop.ok("forget", text, "--yes", "--memory", str(memory))
        files = [path for path in stores.rglob("*") if path.is_file()]
        assert [path for path in files if words.encode() in path.read_bytes()] == []
        for path, said in kept.items():
            path.write_bytes(said)  # each text on its own


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
