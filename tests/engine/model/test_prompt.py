"""The prompt and the tools: the same bytes for everyone, long enough to be cached, and right."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

from dreamd.domain.receipt import Phase
from dreamd.domain.settings import Budget, Settings
from dreamd.engine.model.conversation import begun
from dreamd.engine.model.digest.notes import TAG
from dreamd.engine.model.prompt import EXAMPLES, RULES, SYSTEM
from dreamd.engine.model.tools import BY_NAME
from tests.brain.api import minimum
from tests.engine.model.briefs import NOTES, SAID, first

BYTES = 4.2  # to a token at most; 3.8 by the tokenizer that anthropic 0.38 came with
ROOT = Path(__file__).parents[3]
SHA = (
    "import sys; from tests.engine.model.test_prompt import sent; import hashlib;"
    "sys.stdout.write(hashlib.sha256(sent().encode()).hexdigest())"
)


def sent() -> str:
    """Return the first request of a session, whole."""
    return json.dumps(begun("claude-haiku-4-5", first(NOTES, SAID, tokens=3_000)).body(1_000))


def test_the_same_notes_and_words_make_the_same_request_in_any_process(tmp_path: Path) -> None:
    here = hashlib.sha256(sent().encode()).hexdigest()
    for variables in (
        {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONHASHSEED": "0", "HOME": "/root"},
        {"TZ": "America/New_York", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "4242"},
    ):
        environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **variables}
        argv = [sys.executable, "-c", SHA]
        done = subprocess.run(argv, cwd=tmp_path, env=environ, capture_output=True, check=True)
        assert done.stdout.decode() == here


def test_system_prompt_and_tools_alone_are_long_enough_to_be_cached() -> None:
    """Below a model's minimum nothing is cached, and every request would be paid in full."""
    body = begun(Settings().model.name, "").body(1)
    head = json.dumps([body["tools"], body["system"]], ensure_ascii=False)
    assert len(head.encode()) / BYTES >= minimum(Settings().model.name) == 4096
    assert len(RULES.split()) < 1_000


def test_the_examples_are_of_no_day_that_was_and_their_days_are_right() -> None:
    days = re.findall(r"\b(\d{4})-\d\d-\d\d\b", EXAMPLES)
    assert len(days) > 20
    assert set(days) == {"2031"}
    named = re.findall(r"\b([A-Z][a-z]+day) (2031-\d\d-\d\d)", EXAMPLES)
    assert len(named) >= 4
    assert [date.fromisoformat(day).strftime("%A") for _, day in named] == [day for day, _ in named]


def test_what_the_prompt_names_is_so() -> None:
    assert re.findall(r"`## (\w+)`", SYSTEM) == [str(phase) for phase in Phase]
    assert str(Path.home()) not in SYSTEM.replace("/root-cause", "")
    assert not re.search(r"/(?:home|tmp|Users|work)\b", SYSTEM)
    budget = Budget()
    assert f"{budget.index_lines} lines and {budget.index_bytes:,} bytes" in SYSTEM
    assert f"<{TAG}>" in SYSTEM
    assert "12 kB" in SYSTEM
    assert "12 kB" in BY_NAME["Write"].description
    assert " ".join(BY_NAME) == "Read Grep Glob Bash Sessions Edit Write Move Retire"
    assert all(re.search(rf"\b{name}\b", SYSTEM) for name in ("Edit", "Write", "Retire", "Move"))
