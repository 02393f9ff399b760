"""Where there is room for a sentence and not for all that was said with it, the sentence comes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import Candidate
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.promote.chosen import chosen, size
from dreamd.engine.rules.promote.fates import Fate, fates
from dreamd.engine.rules.promote.parts import left, parts
from dreamd.engine.rules.promote.promote import open_ones
from tests.engine.promote.test_promote import INDEX, candidate, night, texts_of

LONG = (
    "We rent 40 vans for the bakery team in Ghent from Lucien. "
    "The winter depot of all our drivers lies behind the Turku station."
)
FIRST, SECOND = (f"{each}." for each in LONG.rstrip(".").split(". "))


def statements(candidates: list[Candidate] | tuple[Candidate, ...]) -> list[str]:
    return [each.snippet.statement for each in candidates]


def test_what_is_left_of_the_room_is_filled_with_sentences() -> None:
    whole = candidate(LONG)
    room = size(whole) - 1
    assert statements(chosen([whole], room, 9)) == [SECOND]
    assert statements(chosen([whole], room + 1, 9)) == [LONG]
    assert statements(chosen([whole], size(candidate(FIRST)), 9)) == [FIRST]
    assert chosen([whole], size(candidate(FIRST)) - 1, 9) == ()


def test_no_part_begins_with_a_sentence_that_leans_on_another() -> None:
    said = candidate(
        "We rent 40 vans in Ghent. They cost 900 euros a month. Lucien repairs 3 vans."
    )
    found = [each.snippet.statement for each in parts(said)]
    assert "We rent 40 vans in Ghent. They cost 900 euros a month." in found
    assert "Lucien repairs 3 vans." in found
    assert not [each for each in found if each.startswith("They")]


def test_what_leans_on_a_sentence_comes_with_it() -> None:
    said = candidate(
        "We rent 40 vans in Ghent. They cost 900 euros a month. I bought them from a dealer in"
        " Antwerp. My dentist moved to the U.S. in 2019 with 3 kids."
    )
    found = [each.snippet.statement for each in parts(said)]
    vans, dentist = said.snippet.statement.split(" My ")
    assert found == [vans, f"My {dentist}"]


@pytest.mark.parametrize(
    "sentence",
    [
        "However, they cost 40 euros.",
        "My brother in law repairs them in Turku.",
        "My sister keeps 3 of them in Turku.",
        "I paid 300 euros for it in Turku.",
    ],
)
def test_no_part_speaks_of_what_it_does_not_name(sentence: str) -> None:
    said = candidate(f"We rent vans for the team. {sentence} Lucien owns a depot in Ghent.")
    assert sentence not in [each.snippet.statement for each in parts(said)]


def test_a_part_may_speak_of_what_it_names() -> None:
    sentence = "I sold my car in Turku because it was old."
    said = candidate(f"We rent vans for the team. {sentence}")
    assert sentence in [each.snippet.statement for each in parts(said)]


def test_a_part_is_drawn_from_its_own_words() -> None:
    found = {each.snippet.statement: each.snippet.quote for each in parts(candidate(LONG))}
    assert found == {FIRST: FIRST, SECOND: SECOND}


def test_what_one_says_in_a_chat_is_still_labelled() -> None:
    found = parts(candidate(f"Ros: {LONG}"))
    assert {each.snippet.statement for each in found} == {f"Ros: {FIRST}", f"Ros: {SECOND}"}


def test_of_what_was_written_in_part_the_rest_is_left() -> None:
    whole = candidate(LONG)
    message = whole.snippet.message
    assert statements(left([whole], set())) == [LONG]
    assert statements(left([whole], {(message, SECOND)})) == [FIRST]
    assert left([whole], {(message, LONG)}) == []
    assert statements(left([whole], {("another", SECOND)})) == [LONG]


def test_what_is_left_of_a_statement_is_each_sentence_once() -> None:
    said = [
        f"We rent {n} {what} in Ghent." for n, what in enumerate(("vans", "bikes", "sheds"), 40)
    ]
    whole = candidate(" ".join([FIRST, *said]))
    assert statements(left([whole], {(whole.snippet.message, FIRST)})) == [" ".join(said)]
    rest = left([whole], {(whole.snippet.message, said[1])})
    assert statements(rest) == [f"{FIRST} {said[0]}", said[2]]
    heeded = Heeded(taken={"m": "d1"}, drawn={"m": frozenset({FIRST})})
    of_message = replace(whole, snippet=replace(whole.snippet, message="m"))
    memory = orient(Tree({PurePosixPath(INDEX): Entry(b"# M\n")}))
    found = open_ones(memory, [of_message], heeded, Refusals())
    assert statements(found) == [" ".join(said)]


def test_the_other_sentence_comes_once_there_is_room() -> None:
    texts = {INDEX: "# Memory\n"}
    taken: dict[str, str] = {}
    drawn: dict[str, frozenset[str]] = {}
    seen = []
    for most in (130, 130, 400, 400):
        heeded = Heeded(taken=taken, drawn=drawn)
        done = night(texts, [candidate(LONG)], budget=Budget(memory_bytes=most), heeded=heeded)
        texts = texts_of(done)
        for why in done.whys:
            taken[why.message] = "d1"
            drawn[why.message] = drawn.get(why.message, frozenset()) | {why.quote}
        seen.append([SECOND in texts[INDEX], FIRST in texts[INDEX]])
    assert seen == [[True, False], [True, False], [True, True], [True, True]]
    assert texts[INDEX].count("Turku") == texts[INDEX].count("Lucien") == 1


def test_what_stands_in_part_says_so() -> None:
    whole = candidate(LONG)
    notes = Tree({PurePosixPath(INDEX): Entry(f"# M\n\n- {SECOND} (2026-05-11)\n".encode())})
    message = whole.snippet.message
    heeded = Heeded(taken={message: "d1"}, drawn={message: frozenset({SECOND})})
    (became,) = fates(orient(notes), [whole], (), heeded, Budget())
    assert (became.fate, became.line) == (Fate.IN_PART, f"- {SECOND} (2026-05-11)")


def test_what_stands_on_two_lines_stands_and_a_pointer_is_no_line_of_it() -> None:
    whole = candidate(LONG)
    index = f"# M\n\n- [Vans](vans.md) — {FIRST}\n"
    texts = {INDEX: index, "vans.md": f"# Vans\n\n- {FIRST}\n- {SECOND}\n"}
    notes = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    message = whole.snippet.message
    heeded = Heeded(taken={message: "d1"}, drawn={message: frozenset({FIRST, SECOND})})
    (became,) = fates(orient(notes), [whole], (), heeded, Budget())
    assert (became.fate, became.path) == (Fate.STANDS, PurePosixPath("vans.md"))
