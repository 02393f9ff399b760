"""Values that people plainly replaced, and look-alikes that change nothing."""

# ruff: noqa: E501 - a row of a table is one line
from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.engine.said import dreamt, note, said, texts


@pytest.mark.parametrize(
    ("line", "message", "after"),
    [
        (
            "- The kiln queue allows 60 jobs a day. (2026-03-02)",
            "the kiln queue went from 60 to 90 jobs, nice",
            "- The kiln queue allows 90 jobs a day. (2026-05-11; previously 60, 2026-03-02)",
        ),
        (
            "- **Upload limit**: 25 MB",
            "upload limit: 40 MB. nginx is done already",
            "- **Upload limit**: 40 MB (2026-05-11; previously 25 MB)",
        ),
        (
            "- The default branch is called `trunk`.",
            "the default branch was renamed from `trunk` to `main`",
            "- The default branch is called `main`. (2026-05-11; previously trunk)",
        ),
        (
            "- Standup is at 09:15.",
            "standup moved to 10:00, so run the smoke test later",
            "- Standup is at 10:00. (2026-05-11; previously 09:15)",
        ),
        (
            "- Raw scans are under /scratch/scans.",
            "raw scans now live in /data/scans",
            "- Raw scans are under /data/scans. (2026-05-11; previously /scratch/scans)",
        ),
        (
            "- Docs are built with Sphinx.",
            "We gave up on Sphinx, the docs are built with MkDocs.",
            (
                "- We gave up on Sphinx, the docs are built with MkDocs. "
                "(2026-05-11; previously: Docs are built with Sphinx)"
            ),
        ),
    ],
)
def test_what_a_person_replaced_is_replaced(line: str, message: str, after: str) -> None:
    result = texts(dreamt(note("- The kiln is new.", line), message))["shop.md"]
    assert after in result.splitlines()
    assert line not in result.splitlines()
    assert "- The kiln is new." in result.splitlines()


@pytest.mark.parametrize(
    ("line", "message", "after"),
    [
        ("- The kiln is checked at 07:00.", "we moved the check of the kiln to half past eight", "- The kiln is checked at half past eight. (2026-05-11; previously 07:00)"),
        ("- Photos are at most 3 MB.", "photos may have 800 KB from this release on", "- Photos are at most 800 KB. (2026-05-11; previously 3 MB)"),
        ("- glaze_limit = 40", "Glazes: we're at a limit of sixty-four since the new shelf", "- glaze_limit = sixty-four (2026-05-11; previously 40)"),
        ("- Mugs are packed in boxes of 12.", "12 is too heavy to lift, mugs are packed in boxes of 8", "- Mugs are packed in boxes of 8. (2026-05-11; previously 12)"),
        ("- Exports are prefixed with `exp_`.", "it's `out_`, not `exp_`", "- Exports are prefixed with `out_`. (2026-05-11; previously exp_)"),
        ("- Parcels go through Nordpost.", "Ostpost took the place of Nordpost", "- Parcels go through Ostpost. (2026-05-11; previously Nordpost)"),
    ],
)  # fmt: skip
def test_values_in_words_and_units_and_what_is_over_are_read(
    line: str, message: str, after: str
) -> None:
    assert after in texts(dreamt(note(line), message))["shop.md"].splitlines()


@pytest.mark.parametrize(
    ("line", "answer", "message", "after"),
    [
        ("- Kiln timeout: 10 s", "I kept the timeout at 10 s.", "that should be 25 seconds by now, the sensor got slow", "- Kiln timeout: 25 seconds (2026-05-11; previously 10 s)"),
        ("- The lamp is on pin LM2.", "The lamp on LM2 stays dark.", "my mistake, Ana swapped it last spring: LM7", "- The lamp is on pin LM7. (2026-05-11; previously LM2)"),
        ("- Shelf size: 8 mugs", "I drew a shelf for 8 mugs.", "we're at twelve now", "- Shelf size: twelve mugs (2026-05-11; previously 8)"),
    ],
)  # fmt: skip
def test_an_answer_that_corrects_the_assistant_replaces_what_it_named(
    line: str, answer: str, message: str, after: str
) -> None:
    notes = note("- The kiln is new.", line)
    assert texts(dreamt(notes, message)) == notes, "nothing tells what is corrected"
    told = replace(said(message), before=answer)
    assert after in texts(dreamt(notes, told))["shop.md"].splitlines()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("I kept the timeout at 10 s.", "make that 25 s for this run"),
        ("I kept the timeout at 10 s.", "try 25 s, just to see if it helps"),
        ("I kept the timeout at 10 s.", "the label printer waits 25 s, leave ours"),
        ("I kept the timeout at 10 s.", "could it be 25 s?"),
        ("I raised the timeout to 25 s.", "right, it is 25 s for the demo"),
    ],
)
def test_an_answer_that_corrects_nothing_changes_nothing(answer: str, message: str) -> None:
    notes = note("- Kiln timeout: 10 s")
    assert texts(dreamt(notes, replace(said(message), before=answer))) == notes


def test_a_cell_of_a_table_keeps_its_row() -> None:
    rows = ("| service | port |", "| --- | --- |", "| orders | 8101 |", "| labels | 8102 |")
    result = texts(dreamt(note(*rows), "orders now listens on 8111"))["shop.md"]
    assert "| orders | 8111 (previously 8101) |" in result.splitlines()
    assert "| labels | 8102 |" in result.splitlines()


