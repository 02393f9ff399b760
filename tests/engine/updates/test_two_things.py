"""In coding notes: another thing keeps its value, and no line is cut where a sentence goes on."""

from __future__ import annotations

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
