"""`evidence`, `why --line` and `replay`: legible to a person, and nothing changes by looking."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.laptop import Laptop
from tests.scripted import texts
from tests.spoken import record, say, session_id

FERRY = "I moved the ferry bookings to SQLite because Postgres was too heavy."
CREW = "My crew of four sails from Port Ellery on Saturdays."
ASKED = "Remember that the tide table is printed on Fridays."
YESTERDAY = "We launched the booking form for Port Ellery yesterday."
AT = "2026-05-{:02}T09:00:00.000Z"


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    home = tmp_path / "home"
    project = home / ".claude" / "projects" / "-home-dev-tidepool"
    say(project, "monday", FERRY, "How do I sort the ferry bookings?", ASKED, at=AT.format(11))
    say(project, "tuesday", CREW, FERRY, at=AT.format(12))
    return Laptop(home, project / "memory")


def everything(laptop: Laptop) -> dict[str, bytes]:
    every = sorted(path for path in laptop.home.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in every}


def notes(laptop: Laptop) -> str:
    return "\n".join(texts(laptop.memory).values())


def test_before_a_dream_it_says_how_much_is_not_read(laptop: Laptop) -> None:
    before = everything(laptop)
    shown = laptop.ok("evidence", str(laptop.memory))
    assert "2 of 2 transcripts with something new" in shown
    assert "nothing was stated yet" in shown
    told = laptop.json("evidence", str(laptop.memory))
    assert told["claims"] == 0
    sizes = [path.stat().st_size for path in laptop.memory.parent.glob("*.jsonl")]
    assert told["unread"] == {"transcripts": 2, "new": 2, "bytes": sum(sizes)}
    assert everything(laptop) == before


def test_it_counts_what_was_said_and_looking_reads_nothing(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    project = laptop.memory.parent
    more = record("Berth nine belongs to the Kestrel.", session="tuesday", at=AT.format(13))
    with (project / f"{session_id('tuesday')}.jsonl").open("a") as transcript:
        transcript.write(json.dumps(more) + "\n")
    before = everything(laptop)
    told = laptop.json("evidence", str(laptop.memory))
    assert told["sightings"] == told["claims"] + 1  # the ferry, on two days
    assert told["days"] == ["2026-05-11", "2026-05-12"]
    assert told["queries"] >= 1
    assert told["unread"] == {"transcripts": 2, "new": 1, "bytes": len(json.dumps(more)) + 1}
    for each in ("--candidates", "--themes", "--contradictions"):
        laptop.ok("evidence", str(laptop.memory), each)
        laptop.json("evidence", str(laptop.memory), each)
    assert everything(laptop) == before


def test_a_line_that_stands_tells_its_score_its_gates_and_who_said_it_when(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    assert "ferry bookings to SQLite" in notes(laptop)
    (claim,) = laptop.json("why", str(laptop.memory), "--line", "FERRY bookings  to SQLite")[
        "claims"
    ]
    assert claim["fate"] == "stands"
    assert claim["line"] in notes(laptop)
    assert [each["day"] for each in claim["sightings"]] == ["2026-05-11", "2026-05-12"]
    sessions = {session_id("monday"), session_id("tuesday")}
    assert {each["session"] for each in claim["sightings"]} == sessions
    weights = {"relevance": 0.3, "frequency": 0.24, "diversity": 0.15, "recency": 0.15}
    weights |= {"consolidation": 0.1, "richness": 0.06}
    by_hand = sum(weights[name] * value for name, value in claim["terms"].items())
    assert claim["score"] == pytest.approx(by_hand, abs=1e-5)
    assert [each["open"] for each in claim["gates"]] == [True, True, True]
    shown = laptop.ok("why", str(laptop.memory), "--line", "ferry bookings to SQLite")
    assert f'said on 2026-05-11 by the person in session {session_id("monday")}: "' in shown
    assert "written in" in shown  # by which dream, as before


def test_a_claim_behind_a_gate_says_what_would_open_it_and_that_does(laptop: Laptop) -> None:
    closed = {"DREAMD_EVIDENCE__SIGNALS": "3"}
    laptop.ok("dream", str(laptop.memory), **closed)
    assert "crew of four" not in notes(laptop)
    shown = laptop.ok("why", str(laptop.memory), "--line", "crew of four", **closed)
    assert "is not written: a gate is closed to it" in shown
    assert "(closed, needs 2 more)" in shown
    assert "2 more days on which it is said; or 2 more questions that it answers" in shown
    for day in (13, 14):
        say(laptop.memory.parent, f"day {day}", CREW, at=AT.format(day))
    laptop.ok("dream", str(laptop.memory), **closed)
    assert "crew of four" in notes(laptop)


def test_what_was_undone_and_what_has_no_room_say_so(laptop: Laptop) -> None:
    small = {"DREAMD_MEMORY_BYTES": "512"}
    for number, name in enumerate(("Arlo", "Bea", "Cosmo", "Dara", "Enzo", "Fay")):
        text = f"{name} keeps {number + 3} boats moored at the {name.upper()}-{number} jetty."
        say(laptop.memory.parent, name, text, at=AT.format(10))
    laptop.ok("dream", str(laptop.memory), **small)
    shown = laptop.ok("evidence", str(laptop.memory), "--candidates", "-n", "99", **small)
    assert "passes every gate and has no room" in shown
    laptop.ok("undo", "--memory", str(laptop.memory))
    shown = laptop.ok("why", str(laptop.memory), "--line", "tide table", **small)
    assert "undone since" in shown
    fates = laptop.json("evidence", str(laptop.memory))["fates"]
    assert fates.get("turned down", 0) >= 1


def test_evidence_of_a_newer_dreamd_is_told_and_the_line_is_still_explained(
    laptop: Laptop,
) -> None:
    import sqlite3

    laptop.ok("dream", str(laptop.memory))
    (path,) = (laptop.home / ".local/state/dreamd/stores").glob("*/evidence.db")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    shown = laptop.ok("why", str(laptop.memory), "--line", "tide table")
    assert "written in" in shown
    assert "written by a newer dreamd" in shown
    assert laptop.run("evidence", str(laptop.memory)).returncode == 1


def test_a_value_that_was_said_otherwise_is_a_suspected_contradiction(laptop: Laptop) -> None:
    index = laptop.memory / "MEMORY.md"
    laptop.ok("dream", str(laptop.memory))
    index.write_text(index.read_text() + "- The Kestrel sails with 6 people from Port Ellery\n")
    project = laptop.memory.parent
    say(project, "later", "Can the Kestrel sail with 9 people from Port Ellery?", at=AT.format(14))
    laptop.ok("dream", str(laptop.memory))
    (found, *_) = laptop.json("evidence", str(laptop.memory), "--contradictions")["contradictions"]
    assert (found["path"], found["old"], found["new"]) == ("MEMORY.md", "6", "9")
    assert (found["line"], found["day"]) == (
        "The Kestrel sails with 6 people from Port Ellery",
        "2026-05-14",
    )


def test_the_past_replayed_as_it_was_is_as_it_was(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    say(laptop.memory.parent, "friday", YESTERDAY, at=AT.format(15))
    laptop.ok("dream", str(laptop.memory))
    assert "Port Ellery yesterday (2026-05-14). (2026-05-15)" in notes(laptop)
    before = everything(laptop)
    told = laptop.json("replay", str(laptop.memory), "--since", "2026-05-01")
    assert told["dreams"] == 2
    lines = [sorted(each["line"] for each in told[name]["promoted"]) for name in ("would", "was")]
    assert lines[0] == lines[1]
    assert len(lines[0]) >= 3
    assert told["would"]["lost"] == told["was"]["lost"] == []
    assert everything(laptop) == before


def test_other_settings_promote_other_lines_and_change_nothing(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    before = everything(laptop)
    words = ("replay", str(laptop.memory), "--since", "2026-05-01", "--set", "evidence.signals=3")
    told = laptop.json(*words)
    promoted = {
        name: [each["line"] for each in told[name]["promoted"]] for name in ("would", "was")
    }
    assert any("crew of four" in line for line in promoted["was"])
    assert not any("crew of four" in line for line in promoted["would"])
    assert any("tide table" in line for line in promoted["would"])  # it was asked for
    assert any(
        line.startswith("  < ") and CREW[:-1] in line for line in laptop.ok(*words).split("\n")
    )
    assert everything(laptop) == before


def test_a_line_that_was_only_proposed_is_told_as_a_proposal(laptop: Laptop) -> None:
    words = ("why", str(laptop.memory), "--line", "ferry bookings to SQLite")
    laptop.ok("dream", str(laptop.memory), "--propose")
    assert ", a proposal that waits): " in laptop.ok(*words)
    laptop.ok("reject", "--memory", str(laptop.memory))
    assert ", a proposal turned down): " in laptop.ok(*words)


def test_only_what_was_said_since_the_day_is_replayed(laptop: Laptop) -> None:
    told = laptop.json("replay", str(laptop.memory), "--since", "2026-05-12")
    assert told["messages"] == 2
    lines = [each["line"] for each in told["would"]["promoted"]]
    assert any("crew of four" in line for line in lines)
    assert not any("tide table" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--since", "tomorrow"], '"tomorrow" is no day'),
        (["--since", "2026-05-01", "--set", "engine=model"], "is not KEY=VALUE with a key of"),
        (["--since", "2026-05-01", "--set", "evidence.scroe=1"], "evidence.scroe"),
        ([], "--since"),
    ],
)
def test_what_cannot_be_replayed_is_said(laptop: Laptop, words: list[str], said: str) -> None:
    done = laptop.run("replay", str(laptop.memory), *words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_weights_under_which_a_score_is_none_are_refused_with_the_sum(laptop: Laptop) -> None:
    words = ("--since", "2026-05-01", "--set", "evidence.relevance=0.5")
    done = laptop.run("replay", str(laptop.memory), *words)
    assert done.returncode == 78
    assert "sum to 1.2" in done.stderr
