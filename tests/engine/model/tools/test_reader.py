"""A reader goes on after a faulty call, and ends with its pipe."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from dreamd.engine.model.toolbox import ReaderLostError
from dreamd.sandbox.choose import best
from tests.engine.model.tools.desk import Laptop, opened


def test_one_faulty_call_does_not_end_a_reader(tmp_path: Path) -> None:
    laptop = Laptop.at(tmp_path.resolve())
    (laptop.memory / "MEMORY.md").write_bytes(b"\xff\xfe")
    with opened(laptop, best().level) as desk:
        given = {"file_path": "MEMORY.md", "old_string": "a", "new_string": "b"}
        assert "no ordinary file of UTF-8 text" in desk.refused("Edit", **given)
        for text in ("x" * 3_000_000, "\x00" * 100, "語" * 100_000):
            desk.ask("Grep", {"pattern": text})
            desk.ask("Read", {"file_path": text})
            desk.ask("Bash", {"command": text})
            desk.ask("Edit", {"file_path": "ana.md", "old_string": text, "new_string": text})
        assert "Harbor" in desk("Read", file_path="ana.md")


def test_a_reader_ends_when_its_pipe_does_and_one_that_ended_is_said_to(tmp_path: Path) -> None:
    with opened(Laptop.at(tmp_path.resolve()), best().level) as desk:
        assert "Harbor" in desk("Read", file_path="ana.md")
        desk.reader._requests.close()
        desk.reader._helper.stdin.close()
        until = time.monotonic() + 3
        while desk.reader._helper.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert desk.reader._helper.poll() == 0
        with pytest.raises(ReaderLostError, match="the reader process ended"):
            desk("Read", file_path="ana.md")
