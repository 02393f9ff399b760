"""The table of tools, and the arguments they take."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

from dreamd.engine.model.tools import BY_NAME, TOOLS
from dreamd.errors import RefusedError
from tests.engine.model.tools.desk import Desk

_DIGEST = (
    "import hashlib, json; from dreamd.engine.model.tools import TOOLS; "
    "said = json.dumps([[t.name, t.description, t.schema] for t in TOOLS]); "
    "print(hashlib.sha256(said.encode()).hexdigest())"
)


def test_the_table_is_the_same_to_the_byte_in_every_process() -> None:
    told = json.dumps([[tool.name, tool.description, tool.schema] for tool in TOOLS])
    here = hashlib.sha256(told.encode()).hexdigest()
    for seed, zone, locale in (("1", "Asia/Tokyo", "C"), ("77", "UTC", "de_DE.UTF-8")):
        env = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale}
        argv = [sys.executable, "-B", "-c", _DIGEST]
        there = subprocess.run(argv, env=env, capture_output=True, check=True).stdout.decode()
        assert there.strip() == here


def test_every_tool_has_a_module_that_runs_it_and_a_short_description() -> None:
    assert " ".join(BY_NAME) == "Read Grep Glob Bash Sessions Edit Write Move Retire"
    for tool in TOOLS:
        module = import_module(f"dreamd.engine.model.tools.{tool.name.lower()}")
        assert callable(module.run)
        assert 20 < len(tool.description) < 400


WRONG: list[tuple[str, Any, str]] = [
    ("Read", {}, "missing required field `file_path`"),
    ("Read", {"file_path": 7}, "Expected `str`, got `int` - at `$.file_path`"),
    ("Read", {"file_path": "a", "offset": "2"}, "Expected `int`"),
    ("Read", {"file_path": "a", "offset": True}, "Expected `int`, got `bool`"),
    ("Read", {"file_path": "a", "offset": 0}, "`int` >= 1"),
    ("Read", {"file_path": "a", "offset": 10**40}, "<= 1000000000"),
    ("Read", {"filepath": "a"}, "unknown field `filepath`; it takes file_path, offset, limit."),
    ("Read", ["a"], "Expected `object`"),
    ("Grep", {"pattern": "a", "output_mode": "lines"}, "Invalid enum value 'lines'"),
    ("Grep", {"pattern": "a", "-i": "yes"}, "Expected `bool`, got `str` - at `$.-i`"),
    ("Grep", {"pattern": "a", "-A": 1000}, "`int` <= 100"),
    ("Bash", {"command": "ls", "timeout": 10**9}, "<= 120000"),
    ("Edit", {"file_path": "a.md", "old_string": "x"}, "`new_string`"),
    ("Write", {"files": []}, "length >= 1"),
    ("Write", {"files": [{"file_path": "a.md"}]}, "`content` - at `$.files[0]`"),
    ("Write", {"files": [{"file_path": "a.md", "content": "x", "mode": 7}]}, "field `mode`"),
    ("Retire", {"file_path": "a.md", "text": "x", "reason": "y"}, "`source`"),
]


@pytest.mark.parametrize(("name", "arguments", "sentence"), WRONG)
def test_a_wrong_argument_is_answered_with_what_would_be_right(
    name: str, arguments: Any, sentence: str
) -> None:
    with pytest.raises(RefusedError) as raised:
        BY_NAME[name].checked(arguments)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_argument_that_is_null_counts_as_left_out() -> None:
    assert BY_NAME["Read"].checked({"file_path": "a", "limit": None}) == {"file_path": "a"}


def test_a_reader_outlives_every_wrong_call(reading: Desk) -> None:
    for name, arguments, _ in WRONG:
        assert reading.ask(name, arguments).is_error
    assert "There is no tool" in reading.refused("Delete")
    assert reading("Read", file_path="MEMORY.md").startswith("     1\t# Memory\n")
