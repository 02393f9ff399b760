"""What a model costs and what was said to it: one budget a day, and conversations kept redacted."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

from dreamd.ledger import conversations
from dreamd.ledger.spending import Amount, Purse
from dreamd.text.eraser import Eraser

DAY = date(2026, 11, 3)
MOST = Amount(tokens=1_000, dollars=1.0)
SECRET = "ghp_" + "1a2B3c4D5e6F7g8H9i0J" * 2


def purse_of(folder: Path, day: date = DAY) -> Purse:
    return Purse(folder, MOST, lambda: day)


def test_a_torn_line_and_garbage_cost_nothing_and_swallow_no_other(tmp_path: Path) -> None:
    purse = purse_of(tmp_path)
    purse.reserve("a", 100, 0.1)
    ledger = tmp_path / "2026-11-03.jsonl"
    with ledger.open("ab") as file:
        file.write(b'[]\nnull\n{"dream": "x"}\n{"dream": "b", "tok')
    purse.settle("c", 7, 0.0)
    assert purse.spent().tokens == 107


def test_processes_at_once_never_get_more_than_the_day_has(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from dreamd.errors import RefusedError\n"
        "from tests.test_ledger import purse_of\n"
        "purse = purse_of(Path(sys.argv[1]))\n"
        "for n in range(8):\n"
        "    try: print(purse.reserve(sys.argv[2] + str(n), 90, 0.09)[0])\n"
        "    except RefusedError: print(0)\n"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path), name],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[1],
        )
        for name in "abcd"
    ]
    granted = [int(line) for each in running for line in each.communicate()[0].split()]
    assert len(granted) == 32
    assert sum(granted) == 1_000 == purse_of(tmp_path).spent().tokens
    assert purse_of(tmp_path, date(2026, 11, 4)).reserve("next", 1, 0.0) == (1, 0.0)


def test_what_is_kept_has_no_secret_and_goes_when_it_is_old_or_to_be_forgotten(
    tmp_path: Path,
) -> None:
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
    os.utime(tmp_path / "c" / "d1.jsonl", (1_700_000_000, 1_700_000_000))
    for name, text in (("a", 'the "blue"\nroom'), ("b", "a room")):
        conversations.keep(tmp_path / "c", name, [{"role": "user", "content": text}], days=30)
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == ["a.jsonl", "b.jsonl"]
    conversations.forget(tmp_path / "c", Eraser.of('the "blue"\nroom'))
    assert [path.name for path in (tmp_path / "c").iterdir()] == ["b.jsonl"]
    conversations.keep(tmp_path / "c", "none", said, days=0)
    assert not list((tmp_path / "c").iterdir())
    conversations.forget(tmp_path / "none", Eraser.of("text"))
