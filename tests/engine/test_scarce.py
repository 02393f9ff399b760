"""Where all notes together are more than a reader sees, what says most is met first."""

from __future__ import annotations

import re

from dreamd.domain.change import Declined
from dreamd.domain.settings import Budget
from tests.engine.night import INDEX, dream

DAYS = [f"2026-{month:02}-{day:02}" for month in (1, 2, 3) for day in range(1, 28)]


def log(day: str, number: int) -> str:
    rows = [
        f"- hmm, what if the printer in the shop of the town is slow again on {number % 7} days?",
        f"- The rent of hall {number} is {number * 7 + 500} euros, with the key in Box{number}.",
        "- I keep thinking about the printer in the shop of the town again and again.",
        "- That sounds like a good plan for the shop and the printer, and for the town too.",
    ]
    wish = f"- I prefer hall {number} for the winter market.\n" if number % 20 == 3 else ""
    return f"## Notes {day}\n\n" + "".join(f"{row}\n" for row in rows) + wish + "\n"


TEXTS = {"MEMORY.md": "# Memory\n\n" + "".join(log(day, n) for n, day in enumerate(DAYS))}


def read(texts: dict[str, str], most: int) -> str:
    linked = re.findall(r"\]\(([^)]+\.md)\)", texts["MEMORY.md"])
    whole = "".join(texts[name] for name in dict.fromkeys(["MEMORY.md", *linked]))
    return whole.encode()[:most].decode(errors="ignore")


def test_empty_lines_go_before_words_and_not_again_once_taken_back() -> None:
    budget = Budget(memory_bytes=12_000, index_lines=150)
    index = dream(TEXTS, budget=budget)["MEMORY.md"]
    assert re.search(r"\n- [^\n]+\n## Notes [^\n]+\n- ", index)
    declined = Declined(removed={(INDEX, ""): "d1"})
    index = dream(TEXTS, budget=budget, declined=declined)["MEMORY.md"]
    assert not re.search(r"\n- [^\n]+\n## Notes", index)
