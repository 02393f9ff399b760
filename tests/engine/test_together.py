"""Short facts share a line where an index has too many lines, and not a word is lost."""

from __future__ import annotations

from pathlib import PurePosixPath

from dreamd.domain.change import Declined
from dreamd.domain.settings import Budget
from tests.engine.night import counts, dream, sleep

SMALL = Budget(index_lines=40)
NAMES = ("Runa", "Tarek", "Odile", "Bram")


def index(facts: int) -> str:
    rows = [
        f"- {NAMES[n // 3 % 4]} has kept {n} goats at farm {n} since spring.\n"
        for n in range(facts)
    ]
    return "# Memory\n\n## Farms\n" + "".join(rows)


def test_an_index_with_too_many_lines_keeps_every_sentence_in_sight() -> None:
    result = sleep({"MEMORY.md": index(50)}, budget=SMALL)
    (after,) = result.texts.values()
    assert len(after.splitlines()) <= 40
    sentences = {row.removeprefix("- ") for row in index(50).splitlines() if row.startswith("- ")}
    assert all(after.count(sentence) == 1 for sentence in sentences)
    assert set(counts(result)) == {"put {short fact} beside another"}


def test_three_facts_share_a_line_before_any_of_them_leaves_the_index() -> None:
    result = sleep({"MEMORY.md": index(90)}, budget=SMALL)
    (after,) = result.texts.values()
    assert len(after.splitlines()) <= 0.95 * 40
    sentences = {row.removeprefix("- ") for row in index(90).splitlines() if row.startswith("- ")}
    assert all(after.count(sentence) == 1 for sentence in sentences)
    assert counts(result)["put {short fact} beside another"] == 90 + 3 - 38
    assert dream({"MEMORY.md": after}, budget=SMALL) == {"MEMORY.md": after}


def test_only_facts_of_one_subject_share_a_line() -> None:
    after = dream({"MEMORY.md": index(50)}, budget=SMALL)["MEMORY.md"]
    for row in after.splitlines():
        assert sum(name in row for name in NAMES) <= 1
        assert len(row) <= 450


def test_an_index_within_its_lines_stays_as_it_is() -> None:
    texts = {"MEMORY.md": index(30)}
    assert dream(texts, budget=SMALL) == texts


def test_a_second_dream_changes_nothing() -> None:
    after = dream({"MEMORY.md": index(50)}, budget=SMALL)
    assert dream(after, budget=SMALL) == after


def test_pointers_instructions_and_logs_keep_their_lines() -> None:
    own = [
        "- Always answer Runa in Dutch.\n",
        "- Always answer Tarek in Turkish.\n",
        "- Runa met the vet on 2026-05-01.\n",
        "- Runa met the smith on 2026-05-02.\n",
        "- Tarek [ ] mends\n",
    ]
    text = index(50) + "".join(own)
    after = dream({"MEMORY.md": text}, budget=SMALL)
    whole = "".join(after.values())
    assert all(row in whole for row in own)


def test_a_line_that_the_user_took_back_is_not_made_again() -> None:
    first = sleep({"MEMORY.md": index(50)}, budget=SMALL)
    path = PurePosixPath("MEMORY.md")
    made = [why.line for why in first.whys if why.sign == "+"]
    declined = Declined(added={(path, made[0]): "d1"})
    second = sleep({"MEMORY.md": index(50)}, budget=SMALL, declined=declined)
    assert made[0] not in second.texts[path].splitlines()


def test_a_word_that_may_begin_any_sentence_is_no_name() -> None:
    apart = [
        ("Our dog is called Rex.", "Our server runs on port 80."),
        ("My sister lives in Oslo.", "My car is red."),
        ("There are 3 cats in the barn.", "There is a shed."),
        ("Der Hund heisst Rex.", "Der Kran ist alt."),
        ("New York is far away.", "New hires get a laptop."),
        ("Mrs Hall feeds the geese.", "Mrs Berg left."),
        ("Goats graze in May.", "Goats sleep in the barn; our goats like it."),
    ]
    pairs = "".join(f"- {one}\n- {two}\n" for one, two in apart)
    same = "- Redis is fast.\n- Redis runs on port 6379.\n"
    after = dream({"MEMORY.md": f"# Memory\n\n{pairs}{same}"}, budget=Budget(index_lines=17))
    assert "- Redis is fast. Redis runs on port 6379." in after["MEMORY.md"]
    for one, two in apart:
        assert f"{one} {two}" not in "".join(after.values())
