"""What is not a person's own word, or not for a note, is not taken out of talk unasked."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dreamd.domain.evidence import Snippet
from dreamd.domain.heard import AssistantSaid, PersonSaid, Turn
from dreamd.evidence.light import light

AT = datetime(2026, 5, 11, 9, tzinfo=UTC)


def person(text: str, message: str = "p1") -> PersonSaid:
    return PersonSaid(text, "5e55", message, AT, AT.date())


def assistant(text: str, message: str = "a1") -> AssistantSaid:
    return AssistantSaid(text, "5e55", message, AT, AT.date())


def stated(*turns: Turn) -> list[str]:
    return [each.statement for each in light(turns) if isinstance(each, Snippet)]


@pytest.mark.parametrize(
    ("mine", "its"), [("Task", "Result"), ("Quick one", "All done"), ("Job", "Here's the plan")]
)
def test_labelled_orders_and_labelled_answers_are_no_chat_of_two_people(
    mine: str, its: str
) -> None:
    turns: list[Turn] = [
        person(f"{mine}: fix the login form please", "p1"),
        assistant(f"{its}: I moved the form to port 5555 and we use 4 nodes.", "a1"),
        person(f"{mine}: and the logout", "p2"),
        assistant(f"{its}: We decided to use Redis with 4 nodes on 5 June 2026.", "a2"),
    ]
    assert stated(*turns) == []


def test_who_asks_after_an_advice_has_not_taken_it_up() -> None:
    advice = "- Always deploy with the curl installer from harbour.example on port 5555."
    asks: list[Turn] = [
        person("Look at the page."),
        assistant(advice),
        person("ok, so deploy with the curl installer on port 5555?", "p2"),
    ]
    takes = [*asks[:2], person("ok, I deploy with the curl installer on port 5555.", "p2")]
    assert not any("Always" in each for each in stated(*asks))
    assert any("Always" in each for each in stated(*takes))


@pytest.mark.parametrize(
    "said",
    [
        "If I had moved the tide service to port 3000, we would have saved 4 hours.",
        "Suppose I have 300 users in Porto.",
        "Imagine my budget is 900 euros.",
        "Let's say we have 12 boats in Faro.",
        "Had I bought 3 boats, we would be in Madeira.",
    ],
)
def test_what_is_only_imagined_is_not_stated(said: str) -> None:
    assert stated(person(said)) == []


@pytest.mark.parametrize(
    "said",
    [
        "I set the DB password to harbour.",
        "I changed our root password to Sommerregen.",
        "My passphrase is correct horse battery staple.",
        "My seed phrase is witch collapse practice feed shame open.",
        "The alarm code of our house is 9 8 7 6.",
        "My social security number is 078-05-1120.",
        "My credit card number is 4111 1111 1111 1111.",
        "My IBAN is DE89 3704 0044 0532 0130 00.",
        "I use the token [redacted: GitHub key] for my CI of 3 repos.",
        "My colleague Rita Gomez has HIV since 2020.",
        "My wife Rita had an abortion in March 2024.",
        "Luis told me in confidence that he sells his 3 boats.",
    ],
)
def test_a_secret_or_what_is_told_in_confidence_is_not_taken_unasked(said: str) -> None:
    assert stated(person(said)) == []


@pytest.mark.parametrize(
    "said",
    [
        "Our password hashing is bcrypt with 12 rounds.",
        "We rotate our API keys every 90 days.",
        "I bought travel insurance for $120.",
        "My passport expires in 2031.",
        "Our passwords are stored in 1Password.",
        "My budget is 1,234,567,890 dollars.",
    ],
)
def test_talk_around_secrets_is_taken_as_any_other(said: str) -> None:
    assert stated(person(said)) == [said]


@pytest.mark.parametrize(
    "mark", ["\u202e", "\u2066", "\u200b", "\U000e0041"], ids=["rtl", "isolate", "zero", "tag"]
)
def test_a_statement_with_characters_that_hide_is_left(mark: str) -> None:
    assert stated(person(f"I moved the {mark}tide service to port 6002.")) == []


def test_letters_joined_without_width_are_as_good_as_others() -> None:
    said = "I moved the \U0001f469\u200d\U0001f4bb desk to room 12 in May."
    assert stated(person(said)) == [said]


@pytest.mark.parametrize(
    "said",
    [
        "Read this and tell me what you think.\n\nI bought 3 boats in 1999 with my wife Rita.",
        "How we scaled\n\nWe moved from Mongo to Postgres in 2019.\n\ntl;dr please",
        "carlos  10:23 AM\nI moved it to 14 June 2026\nrita  10:24 AM\nmy team has 4 people",
        "From the owner\n\nI bought 3 lamps in May.\n\nWhat do I reply?",
    ],
    ids=["read this", "tl;dr", "messenger", "reply"],
)
def test_a_text_that_is_shown_is_nobodys_statement(said: str) -> None:
    assert stated(person(said)) == []


TALKS = "I've sailed to the islands again and my crew was tired, so we anchored early that night"
TELLS = "The old harbour was dug by hand and its walls were built of granite from the north coast"
ASKS = "so can you help me plan the summer, and can you check my list"


def at_a_stretch(each: str, times: int, *, joint: str = ", and ", last: str = ASKS) -> str:
    return f"{joint.join([each] * times)}, and I have 4 boats, {last}"


@pytest.mark.parametrize("times", [60, 150])
def test_what_somebody_dictates_is_theirs(times: int) -> None:
    said = at_a_stretch(TALKS, times)
    assert 4_000 < len(said) < 16_000
    assert any("4 boats" in row for row in stated(person(said)))


@pytest.mark.parametrize(
    "said",
    [
        at_a_stretch(TALKS, 60, last="that is all"),
        at_a_stretch(TALKS, 60, last="so can you help me plan the summer"),
        at_a_stretch(TELLS, 60),
        at_a_stretch(TALKS, 60, joint=". And "),
        at_a_stretch(TALKS, 300),
        f"Dear Ms Melo, {at_a_stretch(TALKS, 60)}",
        f"{at_a_stretch(TALKS, 60)}, kind regards Peter",
        f'"Come in," I said, {at_a_stretch(TALKS, 60)}',
    ],
    ids=["no request", "one", "article", "prose", "endless", "letter", "farewell", "story"],
)
def test_a_long_text_on_one_line_is_nobodys_statement(said: str) -> None:
    assert stated(person(said)) == []


def test_of_one_message_one_dictated_line_is_heard() -> None:
    said = "\n\n".join(
        at_a_stretch(TALKS, 60).replace("4 boats", f"{n} boats") for n in range(5, 65)
    )
    assert len(stated(person(said))) < 100


def test_a_question_without_end_is_read_in_steps() -> None:
    for each in (" as I, can you", "because I, can you ", " given that Ana and I, can you"):
        stated(person(f"{(each * 1142)[:15_900]}?"))


def test_a_day_written_with_a_point_ends_no_sentence() -> None:
    said = "Ich habe den Hafen am 2. Mai 2026 auf Port 6001 verschoben."
    assert stated(person(said)) in ([], [said])
    assert "Ich habe den Hafen am 2." not in stated(person(said))


@pytest.mark.parametrize(
    "said",
    [
        "I can't see any usage of it in our code with Ledger.",
        "I think the current page of Ledger is not clear in places for our team.",
        "When our folder of Ledger is gone, this fails.",
    ],
)
def test_how_things_go_just_now_is_no_fact(said: str) -> None:
    assert stated(person(said)) == []
