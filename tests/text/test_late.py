"""Patterns that wait until they are asked for: sound all the same, and cheap until then."""

import copy
import pickle
import re
import subprocess
import sys

import pytest

from dreamd.text.late import late


def test_it_finds_what_a_pattern_finds() -> None:
    said = "Berth 12, berth 7"
    for ask in ("findall", "search", "match", "fullmatch", "split"):
        mine, theirs = (
            getattr(each, ask)(said)
            for each in (late("[a-z]+", re.IGNORECASE), re.compile("[a-z]+", re.IGNORECASE))
        )
        assert str(mine) == str(theirs)
    pattern = late(r"(?P<what>\d+)")
    assert pattern.sub("x", said) == "Berth x, berth x"
    assert [match["what"] for match in pattern.finditer(said, 9)] == ["7"]
    assert (pattern.pattern, pattern.groups, dict(pattern.groupindex)) == (
        r"(?P<what>\d+)",
        1,
        {"what": 1},
    )
    assert late(rb"\d").findall(b"a1") == [b"1"]


def test_a_copy_finds_the_same() -> None:
    pattern = late("[a-z]+")
    for each in (copy.copy(pattern), copy.deepcopy(pattern), pickle.loads(pickle.dumps(pattern))):
        assert each.findall("a 1 bc") == ["a", "bc"]
    assert copy.copy(pattern).groups == 0


def test_a_pattern_that_is_none_is_told_once_it_is_used() -> None:
    broken = late("(")
    with pytest.raises(re.error):
        broken.search("a")


def test_the_engine_is_imported_without_compiling_many() -> None:
    script = (
        "import re._compiler as c\n"
        "made = []\n"
        "compiled = c.compile\n"
        "c.compile = lambda *given: made.append(given) or compiled(*given)\n"
        "import dreamd.engine.rules\n"
        "print(len(made))\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert int(told.stdout) < 60
