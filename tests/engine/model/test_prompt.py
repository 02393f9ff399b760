from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from dreamd.domain.receipt import Phase
from dreamd.domain.settings import Budget, Settings
from dreamd.engine.model.digest.fence import TAG
from dreamd.engine.model.examples import EXAMPLES
from dreamd.engine.model.prompt import RULES, SYSTEM
from dreamd.engine.model.tools import TOOLS
from dreamd.text.values import meant
from tests.brain.caching import minimum

BYTES = 4.2  # to a token at most; 3.8 by the tokenizer that anthropic 0.38 came with
ROOT = Path(__file__).parents[3]
SHA = (
    "import hashlib, sys; from dreamd.engine.model.prompt import SYSTEM;"
    "sys.stdout.write(hashlib.sha256(SYSTEM.encode()).hexdigest())"
)


@pytest.mark.parametrize(
    "variables",
    [
        {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "0", "HOME": "/root"},
        {"TZ": "Pacific/Kiritimati", "LC_ALL": "de_DE.UTF-8", "PYTHONHASHSEED": "4242"},
        {"TZ": "America/New_York", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "7", "USER": "nobody"},
    ],
)
def test_the_prompt_is_the_same_bytes_in_any_process(
    variables: dict[str, str], tmp_path: Path
) -> None:
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **variables}
    told = subprocess.run(
        [sys.executable, "-c", SHA],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )

    assert told.stdout == hashlib.sha256(SYSTEM.encode()).hexdigest()


def test_the_rules_are_short() -> None:
    assert len(RULES.split()) < 900
    assert SYSTEM.startswith(RULES)


def test_system_prompt_and_tools_alone_are_long_enough_to_be_cached() -> None:
    """Below a model's minimum nothing is cached, and every request would be paid in full."""
    head = json.dumps(
        [
            SYSTEM,
            *(
                {"name": each.name, "description": each.description, "input_schema": each.schema}
                for each in TOOLS
            ),
        ],
        ensure_ascii=False,
    )
    assert len(head.encode()) / BYTES >= minimum(Settings().model.name) == 4096


def test_the_examples_are_about_nobody_and_no_day_that_was() -> None:
    days = re.findall(r"\b(\d{4})-\d\d-\d\d\b", EXAMPLES)
    assert len(days) > 20
    assert set(days) == {"2031"}
    assert "Odo and his project Mooncake do not exist." in EXAMPLES
    said = re.findall(r"^> (\w[\w ]*)(?:, [\w -]+)?: ", EXAMPLES, re.MULTILINE)
    assert set(said) == {"Odo", "assistant", "tool", "web page"}


def test_every_day_of_the_week_in_the_examples_is_right() -> None:
    named = re.findall(r"\b([A-Z][a-z]+day) (2031-\d\d-\d\d)", EXAMPLES)
    assert len(named) >= 4
    assert [date.fromisoformat(day).strftime("%A") for _, day in named] == [day for day, _ in named]


def test_what_the_examples_resolve_is_what_the_words_may_mean() -> None:
    for phrase, said, means in (
        ("two days from now", "2031-03-09", "2031-03-11"),
        ("last Friday", "2031-03-15", "2031-03-14"),
    ):
        assert date.fromisoformat(means) in meant(date.fromisoformat(said), phrase)
        assert phrase in EXAMPLES
        assert means in EXAMPLES


def test_every_phase_is_announced_by_its_name() -> None:
    announced = re.findall(r"`## (\w+)`", SYSTEM)

    assert announced == [str(phase) for phase in Phase]


def test_no_place_stands_in_the_prompt() -> None:
    assert str(Path.home()) not in SYSTEM.replace("/root-cause", "")
    assert not re.search(r"/(?:home|tmp|Users|work)\b", SYSTEM)


def test_the_limits_named_are_the_default_ones() -> None:
    budget = Budget()

    assert f"{budget.index_lines} lines and {budget.index_bytes:,} bytes" in SYSTEM


def test_the_prompt_names_the_marks_that_data_stands_between() -> None:
    assert f"<{TAG}>" in SYSTEM


def test_the_tools_named_are_tools() -> None:
    names = {tool.name for tool in TOOLS}

    assert {"Edit", "Write", "Retire", "Sessions", "Grep"} <= names
    assert all(
        re.search(rf"\b{name}\b", SYSTEM) for name in ("Edit", "Write", "Retire", "Sessions")
    )
