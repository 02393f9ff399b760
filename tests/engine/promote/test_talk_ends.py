"""How what is said in a chat may end, so that more of the day shares its line."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Heeded
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.consolidated import Heard
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.promote.fates import Fate, fates
from tests.engine.promote.test_promote import TOWNS, candidate, texts_of
from tests.engine.promote.test_room import drawn_on
from tests.engine.promote.test_talk import FULL, INDEX, edited, kept, night


@pytest.mark.parametrize(
    ("said", "is_joined"),
    [
        ("I moved to Leeds 🎉", True),
        ("I moved to Leeds! 🎉🎉", True),
        ("I adopted a cat ❤️", True),
        ("I ran the marathon 👍🏽", True),
        ("We drove to Lyon 🇫🇷", True),
        ("We are a family 👨‍👩‍👧", True),
        ("My team came out 3️⃣", True),
        ("我搬到了利兹。", True),
        ("我搬到了利兹！", True),  # noqa: RUF001
        ("你还记得利兹吗？", True),  # noqa: RUF001
        ("我在教「陶艺」", True),
        ("मैं लीड्स में रहता हूँ।", True),
        ("I moved to Leeds…", True),
        ("I moved to Leeds and", False),
        ("I moved to Leeds,", False),
        ("I moved to Leeds because:", False),
        ("I moved to Leeds —", False),
        ("मैं लीड्स में रहता हूँ", False),
    ],
)
def test_a_line_joins_where_what_is_said_has_ended(said: str, is_joined: bool) -> None:
    day, flat = "(2026-05-04)", "My flat has two rooms."
    rows = edited(kept(f"Ros: {said} {day}", f"Ros: {flat} {day}", f"Ros: {said} (2026-05-05)"))
    assert rows == ([(f"- Ros: {said} {flat} {day}",)] if is_joined else [])
    rows = edited(kept(f"Ros: {flat} {day}", f"Ros: {said} {day}", f"Ros: {said} (2026-05-05)"))
    assert rows == ([(f"- Ros: {flat} {said} {day}",)] if is_joined else [])


@pytest.mark.parametrize("end", [" 🎉", "。"])
def test_a_full_chat_with_such_ends_is_closed_up_once_and_known_to_stand(end: str) -> None:
    said = [
        candidate(
            f"{('Ros', 'Emre')[n % 2]}: I played the {n}th match in {TOWNS[n % 10]} of 9{end}",
            day=n // 4,
        )
        for n in range(160)
    ]
    first = night({INDEX: "# Memory\n"}, Heard((), Heeded(), said))
    texts = texts_of(first)
    rows = [row for text in texts.values() for row in text.splitlines()]
    assert max(row.count("match in") for row in rows if row.startswith("- Ros: ")) == 2
    for heeded in (drawn_on(first), Heeded()):
        assert texts_of(night(texts, Heard((), heeded, said))) == texts
    notes = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    became = fates(orient(notes), said, (), drawn_on(first), FULL)
    whole = "\n".join(texts.values())
    stands = [each.snippet.statement.partition(": ")[2] in whole for each in said]
    assert [fate.fate is Fate.STANDS for fate in became] == stands
    assert any(stands)
    assert not all(stands)
