"""An index over its limits gives up detail, the oldest first, and points to it."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice, permutations
from pathlib import PurePosixPath

import pytest

from dreamd.domain.budget import index_sizes
from dreamd.domain.change import Declined
from dreamd.domain.settings import Budget
from dreamd.text.markdown.pointers import unreachable
from tests.engine.night import INDEX, counts, dream, sleep

DAYS = [f"2026-{month:02}-{day:02}" for month in (1, 2, 3) for day in (3, 11, 19, 27)]


def thing(day: str, number: int) -> str:
    return f"Thing{day.replace('-', '')}x{number:02}"


def log(day: str, rows: int = 20, extra: str = "") -> str:
    """A log every line of which says as much as any other: one thing that no other says."""
    lines = "".join(f"- {thing(day, n)} happened to the shop.\n" for n in range(rows))
    return f"## Session {day}\n{lines}{extra}\n"


def said(texts: dict[str, str]) -> Counter[str]:
    return Counter(row for text in texts.values() for row in text.splitlines() if row.strip())


CALM = [
    f"all was {how} {when} in the {place}"
    for how in ("well", "fine")
    for when in ("again", "indeed")
    for place in ("shop", "town", "hall", "yard", "mill")
]
STEADY = (
    "# Memory\n\n## Preferences\n- Ines prefers small pull requests.\n- Always run the tests.\n\n"
    "## Current status\n- Version 2.4 is live since Monday.\n\n## Ports\n- The API is on 8040.\n\n"
)


def test_an_index_within_its_limits_is_left_alone() -> None:
    text = STEADY + "".join(map(log, DAYS[:8]))
    assert len(text.splitlines()) <= 200
    assert dream({"MEMORY.md": text}) == {"MEMORY.md": text}


def test_the_oldest_logs_go_first_and_what_holds_stays() -> None:
    texts = {"MEMORY.md": STEADY + "".join(map(log, DAYS))}
    after = dream(texts)
    index = after["MEMORY.md"]
    assert index.startswith(STEADY)
    kept = re.findall(r"^## Session (\S+)", index, re.MULTILINE)
    assert kept == DAYS[-len(kept) :]
    assert not said(texts) - said(after)
    assert len(after) == 2


def test_logs_that_say_little_go_before_those_that_say_much() -> None:
    thin = "".join(f"- The tests ran and {rest}.\n" for rest in CALM)
    logs = [
        f"## Session {day}\n"
        + "".join(f"- Mr{i}x{n} met Ms{i}x{n} at Inn{i}x{n}.\n" for n in range(20))
        + "\n"
        for i, day in enumerate(DAYS)
    ]
    logs[6] = f"## Session {DAYS[6]}\n{thin}\n"
    index = dream({"MEMORY.md": STEADY + "".join(logs)})["MEMORY.md"]
    kept = re.findall(r"^## Session (\S+)", index, re.MULTILINE)
    assert DAYS[6] not in kept
    assert DAYS[7:] == kept[-5:]


def test_the_log_of_the_last_day_stays_longest_however_little_it_says() -> None:
    thin = "".join(f"- The tests ran and {rest}.\n" for rest in CALM)
    logs = [*map(log, DAYS[:-1]), f"## Session {DAYS[-1]}\n{thin}\n"]
    index = dream({"MEMORY.md": STEADY + "".join(logs)})["MEMORY.md"]
    assert f"## Session {DAYS[-1]}\n{thin}" in index


def test_the_index_is_filled_to_its_limit_but_not_quite() -> None:
    for rows in range(1, 60, 7):
        text = STEADY + "".join(log(day, rows) for day in DAYS)
        sizes = index_sizes(dream({"MEMORY.md": text})["MEMORY.md"], Budget())
        if text.count("\n") > 200:
            assert 160 <= sizes.index_lines <= 190


@pytest.mark.parametrize("most", ["index_lines", "index_bytes", "index_units"])
def test_every_limit_is_kept(most: str) -> None:
    budget = {
        "index_lines": Budget(index_lines=60),
        "index_bytes": Budget(index_bytes=4000),
        "index_units": Budget(index_units=4000),
    }[most]
    text = STEADY + "".join(log(day, extra="- データベースは東京にある 🚀🚀\n") for day in DAYS[:6])
    sizes = index_sizes(dream({"MEMORY.md": text}, budget=budget)["MEMORY.md"], budget)
    limit = {"index_lines": 60, "index_bytes": 4000, "index_units": 4000}[most]
    value = getattr(sizes, most)
    assert 0.6 * limit <= value <= 0.95 * limit


def test_lines_move_unchanged_below_their_headings() -> None:
    nested = (
        "## Project\n\nAbout it.\n\n### Older fixes\n\n**Done:**\n\n1. shop\n   - shop\n\n"
        "| to | the |\n|---|---|\n| shop | shop |\n\n```sh\nhappened to the shop\n```\n\n---\n\n"
    )
    texts = {"MEMORY.md": STEADY + nested + "".join(log(day) for day in DAYS[4:])}
    after = dream(texts)
    (name,) = [name for name in after if name.startswith("project")]
    body = after[name].split("---\n", 2)[2]
    assert "## Project\n\n### Older fixes\n\n**Done:**\n\n1. shop\n   - shop\n\n| to" in body
    assert body.endswith("happened to the shop\n```\n\n---\n")
    assert "## Project\n\nAbout it.\n\n## Session" in after["MEMORY.md"]


def test_the_pointer_says_what_moved_and_the_file_says_what_it_is() -> None:
    orders = islice(permutations(("happened", "to", "the", "shop")), 12)  # all say the same
    rows = "".join(f"- {' '.join(each)}\n" for each in orders)
    head = f"## Session 2026-01-02 - printer\n{rows}"
    texts = {"MEMORY.md": STEADY + head + "\n" + "".join(log(day, 18) for day in DAYS[2:])}
    after = dream(texts)
    (name,) = set(after) - {"MEMORY.md"}
    assert f"]({name}) — printer" in after["MEMORY.md"]
    assert after[name].startswith(f"---\nname: {name[:-3]}\ndescription: printer")
    assert (
        "\nmetadata:\n  node_type: memory\n  type: project\n  moved_from: MEMORY.md\n---\n"
        in after[name]
    )


def test_a_directory_with_flat_types_gets_flat_types() -> None:
    flat = "---\nname: a\ntype: user\n---\ntext\n"
    texts = {"MEMORY.md": STEADY + "- [A](a.md) — x\n\n" + "".join(map(log, DAYS)), "a.md": flat}
    after = dream(texts)
    (name,) = set(after) - set(texts)
    assert "\ntype: project\nmoved_from: MEMORY.md\n---\n" in after[name]
    assert "metadata:" not in after[name]


def test_pointers_join_the_list_that_is_there() -> None:
    index = "# M\n\n* [A](a.md): first\n\n" + "".join(map(log, DAYS))
    after = dream({"MEMORY.md": index, "a.md": "text\n"})["MEMORY.md"]
    assert re.match(
        r"# M\n\n\* \[A\]\(a.md\): first\n\* \[Session 2026[^]]*\]\(session-2026[^)]*\): ", after
    )


def test_a_log_of_many_months_goes_to_few_files() -> None:
    days = [f"{year}-{month:02}-07" for year in (2024, 2025) for month in range(1, 13)]
    texts = {"MEMORY.md": STEADY + "".join(log(day, 40) for day in days)}
    after = dream(texts)
    made = sorted(set(after) - {"MEMORY.md"})
    assert len(made) <= 8
    assert all(len(after[name].encode()) < 24_000 for name in made)
    order = re.findall(r"\(session-(\d{4}(?:-q\d)?)", after["MEMORY.md"])
    assert order == sorted(order, reverse=True)


def test_standing_instructions_stay_where_their_log_goes() -> None:
    rule = "- Never push to main without a review.\n"
    text = "# M\n\n" + log(DAYS[0], 20, rule) + "".join(log(day) for day in DAYS[1:])
    after = dream({"MEMORY.md": text})
    assert f"## Session {DAYS[0]}\n{rule}" in after["MEMORY.md"]
    (name,) = set(after) - {"MEMORY.md"}
    assert f"## Session {DAYS[0]}\n- {thing(DAYS[0], 0)} happened" in after[name]


def test_a_state_that_was_updated_is_no_log() -> None:
    state = "## Docker (Updated 2026-01-01)\n- The image has ROS and a gateway.\n\n"
    after = dream({"MEMORY.md": state + "".join(map(log, DAYS))})["MEMORY.md"]
    assert after.startswith(state)


def test_one_section_that_is_too_much_goes_in_part_and_the_list_points_to_it() -> None:
    text = (
        "# M\n\n## Facts\n" + "".join(f"- Fact {n} about part {n % 7}\n" for n in range(250)) + "\n"
    )
    after = dream({"MEMORY.md": text + "## Ports\n- The API is on 8040.\n"})
    index = after["MEMORY.md"]
    assert "## Ports\n- The API is on 8040.\n" in index
    assert 150 <= index.count("- Fact ") <= 190
    assert index.count("- Fact ") + after["facts.md"].count("- Fact ") == 250
    assert "\n- [Facts](facts.md) — Fact " in index


def test_a_label_is_repeated_over_the_lines_that_leave_it() -> None:
    facts = "".join(f"- Fact {n} about part {n % 7}\n" for n in range(250))
    after = dream({"MEMORY.md": f"# M\n\n## Facts\n\n**Of the shop:**\n{facts}"})
    assert "**Of the shop:**\n- Fact" in after["MEMORY.md"]
    assert "## Facts\n\n**Of the shop:**\n- Fact" in after["facts.md"]


def test_a_flat_list_gives_up_what_says_least() -> None:
    rows = [
        f"- Maria likes the sea and the sun, and {w} too.\n"
        for w in ("John", "Ann")
        for _ in range(120)
    ]
    rows = [f"{row[:-2]} ({n})\n" for n, row in enumerate(rows)]
    rare = "- Klaus keeps bees in Tromsø with Ragnhild.\n"
    after = dream({"MEMORY.md": "# M\n\n" + "".join([*rows[:90], rare, *rows[90:]])})
    assert rare in after["MEMORY.md"]
    (name,) = set(after) - {"MEMORY.md"}
    assert name == "more-notes.md"
    assert after["MEMORY.md"].endswith(after["MEMORY.md"].splitlines()[-1] + "\n")
    assert "](more-notes.md)" in after["MEMORY.md"].splitlines()[-1]


def test_a_list_of_pointers_too_long_becomes_a_list_of_its_own() -> None:
    names = [f"n{n:03}.md" for n in range(150)]
    index = "# M\n\n" + "".join(f"- [Note {name}]({name}) — says {name}\n" for name in names)
    texts = {"MEMORY.md": index, **{name: f"Text of {name}.\n" for name in names}}
    budget = Budget(index_lines=100)
    after = dream(texts, budget=budget)
    assert len(after["MEMORY.md"].splitlines()) <= 95
    assert unreachable({PurePosixPath(name): text for name, text in after.items()}) == ()


def test_a_list_that_leaves_with_the_pointer_to_its_own_file_stays_reachable() -> None:
    names = [f"word{n}x.md" for n in range(60)]
    marked = "---\nname: topics\nmoved_from: MEMORY.md\n---\n\n## Topics\n\n- [N](old.md) — N\n"
    rows = "".join(f"- [N{n}]({name}) — word{n}y N\n" for n, name in enumerate(names))
    texts = {
        "MEMORY.md": f"# M\n\n## Topics\n\n- [N](topics.md) — N\n{rows}",
        "topics.md": marked,
        "old.md": "text\n",
        **{name: f"Text of {name}.\n" for name in names},
    }
    after = dream(texts, budget=Budget(index_lines=40))
    assert "- [N](topics.md) — N\n- [N0](word0x.md)" in after["topics.md"]
    assert after["MEMORY.md"].count("](topics.md)") == 1
    assert unreachable({PurePosixPath(name): text for name, text in after.items()}) == ()


def test_lines_the_user_did_not_want_in_a_file_are_not_put_there_again() -> None:
    first = dream({"MEMORY.md": STEADY + "".join(map(log, DAYS[:9]))})
    (name,) = set(first) - {"MEMORY.md"}
    grown = {**first, "MEMORY.md": first["MEMORY.md"] + "\n" + "".join(map(log, DAYS[9:11]))}
    added = said({name: dream(grown)[name]}) - said({name: first[name]})
    no = Declined(added=dict.fromkeys([(PurePosixPath(name), row) for row in added], "a1b2c3d4e5"))
    again = dream(grown, declined=no)
    assert not (said({name: again[name]}) - said({name: first[name]})) & added
    assert not said(grown) - said(again)


def test_a_later_dream_adds_to_the_file_that_took_such_lines() -> None:
    first = dream({"MEMORY.md": STEADY + "".join(map(log, DAYS[:9]))})
    (name,) = set(first) - {"MEMORY.md"}
    grown = {**first, "MEMORY.md": first["MEMORY.md"] + "\n" + "".join(map(log, DAYS[9:11]))}
    after = dream(grown)
    assert set(after) == set(first)
    assert after[name].startswith(first[name])
    assert not said(grown) - said(after)


def test_a_file_the_user_wrote_is_not_added_to() -> None:
    own = "# Session 2026\n\nMy own words.\n"
    texts = {
        "MEMORY.md": "- [S](session-2026.md) — x\n\n" + "".join(map(log, DAYS)),
        "session-2026.md": own,
    }
    after = dream(texts)
    assert after["session-2026.md"] == own
    assert set(after) - set(texts) == {"session-2026-2.md"}


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Größe & Maße: «Überblick»", "größe-maße-überblick"),
        ("データベース", "データベース"),
        ("../../etc/passwd", "etc-passwd"),
        ("Memory", "notes"),
        ("!!!", "notes"),
        ("word " * 40, "word-" * 11 + "word"),
        ("é" * 100, "é" * 30),
    ],
)
def test_names_are_words_of_the_heading(heading: str, name: str) -> None:
    body = "".join(f"- line {n} of a long list of things\n" for n in range(60))
    text = f"# M\n\n## {heading}\n{body}\n## User preferences\n" + "- prefers tea\n" * 160
    after = dream({"MEMORY.md": text})
    assert f"{name}.md" in after
    assert len(name.encode()) <= 60


def test_one_line_longer_than_the_limit_is_moved_whole() -> None:
    line = "- " + "word " * 6000 + "end\n"
    after = dream({"MEMORY.md": STEADY + line})
    (name,) = set(after) - {"MEMORY.md"}
    assert line in after[name]
    assert line not in after["MEMORY.md"]


def test_what_says_least_leaves_where_all_cannot_stay() -> None:
    filler = "- Maria feels that family and friends are very important to her.\n"
    days = [day.replace("2026", "2025") for day in DAYS] + DAYS
    texts = {
        "MEMORY.md": "# M\n\n"
        + "".join(
            f"## Notes {day}\n"
            + "".join(f"- Maria met Visitor{i}x{n} of Town{i}x{n} in hall {n}\n" for n in range(20))
            + filler.replace("very", f"very {'so ' * (i % 3)}")
            + "\n"
            for i, day in enumerate(days)
        )
    }
    after = dream(texts, budget=Budget(memory_bytes=20_000))
    assert after["MEMORY.md"].count("Maria met") >= 170
    assert after["MEMORY.md"].partition(f"## Notes {DAYS[-1]}")[0].count("family") == 0
    assert sum(text.count("family and friends") for text in after.values()) > 0
    assert not said(texts) - said(after)


@pytest.mark.parametrize("most", [30, 20])
def test_a_directory_of_many_files_gets_one_more_at_most(most: int) -> None:
    texts = {f"n{n}.md": f"Text {n} here.\n" for n in range(28)}
    pointers = "".join(f"- [N]({name}) — x\n" for name in texts)
    days = [f"{year}-03-07" for year in range(2000, 2024)]
    index = f"# M\n\n{pointers}\n" + "".join(
        f"## At work {day}\n" + "".join(f"- it was {day} at {n}\n" for n in range(15))
        for day in days
    )
    after = dream({"MEMORY.md": index, **texts}, budget=Budget(files=most))
    assert set(after) - set(texts) == {"MEMORY.md", "older-notes.md"}


def test_what_the_user_took_back_stays_in_the_index() -> None:
    text = STEADY + "".join(map(log, DAYS))
    rows = set(log(DAYS[0]).splitlines())
    no = Declined(removed=dict.fromkeys([(INDEX, row) for row in rows], "a1b2c3d4e5"))
    after = dream({"MEMORY.md": text}, declined=no)["MEMORY.md"]
    assert log(DAYS[0]).strip() in after
    assert log(DAYS[1]).strip() not in after


def test_where_nothing_may_go_nothing_goes() -> None:
    text = STEADY + "".join(map(log, DAYS))
    no = Declined(
        removed={(INDEX, row): "a1b2c3d4e5" for row in text.splitlines() if "Session" not in row}
    )
    assert dream({"MEMORY.md": text}, declined=no) == {"MEMORY.md": text}


def test_a_file_that_was_not_wanted_is_not_made_again() -> None:
    text = STEADY + "".join(map(log, DAYS))
    first = dream({"MEMORY.md": text})
    (name,) = set(first) - {"MEMORY.md"}
    no = Declined(
        added=dict.fromkeys(
            [(PurePosixPath(name), row) for row in first[name].splitlines()], "a1b2c3d4e5"
        )
    )
    assert name not in dream({"MEMORY.md": text}, declined=no)


def test_the_report_counts_the_lines_and_says_where_they_are() -> None:
    texts = {"MEMORY.md": STEADY + "".join(map(log, DAYS))}
    result = sleep(texts)
    after = {str(path): text for path, text in result.texts.items()}
    (name,) = set(after) - {"MEMORY.md"}
    gone = [row for row in texts["MEMORY.md"].splitlines() if row and row not in after["MEMORY.md"]]
    assert counts(result) == {"moved {line} out of the index": len(gone)}
    where = {why.line: why.moved_to for why in result.whys if why.sign == "-"}
    assert all(where[row] == PurePosixPath(name) for row in gone)


def test_a_hook_leaves_out_the_whole_bracket_of_a_day() -> None:
    rows = "".join(f"- The kiln was fired {n} times.\n" for n in range(40))
    logs = "".join(
        f"## Work (2026-03-{n}/{n + 1}) — glaze {n}\n{rows}\n" for n in (11, 14, 17, 20, 23)
    )
    index = dream({"MEMORY.md": f"# Memory\n\n{logs}"})["MEMORY.md"]
    (pointer,) = [row for row in index.splitlines() if "](" in row]
    assert pointer.endswith(".md) — glaze 11"), pointer


def test_a_hook_tells_nothing_that_its_file_calls_past() -> None:
    past = "".join(
        f"- Previously: tun {n} held {n + 40} litres. (2026-04-0{n + 1})\n" for n in range(4)
    )
    wall = "leans towards the lane, and has done so since the year of the flood, " * 2
    rest = "".join(f"- The wall of press {n} {wall}says Ines.\n" for n in range(30))
    budget = Budget(index_bytes=3_000)
    after = dream({"MEMORY.md": f"# Memory\n\n## Cellar\n\n{past}{rest}"}, budget=budget)
    assert all(row in "".join(after.values()) for row in past.splitlines())
    told = [row for text in after.values() for row in text.splitlines() if "description" in row]
    assert told
    assert not any("Previously" in row for row in told)
    assert "Previously" not in after["MEMORY.md"]
