"""Where claims go: the right file, the end of a list, once, and never where the user said no."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.change import Declined, Heeded
from dreamd.domain.reading import reading_order
from dreamd.domain.settings import Budget
from dreamd.engine.rules.gather.claim import Claim
from dreamd.engine.rules.gather.cue import Cue
from dreamd.engine.rules.gather.place import AGAIN, LEFT, REMEMBERED
from dreamd.text.markdown.pointers import pointers, unreachable
from tests.engine.gather.place_night import INDEX, after, claim, heard, objections, rule, save, tree
from tests.engine.night import counts
from tests.pace import within

EMPTY = {INDEX: "# Memory\n"}
PNPM = "Always use pnpm in the web folder, never npm."
PNPM_LINE = "- Always use pnpm in the web folder, never npm. (2026-05-11)"
STAGING = """---
name: staging
description: hosts and ports of the staging environment
metadata:
  node_type: memory
  type: project
---

# Staging

- The staging database listens on port 5432
- Redis runs on the same host

## History

- it moved in March
"""
NOTES = {INDEX: "# Memory\n\n- [Staging](staging.md) — hosts and ports\n", "staging.md": STAGING}


def came(texts: dict[str, str], now: dict[str, str]) -> dict[str, list[str]]:
    """The lines each file has that it had not, in order."""
    found = {
        name: [row for row in text.split("\n") if row not in texts.get(name, "").split("\n")]
        for name, text in now.items()
    }
    return {name: rows for name, rows in found.items() if rows}


def test_an_empty_memory_gets_an_index_and_a_file_of_the_right_type() -> None:
    now = after({}, [rule(PNPM)])
    assert now == {
        INDEX: "# Memory\n\n- [Working agreements](working-agreements.md) — "
        "Always use pnpm in the web folder, never npm\n",
        "working-agreements.md": "---\n"
        "name: working-agreements\n"
        "description: Always use pnpm in the web folder, never npm\n"
        "metadata:\n  node_type: memory\n  type: feedback\n  gathered: feedback\n---\n\n"
        f"# Working agreements\n\n{PNPM_LINE}\n",
    }


def test_a_memory_that_writes_its_types_flat_gets_them_flat() -> None:
    texts = {INDEX: "- [A](a.md)\n", "a.md": "---\nname: a\ntype: project\n---\n\ntext\n"}
    head = after(texts, [rule(PNPM)])["working-agreements.md"].split("---")[1]
    assert head.endswith("npm\ntype: feedback\ngathered: feedback\n")


@pytest.mark.parametrize(
    ("cue", "said", "name"),
    [
        (Cue.INSTRUCTION, "We never deploy on Fridays.", "working-agreements"),
        (Cue.PREFERENCE, "I prefer tabs over spaces.", "about-the-user"),
        (Cue.CORRECTION, "Stop adding comments to every line.", "working-agreements"),
        (Cue.CORRECTION, "The port is 5433, not 5432.", "project-facts"),
        (Cue.CORRECTION, "My time zone is CET, not GMT.", "about-the-user"),
        (Cue.SAVE, "The deploy freeze starts in June.", "project-facts"),
        (Cue.SAVE, "From now on, run the linter first.", "working-agreements"),
        (Cue.SAVE, "Never touch the vendored code.", "working-agreements"),
        (Cue.SAVE, "My name is Zoë and I work in Graz.", "about-the-user"),
        (Cue.SAVE, "The error board is https://grafana.example.net/d/a.", "where-things-are"),
        (Cue.SAVE, "The runbook lives in the ops repository.", "where-things-are"),
        (Cue.SAVE, "Logs are kept in /var/log/relay/worker.log.", "where-things-are"),
        (Cue.SAVE, "Rechnungen gehen am Monatsende raus.", "project-facts"),
    ],
)
def test_a_claim_goes_to_the_file_of_its_type(cue: Cue, said: str, name: str) -> None:
    now = after(EMPTY, [claim(cue, said)])
    assert set(now) == {INDEX, f"{name}.md"}
    assert f"- {said} (2026-05-11)\n" in now[f"{name}.md"]


def test_a_note_that_speaks_of_the_same_thing_takes_the_line() -> None:
    now = after(NOTES, [save("The staging database has a replica on port 6432.")])
    assert came(NOTES, now) == {
        "staging.md": ["- The staging database has a replica on port 6432. (2026-05-11)"]
    }
    assert "same host\n- The staging database has" in now["staging.md"]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (("type: project", "type: project\npinned: true"), "staging.md"),
        (("type: project", "type: reference"), "staging.md"),
        (("type: project", "type: project\n  moved_from: MEMORY.md"), "staging.md"),
        (("- it moved", "```\n- it moved"), "staging.md"),
        (("# Staging", "## 2026-05-01"), "staging.md"),
        (("", ""), "team/staging.md"),
        (("", ""), "logs/2026/05/staging.md"),
        (("", ""), "2026-05-11.md"),
        (("- Redis", "```\n" + "x = 1\n" * 40 + "```\n- Redis"), "staging.md"),
    ],
)
def test_a_note_that_is_no_place_for_it_stays_as_it_is(change: tuple[str, str], name: str) -> None:
    texts = {INDEX: f"# Memory\n\n- [Staging]({name})\n", name: STAGING.replace(*change)}
    now = after(texts, [save("The staging database has a replica on port 6432.")])
    assert now[name] == texts[name]
    assert "replica on port 6432. (2026-05-11)\n" in now["project-facts.md"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("* Staging database: A\n* B\n", "* Staging database: A\n* B\n* LINE\n"),
        ("- staging database\n  A\n\n- B\n", "- staging database\n  A\n\n- B\n\n- LINE\n"),
        ("The staging database is old.", "The staging database is old.\n\n- LINE\n"),
        ("1. staging database\n2. b\n", "1. staging database\n2. b\n\n- LINE\n"),
        ("staging database\n\n- [A](notes.md)\n",
         "staging database\n\n- [A](notes.md)\n\n- LINE\n"),
        ("- [ ] staging database\n", "- [ ] staging database\n\n- LINE\n"),
        ("- a staging database\n## Done\n- x\n", "- a staging database\n- LINE\n\n## Done\n- x\n"),
        ("## Other\n- x\n\n## Staging\n- database\n\n## Last\n- y\n",
         "## Other\n- x\n\n## Staging\n- database\n- LINE\n\n## Last\n- y\n"),
        ("- staging database\r\n- b\r\n", "- staging database\r\n- b\r\n- LINE\r\n"),
    ],
)  # fmt: skip
def test_the_line_takes_the_style_of_its_list(body: str, expected: str) -> None:
    head = "---\ntype: project\n---\n\n".replace("\n", "\r\n" if "\r" in body else "\n")
    texts = {INDEX: "- [Notes](notes.md)\n", "notes.md": head + body}
    now = after(texts, [save("The staging database has a replica.")])
    line = "The staging database has a replica. (2026-05-11)"
    assert now == {**texts, "notes.md": head + expected.replace("LINE", line)}


def test_what_stands_there_gains_weight_and_is_not_written_twice() -> None:
    said = [save("The staging database listens on port 5432."), save("A new thing entirely.")]
    result = heard(NOTES, said)
    again = [why for why in result.whys if why.sign == "="]
    assert [(str(w.path), w.line, w.rule, w.day, w.speaker, w.session) for w in again] == [
        ("staging.md", "- The staging database listens on port 5432", "explicit save", "2026-05-11",
         "person", "5e55")
    ]  # fmt: skip
    assert (again[0].quote, again[0].message) == (said[0].quote, said[0].said.message)
    assert counts(result) == {REMEMBERED: 1, AGAIN: 1}
    assert result.texts[PurePosixPath("staging.md")] == STAGING


@pytest.mark.parametrize("name", ["team/a.md", "logs/2026/05/01.md", "pinned.md", INDEX])
def test_what_may_only_be_read_counts_as_known(name: str) -> None:
    texts = {INDEX: "# M\n", name: f"---\npinned: true\n---\n\n{PNPM_LINE[:-13]}\n"}
    result = heard(texts, [rule(PNPM)])
    assert [(str(why.path), why.sign) for why in result.whys if why.sign == "="] == [(name, "=")]
    assert PurePosixPath("working-agreements.md") not in result.texts


def test_another_value_or_a_denial_is_new() -> None:
    said = [save("The staging database listens on port 5433."), save("Redis does not run there.")]
    now = after(NOTES, said)
    rows = [row for rows in came(NOTES, now).values() for row in rows]
    assert "- The staging database listens on port 5433. (2026-05-11)" in rows
    assert STAGING.split("\n")[10] in now["staging.md"]


def test_the_same_thing_said_on_three_days_is_one_line_with_its_first_day() -> None:
    said = [rule(PNPM, day=day) for day in (14, 11, 12)]
    result = heard(EMPTY, said)
    text = result.texts[PurePosixPath("working-agreements.md")]
    assert text.count("pnpm in the web") == 2  # the description and the line
    assert PNPM_LINE in text
    lines = [(why.sign, why.day) for why in result.whys if why.line == PNPM_LINE]
    assert lines == [("+", "2026-05-11"), ("=", "2026-05-12"), ("=", "2026-05-14")]


def test_one_message_adds_weight_once() -> None:
    twice = [rule(PNPM, message="m1"), rule(PNPM, message="m1")]
    signs = [why.sign for why in heard(EMPTY, twice).whys if why.line == PNPM_LINE]
    assert signs == ["+"]


def test_the_oldest_comes_first_and_what_has_no_time_last() -> None:
    said = [
        save("Delta is undated.", day=None),
        save("Bravo came second.", day=12),
        save("Alpha came first.", day=11),
        save("Charlie came at the same time.", day=12),
    ]
    text = after(EMPTY, said)["project-facts.md"]
    assert re.findall(r"^- (\w+)", text, re.MULTILINE) == ["Alpha", "Bravo", "Charlie", "Delta"]


def test_a_gathered_file_is_found_under_another_name_and_grows() -> None:
    first = after(EMPTY, [rule(PNPM)])
    first["house-rules.md"] = first.pop("working-agreements.md")
    first[INDEX] = first[INDEX].replace("working-agreements.md", "house-rules.md")
    now = after(first, [rule("Never force-push to main.", day=12)])
    assert set(now) == {INDEX, "house-rules.md"}
    assert now["house-rules.md"].endswith(
        f"{PNPM_LINE}\n- Never force-push to main. (2026-05-12)\n"
    )


def test_description_and_hook_tell_of_what_came() -> None:
    first = after(EMPTY, [rule(PNPM)])
    now = after(first, [rule("Never force-push to main.", day=12)])
    told = "Always use pnpm in the web folder, never npm; Never force-push to main"
    assert f"\ndescription: {told}\n" in now["working-agreements.md"]
    assert f"](working-agreements.md) — {told}\n" in now[INDEX]


@pytest.mark.parametrize("name", [INDEX, "working-agreements.md"])
def test_a_hook_in_the_words_of_the_user_stays(name: str) -> None:
    first = after(EMPTY, [rule(PNPM)])
    told = "Always use pnpm in the web folder, never npm"
    mine = first[name].replace(f"— {told}", "— mine").replace(f"n: {told}", "n: mine")
    assert mine != first[name]
    now = after({**first, name: mine}, [rule("Never force-push to main.", day=12)])
    assert "mine\n" in now[name]
    assert "(2026-05-12)" in now["working-agreements.md"]


def test_a_hook_holds_whole_statements_no_secret_and_no_relative_date() -> None:
    said = [
        save("The demo is next Friday.", hour=1),
        save("[x](y(1).md) and [[z]] are names.", hour=2),
        save("The word is " + "long " * 30 + "indeed.", hour=3),
        save("Beta.", hour=4),
    ]
    now = after(EMPTY, said)
    assert now[INDEX].endswith("](project-facts.md) — (x)(y(1).md) and z are names; Beta; …\n")
    assert len(pointers(now[INDEX])) == 1


def test_a_hook_tells_what_was_told_before_kind_words_to_somebody() -> None:
    said = [
        save("Ros: Aw, that's so sweet, Emre!", hour=1),
        save("Ros: My flute was made in Ghent.", hour=2),
    ]
    now = after(EMPTY, said)
    assert "](project-facts.md) — Ros: My flute was made in Ghent; Ros: Aw" in now[INDEX]


def test_a_name_the_user_has_taken_is_left_to_them() -> None:
    texts = {INDEX: "- [Mine](Working-Agreements.md)\n", "Working-Agreements.md": "# Mine\n\nx\n"}
    now = after(texts, [rule(PNPM)])
    assert now["Working-Agreements.md"] == texts["Working-Agreements.md"]
    assert PNPM_LINE in now["working-agreements-2.md"]
    assert "[Working agreements](working-agreements-2.md)" in now[INDEX]


def test_a_full_file_is_followed_by_another() -> None:
    said = [rule(f"Rule number {n} holds for module m{n}.", day=1 + n // 24, hour=n % 24)
            for n in range(130)]  # fmt: skip
    first = after(EMPTY, said[:90])
    now = after(first, said[90:])
    sizes = {name: text.count("\n- Rule") for name, text in now.items() if name != INDEX}
    assert sizes == {"working-agreements.md": 100, "working-agreements-b.md": 30}
    assert "[Working agreements, part B](working-agreements-b.md)" in now[INDEX]


def test_new_text_is_met_after_old_notes() -> None:
    texts = {
        INDEX: "# Memory\n\n- [B](b.md) — x\n",
        "b.md": "# B\n\ntext\n",
        "zebra.md": "# Zebra\n\nno pointer leads here\n",
    }
    now = after(texts, [rule(PNPM), save("The freeze starts in June.")])
    order = [str(path) for path in reading_order(tree(now))]
    assert order == [INDEX, "b.md", "zebra.md", "working-agreements.md", "project-facts.md"]


def test_where_notes_are_more_than_a_reader_sees_no_line_comes_among_them() -> None:
    texts = {**NOTES, "more.md": "- more\n" * 900}
    said = [save("The staging database has a replica on port 6432.")]
    now = after(texts, said, budget=Budget(memory_bytes=5000))
    assert now["staging.md"] == STAGING
    assert "6432" in now["project-facts.md"]


def test_a_note_too_long_to_be_opened_at_ease_takes_no_more() -> None:
    texts = {**NOTES, "staging.md": STAGING.replace("- Redis", "- filler\n" * 3000 + "- Redis")}
    said = [save("The staging database has a replica on port 6432.")]
    now = after(texts, said, budget=Budget(memory_bytes=100_000))
    assert now["staging.md"] == texts["staging.md"]
    assert "6432" in now["project-facts.md"]


def test_an_index_at_its_limit_still_gets_the_pointer() -> None:
    budget = Budget(index_lines=40)
    log = "".join(
        f"\n## Session 2026-03-{n:02}\n\n- did thing {n}\n- saw item {n}x\n" for n in range(1, 7)
    )
    texts = {INDEX: "# Memory\n\n- [A](a.md)\n" + log + "- last\n" * 6, "a.md": "# A\n\nx\n"}
    assert index_sizes(texts[INDEX], budget).index_lines == 39
    now = after(texts, [rule(PNPM), save("The freeze starts in June.")], budget=budget)
    assert not is_over(index_sizes(now[INDEX], budget), budget)
    assert "(working-agreements.md)" in now[INDEX]
    assert "(project-facts.md)" in now[INDEX]
    every = "\n".join(now.values())
    assert all(row in every for row in texts[INDEX].split("\n"))


def test_an_index_that_may_not_be_changed_gets_no_new_file() -> None:
    texts = {
        INDEX: "---\npinned: true\n---\n# Mine\n\n- [Staging](staging.md)\n",
        "staging.md": STAGING,
    }
    said = [rule(PNPM), save("The staging database has a replica on port 6432.", day=12)]
    result = heard(texts, said)
    assert set(map(str, result.texts)) == {"staging.md"}
    assert counts(result) == {REMEMBERED: 1, LEFT: 1}
    assert objections(texts, result) == []


def test_a_dream_takes_as_much_as_a_person_reads_and_says_what_it_left() -> None:
    said = [rule(f"Rule {n} holds for module m{n}.", day=1 + n // 24, hour=n % 24)
            for n in range(250)]  # fmt: skip
    result = heard(EMPTY, said)
    assert counts(result) == {REMEMBERED: 200, LEFT: 50}
    taken = {why.message: "d1" for why in result.whys if why.message}
    assert len(taken) == 200
    texts = {str(path): text for path, text in result.texts.items()}
    second = heard(texts, said, heeded=Heeded(taken=taken))
    assert counts(second) == {REMEMBERED: 50}


def test_a_message_is_taken_whole_or_not_at_all() -> None:
    first = [rule(f"Rule {n} holds for module m{n}.", message="a", hour=1) for n in range(150)]
    second = [rule(f"Line {n} holds for engine e{n}.", message="b", hour=2) for n in range(60)]
    result = heard(EMPTY, [*first, *second])
    assert {why.message for why in result.whys if why.message} == {"a"}
    assert counts(result) == {REMEMBERED: 150, LEFT: 60}


def test_a_second_dream_has_nothing_to_do() -> None:
    said = [
        rule(PNPM),
        *(save(text) for text in ("The demo is next Friday.", "# [x](y.md)", "1. a b")),
    ]
    first = heard(NOTES, said)
    texts = {str(path): text for path, text in first.texts.items()}
    taken = {why.message: "d1" for why in first.whys if why.message}
    with_memory = heard(texts, said, heeded=Heeded(taken=taken))
    assert (with_memory.texts, with_memory.steps, with_memory.whys) == (first.texts, (), ())
    without = heard(texts, said)
    assert without.texts == first.texts
    assert {why.sign for why in without.whys} == {"="}
    assert counts(without) == {AGAIN: len(said)}


def test_the_user_wins_who_removed_a_line_since() -> None:
    result = heard(EMPTY, [rule(PNPM, message="m1")], heeded=Heeded(taken={"m1": "d1"}))
    assert (result.texts, result.steps, result.cited) == (heard(EMPTY, []).texts, (), ())


def test_what_came_of_a_message_and_was_undone_does_not_come_again() -> None:
    result = heard(EMPTY, [rule(PNPM, message="m1")], heeded=Heeded(declined={"m1": "d1"}))
    assert result.texts == heard(EMPTY, []).texts
    assert result.cited == ("d1",)


@pytest.mark.parametrize("name", ["working-agreements.md", "elsewhere.md"])
def test_a_line_that_was_taken_back_is_not_written_anywhere(name: str) -> None:
    no = Declined(added={(PurePosixPath(name), PNPM_LINE): "d2"})
    result = heard(
        EMPTY, [rule("Always use pnpm in the web folder, never npm", day=20)], declined=no
    )
    assert result.texts == heard(EMPTY, []).texts
    assert result.cited == ("d2",)


def test_after_an_undo_other_claims_go_to_a_file_of_their_own() -> None:
    first = heard(EMPTY, [rule(PNPM)])
    name = PurePosixPath("working-agreements.md")
    rows = {(name, row): "d1" for row in first.texts[name].split("\n") if row}
    rows |= {(PurePosixPath(INDEX), first.texts[PurePosixPath(INDEX)].split("\n")[2]): "d1"}
    now = after(EMPTY, [rule("Never force-push to main.")], declined=Declined(added=rows))
    assert set(now) == {INDEX, "working-agreements-2.md"}
    assert "[Working agreements](working-agreements-2.md)" in now[INDEX]


def test_a_relative_date_without_a_day_is_left_out() -> None:
    assert after(EMPTY, [save("The demo is next Friday.", day=None)]) == EMPTY


def test_a_relative_date_of_another_week_is_another_date() -> None:
    said = [save("The demo is next Friday.", day=day) for day in (4, 11, 11)]
    said += [save("The demo is next Friday!", day=11, hour=20)]
    first = heard(EMPTY, said)
    text = first.texts[PurePosixPath("project-facts.md")]
    rows = [row for row in text.split("\n") if row.startswith("- ")]
    assert rows == [f"- The demo is next Friday (said 2026-05-{day})." for day in ("04", "11")]
    texts = {str(path): body for path, body in first.texts.items()}
    assert after(texts, said) == texts


def test_words_with_a_secret_are_not_placed() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    said = Claim(Cue.SAVE, "The bot has a key.", f"The bot has {secret}.", save("x").said)
    assert after(EMPTY, [said]) == EMPTY


ORDINARY = [
    rule(PNPM),
    rule("When I ask about dependencies, always include version numbers.", day=12),
    claim(Cue.PREFERENCE, "I prefer `ruff` over flake8, e.g. for imports.", day=12),
    claim(Cue.CORRECTION, "The staging database is on port 5433, not 5432.", day=13),
    save("The demo is next Friday at 10:30.", day=13),
    save("# Budget is €12,500 [see](budget.md) | [[plan]]", day=14),
    save("Die Übergabe liegt unter https://wiki.example.org/übergabe.", day=14),
    save("Remember Ana's birthday: today!", day=15),
]


@pytest.mark.parametrize(
    "texts",
    [
        {},
        EMPTY,
        NOTES,
        {INDEX: "1. [Staging](staging.md): x\r\n", "staging.md": STAGING.replace("\n", "\r\n")},
        {INDEX: "# M\n\n## Facts\n\n- one fact here\n\n```\nopen", "lost.md": "text of it"},
        {"lost.md": "---\ntype: feedback\n---\n\nversion numbers of dependencies matter"},
        {INDEX: "# M\n" + "".join(f"\n## Log 2026-03-{n:02}\n- a {n}\n" for n in range(1, 31)) * 3},
    ],
)  # fmt: skip
def test_the_review_has_no_objection(texts: dict[str, str]) -> None:
    result = heard(texts, ORDINARY)
    assert objections(texts, result) == []
    now = {**texts, **{str(path): text for path, text in result.texts.items()}}
    assert unreachable({PurePosixPath(name): text for name, text in now.items()}) == ()
    said = " ".join(re.sub(r"[^\w]+", " ", each.statement) for each in ORDINARY).split()
    for why in result.whys:
        if why.speaker == "person":
            undated = re.sub(r"\((?:said )?2026-05-\d\d\)", "", why.line)
            words = re.sub(r"[^\w]+", " ", undated).split()
            assert set(words) <= set(said)


def test_a_month_of_claims_over_many_notes_takes_a_moment() -> None:
    texts = {
        f"note-{n}.md": f"---\ntype: project\n---\n# Note {n}\n\n"
        + "".join(
            f"- fact {k} of note {n} about thing {k % 31} and item{n * k % 977}\n"
            for k in range(100)
        )
        for n in range(199)
    }
    texts[INDEX] = "# M\n\n" + "".join(f"- [Note]({name}) — hook\n" for name in texts)
    said = [save(f"Thing {n} is kept beside item{n} of fact {n}.", day=1 + n // 24, hour=n % 24)
            for n in range(300)]  # fmt: skip
    with within(6):
        heard(texts, said, budget=Budget(memory_bytes=10_000_000))
