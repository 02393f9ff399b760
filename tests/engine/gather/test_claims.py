"""What of a person's words asks to be remembered, by a table and by properties."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.domain.heard import PersonSaid
from dreamd.engine.rules.gather.claim import Claim, Cue, claims
from tests.engine.gather.asked import KEPT, LEFT
from tests.pace import within
from tests.sample import examples


def heard(text: str) -> list[Claim]:
    return list(claims([PersonSaid(text, session="s-1", message="m-1")]))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def stands_in(statement: str, message: str) -> bool:
    """Whether the words of a statement stand in a message, in order with none between them."""
    return f" {' '.join(words(statement))} " in f" {' '.join(words(message))} "


@pytest.mark.parametrize(("message", "cue", "statement"), KEPT, ids=[each[0] for each in KEPT])
def test_what_is_asked_is_kept_in_the_persons_words(message: str, cue: Cue, statement: str) -> None:
    assert [(each.cue, each.statement) for each in heard(message)] == [(cue, statement)]
    assert stands_in(statement, message)


@pytest.mark.parametrize(("reason", "message"), LEFT, ids=[each[1] for each in LEFT])
def test_what_asks_for_nothing_leaves_nothing(reason: str, message: str) -> None:
    assert heard(message) == [], reason


@pytest.mark.parametrize("message", [each[0] for each in KEPT if "\n" not in each[0]])
def test_words_that_count_alone_count_among_others(message: str) -> None:
    alone = [each.statement for each in heard(message)]
    among = heard(
        f"I looked at the logs of the import job.\n\n{message}\n\nCan you fix the parser?"
    )
    assert [each.statement for each in among] == alone


@pytest.mark.parametrize("message", [each[0] for each in KEPT if "\n" not in each[0]])
def test_words_that_a_person_pasted_count_for_nothing(message: str) -> None:
    assert heard(f"> {message}") == []
    assert heard(f"```text\n{message}\n```") == []
    assert heard(f"Here is the page:\n\n{message}") == []
    assert heard(f"<page>\n{message}\n</page>") == []


@pytest.mark.parametrize("message", [each[0] for each in KEPT])
def test_a_statement_says_the_same_when_it_is_said_again(message: str) -> None:
    for first in heard(message):
        again = [each.statement for each in heard(first.statement)]
        assert again in ([], [first.statement])


def test_a_list_under_a_request_to_remember_gives_one_claim_for_each_item() -> None:
    said = heard(
        "Please remember these rules:\n- the queue is called inbox-7\n"
        "- Marta signs off every release\n- it is new\n\nNow list the files in src."
    )
    assert [each.statement for each in said] == [
        "The queue is called inbox-7.",
        "Marta signs off every release.",
    ]
    assert {each.cue for each in said} == {Cue.SAVE}


def test_a_list_under_never_is_not_turned_into_its_opposite() -> None:
    assert heard("Never:\n- commit generated files\n- edit the lock file by hand") == []
    assert heard("Please don't do these things:\n- commit generated files to git") == []


def test_a_paragraph_below_remember_is_kept_up_to_the_blank_line() -> None:
    said = heard("Remember:\nThe staging port is 5433.\n\nThe tests are red.")
    assert [each.statement for each in said] == ["The staging port is 5433."]


def test_a_list_under_another_lead_is_no_request() -> None:
    assert heard("I did these steps:\n- the queue is called inbox-7\n- Marta signs it") == []


def test_a_wrapped_line_is_one_sentence() -> None:
    said = heard("Always name the branch\nafter the ticket it belongs to.")
    assert [each.statement for each in said] == [
        "Always name the branch after the ticket it belongs to."
    ]


def test_the_same_thing_said_twice_is_given_twice() -> None:
    said = [
        PersonSaid("Always use tabs.", "s-1", "m-1"),
        PersonSaid("always use tabs", "s-2", "m-2"),
    ]
    assert [(each.statement, each.said.message) for each in claims(said)] == [
        ("Always use tabs.", "m-1"),
        ("Always use tabs.", "m-2"),
    ]


def test_the_quote_is_the_whole_sentence() -> None:
    message = "Hi. I prefer trains, can you help me plan?  Thanks."
    assert [each.quote for each in heard(message)] == [
        "I prefer trains, can you help me plan?"
    ] or (heard(message) == [])
    [found] = heard("Hi. I prefer night trains, can you\n  help me plan?  Thanks.")
    assert found.quote == "I prefer night trains, can you help me plan?"


def test_a_denial_and_the_fact_after_it_are_quoted_together() -> None:
    [found] = heard("That's not right. Our limit is 50 requests per second. Please try again.")
    assert found.statement == "Our limit is 50 requests per second."
    assert found.quote == "That's not right. Our limit is 50 requests per second."


def test_a_long_text_is_heard_at_its_ends_only() -> None:
    filling = "\n\n".join(f"Chapter {n} tells how they crossed." for n in range(120))
    text = f"Always answer in French.\n\n{filling}\n\nAlways share the keys.\n\n{filling}"
    assert [each.statement for each in heard(text)] == ["Always answer in French."]


def test_a_sentence_too_long_for_a_line_is_left() -> None:
    assert heard("Always " + "check the very long list of things " * 20 + "first.") == []


def test_prose_around_code_is_heard() -> None:
    said = heard(
        "I prefer guard clauses over nesting. Here's what I have:\n"
        "```python\n# always return\n```\n"
        "Never use wildcard imports in this project."
    )
    assert [each.statement for each in said] == [
        "I prefer guard clauses over nesting.",
        "Never use wildcard imports in this project.",
    ]


_PIECES = st.sampled_from(
    [each[0] for each in KEPT]
    + [each[1] for each in LEFT]
    + [
        "\n",
        "\n\n",
        " ",
        ", ",
        ": ",
        "- ",
        "```\n",
        '"',
        "“",
        "> ",
        "<a>\n",
        "。",
        "é",
        "'",
        "*",
        "1. ",
    ]
)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.one_of(_PIECES, st.text(max_size=30)), max_size=12).map("".join))
def test_every_statement_is_a_piece_of_the_message(message: str) -> None:
    for each in heard(message):
        assert stands_in(each.statement, message.replace("\0", ""))
        assert "\n" not in each.statement
        assert each.statement == " ".join(each.statement.split())
        assert 3 <= len(each.statement) <= 401
        assert "[redacted" not in each.statement


@settings(max_examples=examples(100), deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_heard_without_an_error(message: str) -> None:
    heard(message)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(_PIECES, max_size=6).map(" ".join))
def test_what_is_heard_depends_on_the_words_alone(message: str) -> None:
    assert heard(message) == heard(message)


_HARD = {
    "a word": "a", "spaces": " ", "cue": "always ", "preference": "I prefer x, ", "quotes": '"a',
    "apostrophes": " 'a", "ticks": "`a ", "tags": "<a>", "dots": ".", "sentences": "ab. ",
    "numbers": "1. ", "asking": "remember that ", "no": "no, ", "so": "so ", "but": ", but ",
    "every": "every ", "formula": "$a ", "dashes": "— ", "ideographs": "。",
}  # fmt: skip


@pytest.mark.parametrize("unit", _HARD.values(), ids=_HARD)
def test_time_grows_with_the_text(unit: str) -> None:
    line = unit * (200_000 // len(unit))
    short = "\n\n".join([line[:990]] * 4)
    with within(1):
        heard(line)
        heard(short)
        list(claims([PersonSaid(line[:3_900], "s", str(n)) for n in range(5)]))


@pytest.mark.parametrize(
    "told",
    [
        "Remember that the password lives in 1Password under harbor-admin.",
        "Remember that passwords are hashed with argon2id.",
        "Remember that the login page is served from /srv/login-v2/index.html.",
        "Remember that we pin the commit 3f2a9c1d7b8e4f60a1b2c3d4e5f60718293a4b5c.",
        "Remember that the PIN dialog needs 4 digits.",
    ],
)
def test_where_a_password_is_and_what_looks_like_one_may_be_remembered(told: str) -> None:
    assert len(heard(told)) == 1


def test_a_long_sentence_to_be_remembered_is_cut_where_a_clause_begins() -> None:
    racks = [f"rack {n} in hall {n} of the Oslo site holds {n + 6} blades" for n in range(1, 14)]
    (*_, last) = found = heard(f"Remember that {', '.join(racks)}.")
    assert len(found) == 2
    assert all(len(each.statement) <= 401 for each in found)
    text = " ".join(each.statement for each in found).casefold()
    assert all(rack.casefold() in text for rack in racks)
    assert last.statement.endswith("rack 13 in hall 13 of the Oslo site holds 19 blades.")


def test_a_long_sentence_without_a_clause_to_cut_at_leaves_nothing() -> None:
    assert not heard(f"Remember that the boat {'and the old red boat ' * 25}leaks.")
