"""A relative date in a note gets the day it means where the line or what is above settles it."""

from __future__ import annotations

import pytest

from tests.engine.night import counts, dream, sleep

INDEX = "# Memory\n\n- [Notes](notes.md) — x\n"


def dated(line: str, head: str = "") -> str:
    """Return what becomes of a line in a note, below frontmatter or a heading."""
    texts = {"MEMORY.md": INDEX, "notes.md": f"{head}\n{line}\n"}
    after = dream(texts)
    assert after.pop("MEMORY.md") == INDEX
    assert dream({"MEMORY.md": INDEX, **after})["notes.md"] == after["notes.md"]
    return after["notes.md"].removeprefix(f"{head}\n").removesuffix("\n")


@pytest.mark.parametrize(
    ("line", "head", "expected"),
    [
        ("- The mirror broke yesterday. (2026-05-13)", "",
         "- The mirror broke yesterday (2026-05-12). (2026-05-13)"),
        ("- 2026-05-13: the mirror moved two weeks ago.", "",
         "- 2026-05-13: the mirror moved two weeks ago (2026-04-27 to 2026-05-03)."),
        ("- **2026-05-13** — Ida came yesterday, and Olaf left last month.", "",
         "- **2026-05-13** — Ida came yesterday (2026-05-12), and Olaf left last month (2026-04)."),
        ("- Olaf will leave next month.", "## Notes 2026-05-13",
         "- Olaf will leave next month (2026-06)."),
        ("- The lease ends tomorrow.", "# House\n\n## Log (2026-05-13) — kitchen",
         "- The lease ends tomorrow (2026-05-14)."),
        ("- We are painting the hall this week.", "---\nname: x\ndate: 2026-05-13\n---\n",
         "- We are painting the hall this week (2026-05-11 to 2026-05-17)."),
        ("Last night's frost killed the figs.", "## 2026-05-13",
         "Last night's (2026-05-12) frost killed the figs."),
        ("- On Monday the boiler leaked.", "## 2026-05-13: boiler",
         "- On Monday (2026-05-11) the boiler leaked."),
        ("- The roof leaked yesterday.", "### Session 3 May 2026",
         "- The roof leaked yesterday (2026-05-02)."),
    ],
)  # fmt: skip
def test_a_date_beside_or_above_settles_the_day(line: str, head: str, expected: str) -> None:
    assert dated(line, head) == expected


@pytest.mark.parametrize(
    ("line", "head"),
    [
        ("- The mirror broke yesterday.", ""),
        ("- The mirror broke yesterday.", "# Mirrors"),
        ("- The mirror broke yesterday.", "## Release 2026-06-01"),
        ("- The mirror broke yesterday.", "## 2026-06-01 release plan"),
        ("- The mirror broke yesterday.", "## Week 2026-05-11 to 2026-05-17"),
        ("- The mirror broke yesterday.", "## Log May 2026"),
        ("- The mirror broke yesterday.", "---\nname: x\nmodified: 2026-05-13\n---\n"),
        ("- The mirror broke yesterday, 2026-05-04 at the latest.", "## 2026-05-13"),
        ("- The mirror broke yesterday for the third time (2026-05-13)", ""),
        ("- The mirror broke a few days ago and moved yesterday.", "## 2026-05-13"),
        ("- The job removes yesterday's rows.", "## 2026-05-13"),
        ("- Orders from last month are billed on the 3rd.", "## 2026-05-13"),
        ("- The old page returned last month.", "## 2026-05-13"),
        ("- If the mirror broke yesterday, call Ida.", "## 2026-05-13"),
        ("- Nobody should paint tomorrow.", "## 2026-05-13"),
        ('- Ida said "it broke yesterday".', "## 2026-05-13"),
        ("- It writes `broke yesterday` to broke_yesterday.txt.", "## 2026-05-13"),
        ("- We logged it, see [what broke yesterday](https://example.org/a).", "## 2026-05-13"),
        ("- 2026-05-01: kitchen\n  - It leaked yesterday.", "## 2026-05-13"),
        ("The mirror broke\nyesterday in the hall.", "## 2026-05-13"),
        ("```\nit broke yesterday\n```", "## 2026-05-13"),
    ],
)
def test_what_nothing_settles_stays(line: str, head: str) -> None:
    assert dated(line, head) == line


def test_a_daily_note_stays_for_its_name_says_the_day() -> None:
    texts = {"MEMORY.md": INDEX, "notes.md": "x\n", "2026-05-13.md": "- It leaked yesterday.\n"}
    assert dream(texts)["2026-05-13.md"] == texts["2026-05-13.md"]


def test_the_step_and_the_reason_are_said() -> None:
    texts = {"MEMORY.md": INDEX, "notes.md": "## 2026-05-13\n- It leaked yesterday.\n"}
    result = sleep(texts)
    assert counts(result) == {"wrote the day beside {relative date}": 1}
    assert {(why.sign, why.rule) for why in result.whys} == {
        ("-", "relative date"),
        ("+", "relative date"),
    }
