"""The same words in the same context are one fact; in two contexts they may be two."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Declined
from tests.engine.night import INDEX, counts, dream, sleep
from tests.planted.records import records

FACT = "- Labels must be printed as PDF 1.4"


def test_the_earliest_place_wins_in_the_order_a_reader_meets_them() -> None:
    texts = {
        "MEMORY.md": "- [Printing](printing.md) — z\n- [Slips](printing-slips.md) — a\n",
        "printing.md": f"# Printing\n\n{FACT}\n- Only here, on the shelf\n",
        "printing-slips.md": f"# Printing\n\n{FACT}\n- Only there, on the desk\n",
    }
    after = dream(texts)
    assert after["printing.md"] == texts["printing.md"]
    assert after["printing-slips.md"] == "# Printing\n\n- Only there, on the desk\n"


@pytest.mark.parametrize("narrow", ["## Legacy Billing", "## Billing backup"])
def test_what_is_said_in_general_stays_and_the_special_case_goes(narrow: str) -> None:
    text = f"# Memory\n\n{narrow}\n{FACT}\n\n## Billing\n{FACT}\n"
    assert dream({"MEMORY.md": text})["MEMORY.md"] == f"# Memory\n\n## Billing\n{FACT}\n"
    turned = (
        f"# Memory\n\n## Billing\n{FACT}\n- One more line of it\n\n## Billing coupons\n{FACT}\n"
    )
    assert dream({"MEMORY.md": turned})["MEMORY.md"].count(FACT) == 1


def test_what_is_said_of_an_old_thing_is_not_said_in_general() -> None:
    text = f"# Memory\n\n**Old billing:**\n{FACT}\n\n## Billing\n{FACT}\n"
    assert dream({"MEMORY.md": text})["MEMORY.md"] == text


@pytest.mark.parametrize(
    ("one", "other", "fact"),
    [
        *(
            ("## User", "## Ivo", line)
            for line in ("- Prefers tea at work", "- Never eats any fish")
        ),
        ("## People", "## Heron", "- It listens on port 8040"),
        ("## Rules", "## Ideas", FACT),
        ("## Decisions", "## Rejected", FACT),
        ("## Notes", "## History", FACT),
        ("## Likes", "## Dislikes", FACT),
        ("## Rules", "## Rules staging", FACT),
        ("## Warehouse", "## Shop", FACT),
        ("## Rules", "## Offen", "- Der Drucker braucht ein neues Kabel"),
        ("## Regeln", "## Ivo", "- Trinkt nur Tee ohne Zucker"),
    ],
)
def test_what_the_heading_tells_of_a_line_keeps_its_copy(one: str, other: str, fact: str) -> None:
    text = f"{one}\n- first line of it here\n{fact}\n\n{other}\n- second line of it here\n{fact}\n"
    assert dream({"MEMORY.md": text})["MEMORY.md"] == text


@pytest.mark.parametrize(
    ("above", "name", "title", "fact"),
    [
        ("Conventions", "people", "People", "Labels must be printed as PDF 1.4"),
        ("Important", "decisions", "Décisions", "Never send a label without a barcode"),
        ("Rules", "releases", "Releases", "All bills are paid on the first of a month"),
        ("Household", "health", "Health", "Ivo prefers rye bread"),
        ("Known traps", "shop", "Shop", "Edda prefers small orders"),
    ],
)
def test_what_is_said_of_all_or_of_a_name_is_the_same_in_two_files(
    above: str, name: str, title: str, fact: str
) -> None:
    texts = {
        "MEMORY.md": f"## {above}\n- {fact}\n- [T]({name}.md) — more\n",
        f"{name}.md": f"# {title}\n\n- {fact}\n- The dentist is in Leith\n",
    }
    assert dream(texts)[f"{name}.md"] == f"# {title}\n\n- The dentist is in Leith\n"


@pytest.mark.parametrize(
    ("above", "name", "title", "fact"),
    [
        ("Rules", "stripe", "Stripe", "The timeout is 30 seconds"),
        ("Contacts", "ivo", "Ivo", "The manager is Edda Berg"),
        ("Overview", "heron", "Heron", "Default branch is develop"),
        ("Notes on health", "pets", "Pets", "The vet is Dr. Berg"),
        ("People", "acme", "Acme", "Never call him before ten"),
        ("Rules", "ideas", "Ideas", "Labels must be printed as PDF 1.4"),
        ("Rules", "exceptions", "Exceptions", "Labels must be printed as PDF 1.4"),
        ("User", "ivo", "Ivo", "Allergic to nuts and needs a pen"),
        ("User", "ivo", "Ivo", "Prefers calls over mail"),
        ("User", "ivo", "Ivo", "No come carne ni pescado"),
        ("Ben", "anna", "Anna", "Reports must be sent by mail on Friday"),
        ("Kitchen", "flat", "Holiday flat", "The kitchen window does not close"),
    ],
)
def test_what_is_said_of_something_there_keeps_its_copy_in_another_file(
    above: str, name: str, title: str, fact: str
) -> None:
    texts = {
        "MEMORY.md": f"## {above}\n- {fact}\n- [T]({name}.md) — more\n",
        f"{name}.md": f"# {title}\n\n- {fact}\n- The dentist is in Leith\n",
    }
    assert dream(texts) == texts


def test_a_sentence_right_above_a_list_is_no_label_and_a_label_is_one() -> None:
    fact = "Labels must be printed as PDF 1.4"
    for above, is_label in [
        ("We sell parts of bicycles to 30 shops in Turku.", False),
        ("All of this is told of the old printer in Turku.", True),
        ("The old printer in Turku", True),
        ("**Turku**", True),
    ]:
        texts = {
            "MEMORY.md": f"## Rules\n{above}\n\n- {fact}\n- [P](builds.md) — z\n",
            "builds.md": f"# Builds\n\n- {fact}\n- Only here, on the shelf\n",
        }
        assert (fact in dream(texts)["builds.md"]) is is_label


@pytest.mark.parametrize("label", ["**Heron**", "**Heron:**", "- **Heron**", "- Heron:"])
def test_a_label_holds_down_to_the_next_one(label: str) -> None:
    fact = "- Runs on port 8040 by default"
    other = label.replace("Heron", "Egret")
    text = (
        f"# Ports\n\n{label}\n\nIt is in Turku.\n\n{fact}\n\n{other}\n\nIt is in Oulu.\n\n{fact}\n"
    )
    assert dream({"MEMORY.md": text})["MEMORY.md"] == text


def test_no_look_alike_below_two_headings_goes() -> None:
    """Somebody who attacked the rules wrote them; with each something would be missed."""
    rows = list(records("seen", "below_headings"))
    assert len(rows) == 300
    for _, _, (one, other, *facts) in rows:
        text = (
            f"# Memory\n\n{one}\n\n- Only here, on the shelf\n- {facts[0]}\n\n"
            f"{other}\n\n- Only there, on the desk\n- {facts[-1]}\n"
        )
        assert dream({"MEMORY.md": text})["MEMORY.md"] == text


def test_a_hostile_line_below_two_headings_stays_and_takes_no_time() -> None:
    line = f"- {'in is, ' * 1200}labels are kept\n"
    text = (
        f"## Rules\n{line}- Only here, on the shelf\n\n## Shop\n{line}- Only there, on the desk\n"
    )
    assert dream({"MEMORY.md": text})["MEMORY.md"] == text


def test_what_points_back_to_the_line_above_it_is_no_copy() -> None:
    runs = "- It runs Debian 12\n"
    text = f"- Heron is the web server\n{runs}- Egret is the mail server\n{runs}"
    assert dream({"MEMORY.md": text})["MEMORY.md"] == text


def test_one_of_two_copies_in_the_index_goes_and_its_reason_names_where_it_stands() -> None:
    texts = {"MEMORY.md": f"## Printing\n{FACT}\n- Another line that stays\n* {FACT[2:]}\n"}
    result = sleep(texts)
    assert result.texts[INDEX] == f"## Printing\n{FACT}\n- Another line that stays\n"
    (why,) = result.whys
    assert (why.line, why.sign, why.moved_to) == (f"* {FACT[2:]}", "-", INDEX)
    assert counts(result) == {"merged {duplicate}": 1}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("## Service A", "## Service B"), ("## Phase 1", "## Phase 2")),
        *(("## Service", "## Service 2"), ("## Notes 2026-01-05", "## Notes 2026-01-06")),
        *(("## Notes", "## Notes 2026-01-06"), ("## Deploy", "## Deploy staging")),
        *(("## Web", "## Mail"), ("**Service A:**", "**Service B:**")),
        *(("**2026-01-05**", "**2026-01-06**"), ("Settings of A:", "Settings of B:")),
    ],
)
def test_two_contexts_are_two_facts(one: str, other: str) -> None:
    fact = "- Runs on port 8080 by default\n"
    text = f"# Memory\n\n{one}\n{fact}\n{other}\n{fact}"
    assert dream({"MEMORY.md": text})["MEMORY.md"] == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(
            ("## Deploy", "## Deploy"),
            ("## Deploy", "## Deploy notes"),
            ("## Printing", "### Labels"),
        ),
        *(("## Notes", "## Misc"), ("## Log 2026-01-05", "## 5 January 2026")),
    ],
)
def test_a_context_told_more_precisely_is_the_same(one: str, other: str) -> None:
    text = f"{one}\n- first line of it here\n{FACT}\n\n{other}\n- second line of it here\n{FACT}\n"
    assert dream({"MEMORY.md": text})["MEMORY.md"].count(FACT) == 1


def test_a_line_without_a_subject_is_of_its_file() -> None:
    texts = {
        "MEMORY.md": "- [L](logs.md) — x\n- [S](sessions.md) — y\n",
        "logs.md": "- Deleted after 30 days by the timer\n- Only here, on the shelf\n",
        "sessions.md": "- Deleted after 30 days by the timer\n- Only there, on the desk\n",
    }
    assert dream(texts) == texts


def test_a_file_of_another_day_keeps_its_copy() -> None:
    texts = {
        "MEMORY.md": "- [5](2026-01-05.md) — x\n- [6](2026-01-06.md) — y\n",
        "2026-01-05.md": "- Deployed the shop to heron\n",
        "2026-01-06.md": "- Deployed the shop to heron\n- And more of that day\n",
    }
    assert dream(texts) == texts


def test_topics_of_different_things_keep_their_copies() -> None:
    texts = {
        "MEMORY.md": "- [A](service-a.md) — x\n- [B](service-b.md) — y\n",
        "service-a.md": "# Service\n\n- Runs on port 8080 by default\n- alpha only line here\n",
        "service-b.md": "# Service\n\n- Runs on port 8080 by default\n- bravo only line here\n",
    }
    assert dream(texts) == texts


@pytest.mark.parametrize(
    "block",
    [
        *(
            "- too short here",
            "- It listens on these:",
            "**Status:** done and shipped to all",
            "---",
        ),
        *(
            "- **Why:** we got burned by mocks last year",
            "```\nsome code that stands here twice\n```",
        ),
        "## A heading that stands here twice",
        "- item with code inside it\n  ```\n  x = 1\n  ```",
    ],
)
def test_labels_short_lines_headings_and_code_are_never_duplicates(block: str) -> None:
    text = f"# Memory\n\n{block}\n\nA line between the two of them.\n\n{block}\n"
    assert dream({"MEMORY.md": text})["MEMORY.md"] == text


def test_a_row_of_a_table_is_no_duplicate_but_a_whole_table_is() -> None:
    table = "| host | port |\n|---|---|\n| heron | 8040 |\n| egret | 8041 |\n"
    other = "| host | port |\n|---|---|\n| heron | 8040 |\n| crane | 8042 |\n"
    one = "The second table has the ports of the new house."
    two = "So much for the ports of the two houses of ours."
    text = f"# Memory\n\n{table}\n{one}\n\n{other}\n{two}\n\n{table}\nend\n"
    after = dream({"MEMORY.md": text})["MEMORY.md"]
    assert after == f"# Memory\n\n{table}\n{one}\n\n{other}\n{two}\n\nend\n"


def test_a_step_done_twice_in_a_numbered_list_stays_twice() -> None:
    text = (
        "# Release\n\n1. Run the whole test suite\n2. Tag the commit\n3. Run the whole test suite\n"
    )
    assert dream({"MEMORY.md": text})["MEMORY.md"] == text
    other = "# Release\n\n1. Run the whole test suite\n2. Ask Ines for a review\n"
    texts = {"MEMORY.md": "- [R](r.md) — x\n\n" + text, "r.md": other}
    assert dream(texts) == texts


def test_an_item_with_other_children_is_another_item() -> None:
    fact = "- The order export has columns\n"
    text = f"# Memory\n\n{fact}  - day\n{fact}  - sum\n"
    assert dream({"MEMORY.md": text})["MEMORY.md"] == text


def test_a_section_told_twice_goes_with_its_heading_and_its_rule() -> None:
    section = (
        "### Fixes (2026-03-18)\n1. **Tests** - all twelve pass\n2. **Build** - base is pinned\n"
    )
    text = f"# Memory\n\n## Project\n\n{section}\n{section}\n### Plans\n- ship the label renderer\n"
    after = dream({"MEMORY.md": text})["MEMORY.md"]
    assert after == f"# Memory\n\n## Project\n\n{section}\n### Plans\n- ship the label renderer\n"


def test_a_label_goes_with_the_last_line_it_introduces() -> None:
    ports = "**Ports:**\n- The API listens on 8040\n\n"
    after = dream({"MEMORY.md": f"# Memory\n\n{ports}{ports}end\n"})["MEMORY.md"]
    assert after == f"# Memory\n\n{ports}end\n"


def test_a_note_is_never_emptied() -> None:
    texts = {
        "MEMORY.md": "- [A](printing.md) — x\n- [B](printing-slips.md) — y\n",
        "printing.md": f"# Printing\n\n{FACT}\n",
        "printing-slips.md": f"---\nname: b\n---\n# Printing\n\n{FACT}\n",
    }
    assert dream(texts) == texts
    texts["printing-slips.md"] += "- It stands on the packing table\n"
    assert FACT not in dream(texts)["printing-slips.md"]


def test_below_a_heading_the_user_wanted_back_everything_stays() -> None:
    section = f"## Printing\n{FACT}\n"
    text = f"{section}- between the two of them\n\n{section}\n## End\n- of all the notes here\n"
    assert dream({"MEMORY.md": text})["MEMORY.md"].count("## Printing") == 1
    no = Declined(removed={(PurePosixPath("MEMORY.md"), "## Printing"): "a1b2c3d4e5"})
    assert dream({"MEMORY.md": text}, declined=no)["MEMORY.md"] == text


def test_the_same_pointer_line_twice_is_once_even_under_another_heading() -> None:
    text = "## One\n- [A](a.md) — hook\n\n## Two\n- [A](a.md) — hook\n- [A](a.md) — another hook\n"
    after = dream({"MEMORY.md": text, "a.md": "text\n"})["MEMORY.md"]
    assert after == "## One\n- [A](a.md) — hook\n\n## Two\n- [A](a.md) — another hook\n"


@pytest.mark.parametrize("place", ["team/a.md", "logs/2026/01/05.md", "pinned.md"])
def test_what_is_not_ours_to_change_keeps_its_copy(place: str) -> None:
    head = "---\npinned: true\n---\n" if place == "pinned.md" else ""
    texts = {
        "MEMORY.md": f"- [P]({place}) — x\n- Labels must be printed as PDF 1.4\n",
        place: f"{head}- Labels must be printed as PDF 1.4\n- more of it here\n",
    }
    assert dream(texts) == texts


def test_a_copy_that_the_user_wanted_back_stays() -> None:
    text = f"# Memory\n\n{FACT}\n- between the two\n{FACT}\n"
    no = Declined(removed={(PurePosixPath("MEMORY.md"), FACT): "a1b2c3d4e5"})
    assert dream({"MEMORY.md": text}, declined=no)["MEMORY.md"] == text


def test_line_ends_and_a_missing_last_newline_stay_as_they_are() -> None:
    text = f"# Memory\r\n\r\n{FACT}\r\n- between the two\r\n{FACT}\r\n- last line of all"
    after = dream({"MEMORY.md": text})["MEMORY.md"]
    assert after == f"# Memory\r\n\r\n{FACT}\r\n- between the two\r\n- last line of all"
