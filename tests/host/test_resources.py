from __future__ import annotations

import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamd.errors import HostError, RefusedError
from dreamd.host import files, resources

CHECKOUT = Path(__file__).resolve().parents[2]
MEMORY = Path("projects/-home-dev-tidepool/memory")


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return resources.copy_sample(tmp_path_factory.mktemp("copy") / "deep" / "copy")


def test_a_copy_holds_the_bytes_of_the_sample_and_belongs_to_the_user_alone(
    memory: Path, tmp_path: Path
) -> None:
    source, to = CHECKOUT / "sample_memory", memory.parents[2]
    assert memory == to / MEMORY
    names = {p.relative_to(source) for p in (source / "projects").rglob("*")}
    assert {p.relative_to(to) for p in (to / "projects").rglob("*")} == names
    resources.copy_sample(tmp_path)
    for name in names:
        mode = stat.S_IMODE((to / name).stat().st_mode)
        assert mode == (0o700 if (to / name).is_dir() else 0o600)
        if (to / name).is_file():
            assert (to / name).read_bytes() == (source / name).read_bytes()
            assert (to / name).stat().st_mtime_ns == (tmp_path / name).stat().st_mtime_ns


def test_a_session_is_as_old_as_its_last_record_and_younger_than_every_note(memory: Path) -> None:
    newest = max(p.stat().st_mtime for p in memory.rglob("*.md"))
    for transcript in memory.parent.rglob("*.jsonl"):
        records = [json.loads(line) for line in transcript.read_text("utf-8").splitlines()]
        last = max(r["timestamp"] for r in records if "timestamp" in r)
        moment = datetime.strptime(last, "%Y-%m-%dT%H:%M:%S.%f%z")
        assert transcript.stat().st_mtime == pytest.approx(moment.timestamp(), abs=1e-3)
        assert transcript.stat().st_mtime_ns % 1_000_000 == 0
        assert newest < transcript.stat().st_mtime
    (meta,) = memory.parent.rglob("*.meta.json")  # names no time: it has that of its neighbour
    (agent,) = memory.parent.rglob("agent-*.jsonl")
    assert meta.stat().st_mtime_ns == agent.stat().st_mtime_ns


@pytest.mark.parametrize(
    ("note", "moment"),
    [
        ("MEMORY.md", datetime(2026, 5, 29, 18, tzinfo=UTC)),
        ("2026-05-11.md", datetime(2026, 5, 11, 18, tzinfo=UTC)),
        ("postgres.md", datetime(2026, 5, 20, 13, 5, tzinfo=UTC)),
        ("team/packing-rules.md", datetime(2026, 4, 30, 17, 20, tzinfo=UTC)),
    ],
)
def test_a_note_is_as_old_as_it_says(memory: Path, note: str, moment: datetime) -> None:
    assert (memory / note).stat().st_mtime_ns == int(moment.timestamp()) * 10**9


def test_a_copy_goes_into_an_empty_folder_and_never_over_something(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    resources.copy_sample(empty)
    before = {p: p.stat().st_mtime_ns for p in empty.rglob("*")}
    with pytest.raises(RefusedError, match=r"is not empty; name a new or an empty folder"):
        resources.copy_sample(empty)
    assert {p: p.stat().st_mtime_ns for p in empty.rglob("*")} == before

    (tmp_path / "file").write_text("mine")
    with pytest.raises(RefusedError, match=r"is a file; name a new or an empty folder"):
        resources.copy_sample(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
    with pytest.raises(HostError, match="a file stands in its place"):
        resources.copy_sample(tmp_path / "file" / "below")


def test_a_copy_that_fails_half_way_leaves_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    write = files.write_new

    def full(path: Path, data: bytes, **how: object) -> None:
        if len(written) == 12:
            raise OSError(28, "No space left on device")
        write(path, data)
        written.append(path)

    monkeypatch.setattr(files, "write_new", full)  # stands for a full disk
    with pytest.raises(HostError, match="No space left on device"):
        resources.copy_sample(tmp_path / "copy")
    assert len(written) == 12
    assert not any((tmp_path / "copy").iterdir())
