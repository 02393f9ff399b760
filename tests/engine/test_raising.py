"""What was gathered stands in the index itself while that has much room."""

from __future__ import annotations

from datetime import UTC, datetime

from dreamd.domain.budget import index_sizes
from dreamd.domain.change import Declined
from dreamd.domain.settings import Budget
from dreamd.engine.rules.gather.place_pointer import description
from dreamd.engine.rules.raising import STEP
from tests.engine.night import INDEX, counts, dream, sleep
from tests.engine.updates.told import say, updated

HEAD = (
    "---\nname: {stem}\ndescription: {hook}\nmetadata:\n  type: {kind}\n  gathered: {kind}\n---\n\n"
)


def gathered(stem: str, kind: str, title: str, rows: list[str]) -> str:
    said = rows[0].removeprefix("- ").rstrip(".")
    head = HEAD.format(stem=stem, hook=f"{said}; …", kind=kind)
    return f"{head}# {title}\n\n" + "".join(f"{row}\n" for row in rows)


def memory(count: int) -> dict[str, str]:
    first = "- " + "The first thing that was said of the Ship fills the line of the index. " * 2
    facts = [
        first.strip(),
        *(f"- Van {n} of the shop costs {n + 300} euros." for n in range(count)),
    ]
    rules = [first.strip(), *(f"- Always name the price of van {n}." for n in range(6))]
    hook = facts[0].removeprefix("- ").rstrip(".")
    index = "".join(
        f"- [{title}]({stem}.md) — {hook}; …\n"
        for title, stem in (
            ("Project facts", "project-facts"),
            ("Working agreements", "working-agreements"),
        )
    )
    return {
        "MEMORY.md": f"# Memory\n\n{index}",
        "project-facts.md": gathered("project-facts", "project", "Project facts", facts),
        "working-agreements.md": gathered(
            "working-agreements", "feedback", "Working agreements", rules
        ),
    }


def said(texts: dict[str, str]) -> list[str]:
    return sorted(
        row
        for text in texts.values()
        for row in text.splitlines()
        if row.startswith(("- V", "- A"))
    )


def test_agreements_and_facts_stand_in_the_index_below_their_titles() -> None:
    before = memory(20)
    after = dream(before)
    assert said(after) == said(before)
    _, agreements, facts = after["MEMORY.md"].split("\n## ")
    assert agreements.startswith("Working agreements\n\n- Always name the price of van 0.\n")
    assert facts.startswith("Project facts\n\n- Van 0 of the shop costs 300 euros.\n")
    assert facts.count("\n- Van") == 20
    assert "costs" not in after["project-facts.md"]
    assert "The first thing that was said" in after["project-facts.md"]


def test_room_is_left_for_what_comes_and_what_people_asked_for_comes_first() -> None:
    for budget in (Budget(), Budget(index_bytes=6_000), Budget(index_units=6_000)):
        after = dream(memory(400), budget=budget)
        sizes = index_sizes(after["MEMORY.md"], budget)
        shares = (
            sizes.index_lines / budget.index_lines,
            sizes.index_bytes / budget.index_bytes,
            sizes.index_units / budget.index_units,
        )
        assert 0.3 < max(shares) <= 0.41
        assert after["MEMORY.md"].count("- Always") == 6
        assert said(after) == said(memory(400))


def test_a_hook_that_tells_anew_is_no_step_of_its_own() -> None:
    before = memory(12)
    rows = [f"- Van {n} of the shop costs {n + 300} euros." for n in range(12)]
    told = description(rows, "Project facts")
    assert told.endswith("; …")
    head = HEAD.format(stem="project-facts", hook=told, kind="project")
    before["project-facts.md"] = f"{head}# Project facts\n\n" + "\n".join(rows) + "\n"
    before["MEMORY.md"] = f"# Memory\n\n- [Project facts](project-facts.md) — {told}\n"
    del before["working-agreements.md"]
    result = sleep(before)
    hook = result.texts[INDEX].splitlines()[2]
    assert hook == f"- [Project facts](project-facts.md) — {told.removesuffix('; …')}"
    assert counts(result) == {STEP: 12 - told.count("Van")}


def test_a_second_dream_changes_nothing() -> None:
    for count in (20, 400):
        after = dream(memory(count))
        assert dream(after) == after


def test_what_comes_later_joins_its_section() -> None:
    after = dream(memory(20))
    grown = after["project-facts.md"] + "".join(f"- Vat {n} is full.\n" for n in range(9))
    index = dream({**after, "project-facts.md": grown})["MEMORY.md"]
    assert index.count("## Project facts") == 1
    assert "- Van 19 of the shop costs 319 euros.\n- Vat 0 is full.\n" in index


def test_one_line_that_comes_later_joins_its_section_at_once_and_its_hook_stays() -> None:
    after = dream(memory(20))
    more = dream({**after, "project-facts.md": after["project-facts.md"] + "- Vat 2 is full.\n"})
    assert "- Van 19 of the shop costs 319 euros.\n- Vat 2 is full.\n" in more["MEMORY.md"]
    assert more["project-facts.md"] == after["project-facts.md"]


def test_a_file_of_few_lines_and_a_file_that_a_person_keeps_stay_as_they_are() -> None:
    few = memory(3)
    few["working-agreements.md"] = memory(0)["working-agreements.md"].replace("gathered", "noted")
    assert dream(few) == few


def test_what_the_user_took_back_does_not_rise_again() -> None:
    row = "- Van 7 of the shop costs 307 euros."
    after = dream(memory(20), declined=Declined(added={(INDEX, row): "d1"}))
    assert row in after["project-facts.md"].splitlines()
    assert row not in after["MEMORY.md"].splitlines()


def test_a_line_that_rises_says_where_it_went() -> None:
    whys = [why for why in sleep(memory(20)).whys if "Van 7 " in why.line]
    assert {(why.sign, str(why.path), why.moved_to) for why in whys} == {
        ("-", "project-facts.md", INDEX),
        ("+", "MEMORY.md", None),
    }


def test_a_pointer_whose_line_is_brought_up_to_date_stays_one_pointer() -> None:
    first = "The orchard press holds 40 litres of cider and stands beside the wall of the old mill"
    rows = [
        f"- {first}. (2026-04-02)",
        *(
            f"- {oak}. (2026-04-03)"
            for oak in ("Every vat of the cellar by the lane is of oak",) * 3
        ),
    ]
    note = gathered("project-facts", "project", "Project facts", rows)
    note = note.replace(f"{first}. (2026-04-02); …", hook := description(rows, "Project facts"))
    texts = {
        "MEMORY.md": f"# Memory\n\n- [Project facts](project-facts.md) — {hook}\n",
        "project-facts.md": note,
    }
    april = datetime(2026, 4, 3, tzinfo=UTC)
    said = say("The orchard press now holds 55 litres of cider.")
    found = updated(texts, [said], edited=dict.fromkeys(texts, april))
    told = {str(path): note.text for path, note in found.memory.notes.items()}
    assert "now holds 55 litres of cider. (2026-05-11) Previously" in told["project-facts.md"]
    pointing = [row for row in told["MEMORY.md"].splitlines() if "](project-facts.md)" in row]
    assert len(pointing) == 1
    assert "now holds 55 litres" in pointing[0]
    assert "40 litres" not in pointing[0]
