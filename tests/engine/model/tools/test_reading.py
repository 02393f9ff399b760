"""Read, Grep, Glob and Sessions through a real reader, and what may be opened at all."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamd.engine.model.page import MOST
from dreamd.engine.model.tools import grep
from dreamd.engine.model.tools import open as opening
from dreamd.engine.model.tools.glob import files
from dreamd.engine.model.tools.open import ReadingPlace
from dreamd.host.renames import exchange
from dreamd.sandbox.confine import best
from dreamd.sandbox.denied import DenyList
from dreamd.transcripts import reading as lines
from dreamd.transcripts import turns
from tests.engine.model.tools.desk import PORTS, TOKEN, Desk, Laptop, said, transcript
from tests.sample import examples
from tests.sandbox.world import CANARY

WRONG: list[tuple[str, Any, str]] = [
    ("Read", {"file_path": 7}, "Expected `str`, got `int` - at `$.file_path`"),
    ("Read", {"file_path": "a", "offset": 10**40}, "<= 1000000000"),
    ("Read", {"filepath": "a"}, "unknown field `filepath`; it takes file_path, offset, limit."),
    ("Read", ["a"], "Expected `object`"),
    ("Grep", {"pattern": "a", "output_mode": "lines"}, "Invalid enum value 'lines'"),
    ("Edit", {"file_path": "a.md", "old_string": "x"}, "`new_string`"),
    ("Write", {"files": []}, "length >= 1"),
    ("Write", {"files": [{"file_path": "a.md"}]}, "`content` - at `$.files[0]`"),
]


def test_a_wrong_call_is_answered_with_what_would_be_right_and_ends_no_reader(desk: Desk) -> None:
    (desk.laptop.memory / "MEMORY.md").write_bytes(b"\xff\xfe")
    for name, arguments, sentence in WRONG:
        answer = desk.ask(name, arguments)
        assert answer.is_error
        assert sentence in answer.text
        assert "\n" not in answer.text
    for text in ("x" * 3_000_000, "\x00" * 100, "語" * 100_000):
        for tool, field in (("Grep", "pattern"), ("Read", "file_path"), ("Bash", "command")):
            desk.ask(tool, {field: text})
        desk.ask("Edit", {"file_path": "ana.md", "old_string": text, "new_string": text})
    assert "There is no tool" in desk.refused("Delete")
    assert "Harbor" in desk("Read", file_path="ana.md", limit=None), "null counts as left out"


def test_read_shows_lines_as_cat_does_and_relative_paths_start_in_memory(reading: Desk) -> None:
    memory, work = reading.laptop.memory, reading.laptop.work
    whole = "     1\t# Ports\n     2\t- staging listens on 5433 since Alder\n"
    for path in ("ports.md", f"{memory}/ports.md", f"{memory}/../memory/./ports.md"):
        assert reading("Read", file_path=path).startswith(whole)
    assert reading("Read", file_path="ports.md", offset=2, limit=1).split("\n") == [
        "     2\t- staging listens on 5433 since Alder",
        "[lines 2-2 of 4; not shown: 1-1, 3-4 (offset=3)]",
    ]
    (work / "a.bin").write_bytes(b"\x7fELF\0\0")
    os.truncate(os.open(work / "big.txt", os.O_CREAT | os.O_WRONLY), 10_000_001)
    for path, sentence in {
        "port.md": "beside it is ports.md",
        str(work): "is a directory",
        str(work / "a.bin"): "is no text",
        str(work / "big.txt"): "10,000,001 bytes",
    }.items():
        assert sentence in reading.refused("Read", file_path=path)
    assert "has 4 lines" in reading.refused("Read", file_path="ports.md", offset=5)
    (work / "empty").write_text("")
    assert "it is empty" in reading("Read", file_path=str(work / "empty"))


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


def test_no_escape_sequence_and_no_half_character_reaches_the_model(reading: Desk) -> None:
    work = reading.laptop.work
    path = work / "red.txt"
    path.write_bytes(b"a\x1b[31mred\x1b[0m \x07b\x9b\x1b]0;title\x07\r\nend\xff\n")
    shown = reading("Read", file_path=str(path))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)
    assert "ared b" in shown
    (work / "odd\x1b[31m").write_text("x\n")
    assert "\x1b" not in reading("Glob", pattern="odd*", path=str(work))
    (work / os.fsdecode(b"\xff.txt")).write_text("needle\n")
    half = transcript(reading.laptop.sessions / "half.jsonl", [said(1, "half \ud83d of one")])
    assert "\ufffd.txt" in reading("Grep", pattern="needle", path=str(work))
    assert "half" in reading("Read", file_path=str(half))
    assert "half" in reading("Sessions", session="half")
    half.unlink()


def test_a_secret_is_shown_by_no_tool_and_every_line_keeps_its_number(desk: Desk) -> None:
    key = "-----BEGIN PRIVATE KEY-----\n" + ("Qk3" * 21 + "x\n") * 5 + "-----END PRIVATE KEY-----"
    text = f"first\ntoken: {TOKEN}\n{key}\nlast\n"
    (desk.laptop.work / "conf.txt").write_text(text)
    desk.put("conf.md", text)
    records = [said(1, f"use {TOKEN} please"), said(2, f"I set {TOKEN}", "assistant")]
    session = str(transcript(desk.laptop.sessions / "s.jsonl", records))
    where, work = str(desk.laptop.work / "conf.txt"), str(desk.laptop.work)
    retired = {"text": "token:", "reason": "not needed", "source": "2026-01-01"}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("Read", {"file_path": where}),
        ("Read", {"file_path": "conf.md"}),
        ("Read", {"file_path": where, "offset": 5, "limit": 2}),
        ("Read", {"file_path": session}),
        ("Grep", {"pattern": ".", "path": where, "output_mode": "content"}),
        ("Grep", {"pattern": "Qk3", "path": work, "output_mode": "content"}),
        ("Grep", {"pattern": "ghp_", "path": work, "output_mode": "content"}),
        ("Sessions", {"speaker": "all"}),
        ("Sessions", {"matching": TOKEN[:12]}),
        ("Bash", {"command": f"cat {where}"}),
        ("Bash", {"command": f"grep -v BEGIN {where}"}),
        ("Edit", {"file_path": "conf.md", "old_string": "zzz", "new_string": TOKEN}),
        ("Edit", {"file_path": "conf.md", "old_string": "first", "new_string": f"k {TOKEN}"}),
        ("Write", {"file_path": "new.md", "content": f"key {TOKEN}\n"}),
        ("Write", {"file_path": "conf.md", "content": "first\n"}),
        ("Retire", {"file_path": "conf.md", **retired}),
        ("Edit", {"file_path": "conf.md", "old_string": "first", "new_string": "one"}),
    ]
    answers = [desk.ask(name, arguments) for name, arguments in calls]
    for answer in answers:
        assert TOKEN[6:] not in answer.text
        assert "Qk3Qk3" not in answer.text
    assert [answer.is_error for answer in answers[11:]] == [True] * 5 + [False]
    assert answers[0].text.endswith("    10\tlast")
    assert "[redacted: GitHub key]" in answers[0].text
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
    assert found == f"{path}\n2:[person 2026-03-02] we moved to port 5440"
    around = reading("Grep", pattern="544", path=str(path), output_mode="content", **{"-A": 3})
    assert around.endswith(
        "4-[assistant 2026-03-03] ## assistant, 2026-03-03 12:00\n5-[assistant 2026-03-03] Noted."
    )
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
        f"{memory}/MEMORY.md\n2:- [Ana](ana.md) — team lead in Lisbon\n"
        f"{memory}/ana.md\n6:- Ana leads the Harbor team\n{memory}/ports.md\n4:- tea"
    )
    around = reading(
        "Grep", pattern="8443", path="ports.md", output_mode="content", **{"-C": 1, "-n": False}
    )
    assert around == f"{memory}/{PORTS.strip().replace('# Ports', 'ports.md')}"
    assert reading("Grep", pattern="no such thing") == "Nothing fits."
    limited = reading("Grep", pattern=".", output_mode="content", head_limit=2)
    assert "[entries 1-2 of" in limited
    assert "offset=2" in limited
    assert "is no regular expression" in reading.refused("Grep", pattern="(")


def test_a_pattern_without_end_is_stopped_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of notes too: the reader has them, so that the session's own process never hangs."""
    monkeypatch.setattr(grep, "SECONDS", 0.3)
    place = ReadingPlace(Path("/memory"), notes={PurePosixPath("a.md"): "a" * 200 + "b\n"})
    for pattern in (r"(a+)+$", r"^(\w+\s?)*-$"):
        began = time.monotonic()
        answer = grep.grep({"pattern": pattern}, place)
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
    assert "]\n# 2026-03-02 12:00, session one\n> I live in Porto\n# 2026-03-04 12:00, se" in shown
    assert "> look:\n  [code, 14 lines]\n  what do you think?" in shown
    (where,) = re.findall(r"\[\+1,111 characters\] \[whole: Read (\S+) offset=(\d+)\]", shown)
    whole = desk("Read", file_path=where[0], offset=int(where[1]), limit=2)
    assert whole.split("\n")[1].endswith("Berlin now"), "the rest stands where it says"
    assert shown.count("Porto") == 1, "a forked session repeats what another began"
    for arguments, is_there, is_not in (
        ({}, "Berlin" * 0, "Nice."),
        ({"speaker": "assistant"}, "Nice.", "Porto"),
        ({"speaker": "all"}, "4 turns", "Berlin"),
        ({"since": "2026-03-03"}, "look:", "Porto"),
        ({"until": "2026-03-09"}, "Porto", "x" * 50),
        ({"matching": "berlin"}, "Berlin now", "Porto"),
        ({"matching": "berlin"}, "1,111 characters before", "Porto"),
        ({"matching": "porto", "session": "on"}, "1 turn in 1 session", "look:"),
        ({"matching": "("}, "0 turns", "Porto"),
    ):
        shown = desk("Sessions", **arguments)
        assert is_there in shown
        assert is_not not in shown
    for name, value in (("since", "yesterday"), ("until", "2026-02-30")):
        assert "must be a day" in desk.refused("Sessions", **{name: value})
    assert "There is no session" in desk.refused("Sessions", session="zzz")
    assert desk.refused("Sessions", page=2) == "There is 1 page."


