"""No two copies of one fact: equal lines become one, and of two dated values the newer stands."""

from __future__ import annotations

import pytest

from tests.engine.night import counts, dream, sleep
from tests.engine.said import dreamt, note, texts

INDEX = "# Memory\n\n- [A](a.md) — x\n- [B](b.md) — y\n"
WHOLE = "Ines signs every refund above 200 euros"


def merged(one: str, other: str, above: str = "", below: str = "") -> bool:
    """Whether the second of two lines goes: below one heading, or each in a note of its own."""
    if not above:
        texts = {"MEMORY.md": INDEX, "a.md": f"{one}\n{other}\n- The pier is new.\n", "b.md": "y\n"}
    else:
        texts = {"MEMORY.md": INDEX, "a.md": f"{above}\n{one}\n",
                 "b.md": f"{below}\n{other}\n- The pier is new.\n"}  # fmt: skip
    after = dream(texts)
    joined = after["a.md"] + after["b.md"]
    assert f"{one}\n" in joined
    gone = joined.count(f"{other}\n") < "".join(texts.values()).count(f"{other}\n")
    assert gone or after == texts
    return gone


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"- {WHOLE}", f"* {WHOLE}"),
        (f"- {WHOLE}", f"- {WHOLE}."),
        ("- **Backups** run at 02:30 on the NAS", "- Backups run at 02:30 on NAS."),
    ],
)
def test_equal_words_values_and_marks_are_one_line(one: str, other: str) -> None:
    assert merged(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("- Backups run at 02:30 on the NAS", "- Backups run at 03:30 on the NAS"),
        ("- Backups run at 02:30 on the NAS", "- Backups never run at 02:30 on the NAS"),
        ("- The NAS copies the backups to tape", "- The tape copies the backups to NAS"),
        ("- Backups run on the NAS at night", "- On the NAS at night backups run"),
        ("- Does the ferry leave on Sundays?", "- Does the ferry leave on Sundays"),
        ("- Set `retries` to 3 for now", "- Set `retry` to 3 for now"),
        ("1. Open the valve to the tank\n2. Wait a minute or so\n3. Open the valve to the tank",
         "- The pump is old."),
        ("- Backups run today:\n\n- first", "- Backups run today:\n\n- second"),
    ],
)  # fmt: skip
def test_other_words_values_or_order_stay(one: str, other: str) -> None:
    assert not merged(one, other)


@pytest.mark.parametrize(
    ("above", "below", "is_one"),
    [
        ("# Refunds", "# Notes", True),
        ("# Refunds", "# Refunds of the other shop", False),
        ("# Refunds", "# Notes\n\n## 2026-03-02", False),
    ],
)
def test_below_another_heading_only_a_sentence_that_needs_none_goes(
    above: str, below: str, is_one: bool
) -> None:
    assert merged(f"- {WHOLE}", f"- {WHOLE}.", above, below) is is_one


def test_the_index_keeps_its_copy_and_a_daily_note_all_of_its_own() -> None:
    texts = {"MEMORY.md": f"{INDEX}\n## Notes\n\n- {WHOLE}\n", "a.md": f"# Notes\n\n- {WHOLE}\n",
             "b.md": "y\n", "2026-03-02.md": f"- {WHOLE}\n- {WHOLE}\n"}  # fmt: skip
    after = dream(texts)
    assert f"- {WHOLE}\n" in after["MEMORY.md"]
    assert after["2026-03-02.md"] == texts["2026-03-02.md"]


def test_each_merged_line_is_counted_and_says_where_its_words_stand() -> None:
    texts = {"MEMORY.md": INDEX, "a.md": f"- {WHOLE}\n- {WHOLE}.\n- {WHOLE}\n- x\n", "b.md": "y\n"}
    result = sleep(texts)
    assert counts(result) == {"merged {duplicate}": 1, "merged {near-duplicate}": 1}
    gone = [(why.line, str(why.moved_to), why.quote) for why in result.whys if why.sign == "-"]
    assert gone == [(f"- {WHOLE}.", "a.md", WHOLE), (f"- {WHOLE}", "a.md", "")]


@pytest.mark.parametrize(
    ("older", "newer", "after"),
    [
        ("- The mirror port is 8080. (2026-02-01)", "- The mirror port is 9090. (2026-03-01)",
         "- Previously: The mirror port is 8080. (2026-02-01) Now 9090 (2026-03-01)."),
        ("- 2026-03-05: the night pager is with Ida", "- 2026-04-05: the night pager is with Olaf",
         "- Previously: 2026-03-05: the night pager is with Ida Now Olaf (2026-04-05)."),
        ("| mirror | 8080 (2026-02-01) |", "| mirror | 9090 (2026-03-01) |",
         "| mirror (previously, until 2026-03-01) | 8080 (2026-02-01) |"),
    ],
)  # fmt: skip
def test_of_two_dated_values_the_newer_stands(older: str, newer: str, after: str) -> None:
    head = ("| service | port |", "|---|---|") if older.startswith("|") else ()
    rows = texts(dreamt(note(*head, older, newer)))["shop.md"].splitlines()
    assert rows[-2:] == [after, newer]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("- The mirror port is 8080.", "- The mirror port is 9090. (2026-03-01)"),
        ("- The mirror port is 8080. (2026-03-01)", "- The mirror port is 9090. (2026-03-01)"),
        ("- The old mirror port is 8080. (2026-02-01)", "- The mirror port is 9090. (2026-03-01)"),
        ("- The mirror port is 8080. (2026-02-01)", "- The mirror port is closed. (2026-03-01)"),
        ("- Backups take 8 minutes. (2026-02-01)", "- Backups take 8 hours. (2026-03-01)"),
    ],
)
def test_anything_looser_is_left(one: str, other: str) -> None:
    notes = note(one, other)
    assert texts(dreamt(notes)) == notes
