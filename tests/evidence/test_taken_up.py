"""What a person took up of an answer: the steps of a plan on one line, the best of its advice."""

from __future__ import annotations

import pytest

from dreamd.evidence.taken_up import taken_up

ASKED = "I bake for the market in Horta and my rye loaves stay flat, what can I do?"
LEAD = "Flat loaves are common. Here are some tips on how to get your rye loaves to rise:"
STEPS = ("Feed the Starter", "Proof Overnight", "Steam the Oven")
PLAN = f"""{LEAD}

### In the evening

1. **Feed the Starter**:
   - Give it two spoons of flour.
2. **Proof Overnight**: Leave the dough in the cellar.

### In the morning

3. **Steam the Oven**: Put a tray of water below the loaves.

Let me know how the market goes!"""
LINE = "To get your rye loaves to rise: Feed the Starter; Proof Overnight; Steam the Oven"
TAKES = "Sounds good, I'll feed the starter tonight and steam the oven with a tray of water."


def lines(reply: str, answer: str = PLAN, before: str = ASKED) -> list[str]:
    return list(taken_up(answer, reply, before))


def test_a_plan_that_was_taken_up_stands_on_one_line_with_what_it_is_for() -> None:
    assert lines(TAKES)[0] == LINE


@pytest.mark.parametrize(
    "reply",
    [
        "How long do I feed the starter, and do I steam the oven with a tray of water?",
        "I don't think that I can steam the oven, and the starter is fed with a tray of water.",
        "Thanks!",
        "My ferry to Pico leaves at noon.",
    ],
    ids=["asks", "rejects", "thanks", "other matter"],
)
def test_a_plan_that_nobody_took_up_is_none(reply: str) -> None:
    assert lines(reply) == []


@pytest.mark.parametrize(
    "lead",
    [
        "Here are some tips on how to get this to work:",  # this what?
        "Here are some tips on how to paint an old rowing boat:",  # nobody spoke of one
        "Here are your options:",
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
