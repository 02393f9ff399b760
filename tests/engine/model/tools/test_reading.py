"""Read, Grep, Glob and Sessions through a real reader."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamd.engine.model.tools.page import MOST
from dreamd.sandbox.choose import best
from tests.engine.model.tools.desk import TOKEN, Desk, said, transcript
from tests.sample import examples


def test_read_shows_lines_as_cat_does_and_relative_paths_start_in_memory(reading: Desk) -> None:
    memory = reading.laptop.memory
    whole = "     1\t# Ports\n     2\t- staging listens on 5433 since Alder\n"
    for path in ("ports.md", f"{memory}/ports.md", f"{memory}/../memory/./ports.md"):
        assert reading("Read", file_path=path).startswith(whole)
    part = reading("Read", file_path="ports.md", offset=2, limit=1)
    assert part.split("\n") == [
        "     2\t- staging listens on 5433 since Alder",
        "[lines 2-2 of 4; not shown: 1-1, 3-4 (offset=3)]",
    ]


def test_notes_are_shown_as_they_are_in_memory_by_whatever_path(desk: Desk) -> None:
    memory = desk.laptop.memory
    (memory / "late.md").write_text("- written while the session goes on\n")
    (memory / "sheet.txt").write_text("- no note, so from the disk\n")
    other = desk.laptop.work / "other"
    other.symlink_to(memory)
    desk("Edit", file_path="ports.md", old_string="tea", new_string="cocoa")
    desk("Write", file_path="new/sub.md", content="- cocoa too\n")
    for path in (f"{memory}/ports.md", f"{other}/ports.md"):
        assert "cocoa" in desk("Read", file_path=path)
    for where in ({}, *({"path": f"{each}"} for each in (memory, other, memory.parent))):
        assert desk("Grep", pattern="cocoa", **where) == f"{memory}/new/sub.md\n{memory}/ports.md"
    assert desk("Grep", pattern="cocoa", path="new") == f"{memory}/new/sub.md"
    assert desk("Grep", pattern="while the session") == "Nothing fits."
    assert "There is no" in desk.refused("Read", file_path="late.md")
    assert "from the disk" in desk("Read", file_path="sheet.txt")
    assert desk("Glob", pattern="**/*.md").split("\n")[0] == f"{memory}/new/sub.md"
    assert "late.md" not in desk("Glob", pattern="**/*.md", path=str(desk.laptop.top))
    if best().level != "paths":
        shown = desk("Bash", command="cat ports.md")
        assert "tea" in shown
        assert "not on disk yet" in shown


def test_a_name_that_is_not_there_is_answered_with_those_that_are(reading: Desk) -> None:
    assert "beside it is ports.md" in reading.refused("Read", file_path="port.md")
    assert "is a directory" in reading.refused("Read", file_path=str(reading.laptop.work))
    assert "has 4 lines" in reading.refused("Read", file_path="ports.md", offset=5)


def test_what_is_no_text_or_too_large_is_not_shown(reading: Desk) -> None:
    top = reading.laptop.work
    (top / "a.bin").write_bytes(b"\x7fELF\0\0")
    with (top / "big.txt").open("wb") as file:
        file.truncate(10_000_001)
    assert "is no text" in reading.refused("Read", file_path=str(top / "a.bin"))
    assert "10,000,001 bytes" in reading.refused("Read", file_path=str(top / "big.txt"))
    (top / "empty").write_text("")
    assert "it is empty" in reading("Read", file_path=str(top / "empty"))


def test_no_escape_sequence_reaches_the_model(reading: Desk) -> None:
    path = reading.laptop.work / "red.txt"
    path.write_bytes(b"a\x1b[31mred\x1b[0m \x07b\x9b\x00c"[:-2] + b"\x1b]0;title\x07\r\nend\xff\n")
    shown = reading("Read", file_path=str(path))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)
    assert "ared b" in shown
    (reading.laptop.work / "odd\x1b[31m").write_text("x\n")
    assert "\x1b" not in reading("Glob", pattern="odd*", path=str(reading.laptop.work))


def test_a_secret_is_shown_by_no_tool_and_every_line_keeps_its_number(desk: Desk) -> None:
    key = "-----BEGIN PRIVATE KEY-----\n" + ("Qk3" * 21 + "x\n") * 5 + "-----END PRIVATE KEY-----"
    text = f"first\ntoken: {TOKEN}\n{key}\nlast\n"
    (desk.laptop.work / "conf.txt").write_text(text)
    desk.put("conf.md", text)
    records = [said(1, f"use {TOKEN} please"), said(2, f"I set {TOKEN}", "assistant")]
    transcript(desk.laptop.sessions / "s.jsonl", records)
    where = str(desk.laptop.work / "conf.txt")
    answers = [
        desk("Read", file_path=where),
        desk("Read", file_path="conf.md"),
        desk("Read", file_path=where, offset=5, limit=2),
        desk("Read", file_path=str(desk.laptop.sessions / "s.jsonl")),
        desk("Grep", pattern=".", path=where, output_mode="content"),
        desk("Grep", pattern="Qk3", path=str(desk.laptop.work), output_mode="content"),
        desk("Grep", pattern="ghp_", path=str(desk.laptop.work), output_mode="content"),
        desk("Sessions", speaker="all"),
        desk("Sessions", matching="please"),
        desk("Sessions", matching=TOKEN[:12]),
        desk.ask("Bash", {"command": f"cat {where}"}).text,
        desk.ask("Bash", {"command": f"sed -n 5,6p {where}"}).text,
        desk.ask("Bash", {"command": f"grep -v BEGIN {where}"}).text,
        desk.refused("Edit", file_path="conf.md", old_string="zzz", new_string=TOKEN),
        desk.refused("Edit", file_path="conf.md", old_string="first", new_string=f"k {TOKEN}"),
        desk.refused("Write", file_path="new.md", content=f"key {TOKEN}\n"),
        desk.refused("Write", file_path="conf.md", content="first\n"),
        desk.refused(
            "Retire", file_path="conf.md", text="token:", reason="not needed", source="2026-01-01"
        ),
        desk("Edit", file_path="conf.md", old_string="first", new_string="one"),
    ]
    for answer in answers:
        assert TOKEN not in answer
        assert TOKEN[6:] not in answer
        assert "Qk3Qk3" not in answer
    assert answers[0].endswith("    10\tlast")
    assert "[redacted: GitHub key]" in answers[0]
    assert TOKEN in desk.note("conf.md"), "the note itself is as it was"


def test_a_transcript_is_read_and_searched_as_a_conversation(reading: Desk) -> None:
    path = transcript(
        reading.laptop.sessions / "talk.jsonl",
        [
            {"type": "system", "uuid": "x", "content": "not a word of anybody"},
            said(1, "we moved to port 5440", session="talk"),
            said(2, "Noted.", "assistant", session="talk"),
        ],
    )
    shown = reading("Read", file_path=str(path))
    assert "person, 2026-03-02" in shown
    assert "assistant, 2026-03-03" in shown
    assert '"type"' not in shown
    assert "not a word" not in shown
    found = reading("Grep", pattern="544\\d|uuid", path=str(path), output_mode="content")
    assert found == f"{path}:2:we moved to port 5440"
    (reading.laptop.work / "link.txt").symlink_to(path)
    assert "uuid" not in reading("Read", file_path=str(reading.laptop.work / "link.txt"))
    path.unlink()


def test_grep_answers_in_three_ways(reading: Desk) -> None:
    memory = reading.laptop.memory
    assert reading("Grep", pattern="5433") == f"{memory}/MEMORY.md\n{memory}/ports.md"
    assert reading("Grep", pattern="5433", output_mode="count") == (
        f"{memory}/MEMORY.md:1\n{memory}/ports.md:1\n[2 lines in 2 files]"
    )
    assert reading("Grep", pattern="TEA", glob="*.md", **{"-i": True}, output_mode="content") == (
        f"{memory}/MEMORY.md:2:- [Ana](ana.md) — team lead in Lisbon\n"
        f"{memory}/ana.md:6:- Ana leads the Harbor team\n{memory}/ports.md:4:- tea"
    )
    around = reading(
        "Grep", pattern="8443", path="ports.md", output_mode="content", **{"-C": 1, "-n": False}
    )
    assert [row.removeprefix(f"{memory}/ports.md") for row in around.split("\n")] == [
        "-- staging listens on 5433 since Alder",
        ":- production listens on 8443",
        "-- tea",
    ]
    assert reading("Grep", pattern="no such thing") == "Nothing fits."
    limited = reading("Grep", pattern=".", output_mode="content", head_limit=2)
    assert "[entries 1-2 of" in limited
    assert "offset=2" in limited
    assert "is no regular expression" in reading.refused("Grep", pattern="(")


def test_a_pattern_that_would_never_end_is_stopped_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of notes too: the reader has them, so that the session's own process never hangs."""
    from dreamd.engine.model.tools import grep
    from dreamd.engine.model.tools.place import Place

    monkeypatch.setattr(grep, "SECONDS", 0.5)
    place = Place(Path("/memory"), notes={PurePosixPath("a.md"): "a" * 200 + "b\n"})
    for pattern in (r"(a+)+$", r"(a|aa)+$", r"^(\w+\s?)*-$"):
        began = time.monotonic()
        answer = grep.run({"pattern": pattern}, place)
        assert time.monotonic() - began < 2
        assert "stopped after" in answer.text, pattern


