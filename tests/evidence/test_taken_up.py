"""What a person took up of an answer: the steps of a plan on one line, the best of its advice."""

from __future__ import annotations

import pytest

from dreamd.evidence.taken_up import taken_up

ASKED = "I bake for the market in Horta and my rye loaves stay flat, what can I do?"
LEAD = "Flat loaves are common. Here are some tips on how to get your rye loaves to rise:"
STEPS = ("Feed the Starter", "Cover the Dough", "Steam the Oven")
PLAN = f"""{LEAD}

### In the evening

1. **Feed the Starter**:
   - Give it two spoons of flour.
2. **Cover the Dough**: Leave it in the cellar overnight.

### In the morning

3. **Steam the Oven**: Put a tray of water below the loaves.

Let me know how the market goes!"""
LINE = "To get your rye loaves to rise: Feed the Starter; Cover the Dough; Steam the Oven"
TAKES = "Sounds good, I'll feed the starter tonight and steam the oven with a tray of water."


def lines(reply: str, answer: str = PLAN, before: str = ASKED) -> list[str]:
    return list(taken_up(answer, reply, before))


@pytest.mark.parametrize("mark", ["'", "\u2019"])
def test_a_plan_that_was_taken_up_stands_on_one_line_with_what_it_is_for(mark: str) -> None:
    assert lines(TAKES.replace("'", mark))[0] == LINE


def test_the_month_of_may_doubts_nothing() -> None:
    assert LINE in lines(f"{TAKES} The market is in May.")
    assert LINE not in lines(f"{TAKES} I may cover the dough.")


def test_a_plan_is_turned_down_with_any_mark() -> None:
    assert LINE not in lines(f"{TAKES} I won\u2019t cover the dough.")


NOT_TAKEN = {
    "asks": "How long do I feed the starter, and do I steam the oven with a tray of water?",
    "rejects": "I don't think that I can steam the oven, or feed the starter with a tray of water.",
    "thanks": "Thanks!",
    "other matter": "My ferry to Pico leaves at noon.",
    "another way": "Thanks, but I'll go another way: no starter, no tray of water in the oven.",
    "skips": "Great, I'll skip the starter, cover the dough, and use no tray of water.",
    "in part": "Great, I'll feed the starter and steam the oven. The rest isn't for me.",
    "unwell": "Thanks, I'm allergic to flour, the starter and the oven tray of water smell.",
    "tried": "Thanks! I tried it: fed the starter, steamed the oven, a tray of water.",
    "doubts": "Okay, maybe I'll feed the starter, and might steam the oven with a tray of water.",
    "somebody": "Great, my aunt feeds her starter twice and steams the oven with a tray of water.",
    "off topic": "Sounds great! Separate thing: I'll feed the cat, cover the oven tray in flour.",
    "one step": "Sounds good, I'll steam the oven with a tray of water.",
}


@pytest.mark.parametrize("reply", NOT_TAKEN.values(), ids=NOT_TAKEN)
def test_a_plan_that_nobody_took_up_is_none(reply: str) -> None:
    assert LINE not in lines(reply)


@pytest.mark.parametrize(
    "lead",
    [
        "Here are some tips on how to get this to work:",  # this what?
        "Here are some tips on how to paint an old rowing boat:",  # nobody spoke of one
        "Here are your options:",
        "Here are three reasons not to get your rye loaves to rise:",
        "Here are some tips on how not to get your rye loaves to rise:",
        "Here are common mistakes that lead to your rye loaves being flat:",
        "Here are alternatives to rye loaves for your market:",
        "Here's what I changed to get your rye loaves to rise:",
        "Some thoughts.",
    ],
)
def test_a_plan_whose_aim_says_nothing_alone_is_no_line(lead: str) -> None:
    assert LINE not in lines(TAKES, PLAN.replace(LEAD, lead))
    assert not any(each.startswith("To ") for each in lines(TAKES, PLAN.replace(LEAD, lead)))


@pytest.mark.parametrize(("count", "is_plan"), [(2, False), (3, True), (8, True), (9, False)])
def test_a_plan_has_some_steps_and_not_many(count: int, *, is_plan: bool) -> None:
    steps = [
        f"{n}. **Feed Starter {'ABCDEFGHI'[n - 1]}**: with a tray" for n in range(1, count + 1)
    ]
    found = lines(TAKES, "\n".join((LEAD, "", *steps)))
    assert any(each.startswith("To get your rye") for each in found) == is_plan


@pytest.mark.parametrize(
    "rows",
    [
        ["Heron", "Kestrel", "Petrel"],  # names, of which one is chosen
        ["Old Flour", "Cold Dough", "Dry Oven"],  # causes
        ["Feed the Starter", "What is a starter?", "Steam the Oven"],
        ["Day 1", "Day 2", "Day 3"],
        ["Feed the Starter", "Cover the Dough", "Optional"],
    ],
    ids=["names", "causes", "questions", "days", "optional"],
)
def test_what_tells_nobody_to_do_anything_is_no_step(rows: list[str]) -> None:
    body = [f"{n}. **{row}**: the starter, the oven and a tray" for n, row in enumerate(rows, 1)]
    assert not any(each.startswith("To ") for each in lines(TAKES, "\n".join((LEAD, "", *body))))


