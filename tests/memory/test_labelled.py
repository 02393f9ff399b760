"""How many made-up lines pass and how many honest ones are held: lines with their sources.

The lines of the half `unseen` were never read by whoever wrote the rules.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from dreamd.domain.dream import Report
from dreamd.domain.evidence import AssistantSaid, PersonSaid, ToolReturned, Turn, sources
from dreamd.text.sentences import sentences
from tests.memory.test_review import judge

Case = dict[str, Any]
MESSAGES = Path(os.environ.get("DREAMD_EVAL", "")) / "real/messages.jsonl"
# split: how many of the made-up lines may pass, and of the honest ones be held
MOST = {"seen": (25, 5), "unseen": (26, 6)}


def cases(name: str, split: str) -> list[Case]:
    text = (Path(__file__).parent / f"{name}.jsonl").read_text("utf-8")
    return [case for case in map(json.loads, text.splitlines()) if case["split"] == split]


def turns(case: Case) -> Iterator[Turn]:
    """Yield who said what; in a transcript a name stands before the words."""
    for number, said in enumerate(case["said"]):
        day, place = date.fromisoformat(said["day"]), (said["session"], str(number))
        text, name = said["text"], said["name"] or ""
        if said["speaker"] == "person":
            yield PersonSaid(f"{name}: {text}" if name else text, *place, day=day)
        elif said["speaker"] == "assistant":
            yield AssistantSaid(text, *place, day=day)
        elif said["speaker"] == "tool":
            yield ToolReturned(text, *place, day=day)


def is_held(case: Case) -> bool:
    """Whether the line that a model made of what was said becomes a proposal only."""
    line, notes = case["line"], case["notes"]
    note = notes[line["note"]]
    if line["replaces"]:
        after = note.replace(line["replaces"], line["text"])
    elif line["text"].startswith("description:"):
        after = note.replace("\n---\n", f"\n{line['text']}\n---\n", 1)
    else:
        after = f"{note}{line['text']}\n"
    read = [(each["name"], each["text"]) for each in case["said"] if each["speaker"] == "file"]
    given = sources(turns(case), read, today=date.fromisoformat(case["today"]))
    report = Report(grounds=given)
    return judge(notes, {line["note"]: after}, report)[0].proposal is not None


@pytest.mark.parametrize("split", MOST)
def test_no_more_made_up_lines_pass_and_honest_ones_are_held_than_did(split: str) -> None:
    passed = sum(not is_held(case) for case in cases("inventions", split))
    held = sum(is_held(case) for case in cases("honest", split))
    assert (passed <= MOST[split][0], held <= MOST[split][1]) == (True, True), (passed, held)


@pytest.mark.skipif(not MESSAGES.is_file(), reason="DREAMD_EVAL names no real messages")
def test_each_sentence_of_a_real_message_stands_on_that_message() -> None:
    held = []
    for row in MESSAGES.read_text("utf-8").splitlines():
        text = json.loads(row)["text"]
        said = [" ".join(each.text.split()) for each in sentences(text)]
        note = {"note.md": "# Note\n", "MEMORY.md": "# Memory\n\n- [Note](note.md)\n"}
        change = {"note.md": "# Note\n\n" + "".join(f"- {each}\n" for each in said)}
        report = Report(grounds=sources([PersonSaid(text, "s", "1")]))
        _, findings = judge(note, change, report)
        held += [each for each in findings if each.rule == "grounded"]
    assert held == []
