"""What light takes out of talk: what people stated, in their words, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dreamd.domain.evidence import ClaimKind, Query, Snippet
from dreamd.domain.heard import AssistantSaid, PersonSaid, ToolReturned, Turn
from dreamd.evidence.firmness import firmness, kind
from dreamd.evidence.light import light

AT = datetime(2026, 5, 11, 9, tzinfo=UTC)


def person(text: str, message: str = "p1") -> PersonSaid:
    return PersonSaid(text, "5e55", message, AT, AT.date())


def assistant(text: str, message: str = "a1") -> AssistantSaid:
    return AssistantSaid(text, "5e55", message, AT, AT.date())


def stated(*turns: Turn) -> list[str]:
    return [each.statement for each in light(turns) if isinstance(each, Snippet)]


def asked(*turns: Turn) -> list[str]:
    return [each.text for each in light(turns) if isinstance(each, Query)]


STATED = {
    "We deploy to Fly.io in Frankfurt.": ["We deploy to Fly.io in Frankfurt."],
    "I'm on a parser with a deadline of 3 June, can you help me plan it?": [
        "I'm on a parser with a deadline of 3 June."
    ],
    "My landlord raised the rent to 940 euros, so what should I do?": [
        "My landlord raised the rent to 940 euros."
    ],
    "How do I cache this, considering we're on Django 4.2 with Redis 7?": [
        "We're on Django 4.2 with Redis 7."
    ],
    "Is it enough to spend my remaining 225 euros on lenses?": [
        "My remaining 225 euros on lenses."
    ],
    "Hi, I'm Odile. I'm a nurse in Ghent. I keep 14 hens.": [
        "I'm Odile. I'm a nurse in Ghent. I keep 14 hens."
    ],
    "About 60 kilowatts. We measured it at the Delft site in March.": [
        "About 60 kilowatts. We measured it at the Delft site in March."
    ],
    "We bought a Fendt tractor. It needs 9 litres an hour.": [
        "We bought a Fendt tractor. It needs 9 litres an hour."
    ],
    "I've set the timeout to 40 seconds, but I'm not sure if that's wise": [
        "I've set the timeout to 40 seconds."
    ],
    "I'm going with Postgres instead of MySQL.": ["I'm going with Postgres instead of MySQL."],
    "I've moved the launch to 9 June, but I'm wondering whether 12 testers are enough": [
        "I've moved the launch to 9 June."
    ],
    "Can you explain the index, and I've created 3 partial ones on orders?": [
        "I've created 3 partial ones on orders."
    ],
}


@pytest.mark.parametrize(("said", "found"), STATED.items(), ids=list(STATED))
def test_what_a_person_states_is_taken_in_their_words(said: str, found: list[str]) -> None:
    assert stated(person(said)) == found


HEARD_AND_KNOWN = [
    "My doctor said I can swim again from 9 June.",
    "I've heard that the Kestrel tent sleeps 4. I bought it for 210 euros.",
    "I've heard Nadia play the cello at 14 weddings.",
]


@pytest.mark.parametrize("said", HEARD_AND_KNOWN)
def test_what_was_heard_from_somebody_or_goes_with_a_fact_is_taken(said: str) -> None:
    assert stated(person(said)) == [said]


GIVEN_IN_A_QUESTION = {
    "How can I help Ivo raise his Latin mark from 52% to 70% by July, and how do tutors help?": (
        "How can I help Ivo raise his Latin mark from 52% to 70% by July?"
    ),
    "What's the best way to reward Ivo after he swept the yard for 3 hours at the shelter?": (
        "What's the best way to reward Ivo after he swept the yard for 3 hours at the shelter?"
    ),
    "Should the barbecue move, given the rain and the 40 guests?": (
        "Should the barbecue move, given the rain and the 40 guests?"
    ),
}


@pytest.mark.parametrize(("said", "found"), GIVEN_IN_A_QUESTION.items())
def test_a_figure_given_in_a_question_stays_in_the_question(said: str, found: str) -> None:
    assert stated(person(said)) == [found]
    assert found.rstrip("?") in said


@pytest.mark.parametrize(
    "said",
    [
        "How many ways are there to arrange 5 books on a shelf?",
        "What is 12 times 14?",
        "Can you print 3 random words?",
        "Can you sketch a queue with Redis 7.2, I want to see how Flask's routes fit?",
    ],
)
def test_a_figure_that_is_asked_about_is_nobodys(said: str) -> None:
    assert stated(person(said)) == []


LEFT = [
    "Here's my current HTML structure:",
    "I've tried a few different ways, but nothing helps.",
    "I've heard that it is easy to learn.",
    "I've heard that Redis is good at caching.",
    "I've heard of using `tmux` for this.",
    "I have heard that the Kestrel tent sleeps 4.",
    "Run the tests again.",
    "commit this",
    "Now let's do 6, 7 and 8.",
    "Implement 1, 2 and 3.",
    "Can you add a button to the header?",
    "How many lines does parser.py have?",
    "Thanks, that helps a lot!",
    "Thanks for the detailed steps of the Scrum guide!",
    "Sounds good! I'll look at it tomorrow.",
    "I'm getting this error when I start the server: EADDRINUSE",
    "I'm having trouble with the layout.",
    "When I open the page, please show 20 rows.",
    "I'd like to rename the 3 handlers in api.py.",
    "We should also show this in the status line.",
    "I want to make sure that all 12 cases are covered.",
    "It costs 30 euros.",  # what does?
    "The getUser function returns 2 values in three places.",  # nobody's
    "In this branch we changed 4 tests.",
    'My boss wrote: "We ship on 4 July and nobody knows."',
    "Here is the log:\nWe connected to 10.0.0.1 in 40 ms\nWe failed 3 times",
    "> We use Oracle 12 in production.",
    "```\nWe use 4 spaces.\n```",
    "My wifi password is hunter2hunter.",
]


@pytest.mark.parametrize("said", LEFT)
def test_requests_reactions_and_others_words_state_nothing(said: str) -> None:
    assert stated(person(said)) == []


def test_what_a_person_asks_is_kept_as_a_question() -> None:
    said = person("We use Bazel 7. How do I cache the third-party builds?")
    assert asked(said) == ["How do I cache the third-party builds?"]


def test_a_statement_is_a_piece_of_the_message() -> None:
    for said in STATED:
        for each in light([person(said)]):
            if isinstance(each, Snippet):
                assert each.statement[1:].rstrip(".") in said
                assert each.quote in said
                assert (each.session, each.message, each.day) == ("5e55", "p1", AT.date())


def test_a_line_stays_short_enough_to_be_read() -> None:
    said = ", and ".join(f"I've moved the {n} boxes of team {n} to hall {n}" for n in range(60))
    found = stated(person(said))
    assert len(found) > 1
    assert max(map(len, found)) <= 430
    assert all(each.startswith("I've moved") for each in found)


def test_tools_are_never_heard() -> None:
    assert stated(ToolReturned("We deploy 40 times a day.", "5e55", "t1", AT, AT.date())) == []


def test_what_the_assistant_says_by_itself_is_not_heard() -> None:
    turns: list[Turn] = [
        person("Any ideas?"),
        assistant("We could store 30 days of logs in S3."),
        person("Hm."),
    ]
    assert stated(*turns) == []


ADVICE = """Some ideas:

