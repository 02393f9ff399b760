"""What is told on nobody's word is no evidence; what somebody says is noted with who says it."""

from __future__ import annotations

import pytest

from dreamd.domain.evidence import Snippet
from dreamd.domain.heard import PersonSaid
from dreamd.engine.rules.gather.claim import claims
from dreamd.evidence.light import light


def stated(text: str) -> list[str]:
    found = light([PersonSaid(text, "s1", "m1")])
    return [each.statement for each in found if isinstance(each, Snippet)]


@pytest.mark.parametrize(
    "said",
    [
        "Apparently we switched from RabbitMQ to Kafka.",
        "I heard our deadline moved to May 3.",
        "I read somewhere that our rent is now $1,000.",
        "Rumour has it our budget is now $4,000.",
        "Our vendor supposedly charges $50 per seat now.",
        "Our deadline is now May 3, or so I've heard.",
        "People say our deadline is now May 3.",
    ],
)
def test_a_rumour_is_no_statement(said: str) -> None:
    assert stated(said) == []


def test_a_rumour_goes_along_with_no_statement_beside_it() -> None:
    own = "Our ward in Ghent has 12 beds."
    assert stated(f"{own} Apparently our vendor now charges $50 per seat.") == [own]
    assert stated(f"Apparently our vendor now charges $50 per seat. {own}") == [own]


@pytest.mark.parametrize(
    "said",
    [
        "Ann said the budget is now $4,000.",
        "My doctor says I should take 20 mg of iron a day.",
        "Apparently I now weigh 78 kg.",
    ],
)
def test_a_word_that_says_whose_it_is_stands_whole(said: str) -> None:
    assert stated(said) == [said]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Apparently, we always run make lint before we commit.", []),
        ("We never push to main directly, or so I heard.", []),
        ("Apparently the staging port is 8081, not 8080.", []),
        ("We never push to main directly.", ["We never push to main directly."]),
        (
            "Remember: apparently the staging port is 8081.",
            ["Apparently the staging port is 8081."],
        ),
    ],
)
def test_a_rumour_is_a_rule_only_where_it_is_asked_to_be_remembered(
    said: str, found: list[str]
) -> None:
    assert [each.statement for each in claims([PersonSaid(said, "s1", "m1")])] == found
