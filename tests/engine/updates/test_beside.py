"""Facts that stand on one line: each becomes past by itself, the others stay as they are."""

from __future__ import annotations

from pathlib import PurePosixPath

from tests.engine.updates.told import INDEX, changes, say, updated

ABOUT_FEED = "Our feed has 300 readers! But the pages are slow."
FEED = f"{ABOUT_FEED} Rendering takes 800 ms"
RENDERS = "Rendering is down to 150 ms"
READERS = "The feed has 900 readers now"


def rows_of(*told: tuple[str, int]) -> list[str]:
    """The notes after a dream that placed each of what was said on these days of May."""
    said = {text: say(f"{text}.", day=day, message=f"m{day}") for text, day in told}
    rows = [f"- {text}. (2026-05-{day:02})" for text, day in told]
    placed = dict(zip(rows, said.values(), strict=True))
    texts = {INDEX: "\n".join(("# Memory", "", *rows, ""))}
    after = updated(texts, list(said.values()), placed=placed).memory
    return after.notes[PurePosixPath(INDEX)].text.splitlines()[2:]


def test_what_leans_on_a_sentence_that_stays_stays_with_it() -> None:
    assert rows_of((FEED, 4), (RENDERS, 12)) == [
        f"- {ABOUT_FEED} (2026-05-04)",
        f"- {RENDERS}. (2026-05-12) Previously: Rendering takes 800 ms. (2026-05-04)",
    ]


def test_two_facts_of_a_line_become_past_one_after_the_other() -> None:
    assert rows_of((FEED, 4), (RENDERS, 12), (READERS, 20)) == [
        f"- {RENDERS}. (2026-05-12) Previously: Rendering takes 800 ms. (2026-05-04)",
        f"- {READERS}. (2026-05-20) Previously 300 readers: {ABOUT_FEED} (2026-05-04)",
    ]


def test_what_was_past_stays_with_the_words_it_was_told_of() -> None:
    past = "Previously: our feed has 120 readers (2026-04-02)"
    came = changes(f"{FEED}. (2026-05-01) {past}", f"{RENDERS}.")
    assert f"- Our feed has 300 readers! But the pages are slow. (2026-05-01) {past}" in came


def test_a_sentence_goes_alone_where_a_colon_behind_the_value_lists_its_parts() -> None:
    team = "We write on birds. Our team is 8 people: 4 writers, 3 editors and me"
    came = changes(team, "We hired three more, so we're at 11 people now.")
    assert "- We write on birds." in came
    assert any(line.endswith("3 editors and me (2026-04-02)") for line in came)


def test_a_label_holds_for_all_that_stands_behind_it() -> None:
    (line,) = changes(
        "Limits: uploads are 25MB. Names are 40 letters", "Uploads were raised to 60MB."
    )
    assert line.endswith("Limits: uploads are 25MB. Names are 40 letters (2026-04-02)")


def test_a_note_that_has_a_copy_only_is_told_the_newer_words_too() -> None:
    texts = {
        INDEX: "# Memory\n\n- The upload limit is 25MB (2026-04-02)\n- [Limits](limits.md)\n",
        "limits.md": "# Limits\n\n- The upload limit is 25MB (2026-04-02)\n",
    }
    notes = updated(texts, [say("The upload limit was raised to 60MB.")]).memory.notes.values()
    assert all("- The upload limit was raised to 60MB. (2026-05-11) P" in n.text for n in notes)
