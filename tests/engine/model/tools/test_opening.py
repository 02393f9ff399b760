"""What is judged is what is read, on systems with handles that only name a file and without."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamd.engine.model.tools import opening, source
from dreamd.engine.model.tools.conversation import rows_of
from dreamd.engine.model.tools.finding import files
from dreamd.engine.model.tools.opening import opened
from dreamd.engine.model.tools.place import Place
from dreamd.errors import RefusedError
from dreamd.host.renames import exchange
from dreamd.sandbox.denied import DenyList
from dreamd.transcripts import reading, turns
from tests.engine.model.tools.desk import Laptop, said, transcript
from tests.sandbox.world import CANARY


@pytest.fixture(params=["handles", "a walk"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    if request.param == "a walk":
        monkeypatch.setattr(opening, "_PATH", None)
    elif not hasattr(os, "O_PATH"):
        pytest.skip("no handles here that only name a file")
    laptop = Laptop.at(tmp_path.resolve())
    return Place(laptop.memory, (laptop.sessions,), DenyList.of([laptop.vault]))


def top_of(place: Place) -> Path:
    return place.memory.parents[1]


def read(path: Path, place: Place) -> bytes:
    with opened(path, place) as (descriptor, _, _):
        return os.read(descriptor, 100)


def test_a_file_is_read_through_links_and_what_is_none_is_refused(place: Place) -> None:
    work = top_of(place) / "work"
    (work / "a.txt").write_text("words")
    (work / "way").symlink_to(work)
    assert read(work / "way/a.txt", place) == b"words"
    for path, why in {
        work / "way/none.txt": "There is no",
        work / "a.txt/b.txt": "There is no",
        work: "directory",
        Path("/"): "directory",
        Path("/dev/null"): "kernel|device",
        top_of(place) / "vault/key.txt": "credentials",
    }.items():
        with pytest.raises(RefusedError, match=why):
            read(path, place)


def test_a_second_hard_link_to_a_denied_file_is_denied(place: Place) -> None:
    top = top_of(place)
    os.link(top / "vault/key.txt", top / "work/a.txt")
    place = Place(place.memory, (), DenyList.of([top / "vault"]))
    with pytest.raises(RefusedError, match="credentials"):
        read(top / "work/a.txt", place)


def test_folders_in_folders_do_not_use_up_the_time_of_a_search(place: Place) -> None:
    work = top_of(place) / "work"
    below = work / ("d/" * 90)
    below.mkdir(parents=True)
    (below / "near.md").write_text("x")
    here = Path.cwd()
    os.chdir(below)
    for _ in range(300):
        Path("d").mkdir()
        os.chdir("d")
    Path("far.md").write_text("x")
    os.chdir(here)
    (work / "e").mkdir()
    (work / "e/last.md").write_text("x")
    found = [file.below for file in files(work, place)]
    assert found == [f"{'d/' * 90}near.md", "e/last.md"]


def test_a_line_without_an_end_neither_fills_the_memory_nor_hides_what_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_LONGEST", 5_000)
    path = tmp_path / "s.jsonl"
    whole = [json.dumps(said(number, f"words {number}")) for number in (1, 2, 3)]
    forged = json.dumps(said(9, "forged"))
    long = "x" * 5_000 + forged + "y" * (10_000 - len(forged) - 1)
    path.write_text("\n".join([whole[0], long, whole[1], "{" * 20_000, whole[2], ""]))
    read = list(reading.lines(path))
    assert max(len(line) for line, _ in read) <= 5_000
    assert [turn.text for turn in turns(path)] == ["words 1", "words 2", "words 3"]


def test_a_transcript_swapped_after_it_was_judged_is_not_what_is_shown(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = top_of(place)
    (top / "work/sub").mkdir()
    path = transcript(top / "work/sub/talk.jsonl", [said(1, "harmless")])
    transcript(top / "vault/talk.jsonl", [said(1, CANARY)])
    (top / "work/link").symlink_to(top / "vault")

    def late(transcript: Path) -> Iterator[str]:
        exchange(top / "work/sub", top / "work/link")
        return rows_of(transcript)

    monkeypatch.setattr(source, "rows_of", late)
    shown = source.source(path, place)
    assert "harmless" in shown.rows
    assert CANARY not in shown.rows