def test_the_pages_of_sessions_hold_every_turn_once(desk: Desk) -> None:
    for name in ("a", "b"):
        texts = [f"turn {name}{n} " + "é" * (n % 1100) for n in range(400)]
        records = [
            {**said(n % 300, text, session=name), "uuid": f"{name}{n}"}
            for n, text in enumerate(texts)
        ]
        transcript(desk.laptop.sessions / f"{name}.jsonl", records)
    total = int(re.findall(r"page 1 of (\d+)", desk("Sessions"))[0])
    assert total > 10
    pages = [desk("Sessions", page=number + 1) for number in range(total)]
    assert all(len(page.encode()) <= MOST for page in pages)
    turns = [turn for page in pages for turn in re.findall(r"^> turn (\w\d+)", page, re.MULTILINE)]
    assert turns == [f"{name}{n}" for name in ("a", "b") for n in range(400)]
    assert all(re.match("# 2026-.*, session [ab]", page.split("\n")[1]) for page in pages)
    assert "page=2 goes on" in pages[0]
    day = [{**said(1, f"turn c{n} is said", session="c"), "uuid": f"c{n}"} for n in range(40)]
    transcript(desk.laptop.sessions / "c.jsonl", day)
    page = desk("Sessions", session="c")
    headers = [row for row in page.split("\n") if not row.startswith("> ")]
    assert len(headers) == 2, "the page's, and one for the day"
    assert sum(map(len, headers)) < 0.15 * len(page)


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
    seen: dict[int, str] = {}
    offset: int | None = 1
    while offset is not None:
        page = reading("Read", file_path=str(path), offset=offset)
        assert len(page.encode()) <= MOST
        numbered = (row.partition("\t") for row in page.split("\n"))
        seen |= {int(number): text for number, tab, text in numbered if tab}
        found = re.findall(r"offset=(\d+)", page)
        offset = int(found[0]) if found else None
    assert sorted(seen) == list(range(1, len(rows) + 1))
    for at, row in enumerate(rows, 1):
        assert seen[at].startswith(row[:4000].rstrip()[:100])
        assert seen[at] == row or f"[+{len(row) - 4000:,} characters]" in seen[at]
    assert len(reading("Grep", pattern=":", path=str(path), output_mode="content").encode()) <= MOST