def test_two_lists_or_one_with_a_gap_are_no_plan() -> None:
    twice = PLAN.replace("3. **Steam", "1. **Steam")
    gap = PLAN.replace("2. **Cover the Dough**:", "2. Leave the dough covered over night, since")
    assert not any(each.startswith("To ") for each in lines(TAKES, twice))
    assert not any(each.startswith("To ") for each in lines(TAKES, gap.replace("3.", "4.")))


def test_a_time_does_not_end_a_head() -> None:
    timed = PLAN.replace("**Cover the Dough**", "**Cover the Dough at 6:30**")
    assert any("Cover the Dough at 6:30;" in each for each in lines(TAKES, timed))


def test_no_word_of_a_plan_is_the_line_s_own() -> None:
    (line, *_) = lines(TAKES)
    aim, heads = line.removeprefix("To ").split(": ")
    assert aim in LEAD
    assert tuple(heads.split("; ")) == STEPS


@pytest.mark.parametrize(
    "begins",
    ["That plan sounds good to me.", "These tips are really helpful!", "Hmm, okay."],
)
def test_an_answer_is_accepted_in_many_ways(begins: str) -> None:
    advice = "- Feed the starter twice a week with spelt flour."
    assert lines(f"{begins} I'll feed the starter with spelt.", advice) == [advice[2:]]
    assert lines("I'll think. I feed the starter with.", advice) == []


def test_other_forms_of_a_word_are_the_word() -> None:
    advice = "Follow Up: Consider sending a thank-you note or an email summarizing the talk."
    reply = "Great, I'll write her a follow-up to thank her and summarize it."
    assert lines(reply, f"- {advice}", "I met Ines.") == [advice]


@pytest.mark.parametrize(
    "row",
    [
        '"Dear Ines, I feed the starter with spelt flour since the market in May."',
        'You: "I feed the starter with spelt flour since the market in May."',
        'Ines: "I feed the starter with spelt flour since the market in May."',
        "Me: I feed the starter with spelt flour since the market in May.",
    ],
    ids=["letter", "you", "name", "me"],
)
def test_a_dialogue_that_an_answer_makes_up_is_no_advice(row: str) -> None:
    reply = "Thanks, I'll feed the starter with spelt flour for the market."
    assert lines(reply, f"- {row}", "I met Ines.") == []


def test_of_one_answer_come_its_outline_and_the_two_best_pieces() -> None:
    rows = [f"- Feed the starter {n} times with spelt flour at the market." for n in range(2, 9)]
    reply = "Great, I'll feed the starter with spelt flour for the market."
    assert len(lines(reply, "\n".join(rows), "I met Ines.")) == 2
    (first, *rest) = lines(reply, "\n".join((PLAN, *rows)), ASKED)
    assert first == LINE
    assert len(rest) == 2


CACHE = "What should I take for the cache?"
ADVISED = (
    "I recommend Redis for the cache of the API. Also consider Memcached for the cache of the"
    " sessions. Set the TTL of the cache to 10 minutes."
)
OPTIONS = """Here are three options for the session cache:

1. **Redis**: keeps the sessions of the API cache across restarts with a snapshot.
2. **Memcached**: a simpler session cache of the API without restarts or snapshots.
3. **Hazelcast**: a session cache of the API inside the JVM, with a snapshot on restarts."""


def test_another_option_and_what_the_assistant_recommends_as_i_are_not_taken_up() -> None:
    reply = "OK, let's go with Redis for the cache of the API sessions, and a TTL of 10 minutes."
    assert lines(reply, ADVISED, CACHE) == ["Set the TTL of the cache to 10 minutes."]


def test_another_option_is_taken_up_where_the_reply_names_it() -> None:
    reply = "OK, I'll take Memcached for the cache of the sessions, with a TTL of 10 minutes."
    (line,) = lines(reply, ADVISED, CACHE)
    assert line.startswith("Also consider Memcached")


def test_of_several_options_only_the_one_that_the_reply_names_counts() -> None:
    reply = "Great, let's go with Redis: sessions survive restarts of the API, with a snapshot."
    (line,) = lines(reply, OPTIONS, CACHE)
    assert line.startswith("Redis: ")
    both = "Sounds good, I'll compare the session caches by snapshot and restarts of the API."
    assert len(lines(both, OPTIONS, CACHE)) == 2


def test_of_what_the_assistant_recommends_doing_the_deed_stays() -> None:
    advice = "I recommend using a sourdough starter from the freezer for the rye loaves."
    reply = "Sounds good, I'll use the sourdough starter from the freezer."
    assert lines(reply, advice) == [
        "Using a sourdough starter from the freezer for the rye loaves."
    ]
