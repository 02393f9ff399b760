"""What was left for something else: lines that say it is used become past, others do not."""

from __future__ import annotations

import pytest

from tests.engine.updates.told import changes

LEFT = [
    ("We use Figma for all wireframes", "We're migrating the design system from Figma to Penpot."),
    ("Training runs on DeepSpeed", "We switched from DeepSpeed to FSDP last week."),
    ("The API is written in Flask", "I've moved the API from Flask to FastAPI."),
    ("Sessions live in Redis, we use Redis everywhere", "We replaced Redis with Valkey."),
    ("I use npm in the web folder", "We use pnpm instead of npm in the web folder now."),
    ("Deploys go out with Heroku", "We're not using Heroku anymore."),
    ("Our wiki is on Confluence", "We no longer use Confluence, the docs moved to the repo."),
    ("Editor: Sublime", "I've switched from Sublime to Zed."),
]


@pytest.mark.parametrize(("old", "said"), LEFT, ids=[each[1][:36] for each in LEFT])
def test_the_line_that_says_it_is_used_becomes_past(old: str, said: str) -> None:
    (line,) = changes(old, said)
    assert line.endswith(f": {old} (2026-04-02)")
    assert "2026-05-11)" in line.partition(" Previously")[0]


KEPT = [
    ("We use Figma for all wireframes", "Should we switch from Figma to Penpot?"),
    ("We use Figma for all wireframes", "I want to move from Figma to Penpot."),
    ("We use Figma for all wireframes", "We're going to migrate from Figma to Penpot."),
    ("We use Figma for all wireframes", "My friend said they switched from Figma to Penpot."),
    ("We use Figma for all wireframes", "If we switched from Figma to Penpot, who would pay?"),
    ("We use Figma for all wireframes", "We have not switched from Figma to Penpot."),
    ("We use Figma for wireframes", "For slides we switched from Figma to Keynote for slides."),
    ("Figma costs $15 a seat", "We switched from Figma to Penpot."),
    ("We chose Penpot instead of Figma", "We switched from Figma to Penpot."),
    (
        "The production database runs on Oracle",
        "We moved the staging database from Oracle to MySQL.",
    ),
    ("The bus goes from Ulm to Bern", "We moved the party from Ulm to Bern."),
    ("We deploy to Fly on Fridays", "I moved from home to school."),
    ("The graph changes from weak to strong", "Their tone changed from weak to strong."),
]


@pytest.mark.parametrize(("old", "said"), KEPT, ids=[each[1][:36] for each in KEPT])
def test_what_nobody_left_stays(old: str, said: str) -> None:
    assert changes(old, said) == []


def test_a_switch_that_the_next_sentence_takes_back_changes_nothing() -> None:
    said = "We switched from Figma to Penpot for the wireframes. Actually no, we reverted that."
    assert changes("We use Figma for all wireframes", said) == []
    assert changes("We use Figma for all wireframes", said.partition(" Actually")[0]) != []
