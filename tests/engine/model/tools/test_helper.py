"""A helper goes on after a faulty call, and ends with its pipe."""

from __future__ import annotations

import time
from pathlib import Path

from dreamd.sandbox.choose import best
from tests.engine.model.tools.desk import Laptop, opened


def test_one_faulty_call_does_not_end_a_helper(tmp_path: Path) -> None:
    laptop = Laptop.at(tmp_path.resolve())
    with opened(laptop, best().level) as desk:
        (laptop.stage / "MEMORY.md").write_bytes(b"\xff\xfe")
        assert "is not UTF-8" in desk.refused(
            "Edit", file_path="MEMORY.md", old_string="a", new_string="b"
        )
        for text in ("x" * 3_000_000, "\x00" * 100, "語" * 100_000):
            desk.ask("Grep", {"pattern": text})
            desk.ask("Read", {"file_path": text})
            desk.ask("Bash", {"command": text})
            desk.ask("Edit", {"file_path": "ana.md", "old_string": text, "new_string": text})
        assert "Harbor" in desk("Read", file_path="ana.md")


def test_a_helper_ends_when_its_pipe_does(tmp_path: Path) -> None:
    with opened(Laptop.at(tmp_path.resolve()), best().level) as desk:
        helper = desk.helpers["reader"]
        helper.stdin.close()
        until = time.monotonic() + 3
        while helper.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert helper.poll() == 0
        writer = desk.helpers["writer"]
        writer.stdin.write(b"\xff\xff\xff\xff no message")
        while writer.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert writer.poll() == 1
