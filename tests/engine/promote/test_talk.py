"""A chat of two people in full notes: what tells something stays, by person and day."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Declined, Heeded
from dreamd.domain.evidence import Candidate, ClaimKind
from dreamd.domain.prose.appraising import only_appraises, without_appraisals
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.consolidated import Consolidated, Heard, consolidated
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.promote.chosen import chosen, size
from dreamd.engine.rules.promote.fates import Fate, fates
from dreamd.engine.rules.promote.talk import joined_talk
from dreamd.evidence.firmness import firmness
from tests.engine.night import quiet
from tests.engine.promote.test_promote import TOWNS, bytes_of, candidate, texts_of
from tests.engine.promote.test_room import drawn_on

INDEX = "MEMORY.md"
FULL = Budget(memory_bytes=6_000)
HEAD = "---\nname: talks\ndescription: Talks\nmetadata:\n  gathered: project\n---\n\n# Talks\n\n"
KEPT = PurePosixPath("talks.md")
DAY = re.compile(r" \(\d{4}-\d\d-\d\d\)$")


def chat(count: int, since: int = 0) -> list[Candidate]:
    """Each says two things a day, and something kind behind it."""
    return [
        candidate(
            f"{('Ros', 'Emre')[n % 2]}: I played the {n}th match in {TOWNS[n % 10]} with team {n}."
            " You are such a wonderful friend!",
            day=since + n // 4,
        )
        for n in range(count)
    ]


def night(texts: dict[str, str], heard: Heard, budget: Budget = FULL) -> Consolidated:
    notes = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    return consolidated(orient(notes), budget, Declined(), quiet, heard)


@cache
def filled() -> tuple[list[Candidate], Consolidated]:
    """Notes that are full of a chat."""
    said = chat(160)
    return said, night({INDEX: "# Memory\n"}, Heard((), Heeded(), said))


def kept(*rows: str) -> dict[str, str]:
    body = "".join(f"- {row}\n" for row in rows)
    return {INDEX: "# Memory\n\n- [Talks](talks.md) — Talks\n", "talks.md": HEAD + body}


def edited(texts: dict[str, str], refusals: Refusals | None = None) -> list[tuple[str, ...]]:
    notes = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    edits = joined_talk(orient(notes), refusals or Refusals())
    mine = (each for each in edits if each.step == "put {short fact} beside another")
    return [insertion.rows for each in mine for insertion in each.insertions]


@pytest.mark.parametrize(
    ("sentence", "is_one"),
    [
        ("You are such a wonderful friend!", True),
        ("Wow Mel, that painting's amazing!", True),
        ("Thanks, I appreciate it so much, Caroline!", True),
        ("Caroline, that's great!", True),
        ("Thanks Mel!", True),
        ("Sweden!", False),
        ("I moved to Leeds.", False),
        ("I love your painting!", True),
        ("I'm so proud of your courage!", True),
        ("I'm a vegetarian.", False),
        ("I love surfing!", False),
        ("I take insulin.", False),
        ("My dream job is nursing.", False),
        ("Loved Rome, Italy!", False),
        ("I love my dog Rex.", False),
        ("It was great to see you on Monday.", False),
        ("I am so happy with my 3 cats.", False),
        ("It's a beautiful flute made of bamboo from my uncle.", False),
    ],
)
def test_a_sentence_only_appraises_where_it_gives_nothing_else(sentence: str, is_one: bool) -> None:
    assert only_appraises(sentence) is is_one


def test_kind_words_go_at_both_ends_of_what_is_said_in_a_chat_only() -> None:
    said = "Wow Emre, that's amazing! I moved to Leeds. It rains. You are so kind!"
    assert without_appraisals(f"Ros: {said}") == "Ros: I moved to Leeds. It rains."
    assert without_appraisals(said) == said
    assert without_appraisals("Ros: You are so kind!") == "Ros: You are so kind!"


def test_hopes_and_troubles_weigh_as_much_as_deeds_among_people_only() -> None:
    one, other = "I'm thinking of adopting a cat.", "I adopted a cat."
    fact = ClaimKind.FACT
    assert firmness(f"Ros: {one}", fact) == firmness(f"Ros: {other}", fact)
    assert firmness(one, fact) < firmness(other, fact)
    advice = ClaimKind.ADVICE
    assert firmness("Pros: it is fast.", advice) < firmness("Ros: it is fast.", fact)


def test_praise_and_what_is_shown_in_brackets_count_little_in_a_chat() -> None:
    plain = candidate("Ros: My sister teaches pottery and weaving at the harbour school.")
    kind = candidate("Ros: Your amazing support and wonderful kindness truly inspire my dreams.")
    shown = candidate("Ros: Here it is, look [a photo of a harbour with pottery and weaving].")
    assert chosen([kind, shown, plain], size(plain), 9) == (plain,)


def test_full_notes_have_what_one_person_said_on_one_day_on_one_line() -> None:
    said, result = filled()
    after = texts_of(result)
    assert bytes_of(after) <= FULL.memory_bytes
    rows = [row for text in after.values() for row in text.splitlines()]
    rows = [row for row in rows if row.startswith(("- Ros: ", "- Emre: "))]
    assert max(row.count("match in") for row in rows) == 2
    assert all(len(row) <= 450 for row in rows)
    assert not any("wonderful" in row for row in rows if row.startswith("- Ros"))
    whole = {each.snippet.statement.partition(" You")[0]: each for each in said}
    for row in (each for each in rows if DAY.search(each)):
        name, _, told = DAY.sub("", row).removeprefix("- ").partition(": ")
        for sentence in re.findall(r"I played .*?\.", told):
            each = whole[f"{name}: {sentence}"]  # by who said it, and on its day
            assert row.endswith(f"({each.snippet.day})")


def test_a_line_of_two_sentences_is_heard_from_both_messages() -> None:
    _, result = filled()
    rows = [row for text in texts_of(result).values() for row in text.splitlines()]
    both = next(row for row in rows if row.count("match in") == 2 and row.startswith("- Ros"))
    sources = {why.message for why in result.whys if why.line == both and why.sign == "+"}
    assert len(sources) == 2
    told = DAY.sub("", both)
    assert all(re.sub(r"^Ros: | You are.*", "", each) in told for each in sources)


def test_a_second_dream_of_the_same_chat_changes_nothing() -> None:
    said, first = filled()
    for heeded in (drawn_on(first), Heeded()):  # by what it knows, and by what stands there
        again = night(texts_of(first), Heard((), heeded, said))
        assert texts_of(again) == texts_of(first)


def test_what_stands_among_others_on_a_line_is_known_to_stand() -> None:
    said, first = filled()
    texts = texts_of(first)
    notes = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    became = fates(orient(notes), said, (), drawn_on(first), FULL)
    whole = "\n".join(texts.values())
    for each, fate in zip(said, became, strict=True):
        stands = each.snippet.statement.partition(" You")[0].partition(": ")[2] in whole
        assert (fate.fate is Fate.STANDS) is stands


def test_a_chat_that_fits_keeps_each_thing_said_on_a_line_of_its_own() -> None:
    said = chat(12)
    after = texts_of(night({INDEX: "# Memory\n"}, Heard((), Heeded(), said), Budget()))
    rows = {row for text in after.values() for row in text.splitlines()}
    for each in said:
        assert f"- {each.snippet.statement} ({each.snippet.day})" in rows


def test_a_full_chat_gives_way_to_what_is_said_since() -> None:
    old = [replace(each, firmness=0.2) for each in chat(160)]
    first = night({INDEX: "# Memory\n"}, Heard((), Heeded(), old))
    news = [
        candidate(f"Ros: My {name} ferry leaves pier {n * 3} at {n + 5}:30.", day=90, firmness=1.0)
        for n, name in enumerate(("Bastia", "Heraklion", "Tromso"))
    ]
    since = datetime(2026, 5, 11, 9, tzinfo=UTC) + timedelta(days=80)
    second = night(texts_of(first), Heard((), drawn_on(first), [*old, *news], since=since))
    whole = "\n".join(texts_of(second).values())
    assert bytes_of(texts_of(second)) <= FULL.memory_bytes
    assert all(name in whole for name in ("Bastia", "Heraklion", "Tromso"))


def test_other_people_other_days_and_what_is_past_stay_apart() -> None:
    rows = (
        "Ros: I moved to Leeds. (2026-05-04)",
        "Emre: I moved to Cork. (2026-05-04)",
        "Ros: I moved to York. (2026-05-05)",
        "Ros: I moved to Hull. (2026-05-06; Previously: Leeds, 2026-05-04)",
        "We moved to Bath. (2026-05-04)",
    )
    assert edited(kept(*rows)) == []
    more = (*rows, "Ros: My flat has two rooms. (2026-05-04)")
    (joined,) = edited(kept(*more))
    assert joined == ("- Ros: I moved to Leeds. My flat has two rooms. (2026-05-04)",)


def test_a_line_stays_readable_and_none_that_was_taken_back_is_touched() -> None:
    long = " ".join(f"The {n}th of many rooms is painted blue." for n in range(10))
    texts = kept(f"Ros: {long} (2026-05-04)", f"Ros: {long[:-1]} now. (2026-05-04)")
    assert edited(texts) == []
    short = "Ros: I moved to Leeds. (2026-05-04)", "Ros: My flat is new. (2026-05-04)"
    whole = "- Ros: I moved to Leeds. My flat is new. (2026-05-04)"
    assert edited(kept(*short)) == [(whole,)]
    for declined in (
        Declined(added={(KEPT, whole): "d1"}),
        Declined(removed={(KEPT, f"- {short[1]}"): "d1"}),
    ):
        assert edited(kept(*short), Refusals(declined)) == []


def test_a_note_of_the_users_own_keeps_its_lines() -> None:
    texts = kept("Ros: I moved to Leeds. (2026-05-04)", "Ros: My flat is new. (2026-05-04)")
    own = texts | {"talks.md": texts["talks.md"].replace("  gathered: project\n", "")}
    assert edited(texts) != []
    assert edited(own) == []


def test_the_users_lines_of_that_shape_stay_also_below_other_headings() -> None:
    own = (
        "# Memory\n\n## Work\n\n- Deadline: The audit is due. (2026-03-02)\n"
        "\n## Home\n\n- Deadline: The rent is due. (2026-03-02)\n"
        "- Ros: I moved to Leeds. (2026-05-11)\n- Ros: My flat has two rooms. (2026-05-11)\n"
    )
    after = texts_of(night({INDEX: own}, Heard((), Heeded(), chat(160))))
    assert own.strip() in after[INDEX]
    assert any(row.count("match in") == 2 for text in after.values() for row in text.splitlines())


def test_dreamt_lines_that_the_user_put_below_other_headings_stay_there() -> None:
    rows = "- Ros: I moved to Leeds. (2026-05-04)", "- Ros: My flat is new. (2026-05-04)"
    assert edited({INDEX: "# Memory\n\n" + "\n".join(rows) + "\n"}) != []
    assert edited({INDEX: f"# Memory\n\n## Past\n\n{rows[0]}\n\n## Home\n\n{rows[1]}\n"}) == []


def test_notes_that_fit_stay_where_a_thing_can_never_be_written() -> None:
    said = chat(12)
    first = night({INDEX: "# Memory\n"}, Heard((), Heeded(), said), Budget())
    odd = candidate("I bought a kiln in Turku yesterday.")
    odd = replace(odd, snippet=replace(odd.snippet, day=None))
    again = night(texts_of(first), Heard((), drawn_on(first), [*said, odd]), Budget())
    assert texts_of(again) == texts_of(first)
