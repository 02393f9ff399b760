"""In coding notes: another thing keeps its value, and no line is cut where a sentence goes on."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from dreamd.domain.superseded import PAST
from tests.engine.updates.told import INDEX, changes, memory_of, say, updated

RAISED = "The upload limit of the gallery was raised to 40MB."
LIMIT = "The upload limit of the gallery is 25MB"
OTHERS = (
    ("The upload limit of the archive is 25MB", RAISED),
    ("pay-service: timeout 30s, 3 replicas", "The timeout of auth-service was raised to 60s."),
    ("Docker image of the worker is 480 MB", "The docker image of the web client is 210 MB now."),
    ("Postgres listens on port 5432", "Redis now listens on port 6380."),
    ('The error page says "upload limit of the gallery is 25MB" in red', RAISED),
    ("Alice has 12 vacation days left", "I now have 8 vacation days left."),
    ("The upload limit of the gallery is 25MB for photos and 50MB for videos", RAISED),
    (
        "I use Vim for quick edits on the server",
        "My friend Tom switched from Vim to Emacs for quick edits on the server.",
    ),
    (
        "We use Redis for caching the sessions of the shop",
        "We switched from Redis to Memcached in the blog project.",
    ),
)
TOGETHER = (  # values that one sentence gives together are of two things
    (
        "I spent $62 on fuel and tolls in April, which is $12 over my $50 monthly limit",
        "I spent $62 on fuel and tolls in April, exceeding my $50 monthly limit by $12.",
        "",
    ),
    (
        "I adjusted the plaster mix to 40% clay, 35% sand, 25% lime after testing on March 3",
        "I adjusted the plaster mix to 40% clay, 35% sand, 25% lime after May 1 testing.",
        "",
    ),
    (
        "I'm training 6 junior bakers and 3 have passed since April",
        "I'm training 6 junior bakers and 4 have passed since May.",
        "3",
    ),
    (
        "My Zotero library has 45 sources, my goal is 52",
        "My Zotero library has 52 sources now.",
        "45 sources",
    ),
    ("We have sold 52 of the 60 seats", "We've now sold 55 of the 60 seats.", "52"),
    (
        "My monthly fuel limit is 50 €",
        "I raised my monthly fuel limit to 80 €, which is more than the 50 € I had.",
        "50 €",
    ),
)
COPIES = (
    ((LIMIT, "The upload limit of the archive is 25MB"), RAISED),
    (
        ("The frontend dev server is on port 3000", "Grafana is on port 3000"),
        "I moved the frontend dev server to port 3001.",
    ),
    (
        ("The API returns 20 items per page", "The admin list shows 20 items per page"),
        "The API now returns 50 items per page.",
    ),
)
LEANING = (
    "Same for the archive.",
    "Both are enforced by nginx.",
    "However, admins may upload more.",
    "Otherwise nginx answers with 413.",
    "Because of that we compress photos.",
    "Exception: admins.",
    "Not for admins.",
    "Larger files go through S3.",
    "We chose it after the outage.",
    "Such files are refused. Instead use S3.",
)
NEVER_SAID = (
    f"{RAISED} Actually no, we reverted that, it is 25MB.",
    f"{RAISED} Wait, scratch that.",
    "Somebody thinks the upload limit of the gallery was raised to 40MB.",
    "Write a test which asserts that the upload limit of the gallery was raised to 40MB.",
    "Add a short banner that says the upload limit of the gallery was raised to 40MB.",
    "I wish the upload limit of the gallery was raised to 40MB.",
)
WRAPPED = (
    f"- {LIMIT} and nothing\n  above that is accepted by the server. See the\n  docs for more.\n",
    "- For all who ask: the\n  upload limit of the gallery is 25MB, unless\n  an admin lifts it\n",
    f"As Anna told us all, yesterday as today:\n\n{LIMIT}, which is the limit of\nApache.\n",
    f"{LIMIT}\n---------------\n\nThat is all there is to say.\n",
    f"As it stands there:\n\n    {LIMIT}\n",
)


OVER = (  # by then what was ahead is over: another one
    (
        "I got an extension to April 9 for the tax forms",
        "I had to ask for an extension to June 20.",
    ),
    (
        "I got an extension to April 9 for the tax forms",
        "I had to negotiate an extension to June 20 for the tax forms.",
    ),
    ("My niece attends a weaving class on April 9", "My niece attends a weaving class on May 30."),
)
PUT_OFF = (  # there is only one, or the day has just gone by
    ("The launch is on April 9", "The launch slipped to June 18."),
    ("Our wedding is on 6 April", "We moved our wedding to 3 August."),
    (
        "My deadline for the tax forms is April 9",
        "I'm afraid that I won't make the new June 20 deadline for the tax forms.",
    ),
    ("The garden party is on 20 May", "I moved the garden party to 24 May."),
    (
        "I got an extension to May 6 for the tax forms",
        "I had to negotiate an extension to May 20 for the tax forms.",
    ),
)
CHANGED = (  # words tell of a change: what else has the value, or had it, does not matter
    ("The upload limit is 25MB and the download limit is 40MB", "The upload limit is now 40MB."),
    ("My son is 4 and my daughter is 5", "My son is 5 now."),
    ("Coverage is 61%", "Coverage was 61% and is 74% now."),
    ("The deadline is May 20", "The deadline was May 20 but got moved to May 27."),
    ("We're on Django 4.2", "We upgraded to Django 5.0 because Django 4.2 is end of life."),
    ("Mia's surgery is scheduled for April 9", "Mia's surgery was rescheduled to June 4."),
    ("My visa expires on April 20", "My visa was extended to July 20."),
    ("My parking fee is $30", "It's official, parking fee is now $40."),
    ("I've applied to 12 internships as of April 1", "I've applied to 17 internships as of May 9."),
)
OTHER_AMOUNTS = (
    ("Test coverage is 61%", "On the new mobile app test coverage is 54%."),
    (
        "My goal of losing 10 pounds by May 5, 2026",
        "I've reached my weight loss goal of 175 pounds by May 5.",
    ),
    (
        "My goal is to gain 4 kg by May 5",
        "I've reached my weight gain goal of 70 kg by May 5.",
    ),
)


@pytest.mark.parametrize(("old", "said"), OVER + OTHER_AMOUNTS)
def test_what_is_over_is_not_put_off_and_a_difference_is_no_amount(old: str, said: str) -> None:
    assert changes(old, said) == []


@pytest.mark.parametrize(("old", "said"), CHANGED)
def test_words_of_change_replace_a_value_that_stands_beside_it_or_is_over(
    old: str, said: str
) -> None:
    (line,) = changes(old, said)
    assert f" {PAST}" in line


@pytest.mark.parametrize(("old", "said"), PUT_OFF)
def test_the_one_thing_of_its_kind_is_put_off_whenever_that_is_told(old: str, said: str) -> None:
    (line,) = changes(old, said)
    assert f" {PAST}: {old} (2026-04-02)" in line


def test_newer_words_without_a_subject_take_the_clause_before_them() -> None:
    old = "I bake rolls for the neighbours in the morning, saving 30 minutes daily"
    said = "I bake rolls for the neighbours in the morning, saving 40 minutes daily."
    (line,) = changes(old, said)
    assert line.startswith(f"- {said} (2026-05-11) ")


@pytest.mark.parametrize(("old", "said", "past"), TOGETHER)
def test_of_values_that_one_sentence_gives_together_none_replaces_another(
    old: str, said: str, past: str
) -> None:
    calls = re.compile(rf"{PAST}(?: ([^:]+))?: {re.escape(old)}")
    found = [match[1] or past for line in changes(old, said) if (match := calls.search(line))]
    assert found == ([past] if past else [])


@pytest.mark.parametrize(("old", "said"), OTHERS, ids=[each[0][:30] for each in OTHERS])
def test_what_is_told_of_another_thing_makes_nothing_past(old: str, said: str) -> None:
    assert changes(old, said) == []


@pytest.mark.parametrize(("old", "said"), COPIES, ids=[each[1][:30] for each in COPIES])
def test_the_same_value_of_another_thing_is_no_copy(old: tuple[str, str], said: str) -> None:
    (row,) = changes(old, said)
    assert row.endswith(f"{PAST}: {old[0]} (2026-04-02)")


@pytest.mark.parametrize("said", NEVER_SAID)
def test_what_is_taken_back_wished_or_to_be_written_changes_nothing(said: str) -> None:
    assert changes(LIMIT, said) == []


@pytest.mark.parametrize("text", WRAPPED)
def test_a_row_of_a_longer_sentence_of_a_heading_or_of_code_stays(text: str) -> None:
    note = f"# Memory\n\n## Notes 2026-04-02\n{text}"
    assert updated({INDEX: note}, [say(RAISED)]).memory.texts[PurePosixPath(INDEX)] == note


def test_rows_that_are_sentences_by_themselves_are_brought_up_to_date() -> None:
    rows = f"{LIMIT}.\nThe server is called Ada.\n- {LIMIT}\n  - Ada\n"
    note = f"# Memory\n\n## Notes 2026-04-02\n{rows}"
    after = updated({INDEX: note}, [say(RAISED)]).memory.texts[PurePosixPath(INDEX)]
    assert f"{PAST}: {LIMIT}. (2026-04-02)\nThe server is called Ada.\n- {PAST}: {LIMIT}" in after


def test_of_two_values_of_a_line_the_one_with_the_words_of_the_newer_is_named() -> None:
    old = "The retention of logs is 30 days for audit and 7 days for debug"
    (row,) = changes(old, "The retention of debug logs was raised to 14 days.")
    assert row.endswith(f" {PAST} 7 days: {old} (2026-04-02)")


@pytest.mark.parametrize("behind", LEANING)
def test_a_sentence_that_says_nothing_alone_stays_behind_its_own(behind: str) -> None:
    (row,) = changes(f"{LIMIT}. {behind}", RAISED)
    assert row.endswith(f" {PAST} 25MB: {LIMIT}. {behind} (2026-04-02)")


def test_of_several_values_the_one_that_is_past_is_named_alone() -> None:
    old = "auth-service: timeout 30s, 3 replicas"
    (row,) = changes(old, "The timeout of auth-service was raised to 60s.")
    assert row.endswith(f" {PAST} 30s: {old} (2026-04-02)")


def test_a_value_that_changes_every_day_makes_no_endless_line() -> None:
    texts = memory_of(LIMIT)
    told = [
        f"The upload limit of the gallery was raised to {40 + n}MB because of a customer who "
        "sends us such large pictures."
        for n in range(12)
    ]
    for number, text in enumerate(told):
        result = updated(texts, [say(text, day=11 + number)])
        texts = {INDEX: result.memory.texts[PurePosixPath(INDEX)]}
    rows = [row for row in texts[INDEX].split("\n") if "upload limit" in row]
    assert max(map(len, rows)) <= 450
    assert all(any(text in row for row in rows) for text in (*told, LIMIT))
    assert sum(row.startswith(f"- {PAST}") for row in rows) == len(rows) - 1


def test_a_note_and_the_pointer_to_it_both_have_the_newer_value() -> None:
    texts = {
        INDEX: f"# Memory\n\n## Notes 2026-04-02\n- [Gallery](gallery.md) — {LIMIT}\n",
        "gallery.md": f"# Gallery\n\n## 2026-04-02\n- {LIMIT}\n",
    }
    after = updated(texts, [say(RAISED)]).memory.texts
    grown = f"{RAISED} (2026-05-11) {PAST}: {LIMIT} (2026-04-02)"
    assert f"- [Gallery](gallery.md) — {grown}\n" in after[PurePosixPath(INDEX)]
    assert f"- {grown}\n" in after[PurePosixPath("gallery.md")]
