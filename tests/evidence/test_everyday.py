"""What people tell of themselves in passing is heard; how a piece of work goes just now is not."""

from __future__ import annotations

import pytest

from tests.evidence.test_wanted import person, stated

TOLD = (
    "I'm getting married in June, but we have no venue yet.",
    "I'm getting promoted in April.",
    "I'm getting a dog next week.",
    "I'm seeing a physiotherapist on Tuesdays.",
    "I'm facing a deadline on Friday.",
    "I'm worried about my job, there will be layoffs in July.",
    "I'm happy to say that I passed the bar exam.",
    "I'm glad my son passed his driving test.",
    "I'm pregnant.",
    "I'm left-handed.",
    "I'm vegan.",
    "I use vim.",
    "Our parrot died last week.",
    "My aunt knows Ann.",
    "My son plays the cello.",
    "My mother teaches maths in Graz.",
    "Our landlord raises the rent each May.",
    "Nobody on my team knows Go.",
    "Call me Sam.",
    "With 3 kids I have no time for a second job.",
    "With the help of Anna I moved 30 boxes to Graz.",
    "I'm going to Norway in July.",
    "We're stuck on Java 8 because of a vendor.",
    "Good news: the visa was approved.",
    "I'm encountering a CORS issue, my frontend runs on port 5173.",
)
PASSING = (
    "I'm getting an error when I run the tests.",
    "I'm getting a weird response from the API.",
    "I'm seeing an error in the console.",
    "I'm facing an issue with the parser.",
    "I'm encountering a CORS issue when I call the API.",
    "I'm getting really tired of this.",
    "I'm going to fix the parser.",
    "I'm stuck on this step.",
    "I'm getting NaN in the loss.",
    "I'm going to a new chat.",
    "I'm happy to say my code compiles.",
    "My component renders twice.",
    "Call me Function.render from the constructor.",
    "I'm stuck on Step three.",
    "Good news, it works.",
    "I broke it.",
    "I'm happy with this.",
    "I'm impressed.",
    "Given that today is September 20, 2024, can you help me plan the week?",
    "It's June 3, 2026 today.",
)


@pytest.mark.parametrize("said", TOLD)
def test_what_is_so_of_somebody_is_heard_whole(said: str) -> None:
    assert stated(person(said)) == [said]


@pytest.mark.parametrize("said", PASSING)
def test_how_it_goes_just_now_and_which_day_it_is_are_not(said: str) -> None:
    assert stated(person(said)) == []