1. **Rotate the crops**: plant beans after barley to restore the nitrogen.
2. **Irrigate**: water at dawn, twice a week.
"""


def test_advice_counts_once_the_person_says_it_in_their_own_words() -> None:
    turns: list[Turn] = [
        person("How do I plan the field?"),
        assistant(ADVICE),
        person("Great, I'll rotate the crops and plant beans after the barley.", "p2"),
    ]
    found = [each for each in light(turns) if isinstance(each, Snippet)]
    line = "Rotate the crops: plant beans after barley to restore the nitrogen."
    assert [(each.statement, each.kind) for each in found] == [(line, ClaimKind.ADVICE)]
    assert (found[0].speaker, found[0].message) == ("assistant", "a1")


LISTED = """## Storage
- **Logs**: rotate nightly and compress.
- **Backups**: keep seven of them offsite in Lisbon.

- Unrelated: paint the fence.
"""


def test_a_list_is_advised_with_its_heading() -> None:
    turns: list[Turn] = [
        person("How do I plan the disks?"),
        assistant(LISTED),
        person("I rotate the logs nightly, compress them and send backups to Lisbon.", "p2"),
    ]
    advice = [each for each in light(turns) if getattr(each, "speaker", "") == "assistant"]
    line = (
        "Storage: Logs: rotate nightly and compress; "
        "Backups: keep seven of them offsite in Lisbon; Unrelated: paint the fence."
    )
    assert [each.statement for each in advice if isinstance(each, Snippet)] == [line]


@pytest.mark.parametrize(("reply", "count"), [("We rotate logs.", 0), ("Great, logs!", 0)])
def test_a_word_or_two_of_the_advice_take_nothing_up(reply: str, count: int) -> None:
    turns: list[Turn] = [person("Disks?"), assistant(LISTED), person(reply, "p2")]
    found = [each for each in light(turns) if getattr(each, "speaker", "") == "assistant"]
    assert len(found) == count


def test_words_of_pasted_code_take_nothing_up() -> None:
    pasted = "Look:\n```\nrotate(logs, nightly); compress(backups, 'offsite', 'Lisbon')\n```"
    turns: list[Turn] = [person("Disks?"), assistant(LISTED), person(pasted, "p2")]
    assert not [each for each in light(turns) if getattr(each, "speaker", "") == "assistant"]


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("I'm Odile, a nurse in Ghent.", "Our ward in Ghent has 12 beds."),
        ("I prefer night shifts in Ghent.", "I work night shifts in Ghent."),
        ("We moved the ward to Ghent.", "I'm trying to move the ward to Ghent."),
        ("The ward in Ghent has 12 beds.", "I've heard that the ward in Ghent has 12 beds."),
        ("Our ward in Ghent has 12 beds.", "Is our ward in Ghent with 12 beds small?"),
    ],
)
def test_what_holds_counts_more_than_what_is_tried_heard_or_asked(more: str, less: str) -> None:
    firm, weak = (firmness(each, kind(each)) for each in (more, less))
    assert 0 < weak < firm <= 1


def test_an_offer_of_more_help_is_no_advice() -> None:
    offer = "If you have any questions on how to rotate crops or plant beans, let me know."
    turns: list[Turn] = [
        person("How do I plan the field?"),
        assistant(f"{ADVICE}\n{offer}"),
        person("Great, I'll rotate the crops and plant beans after the barley.", "p2"),
    ]
    line = "Rotate the crops: plant beans after barley to restore the nitrogen."
    assert stated(*turns) == [line]


@pytest.mark.parametrize(
    "reply",
    [
        "Thanks!",  # accepts nothing in particular
        "No, I don't want to rotate the crops or plant beans after barley.",
        "Ok, but that won't do: rotate crops, beans, barley? That doesn't work here.",
    ],
)
def test_advice_that_was_not_taken_up_does_not_count(reply: str) -> None:
    turns: list[Turn] = [person("How?"), assistant(ADVICE), person(reply, "p2")]
    assert not [each for each in light(turns) if getattr(each, "speaker", "") == "assistant"]


def test_in_a_chat_of_two_people_both_are_heard_by_name() -> None:
    turns: list[Turn] = [
        person("Runa: Hey Tarek! I adopted a greyhound from the shelter in May.", "p1"),
        assistant("Tarek: How lovely, Runa! My sister has 2 whippets.", "a1"),
        person("Runa: Does she run with them?", "p2"),
        assistant("Tarek: We run on Sundays, 8 km along the canal.", "a2"),
    ]
    assert stated(*turns) == [
        "Runa: I adopted a greyhound from the shelter in May.",
        "Tarek: My sister has 2 whippets.",
        "Tarek: We run on Sundays, 8 km along the canal.",
    ]


def test_an_assistant_that_begins_with_a_label_is_no_chat() -> None:
    turns: list[Turn] = [
        person("We rent 3 vans.", "p1"),
        assistant("Summary: My plan has 4 steps.", "a1"),
        person("We return them on 9 May.", "p2"),
        assistant("Summary: I listed 5 risks.", "a2"),
    ]
    assert stated(*turns) == ["We rent 3 vans.", "We return them on 9 May."]


def test_one_message_without_a_name_is_enough_for_no_chat() -> None:
    turns: list[Turn] = [
        person("Runa: We rent 3 vans.", "p1"),
        assistant("Tarek: We own 4 carts.", "a1"),
        person("We return them on 9 May.", "p2"),
        assistant("Tarek: We sold 5 sleds.", "a2"),
    ]
    assert not any("Tarek" in each for each in stated(*turns))


def test_other_scripts_are_concepts_too() -> None:
    (found,) = (each for each in light([person("We rent 3 rooms in 東京駅前.")]))
    assert isinstance(found, Snippet)
    assert "東京" in found.tags


def test_light_gives_the_same_for_the_same_talk() -> None:
    turns = [person(said, f"p{n}") for n, said in enumerate(STATED)]
    assert list(light(turns)) == list(light(turns))
