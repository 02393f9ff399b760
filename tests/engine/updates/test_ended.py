"""What is so no longer: the claim is past behind the words that end it, each with its day."""

from __future__ import annotations

import pytest

from dreamd.domain.superseded import DENIED, OPEN, PAST
from tests.engine.updates.told import changes

BACKUPS = "The staging server has backups enabled."
REDIS = "I use Redis for caching the sessions."


@pytest.mark.parametrize(
    ("old", "said"),
    [
        (BACKUPS, "The staging server no longer has backups enabled."),
        (BACKUPS, "The staging server doesn't have backups enabled any more."),
        ("The server runs nightly backups.", "The server has stopped running nightly backups."),
        ("We run nightly backups.", "We don't run nightly backups any longer."),
        ("The billing service uses Redis.", "The billing service isn't using Redis anymore."),
        ("I work at Acme.", "I no longer work at Acme."),
        ("My brother lives in Porto.", "My brother no longer lives in Porto."),
        ("Backups run on the Heron box.", "Backups no longer run on the Heron box."),
        ("We have a backup of the photos.", "There is no longer a backup of the photos."),
    ],
)
def test_what_has_ended_is_past(old: str, said: str) -> None:
    assert changes(old, said) == [f"- {said} (2026-05-11) {PAST}: {old} (2026-04-02)"]


def test_a_plain_not_does_not_say_that_it_has_changed() -> None:
    (row,) = changes(BACKUPS, "The staging server does not have backups enabled.")
    assert f" {DENIED}: " in row
    assert PAST not in row


@pytest.mark.parametrize(
    ("old", "said"),
    [
        (BACKUPS, "The staging server no longer has swap."),
        (BACKUPS, "The production server no longer has backups enabled."),
        (BACKUPS, "If the staging server no longer has backups enabled, we lose data."),
        (BACKUPS, "Why does the staging server no longer have backups enabled?"),
        (BACKUPS, "I want the staging server to no longer have backups enabled."),
        (BACKUPS, "From June the staging server no longer has backups enabled."),
        (BACKUPS, "Ann says the staging server no longer has backups enabled."),
        (BACKUPS, "The staging server has backups enabled for no longer than 5 minutes."),
        (BACKUPS, "The staging server stopped having backups enabled, but I fixed it."),
        ("I wait for the staging server.", "I can no longer wait for the staging server."),
        (REDIS, "I no longer use Redis for queues."),
        (REDIS, "I no longer only use Redis for caching the sessions."),
        (REDIS, "I no longer use Redis for caching the sessions on weekends."),
        (REDIS, "I no longer use Redis for caching the sessions today."),
        (REDIS, "My brother no longer uses Redis for caching the sessions."),
        ("My brother uses Redis for caching.", "I no longer use Redis for caching."),
    ],
)
def test_what_only_sounds_like_an_end_changes_no_line(old: str, said: str) -> None:
    rows = changes(old, said)
    assert not any(word in row for row in rows for word in (PAST, OPEN, DENIED))


@pytest.mark.parametrize(
    "old",
    [
        "We run Kafka in production and NATS on the boats.",
        "We run Kafka in production, with three brokers.",
    ],
)
def test_of_a_claim_that_tells_more_nobody_knows_what_else_has_ended(old: str) -> None:
    (row,) = changes(old, "We no longer run Kafka in production.")
    assert f" {DENIED}: We no longer run Kafka in production." in row
