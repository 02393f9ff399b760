"""Where there is room for a sentence and not for all that was said with it, the sentence comes."""

from __future__ import annotations

from pathlib import PurePosixPath

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import Candidate
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.promote.chosen import chosen, size
from dreamd.engine.rules.promote.fates import Fate, fates
from dreamd.engine.rules.promote.parts import left, parts
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
