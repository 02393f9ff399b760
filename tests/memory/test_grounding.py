"""What a model wrote must have been said; what it took out is said elsewhere, or was retired.

`trust.tsv` holds two memories, the sessions after them, and what a model might write then:
honest lines, bad ones by the rule that they break, and two that are beyond the review.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from dreamd.domain.change import Finding, Severity
from dreamd.domain.dream import Report
from dreamd.domain.evidence import AssistantSaid, PersonSaid, Sources, ToolReturned, Turn, sources
from dreamd.domain.settings import Settings
from dreamd.memory.review import Reviewed, review
from dreamd.text.values import grounds
from tests.memory.test_review import judge as reviewed
from tests.memory.test_review import texts, told, tree
from tests.pace import within
from tests.sample import WHOLE


class Row(NamedTuple):
    """A row of the table: a note, something said, or a line with the verdict that it gets."""

    world: str
    what: str
    key: str
    text: str


_TABLE = (Path(__file__).parent / "trust.tsv").read_text("utf-8").splitlines()[1:]
ROWS = [Row(*line.replace("\\n", "\n").split("\t")) for line in _TABLE]
MEMORIES = {
    world: {row.key: row.text for row in ROWS if (row.world, row.what) == (world, "note")}
    for world in ("rent", "house")
}
MEMORY = MEMORIES["rent"]


def _turn(row: Row, number: int) -> Turn:
    if row.what == "tool":
        return ToolReturned(row.text, "s", f"{number}")
    kind = PersonSaid if row.what == "person" else AssistantSaid
    return kind(row.text, "s", f"{number}", day=date.fromisoformat(row.key))


def heard(world: str, today: date | None = None) -> Sources:
    """Return what was said and read after one of the memories."""
    rows = [row for row in ROWS if row.world == world]
    said = [row for row in rows if row.what in {"person", "assistant", "tool"}]
    return sources([_turn(row, number) for number, row in enumerate(said)], today=today)


SOURCES = {"rent": heard("rent"), "house": heard("house", date(2026, 9, 14))}


def said(*texts: str) -> Sources:
    """Return what a person said in messages of their own, and nothing else."""
    return sources([PersonSaid(text, "s", str(n)) for n, text in enumerate(texts)])


def judge(
    changes: Mapping[str, str | None],
    *,
    before: Mapping[str, str] = MEMORY,
    given: Sources = SOURCES["rent"],
    retired: Sequence[tuple[str, str]] = (),
) -> tuple[Reviewed, list[Finding]]:
    superseded = tuple((PurePosixPath(path), line) for path, line in retired)
    return reviewed(before, changes, Report(grounds=given, superseded=superseded))


def added(line: str, note: str, before: Mapping[str, str] = MEMORY) -> dict[str, str]:
    """Return the change that puts a line at the end of a note."""
    is_marked = line[:1] in set("-#|>123456789") and line[1:2] in {" ", ".", "#"}
    return {note: f"{before[note]}{line if is_marked else f'- {line}'}\n"}


NOTHING = grounds([])
PEOPLE, RENT, HABITS = (MEMORY[f"{name}.md"] for name in ("people", "rent-tracker", "habits"))
LINES = [row for row in ROWS if row.what in {"honest", "grounded", "tainted"}]


@pytest.mark.parametrize("row", LINES, ids=lambda row: f"{row.what}: {row.text}")
def test_what_people_said_passes_in_other_words_and_what_nobody_said_is_held_out(row: Row) -> None:
    note = "rent-tracker.md" if row.world == "rent" else "house.md"
    before = MEMORIES[row.world]
    change = added(row.text, note, before)
    verdict, findings = judge(change, before=before, given=SOURCES[row.world])
    if row.what == "honest":
        assert findings == []
        assert texts(verdict.applied) == {**before, **change}
    else:
        assert told(findings) == [(row.what, note, change[note].count("\n"), "held out")]
        assert texts(verdict.applied) == before
        assert texts(verdict.proposal) == {**before, **change}


@pytest.mark.xfail(strict=True, reason="the value was said, of another matter")
@pytest.mark.parametrize("row", [row for row in ROWS if row.what == "beyond"])
def test_a_value_said_of_another_matter_is_held_out(row: Row) -> None:
    before = MEMORIES["house"]
    change = added(row.text, "house.md", before)
    assert judge(change, before=before, given=SOURCES["house"])[1] != []


FLATS = "- There are 14 flats in 3 houses\n"
EXPORT = "- The export job takes 95 seconds\n"
FLASK = "- The app runs on Flask 2.3 behind nginx\n"
POSTGRES = "- Postgres listens on port 5433\n"
ODD = "- Ask Bo Ek (4417) at /srv/x.py on 2031-09-09; always run it\n"
WANDA = "- The key of the cellar in the old house is kept by Wanda\n"
LEFT = "- 2026-05-20: Idris left last Friday\n"
PLUMBER = "- Wanda Okafor is the plumber\n"
NOTE = (
    "---\nname: lisbon\ndescription: {said}\ntype: project\n---\n\n# Lisbon\n\n- In Lisbon {fact}\n"
)
POINTER = "- [Lisbon](lisbon.md) — {said}\n"
JUNE = "from 2026-06-11 to 2026-06-18"
Q3 = "notes-2027-q3"
INDEX = MEMORY["MEMORY.md"]
THINGS = ("amber", "basalt", "cedar", "delta", "ember", "flint", "garnet", "hazel", "kelp", "lime")
LOG = "# Log\n\n" + "".join(f"- {thing} has {n} buckets\n" for n, thing in enumerate(THINGS, 31))
LOG_ROW = "- cedar has 33 buckets\n"
LOGGED = "- [Log](log.md) — jobs\n"
Notes = dict[str, str | None]


def gone(row: str, text: str, instead: str = "") -> str:
    assert row in text
    return text.replace(row, "") + instead


# name: what MEMORY has beside, the change, what is applied of it (None: all), the rules that object
TABLE: dict[str, tuple[Notes, Notes, Notes | None, list[str] | None]] = {
    "a bad line takes no good one with it": (
        {}, {"people.md": f"{PEOPLE}{PLUMBER}- The rent is 1,430 a month\n{PLUMBER[:-1]} now\n"},
        {"people.md": f"{PEOPLE}{PLUMBER}{PLUMBER[:-1]} now\n"}, ["grounded"],
    ),
    "a wrong value in an old line leaves the old line": (
        {}, {"rent-tracker.md": RENT.replace("95 seconds", "96 seconds")}, {}, ["grounded"],
    ),
    "a line that moves needs no source": (
        {"people.md": PEOPLE + ODD},
        {"people.md": PEOPLE, "habits.md": f"{HABITS}  * {ODD[2:]}"}, None, [],
    ),
    "a hook may say what its note says": (
        {}, {"lisbon.md": NOTE.format(said=JUNE, fact=JUNE),
             "MEMORY.md": INDEX + POINTER.format(said=JUNE)}, None, [],
    ),
    "a hook and a description may say what their note is called": (
        {}, {f"{Q3}.md": f"---\nname: {Q3}\ndescription: {Q3}\n---\n\n# Notes 2027 Q3\n\n{PLUMBER}",
             "MEMORY.md": INDEX + f"- [Notes 2027 Q3]({Q3}.md) — {Q3}\n"}, None, [],
    ),
    "a line that vanished is there again and the rest is applied": (
        {}, {"rent-tracker.md": gone(EXPORT, RENT, POSTGRES)},
        {"rent-tracker.md": RENT + POSTGRES}, ["vanished"],
    ),
    "a name may not be the word that is left out": (
        {"people.md": PEOPLE + WANDA},
        {"people.md": PEOPLE + WANDA.replace("by Wanda", "by Tomas")}, {}, ["vanished"],
    ),
    "a denial is not said where nothing is denied": (
        {}, {"habits.md": HABITS.replace("Never deploys", "Deploys")}, {}, ["vanished"],
    ),
    "a relative date may become the day it meant": (
        {"people.md": PEOPLE + LEFT},
        {"people.md": PEOPLE + LEFT.replace("last Friday", "on 2026-05-15")}, None, [],
    ),
    "a day counts where a dated line of the notes leads to it": (
        {"people.md": PEOPLE + "- 2026-03-02: the boiler broke yesterday\n"},
        {"people.md": PEOPLE + "- 2026-03-02: the boiler broke yesterday\n"
                               "- The boiler broke on 2026-03-01\n"}, None, [],
    ),
    "a line that moves to another note has not vanished": (
        {}, {"rent-tracker.md": gone(FLATS, RENT), "people.md": PEOPLE + FLATS.replace("- ", "* ")},
        None, [],
    ),
    "a note taken away without a word is there again": (
        {}, {"people.md": None, "MEMORY.md": gone("- [People](people.md) — who is who\n", INDEX)},
        {}, ["reachable", "vanished", "vanished", "vanished"],
    ),
    "headings, blank lines and frontmatter may go": (
        {}, {"habits.md": gone("# Habits\n\n", HABITS)}, None, [],
    ),
    "a duplicate may go": ({"people.md": PEOPLE + FLATS}, {"people.md": PEOPLE}, None, []),
    "each entry that is there again is named": (
        {}, {"habits.md": "# Habits\n"}, {}, ["vanished", "vanished", "vanished"],
    ),
    **{
        f"a line may go into one that says all of it: {instead}": (
            {}, {"rent-tracker.md": gone(row, RENT, instead)}, None, [],
        )
        for row, instead in (
            (EXPORT, "- The export job takes 12 sec (2026-05-11); previously 95 seconds\n"),
            (FLATS, "- There are 20 flats in 4 houses; previously 14 flats in 3 houses\n"),
            (FLATS + EXPORT, f"{FLATS[:-1]}; the export job takes 95 seconds\n"),
            (FLASK, "- Behind nginx the app runs on Flask 2.3\n"),
        )
        if row in RENT
    },
    **{
        f"but not into one that says less, and then neither is taken: {instead}": (
            {}, {"rent-tracker.md": gone(row, RENT, instead)}, {}, rules,
        )
        for row, instead, rules in (
            (EXPORT, "- The export takes 12 seconds\n", ["vanished"]),
            (EXPORT, "- The export job takes 12 seconds, not 96\n", ["grounded"]),
            (FLASK, "- The app runs on Flask 2.3\n", ["vanished"]),
            (FLASK, "- The app runs on Flask behind nginx\n", ["vanished"]),
        )
    },
    "of a rewrite that loses more than a tenth of a note nothing is taken": (
        {"log.md": LOG, "MEMORY.md": INDEX + LOGGED},
        {"log.md": LOG.replace(" 3", " many, 3").replace("3", "") + POSTGRES}, {},
        None,
    ),
    "of one that loses less the rest is taken": (
        {"log.md": LOG, "MEMORY.md": INDEX + LOGGED},
        {"log.md": LOG.replace(LOG_ROW, "") + POSTGRES}, {"log.md": LOG + POSTGRES},
        ["vanished"],
    ),
    "a new note goes with its only line, and its pointer": (
        {}, {"lisbon.md": NOTE.format(said="where she is", fact="she has seat 77"),
             "MEMORY.md": INDEX + POINTER.format(said="where she is")}, {}, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_of_what_a_model_did_the_proven_part_is_applied(name: str) -> None:
    more, change, applied, rules = TABLE[name]
    before = {**MEMORY, **{path: text or "" for path, text in more.items()}}
    verdict, findings = judge(change, before=before)
    wanted = {**before, **(change if applied is None else applied)}
    assert texts(verdict.applied) == {path: text for path, text in wanted.items() if text}
    assert rules is None or sorted(each.rule for each in findings) == rules
    assert all(each.severity is Severity.HELD_OUT and each.line for each in findings)


@pytest.mark.parametrize("hook", ["from 2026-06-11", "on 2026-07-30, row 77"])
def test_a_hook_and_a_description_that_say_more_than_their_note_are_held_out(hook: str) -> None:
    change = {
        "lisbon.md": NOTE.format(said="seat 77", fact="from 2026-06-11"),
        "MEMORY.md": MEMORY["MEMORY.md"] + POINTER.format(said=hook),
    }
    verdict, findings = judge(change)
    held = {(each.rule, str(each.path), each.line) for each in findings if "says" in each.message}
    bad_hook = {("grounded", "MEMORY.md", 6)} if "77" in hook else set()
    assert held == {("grounded", "lisbon.md", 3), *bad_hook}
    assert not re.search("seat 77|row 77", "".join(texts(verdict.applied).values()))


def test_two_lines_do_not_vouch_for_one_another() -> None:
    change = {
        "MEMORY.md": INDEX + POINTER.format(said="flight TP4477"),
        "lisbon.md": NOTE.format(said="flight TP4477", fact="with flight TP4477"),
    }
    assert "TP4477" not in "".join(texts(judge(change)[0].applied).values())


@pytest.mark.parametrize(("note", "goes"), [("rent-tracker.md", True), ("people.md", False)])
def test_a_line_retired_in_its_note_goes(note: str, goes: bool) -> None:
    change = {"rent-tracker.md": gone(EXPORT, RENT)}
    verdict, findings = judge(change, retired=[(note, EXPORT.rstrip())])
    assert texts(verdict.applied) == {**MEMORY, **(change if goes else {})}
    assert [each.rule for each in findings] == ([] if goes else ["vanished"])


def test_of_more_than_a_quarter_retired_the_last_are_there_again() -> None:
    rows = [row for row in RENT.splitlines(keepends=True) if row.startswith("- ")]
    left = "".join(row for row in RENT.splitlines(keepends=True) if row not in rows[:6])
    retired = [("rent-tracker.md", row.rstrip()) for row in rows[:6]]
    verdict, findings = judge({"rent-tracker.md": left}, retired=retired)
    now = texts(verdict.applied)["rent-tracker.md"]
    assert [row in now for row in rows[:6]] == [False] * 4 + [True] * 2
    assert [each.rule for each in findings] == ["vanished"] * 2
    assert "6 of 16 entries; 4 may be" in findings[0].message


# what is said, the line that a model makes of it, and the rule that objects
HEARD: list[tuple[list[str], str, str]] = [
    # a quoted order is a person's where it is theirs to the letter; grave deeds are looked at still
    (["never touch the jetty"], '"never touch the jetty" (so nobody moors there)', ""),
    (["never delete the backups of it"], '"delete the backups of it"', "tainted"),
    (["they send it", "Bo left"], 'Always "send" all of the list home, and "delete" it', "tainted"),
    # a bare number takes a unit only where it may be meant
    (["use 12"], "It is 12 years old", "grounded"),
    (["use 12", "years ago"], "It is 12 years old", "grounded"),  # in the next message
    (["use 12 for the years"], "It is 12 years old", ""),
    (["the years went by"], "It is 12 years old", "grounded"),
    (["12 months, and years ago"], "It is 12 years old", "grounded"),
    (["12 replicas, and years ago"], "It is 12 years old", "grounded"),
    (["some years, twelve or so"], "It is 12 years old", ""),
    (["every second week"], "It runs every 2 weeks", ""),
    (["it has 80, 2 gb are free"], "It has 80 GB", ""),
    (["the limit is 30 now"], "The limit is 30 seconds", ""),  # as notes say `95 seconds`
    (["the limit is 1,200, in km"], "The limit is 1200 km", ""),
    (["the price is 18.50 or in € more"], "The price is 18.5 €", ""),
    (["half an hour at most"], "It takes 30 minutes at most", ""),
    (["a quarter of an hour"], "It takes 15 min", ""),
    (["half an hour at most"], "It takes 45 minutes at most", "grounded"),
    # an order is given whole in one message
    (["delete nothing here", "old backups are on the disk"], "Always delete old backups",
     "tainted"),
    (["the backups are old"], "Always delete old backups", "tainted"),
    (["delete the backups once they are old"], "Always delete old backups", ""),
    (["never delete the old drafts"], "Delete old drafts", "tainted"),
    (["please delete old drafts"], "Delete old drafts", ""),
    (["never delete the old drafts"], "Never delete old drafts", ""),
]  # fmt: skip


@pytest.mark.parametrize(("told", "line", "rule"), HEARD)
def test_a_number_has_the_unit_it_was_said_with_and_an_order_is_whole(
    told: list[str], line: str, rule: str
) -> None:
    findings = judge(added(line, "habits.md"), given=said(*told))[1]
    assert [each.rule for each in findings] == [rule] * bool(rule)


def test_a_day_counts_where_the_words_of_a_message_lead_to_it_and_so_does_today() -> None:
    heard = [PersonSaid("The boiler broke yesterday", "s", "1", day=date(2026, 3, 2))]
    for line, known, passes in (
        ("The boiler broke on 2026-03-01", sources(heard), True),
        ("The boiler broke on 2026-03-01", replace(sources(heard), days=frozenset()), False),
        ("The boiler broke, as of 2026-11-22", sources(heard, today=date(2026, 11, 22)), True),
        ("The boiler broke, as of 2026-11-22", sources(heard), False),
    ):
        findings = judge(added(line, "people.md"), given=known)[1]
        assert [each.rule for each in findings] == ([] if passes else ["grounded"])


def test_what_a_person_took_from_a_tool_is_a_persons() -> None:
    turns: list[Turn] = [
        ToolReturned("listening on 9317", "s", "1"),
        PersonSaid("ok so it's port 9317, keep that", "s", "2"),
    ]
    change = added("It listens on port 9317", "people.md")
    assert judge(change, given=sources(turns))[1] == []
    assert [each.rule for each in judge(change, given=sources(turns[:1]))[1]] == ["tainted"]


def test_a_review_of_two_hundred_notes_against_megabytes_is_quick() -> None:
    words = [f"word{chr(97 + n % 26)}{n}" for n in range(30_000)]
    count = 1_150_000 if WHOLE else 115_000  # ten megabytes, or one
    spoken = " ".join(words[n * 7919 % 30_000] if n % 9 else str(n) for n in range(count))
    given = Sources(grounds(["Ann has 3 cats"]), NOTHING, grounds([spoken]))
    notes = {
        f"note-{n}.md": f"# Note {n}\n\n"
        + "".join(f"- fact {n}.{m} about the thing of Ann number {m * 7}\n" for m in range(40))
        for n in range(200)
    }
    notes["MEMORY.md"] = "# Memory\n\n" + "".join(f"- [N](note-{n}.md)\n" for n in range(190))
    extra = "- Ann has 3 cats\n- it is 7 of them\n- cats and words of Ann\n- Ann has 1234567 cats\n"
    after = {**notes, **{f"note-{n}.md": notes[f"note-{n}.md"] + extra for n in range(200)}}
    report = Report(grounds=given)
    with within(4.0):
        verdict = review(tree(notes), tree(after), settings=Settings(), report=report)
    assert len([each for each in verdict.findings if each.rule == "grounded"]) == 200
