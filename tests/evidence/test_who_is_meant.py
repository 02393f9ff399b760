"""Who a question is about: one who asks is noted, one who is to answer is not."""

from __future__ import annotations

import pytest

from dreamd.evidence.stated import told
from dreamd.evidence.troubles import is_trouble


def stated(sentence: str) -> list[str]:
    return [sentence[each.start : each.end] for each in told(sentence).states]


@pytest.mark.parametrize(
    "sentence",
    [
        "As a lawyer with 20 years in family law, what is your opinion on prenups?",
        "As an AI language model with 128k context, how would you answer this?",
        "With the 3 options above, which is the fastest?",
        "As a customer with 3 orders, I want to see the last one so that I can order again.",
    ],
)
def test_who_is_to_answer_is_not_who_asks(sentence: str) -> None:
    assert stated(sentence) == []


def test_who_asks_is_noted() -> None:
    assert stated("As a nurse with 3 nights a week, how do I sleep?") == [
        "As a nurse with 3 nights a week"
    ]


@pytest.mark.parametrize(
    "sentence",
    ["What if my landlord keeps the 1,500 deposit?", "Can you make my 12 tests run faster?"],
)
def test_what_is_only_asked_of_a_thing_is_never_said_of_it(sentence: str) -> None:
    assert not any(each.startswith("my") for each in stated(sentence))


def test_a_place_in_a_text_counts_nothing() -> None:
    assert is_trouble("I'm having trouble with the parser, and I'm on line 42.")
    assert not is_trouble("I'm having trouble with the parser, and I'm on Rust 1.79.")


@pytest.mark.parametrize(
    "sentence", ["I'm getting the keys on 1 July.", "I don't see my kids on Wednesdays."]
)
def test_what_one_gets_or_sees_is_no_trouble(sentence: str) -> None:
    assert not is_trouble(sentence)
