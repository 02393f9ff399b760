"""Real memories, where the environment says they lie."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dreamd.domain import budget
from dreamd.domain.receipt import Kind
from dreamd.domain.settings import Settings
from dreamd.dream.attempt import DreamRun
from dreamd.dream.story import dream
from dreamd.engine.rules import RulesEngine
from dreamd.ledger import receipts
from dreamd.memory.scan import scan
from dreamd.stores.identity import store_at
from dreamd.transaction import reversal
from tests.scripted import picture, texts

CORPUS = os.environ.get("DREAMD_CORPUS", "")
ROOT = Path(__file__).parents[1]
LED = re.compile(r"[A-Z]\w+: ")
TAKEN_UP = 2  # words at least, whatever their endings
WORD = re.compile(r"[^\W_]+")
NOT_TYPED = ("isMeta", "isSidechain", "isCompactSummary", "toolUseResult")
DATE = re.compile(r"\((?:said )?\d{4}(?:-\d\d){0,2}(?: to \d{4}(?:-\d\d){0,2})?\)")
SENTENCE = re.compile(r"(?<=[.!?)\]])\s+(?=\S)")
PAST = re.compile(  # and before what is past, or is perhaps so
    r"\b(?:(?:Previously|Perhaps no longer)(?: [^:]{1,40})?|But also said): "
)


def lines(memory: Path) -> set[str]:
    return {line.strip() for text in texts(memory).values() for line in text.split("\n")}


def words(text: str) -> str:
    return " ".join(["", *WORD.findall(text.casefold()), ""])


def records(transcript: Path) -> Iterator[dict[str, Any]]:
    """What a person may have typed, and the assistant answered, read without any code of dreamd."""
    for line in transcript.read_text(errors="replace").split("\n"):
        rest = line.strip()
        while rest:  # a real line may hold two records
            record, end = json.JSONDecoder(strict=False).raw_decode(rest)
            rest = rest[end:].strip()
            if isinstance(record, dict) and record.get("type") in {"user", "assistant"}:
                yield record


def spoken(project: Path) -> tuple[list[str], list[tuple[str, str]]]:
    """The words of each text that a person typed; and each answer with the person's reply to it."""
    persons: list[str] = []
    answered: list[tuple[str, str]] = []
    for transcript in project.rglob("*.jsonl"):
        open_: list[str] = []
        for record in records(transcript):
            message = record.get("message")
            content = message.get("content") if isinstance(message, dict) else message
            blocks = [content] if isinstance(content, str) else content or []
            typed = [each if isinstance(each, str) else each.get("text") or "" for each in blocks]
            said = [words(text) for text in typed]
            if typed and all(map(LED.match, typed)):  # two people chat, each led by their name
                persons += [f"{text.partition(':')[0]}:{words(text)}" for text in typed]
            elif record["type"] == "assistant":
                open_ += said
            elif not any(map(record.get, NOT_TYPED)):
                persons += said
                answered += [(answer, " ".join(said)) for answer in open_]
                open_ = []
    return persons, answered


def is_taken_up(item: str, answered: list[tuple[str, str]]) -> bool:
    """Whether an answer said it, and the person's reply says some longer words of it again."""
    own = {word for word in item.split() if len(word) > 3}
    return any(
        item in answer and len({word[:4] for word in own & set(reply.split())}) >= TAKEN_UP
        for answer, reply in answered
    )


def unsaid(project: Path, before: set[str]) -> list[str]:
    """The new items of the notes, pointers aside, whose words stand in a row in no message.

    Each part of an item is one thing said: by a person, by the assistant with the person taking
    it up, or in a note before.
    """
    persons, answered = spoken(project)
    known = [words(DATE.sub("", line)) for line in before]
    added = lines(project / "memory") - before
    items = [line for line in added if line.startswith("- ") and "](" not in line]
    return [
        item
        for item in items
        for part in PAST.split(DATE.sub("", item))
        if not any(stands(part.removeprefix("- "), each) for each in (*persons, *known))
        and not is_taken_up(words(part), answered)
        and not is_joined(part.removeprefix("- "), persons)
    ]


