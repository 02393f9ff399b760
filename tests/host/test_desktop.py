"""A word at the desk, through a program that stands for the desktop's own."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from dreamd.daemon import board

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="notify-send is not for a Mac")


def program(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    sender = folder / "notify-send"
    sender.write_text(f"#!/bin/sh\n{script}\n")
    sender.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder / "said"


def test_what_is_told_arrives_as_text_and_not_as_markup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = program(tmp_path, f"printf '%s\\n' \"$@\" > {tmp_path}/said", monkeypatch)
    assert board.notify("dreamd", '--help <b>3 & 4</b>\n"x"\x1b[2J \udcff')
    words = said.read_text().splitlines()
    assert words[-2:] == ["dreamd", '--help &lt;b&gt;3 &amp; 4&lt;/b&gt; "x" [2J  ']
    assert words[-3] == "--"


@pytest.mark.parametrize("script", ["exit 1", "sleep 30"])
def test_a_desktop_that_refuses_never_answers_or_is_not_there_stops_nobody(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, f"exec {script}" if script.startswith("sleep") else script, monkeypatch)
    monkeypatch.setattr(board, "_PATIENCE", 0.2)
    before = time.monotonic()
    assert not board.notify("dreamd", "hello")
    assert time.monotonic() - before < 10
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert not board.notify("dreamd", "hello")
