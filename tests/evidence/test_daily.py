"""Daily notes speak for a claim as the talk does, each line once, and are never promoted whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.change import Declined
from dreamd.domain.daily import Daily, dailies, day_of
from dreamd.domain.evidence import NOTE, PERSON, Snippet
from dreamd.domain.settings import Budget, Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.draft import Night, recall
from dreamd.engine.rules.consolidated import Heard, consolidated
from dreamd.engine.rules.engine import RulesEngine
from dreamd.engine.rules.orient import orient
from dreamd.evidence.daily import stated
from dreamd.evidence.deep import Gates, Weights
from dreamd.evidence.forgetting import forget
from dreamd.evidence.judging import Judged, judged
from dreamd.evidence.passing import passing
from dreamd.evidence.reading import read
from dreamd.evidence.recurring import recurring
from dreamd.evidence.store import copied, opened
from dreamd.evidence.verdict import gates_of, wanting
from dreamd.evidence.weigh import weigh
from dreamd.memory.history import History
from dreamd.memory.scan import scan
from tests.evidence.lights import held, statements
from tests.laptop import Laptop
from tests.pace import within
from tests.scripted import store_of, texts
from tests.spoken import say, session_id

TIDES = "The harbour office prints the tide table on Fridays."
CRANE = "We moved the crane bookings to the north quay."
LOGS = "logs/2026/05/{:02}.md"
BY_DAY = "2026-05-{:02}.md"


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("2026-05-11.md", (2026, 5, 11)),
        ("diary/2026-05-11.md", (2026, 5, 11)),
        ("2026-05-11-harbour-walk.md", (2026, 5, 11)),
        ("2026-05-11 harbour walk.md", (2026, 5, 11)),
        ("logs/2026/05/11.md", (2026, 5, 11)),
        ("logs/2026/05/11-evening.md", (2026, 5, 11)),
        ("logs/2026/05/2026-05-11.md", (2026, 5, 11)),
        ("2024-02-29.md", (2024, 2, 29)),
        ("2026-02-29.md", None),
        ("2026-13-01.md", None),
        ("logs/2026/02/30.md", None),
        ("logs/2026/05/2026-06-11.md", None),
        ("logs/2026/05/5.md", None),
        ("2026/05/11.md", None),
        ("2026-05.md", None),
        ("2026-05-111.md", None),
        ("12026-05-11.md", None),
        ("notes-2026-05-11.md", None),
        ("2026-05-11.txt", None),
        ("2026-05-11.md.bak", None),
        ("team/2026-05-11.md", None),
        ("MEMORY.md", None),
        ("DREAMS.md", None),
    ],
)
def test_a_path_says_the_day_of_its_note_or_none(
    path: str, day: tuple[int, int, int] | None
) -> None:
    assert day_of(PurePosixPath(path)) == (None if day is None else date(*day))


def tree(contents: Mapping[str, bytes], *, links: bool = False) -> Tree:
    return Tree(
        {PurePosixPath(path): Entry(data, is_link=links) for path, data in contents.items()}
    )


@pytest.mark.parametrize(
    ("text", "is_daily"),
    [
        (b"---\nname: monday\ntype: log\ndate: 2026-05-11\n---\n- A.\n", True),
        (b"---\ndate: 2026-05-12\n---\n- A.\n", False),
        (b"---\nmetadata:\n  type: project\n---\n- A.\n", False),
        (b"---\ntype: log\ngathered: project\n---\n- A.\n", False),
        (b"\xff\xfe- A.\n", False),
        (b"- A.\0\n", False),
    ],
)
def test_a_note_whose_frontmatter_says_otherwise_is_no_daily_one(
    text: bytes, *, is_daily: bool
) -> None:
    assert bool(dailies(tree({"2026-05-11.md": text}))) is is_daily
    assert dailies(tree({"2026-05-11.md": text}, links=True)) == ()


def note(text: str, day: int = 11, path: str = LOGS) -> Daily:
    return Daily(PurePosixPath(path.format(day)), date(2026, 5, day), text)


def said(text: str) -> list[str]:
    return [snippet.statement for _, snippet in stated(note(text))]


@pytest.mark.parametrize(
    "row",
    [
        f"- {TIDES}",
        f"* {TIDES[:-1]}",
        f"- 09:15 {TIDES}",
        f"- [09:15] {TIDES}",
        f"- **09:15** - {TIDES}",
        f"- 9:15 pm: {TIDES}",
        f"- 2026-05-11 09:15:02 {TIDES}",
        f"- [x] {TIDES}",
        f"3. {TIDES}",
        TIDES,
        f"## Noted\n\n{TIDES}",
        f"Rain. {TIDES} More rain?",
        f"> somebody wrote\n\n{TIDES}",
    ],
)
def test_a_line_is_the_same_statement_whatever_leads_it(row: str) -> None:
    assert said(f"# Monday\n\n{row}\n") == [TIDES]


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{TIDES}\n```",
        f"- the report:\n  ```\n  {TIDES}\n  ```",
        f"> {TIDES}",
        f"<!-- {TIDES} -->",
        f"| {TIDES} |\n|---|\n| x |",
        f"- [ ] {TIDES}",
        f"## To do\n\n- {TIDES}",
        f"## Tool output\n\n- {TIDES}",
        f"## {TIDES}",
        f"- {TIDES} (2026-05-11) Previously: {TIDES} (2026-04-02)",
        f"- {TIDES} Perhaps no longer: {TIDES}",
        f"---\nabout: {TIDES}\n---",
        "- kubectl get pods --namespace harbour 3",
        "- git push origin main && make deploy",
        "- North quay, 9 boats, rain",
        "- Which crane is free on Fridays?",
        "- Please book the crane for Friday.",
        "- The gate code is 4711 and the alarm code is 0815.",
        "- The harbour office opens the safe with AKIAIOSFODNN7EXAMPLQ today.",
        "- The harbour office prints tables [forgotten] on Fridays.",
        "- It costs 9 euros.",
        "- Claude: The harbour office has 9 clerks.",
        "- **Assistant**: The harbour office has 9 clerks.",
        "- 09:15 ChatGPT (in the browser): the harbour office has 9 clerks.",
        "- Claude suggested that the harbour office has 9 clerks.",
    ],
)
def test_what_nobody_states_or_what_is_not_to_be_kept_is_left_out(text: str) -> None:
    assert said(f"{text}\n") == []


def test_a_long_note_is_heard_to_its_end_and_a_sentence_is_kept_with_what_leans_on_it() -> None:
    many = [f"The crane at berth {number} lifts {number + 90} tons." for number in range(300)]
    assert said("".join(f"- {each}\n" for each in many)) == many
    assert said("- Cranes\n" + "".join(f"  - {each}\n" for each in many)) == many
    fenced = "".join(f"  - {each}\n" for each in many)
    assert said(f"- The log:\n  ```\n{fenced}  ```\n\n{TIDES}\n") == [TIDES]
    leaning = "We rented the north crane. It costs 90 euros a day."
    assert said(f"{leaning} {TIDES}\n") == [leaning, TIDES]


def reading(db: Path, *notes: Daily) -> None:
    with opened(db) as evidence:
        read(evidence, notes, 1)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "evidence.db"


def test_a_note_is_read_once_and_what_grows_or_changes_is_what_fresh_evidence_has(
    db: Path, tmp_path: Path
) -> None:
    reading(db, note(f"- {TIDES}\n"))
    before = db.read_bytes()
    reading(db, note(f"- {TIDES}\n"))
    assert db.read_bytes() == before
    steps = (f"- {TIDES}\n- {CRANE}\n", f"New.\n\n- {CRANE}\n- {TIDES}\n- {TIDES}\n", f"{CRANE}\n")
    ids = set()
    for number, text in enumerate(steps):
        reading(db, note(text))
        fresh = tmp_path / f"fresh-{number}.db"
        reading(fresh, note(text))
        assert held(db) == held(fresh)
        with copied(db) as evidence:
            ids |= {each.message for each in evidence.snippets() if each.statement == CRANE}
    assert len(ids) == 1
    assert statements(db) == [CRANE]


def test_what_a_removed_note_said_stays_and_it_is_nobodys_message(db: Path) -> None:
    reading(db, note(f"- {CRANE}\n", 12, BY_DAY), note(f"- {TIDES}\n", 11))
    reading(db, note("- Rain.\n", 13))
    with copied(db) as evidence:
        told = [(each.statement, each.speaker, each.session) for each in evidence.snippets()]
        assert (evidence.said(), evidence.queries()) == ((), ())
    assert told == [(TIDES, NOTE, "logs/2026/05/11.md"), (CRANE, NOTE, "2026-05-12.md")]


def test_a_mark_moves_with_what_it_marks_or_not_at_all(db: Path) -> None:
    reading(db, note(f"- {TIDES}\n"))
    with sqlite3.connect(db) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON daily BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    connection.close()
    with pytest.raises(sqlite3.IntegrityError, match="full"):
        reading(db, note(f"- {CRANE}\n"))
    assert statements(db) == [TIDES]
    with sqlite3.connect(db) as connection:
        connection.execute("DROP TRIGGER full")
    connection.close()
    reading(db, note(f"- {CRANE}\n"))
    assert statements(db) == [CRANE]


@pytest.mark.parametrize(
    "text",
    [TIDES, "harbour  office", "tide table on Fridays. We moved", f"{TIDES}\n- {CRANE}", "/05/11"],
)
def test_forgetting_leaves_no_byte_of_it_and_nothing_to_guess_it_by(db: Path, text: str) -> None:
    reading(db, note(f"- {TIDES} {CRANE}\n"), note("- We painted the 3 lanterns.\n", 12))
    forget(db, [text])
    left = b"".join(each.read_bytes() for each in db.parent.iterdir())
    assert TIDES[4:-1].encode() not in left
    assert b"logs/2026/05/11" not in left or CRANE[:-1].encode() in left
    assert statements(db)[-1] == "We painted the 3 lanterns."
    with sqlite3.connect(db) as connection:
        assert connection.execute("SELECT count(*) FROM daily").fetchone() == (0,)
        shortened = (
            "SELECT count(*) FROM messages WHERE number NOT IN (SELECT message FROM sightings)"
        )
        assert connection.execute(shortened).fetchone() == (0,)
    connection.close()


def noted(*notes: Daily) -> list[Snippet]:
    return [snippet for each in notes for _, snippet in stated(each)]


def weighing(*snippets: Snippet) -> list[Judged]:
    return list(judged(snippets, Weights(), Gates())[0])


def person(text: str, day: int) -> Snippet:
    (found,) = noted(note(text, day))
    return replace(found, speaker=PERSON, session="s", message=f"m{day}")


def test_only_what_stands_in_the_notes_of_three_days_passes_by_itself() -> None:
    for days in ((11,), (11, 12), (11, 11, 12), (11, 11, 11)):
        paths = (LOGS, BY_DAY, "b/2026-05-{:02}.md")
        two = noted(*(note(TIDES, day, path) for day, path in zip(days, paths, strict=False)))
        assert weigh(two, Weights(), Gates()) == ()
        (claim,) = weighing(*two)
        assert claim.traces.sightings == len(set(days))
        assert [gate.name for gate in gates_of(claim, Gates()) if not gate.is_open] == ["days"]
        assert wanting(claim, date(2026, 5, 12), Weights(), Gates()) == (
            "one more day on which it is said",
        )
    three = noted(*(note(TIDES, day) for day in (11, 12, 14)))
    (candidate,) = weigh(three, Weights(), Gates())
    assert (candidate.snippet.day, candidate.days) == (date(2026, 5, 14), 3)
    assert candidate.snippet.session == "logs/2026/05/14.md"


def test_what_a_person_says_needs_no_note_and_is_quoted_before_any() -> None:
    mine = person(TIDES, 12)
    (candidate,) = weigh((mine, *noted(note(TIDES, 11), note(TIDES, 20))), Weights(), Gates())
    assert (candidate.snippet, candidate.sightings, candidate.days) == (mine, 3, 3)
    (claim,) = weighing(mine, *noted(note(TIDES, 11), note(TIDES, 20)))
    assert [each.day and each.day.day for each in claim.claim.sightings] == [11, 12, 20]


def test_what_a_later_day_tells_with_another_figure_is_not_raised() -> None:
    old = "The north crane lifts 40 tons."
    three = noted(*(note(old, day) for day in (11, 12, 13)))
    assert weigh(three, Weights(), Gates())
    later = (
        person("The north crane lifts 55 tons.", 20),
        *noted(note(old.replace("40", "55"), 20)),
    )
    for each in later:
        found = weigh((*three, each), Weights(), Gates())
        assert old not in [one.snippet.statement for one in found]
    earlier = noted(note(old.replace("40", "30"), 10))
    assert weigh((*earlier, *three), Weights(), Gates())


@pytest.mark.parametrize(
    ("text", "lasts"),
    [
        ("The harbour office has 9 clerks.", True),
        ("Decided to keep the crane log in SQLite.", True),
        ("Ines owns the crane schedule; Omar checks it.", True),
        ("The user prefers the north quay over the south quay.", True),
        ("Found out that the north crane needs 3 hours.", True),
        ("Ran the Harbour tests, all passed.", False),
        ("Rented the north crane for 90 euros.", False),
        ("Yesterday we moved the crane to Port Ellery.", False),
        ("Tomorrow I will call the harbour office at 9.", False),
        ("The weather was awful.", False),
        ("I think we should move the crane to Port Ellery.", False),
    ],
)
def test_what_tells_of_its_day_only_is_not_raised_however_often(text: str, *, lasts: bool) -> None:
    recurring = noted(*(note(text, day) for day in (11, 12, 13, 14)))
    assert len(recurring) == 4
    assert bool(weigh(recurring, Weights(), Gates())) is lasts
    (claim,) = weighing(*recurring)
    closed = [gate.name for gate in gates_of(claim, Gates()) if not gate.is_open]
    assert closed == ([] if lasts else ["lasting"])
    mine = replace(recurring[0], speaker=PERSON, message="m")
    (found,) = weigh((mine, *recurring), Weights(), Gates())
    assert (found.snippet, found.days) == (mine, 4)


def test_a_form_that_is_filled_in_every_day_is_not_raised() -> None:
    form = ("The build is green on 3 platforms.", "Ines works on the parser.", TIDES)
    for count, raised in ((1, 1), (2, 2), (3, 0)):
        rows = "".join(f"- {row}\n" for row in form[:count])
        days = noted(*(note(f"{rows}- We rented {day + 90} boats.\n", day) for day in (11, 12, 13)))
        assert len(weigh(days, Weights(), Gates())) == raised
    own = noted(note(f"- {TIDES}\n", 14), note(f"- {CRANE}\n- {TIDES}\n", 15))
    (found,) = weigh((*days, *own), Weights(), Gates())  # it stands without the others, too
    assert found.snippet.statement == TIDES


def test_many_claims_of_many_days_are_told_apart_in_little_time() -> None:
    rows = [
        f"- The crane {n} of {name} lifts {n + day} tons.\n"
        for day in range(20)
        for n, name in enumerate(("Bastia", "Kotka", "Tromso", "Split", "Cork") * 20)
    ]
    found = noted(*(note("".join(rows[day * 100 : day * 100 + 100]), day + 1) for day in range(20)))
    claims = recurring(found, Gates().alike)
    assert len(claims) > 1_500
    with within(0.5):
        assert passing(claims, Gates().alike) == frozenset()


def test_the_day_in_the_name_of_a_note_ages_nothing_that_was_said() -> None:
    mine = person(TIDES, 12)
    far = noted(Daily(PurePosixPath("2090-01-01.md"), date(2090, 1, 1), CRANE))
    _, newest = judged((mine, *far), Weights(), Gates())
    assert newest == date(2026, 5, 12)


def test_a_note_is_read_as_it_stands_under_the_lease_and_never_as_it_stood_before(
    tmp_path: Path,
) -> None:
    store = store_of(tmp_path, {"MEMORY.md": "# Memory\n", "2026-05-11.md": f"- {TIDES}\n"})
    before = scan(store.memory)
    (store.memory / "2026-05-11.md").write_text(f"- {CRANE}\n")  # as forgetting a text would
    night, history = Night(RulesEngine(), Settings()), History(store.history)
    recall(store, history, night, None, writes=True, notes=before)
    assert statements(store.evidence) == [CRANE]
    file = store.evidence.read_bytes()
    (store.memory / "2026-05-11.md").write_text(f"- {TIDES}\n")
    recall(store, history, night, None, writes=False, notes=scan(store.memory))
    assert store.evidence.read_bytes() == file


def dreamt(contents: Mapping[str, str]) -> dict[str, str]:
    """The notes after a dream by rules over them, of which only the daily ones are heard."""
    before = tree({path: text.encode() for path, text in contents.items()})
    found = weigh(noted(*dailies(before)), Weights(), Gates())
    report = consolidated(
        orient(before), Budget(), Declined(), lambda *_: None, Heard(candidates=found)
    )
    assert not report.steps or {each.speaker for each in report.whys if each.message} == {"note"}
    return {**contents, **{str(path): text for path, text in report.texts.items()}}


def by_day(text: str, *days: int) -> dict[str, str]:
    return {BY_DAY.format(day): f"# May {day}\n\n- {text}\n- Rain.\n" for day in days}


def with_index(days: Mapping[str, str], **topics: str) -> dict[str, str]:
    names = (*days, *(f"{name}.md" for name in topics))
    index = "".join(f"- [{name[:-3]}]({name}): rain\n" for name in names)
    other = {f"{name}.md": text for name, text in topics.items()}
    return {"MEMORY.md": f"# Memory\n\n{index}", **other, **days}


def test_what_is_raised_leaves_the_daily_notes_as_they_are_and_is_raised_once() -> None:
    days = by_day(TIDES, 11, 12, 13)
    after = dreamt(with_index(days))
    assert f"- {TIDES} (2026-05-13)" in after["project-facts.md"]
    assert days.items() <= after.items()
    assert dreamt(after) == after
    two = with_index(by_day(TIDES, 11, 12))
    assert dreamt(two) == two


def test_what_a_topic_note_says_already_is_not_said_twice() -> None:
    known = with_index(by_day(TIDES, 11, 12, 13), office=f"# Office\n\n- {TIDES}\n")
    assert dreamt(known) == known


def test_a_newer_value_of_daily_notes_makes_the_older_past_where_it_was_raised() -> None:
    old, new = "The harbour server runs on port 8443.", "The harbour server runs on port 9443."
    before = dreamt(with_index(by_day(old, 11, 12, 13)))
    assert f"- {old} (2026-05-13)" in before["project-facts.md"]
    index = before["MEMORY.md"] + "".join(f"- [{n}](2026-05-{n}.md): rain\n" for n in (20, 21, 22))
    days = {**by_day(new, 20, 21), **by_day("Rain.", 22), "MEMORY.md": index}
    assert dreamt({**before, **days})["project-facts.md"] == before["project-facts.md"]
    days |= by_day(new, 22)
    after = dreamt({**before, **days})
    (line,) = [row for row in after["project-facts.md"].splitlines() if row.startswith("- ")]
    assert line.startswith(f"- {new} (2026-05-22) ")
    assert line.endswith(f": {old} (2026-05-13)")
    assert {**by_day(old, 11, 12, 13), **by_day(new, 20, 21, 22)}.items() <= after.items()
    assert dreamt(after) == after


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    home = tmp_path / "home"
    memory = home / ".claude" / "projects" / "-home-dev-tidepool" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# Memory\n\n- [Quay](quay.md): where the boats lie\n")
    (memory / "quay.md").write_text("# Quay\n\nThe boats lie at the south quay.\n")
    return Laptop(home, memory)


def keep(laptop: Laptop, texts_by_day: Mapping[int, str]) -> dict[Path, bytes]:
    """Lay down daily notes; return their bytes."""
    laid = {}
    for day, text in texts_by_day.items():
        file = laptop.memory / LOGS.format(day)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Log\n\n- 09:{day} {text}\n- Rain.\n")
        laid[file] = file.read_bytes()
    return laid


def notes(laptop: Laptop) -> str:
    """All notes but the daily ones."""
    daily = {str(each.path) for each in dailies(scan(laptop.memory))}
    return "\n".join(text for path, text in texts(laptop.memory).items() if path not in daily)


def evidence(laptop: Laptop) -> Path:
    (found,) = (laptop.home / ".local/state/dreamd/stores").glob("*/evidence.db")
    return found


def test_what_recurs_on_three_days_is_raised_once_and_cites_the_note(laptop: Laptop) -> None:
    laid = keep(laptop, {11: TIDES, 12: TIDES, 13: f"{TIDES} {CRANE}"})
    assert "raised 1 thing out of daily notes" in laptop.ok("dream", str(laptop.memory))
    line = f"- {TIDES} (2026-05-13)"
    assert line in notes(laptop)
    assert CRANE not in notes(laptop)
    told = laptop.json("why", str(laptop.memory), "--line", TIDES[:-1])
    (why,) = [each for each in told["found"] if each["line"] == line]
    assert (why["speaker"], why["day"], why["session"], why["quote"]) == (
        "note",
        "2026-05-13",
        LOGS.format(13),
        TIDES,
    )
    (claim,) = [each for each in told["claims"] if each["statement"] == TIDES]
    assert claim["fate"] == "stands"
    assert [(each["session"], each["day"]) for each in claim["sightings"]] == [
        (LOGS.format(day), f"2026-05-{day}") for day in (11, 12, 13)
    ]
    shown = laptop.ok("why", str(laptop.memory), "--line", TIDES[:-1])
    assert f'noted on 2026-05-13 in {LOGS.format(13)}: "{TIDES}"' in shown
    before = held(evidence(laptop))
    assert laptop.json("dream", str(laptop.memory))["changes"] == []
    assert held(evidence(laptop)) == before
    assert {file: file.read_bytes() for file in laid} == laid
    laptop.ok("undo", "--memory", str(laptop.memory))
    laptop.ok("dream", str(laptop.memory))
    assert TIDES not in notes(laptop)
    assert held(evidence(laptop)) == before


def test_what_stands_in_two_notes_is_not_copied_and_a_third_day_changes_that(
    laptop: Laptop,
) -> None:
    keep(laptop, {11: TIDES, 12: TIDES})
    laptop.ok("dream", str(laptop.memory))
    assert TIDES not in notes(laptop)
    (claim,) = laptop.json("evidence", str(laptop.memory), "--candidates")["candidates"]
    assert (claim["open"], claim["fate"], claim["path"]) == (False, "stands", LOGS.format(11))
    (laptop.memory / LOGS.format(11)).unlink()
    keep(laptop, {13: TIDES})
    laptop.ok("dream", str(laptop.memory))
    assert f"- {TIDES} (2026-05-13)" in notes(laptop)


def test_a_note_makes_what_was_said_weigh_more_and_is_itself_not_quoted(laptop: Laptop) -> None:
    closed = {"DREAMD_EVIDENCE__SIGNALS": "3"}
    say(laptop.memory.parent, "monday", CRANE, at="2026-05-12T09:00:00.000Z")
    keep(laptop, {11: CRANE, 14: CRANE})
    laptop.ok("dream", str(laptop.memory), **closed)
    (claim,) = laptop.json("evidence", str(laptop.memory), "--candidates")["candidates"]
    assert [each["speaker"] for each in claim["sightings"]] == ["note", "person", "note"]
    assert claim["sightings"][1]["session"] == session_id("monday")
    assert claim["gates"][1] == {"gate": "signals", "value": 3, "least": 1, "open": True}


def test_what_is_forgotten_is_in_no_note_and_no_evidence_and_does_not_come_back(
    laptop: Laptop,
) -> None:
    keep(laptop, {11: TIDES, 12: TIDES, 13: TIDES})
    laptop.ok("dream", str(laptop.memory))
    laptop.ok("forget", "tide table", "--yes", "--memory", str(laptop.memory))
    home = [each for each in laptop.home.rglob("*") if each.is_file()]
    assert not [each for each in home if b"tide table" in each.read_bytes()]
    laptop.ok("dream", str(laptop.memory))
    assert statements(evidence(laptop)) == []


def test_a_memory_without_daily_notes_keeps_no_evidence_of_its_notes(laptop: Laptop) -> None:
    memory = laptop.memory.rename(laptop.home / "notes")  # where no sessions belong to it
    (memory / "2026-05-11.md").write_text(f"---\ntype: project\n---\n- {TIDES}\n")
    stores = laptop.home / ".local/state/dreamd/stores"
    for found in (0, 1):
        laptop.ok("dream", str(memory))
        assert len(list(stores.glob("*/evidence.db"))) == found
        (memory / "2026-05-12.md").write_text(f"- {TIDES}\n")
