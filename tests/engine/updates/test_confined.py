"""A value of another scope makes nothing past: of a place, a part or a person."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import chain

import pytest

from dreamd.domain.heard import PersonSaid
from dreamd.domain.superseded import OPEN, PAST
from tests.engine.updates.test_planted import became, counted, rows_after
from tests.engine.updates.told import updated
from tests.planted import scope
from tests.planted.updates import Told

OTHER = [
    ("The build takes 12 minutes.", "The build on macOS now takes 4 minutes."),
    ("The build takes 12 minutes.", "On Windows the build now takes 22 minutes."),
    ("The build takes 12 minutes.", "The build takes 3 minutes now with a warm cache."),
    ("Our rent is 900 euros a month.", "The rent of my parents went up to 1200 euros a month."),
    ("Our team has 9 people.", "The team in Berlin now has 4 people."),
    ("We use Postgres 14.", "Our client upgraded to Postgres 16."),
    ("We use Postgres 14.", "The analytics cluster was upgraded to Postgres 16."),
    ("We use Jenkins for CI.", "Our competitor switched from Jenkins to GitHub Actions."),
    ("I take 20 mg of the pill.", "My mother now takes 40 mg of the pill."),
    ("The heating is set to 20 degrees.", "At night the heating is now set to 16 degrees."),
    ("I pay 45 euros for my gym.", "The gym near the office went up to 60 euros."),
    ("The build takes 4 minutes.", "The build now takes 11 minutes via the corporate proxy."),
    ("The build takes 4 minutes.", "The build now takes 9 minutes, Windows only."),
    ("Delivery takes 3 days.", "Delivery from the US warehouse now takes 9 days."),
    ("A haircut costs 30 euros.", "A haircut with a beard trim now costs 45 euros."),
    ("A haircut costs 30 euros.", "After 6 pm a haircut now costs 38 euros."),
    ("The commute takes 35 minutes.", "In the evening the commute takes 55 minutes now."),
    ("The course has 20 people.", "The course taught by Hannes now has 28 people."),
    ("Session timeout is 30 min now.", "The request timeout went from 30 to 60 seconds."),
    (
        "Rate limit: 100 requests per minute",
        "Staging: the rate limit is now 500 requests per minute.",
    ),
    ("Cache TTL: 60 seconds", "Locally I set the cache TTL to 5 seconds."),
    ("Build time: 4 minutes", "With the debug flag, the build time is now 9 minutes."),
    ("Standup: 9:30", "Standup is at 11:00 today."),
    ("Die Küche schließt um 22 Uhr.", "Heute schließt die Küche um 20 Uhr."),
    ("Le bureau ouvre à 8 h.", "Le samedi, le bureau ouvre à 10 h."),
    ("The repo has 48 open issues.", "Across all our repos we're now at 612 open issues."),
    ("Die Miete beträgt 900 Euro.", "Die Miete meiner Eltern beträgt jetzt 1200 Euro."),
    ("Le loyer est de 900 euros.", "Le loyer de mes parents est passé à 1200 euros."),
    ("El alquiler es de 900 euros.", "El alquiler de mis padres subió a 1200 euros."),
]
SAME = [
    ("The build takes 12 minutes.", "Since the new runner the build takes 4 minutes."),
    ("The build takes 12 minutes.", "The build now takes 4 minutes on average."),
    ("Our rent is 900 euros a month.", "With the new contract our rent is 950 euros a month."),
    ("Our rent is 900 euros a month.", "Our rent went up to 950 euros a month as of March."),
    ("Our team has 9 people.", "Now that Ann left our team has 8 people."),
    ("The API timeout is 30 seconds.", "The timeout of the API is now 60 seconds."),
    (
        "The rate limit is 20 requests.",
        "After complaints from users the rate limit is now 50 requests.",
    ),
]


def told(line: str, said: str) -> Told:
    return Told(line, "2026-01-01", said, "2026-03-10")


@pytest.mark.parametrize(("line", "said"), OTHER)
def test_what_is_said_of_another_scope_leaves_a_line_as_it_is(line: str, said: str) -> None:
    assert became(told(line, said)) == ""


@pytest.mark.parametrize(("line", "said"), SAME)
def test_when_why_and_where_it_was_read_are_no_scope(line: str, said: str) -> None:
    assert became(told(line, said)) == PAST


def test_what_a_line_confines_itself_is_left_open() -> None:
    narrower = told("The build on Linux takes 12 minutes.", "The build takes 4 minutes now.")
    assert became(narrower) == OPEN


@pytest.mark.parametrize(("heading", "expected"), [("macOS", True), ("Windows", False)])
def test_a_heading_may_have_named_the_scope(heading: str, expected: bool) -> None:
    below = f"# Notes\n\n## {heading}\n\n- Tests run.\n- The build takes 12 minutes. (2026-01-01)\n"
    at = datetime(2026, 3, 10, tzinfo=UTC)
    said = PersonSaid("The build on macOS now takes 4 minutes.", "5e55", "m1", at, at.date())
    (after,) = updated({"notes.md": below}, [said]).memory.texts.values()
    assert (PAST in after) == expected


def test_of_160_values_of_another_scope_eight_at_most_are_called_past() -> None:
    found = counted(chain(scope.OTHERS_SEEN, scope.OTHERS_HELD))
    assert found.total() == 160
    assert found[PAST] <= 8
    assert found[OPEN] <= 16


def test_of_100_newer_values_in_sentences_of_more_words_three_in_five_are_seen() -> None:
    seen, held = Counter(map(became, scope.SEEN)), Counter(map(became, scope.HELD))
    assert seen.total() == held.total() == 50
    assert seen[PAST] >= 26
    assert held[PAST] >= 22
    assert seen[PAST] + seen[OPEN] + held[PAST] + held[OPEN] >= 64


def test_of_several_sentences_behind_a_label_only_that_of_the_value_is_past() -> None:
    line = "Retention: 30 days. Backups go to S3 in Ireland."
    rows = rows_after(told(line, "The retention was raised to 60 days."))
    assert any(row.endswith("Previously: Retention: 30 days. (2026-01-01)") for row in rows)
    assert "- Backups go to S3 in Ireland. (2026-01-01)" in rows


def test_the_title_of_a_pointer_tells_whose_value_its_hook_gives() -> None:
    said = "The build time of the checkout is down to 3 minutes."
    texts = {
        "MEMORY.md": "- [Checkout](checkout.md) — Build time: 4 minutes\n",
        "checkout.md": "# Checkout\n\n- Build time: 4 minutes (2026-01-01)\n- Tests run.\n",
    }
    at = datetime(2026, 3, 10, tzinfo=UTC)
    after = updated(texts, [PersonSaid(said, "5e55", "m1", at, at.date())]).memory.texts
    assert all(PAST in text for text in after.values())
