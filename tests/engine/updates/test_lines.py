"""How a line reads after a newer value, what else changes with it, and what never does."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Declined, Heeded
from dreamd.domain.settings import Budget
from dreamd.domain.superseded import current
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.consolidated import Heard, consolidated
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.updates.mark import joined
from dreamd.engine.rules.updates.updates import UPDATED
from tests import pace
from tests.engine.night import quiet
from tests.engine.updates.told import BESIDE, INDEX, after, changes, memory_of, say, updated, went

LIMIT = "The upload limit is 25MB"
RAISED = "The upload limit was raised to 40MB."
NOW = f"- {RAISED} (2026-05-11) Previously: {LIMIT} (2026-04-02)"


def test_the_words_of_the_person_come_first_and_the_older_ones_stay_on_the_line() -> None:
    result = updated(memory_of(LIMIT), [say(RAISED, message="m1")])
    came = next(why for why in result.whys if why.sign == "+")
    assert came.line == NOW
    assert (came.rule, came.quote, came.message, came.session) == ("update", RAISED, "m1", "5e55")
    assert (came.day, came.speaker) == ("2026-05-11", "person")
    assert [why.line for why in went(result)] == [f"- {LIMIT}"]
    assert [(step.text, step.count) for step in result.steps] == [(UPDATED, 1)]
    text = result.memory.notes[PurePosixPath(INDEX)].text
    assert [row for row in text.split("\n") if row] == [
        "# Memory",
        "## Notes 2026-04-02",
        *(f"- {row}" for row in BESIDE),
        NOW,
    ]


def test_a_clause_that_stands_alone_is_enough() -> None:
    said = "I was tired, but the upload limit was raised to 40MB, so can you test it?"
    assert changes(LIMIT, said)[0].startswith("- The upload limit was raised to 40MB. (2026-05-11)")


def test_a_value_far_in_the_older_words_is_named_before_them() -> None:
    old = (
        "After the long talk with the hosting people in March we agreed on an upload limit of 25MB"
    )
    assert changes(old, RAISED) == [f"- {RAISED} (2026-05-11) Previously 25MB: {old} (2026-04-02)"]


def test_a_value_that_changed_twice_keeps_the_chain() -> None:
    second = "We increased the upload limit to 60MB."
    (line,) = changes(LIMIT, RAISED, second)
    assert line == (
        f"- {second} (2026-05-12) Previously: {RAISED} (2026-05-11)"
        f" Previously: {LIMIT} (2026-04-02)"
    )


def test_it_does_not_matter_whether_two_changes_come_in_one_dream_or_in_two() -> None:
    messages = [say(RAISED), say("We increased the upload limit to 60MB.", day=12)]
    once = after(memory_of(LIMIT), messages)
    twice = after(after(memory_of(LIMIT), messages[:1]), messages[1:])
    assert once == twice


def test_every_line_with_the_older_value_becomes_past() -> None:
    copy = "Photos over 25MB fail because of the upload limit"
    came = changes((LIMIT, copy), RAISED)
    assert came == [NOW, f"- Previously: {copy} (2026-04-02)"]


def test_one_newer_value_replaces_one_older_one_only() -> None:
    others = ("The upload limit for avatars is 2MB", "The upload page has 3 steps")
    assert changes((LIMIT, *others), RAISED) == [NOW]


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("It is 9. (2026-05-11)", "It is 9. (2026-05-11) Previously: it is 8"),
        ("Is it 9?", "Is it 9? Previously: it is 8"),
        ("It is 9 (2026-05-11)", "It is 9 (2026-05-11). Previously: it is 8"),
        ('It is "nine." (2026-05-11)', 'It is "nine." (2026-05-11). Previously: it is 8'),
    ],
)
def test_older_words_never_run_on_from_newer_ones(head: str, line: str) -> None:
    assert joined(head, "Previously: it is 8") == line


def test_again_is_once() -> None:
    messages = [say(RAISED)]
    first = after(memory_of(LIMIT), messages)
    assert after(first, messages) == first


def test_what_was_said_before_the_line_was_written_replaces_nothing() -> None:
    for day in ("2026-05-11", "2026-05-12", "2026-06-01"):
        texts = memory_of(LIMIT, day=day)
        assert after(texts, [say(RAISED)]) == texts


def test_an_older_session_that_is_read_later_does_not_win() -> None:
    older = say("The upload limit was raised to 30MB.", day=8)
    texts = after(memory_of(LIMIT), [say(RAISED)])
    assert after(texts, [older]) == texts


@pytest.mark.parametrize(
    ("text", "is_older"),
    [
        (f"# Memory\n- {LIMIT} (2026-05-10)\n", True),
        (f"# Memory\n- {LIMIT} (2026-05-12)\n", False),
        (f"# Memory\n- 2026-05-10: {LIMIT}\n", True),
        (f"# Limits (as of 10 May 2026)\n- {LIMIT}\n", True),
        (f"# Limits, May 2026\n- {LIMIT}\n", False),
        (f"# Memory\n- {LIMIT}\n", False),
    ],
)
def test_the_day_of_a_line_is_its_own_or_that_of_the_heading(text: str, *, is_older: bool) -> None:
    now = after({INDEX: text}, [say(RAISED)])[INDEX]
    assert (RAISED in now) is is_older


@pytest.mark.parametrize(("hour", "is_older"), [(8, True), (9, False), (10, False)])
def test_a_line_without_a_day_is_as_old_as_its_note_at_most(hour: int, *, is_older: bool) -> None:
    texts = {INDEX: f"# Memory\n- {LIMIT}\n"}
    edited = {INDEX: datetime(2026, 5, 11, hour, tzinfo=UTC)}
    result = updated(texts, [say(RAISED)], edited=edited)
    assert bool(result.whys) is is_older


def test_a_copy_without_a_day_is_past_as_well_whenever_its_note_was_written() -> None:
    """An index that was written since still repeats the older value."""
    texts = {
        INDEX: f"# Memory\n- [Limits](limits.md) — {LIMIT}\n",
        "limits.md": f"# Limits\n- {LIMIT} (2026-04-02)\n- Uploads are scanned\n",
    }
    edited = dict.fromkeys(texts, datetime(2026, 6, 1, tzinfo=UTC))
    now = updated(texts, [say(RAISED)], edited=edited).memory.texts
    assert "Previously" in now[PurePosixPath("limits.md")]
    assert "Previously" in now[PurePosixPath(INDEX)]
    texts["limits.md"] = f"# Limits\n- {LIMIT}\n- Uploads are scanned\n"
    assert not updated(texts, [say(RAISED)], edited=edited).whys


def test_an_entry_of_a_log_goes_on_with_the_newest_day_of_it() -> None:
    newer = (
        "## Notes 2026-05-03\n- The choir sang in Ulm\n- The bakery closed\n\n## Links\n- none\n"
    )
    now = after({INDEX: memory_of(LIMIT)[INDEX] + newer}, [say(RAISED)])[INDEX]
    assert f"- The bakery closed\n{NOW}\n" in now
    assert now.count(LIMIT) == 1


def test_tables_code_headings_and_quotations_stay() -> None:
    rows = (
        f"## {LIMIT}",
        f"| {LIMIT} |",
        "|---|",
        "",
        f"> {LIMIT}",
        "",
        "```",
        LIMIT,
        "```",
    )
    texts = {INDEX: "# Notes 2026-04-02\n\n" + "\n".join(rows) + "\n"}
    assert after(texts, [say(RAISED)]) == texts


def test_pinned_and_shared_notes_stay() -> None:
    own = f"---\nname: x\npinned: true\n---\n- {LIMIT} (2026-04-02)\n"
    texts = {"x.md": own, "team/y.md": f"- {LIMIT} (2026-04-02)\n"}
    assert updated(texts, [say(RAISED)]).whys == ()


def test_a_pointer_keeps_its_link() -> None:
    texts = {
        INDEX: f"# Notes 2026-04-02\n\n- [Limits](limits.md) — {LIMIT}\n",
        "limits.md": "# Limits\n\n- none\n",
    }
    now = after(texts, [say(RAISED)])[INDEX]
    assert f"- [Limits](limits.md) — {RAISED} (2026-05-11) Previously: {LIMIT}" in now


def test_a_message_that_was_drawn_on_or_turned_down_is_not_heard_again() -> None:
    message = say(RAISED, message="m1")
    for heeded in (
        Heeded(taken={"m1": "d1"}),
        Heeded(declined={"m1": "d1"}),
        Heeded(quotes={(RAISED, "2026-05-11")}),
    ):
        assert updated(memory_of(LIMIT), [message], heeded=heeded).whys == ()


def test_a_line_that_the_user_wanted_back_stays() -> None:
    path = PurePosixPath(INDEX)
    for declined in (
        Declined(removed={(path, f"- {LIMIT}"): "d1"}),
        Declined(added={(path, NOW): "d1"}),
    ):
        assert updated(memory_of(LIMIT), [say(RAISED)], declined=declined).whys == ()


def test_lines_that_came_in_the_same_dream_become_one() -> None:
    texts = {INDEX: f"# Memory\n\n- {RAISED} (2026-05-11)\n- {LIMIT} (2026-05-09)\n"}
    said = [say(f"{LIMIT}.", day=9, message="m1"), say(RAISED, message="m2")]
    placed = {
        f"- {RAISED} (2026-05-11)": said[1],
        f"- {LIMIT} (2026-05-09)": said[0],
    }
    result = updated(texts, said, placed=placed)
    assert result.memory.notes[PurePosixPath(INDEX)].text == (
        f"# Memory\n\n- {RAISED} (2026-05-11) Previously: {LIMIT} (2026-05-09)\n"
    )


def test_none_of_several_lines_that_become_one_is_lost() -> None:
    older = (LIMIT, f"Photos are cut where the upload limit of 25MB is met, {'so ' * 120}they say")
    said = [
        say(f"{row}.", day=8 + n)
        for n, row in enumerate((*older, "The upload limit is 25MB for all"))
    ]
    said.append(say(RAISED))
    rows = [f"- {each.text} ({each.day})" for each in said]
    texts = {INDEX: "# Memory\n\n" + "\n".join(rows) + "\n"}
    result = updated(texts, said, placed=dict(zip(rows, said, strict=True)))
    text = result.memory.notes[PurePosixPath(INDEX)].text
    assert text == (
        f"# Memory\n\n- Previously: {said[1].text} (2026-05-09)\n"
        f"- {RAISED} (2026-05-11) Previously: {said[2].text} (2026-05-10)"
        f" Previously: {said[0].text} (2026-05-08)\n"
    )


def test_no_digit_of_the_older_words_changes() -> None:
    old = "On 3 of 4 days the upload limit of 25MB was met by 12 people, see ticket 4711"
    (line,) = changes(old, RAISED)
    assert line.endswith(f": {old} (2026-04-02)")


def test_a_secret_is_no_newer_value() -> None:
    said = (
        "The API token for the upload limit was raised to ghp_0123456789abcdefghijABCDEFGHIJ456789."
    )
    assert changes(LIMIT, said) == []


def test_what_a_line_calls_past_is_not_what_it_says_today() -> None:
    assert current(f"{RAISED} (2026-05-11) Previously 25MB: {LIMIT}") == f"{RAISED} (2026-05-11) "
    assert current(f"Previously: {LIMIT}") == ""
    assert current(LIMIT) == LIMIT


def test_a_line_that_then_moved_to_another_file_keeps_the_words_it_came_from() -> None:
    rows = [
        f"- Shelf {n} in the cellar is full of jars with plums of {1700 + n}" for n in range(300)
    ]
    rows.insert(250, "- The cider barrel was filled with 40 liters")
    text = "# Memory\n\n## Cellar 2026-04-02\n\n" + "\n".join(rows) + "\n"
    message = say("The cider barrel is now filled with 65 liters.", message="m1")
    tree = Tree({PurePosixPath(INDEX): Entry(text.encode())})
    heard = Heard(said=[message])
    result = consolidated(orient(tree), Budget(), Declined(), quiet, heard)
    (came,) = (why for why in result.whys if why.sign == "+" and "65 liters" in why.line)
    assert came.path != PurePosixPath(INDEX)
    assert came.line in result.texts[came.path].split("\n")
    assert (came.rule, came.message, came.quote) == ("update", "m1", message.text)


def test_many_messages_take_time_in_proportion() -> None:
    things = [f"part{a}{b}" for a in "bcdfghjklmnpqrst" for b in "aeioubcdfghjk"][:80]
    rows = "".join(f"- The {each} weighs {n + 5} kg\n" for n, each in enumerate(things))
    texts = {INDEX: f"# Notes 2026-04-02\n\n{rows}"}
    said = [say(f"The {each} went up to {n + 999} kg.") for n, each in enumerate(things)]
    talk = "On day {} I counted {} birds and 7 cats, and the shop now sells {} kinds of tea."
    said += [say(talk.format(n, n + 3, n + 5)) for n in range(720)]
    made = []
    for part in (8, 1):
        with pace.calls() as work:
            result = updated(texts, said[::part])
        made.append(work.count)
    assert len(went(result)) == 80
    assert made[1] < 10 * made[0]
    with pace.within(2):
        updated(texts, said)


def test_many_changes_in_one_dream_leave_the_newest_and_what_stood_before_on_a_short_line() -> None:
    raised = [f"The upload limit was raised to {size}MB." for size in range(40, 60)]
    (line,) = changes(LIMIT, *raised)
    assert line.startswith(f"- {raised[-1]} (")
    assert f"Previously: {LIMIT} (2026-04-02)" in line
    assert len(line) <= 450


def test_many_changes_to_one_of_two_values_leave_one_line_that_calls_the_rest_past() -> None:
    old = "The gateway has 2 workers and the upload limit is 25MB"
    raised = [f"The upload limit was raised to {size}MB." for size in range(40, 60)]
    (line,) = changes(old, *raised)
    assert current(line) == f"- {raised[-1]} (2026-05-30) "
    assert line.endswith(f" Previously: {old} (2026-04-02)")


def test_a_past_too_long_for_one_line_stands_behind_on_its_own() -> None:
    past = " ".join(f"Previously: the upload limit is {size}MB (2025-01-02)" for size in range(45))
    came = changes(f"{LIMIT}. {past}", RAISED)
    assert came == [f"- {RAISED} (2026-05-11)", f"- Previously: {LIMIT}. (2026-04-02) {past}"]
