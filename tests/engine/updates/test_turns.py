"""What people have one of at a time: whatever the words, the newer fact ends the older one."""

from __future__ import annotations

from itertools import chain

import pytest

from dreamd.domain.superseded import OPEN, PAST
from tests.engine.updates.test_planted import counted
from tests.engine.updates.told import changes, memory_of, say, updated
from tests.planted import ordinary

BEGUN = [
    ("I live in Graz", "We've moved to Bern, the boxes are still in the hall."),
    ("I live in Graz", "I moved from Graz to Bern last month."),
    ("I live in Graz", "I live in Bern now."),
    ("Ich wohne in Graz", "Ich bin im April nach Bern gezogen."),
    ("J'habite à Lille", "J'ai déménagé à Metz la semaine dernière."),
    ("Vivo en Gijón", "Me mudé a Cádiz hace dos semanas."),
    ("I work at Ferrum Tools as a welder", "I started my new job at Lumen Craft last week."),
    ("I'm a nurse at Elm Clinic", "I left Elm Clinic for Rose Hospital."),
    ("User works at Ferrum Tools", "My new employer is Lumen Craft."),
    ("We deploy with Jenkins", "We moved our deploys over to Buildkite."),
    ("Our wiki is in Confluence", "We've moved the wiki to Outline."),
    ("Our queue is RabbitMQ", "We now use NATS for our queue."),
    (
        "Unsere Doku liegt in Confluence: Confluence",
        "Wir sind von Confluence zu Outline umgezogen.",
    ),
    ("Usamos RabbitMQ", "Cambiamos la cola de RabbitMQ a NATS."),
    ("We release every two weeks", "We switched to weekly releases."),
    ("I call my aunt every Sunday and write her monthly", "I write her weekly now."),
    ("Backups run weekly", "Backups run daily now."),
    ("Our team is 8 people: 4 engineers and 4 designers", "So we're at 11 people now."),
    ("We are a team of 12", "We're down to 9 people."),
    ("Unser Team hat 6 Leute", "Wir sind jetzt 9 Leute."),
    ("I have two kids", "Our third kid was born yesterday."),
    ("We have one cat", "We adopted a second cat last week."),
    ("My manager is Ines", "Tomasz is my manager now."),
    ("Coverage is at 61%", "Coverage finally got to 78%."),
    ("The launch is on May 4", "Launch slipped to May 18."),
    ("Our wedding is on 3 August", "The wedding is now on 7 September."),
    ("My dog weighs 12 kg", "The vet says the dog is at 14 kg now."),
    ("The model has 150M parameters", "Got the model down to 25M params."),
    ("We have about 8,000 readers", "We've grown to 10K readers."),
    ("The build runs on Node 18", "We're on Node 22 now."),
]


@pytest.mark.parametrize(("old", "said"), BEGUN, ids=[each[1][:36] for each in BEGUN])
def test_what_has_begun_ends_what_was(old: str, said: str) -> None:
    (line,) = changes(old, said)
    assert line.endswith(f"{old} (2026-04-02)")
    assert f" {PAST}" in line


PERHAPS = [
    ("I live in Graz", "I moved to Bern last month."),
    ("I work at Ferrum Tools", "I started at Lumen Craft on Monday."),
    ("Coverage is at 61%", "Test coverage is at 78% now."),
    ("I weigh 84 kg", "I'm down to 79 kg."),
    ("I run 5 km every morning", "I'm up to 8 km every morning now."),
    ("My bench press is 80 kg", "I'm benching 95 kg now."),
    ("Our team has 6 people", "We're nine now."),
    ("The landlord is Mr Abel", "I wrote to the landlord, Ms Quint, about the roof."),
]


@pytest.mark.parametrize(("old", "said"), PERHAPS, ids=[each[1][:36] for each in PERHAPS])
def test_what_may_have_begun_leaves_it_open(old: str, said: str) -> None:
    (line,) = changes(old, said)
    assert f" {OPEN}: {old} (2026-04-02)" in line


