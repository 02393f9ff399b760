"""A share, a limit, a rest or the other side of a thing leaves the whole as it was."""

from __future__ import annotations

import pytest

from dreamd.domain.superseded import PAST
from tests.engine.updates.told import changes

BESIDE = (
    ("Ana owes me 40 euros", "I owe Ana 25 euros now."),
    ("My salary is 62,000 euros", "I want a new job where my salary is 75,000 euros."),
    ("We have 4 shards", "With 8 shards now, how would the reads spread?"),
    ("Our trial is 14 days", "Marketing is considering a trial of 30 days now."),
    ("Leo is 104 cm tall", "Leo's cousin is 112 cm tall now."),
    ("The storage costs $90", "The storage costs $1.20 per user now."),
    ("The bakery sells 200 loaves", "On Saturdays the bakery sells 340 loaves now."),
    ("The price without VAT is 100 euros", "The price with VAT is 119 euros now."),
    ("The old van weighs 2 tons", "The new van weighs 3 tons now."),
    ("The bus has 24 seats", "The bus has 9 seats free now."),
    ("The gym membership costs 40 euros", "For couples the gym membership is now 70 euros."),
    ("The truck weighs 7 tons", "Without the trailer the truck weighs 5 tons now."),
    ("The server has 32 GB of RAM", "I need a server where the RAM is 64 GB."),
    ("Max is 180 cm tall", "Max's brother is 186 cm tall now."),
)
WHOLE = (
    ("Ana owes me 40 euros", "Ana owes me 25 euros now."),
    ("We have 4 shards", "We have 8 shards now, how would the reads spread?"),
    ("Leo is 104 cm tall", "Leo is 112 cm tall now."),
    ("The price with VAT is 100 euros", "The price with VAT is 119 euros now."),
    ("The gym membership costs 40 euros", "The gym membership is now 70 euros."),
)


@pytest.mark.parametrize(("line", "said"), BESIDE, ids=[said for _, said in BESIDE])
def test_what_is_beside_the_older_value_calls_it_nothing(line: str, said: str) -> None:
    assert not any(PAST in row for row in changes(line, said))


@pytest.mark.parametrize(("line", "said"), WHOLE, ids=[said for _, said in WHOLE])
def test_the_same_words_of_the_whole_make_it_past(line: str, said: str) -> None:
    assert any(PAST in row for row in changes(line, said))
