"""What a model wrote must have been said: honest lines pass, bad ones are held out."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dreamd.domain.dream import Report
from dreamd.domain.evidence import PersonSaid, Sources, ToolReturned, Turn, sources
from dreamd.domain.finding import Severity
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Tree
from dreamd.memory.review import RULES, review
from dreamd.text.values import Grounds, found, grounds, meant
from tests.memory.edits import BAD, HONEST, MEMORY
from tests.memory.test_review import contents, dreams, texts, told, tree
from tests.memory.trusted import added, judge, values
from tests.pace import within
from tests.sample import WHOLE, examples

NOTHING = grounds([])


@pytest.mark.parametrize("line", HONEST)
def test_what_people_said_passes_in_other_words(line: str) -> None:
    change = added(line)
    verdict, findings = judge(change)
    assert findings == []
    assert texts(verdict.applied) == {**MEMORY, **change}


@pytest.mark.parametrize(("line", "rule"), BAD)
def test_what_nobody_said_is_held_out(line: str, rule: str) -> None:
    change = added(line)
    verdict, findings = judge(change)
    number = change["rent-tracker.md"].count("\n")
    assert told(findings) == [(rule, "rent-tracker.md", number, "held out")]
    assert texts(verdict.applied) == MEMORY
    assert texts(verdict.proposal) == {**MEMORY, **change}


def test_a_bad_line_takes_no_good_one_with_it() -> None:
    good, bad = "- Wanda Okafor is the plumber\n", "- The rent is 1,430 a month\n"
    verdict, findings = judge(
        {"people.md": MEMORY["people.md"] + good + bad + good[:-1] + " now\n"}
    )
    assert texts(verdict.applied)["people.md"] == MEMORY["people.md"] + good + good[:-1] + " now\n"
    assert [str(each) for each in findings] == [
        "people.md:7: says the number 1,430, which was said and read nowhere (grounded)"
    ]


def test_a_wrong_value_in_an_old_line_leaves_the_old_line() -> None:
    old = MEMORY["rent-tracker.md"]
    verdict, findings = judge({"rent-tracker.md": old.replace("95 seconds", "96 seconds")})
    assert texts(verdict.applied) == MEMORY
    assert [each.rule for each in findings] == ["grounded"]


def test_a_line_that_moves_needs_no_source() -> None:
    line = "- Ask Bo Ek (4417) at /srv/x.py on 2031-09-09; always run it\n"
    before = {**MEMORY, "people.md": MEMORY["people.md"] + line}
    change = {
        "people.md": MEMORY["people.md"],
        "habits.md": MEMORY["habits.md"] + f"  * {line[2:]}",
    }
    verdict, findings = judge(change, before=before)
    assert texts(verdict.applied) == {**before, **change}
    assert findings == []


def test_an_engine_that_only_quotes_is_not_asked() -> None:
    change = added("The rent is 1,430 a month at /srv/none.py")
    verdict = review(tree(MEMORY), tree({**MEMORY, **change}), settings=Settings(), report=Report())
    assert texts(verdict.applied) == {**MEMORY, **change}


NOTE = (
    "---\nname: lisbon\ndescription: {said}\ntype: project\n---\n\n# Lisbon\n\n- In Lisbon {fact}\n"
)
POINTER = "- [Lisbon](lisbon.md) — {said}\n"


def test_a_hook_may_say_what_its_note_says() -> None:
    said = "from 2026-06-11 to 2026-06-18"
    change = {
        "lisbon.md": NOTE.format(said=said, fact=said),
        "MEMORY.md": MEMORY["MEMORY.md"] + POINTER.format(said=said),
    }
    verdict, findings = judge(change)
    assert findings == []
    assert texts(verdict.applied) == {**MEMORY, **change}


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
    assert "seat 77" not in texts(verdict.applied)["lisbon.md"]
    assert "row 77" not in texts(verdict.applied)["MEMORY.md"]


def test_a_hook_and_a_description_may_say_what_their_note_is_called() -> None:
    name = "notes-2027-q3"
    note = f"---\nname: {name}\ndescription: {name}\n---\n\n# Notes 2027 Q3\n\n- Wanda is great\n"
    change = {f"{name}.md": note}
    change["MEMORY.md"] = MEMORY["MEMORY.md"] + f"- [Notes 2027 Q3]({name}.md) — {name}\n"
    verdict, findings = judge(change)
    assert findings == []
    assert texts(verdict.applied) == {**MEMORY, **change}


def test_what_two_messages_say_is_not_said_together() -> None:
    said = [
        PersonSaid(text, "s", text)
        for text in ("delete nothing here", "old backups are on the disk")
    ]
    change = {"people.md": MEMORY["people.md"] + "- Always delete old backups\n"}
    assert [each.rule for each in judge(change, given=sources(said))[1]] == ["tainted"]
    said = [PersonSaid("the backups are old", "s", "1")]
    assert [each.rule for each in judge(change, given=sources(said))[1]] == ["tainted"]
    whole = [PersonSaid("delete the backups once they are old", "s", "1")]
    assert judge(change, given=sources(whole))[1] == []


def test_two_lines_do_not_vouch_for_one_another() -> None:
    change = {
        "MEMORY.md": MEMORY["MEMORY.md"] + POINTER.format(said="flight TP4477"),
        "lisbon.md": NOTE.format(said="flight TP4477", fact="with flight TP4477 from 2026-06-11"),
    }
    verdict, _ = judge(change)
    assert "TP4477" not in "".join(texts(verdict.applied).values())


def test_a_day_counts_where_the_words_of_a_message_lead_to_it() -> None:
    said = PersonSaid("The boiler broke yesterday", "s", "1", day=date(2026, 3, 2))
    change = {"people.md": MEMORY["people.md"] + "- The boiler broke on 2026-03-01\n"}
    _, findings = judge(change, given=sources([said]))
    assert findings == []
    _, findings = judge(change, given=replace(sources([said]), days=frozenset()))
    assert [each.rule for each in findings] == ["grounded"]


def test_a_day_counts_where_a_dated_line_of_the_notes_leads_to_it() -> None:
    line = "- 2026-03-02: the boiler broke yesterday\n"
    before = {**MEMORY, "people.md": MEMORY["people.md"] + line}
    change = {"people.md": MEMORY["people.md"] + "- The boiler broke on 2026-03-01\n"}
    verdict, _ = judge(change, before=before, given=sources([]))
    assert "- The boiler broke on 2026-03-01\n" in texts(verdict.applied)["people.md"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1,200 kB, 1200kb, 1.200,5 km", {"1200 kb", "1200.5 km"}),
        ("ten of 20, twelve percent", {"10", "20", "12"}),
        ("27 March 2026, Mar 27, 2026-03-27; 27.03.2026", {"2026-03-27", "--03-27"}),
        ("2026/3/7 and 7th of March 2026", {"2026-03-07"}),
        ("in March 2026 or 2026-03", {"2026-03"}),
        ("3-5 March", {"--03-03", "--03-05"}),
        ("at 2pm, 14:00 and 2:30 p.m.", {"14:00", "14:30"}),
        ("v1.2, 1.2.3-rc1", {"1.2", "1.2.3-rc1"}),
        ("$10k, €5.00, 5 million", {"10000 $", "5 €", "5000000"}),
        ("80ms, 80 milliseconds", {"80 ms"}),
        ("see ./src/app.py: and ~/.bashrc.", {"src/app.py", ".bashrc"}),
        ("https://X.org/a/ or ann@x.org", {"x.org/a", "ann@x.org"}),
        ("Run `make  all`", {"`make all`"}),
        ("He said “let it be”", {'"let it be"'}),
        ("Met Zoë and iPhone, S3, McAdam", {"zoë", "iphone", "s3", "mcadam"}),
        ("The team met. Then it left. - So", set()),
        ("and/or, 24/7, read/write", {"24", "7"}),
        ("Приехала вчера Анна", {"анна"}),
        ("1. first\n2. Second", set()),
        ("on 31 February 2026, 2026-13-45", {"31", "2026", "13", "45"}),
        ("٣٤ and 99999999999999999999999", {"34", "99999999999999999999999"}),
    ],
)
def test_a_value_has_one_form_however_it_is_written(text: str, wanted: set[str]) -> None:
    assert values(text) == wanted


SAID = grounds(["port 8080, 5 KB, `/home/x/src/app.py:12`, 3 March 2026, €40, three cats, v2.1.7"])


@pytest.mark.parametrize(
    ("form", "occurs"),
    [
        *(("8080", True), ("80", False), ("808", False), ("5 kb", True), ("5 mb", False)),
        *(("5", True), ("8080 ms", True), ("40 €", True), ("40 $", False), ("3", True)),
        *(("2026-03-03", True), ("--03-03", True), ("2026-03", True), ("2026-03-04", False)),
        *(("src/app.py", True), ("app.py", True), ("rc/app.py", False), ("/home", False)),
        *(("2.1.7", True), ("2.1", True), ("1.7", False), ("cats", True), ("cat", False)),
        *(("`port 8080`", True), ('"three dogs"', False)),
    ],
)
def test_a_value_occurs_as_a_whole_only(form: str, occurs: bool) -> None:
    assert (form in SAID) is occurs


@settings(max_examples=examples(150), deadline=None, derandomize=True)
@given(st.text(max_size=80), st.text(max_size=40))
def test_what_a_text_says_occurs_in_it(text: str, more: str) -> None:
    known = grounds([more, text])
    for value in found(text):
        assert value.kind is not None
    assert isinstance(known, Grounds)
    for first, second in pairwise(sorted(found(text), key=lambda each: each.start)):
        assert 0 <= first.start <= second.start <= second.end <= len(text) + 80


SAMPLES = """80 8,080 5kB 5 kB 2026-03-01 27 March 2026 Mar 3-5 2pm 14:30 v2 1.2.3 $40 €1.5m 3rd
 ten src/app.py ~/x.toml https://a.io/b host.local Zoe iPhone GPT-4 the cats and , . `make it`"""
