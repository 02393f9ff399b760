"""Every note that no reader comes to gets a pointer in the index, in the index's own style."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Declined
from dreamd.domain.settings import Budget
from dreamd.text.markdown.pointers import unreachable
from tests.engine.night import counts, dream, sleep

LOST = "---\nname: ports\ndescription: which port is whose\n---\n\n# Ports and hosts\n\ntext\n"
LINE = "[Ports and hosts](ports.md) — which port is whose"


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ("- [A](a.md) — x\n\nend\n", f"- [A](a.md) — x\n- {LINE}\n\nend\n"),
        ("* [A](a.md): x\n", f"* [A](a.md): x\n* {LINE.replace(' — ', ': ')}\n"),
        ("1. [A](a.md) - x", f"1. [A](a.md) - x\n1. {LINE.replace(' — ', ' - ')}\n"),
        ("- [A](a.md)\r\n", f"- [A](a.md)\r\n- {LINE}\r\n"),
        (
            "# M\n\n## S\n\n- a [A](a.md)\n",
            f"# M\n\n## S\n\n- a [A](a.md)\n\n## Topics\n\n- {LINE}\n",
        ),
        ("- a [A](a.md)\n", f"- a [A](a.md)\n- {LINE}\n"),
        ("see [A](a.md)\n\n```\nopen", f"see [A](a.md)\n\n- {LINE}\n\n```\nopen"),
    ],
)
def test_a_pointer_comes_after_the_last_one_in_its_style(index: str, expected: str) -> None:
    texts = {"MEMORY.md": index, "a.md": "text\n", "ports.md": LOST}
    assert dream(texts)["MEMORY.md"] == expected


def test_an_index_is_made_only_where_there_is_something_to_point_to() -> None:
    assert dream({"ports.md": LOST})["MEMORY.md"] == f"# Memory\n\n- {LINE}\n"
    assert "MEMORY.md" not in dream({})
    assert "MEMORY.md" not in dream({"logs/2026/01/05.md": "text\n", "notes.txt": "text\n"})


def test_what_a_note_reaches_needs_no_pointer_of_its_own() -> None:
    texts = {
        "MEMORY.md": "",
        "a.md": "see [[b]]\n",
        "b.md": "see [[a]] and [[c]]\n",
        "c.md": "text\n",
    }
    after = {PurePosixPath(name): text for name, text in dream(texts).items()}
    assert unreachable(after) == ()


@pytest.mark.parametrize("said", ["We moved it yesterday", "key AKIA2Q7VTR4KXW9PLMZD is in use"])
def test_a_hook_holds_no_secret_and_no_yesterday(said: str) -> None:
    texts = {"MEMORY.md": "# M\n", "ports.md": f"# Ports\n\n{said}.\n"}
    assert dream(texts)["MEMORY.md"] == "# M\n\n- [Ports](ports.md)\n"


def test_a_hostile_name_gets_a_pointer_that_leads_to_it() -> None:
    names = [
        "a](b).md",
        "line\nbreak.md",
        "~home.md",
        "100%.md",
        "a#b?.md",
        "x y/z (1).md",
        "<t>.md",
    ]
    texts = dict.fromkeys(names, "Some text here.\n")
    after = {PurePosixPath(name): text for name, text in dream(texts).items()}
    assert unreachable(after) == ()
    index = after[PurePosixPath("MEMORY.md")]
    assert len(index.split("\n")) == len(names) + 3


def test_very_many_lost_notes_are_all_reached_and_the_index_keeps_its_limit() -> None:
    texts = {f"note-{n:03}.md": f"# Note {n}\n\nText of it.\n" for n in range(60)}
    texts["MEMORY.md"] = "# M\n\n" + "- a fact that stays\n" * 15
    budget = Budget(index_lines=40)
    after = dream(texts, budget=budget)
    assert len(after["MEMORY.md"].splitlines()) <= 40
    assert unreachable({PurePosixPath(name): text for name, text in after.items()}) == ()
    assert dream(after, budget=budget) == after


def test_a_pointer_the_user_did_not_want_does_not_come_back() -> None:
    texts = {"MEMORY.md": "# M\n", "ports.md": LOST, "other.md": "Other text.\n"}
    no = Declined(added={(PurePosixPath("MEMORY.md"), f"- {LINE}"): "a1b2c3d4e5"})
    assert dream(texts, declined=no)["MEMORY.md"] == "# M\n\n- [Other](other.md) — Other text.\n"


def test_the_report_counts_them() -> None:
    result = sleep({"MEMORY.md": "# M\n", "a.md": "x\n", "b.md": "y\n"})
    assert counts(result) == {"pointed to {unreachable note}": 2}


def test_a_diary_beside_the_notes_is_told_nowhere() -> None:
    texts = {"MEMORY.md": "- [A](a.md) — x\n", "a.md": "# A\n\nOne thing.\n"}
    texts["DREAMS.md"] = "# Dreams\n\nI saw that heron listens on port 4444.\n"
    assert dream(texts) == texts
