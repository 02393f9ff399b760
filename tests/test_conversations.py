"""What was said in a model's session is kept redacted, for a while, and can be forgotten."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dreamd.ledger import conversations
from dreamd.text.eraser import Eraser

SECRET = "ghp_" + "1a2B3c4D5e6F7g8H9i0J" * 2


def test_what_is_kept_reads_back_without_secrets(tmp_path: Path) -> None:
    said: list[dict[str, Any]] = [
        {"role": "user", "content": f"the token is {SECRET}"},
        {"role": "assistant", "content": [{"type": "text", "text": f"I saw {SECRET} \ud800"}]},
    ]
    conversations.keep(tmp_path / "c", "d1", said, days=30)
    assert SECRET.encode() not in (tmp_path / "c" / "d1.jsonl").read_bytes()
    assert (tmp_path / "c" / "d1.jsonl").stat().st_mode & 0o777 == 0o600
    found = conversations.read(tmp_path / "c", "d1")
    assert found is not None
    assert found[0]["content"] == "the token is [redacted: GitHub key]"
    assert conversations.read(tmp_path / "c", "other") is None


def test_old_ones_go_and_none_is_kept_for_no_days(tmp_path: Path) -> None:
    conversations.keep(tmp_path, "old", [{"role": "user"}], days=30)
    os.utime(tmp_path / "old.jsonl", (1_700_000_000, 1_700_000_000))
    conversations.keep(tmp_path, "new", [{"role": "user"}], days=30)
    assert [path.name for path in tmp_path.iterdir()] == ["new.jsonl"]
    conversations.keep(tmp_path, "none", [{"role": "user"}], days=0)
    assert not (tmp_path / "none.jsonl").exists()


def test_forgetting_takes_away_what_holds_the_text_however_json_writes_it(tmp_path: Path) -> None:
    conversations.keep(tmp_path, "a", [{"role": "user", "content": 'the "blue"\nroom'}], days=30)
    conversations.keep(tmp_path, "b", [{"role": "user", "content": "another room"}], days=30)
    conversations.forget(tmp_path, Eraser.of('the "blue"\nroom'))
    assert conversations.read(tmp_path, "a") is None
    assert conversations.read(tmp_path, "b") is not None
    conversations.forget(tmp_path / "none", Eraser.of("text"))