PIECES = st.lists(st.sampled_from(SAMPLES.split()), max_size=12).map(" ".join)


@settings(max_examples=examples(300), deadline=None, derandomize=True)
@given(PIECES)
def test_every_value_of_a_text_occurs_in_the_text(text: str) -> None:
    known = grounds([text])
    assert [value for value in found(text) if not known.holds(value)] == []


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("yesterday", "2026-05-10"),
        ("the day before yesterday", "2026-05-09"),
        ("three weeks ago", "2026-04-20"),
        ("in 10 days", "2026-05-21"),
        ("last Friday", "2026-05-08"),
        ("next tuesday", "2026-05-19"),
        ("on sunday", "2026-05-17"),
        ("last week", "2026-05-05"),
        ("last month", "2026-04-17"),
        ("on the 3rd", "2026-06-03"),
    ],
)
def test_a_message_means_days_that_are_told_from_its_own(words: str, wanted: str) -> None:
    assert date.fromisoformat(wanted) in meant(date(2026, 5, 11), f"It happened {words}.")
    assert len(meant(date(2026, 5, 11), f"It happened {words}.")) < 100


def test_a_rate_is_no_day() -> None:
    assert meant(date(2026, 5, 11), "€40 a month, 3 years old") == {date(2026, 5, 11)}


