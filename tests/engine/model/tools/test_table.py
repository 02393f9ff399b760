"""The table of tools, and the arguments they take."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import asdict
from importlib import import_module
from typing import Any

import pytest

from dreamd.engine.model.tools import BY_NAME, TOOLS
from dreamd.engine.model.tools.arguments import checked
from dreamd.errors import RefusedError
from tests.engine.model.tools.desk import Desk

_DIGEST = (
    "import hashlib, json; from dataclasses import asdict; from dreamd.engine.model.tools import "
    "TOOLS; print(hashlib.sha256(json.dumps([asdict(t) for t in TOOLS]).encode()).hexdigest())"
)


def test_the_table_is_the_same_to_the_byte_in_every_process() -> None:
    here = hashlib.sha256(json.dumps([asdict(tool) for tool in TOOLS]).encode()).hexdigest()
    for seed, zone, locale in (("1", "Asia/Tokyo", "C"), ("77", "UTC", "de_DE.UTF-8")):
        env = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale}
        argv = [sys.executable, "-B", "-c", _DIGEST]
        told = subprocess.run(argv, env=env, capture_output=True, check=True).stdout.decode()
        assert told.strip() == here


def test_every_tool_has_a_module_that_runs_it_and_a_short_description() -> None:
    assert " ".join(BY_NAME) == "Read Grep Glob Bash Sessions Edit Write Retire"
    for tool in TOOLS:
        module = import_module(f"dreamd.engine.model.tools.{tool.name.lower()}")
        assert callable(module.run)
        assert 20 < len(tool.description) < 400


def test_the_table_imports_no_library_of_a_tool() -> None:
    code = (
        "import sys, dreamd.engine.model.tools; "
        "print([m for m in ('tree_sitter', 'msgspec', 'yaml', 'dreamd.transcripts') "
        "if m in sys.modules])"
    )
    argv = [sys.executable, "-B", "-c", code]
    assert subprocess.run(argv, capture_output=True, check=True).stdout == b"[]\n"


WRONG: list[tuple[str, Any, str]] = [
    ("Read", {}, "needs file_path"),
    ("Read", {"file_path": 7}, "must be text"),
    ("Read", {"file_path": "a", "offset": "2"}, "whole number"),
    ("Read", {"file_path": "a", "offset": True}, "whole number"),
    ("Read", {"file_path": "a", "offset": 0}, "from 1 to"),
    ("Read", {"file_path": "a", "limit": -1}, "from 1 to"),
    ("Read", {"filepath": "a"}, "did you mean file_path?"),
    ("Read", ["a"], "must be an object"),
    ("Read", None, "must be an object"),
    ("Read", {"file_path": "\ud800"}, "surrogate"),
    ("Grep", {"pattern": "a", "output_mode": "lines"}, "one of content, files_with_matches, count"),
    ("Grep", {"pattern": "a", "-i": "yes"}, "true or false"),
    ("Grep", {"pattern": "a", "-A": 1000}, "from 0 to 100"),
    ("Grep", {"pattern": "a", "-a": 1}, "no argument '-a'"),
    ("Bash", {"command": "ls", "timeout": 10**9}, "from 1 to 120,000"),
    ("Bash", {"cmd": "ls"}, "It takes command, timeout"),
    ("Sessions", {"speaker": "me"}, "person, assistant, tool, all"),
    ("Edit", {"file_path": "a.md", "old_string": "x"}, "needs new_string"),
    ("Write", {"files": []}, "1 to 50 entries"),
    ("Write", {"files": ["a.md"]}, "must be an object"),
    ("Write", {"files": [{"file_path": "a.md"}]}, "needs content"),
    ("Write", {"files": [{"file_path": "a.md", "content": "x", "mode": 7}]}, "no argument 'mode'"),
    ("Retire", {"file_path": "a.md", "text": "x", "reason": "y"}, "needs source"),
]


@pytest.mark.parametrize(("name", "arguments", "sentence"), WRONG)
def test_a_wrong_argument_is_answered_with_what_would_be_right(
    name: str, arguments: Any, sentence: str
) -> None:
    with pytest.raises(RefusedError) as raised:
        checked(BY_NAME[name], arguments)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_argument_that_is_null_counts_as_left_out() -> None:
    assert checked(BY_NAME["Read"], {"file_path": "a", "limit": None}) == {"file_path": "a"}


def test_a_reader_outlives_every_wrong_call(reading: Desk) -> None:
    for name, arguments, _ in WRONG:
        if isinstance(arguments, dict) and arguments != {"file_path": "\ud800"}:
            assert reading.ask(name, arguments).is_error
    assert "There is no tool" in reading.refused("Delete")
    assert reading("Read", file_path="MEMORY.md").startswith("     1\t# Memory\n")
