"""Real memories and a measure of consolidation, where the environment says they lie."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dreamd import receipts
from dreamd.domain import budget
from dreamd.domain.settings import Settings
from dreamd.draft import Night
from dreamd.dream import dream
from dreamd.engine.rules import RulesEngine
from dreamd.memory.scan import scan
from dreamd.stores import store_at
from dreamd.transaction import reversal
from tests.scripted import picture, texts

CORPUS = os.environ.get("DREAMD_CORPUS", "")
EVAL = os.environ.get("DREAMD_EVAL", "")
ROOT = Path(__file__).parents[1]


def lines(memory: Path) -> set[str]:
    return {line.strip() for text in texts(memory).values() for line in text.split("\n")}


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
    night = Night(RulesEngine(), settings)

    assert budget.is_over(budget.measure(scan(memory), settings.budget), settings.budget)
    first = dream(store, night)
    assert not budget.is_over(budget.measure(scan(memory), settings.budget), settings.budget)
    history = subprocess.run(
        ["git", f"--git-dir={store.history}", "log", "-p", "--all"], capture_output=True, check=True
    ).stdout.decode()
    lost = {line for line in lines_before - lines(memory) if line not in history}
    assert not lost
    dreamt = texts(memory)
    again = dream(store, night)
    assert not again.changes
    assert texts(memory) == dreamt
    reversal.undo(
        store, next(d for d in receipts.past(receipts.read(store.receipts)) if d.id == first.dream)
    )
    assert picture(memory) == before


@pytest.mark.skipif(not EVAL, reason="DREAMD_EVAL names no measure of consolidation")
def test_an_over_long_index_keeps_what_it_says(tmp_path: Path) -> None:
    script = tmp_path / "dreamd"
    script.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m dreamd "$@"\n')
    script.chmod(0o755)
    command = f"{script} dream {{memory}} --sessions {{transcripts}} --engine rules"
    done = subprocess.run(
        [
            *(sys.executable, "run.py", "--cases", "dev", "--only", "locomo-prune"),
            *("--command", command, "--budgets", "25600"),
        ],
        cwd=EVAL,
        env={k: v for k, v in os.environ.items() if not k.startswith("DREAMD_")},
        capture_output=True,
        text=True,
        check=True,
    )
    names, values = (line.split("\t") for line in done.stdout.strip().split("\n"))
    row = dict(zip(names, values, strict=True))
    assert int(row["cases"]) > 0
    assert row["failed"] == "0"
    assert float(row["kept%"]) >= 94
    assert (row["dangling"], row["invented"], row["index_over"]) == ("0", "0", "0")
    assert row["recoverable%"] in {"-", "100.0"}