def test_glob_lists_the_newest_first_and_follows_no_link(reading: Desk) -> None:
    root = reading.laptop.work / "tree"
    (root / "sub/.git").mkdir(parents=True)
    for at, name in enumerate(("a.md", "sub/b.md", "sub/c.txt", "sub/.git/d.md")):
        (root / name).write_text("x")
        os.utime(root / name, (1_700_000_000 + at,) * 2)
    (root / "loop").symlink_to(root)
    assert reading("Glob", pattern="*.md", path=str(root)) == f"{root}/sub/b.md\n{root}/a.md"
    assert reading("Glob", pattern=f"{root}/**/*.{{md,txt}}").split("\n") == [
        f"{root}/sub/c.txt",
        f"{root}/sub/b.md",
        f"{root}/a.md",
    ]
    assert reading("Glob", pattern="*.rs", path=str(root)) == "No file fits."
    assert reading("Glob", pattern="ana*") == f"{reading.laptop.memory}/ana.md"


def test_half_a_character_and_a_name_that_is_no_text_end_no_reader(reading: Desk) -> None:
    folder = reading.laptop.work / "odd-names"
    folder.mkdir()
    (folder / os.fsdecode(b"\xff.txt")).write_text("needle\n")
    path = transcript(reading.laptop.sessions / "half.jsonl", [said(1, "half \ud83d of one")])
    assert "odd-names" in reading("Grep", pattern="needle", path=str(folder))
    assert "half" in reading("Read", file_path=str(path))
    assert "half" in reading("Sessions", session="half")
    path.unlink()


