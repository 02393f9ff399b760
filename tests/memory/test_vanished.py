"""What a model took out without a word stands again; what it retired goes, a few lines at most."""

from __future__ import annotations

import pytest

from dreamd.domain.finding import Severity
from tests.memory.edits import MEMORY
from tests.memory.test_review import texts, told
from tests.memory.trusted import judge

RENT = MEMORY["rent-tracker.md"]
FLATS = "- There are 14 flats in 3 houses\n"
EXPORT = "- The export job takes 95 seconds\n"
FLASK = "- The app runs on Flask 2.3 behind nginx\n"
ENTRIES = 16  # of all notes: 3 + 7 + 3 + 3


def line_of(row: str, text: str = RENT) -> int:
    return text[: text.index(row)].count("\n") + 1


def test_a_line_that_vanished_stands_at_its_place_again_and_the_rest_is_applied() -> None:
    good = "- Postgres listens on port 5433\n"
    verdict, findings = judge({"rent-tracker.md": RENT.replace(EXPORT, "") + good})
    assert texts(verdict.applied)["rent-tracker.md"] == RENT + good
    assert texts(verdict.proposal)["rent-tracker.md"] == RENT.replace(EXPORT, "") + good
    assert told(findings) == [("vanished", "rent-tracker.md", line_of(EXPORT), "held out")]


def test_a_retired_line_goes() -> None:
    change = {"rent-tracker.md": RENT.replace(EXPORT, "")}
    verdict, findings = judge(change, retired=[("rent-tracker.md", EXPORT.rstrip())])
    assert texts(verdict.applied) == {**MEMORY, **change}
    assert findings == []


def test_a_line_retired_in_another_note_is_not_retired_here() -> None:
    verdict, findings = judge(
        {"rent-tracker.md": RENT.replace(EXPORT, "")}, retired=[("people.md", EXPORT.rstrip())]
    )
    assert texts(verdict.applied) == MEMORY
    assert [each.rule for each in findings] == ["vanished"]


def test_of_more_than_a_quarter_retired_the_last_stand_again() -> None:
    rows = [row for row in RENT.splitlines(keepends=True) if row.startswith("- ")]
    left = RENT
    for row in rows[:6]:
        left = left.replace(row, "")
    retired = [("rent-tracker.md", row.rstrip()) for row in rows[:6]]
    verdict, findings = judge({"rent-tracker.md": left}, retired=retired)
    assert ENTRIES // 4 == 4
    for number, row in enumerate(rows):
        assert (row in texts(verdict.applied)["rent-tracker.md"]) is (number >= 4), row
    assert {(each.rule, each.line) for each in findings} == {
        ("vanished", line_of(row)) for row in rows[4:6]
    }
    assert "6 of 16 entries; 4 may be" in findings[0].message


@pytest.mark.parametrize(
    ("gone", "instead", "stands"),
    [
        (EXPORT, "- The export job takes 12 sec (2026-05-11); previously 95 seconds\n", False),
        (EXPORT, "- The export takes 12 seconds\n", True),
        (EXPORT, "- The export job takes 12 seconds, not 96\n", True),
        (FLATS, "- There are 20 flats in 4 houses; previously 14 flats in 3 houses\n", False),
        (FLATS + EXPORT, f"{FLATS[:-1]}; the export job takes 95 seconds\n", False),
        (FLASK, "- Behind nginx the app runs on Flask 2.3\n", False),
        (FLASK, "- The app runs on Flask 2.3\n", True),
        (FLASK, "- The app runs on Flask behind nginx\n", True),
    ],
)
def test_a_line_may_go_into_one_that_says_all_of_it(gone: str, instead: str, stands: bool) -> None:
    left = RENT.replace(FLATS, "").replace(EXPORT, "") if gone == FLATS + EXPORT else RENT
    change = {"rent-tracker.md": left.replace(gone, "") + instead}
    verdict, _ = judge(change)
    now = texts(verdict.applied)["rent-tracker.md"]
    assert all((row in now) is stands for row in gone.splitlines(keepends=True))


def test_a_name_may_not_be_the_word_that_is_left_out() -> None:
    line = "- The key of the cellar in the old house is kept by Wanda\n"
    before = {**MEMORY, "people.md": MEMORY["people.md"] + line}
    change = {"people.md": before["people.md"].replace("by Wanda", "by Tomas")}
    verdict, findings = judge(change, before=before)
    assert line in texts(verdict.applied)["people.md"]
    assert [each.rule for each in findings] == ["vanished"]


def test_a_denial_does_not_stand_where_nothing_is_denied() -> None:
    change = {"habits.md": MEMORY["habits.md"].replace("Never deploys", "Deploys")}
    verdict, _ = judge(change)
    assert "- Never deploys on Fridays\n" in texts(verdict.applied)["habits.md"]


def test_a_relative_date_may_become_the_day_it_meant() -> None:
    line = "- 2026-05-20: Idris left last Friday\n"
    before = {**MEMORY, "people.md": MEMORY["people.md"] + line}
    change = {
        "people.md": before["people.md"].replace("last Friday", "on 2026-05-15"),
    }
    verdict, findings = judge(change, before=before)
    assert texts(verdict.applied) == {**before, **change}
    assert findings == []


def test_a_line_that_moves_to_another_note_has_not_vanished() -> None:
    change = {
        "rent-tracker.md": RENT.replace(FLATS, ""),
        "people.md": MEMORY["people.md"] + FLATS.replace("- ", "* "),
    }
    verdict, findings = judge(change)
    assert texts(verdict.applied) == {**MEMORY, **change}
    assert findings == []


def test_a_note_taken_away_without_a_word_stands_again() -> None:
    index = MEMORY["MEMORY.md"].replace("- [People](people.md) — who is who\n", "")
    verdict, findings = judge({"people.md": None, "MEMORY.md": index})
    assert texts(verdict.applied) == MEMORY
    assert "vanished" in {each.rule for each in findings}


def test_headings_blank_lines_and_frontmatter_may_go() -> None:
    change = {"habits.md": MEMORY["habits.md"].replace("# Habits\n\n", "")}
    verdict, findings = judge(change)
    assert texts(verdict.applied) == {**MEMORY, **change}
    assert findings == []


def test_a_duplicate_may_go() -> None:
    before = {**MEMORY, "people.md": MEMORY["people.md"] + FLATS}
    verdict, findings = judge({"people.md": MEMORY["people.md"]}, before=before)
    assert texts(verdict.applied) == MEMORY
    assert findings == []


def test_what_is_put_back_is_said_and_never_mended_in_silence() -> None:
    _, findings = judge({"habits.md": "# Habits\n"})
    assert [(each.rule, each.line, each.severity) for each in findings] == [
        ("vanished", number, Severity.HELD_OUT) for number in (3, 4, 5)
    ]
