from __future__ import annotations

import stat
from datetime import UTC, datetime
from pathlib import Path

from dreamd.install import resources
from dreamd.text.secrets.secrets import find

SAMPLE = Path(__file__).resolve().parents[1] / "sample_memory"


def test_the_sample_has_one_secret_and_its_line_says_that_it_opens_nothing() -> None:
    lines = [row for each in SAMPLE.rglob("*.*") for row in each.read_text("utf-8").splitlines()]
    (line,) = [row for row in lines if find(row)]
    assert "made-up example" in line
    assert "nobody ever issued it" in line


def test_a_copy_holds_the_sample_belongs_to_the_user_alone_and_is_like_every_other(
    tmp_path: Path,
) -> None:
    to, other = tmp_path / "deep" / "copy", tmp_path / "other"
    memory = resources.copy_sample(to)
    assert memory == to / "projects/-home-dev-tidepool/memory"
    names = {each.relative_to(SAMPLE) for each in (SAMPLE / "projects").rglob("*")}
    assert {each.relative_to(to) for each in (to / "projects").rglob("*")} == names
    resources.copy_sample(other)
    for name in names:
        mode = stat.S_IMODE((to / name).stat().st_mode)
        assert mode == (0o700 if (to / name).is_dir() else 0o600)
        if (to / name).is_file():
            assert (to / name).read_bytes() == (SAMPLE / name).read_bytes()
            assert (to / name).stat().st_mtime_ns == (other / name).stat().st_mtime_ns
    # A note is as old as it says, and younger than no session.
    for note, moment in {
        "MEMORY.md": datetime(2026, 5, 29, 18, tzinfo=UTC),
        "2026-05-11.md": datetime(2026, 5, 11, 18, tzinfo=UTC),
        "postgres.md": datetime(2026, 5, 20, 13, 5, tzinfo=UTC),
        "team/packing-rules.md": datetime(2026, 4, 30, 17, 20, tzinfo=UTC),
    }.items():
        assert (memory / note).stat().st_mtime_ns == int(moment.timestamp()) * 10**9
    newest = max(each.stat().st_mtime for each in memory.rglob("*.md"))
    assert all(newest < each.stat().st_mtime for each in memory.parent.rglob("*.jsonl"))
    (meta,) = memory.parent.rglob("*.meta.json")  # names no time: it has that of its neighbour
    (agent,) = memory.parent.rglob("agent-*.jsonl")
    assert meta.stat().st_mtime_ns == agent.stat().st_mtime_ns
