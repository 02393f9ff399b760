"""The table of tools, and the arguments they take."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from msgspec.structs import asdict

from dreamd.engine.model.tools import BY_NAME, TOOLS
from dreamd.engine.model.tools.arguments import checked
from dreamd.engine.model.tools.dispatch import runner
from dreamd.errors import RefusedError
from tests.engine.model.tools.desk import Desk

_DIGEST = (
    "import hashlib, json; from msgspec.structs import asdict\n"
    "from dreamd.engine.model.tools import TOOLS\n"
    "print(hashlib.sha256(json.dumps([asdict(t) for t in TOOLS]).encode()).hexdigest())"
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
        assert callable(runner(tool.name))
        assert 20 < len(tool.description) < 330
        assert {tool.home} <= {"reader", "writer"}


def test_the_table_imports_no_library_of_a_tool() -> None:
    code = (
        "import sys, dreamd.engine.model.tools; "
        "print([m for m in ('tree_sitter', 'yaml', 'dreamd.transcripts') "
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


def test_a_helper_outlives_every_wrong_call_and_serves_its_own_tools_only(reading: Desk) -> None:
    for name, arguments, _ in WRONG:
        if name != "Read" or arguments != {"file_path": "\ud800"}:
            assert reading.ask(name, arguments)["is_error"]
    for tool, home in (("Edit", "reader"), ("Write", "reader"), ("Read", "writer")):
        assert "There is no tool" in reading.ask(tool, {}, home)["text"]
    assert "There is no tool" in reading.ask("Bash", {"command": "ls"}, "writer")["text"]
    assert "There is no tool" in reading.ask("Delete", {}, "writer")["text"]
    assert reading("Read", file_path="MEMORY.md").startswith("     1\t# Memory\n")