def test_every_copy_is_treated_alike() -> None:
    notes = note("- Nordpost allows 60 requests a minute.")
    notes["MEMORY.md"] = "# Memory\n\n- [Shop](shop.md) — Nordpost: 60 requests a minute\n"
    result = texts(dreamt(notes, "Nordpost allows 120 requests a minute now instead of 60."))
    assert "- [Shop](shop.md) — Nordpost: 120 requests a minute" in result["MEMORY.md"]
    assert "- Nordpost allows 120 requests a minute." in result["shop.md"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- Standup is at 09:15.", "could we move standup to 10:00?"),
        (
            '- Hates being told that it "should work"; show the output.',
            "The two keys do not work with Nordpost, only the refresh button makes it go away.",
        ),
        ("- Standup is at 09:15.", "tomorrow standup is at 10:00, dentist"),
        ("- Standup is at 09:15.", "if standup moved to 10:00, would that help?"),
        ("- Standup is at 09:15.", "Ana says that standup is at 10:00 now"),
        ("- Standup is at 09:15.", "we did not move standup to 10:00"),
        ("- Standup is at 09:15.", "back then standup was at 10:00"),
        ("- Standup is at 09:15.", "standup will move to 10:00 next year"),
        ("- Standup is at 09:15.", 'the old wiki: "standup is now at 10:00"'),
        ("- The rate limit of the API is 60 requests.", "the rate limit of the test client is 30 requests now"),
        ("- Feature branches start from develop.", "branch off main this time instead of develop"),
        ("- The kiln holds 90 mugs.", "the last firing took 41 mugs"),
        ("- Backups are kept 30 days.", "keep the backup of this pod for 60 days"),
        ("- Docs are built with Sphinx.", "we gave up on Sphinx for the blog, it uses Hugo"),
        ("- Pages are cached for 5 minutes.", "sure, pages are cached for 20 minutes now, great plan"),
        ("- Our supplier's crate holds 20 mugs.", "our crate holds 12 mugs now"),
        ("- In the cellar the lamp uses 9 watts.", "the lamp uses 12 watts now"),
        ("- The lamp uses 9 watts.", "In the cellar the lamp uses 12 watts now"),
        ("- The first shelf of the kiln holds 30 mugs.", "the kiln holds 90 mugs now"),
        ("- Goal: 30 mugs a day", "we make 25 mugs a day now"),
        ("- The van to Oslo costs 64 euros.", "the van to Bergen costs 81 euros now"),
        ("- The shop has 6 people.", "The bakery has 9 people now."),
        ("- Pages show 25 mugs.", "this page has 50 mugs in all"),
        ("- Our kiln shift is 9 hours long.", "Over the Easter week the kiln shifts are 4 hours long."),
        ("- The limit is 100 mugs.", "The limit was raised to 500 mugs. Just kidding."),
        ("- Docs are built with Sphinx.", "nobody has ditched Sphinx, that was a joke"),
    ],
)  # fmt: skip
def test_a_look_alike_changes_nothing(line: str, message: str) -> None:
    notes = note("- The kiln is new.", line)
    assert texts(dreamt(notes, message))["shop.md"] == notes["shop.md"]


def test_a_message_from_before_the_line_changes_nothing() -> None:
    notes = note("- Pages are cached for 5 minutes. (2026-05-12)")
    assert texts(dreamt(notes, "pages are cached for 20 minutes now")) == notes
    undated = note("- Pages are cached for 5 minutes.")
    late = datetime(2026, 5, 20, tzinfo=UTC)
    assert texts(dreamt(undated, "pages are cached for 20 minutes now", written=late)) == undated


def test_a_daily_note_and_a_dated_section_are_history() -> None:
    notes = note("### 2026-03-02 first day", "- Pages are cached for 5 minutes.")
    notes["2026-03-02.md"] = "# Log\n\n- Pages are cached for 5 minutes.\n"
    result = texts(dreamt(notes, "pages are cached for 20 minutes now instead of 5"))
    assert result["shop.md"] == notes["shop.md"]
    assert result.get("2026-03-02.md", notes["2026-03-02.md"]) == notes["2026-03-02.md"]


def test_of_two_lines_that_fit_neither_is_changed_and_both_are_listed() -> None:
    notes = note("- The orders worker has 4 replicas.", "- The labels worker has 6 replicas.")
    result = dreamt(notes, "the worker has 8 replicas now")
    assert texts(result) == notes
    assert {each.line for each in result.suspected} == set(notes["shop.md"].splitlines()[7:])


def test_a_second_dream_changes_nothing_more() -> None:
    notes = note("- Standup is at 09:15.")
    once = texts(dreamt(notes, "standup moved to 10:00"))
    assert texts(dreamt(once, said("standup moved to 10:00"))) == once


def test_dated_notes_that_contradict_each_other_keep_the_newer_value() -> None:
    lines = (
        "- 2026-03-30: the flashing tool is OpenOCD.",
        "- 2026-09-09: the flashing tool is probe-rs.",
        "- Since 2026-01-12 the rota begins on Monday.",
        "- Since 2026-03-12 the standup begins on Friday.",
    )
    result = texts(dreamt(note(*lines)))["shop.md"].splitlines()
    assert lines[1] in result
    assert lines[2] in result
    assert lines[3] in result
    assert lines[0] not in result
    assert any(row.startswith("- Previously: 2026-03-30") and "probe-rs" in row for row in result)
