"""Which sentences give a line a newer value, and which only look as if they did."""

from __future__ import annotations

import pytest

from tests.engine.updates.told import changes

NEWER = [  # old line, what is said, the value that is new
    ("The monthly rent of the studio is $900", "The rent of the studio went up to $950.", "$950"),
    ("The monthly hosting budget is €40", "We raised the monthly hosting budget to €55", "€55"),
    ("Our hourly consulting rate is $80", "Our hourly consulting rate is now $95.", "$95"),
    ("The grant for the museum is £12,000", "The museum grant was cut to £9,500.", "£9,500"),
    ("The cache holds 200 entries", "I increased the cache to 500 entries.", "500"),
    ("Our choir has 24 singers", "The choir has grown to 31 singers since the concert", "31"),
    ("The quiz has 12 questions", "The quiz now has 15 questions, so it takes longer.", "15"),
    ("The team has 6 developers", "We've grown the team to 9 developers.", "9"),
    ("The book club has 18 members", "The book club now has 22 members.", "22"),
    ("Session tokens expire after 30 minutes", "Session tokens now expire after 45 minutes.", "45"),
    ("The nightly export takes 25 minutes", "The nightly export dropped to 11 minutes.", "11"),
    (
        "The search endpoint answers in 340ms",
        "After the index, the search endpoint went down to 120ms.",
        "120ms",
    ),
    ("The trial period is 14 days", "We extended the trial period to 30 days.", "30"),
    ("Test coverage of the importer is 71%", "Coverage of the importer reached 84%.", "84%"),
    ("The discount for members is 10%", "The discount for members was raised to 15%.", "15%"),
    ("The humidity in the cellar is at 62%", "Humidity in the cellar is down to 55%.", "55%"),
    (
        "The deadline for the tax form is June 1",
        "The tax form deadline moved to June 15.",
        "June 15",
    ),
    (
        "The launch of the podcast is planned for May 20",
        "We pushed the podcast launch back to June 3.",
        "June 3",
    ),
    (
        "The dentist appointment is on 2026-05-18",
        "My dentist appointment was rescheduled to 2026-05-27.",
        "2026-05-27",
    ),
    (
        "The review meeting is on 12 May",
        "The review meeting was moved from 12 May to 19 May.",
        "19 May",
    ),
    (
        "I have to hand in the thesis draft by June 10",
        "I'm worried I won't meet the new June 24 deadline for the thesis draft",
        "June 24",
    ),
    ("Standup is at 9:30", "Standup moved to 10:15 because of the trains.", "10:15"),
    ("We are on Postgres 14.2.1", "We upgraded to Postgres 16.1.0 last night.", "16.1.0"),
    ("The app uses Django v4.2", "I've upgraded Django to v5.0, and the tests pass.", "v5.0"),
    ("The Docker image is 480MB", "I managed to reduce the Docker image to 210MB.", "210MB"),
    ("The upload limit is 25MB", "The upload limit was raised from 25MB to 40MB.", "40MB"),
    (
        "The weekly running goal is 20 km",
        "I've extended my weekly running goal to 28 km, so I need new shoes",
        "28",
    ),
    (
        "The greenhouse thermostat is set to 18 degrees",
        "I changed the greenhouse thermostat to 21 degrees.",
        "21",
    ),
    ("The alarm timeout is 90 seconds", "The alarm timeout is 60 seconds now, not 90.", "60"),
    (
        "The workshop has room for 16 people",
        "We can use the hall, so the workshop now has room for 40 people.",
        "40",
    ),
    (
        "I want to raise the article output of the team by 20%",
        "I want to raise the article output of the team by 25%",
        "25%",
    ),
    (
        "My Zotero library has 45 sources tagged by theme",
        "My Zotero library has now reached 52 sources.",
        "52",
    ),
    (
        "The newsletter goes to 1,200 subscribers",
        "The newsletter has reached 1,350 subscribers, how do I thank them?",
        "1,350",
    ),
    (
        "Backups are kept for 7 days",
        "Given that we extended how long backups are kept to 21 days, do we need more disk?",
        "21",
    ),
    ("The wedding has 80 guests", "The number of wedding guests increased to 95.", "95"),
    (
        "Our monthly budget for books is $35",
        "I'm going to spend our increased monthly book budget of $50 on a new series",
        "$50",
    ),
    (
        "How can I help Tom, whose recent geometry test score was 68%, with his homework?",
        "Is a 72% score on his recent geometry test good enough for Tom?",
        "72%",
    ),
    ("Our weekly seed order is $60", "How do I get more out of our weekly $75 seed order?", "$75"),
    ("The bread course is on Tuesday", "The bread course was moved to Thursday.", "Thursday"),
    ("The tram ticket costs €2.80", "The tram ticket went up to €3.20 from €2.80.", "€3.20"),
    (
        "The garden path is 14 meters long",
        "We extended the garden path to a full 19 meters.",
        "19",
    ),
    ("The dinner is on May 20", "The dinner was rescheduled for Friday, May 22.", "May 22"),
]