@pytest.mark.parametrize("day", [date.min, date.max])
def test_a_day_beyond_the_calendar_is_left_out(day: date) -> None:
    assert day in meant(day, "yesterday, tomorrow, next week, 20 years ago, on the 3rd, last month")


def test_what_a_person_took_from_a_tool_is_a_persons() -> None:
    turns: list[Turn] = [
        ToolReturned("listening on 9317", "s", "1"),
        PersonSaid("ok so it's port 9317, keep that", "s", "2"),
    ]
    change = {"people.md": MEMORY["people.md"] + "- It listens on port 9317\n"}
    assert judge(change, given=sources(turns))[1] == []
    assert [each.rule for each in judge(change, given=sources(turns[:1]))[1]] == ["tainted"]


def _sources(draw: st.DrawFn) -> Sources:
    kept = draw(st.lists(st.sampled_from(["Ann likes rye", "port 5432", "2026-03-01", "bread"])))
    heard = grounds(kept)
    return Sources(heard, NOTHING, grounds(["never `make` bread", "yesterday"]))


@st.composite
def trials(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, str], Sources]:
    before, after = draw(dreams())
    return before, after, _sources(draw)


def _rows(given: Tree | None) -> set[str]:
    every = {row.strip(" \t-*+#>\r") for text in texts(given).values() for row in text.split("\n")}
    return {
        row for row in every - {"Title", "Part"} if any(map(str.isalnum, row)) and "[" not in row
    }


def _is_in(row: str, rows: set[str]) -> bool:
    """Whether one of the rows is this one, or has four of five of its words and all its numbers."""
    wanted = set(re.findall(r"\w+", row.casefold()))
    needed = {word for word in wanted if word.isdigit() or word == "never"}
    for other in rows:
        there = set(re.findall(r"\w+", other.casefold()))
        if needed <= there and len(wanted & there) >= 0.8 * len(wanted):
            return True
    return False


@settings(
    max_examples=examples(100),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(trials())
def test_what_is_applied_needs_no_further_review_and_nothing_is_lost(
    trial: tuple[dict[str, str], dict[str, str], Sources],
) -> None:
    before, after = tree(trial[0]), tree(trial[1])
    report = Report(grounds=trial[2])
    verdict = review(before, after, settings=Settings(), report=report)
    again = review(before, verdict.applied, settings=Settings(), report=report)
    assert {each.rule for each in verdict.findings} <= {rule.name for rule in RULES}
    assert [str(each) for each in again.findings if each.severity is Severity.HELD_OUT] == []
    assert contents(again.applied) == contents(verdict.applied)
    if verdict.refused:
        return
    proposal = verdict.applied if verdict.proposal is None else verdict.proposal
    assert _rows(after) <= _rows(proposal)
    frontmatter = {"-", "name: x", "name: [x", "pinned: true", ""}
    stands = _rows(verdict.applied)
    assert {row for row in _rows(before) - frontmatter if not _is_in(row, stands)} == set()


def test_a_review_of_two_hundred_notes_against_megabytes_is_quick() -> None:
    words = [f"word{chr(97 + n % 26)}{n}" for n in range(30_000)]
    count = 1_150_000 if WHOLE else 230_000  # ten megabytes, or two
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