CODE = "look:\n```py\n" + "".join(f"line {n}\n" for n in range(14)) + "```\nwhat do you think?"


def test_sessions_shows_turns_by_speaker_day_and_words(desk: Desk) -> None:
    folder = desk.laptop.sessions
    first = [
        said(1, "I live in Porto", session="one"),
        said(2, "Nice.", "assistant", session="one"),
        said(3, CODE, session="one"),
    ]
    transcript(folder / "one.jsonl", first)
    transcript(folder / "two.jsonl", [*first, said(9, "x" * 2000 + " Berlin now", session="two")])
    os.utime(folder / "one.jsonl", (1, 1))
    shown = desk("Sessions")
    assert shown.startswith("[page 1 of 1: 3 turns in 2 sessions, 2026-03-02 to 2026-03-10")
    assert "# session one\n## person, 2026-03-02" in shown
    assert "look:\n[code (py), 14 lines]\nwhat do you think?" in shown
    assert "[+1,111 characters]" in shown
    assert "Nice." not in shown
    assert shown.count("Porto") == 1, "a forked session repeats what another began"
    assert "Nice." in desk("Sessions", speaker="assistant")
    assert "4 turns" in desk("Sessions", speaker="all")
    assert "Porto" not in desk("Sessions", since="2026-03-03")
    assert "x" * 50 not in desk("Sessions", until="2026-03-09")
    assert "Berlin now" in desk("Sessions", matching="berlin")
    assert "1,111 characters before" in desk("Sessions", matching="berlin")
    assert "1 turn in 1 session" in desk("Sessions", matching="porto", session="on")
    assert "0 turns" in desk("Sessions", matching="(")
    assert "must be a day" in desk.refused("Sessions", since="yesterday")
    assert "must be a day" in desk.refused("Sessions", until="2026-02-30")
    assert "There is no session" in desk.refused("Sessions", session="zzz")
    assert desk.refused("Sessions", page=2) == "There is 1 page."