@pytest.mark.parametrize(("old", "said", "new"), NEWER, ids=[each[1][:40] for each in NEWER])
def test_a_newer_value_stands_and_the_older_words_become_past(
    old: str, said: str, new: str
) -> None:
    (line,) = changes(old, said)
    now, _, past = line.partition(" Previously")
    assert new in now
    assert "2026-05-11)" in now
    assert past.endswith(f": {old} (2026-04-02)")


TRAPS = [
    # questions, plans, suppositions, wishes, examples
    ("The upload limit is 25MB", "Should we raise the upload limit to 40MB?"),
    ("The upload limit is 25MB", "I want to raise the upload limit to 40MB."),
    ("The upload limit is 25MB", "We could raise the upload limit to 40MB."),
    ("The upload limit is 25MB", "If we raised the upload limit to 40MB, uploads would fail."),
    ("The upload limit is 25MB", "I'm thinking of raising the upload limit to 40MB."),
    ("The upload limit is 25MB", "Can you raise the upload limit to 40MB?"),
    ("The upload limit is 25MB", "What happens when the upload limit is raised to 40MB?"),
    ("The upload limit is 25MB", "Maybe the upload limit should be increased to 40MB."),
    ("The upload limit is 25MB", "Suppose the upload limit is now 40MB."),
    ("The upload limit is 25MB", "How do I change the upload limit to 40MB?"),
    ("The upload limit is 25MB", "We plan to extend the upload limit to 40MB next month."),
    ("The upload limit is 25MB", "Let's say the upload limit was raised to 40MB."),
    ("The upload limit is 25MB", "I hope to get the upload limit raised to 40MB."),
    ("The trial period is 14 days", "I'd like the trial period extended to 30 days."),
    ("The trial period is 14 days", "Please help me explain why the trial period went to 30 days"),
    ("The rent of the studio is $900", "I asked whether the rent of the studio rose to $950."),
    ("The rent of the studio is $900", "They might increase the rent of the studio to $950."),
    # denials and what was so before
    ("The upload limit is 25MB", "The upload limit has not been raised to 40MB."),
    ("The upload limit is 25MB", "We never raised the upload limit to 40MB."),
    ("The upload limit is 25MB", "The upload limit was originally raised to 40MB."),
    ("The upload limit is 25MB", "Last year the upload limit was raised to 40MB."),
    ("The trial period is 14 days", "The trial period used to be extended to 30 days."),
    ("The trial period is 14 days", "Two years ago we extended the trial period to 30 days."),
    # hearsay and others' words
    ("The upload limit is 25MB", "The docs say the upload limit was raised to 40MB."),
    ("The upload limit is 25MB", "I read that the upload limit was raised to 40MB."),
    ("The upload limit is 25MB", "My boss said: the upload limit was raised to 40MB."),
    ("The upload limit is 25MB", 'It printed "the upload limit was raised to 40MB".'),
    ("The upload limit is 25MB", "He wrote `upload limit raised to 40MB` in the log."),
    # another scope of the same name
    ("The upload limit is 25MB", "The download limit was raised to 40MB."),
    ("The weekly running goal is 20 km", "My monthly running goal went up to 90 km."),
    ("The first sprint ends on May 8", "The second sprint moved to May 22."),
    ("The deadline of sprint 1 is May 8", "The deadline of sprint 2 moved to May 22."),
    ("The staging database has 4 replicas", "The production database now has 6 replicas."),
    ("The minimum order is 10 boxes", "The maximum order was raised to 50 boxes."),
    ("Heap usage is at 180MB", "Disk usage has reached 220MB."),
    ("Redis memory usage is at 90MB", "Postgres memory usage has reached 220MB."),
    ("The chore completion rate is 80%", "The homework completion rate reached 95%."),
    ("The search endpoint answers in 340ms", "The login endpoint improved to 120ms."),
    (
        "Latency is at 95ms under 50 concurrent users",
        "Latency has dropped to 60ms under 10 concurrent users.",
    ),
    ("The morning run is 5 km", "The evening run has grown to 8 km."),
    ("The summer discount is 10%", "The winter discount was raised to 15%."),
    ("Chapter 3 has 4,000 words", "Chapter 5 has now reached 4,700 words."),
    ("The adult ticket is $12", "The child ticket was raised to $8."),
    # another person
    ("My monthly savings are $300", "Her monthly savings went up to $450."),
    ("My hourly rate is $80", "My brother's hourly rate was raised to $95."),
    ("Scott's screen time is 2 hours", "Michelle's screen time went up to 3 hours."),
    # events: what was done is done
    ("I spent $43 on books in January", "I spent $60 on books in April."),
    ("I ran 10 km on Sunday", "I ran 14 km by the river."),
    ("I completed 5 exercises on sequences", "I completed 7 exercises on sequences."),
    ("I bought 3 tomato plants for the balcony", "I bought 5 tomato plants for the balcony."),
    ("I met Jonas at the library on April 8", "I met Jonas at the library on May 9."),
    # a goal is not where one stands
    ("The goal is 85% coverage of the importer", "Coverage of the importer reached 78%."),
    # a step is no value
    ("The discount for members is 10%", "The discount for members increased by 5%."),
    ("The nightly export takes 25 minutes", "The nightly export improved by 11 minutes."),
    # another unit or kind
    ("The Docker image is 480MB", "The Docker image now has 12 layers."),
    ("The workshop has room for 16 people", "The workshop was extended to 3 days."),
    ("The team has 6 developers", "The team budget was raised to $9,000."),
    # what was said to be before is another value
    ("The quiz score in geometry is 75%", "My quiz score improved from 82% to 94%."),
    ("The upload limit is 25MB", "The avatar limit was raised from 2MB to 4MB."),
    # another thing that shares a common word
    ("The garden shed costs $400", "The garden party budget was raised to $650."),
    ("The archive has 12 folders", "The photo project has grown to 30 folders."),
    ("The launch of the podcast is on May 20", "The launch of the shop moved to June 3."),
    ("The port of the mail relay is 2525", "The port of the metrics server is now 9100."),
    ("Node.js is at v18.15.0", "I upgraded Express to v4.18.3."),
    # a thing of its own
    ("Our garden path is 14 meters long", "A friend has a garden path of 19 meters."),
    ("My walk to work takes 20 minutes", "What would a walk of 35 minutes do for me?"),
    ("The bread course is on Tuesday", "The cheese course was moved to Thursday."),
    # the same value
    ("The upload limit is 40MB", "The upload limit was raised to 40MB."),
    ("The app uses Python 3.11.2", "I upgraded the app to Python 3.11."),
    ("The deadline is 2026-06-15", "The deadline moved to June 15."),
    # what the line says of the past is past already
    ("The upload limit was 25MB until 2025, previously 10MB", "The upload limit went up to 40MB."),
]


@pytest.mark.parametrize(("old", "said"), TRAPS, ids=[each[1][:44] for each in TRAPS])
def test_what_only_looks_like_a_newer_value_changes_nothing(old: str, said: str) -> None:
    assert changes(old, said) == []
