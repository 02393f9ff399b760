"""New lines go to the right file, to the end of a list, once, and never where the user said no."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from dreamd.domain.budget import reading_order
from dreamd.domain.change import Declined, Heeded
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.placing import AGAIN, KEPT, LEFT, WRITTEN
from tests.engine.placing.said import INDEX, SAVE, after, counts, new, order, placed
from tests.pace import within

EMPTY = {INDEX: "# Memory\n"}
PNPM = "Always use pnpm in the web folder, never npm."
PNPM_LINE = "- Always use pnpm in the web folder, never npm. (2026-05-11)"
AGREEMENTS = PurePosixPath("working-agreements.md")
REPLICA = "The staging database has a replica on port 6432."
STAGING = """---
name: staging
description: hosts and ports of the staging environment
metadata:
  node_type: memory
  type: project
---

# Staging

- The staging database listens on port 5432
- Redis runs on the same host

## History

- it moved in March
"""
NOTES = {INDEX: "# Memory\n\n- [Staging](staging.md) — hosts and ports\n", "staging.md": STAGING}


def test_an_empty_memory_gets_an_index_and_a_file_of_the_right_type() -> None:
    assert after({}, [order(PNPM)]) == {
        INDEX: "# Memory\n\n- [Working agreements](working-agreements.md) — "
        "how the user wants work done\n",
        "working-agreements.md": "---\n"
        "name: working-agreements\n"
        "description: how the user wants work done\n"
        "metadata:\n  node_type: memory\n  type: feedback\n---\n\n"
        f"# Working agreements\n\n{PNPM_LINE}\n",
    }


def test_a_memory_that_writes_its_types_flat_gets_them_flat() -> None:
    texts = {INDEX: "- [A](a.md)\n", "a.md": "---\nname: a\ntype: project\n---\n\ntext\n"}
    head = after(texts, [order(PNPM)])["working-agreements.md"].split("---")[1]
    assert head.endswith("done\ntype: feedback\n")


@pytest.mark.parametrize(("kind", "name"), [(kind, kept[0]) for kind, kept in KEPT.items()])
def test_a_line_goes_to_the_file_of_its_kind(kind: str, name: str) -> None:
    now = after(EMPTY, [new("Ferrets guard the vault.", kind=kind)])
    assert set(now) == {INDEX, f"{name}.md"}
    assert now[f"{name}.md"].endswith("\n\n- Ferrets guard the vault. (2026-05-11)\n")
    assert f"\n  type: {kind}\n" in now[f"{name}.md"]


def test_a_note_about_the_same_thing_takes_the_line() -> None:
    text = STAGING.replace("same host\n", f"same host\n- {REPLICA} (2026-05-11)\n")
    assert after(NOTES, [new(REPLICA)]) == {**NOTES, "staging.md": text}


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (("type: project", "type: project\npinned: true"), "staging.md"),
        (("type: project", "type: reference"), "staging.md"),
        (("type: project", "type: project\n  moved_from: MEMORY.md"), "staging.md"),
        (("- it moved", "```\n- it moved"), "staging.md"),
        (("# Staging", "## 2026-05-01"), "staging.md"),
        (("", ""), "team/staging.md"),
        (("", ""), "2026-05-11.md"),
        (("- Redis", "- filler\n" * 3000 + "- Redis"), "staging.md"),
    ],
)
def test_a_note_that_is_no_place_for_it_stays_as_it_is(change: tuple[str, str], name: str) -> None:
    texts = {INDEX: f"# Memory\n\n- [Staging]({name})\n", name: STAGING.replace(*change)}
    now = after(texts, [new(REPLICA)])
    assert now[name] == texts[name]
    assert f"{REPLICA} (2026-05-11)\n" in now["project-facts.md"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("* Staging database: A\n* B\n", "* Staging database: A\n* B\n* LINE\n"),
        ("- staging database\n  A\n\n- B\n", "- staging database\n  A\n\n- B\n\n- LINE\n"),
        ("The staging database is old.", "The staging database is old.\n\n- LINE\n"),
        ("1. staging database\n2. b\n", "1. staging database\n2. b\n\n- LINE\n"),
        ("staging database\n\n- [A](notes.md)\n",
         "staging database\n\n- [A](notes.md)\n\n- LINE\n"),
        ("- [ ] staging database\n", "- [ ] staging database\n\n- LINE\n"),
        ("- a staging database\n## Done\n- x\n", "- a staging database\n- LINE\n## Done\n- x\n"),
        ("## Other\n- x\n\n## Staging database\n- b\n\n## Last\n- y\n",
         "## Other\n- x\n\n## Staging database\n- b\n- LINE\n\n## Last\n- y\n"),
        ("- staging database\r\n- b\r\n", "- staging database\r\n- b\r\n- LINE\r\n"),
        ("- staging database\n- b", "- staging database\n- b\n- LINE\n"),
    ],
)  # fmt: skip
def test_the_line_takes_the_style_of_its_list(body: str, expected: str) -> None:
    head = "---\nname: staging\ntype: project\n---\n\n"
    head = head.replace("\n", "\r\n") if "\r" in body else head
    texts = {INDEX: "- [Notes](notes.md)\n", "notes.md": head + body}
    now = after(texts, [new("The staging database has a replica.")])
    line = "The staging database has a replica. (2026-05-11)"
    assert now == {**texts, "notes.md": head + expected.replace("LINE", line)}


def test_what_stands_there_gets_evidence_and_is_not_written_twice() -> None:
    said = [new("The staging database listens on port 5432."), new("A new thing entirely.")]
    result = placed(NOTES, said)
    again = [why for why in result.whys if why.sign == "="]
    row = "- The staging database listens on port 5432"
    assert [(str(w.path), w.line, w.rule, w.day, w.speaker, w.session) for w in again] == [
        ("staging.md", row, SAVE, "2026-05-11", "person", "5e55")
    ]
    assert (again[0].quote, again[0].message) == (said[0].quote, said[0].said.message)
    assert counts(result) == {WRITTEN: 1, AGAIN: 1}
    assert result.memory.notes[PurePosixPath("staging.md")].text == STAGING


def test_a_new_line_has_its_reason_and_the_words_it_comes_from() -> None:
    result = placed(EMPTY, [order(PNPM, message="m1")])
    found = [why for why in result.whys if why.quote]
    assert [(w.path, w.line, w.sign, w.rule, w.quote, w.session, w.message) for w in found] == [
        (AGREEMENTS, PNPM_LINE, "+", "standing order", PNPM, "5e55", "m1")
    ]
    assert (found[0].day, found[0].speaker) == ("2026-05-11", "person")
    assert {why.rule for why in result.whys} == {"standing order", "gathering"}


@pytest.mark.parametrize("name", ["team/a.md", "logs/2026/05/01.md", "pinned.md", INDEX])
def test_what_may_only_be_read_counts_as_known(name: str) -> None:
    texts = {INDEX: "# M\n", name: f"---\npinned: true\n---\n\n{PNPM_LINE[:-13]}\n"}
    result = placed(texts, [order(PNPM)])
    assert [(str(why.path), why.sign) for why in result.whys] == [(name, "=")]
    assert AGREEMENTS not in result.memory.notes


def test_the_same_thing_said_on_three_days_is_one_line_with_its_first_day() -> None:
    result = placed(EMPTY, [order(PNPM, day=day) for day in (14, 11, 12)])
    lines = [(why.sign, why.day) for why in result.whys if why.line == PNPM_LINE]
    assert lines == [("+", "2026-05-11"), ("=", "2026-05-12"), ("=", "2026-05-14")]
    assert result.memory.notes[AGREEMENTS].text.count("pnpm") == 1


def test_a_relative_date_of_another_week_is_another_date() -> None:
    said = [new("The demo is next Friday.", day=day) for day in (4, 11, 11)]
    rows = after(EMPTY, said)["project-facts.md"].split("\n")
    demos = [row for row in rows if row.startswith("- ")]
    assert demos == [f"- The demo is next Friday (said 2026-05-{day})." for day in ("04", "11")]


def test_the_oldest_comes_first_and_what_has_no_time_last() -> None:
    said = [new(f"{name} came.", day=day) for name, day in (("D", None), ("B", 12), ("A", 11))]
    text = after(EMPTY, [*said, new("C came.", day=12)])["project-facts.md"]
    assert re.findall(r"^- (\w+)", text, re.MULTILINE) == ["A", "B", "C", "D"]


def test_a_name_the_user_has_taken_is_left_to_them() -> None:
    texts = {INDEX: "- [Mine](Working-Agreements.md)\n", "Working-Agreements.md": "# Mine\n\nx\n"}
    now = after(texts, [order(PNPM)])
    assert now["Working-Agreements.md"] == texts["Working-Agreements.md"]
    assert PNPM_LINE in now["working-agreements-2.md"]


def test_new_files_are_met_after_old_notes() -> None:
    texts = {INDEX: "# Memory\n\n- [B](b.md) — x\n", "b.md": "# B\n\ntext\n"}
    now = after(texts, [order(PNPM), new("The freeze starts in June.")])
    tree = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in now.items()})
    read = [str(path) for path in reading_order(tree)]
    assert read == [INDEX, "b.md", "working-agreements.md", "project-facts.md"]


def test_an_index_that_may_not_be_changed_gets_no_new_file() -> None:
    texts = {INDEX: "---\npinned: true\n---\n# Mine\n\n- [Staging](staging.md)\n",
             "staging.md": STAGING}  # fmt: skip
    result = placed(texts, [order(PNPM), new(REPLICA, day=12)])
    assert set(map(str, result.memory.notes)) == {"staging.md"}
    assert counts(result) == {WRITTEN: 1, LEFT: 1}


def test_a_dream_writes_as_much_as_a_person_reads_and_says_what_it_left() -> None:
    said = [order(f"Rule {n} holds for module m{n}.", day=1 + n // 24, hour=n % 24)
            for n in range(250)]  # fmt: skip
    result = placed(EMPTY, said)
    assert counts(result) == {WRITTEN: 200, LEFT: 50}
    taken = {why.message: "d1" for why in result.whys if why.message}
    texts = {str(path): note.text for path, note in result.memory.notes.items()}
    assert counts(placed(texts, said, heeded=Heeded(taken=taken))) == {WRITTEN: 50}


def test_what_a_dream_drew_on_or_the_user_took_back_does_not_come_again() -> None:
    refusals = Refusals()
    for heeded in (Heeded(taken={"m1": "d1"}), Heeded(declined={"m1": "d2"})):
        result = placed(EMPTY, [order(PNPM, message="m1")], heeded=heeded, refusals=refusals)
        assert (result.counts, result.whys) == ({}, ())
    assert refusals.cited == {"d2"}


@pytest.mark.parametrize("name", ["working-agreements.md", "elsewhere.md"])
def test_a_line_that_was_taken_back_is_not_written_anywhere(name: str) -> None:
    refusals = Refusals(Declined(added={(PurePosixPath(name), PNPM_LINE): "d2"}))
    said = order("Always use pnpm in the web folder, never npm", day=20)
    result = placed(EMPTY, [said], refusals=refusals)
    assert (result.counts, result.whys, refusals.cited) == ({}, (), {"d2"})


def test_after_an_undo_other_lines_go_to_a_file_of_their_own() -> None:
    first = placed(EMPTY, [order(PNPM)])
    declined = Declined(added={(why.path, why.line): "d1" for why in first.whys if why.line})
    now = after(EMPTY, [order("Never force-push to main.")], refusals=Refusals(declined))
    assert set(now) == {INDEX, "working-agreements-2.md"}
    assert "[Working agreements, part 2](working-agreements-2.md)" in now[INDEX]


def test_a_month_of_lines_over_many_notes_takes_a_moment() -> None:
    texts = {
        f"note-{n}.md": f"---\ntype: project\n---\n# Note {n}\n\n"
        + "".join(f"- fact {k} of note {n} about thing {k % 31}\n" for k in range(100))
        for n in range(199)
    }
    texts[INDEX] = "# M\n\n" + "".join(f"- [Note]({name}) — hook\n" for name in texts)
    said = [new(f"Thing {n} is kept beside item{n} of fact {n}.", day=1 + n // 24, hour=n % 24)
            for n in range(300)]  # fmt: skip
    with within(3):
        placed(texts, said)