def test_the_pages_of_sessions_hold_every_turn_once(desk: Desk) -> None:
    for name in ("a", "b"):
        records = [
            said(n % 300, f"turn {name}{n} " + "é" * (n % 1100), session=name) for n in range(400)
        ]
        for n, record in enumerate(records):
            record["uuid"] = f"{name}{n}"
        transcript(desk.laptop.sessions / f"{name}.jsonl", records)
    first = desk("Sessions")
    total = int(re.findall(r"page 1 of (\d+)", first)[0])
    assert total > 10
    pages = [desk("Sessions", page=number + 1) for number in range(total)]
    assert all(len(page.encode()) <= MOST for page in pages)
    turns = [turn for page in pages for turn in re.findall(r"^turn (\w\d+)", page, re.MULTILINE)]
    assert turns == [f"{name}{n}" for name in ("a", "b") for n in range(400)]
    assert all("# session " in page.split("\n")[1] for page in pages)
    assert "page=2 goes on" in pages[0]


@settings(
    max_examples=examples(30),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "é", "語", "🙂", "word "]), st.integers(0, 6000)),
        min_size=1,
        max_size=60,
    )
)
def test_every_line_is_on_some_page_and_no_page_is_too_long(
    reading: Desk, shape: list[tuple[str, int]]
) -> None:
    path = reading.laptop.work / "paged.txt"
    rows = [f"{at}:{sign * (count // len(sign))}" for at, (sign, count) in enumerate(shape)]
    path.write_text("\n".join(rows) + "\n")
    os.utime(path, ns=(time.time_ns(),) * 2)
    seen: dict[int, str] = {}
    offset: int | None = 1
    while offset is not None:
        page = reading("Read", file_path=str(path), offset=offset)
        assert len(page.encode()) <= MOST
        for row in page.split("\n"):
            number, tab, text = row.partition("\t")
            if tab:
                seen[int(number)] = text
        found = re.findall(r"offset=(\d+)", page)
        offset = int(found[0]) if found else None
    assert sorted(seen) == list(range(1, len(rows) + 1))
    for at, row in enumerate(rows, 1):
        assert seen[at].startswith(row[:4000].rstrip()[:100])
        assert seen[at] == row or f"[+{len(row) - 4000:,} characters]" in seen[at]
    lines = reading("Grep", pattern=":", path=str(path), output_mode="content")
    assert len(lines.encode()) <= MOST


def test_a_long_answer_is_paged_whatever_the_tool(reading: Desk) -> None:
    root = reading.laptop.work / "many"
    root.mkdir()
    for number in range(700):
        (root / f"{number:04}-{'n' * 40}.txt").write_text("needle\n")
    listed = reading("Glob", pattern="*.txt", path=str(root))
    assert len(listed.encode()) <= MOST
    assert re.search(r"\[[\d,]+ files more, older than these", listed)
    count = listed.count(".txt")
    assert f"{700 - count:,} files more" in listed
    seen: list[str] = []
    offset = 0
    while True:
        page = reading("Grep", pattern="needle", path=str(root), offset=offset)
        assert len(page.encode()) <= MOST
        names = [row for row in page.split("\n") if row.endswith(".txt")]
        seen += names
        offset += len(names)
        if "not shown" not in page:
            break
    assert len(seen) == len(set(seen)) == 700
    shown = reading.ask("Bash", {"command": f"ls -l {root}"}).text
    assert len(shown.encode()) <= MOST
