"""Lines that give a value behind a label are brought up to date as sentences are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

import pytest

from dreamd.domain.superseded import OPEN, PAST
from tests.engine.updates.told import BESIDE, INDEX, after, changes, memory_of, say
from tests.planted import labels
from tests.planted.updates import Told

DAY = "(2026-04-02)"
FRONT = "---\nname: Ops\ndescription: Build time: 12 minutes\ntype: project\n---\n\n"


def past(note: str, *said: str, name: str = INDEX) -> list[str]:
    """The rows of a note of April that are called past, or left open, once this was said."""
    texts = memory_of()
    texts[name] = f"{texts.get(name, '')}\n{note}\n"
    spoken = [say(text, day=11 + number) for number, text in enumerate(said)]
    rows = chain.from_iterable(text.split("\n") for text in after(texts, spoken).values())
    return [row for row in rows if PAST in row or OPEN in row]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Postgres version: 14", "Our Postgres version is now 16."),
        ("Postgres version: 14", "We upgraded to Postgres 16."),
        ("Postgres: 14", "We upgraded Postgres to 16."),
        ("Node version: 18.2", "We've moved to Node 20."),
        ("Database: Postgres 14", "We upgraded the database to Postgres 16."),
        ("Rate limit: 100 requests per minute", "We raised the rate limit to 250 requests."),
        ("Build time: 12 minutes", "The build time is now 4 minutes."),
        ("Build time: ~12 minutes (on CI)", "The build time is down to 4 minutes."),
        ("Deploy day: Tuesday", "Our deploy day is now Thursday."),
        ("Monthly rent: $1,200", "The monthly rent was raised to $1,450."),
        ("Test Coverage: 61%", "Test coverage has gone up to 74%."),
        ("Exam date: June 3", "My exam date was moved to June 17."),
        ("Standup time: 9:30", "The standup time changed to 10:15."),
        ("Team lead: Anna Berg", "Our team lead is now Boris Klein."),
        ("Dark mode: enabled", "Dark mode is now disabled."),
        ("Open issues: 14", "There are now 23 open issues."),
        ("max_connections: 100", "We raised max_connections to 200."),
    ],
)
def test_a_label_is_the_subject_of_its_value(line: str, said: str) -> None:
    assert changes(line, said) == [f"- {said} (2026-05-11) Previously: {line} {DAY}"]


@pytest.mark.parametrize(
    "line",
    [
        "**Build time**: 12 minutes",
        "**Build time:** 12 minutes",
        "**Build time** — 12 minutes",
        "*Build time*: 12 minutes",
        "`build_time`: `12 minutes`",
    ],
)
def test_the_words_of_the_line_stay_with_their_signs(line: str) -> None:
    said = "The build time is now 4 minutes."
    assert changes(line, said) == [f"- {said} (2026-05-11) Previously: {line} {DAY}"]


def test_only_the_label_that_was_named_is_past() -> None:
    rows = ("Postgres version: 14", "Redis version: 6.2", "Node version: 18")
    (line,) = changes(rows, "The Redis version is now 7.2.")
    assert line == f"- The Redis version is now 7.2. (2026-05-11) Previously: {rows[1]} {DAY}"


def test_rows_of_labels_are_lines_though_no_full_stop_ends_them() -> None:
    note = f"postgres version: 14 {DAY}\nbuild time: 12 minutes {DAY}\nteam size: 6 {DAY}"
    said = "The build time is now 4 minutes."
    assert past(note, said) == [f"{said} (2026-05-11) Previously: build time: 12 minutes {DAY}"]


def test_a_sentence_that_runs_on_in_the_next_row_stays() -> None:
    note = f"we agreed with the others that\nbuild time: 12 minutes {DAY} would do"
    assert past(note, "The build time is now 4 minutes.") == []


@pytest.mark.parametrize(
    ("note", "name"),
    [
        (f"## Billing service\n\n- Port: 8080 {DAY}", INDEX),
        (f"**Billing service:**\n\n- Port: 8080 {DAY}", INDEX),
        (f"- Billing service\n  - Port: 8080 {DAY}", INDEX),
        (f"- Port: 8080 {DAY}", "billing-service.md"),
        (f"## Network\n\n### Billing\n\n- Port: 8080 {DAY}", "ops.md"),
    ],
)
def test_a_label_of_many_things_is_of_what_stands_above_it(note: str, name: str) -> None:
    said = "The billing service now listens on port 8181."
    (row,) = past(note, said, name=name)
    assert row.strip() == f"- {said} (2026-05-11) Previously: Port: 8080 {DAY}"
    assert past(note, "The auth service now listens on port 8181.", name=name) == []
    assert past(note, "The port is now 8181.", name=name) == []


def test_one_label_with_two_values_is_of_what_stands_above_each() -> None:
    note = (
        f"## Auth\n\n- Request timeout: 10 seconds {DAY}\n\n"
        f"## Billing\n\n- Request timeout: 20 seconds {DAY}"
    )
    assert past(note, "The request timeout is now 45 seconds.") == []
    said = "The request timeout of auth is now 45 seconds."
    assert past(note, said) == [
        f"- {said} (2026-05-11) Previously: Request timeout: 10 seconds {DAY}"
    ]


@pytest.mark.parametrize(
    ("line", "said", "another"),
    [
        (
            "Timeout: 30 seconds for the geocoder",
            "We increased the timeout of the geocoder to 60 seconds.",
            "We increased the timeout of the mailer to 60 seconds.",
        ),
        (
            "Rate limit: 100 requests per minute for guests",
            "We raised the rate limit for guests to 250 requests per minute.",
            "We raised the rate limit to 250 requests per minute.",
        ),
    ],
)
def test_what_stands_behind_the_value_tells_of_what_it_is(
    line: str, said: str, another: str
) -> None:
    assert changes(line, said) == [f"- {said} (2026-05-11) Previously: {line} {DAY}"]
    assert changes(line, another) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Budget: $40", "Our budget is now $60."),
        ("Manager: Anna Berg", "My manager is now Boris Klein."),
        ("Deadline: May 8", "The deadline was pushed back to May 22."),
    ],
)
def test_what_may_be_anybodys_is_left_open(line: str, said: str) -> None:
    assert changes(line, said) == [f"- {said} (2026-05-11) Perhaps no longer: {line} {DAY}"]
    assert past(f"## Ivo\n\n- {line} {DAY}", said) == []


@pytest.mark.parametrize(
    "note",
    [
        "## Staging\n\n- Rate limit: 100 requests per minute",
        "- Staging:\n  - Rate limit: 100 requests per minute",
        "- Rate limit (staging): 100 requests per minute",
        "- Free plan rate limit: 100 requests per minute",
        "- Upload rate limit: 100 requests per minute",
    ],
)
def test_another_scope_is_another_thing(note: str) -> None:
    for said in (
        "We raised the rate limit in production to 250 requests per minute.",
        "We raised the production rate limit to 250 requests per minute.",
        "In production the rate limit is now 250 requests per minute.",
    ):
        assert past(f"{note} {DAY}", said) == []


@pytest.mark.parametrize(
    "said",
    [
        "The rate limit of the GitHub API is now 5000 requests per hour.",
        "GitHub's rate limit is now 250 requests per minute.",
        "Stripe raised the rate limit to 250 requests per minute.",
        "We raised the burst rate limit to 250 requests per minute.",
        "We raised the rate limit for guests to 250 requests per minute.",
        "For guests we raised the rate limit to 250 requests per minute.",
        "The rate limit is now 250 requests per minute for guests.",
        "The rate limit is now 250 requests per minute for two hours.",
        "We raised the rate limit for March to 250 requests per minute.",
        "Should we raise the rate limit to 250 requests per minute?",
        "We want to raise the rate limit to 250 requests per minute.",
        "We now have 250 requests per minute.",
    ],
)
def test_a_label_is_named_whole_and_nothing_beside_it(said: str) -> None:
    assert past(f"- Rate limit: 100 requests per minute {DAY}", said) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Max connections: 100", "There are now 40 connections open."),
        ("Postgres version: 14", "We now have 16 Postgres servers."),
        ("Postgres version: 14", "Postgres 16 is now out, should we upgrade?"),
        ("Node version: >= 18", "We've moved to Node 20."),
        ("Node version: 18+", "We've moved to Node 20."),
        ("Node versions: 18, 20", "We've moved to Node 22."),
        ("Database options: Postgres 14, MySQL 8", "We upgraded the database to Postgres 16."),
        ("Vacation days: 28", "I now have 12 vacation days left."),
        ("Delivery day: Friday", "The delivery was moved to Monday because of the holiday."),
        ("Upload limit: 25 MB", "My upload failed at the limit, it is now 31 MB."),
        ("Dose: 20 mg", "The evening dose is now 10 mg."),
        ("Port: 8080", "The exporter now listens on port 9191."),
        ("Why: 3 outages in 2025", "The outages are now at 5 in 2026."),
        ("Lake: 12:30", "Lunch is now at 14:30."),
        ("Example: a retry limit of 3", "The retry limit is now 7."),
        ("How to apply: run 3 checks before the merge", "We now run 5 checks on the archive."),
        ("Monday: 3 hours", "The shift is now 5 hours."),
        ("TODO: 3 tests for the parser", "We now have 9 tests for the lexer."),
        ("See: https://example.org/build-time?limit=40", "The build time is now 4 minutes."),
    ],
)
def test_what_is_no_label_or_another_thing_stays(line: str, said: str) -> None:
    assert past(f"- {line} {DAY}", said) == []


@pytest.mark.parametrize(
    "note",
    [
        f"{FRONT}- Name: … {DAY}",
        f"```\nBuild time: 12 minutes {DAY}\n```",
        f"    Build time: 12 minutes {DAY}",
        f"> Build time: 12 minutes {DAY}",
        f"| Build time: 12 minutes {DAY} |\n|---|",
        "Build time: N minutes",
    ],
)
def test_code_frontmatter_tables_and_templates_stay(note: str) -> None:
    assert past(note, "The build time is now 4 minutes.", name="ops.md") == []


def test_what_grounds_or_applies_something_is_past_with_the_value_it_has() -> None:
    limit, said = "The upload limit is 25MB", "The upload limit was raised to 40MB."
    how = "**How to apply:** keep photos below the upload limit of 25MB"
    assert changes((limit, how), said) == [
        f"- {said} (2026-05-11) Previously: {limit} {DAY}",
        f"- Previously 25MB: {how} {DAY}",
    ]


def test_again_is_once_and_a_later_value_takes_the_line_on() -> None:
    first, second = "The build time is now 4 minutes.", "The build time is now 3 minutes."
    once = after(memory_of("Build time: 12 minutes"), [say(first)])
    assert after(once, [say(first)]) == once
    (row,) = (row for row in after(once, [say(second, day=12)])[INDEX].split("\n") if PAST in row)
    assert row == (
        f"- {second} (2026-05-12) Previously: {first} (2026-05-11)"
        f" Previously: Build time: 12 minutes {DAY}"
    )


def became(told: Told) -> str:
    """What becomes of the row with the label: past, open or nothing; no other row may change."""
    rows = "".join(f"- {row}\n" for row in BESIDE)
    texts = {INDEX: f"# Memory\n\n## Notes\n{rows}\n{told.line} ({told.line_day})\n"}
    at = say(told.said)
    marked = [row for row in after(texts, [at])[INDEX].split("\n") if PAST in row or OPEN in row]
    if not marked:
        return ""
    (row,) = marked
    assert told.line.split("\n")[-1].lstrip("-* ") in row
    return PAST if PAST in row else OPEN


def counted(each: Iterable[Told]) -> Counter[str]:
    return Counter(map(became, each))


def test_of_42_labels_with_a_newer_value_nine_in_ten_are_seen() -> None:
    found = counted(chain(labels.SEEN, labels.HELD))
    assert found.total() == 42
    assert found[PAST] + found[OPEN] >= 38


def test_of_73_look_alikes_beside_a_label_none_is_called_past() -> None:
    found = counted(chain(labels.OTHERS_SEEN, labels.OTHERS_HELD))
    assert found.total() == 73
    assert found[PAST] == 0
    assert found[OPEN] <= 2