KEPT = [
    ("I live in Graz", "I'm in Bern this week."),
    ("I live in Graz", "My brother moved to Bern last month."),
    ("I live in Graz", "I'd love to move to Bern."),
    ("I live in Graz", "I moved to Bern in 2014, then back."),
    ("I live in Graz", "We moved to GitHub last month."),
    ("I live in Graz", "We moved to Zoom for the interview."),
    ("We deploy with Jenkins", "We moved our deploys to Fridays."),
    ("My phone is a Pixel 6", "My work phone is a Pixel 8 now."),
    ("Our test suite takes 12 minutes", "A single test takes 2 minutes now."),
    ("I live in Graz", "I moved to Row 4 of the hall."),
    ("I work at Ferrum Tools", "My wife started her new job at Lumen Craft."),
    ("I work at Ferrum Tools", "I have an interview at Lumen Craft on Monday."),
    ("I work at Ferrum Tools", "I started at 7 this morning."),
    ("I work at Ferrum Tools", "I left Slack for Discord."),
    ("We deploy with Jenkins", "We moved our deploys over to Thursday."),
    ("We deploy with Jenkins", "We should move our deploys over to Buildkite."),
    ("We deploy with Jenkins", "We moved our wiki over to Outline."),
    ("We deploy with Jenkins", "The other team moved their deploys over to Buildkite."),
    ("We release every two weeks", "The newsletter goes out weekly now."),
    ("We release every two weeks", "Would weekly releases be better?"),
    ("I go to the gym twice a week", "I go to the office four times a week now."),
    ("The meeting had 8 people", "We're at 11 people now."),
    ("Our team is 8 people", "We need to be 11 people to ship this."),
    ("Our team is 8 people", "We're at 11 people in the queue now, this bakery is insane."),
    ("Our team is 8 people", "The company is at 40 people now."),
    ("We have two kids", "My sister's third kid was born yesterday."),
    ("We have two kids", "We had a third kid in mind."),
    ("We have one kid", "Our second baby monitor is here."),
    ("My manager is Ines", "Tomasz is my mentor now."),
    ("The seed round was $2M", "We closed Series A! $12M from a fund."),
    ("The nightly backup takes 45 minutes", "The backup of my laptop takes 20 minutes now."),
    ("The cluster has 3 nodes", "The staging cluster is up to 5 nodes."),
    ("I take 50 mg of iron", "My mother is up to 75 mg of iron."),
    ("The launch is on May 4", "In my novel the launch was moved to May 18."),
    ("The launch is on May 4", "The launch was moved to May 18... just kidding."),
    ("The launch is on May 4", "The launch party is on June 2 now."),
    ("My exam is on 12 June", "My exam review got moved to 26 June."),
    ("I weigh 84 kg", "I'm up to 79 kg on the leg press."),
    ("My cat weighs 4 kg", "The dog is at 14 kg now."),
]


@pytest.mark.parametrize(("old", "said"), KEPT, ids=[each[1][:36] for each in KEPT])
def test_another_thing_ends_nothing(old: str, said: str) -> None:
    assert changes(old, said) == []


def test_who_lived_in_two_places_left_the_last_one() -> None:
    (line,) = changes(("I live in Graz", "I live in Linz (2026-04-20)"), "I live in Bern now.")
    assert line == "- I live in Bern now. (2026-05-11) Previously: I live in Linz (2026-04-20)"


def test_nobody_knows_which_of_two_weights_is_meant() -> None:
    assert changes(("I weigh 84 kg", "I lift 60 kg"), "I'm down to 79 kg.") == []


def test_once_more_is_no_change() -> None:
    texts = memory_of("I live in Bern")
    assert updated(texts, [say("I live in Bern now.")]).whys == ()


def test_of_120_ordinary_updates_three_in_four_are_seen() -> None:
    found = counted(chain(ordinary.SEEN, ordinary.HELD))
    assert found.total() == 120
    assert found[PAST] + found[OPEN] >= 96
    assert found[PAST] >= 76


def test_of_162_ordinary_look_alikes_two_at_most_are_called_past() -> None:
    found = counted(chain(ordinary.OTHERS_SEEN, ordinary.OTHERS_HELD))
    assert found.total() == 162
    assert found[PAST] <= 2
    assert found[OPEN] <= 4
