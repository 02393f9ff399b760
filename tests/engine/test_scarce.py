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


def test_what_gives_a_value_is_met_and_what_repeats_is_not() -> None:
    budget = Budget(memory_bytes=12_000)
    after = dream(TEXTS, budget=budget)
    met = read(after, 12_000)
    assert sum(f"is {n * 7 + 500} euros" in met for n in range(len(DAYS))) >= 0.95 * len(DAYS)
    assert all(f"- I prefer hall {n} " in after["MEMORY.md"] for n in range(3, len(DAYS), 20))
    rows = [row for row in TEXTS["MEMORY.md"].splitlines() if row.startswith("- ")]
    stands = [row for text in after.values() for row in text.splitlines()]
    assert all(stands.count(row) >= rows.count(row) for row in rows)
    assert dream(after, budget=budget) == after


def test_less_room_costs_what_says_least_first() -> None:
    shares = []
    for most in (2_048, 4_096, 8_192, 16_384):
        met = read(dream(TEXTS, budget=Budget(memory_bytes=most)), most)
        shares.append(sum(f"is {n * 7 + 500} euros" in met for n in range(len(DAYS))))
    assert shares == sorted(shares)
    assert shares[0] >= 3
    assert shares[2] >= 0.5 * len(DAYS)


def test_empty_lines_go_before_words_and_not_again_once_taken_back() -> None:
    budget = Budget(memory_bytes=12_000, index_lines=150)
    index = dream(TEXTS, budget=budget)["MEMORY.md"]
    assert re.search(r"\n- [^\n]+\n## Notes [^\n]+\n- ", index)
    declined = Declined(removed={(INDEX, ""): "d1"})
    index = dream(TEXTS, budget=budget, declined=declined)["MEMORY.md"]
    assert not re.search(r"\n- [^\n]+\n## Notes", index)
