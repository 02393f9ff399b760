from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.engine.model.digest import LEAST, first_message
from dreamd.engine.model.digest.budget import tokens
from dreamd.engine.model.digest.prose import folded, sentences
from dreamd.host import clock
from tests.engine.model.digest.told import BEGAN, MEMORY, NOW, brief, first, part, say
from tests.pace import Calls, calls, within
from tests.sample import examples

ROOT = Path(__file__).parents[4]
HELLO = "Hi! The harbour has 46 moorings now, since last Friday."
KIRSTEN = "We talked to Kirsten Dahl from Nordhavn yesterday."
NOTES = {
    "MEMORY.md": "# Memory\n- [Harbour](harbour.md) — 40 moorings\n- [Ann](ann.md) — the user\n",
    "harbour.md": "---\nname: harbour\ndescription: moorings and tariffs\ntype: project\n---\n"
    "- The harbour has 40 moorings.\n- Backups go to a Synology.\n",
    "ann.md": "---\nname: ann\ndescription: who Ann is\nmetadata:\n  type: user\n---\n"
    "- Ann likes short answers.\n",
    "rules.md": "---\npinned: true\n---\n- Never touch this.\n",
    "team/shared.md": "Shared.\n",
}
SAID = say(
    f"{HELLO}\nCan you check this?\n"
    "```python\nfor berth in range(46):\n    print(berth)\n```\nIt prints too much.",
    "thanks!",
    "Always use metric units in the tide reports. I prefer tables over prose for tariffs.",
    f"I've never used a Synology, Bo did. {KIRSTEN}",
)
WORDS = st.sampled_from(
    [
        *("tide", "harbour", "40", "46", "moorings", "$35", "$42", "yesterday", "always", "never"),
        *("I", "prefer", "use", "```", "\n", "\n```\n", "</material>", "Synology", "Backblaze"),
        *("…", "潮", "é", "\U0001f6a2", "<b>", "last Friday", "remember that", ".", "? ", "! ", ""),
    ]
)
TEXTS = st.lists(WORDS, max_size=60).map(" ".join)


def test_it_says_day_place_and_how_the_memory_stands() -> None:
    message = first(NOTES, SAID)

    assert message.startswith("Today is Wednesday, 2026-05-20.\n")
    assert f"The memory directory is {MEMORY}\n" in message
    assert "the index has 3 of 200 lines" in message
    assert "The index is within its limits" in message
    assert message.endswith("Begin with ## orient.")


def test_the_manifest_has_every_note_with_size_age_type_and_description() -> None:
    rows = part(first(NOTES, SAID), "notes")

    size = len(NOTES["harbour.md"])
    assert rows[0] == f"MEMORY.md · {len(NOTES['MEMORY.md'].encode())} · 19 days ago · index"
    assert rows[1] == f"harbour.md · {size} · 19 days ago · project · moorings and tariffs"
    assert rows[2].endswith(" · user · who Ann is")
    assert any(row.startswith("rules.md") and "pinned" in row for row in rows)
    assert any(row.startswith("team/shared.md") and "shared" in row for row in rows)


def test_the_index_is_cut_where_a_conversation_cuts_it() -> None:
    rows = ["# Memory", *(f"- line {number}" for number in range(2, 251))]
    message = first({"MEMORY.md": "\n".join(rows)}, ())

    assert part(message, "index") == [f"{n}\t{row}" for n, row in enumerate(rows[:200], 1)]
    assert (
        "From line 201 of 250 on no conversation sees it: it is cut there by its lines." in message
    )
    assert "The index is over its limits" in message


def test_an_index_that_does_not_fit_says_how_to_read_the_rest() -> None:
    rows = [f"- [Note {n}](n{n}.md) — {'hook ' * 15}" for n in range(1, 151)]
    message = first({"MEMORY.md": "\n".join(rows)}, SAID, tokens=2_000)

    shown = part(message, "index")
    assert 0 < len(shown) < 150
    assert (
        f"Lines {len(shown) + 1} to 150 did not fit here: "
        f'Read with file_path "{MEMORY}/MEMORY.md", offset {len(shown) + 1}.'
    ) in message


def test_turns_are_dated_folded_and_in_order() -> None:
    rows = part(first(NOTES, SAID), "turns")

    assert rows[:2] == [
        "2026-05-04, session s1",
        f"- {HELLO} Can you check this? [code, 2 lines] It prints too much.",
    ]
    assert [row for row in rows if row.startswith("2026")] == [
        "2026-05-04, session s1",
        "2026-05-06, session s1",
        "2026-05-07, session s1",
    ]
    assert "thanks!" not in "\n".join(rows)