def test_a_long_answer_is_paged_whatever_the_tool(reading: Desk) -> None:
    root = reading.laptop.work / "many"
    root.mkdir()
    for number in range(300):
        (root / f"{number:04}-{'n' * 40}.txt").write_text("needle\n")
    listed = reading("Glob", pattern="*.txt", path=str(root))
    assert f"{300 - listed.count('.txt'):,} files more, older than these" in listed
    seen: list[str] = []
    while len(seen) < 300:
        page = reading("Grep", pattern="needle", path=str(root), offset=len(seen))
        seen += [row for row in page.split("\n") if row.endswith(".txt")]
        assert len(page.encode()) <= MOST
    assert len(seen) == len(set(seen)) == 300
    shown = reading.ask("Bash", {"command": f"ls -l {root}"}).text
    assert all(len(answer.encode()) <= MOST for answer in (listed, shown))


@pytest.mark.parametrize("handle", [opening._HANDLE, opening._OPEN], ids=["linux", "macos"])
def test_a_transcript_swapped_after_it_was_judged_is_not_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handle: int
) -> None:
    monkeypatch.setattr(opening, "_HANDLE", handle)
    laptop, rows_of = Laptop.at(tmp_path.resolve()), opening.rows_of
    place = ReadingPlace(laptop.memory, (laptop.sessions,), DenyList.of([laptop.vault]))
    (laptop.work / "sub").mkdir()
    path = transcript(laptop.work / "sub/talk.jsonl", [said(1, "harmless")])
    transcript(laptop.vault / "talk.jsonl", [said(1, CANARY)])
    (laptop.work / "link").symlink_to(laptop.vault)

    def late(transcript: Path) -> Iterator[tuple[str, str]]:
        exchange(laptop.work / "sub", laptop.work / "link")
        return rows_of(transcript)

    monkeypatch.setattr(opening, "rows_of", late)
    shown = opening.source(path, place)
    assert "harmless" in shown.rows
    assert CANARY not in shown.rows