def is_joined(part: str, persons: list[str]) -> bool:
    """Whether each sentence of what one person of a chat said stands whole in what they said."""
    name, colon, rest = part.partition(": ")
    own = [each for each in persons if each.startswith(f"{name}:")]
    sentences = [words(each) for each in SENTENCE.split(rest)]
    return bool(colon and own) and all(any(each in said for said in own) for each in sentences)


def stands(part: str, said: str) -> bool:
    """Whether words stand in a row in what was said, by whom they are led where they are."""
    name, colon, rest = part.partition(": ")
    is_led = bool(colon) and said.startswith(f"{name}:")
    return words(rest if is_led else part) in said


def dreamt(home: Path, memory: Path) -> dict[str, Any]:
    """What one dream in a process of its own says it did."""
    mine = {k: v for k, v in os.environ.items() if not k.startswith(("DREAMD_", "ANTHROPIC_"))}
    mine |= {"CLAUDE_CONFIG_DIR": str(home), "PYTHONPATH": str(ROOT)}
    mine |= {"XDG_STATE_HOME": str(home.parent / "state"), "XDG_CONFIG_HOME": str(home.parent)}
    done = subprocess.run(
        [sys.executable, "-m", "dreamd", "dream", str(memory), "--engine", "rules", "--json"],
        env=mine,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def copied(home: Path, to: Path) -> Path:
    """A copy of a home that may be written to."""
    shutil.copytree(home, to)
    for path in (to, *to.rglob("*")):
        path.chmod(0o750 if path.is_dir() else 0o640)
    return to


def remembered(home: Path, project: Path) -> int:
    """How many lines a project's dream wrote, of which none is made up; a second adds nothing."""
    memory = project / "memory"
    before = lines(memory) if memory.exists() else set()
    assert dreamt(home, memory)["outcome"] == "dreamt"
    assert dreamt(home, memory)["changes"] == []
    if not memory.exists():
        return 0
    assert unsaid(project, before) == []
    return len(lines(memory) - before)


@pytest.mark.skipif(not CORPUS, reason="DREAMD_CORPUS names no folder of real memories")
def test_real_sessions_are_heard_once_and_nothing_is_made_up(tmp_path: Path) -> None:
    home = copied(Path(CORPUS) / "home", tmp_path / "home")
    subprocess.run([sys.executable, f"{CORPUS}/restore_mtimes.py", str(home)], check=True)
    assert sum(remembered(home, project) for project in sorted((home / "projects").iterdir()))


@pytest.mark.skipif(not CORPUS, reason="DREAMD_CORPUS names no folder of real memories")
@pytest.mark.parametrize("lock", [None, 1_700_000_000_000_000_007])
def test_a_real_memory_shrinks_loses_nothing_and_comes_back(
    tmp_path: Path, lock: int | None
) -> None:
    memory = tmp_path / "memory"
    shutil.copytree(Path(CORPUS) / "home/projects/-work-ros-bridge/memory", memory)
    for note in memory.iterdir():
        note.chmod(0o640)
        os.utime(note, ns=(1_750_000_000_123_456_789,) * 2)
    if lock is not None:
        (memory / ".consolidate-lock").write_text("")
        os.utime(memory / ".consolidate-lock", ns=(lock, lock))
    store = store_at(memory, tmp_path / "state")
    before, lines_before = picture(memory), lines(memory)
    settings = Settings()
    night = DreamRun(RulesEngine(), settings)

    assert budget.is_over(budget.measure(scan(memory), settings.budget), settings.budget)
    first = dream(store, night)
    assert not budget.is_over(budget.measure(scan(memory), settings.budget), settings.budget)
    with contextlib.closing(sqlite3.connect(store.database)) as connection:
        history = "\n".join(
            data.decode() for (data,) in connection.execute("SELECT data FROM content")
        )
    lost = {line for line in lines_before - lines(memory) if line not in history}
    assert not lost
    dreamt = texts(memory)
    again = dream(store, night)
    assert not again.changes
    assert texts(memory) == dreamt
    every = receipts.past(receipts.read(store.database))
    reversal.turn(store, next(d for d in every if d.id == first.dream), Kind.UNDO)
    assert picture(memory) == before