def test_a_long_turn_is_cut_at_600_characters_and_says_so() -> None:
    row = part(first({}, say("tide " * 400)), "turns")[1]

    assert len(row) <= 602
    assert row.endswith("tide […]")


def test_turns_that_do_not_fit_are_counted_with_the_day_they_begin() -> None:
    said = say(*(f"Turn number {n} about the tide. {'More on it. ' * 30}" for n in range(60)))
    message = first({}, said, tokens=4_000)

    rows = [row for row in part(message, "turns") if row.startswith("- ")]
    assert 5 < len(rows) < 60
    assert rows[0].startswith("- Turn number 0 ")
    day = BEGAN.date() + timedelta(days=len(rows))
    assert (
        f'{60 - len(rows)} more turns did not fit here: Sessions with since "{day}" shows them.'
        in message
    )


def test_only_what_was_said_since_the_last_dream_is_told() -> None:
    message = first(NOTES, SAID, since=BEGAN + timedelta(days=2))

    assert "46 moorings" not in message
    assert "Always use metric units" in message
    assert "The last dream began on 2026-05-06." in message
    assert part(message, "sessions") == ["2026-05-06 to 2026-05-07 · s1 · 2"]


def test_what_stands_among_the_turns_is_not_said_again() -> None:
    message = first({}, SAID)

    assert message.count("Hi! The harbour has 46 moorings") == 1
    assert "These are all: Sessions would show them again." in message
    assert "Nordhavn · 1 · 2026-05-07" in part(message, "unknown")


def test_where_turns_are_cut_or_lacking_their_words_stand_beside_sessions_and_values() -> None:
    long = f"{'tide after tide, ' * 40}until Birka Stad took over with 71 pumps."
    rows = part(first({}, say(HELLO, long)), "unknown")
    assert "46 · 1 · 2026-05-04" in rows
    assert any(row.startswith("71 · 1 · 2026-05-05 · ") and "pumps" in row for row in rows)

    many = say(HELLO, *(f"Berth {n} is dry. {'So it goes on. ' * 30}" for n in range(60)))
    message = first({}, many, tokens=4_000)
    assert "did not fit here" in message
    assert "These are all" not in message
    assert " · s1 · 61 · Hi! The harbour has 46" in part(message, "sessions")[0]
    assert all(row.count(" · ") >= 3 for row in part(message, "unknown"))


def test_instructions_preferences_and_denials_stand_word_for_word() -> None:
    rows = part(first(NOTES, SAID), "standing")

    assert rows == [
        "2026-05-07 · denial · I've never used a Synology, Bo did.",
        "2026-05-06 · standing order · Always use metric units in the tide reports.",
        "2026-05-06 · preference · I prefer tables over prose for tariffs.",
    ]


def test_contradictions_name_both_values_the_words_and_the_line() -> None:
    rows = part(first(NOTES, SAID), "contradictions")

    assert (
        "2026-05-04 · 46 against 40 · The harbour has 46 moorings now, since last Friday. · "
        "harbour.md:6: The harbour has 40 moorings."
    ) in rows


def test_relative_dates_stand_with_the_day_they_mean() -> None:
    rows = part(first(NOTES, SAID), "dates")

    assert rows == [
        f"2026-05-07 Thursday · {KIRSTEN} · yesterday = 2026-05-06",
        f"2026-05-04 Monday · {HELLO[4:]} · last Friday = 2026-05-01",
    ]


def test_names_and_values_that_no_note_has_are_listed() -> None:
    names = [row.split(" · ")[0] for row in part(first(NOTES, SAID), "unknown")]

    assert {"Kirsten Dahl", "Nordhavn", "46"} <= set(names)
    assert not {"Synology", "40", "Harbour"} & set(names)


def test_a_secret_in_a_note_is_not_told() -> None:
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"  # made up
    notes = {
        "MEMORY.md": f"# Memory\n- token {secret}\n- [Keys](keys.md) — {secret}\n",
        "keys.md": f"---\ndescription: {secret}\n---\n- There are 40 keys like {secret} here.\n",
    }
    message = first(notes, say("There are 50 keys here now."))

    assert secret not in message
    assert "[redacted: GitHub key]" in message
    assert "50 against 40" in message


def test_an_empty_memory_and_silence_make_a_message_too() -> None:
    message = first({}, ())

    assert "It has no index yet." in message
    assert "<material" not in message


@settings(max_examples=examples(60))
@given(
    st.dictionaries(
        st.sampled_from(["MEMORY.md", "harbour.md", "team/t.md", "ü.md", "x.txt"]), TEXTS
    ),
    st.lists(TEXTS, max_size=12),
    st.integers(0, 6_000),
)
def test_the_budget_is_never_exceeded(notes: dict[str, str], texts: list[str], limit: int) -> None:
    message = first(notes, say(*filter(None, texts)), tokens=limit)

    assert tokens(message) <= max(limit, LEAST)
    assert message.count("</material>") == message.count('<material part="')


