"""Edit, Write, Move and Retire on notes in memory: what they change, and what they say of it."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from dreamd.engine.model.tools.notes import Retired
from tests.engine.model.tools.desk import ANA, INDEX, PORTS, Desk


def test_an_edit_changes_that_text_and_nothing_else(desk: Desk) -> None:
    told = desk("Edit", file_path="ports.md", old_string="8443", new_string="9443, before 8443")
    assert desk.note("ports.md") == PORTS.replace("8443", "9443, before 8443")
    assert desk.note("MEMORY.md") == INDEX
    assert told.startswith("Changed ports.md in 1 place.\nMemory: 3 notes, ")
    assert "Lost values" not in told
    assert (desk.laptop.memory / "ports.md").read_text() == PORTS, "nothing is on disk"
    assert "9443" in desk("Read", file_path="ports.md")


def test_text_that_is_absent_ambiguous_or_the_same_is_not_replaced(desk: Desk) -> None:
    memory = desk.laptop.memory
    absent = desk.refused(
        "Edit", file_path="ports.md", old_string="staging listen on", new_string="x"
    )
    assert "The nearest line is: - staging listens on 5433 since Alder" in absent
    twice = desk.refused(
        "Edit", file_path=f"{memory}/ports.md", old_string="listens", new_string="x"
    )
    assert "stands 2 times in ports.md, in line 2, 3" in twice
    same = desk.ask("Edit", {"file_path": "ports.md", "old_string": "tea", "new_string": "tea"})
    assert same.is_error
    assert "Write creates one" in desk.refused(
        "Edit", file_path="none.md", old_string="a", new_string="b"
    )
    assert desk.note("ports.md") == PORTS
    told = desk(
        "Edit", file_path="ports.md", old_string="listens", new_string="is", replace_all=True
    )
    assert "in 2 places" in told


def test_a_note_with_other_line_ends_keeps_them(desk: Desk) -> None:
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


def test_an_index_over_its_limit_is_said_to_be(desk: Desk) -> None:
    long = "# Memory\n" + "".join(f"- line {number}\n" for number in range(230))
    told = desk("Write", file_path="MEMORY.md", content=long)
    assert "231 of 200 lines" in told
    assert "OVER ITS LIMIT: a conversation sees 200 lines of it." in told


def test_one_call_writes_several_notes_or_none(desk: Desk) -> None:
    files = [
        {"file_path": "new/one.md", "content": "# One\n- see [Two](../two.md)\n"},
        {"file_path": str(desk.laptop.memory / "two.md"), "content": "# Two\n"},
    ]
    told = desk.ask("Write", {"files": files})
    assert list(desk.tools.notes.edits) == [PurePosixPath("new/one.md"), PurePosixPath("two.md")]
    assert "Created new/one.md.\nCreated two.md." in told.text
    assert desk.note("new/one.md").startswith("# One")
    files[1]["file_path"] = "../out.md"
    files[0]["content"] = "other"
    desk.refused("Write", files=files)
    assert desk.note("new/one.md").startswith("# One")
    assert "either file_path and content, or files" in desk.refused("Write", file_path="a.md")
    assert "either" in desk.refused("Write", files=files, content="x")
    assert "named twice" in desk.refused("Write", files=[files[0], files[0]])
    again = desk.ask("Write", {"file_path": "two.md", "content": "# Two\n"})
    assert again.is_error


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


NAMES = ["harbor", "quince", "lantern", "marigold", "osprey", "saffron", "thistle", "walnut"]


def test_a_note_is_removed_only_when_all_it_says_stands_elsewhere(desk: Desk) -> None:
    refused = desk.refused("Write", file_path="ana.md", content="")
    assert "- - Ana leads the Harbor team" in refused
    assert desk.note("ana.md") == ANA
    files = [
        {"file_path": "people.md", "content": "# People\n## Ana\n- Ana leads the Harbor team\n"},
        {"file_path": "ana.md", "content": ""},
    ]
    told = desk("Write", files=files)
    assert "Removed ana.md; all it said stands elsewhere." in told
    assert desk.tools.notes.edits[PurePosixPath("ana.md")] is None
    assert "Dangling pointers:\n- MEMORY.md:2 to ana.md" in told
    assert "cannot be written empty" in desk.refused("Write", file_path="MEMORY.md", content="")
    assert "cannot be written empty" in desk.refused("Write", file_path="none.md", content="")


def test_retire_takes_out_exactly_the_lines_and_says_so_to_the_session(desk: Desk) -> None:
    given = {"reason": "Ana moved to Porto", "source": "'I live in Porto now', 2026-03-02"}
    answer = desk.ask("Retire", {"file_path": "ports.md", "text": "on 8443", **given})
    assert not answer.is_error, answer.text
    assert desk.note("ports.md") == PORTS.replace("- production listens on 8443\n", "")
    path = PurePosixPath("ports.md")
    gone = ["- production listens on 8443"]
    assert desk.tools.notes.retired == (Retired(path, gone[0], **given),)
    assert "Lost values" not in answer.text, "what was retired is not lost"
    both = "- staging listens on 5433 since Alder\n- tea"
    desk("Retire", file_path="ports.md", text=both, **given)
    assert [each.line for each in desk.tools.notes.retired] == [*gone, *both.split("\n")]
    assert desk.note("ports.md") == "# Ports\n"


def test_lines_and_sections_move_unchanged_and_nothing_else_does(desk: Desk) -> None:
    deploy = "# Deploy\n\n## When\n- Tuesdays\n\n## How\n- `make ship`\n### Back\n- never\n"
    desk.put("deploy.md", deploy)
    desk.put("win.md", "# Win\r\n- one\r\n\r\n## Later\r\n- two")
    given = {"file_path": "deploy.md", "text": "## How", "to": "win.md"}
    assert "Moved 4 lines from deploy.md to win.md." in desk("Move", **given, below="Win")
    assert desk.note("deploy.md") == "# Deploy\n\n## When\n- Tuesdays\n\n"
    moved = "## How\r\n- `make ship`\r\n### Back\r\n- never\r\n"
    assert desk.note("win.md") == f"# Win\r\n- one\r\n\r\n## Later\r\n- two\r\n{moved}"
    desk("Move", file_path="win.md", text="- one", to="ports.md")
    told = desk("Move", file_path="win.md", text="- two", to="deploy.md", below="## When")
    assert "Lost values" not in told
    assert desk.note("ports.md") == f"{PORTS}- one\n"
    assert desk.note("deploy.md") == "# Deploy\n\n## When\n- Tuesdays\n- two\n\n"
    before = desk.tools.notes
    for changed, sentence in (
        ({"to": "deploy.md"}, "the same note"),
        ({"to": "none.md"}, "There is no note none.md"),
        ({"to": "../out.md"}, "is outside"),
        ({"to": "team/a.md"}, "is shared"),
        ({"text": "nowhere"}, "No line of deploy.md holds that text"),
        ({"below": "Nothing"}, "has 0 headings 'Nothing'"),
        ({"file_path": "ana.md", "text": "description"}, "frontmatter"),
    ):
        assert sentence in desk.refused("Move", **{**given, "text": "- two", **changed})
    assert desk.tools.notes is before


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"text": "no such words"}, "No line of ports.md holds that text"),
        ({"text": "e"}, "4 characters at least"),
        ({"reason": "  "}, "needs a reason"),
        ({"source": "me"}, "needs a source"),
        ({"file_path": "none.md"}, "There is no note none.md"),
        ({"file_path": "ana.md", "text": "description"}, "frontmatter"),
    ],
)
def test_retire_needs_a_text_a_reason_and_a_source(
    desk: Desk, changed: dict[str, str], sentence: str
) -> None:
    given = {"file_path": "ports.md", "text": "tea", "reason": "x" * 9, "source": "y" * 9}
    assert sentence in desk.refused("Retire", **{**given, "text": "- tea", **changed})
    assert (desk.note("ports.md"), desk.note("ana.md")) == (PORTS, ANA)


def test_a_pinned_note_and_the_shared_ones_stay(desk: Desk) -> None:
    desk.put("mine.md", "---\npinned: true\n---\nmine\n")
    given = {"file_path": "mine.md", "old_string": "mine", "new_string": "yours"}
    assert "is pinned: only its owner" in desk.refused("Edit", **given)
    assert "is pinned" in desk.refused("Write", file_path="mine.md", content="x")
    assert "team/ is shared" in desk.refused("Write", file_path="team/a.md", content="x")


def test_a_name_that_only_case_sets_apart_is_refused(desk: Desk) -> None:
    assert "MEMORY.md stands there already" in desk.refused(
        "Write", file_path="Memory.md", content="x"
    )
    desk.put("Logs/b.md", "x\n")
    assert "Logs stands there already" in desk.refused("Write", file_path="logs/a.md", content="x")
