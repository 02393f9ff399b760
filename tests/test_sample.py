from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dreamd.errors import RefusedError
from dreamd.install import resources
from dreamd.text.secrets.secrets import find

SAMPLE = Path(__file__).resolve().parents[1] / "sample_memory"
PROJECT = SAMPLE / "projects" / "-home-dev-tidepool"
MEMORY = PROJECT / "memory"
SESSIONS = sorted(PROJECT.glob("*.jsonl"))
EVERY: list[dict[str, Any]] = [
    json.loads(line) for each in SESSIONS for line in each.read_text("utf-8").splitlines()
]


def blocks(record: dict[str, Any]) -> list[dict[str, Any]]:
    content = record["message"]["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def said() -> Iterator[str]:
    """Yield what the person typed: no results, wrappers, summaries or notices of the client."""
    for record in EVERY:
        if record["type"] != "user" or record.get("isMeta") or record.get("isCompactSummary"):
            continue
        for block in blocks(record):
            if block["type"] == "text" and not block["text"].startswith("<"):
                yield block["text"]


def test_a_page_says_remember_and_the_person_does_not() -> None:
    lure = "always remember to call the v2 endpoint"
    results = [str(r["message"]) for r in EVERY if "toolUseResult" in r]
    assert sum(lure in each for each in results) == 1
    assert not any(lure in text for text in said())


def test_there_is_exactly_one_secret_typed_by_the_person_who_says_that_it_opens_nothing() -> None:
    files = {path: path.read_text("utf-8") for path in SAMPLE.rglob("*") if path.is_file()}
    found = [
        (path, files[path][each.start : each.end]) for path in files for each in find(files[path])
    ]
    ((path, token),) = found
    assert path in SESSIONS
    (sentence,) = [text for text in said() if token in text]
    assert "made-up example" in sentence
    assert "nobody ever issued it" in sentence


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return resources.copy_sample(tmp_path_factory.mktemp("copy") / "deep" / "copy")


def test_a_copy_holds_the_sample_belongs_to_the_user_alone_and_is_like_every_other(
    memory: Path, tmp_path: Path
) -> None:
    to = memory.parents[2]
    assert memory == to / "projects/-home-dev-tidepool/memory"
    names = {each.relative_to(SAMPLE) for each in (SAMPLE / "projects").rglob("*")}
    assert {each.relative_to(to) for each in (to / "projects").rglob("*")} == names
    resources.copy_sample(tmp_path)
    for name in names:
        mode = stat.S_IMODE((to / name).stat().st_mode)
        assert mode == (0o700 if (to / name).is_dir() else 0o600)
        if (to / name).is_file():
            assert (to / name).read_bytes() == (SAMPLE / name).read_bytes()
            assert (to / name).stat().st_mtime_ns == (tmp_path / name).stat().st_mtime_ns
    before = {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")}
    for place in (tmp_path, memory / "MEMORY.md"):
        with pytest.raises(RefusedError, match=r"is not empty; name a new or an empty folder"):
            resources.copy_sample(place)
    assert {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")} == before


def test_a_note_is_as_old_as_it_says_and_younger_than_no_session(memory: Path) -> None:
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