@settings(max_examples=examples(40))
@given(st.integers(1_000, 9_000))
def test_more_room_never_shows_fewer_turns(limit: int) -> None:
    said = say(*(f"The tide at berth {n} was {n * 7} cm. {'So it goes. ' * n}" for n in range(40)))
    fewer = first(NOTES, said, tokens=limit)
    more = first(NOTES, said, tokens=limit + 1_500)

    assert fewer.count("- The tide at berth") <= more.count("- The tide at berth")
    assert tokens(fewer) <= limit


@given(TEXTS)
def test_every_sentence_is_a_contiguous_piece_of_its_message(text: str) -> None:
    whole = " ".join(text.split())

    assert all(said in whole for said in sentences(text))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("See:\n```\nx = 40\n```\nOk.", ("See:", "[code, 1 line]", "Ok.")),
        ("~~~ts\na\nb", ("[code, 2 lines]",)),
        ("One.\n  two   three \n\n", ("One.", "two three")),
        ("{\n  a: 1,\n};\nfoo();", ("{", "a: 1,", "};", "foo();")),
        ("{\n};\nfoo();\nbar();\nDone", ("[code, 4 lines]", "Done")),
        ("", ()),
    ],
)
def test_code_is_folded_and_says_nothing(text: str, pieces: tuple[str, ...]) -> None:
    assert folded(text) == pieces
    assert not any("code, " in said or "x = 40" in said for said in sentences(text))


@settings(max_examples=examples(40))
@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_every_quotation_is_a_contiguous_piece_of_a_message(texts: list[str]) -> None:
    clean = [text.replace("</material>", "") for text in texts if text.strip()]
    message = first(NOTES, say(*clean))
    whole = [" ".join(text.split()) for text in clean]

    for name, column in (("standing", 2), ("contradictions", 2), ("dates", 1), ("unknown", 3)):
        if f'<material part="{name}">' in message:
            for row in part(message, name):
                cells = row.split(" · ")
                if name == "unknown" and len(cells) == column:  # then a turn has it
                    assert any(cells[0] in turn for turn in part(message, "turns"))
                    continue
                pieces = [each.strip() for each in cells[column].split("[…]")]
                assert all(any(piece in each for each in whole) for piece in pieces)


SHA = """
import hashlib, sys
from tests.engine.model.digest.test_first_message import NOTES, SAID
from tests.engine.model.digest.told import first
sys.stdout.write(hashlib.sha256(first(NOTES, SAID, tokens=3_000).encode()).hexdigest())
"""


@pytest.mark.parametrize("seed", ["0", "1", "99"])
def test_the_same_brief_gives_the_same_bytes_in_any_process(seed: str) -> None:
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": seed,
        "TZ": "Asia/Tokyo" if seed == "1" else "America/Lima",
        "LC_ALL": "C",
    }
    told = subprocess.run(
        [sys.executable, "-c", SHA], env=environ, capture_output=True, text=True, check=True
    )

    assert told.stdout == hashlib.sha256(first(NOTES, SAID, tokens=3_000).encode()).hexdigest()


def test_without_a_time_given_today_is_the_clocks() -> None:
    message = first_message(brief(NOTES, ()), memory=MEMORY, tokens=2_000)

    said = date.fromisoformat(message.partition(", ")[2][:10])
    assert abs((said - clock.local_day(clock.now())).days) <= 1


def test_much_that_was_said_is_told_in_time_that_grows_no_faster() -> None:
    def long(count: int) -> Calls:
        said = say(
            *(
                f"Berth {n % 977} took {n * 13 % 9_001} litres at gauge {n % 41} on pier {n % 7} "
                f"of ward {n * 31 % 613}. It had {n % 89} ropes. {'The tide came in slowly. ' * 20}"
                for n in range(count)
            ),
            began=BEGAN - timedelta(days=count),
        )
        notes = {
            "MEMORY.md": "# Memory\n",
            **{
                f"n{m}.md": "".join(f"- Berth {m * 30 + k} took {k} litres.\n" for k in range(30))
                for m in range(20)
            },
        }
        ready = brief(notes, said)
        with within(1.5):
            first_message(ready, memory=MEMORY, tokens=16_000, now=NOW)
        with calls() as made:
            first_message(ready, memory=MEMORY, tokens=16_000, now=NOW)
        return made

    small, large = long(100), long(400)

    assert large.count < 5 * small.count