def test_folders_in_folders_do_not_use_up_the_time_of_a_search(tmp_path: Path) -> None:
    below = tmp_path / ("d/" * 90)
    below.mkdir(parents=True)
    (below / "near.md").write_text("x")
    here = Path.cwd()
    os.chdir(below)
    for _ in range(300):
        Path("d").mkdir()
        os.chdir("d")
    Path("far.md").write_text("x")
    os.chdir(here)
    (tmp_path / "e").mkdir()
    (tmp_path / "e/last.md").write_text("x")
    found = [name for name, _ in files(tmp_path, ReadingPlace(Path("/none")))]
    assert found == [f"{'d/' * 90}near.md", "e/last.md"]


def test_a_line_without_an_end_neither_fills_the_memory_nor_hides_what_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "_LONGEST", 5_000)
    path = tmp_path / "s.jsonl"
    whole = [json.dumps(said(number, f"words {number}")) for number in (1, 2, 3)]
    forged = json.dumps(said(9, "forged"))
    long = "x" * 5_000 + forged + "y" * (10_000 - len(forged) - 1)
    path.write_text("\n".join([whole[0], long, whole[1], "{" * 20_000, whole[2], ""]))
    assert max(len(line) for line, _ in lines.lines(path)) <= 5_000
    assert [turn.text for turn in turns(path)] == ["words 1", "words 2", "words 3"]
