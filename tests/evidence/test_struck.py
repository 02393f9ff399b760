"""An ingestion that is killed at any statement leaves nothing twice and nothing lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.evidence.lights import by_sentence, held, read
from tests.transcripts.made import assistant, line, said, user, write


def test_killed_at_any_statement_nothing_is_lost_and_nothing_twice(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    first = [
        user("Ada runs 3 looms. Which one is blue?", 1),
        assistant(said("Paint the small one."), 2),
    ]
    grown = write(folder / "a.jsonl", *first, mtime=1_700_000_000)
    write(folder / "b.jsonl", user("The shed is dry.", 3), mtime=1_700_000_001)
    read(tmp_path / "evidence.db", folder)
    with grown.open("ab") as stream:
        stream.write(line(user("Deal. The roof is new. It was dear.", 4)))
        stream.write(b"".join(line(user(f"Loom {n} is red.", 50 + n)) for n in range(5)))
    write(folder / "b.jsonl", user("The shed is wet.", 3), mtime=1_700_000_002)
    write(folder / "c.jsonl", *first, user("It has a door.", 5), mtime=1_700_000_003)
    done = subprocess.run(
        [sys.executable, "-m", "tests.evidence.struck", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        cwd=Path(__file__).parents[2],
    )
    *rows, last = done.stdout.split("\n")[:-1]
    assert int(last.removeprefix("all ")) == len(rows) > 40
    assert [row for row in rows if not row.endswith(" True")] == []
    assert sorted(each.statement for each in held(tmp_path / "evidence.db")[1]) == sorted(
        ["Ada runs 3 looms.", "Paint the small one.", "The roof is new.", "It was dear."]
        + ["The shed is wet.", "It has a door."]
        + [f"Loom {n} is red." for n in range(5)]
    )
    fresh = tmp_path / "fresh.db"
    read(fresh, folder, light=by_sentence)
    for kept, oracle in zip(held(tmp_path / "evidence.db"), held(fresh), strict=True):
        assert set(kept) == set(oracle)
