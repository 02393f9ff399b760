from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dreamd.domain.ending import Phase
from dreamd.domain.settings import Budget
from dreamd.engine.model.digest.fence import TAG
from dreamd.engine.model.prompt import SYSTEM
from dreamd.engine.model.tools import TOOLS

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


def test_the_prompt_is_short() -> None:
    assert len(SYSTEM.split()) < 900


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
