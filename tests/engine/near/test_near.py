"""Near-duplicates become one line, and nothing that a reader could miss goes."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Declined
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.near.near import near_duplicates
from dreamd.engine.rules.orient import orient
from tests.engine.memories import tree
from tests.engine.night import INDEX, counts, dream, sleep
from tests.pace import within

SHORT = "- Postgres runs on port 5433"
FULL = "- PostgreSQL runs on port 5433, behind pgbouncer"
REST = "- Another line that stays here\n"


def test_the_fuller_line_stays_and_the_reason_of_the_other_names_it() -> None:
    result = sleep({"MEMORY.md": f"## Ops\n{SHORT}\n{REST}{FULL}\n"})
    assert result.texts[INDEX] == f"## Ops\n{REST}{FULL}\n"
    (why,) = result.whys
    assert (why.line, why.sign, why.rule, why.moved_to) == (SHORT, "-", "near-duplicate", INDEX)
    assert why.quote == FULL.removeprefix("- ")
    assert counts(result) == {"merged {near-duplicate}": 1}


def test_a_second_dream_has_nothing_to_do() -> None:
    once = dream({"MEMORY.md": f"## Ops\n{SHORT}\n{REST}{FULL}\n- PostgreSQL runs on port 5433.\n"})
    assert once["MEMORY.md"] == f"## Ops\n{REST}{FULL}\n"
    assert dream(once) == once


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("## Web", "## Mail"),
        ("## Service A", "## Service B"),
        ("## Log 2026-01-05", "## Log 2026-01-06"),
        ("## Deploy", "## Deploy staging"),
    ],
)
def test_below_two_headings_they_are_two_facts(one: str, other: str) -> None:
    fact, again = "- Runs on port 8080 by default\n", "- It runs by default on port 8080\n"
    text = f"# Memory\n\n{one}\n{fact}\n{other}\n{again}"
    assert dream({"MEMORY.md": text})["MEMORY.md"] == text


def test_the_index_keeps_its_short_line_of_a_fuller_one_elsewhere() -> None:
    texts = {
        "MEMORY.md": f"# Memory\n\n{SHORT}\n- [General](general.md) — databases\n",
        "general.md": f"# General\n\n{FULL}\n{REST}",
    }
    assert dream(texts) == texts
    texts["MEMORY.md"] = texts["MEMORY.md"].replace(SHORT, FULL)
    texts["general.md"] = texts["general.md"].replace(FULL, SHORT)
    assert dream(texts)["general.md"] == f"# General\n\n{REST}"


@pytest.mark.parametrize(
    ("before", "after", "stays"),
    [
        ("The flat is in Leith (2026-03-01)", "In Leith is the flat (2026-05-01)", 1),
        ("The flat is in Leith", "The flat is in Leith. (2026-05-01)", 1),
        ("Uses a hashed key (2026-03-01)", "It uses a hashed key. (2026-05-01)", 1),
        ("Is fast, deployed it (2026-03-01)", "It is fast, deployed it (2026-05-01)", None),
        ("Ran the relay in Leith (2026-03-01)", "In Leith ran the relay (2026-05-01)", None),
        (
            "The demo is tomorrow at noon (2026-03-01)",
            "Tomorrow at noon is the demo (2026-05-01)",
            None,
        ),
    ],
)
def test_the_newest_day_stays_and_what_was_done_twice_stays_twice(
    before: str, after: str, stays: int | None
) -> None:
    lines = [f"- {before}", f"- {after}"]
    text = f"## Home\n{lines[0]}\n{REST}{lines[1]}\n"
    left = [row for row in dream({"MEMORY.md": text})["MEMORY.md"].split("\n") if row in lines]
    assert left == (lines if stays is None else [lines[stays]])


@pytest.mark.parametrize(
    "text",
    [
        "| Postgres runs on port 5433 |\n|---|\n\nPostgreSQL runs on port 5433\n",
        "```\nPostgres runs on port 5433\n```\n\nPostgreSQL runs on port 5433\n",
        "1. Run the whole suite of tests\n2. Tag it\n3. Run the whole test suite\n",
        "- [x] ship the label renderer today\n- [ ] ship the label renderer, today\n",
        "- ~~Postgres runs on port 5433~~\n- PostgreSQL runs on port 5433\n",
        "- The port is 81. Previously: the port is 80 (2026-01-02)\n- The port is 80\n",
        "- The port is 80. Perhaps no longer: the port is 81 (2026-01-02)\n- The port is 80\n",
    ],
)
def test_tables_code_steps_boxes_and_what_is_past_stay(text: str) -> None:
    assert dream({"MEMORY.md": f"# Memory\n\n{text}"})["MEMORY.md"] == f"# Memory\n\n{text}"


def test_a_line_of_today_goes_for_one_that_also_tells_what_is_past() -> None:
    both = "- The port is 80. Previously: the port is 81 (2026-01-02)\n"
    text = f"# Memory\n\n{both}{REST}- The port is 80\n"
    assert dream({"MEMORY.md": text})["MEMORY.md"] == f"# Memory\n\n{both}{REST}"


def test_what_the_user_wanted_back_stays_and_so_does_a_pinned_note() -> None:
    text = f"## Ops\n{SHORT}\n{REST}{FULL}\n"
    no = Declined(removed={(INDEX, SHORT): "a1b2c3d4e5"})
    assert dream({"MEMORY.md": text}, declined=no)["MEMORY.md"] == text
    texts = {
        "MEMORY.md": f"- [P](pinned.md) — x\n{FULL}\n",
        "pinned.md": f"---\npinned: true\n---\n{SHORT}\n{REST}",
    }
    assert dream(texts) == texts


def test_a_claim_that_stands_in_other_words_is_not_written_again() -> None:
    from dreamd.engine.rules.gather.place_phrase import is_known, phrase

    assert is_known(phrase("Postgres runs on port 5433"), FULL.removeprefix("- "))
    assert not is_known(phrase("Postgres runs on port 5434"), FULL.removeprefix("- "))


def test_two_thousand_lines_take_a_moment() -> None:
    names = ("Ana", "Ben", "Mira", "Noor", "Tomas", "Ilse", "Lena", "Jan", "Paul", "Rosa")
    deeds = ("likes", "owns", "tests", "draws", "paints")
    things = ("the renderer", "the archive", "the heron service", "pottery", "the old boat")
    rows = [
        f"- {names[n % 10]} {deeds[n // 10 % 5]} {things[n // 50 % 5]}, word{n // 7}, thing{n}x"
        for n in range(2000)
    ]
    memory = orient(tree({PurePosixPath("notes.md"): "\n".join(rows) + "\n"}))
    with within(0.3):
        assert near_duplicates(memory, Refusals()) == ()
