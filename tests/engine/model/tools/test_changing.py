"""Edit, Write, Move and Retire on notes in memory: what they change, and what they say of it."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from dreamd.engine.model.tools.notes import Retired
from tests.engine.model.tools.desk import ANA, INDEX, PORTS, Desk

NAMES = ["harbor", "quince", "lantern", "marigold", "osprey", "saffron", "thistle", "walnut"]
WHY = {"reason": "Ana moved to Porto", "source": "'I live in Porto now', 2026-03-02"}
EDIT = {"file_path": "ports.md", "old_string": "tea", "new_string": "cocoa"}
MOVE = {"file_path": "deploy.md", "text": "## How", "to": "win.md"}
RETIRE = {"file_path": "ports.md", "text": "- tea", **WHY}
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("Edit", {**EDIT, "old_string": "staging listen on"}, "The nearest line is: - staging listens"),
    ("Edit", {**EDIT, "old_string": "listens"}, "stands 2 times in ports.md, in line 2, 3"),
    ("Edit", {**EDIT, "new_string": "tea"}, "are the same"),
    ("Edit", {**EDIT, "file_path": "none.md"}, "Write creates one"),
    ("Edit", {**EDIT, "file_path": "mine.md"}, "is pinned: only its owner"),
    ("Write", {"file_path": "logs/a.md", "content": "x"}, "Logs stands there already"),
    ("Write", {"file_path": "a/AGENTS.md", "content": "x"}, "read by agents as orders"),
    ("Write", {"file_path": "/a.md", "content": "x"}, "is outside"),
    ("Write", {"file_path": "a\u202eb.md", "content": "x"}, "U+202E in it, which cannot be seen"),
    ("Write", {"file_path": "é" * 130 + ".md", "content": "x"}, "255 is the most"),
    ("Write", {"file_path": "b.md"}, "either file_path and content, or files"),
    ("Write", {"file_path": "MEMORY.md", "content": ""}, "cannot be written empty"),
    ("Write", {"file_path": "ana.md", "content": ""}, "- - Ana leads the Harbor team"),
    ("Move", {**MOVE, "text": "- Tuesdays", "to": "deploy.md"}, "the same note"),
    ("Move", {**MOVE, "to": "none.md"}, "There is no note none.md"),
    ("Move", {**MOVE, "to": "../out.md"}, "is outside"),
    ("Move", {**MOVE, "below": "Nothing"}, "has 0 headings 'Nothing'"),
    ("Retire", {**RETIRE, "text": "no such words"}, "No line of ports.md holds that text"),
    ("Retire", {**RETIRE, "text": "e"}, "4 characters at least"),
    ("Retire", {**RETIRE, "reason": "  "}, "needs a reason"),
    ("Retire", {**RETIRE, "source": "me"}, "needs a source"),
    ("Retire", {**RETIRE, "file_path": "ana.md", "text": "description"}, "frontmatter"),
]


def test_what_may_not_be_is_refused_in_a_sentence_and_changes_nothing(desk: Desk) -> None:
    desk.put("mine.md", "---\npinned: true\n---\ntea\n")
    desk.put("Logs/b.md", "x\n")
    desk.put("deploy.md", "# Deploy\n\n## When\n- Tuesdays\n\n## How\n- `make ship`\n")
    desk.put("win.md", "# Win\r\n- one\r\n")
    before = desk.tools.notes
    for tool, arguments, sentence in REFUSED:
        assert sentence in desk.refused(tool, **arguments), arguments
        assert desk.tools.notes is before, arguments
    for name in ("é.md", "日本語.md", "with space.md", "x" * 252 + ".md", "a..b.md", "🙂.md"):
        desk("Write", file_path=name, content="x\n")


def test_an_edit_changes_that_text_and_nothing_else(desk: Desk) -> None:
    told = desk("Edit", file_path="ports.md", old_string="8443", new_string="9443, before 8443")
    assert desk.note("ports.md") == PORTS.replace("8443", "9443, before 8443")
    assert desk.note("MEMORY.md") == INDEX
    assert told.startswith("Changed ports.md in 1 place.\nMemory: 3 notes, ")
    assert "Lost values" not in told
    assert (desk.laptop.memory / "ports.md").read_text() == PORTS, "nothing is on disk"
    assert "9443" in desk("Read", file_path="ports.md")
    both = {"old_string": "listens", "new_string": "is", "replace_all": True}
    assert "in 2 places" in desk("Edit", file_path="ports.md", **both)
    desk.put("win.md", "# Win\r\n- one\r\n- two\r\n")
    desk("Edit", file_path="win.md", old_string="- one\n- two", new_string="- one\n- three\n- two")
    assert desk.note("win.md") == "# Win\r\n- one\r\n- three\r\n- two\r\n"


def test_an_answer_tells_sizes_dangling_pointers_lost_notes_dates_and_values(desk: Desk) -> None:
    told = desk(
        "Edit",
        file_path="MEMORY.md",
        old_string="- [Ports](ports.md) — staging 5433",
        new_string="- [Gone](gone.md) — since yesterday",
    )
    assert "MEMORY.md: 3 of 200 lines" in told
    assert "Dangling pointers:\n- MEMORY.md:3 to gone.md" in told
    assert "Notes no pointer leads to:\n- ports.md" in told
    assert "Relative dates in new lines:\n- MEMORY.md:3 'yesterday'" in told
    assert "Lost values" not in told, "5433 still stands in ports.md"
    told = desk("Edit", file_path="ports.md", old_string="5433 since Alder", new_string="a port")
    assert "- 5433, Alder of ports.md: - staging listens on 5433 since Alder" in told
    told = desk("Edit", file_path="ana.md", old_string="leads", new_string="led")
    assert "5433, Alder" in told, "it is said until they stand somewhere"
    told = desk("Edit", file_path="ana.md", old_string="team", new_string="team (Alder, 5433)")
    assert "Lost values" not in told
    long = "# Memory\n" + "".join(f"- line {number}\n" for number in range(230))
    told = desk("Write", file_path="MEMORY.md", content=long)
    assert "231 of 200 lines" in told
    assert "OVER ITS LIMIT: a conversation sees 200 lines of it." in told


def test_one_call_writes_several_notes_or_none(desk: Desk) -> None:
    files = [
        {"file_path": "new/one.md", "content": "# One\n- see [Two](../two.md)\n"},
        {"file_path": str(desk.laptop.memory / "two.md"), "content": "# Two\n"},
    ]
    told = desk("Write", files=files)
    assert list(desk.tools.notes.edits) == [PurePosixPath("new/one.md"), PurePosixPath("two.md")]
    assert "Created new/one.md.\nCreated two.md." in told
    out = [{**files[0], "content": "other"}, {**files[1], "file_path": "../out.md"}]
    assert "outside" in desk.refused("Write", files=out)
    assert desk.note("new/one.md").startswith("# One")
    assert "either" in desk.refused("Write", files=files, content="x")
    assert "named twice" in desk.refused("Write", files=[files[0], files[0]])
    assert "nothing changed" in desk.refused("Write", file_path="two.md", content="# Two\n")


def test_a_write_that_drops_many_lines_lists_them(desk: Desk) -> None:
    rows = [f"- the {name} service answers on {8100 + at}" for at, name in enumerate(NAMES)]
    text = "# Services\n" + "\n".join(rows) + "\n"
    desk("Write", file_path="services.md", content=text)
    kept = "# Services\n- one note for all\n" + "\n".join(rows[6:]) + "\n"
    told = desk("Write", file_path="services.md", content=kept)
    assert "WARNING: 6 lines of services.md stand nowhere now" in told
    assert rows[0] in told
    assert "8100" in told.partition("Lost values")[2]
    moved = "# Services\n" + "\n".join(reversed(rows)) + "\n"
    assert "WARNING" not in desk("Write", file_path="services.md", content=moved)


def test_a_note_is_removed_only_when_all_it_says_stands_elsewhere(desk: Desk) -> None:
    desk.refused("Write", file_path="ana.md", content="")
    assert desk.note("ana.md") == ANA
    files = [
        {"file_path": "people.md", "content": "# People\n## Ana\n- Ana leads the Harbor team\n"},
        {"file_path": "ana.md", "content": ""},
    ]
    told = desk("Write", files=files)
    assert "Removed ana.md; all it said stands elsewhere." in told
    assert desk.tools.notes.edits[PurePosixPath("ana.md")] is None
    assert "Dangling pointers:\n- MEMORY.md:2 to ana.md" in told


def test_retire_takes_out_exactly_the_lines_and_says_so_to_the_session(desk: Desk) -> None:
    told = desk("Retire", file_path="ports.md", text="on 8443", **WHY)
    assert desk.note("ports.md") == PORTS.replace("- production listens on 8443\n", "")
    path, gone = PurePosixPath("ports.md"), "- production listens on 8443"
    assert desk.tools.notes.retired == (Retired(path, gone, **WHY),)
    assert "Lost values" not in told, "what was retired is not lost"
    both = "- staging listens on 5433 since Alder\n- tea"
    desk("Retire", file_path="ports.md", text=both, **WHY)
    assert [each.line for each in desk.tools.notes.retired] == [gone, *both.split("\n")]
    assert desk.note("ports.md") == "# Ports\n"


def test_lines_and_sections_move_unchanged_and_nothing_else_does(desk: Desk) -> None:
    desk.put(
        "deploy.md", "# Deploy\n\n## When\n- Tuesdays\n\n## How\n- `make ship`\n### Back\n- never\n"
    )
    desk.put("win.md", "# Win\r\n- one\r\n\r\n## Later\r\n- two")
    assert "Moved 4 lines from deploy.md to win.md." in desk("Move", **MOVE, below="Win")
    assert desk.note("deploy.md") == "# Deploy\n\n## When\n- Tuesdays\n\n"
    moved = "## How\r\n- `make ship`\r\n### Back\r\n- never\r\n"
    assert desk.note("win.md") == f"# Win\r\n- one\r\n\r\n## Later\r\n- two\r\n{moved}"
    desk("Move", file_path="win.md", text="- one", to="ports.md")
    told = desk("Move", file_path="win.md", text="- two", to="deploy.md", below="## When")
    assert "Lost values" not in told
    assert desk.note("ports.md") == f"{PORTS}- one\n"
    assert desk.note("deploy.md") == "# Deploy\n\n## When\n- Tuesdays\n- two\n\n"
