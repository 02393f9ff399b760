"""The scores can fail: engines that do nothing, or too much, get the figures for it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import score
from tests.planted import sets

EVAL = os.environ.get("DREAMD_EVAL", "")
CHANGES = (
    (
        "change",
        "2026-03-02",
        "The gate opens at 7.",
        "The gate opens at 9 now, not at 7.",
        "7",
        "9",
    ),
    ("change", "2026-03-02", "- Deck width: 12 m", "The deck width is 15 m now.", "12 m", "15 m"),
    ("keep", "2026-03-02", "Tickets cost 8 euros.", "Would 11 euros for a ticket be fair?", "", ""),
    ("denial", "2026-03-02", "We sell maps at the kiosk.", "We never sold any map.", "", ""),
)
PAIRS = (("apart", "The lamp is on the left.", "The lamp is on the right."),)
MESSAGES = (
    ("Always grease the hinges before you close the shed.", "instruction"),
    ("Where did I put the ladder yesterday evening?", "question"),
    ("Paint the second door green and tell me when it is dry.", "task"),
)
EVERYTHING = """
import json, pathlib, sys
memory, project = map(pathlib.Path, sys.argv[1:])
with (memory / "MEMORY.md").open("a") as index:
    for path in sorted(project.glob("*.jsonl")):
        for row in map(json.loads, path.read_text().splitlines()):
            if row["type"] == "user":
                index.write("- " + row["message"]["content"] + "\\n")
"""
ERASER = """
import pathlib, sys
for path in pathlib.Path(sys.argv[1]).rglob("*.md"):
    path.write_text("# Memory\\n")
"""


@pytest.fixture(autouse=True)
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Score a few rows of our own instead of the planted sets."""
    data = tmp_path / "data"
    data.mkdir()
    told = [(k, "g", "w", "en", d, line, "2026-05-01", *rest) for k, d, line, *rest in CHANGES]
    twins = [(kind, "side", "en", one, other) for kind, one, other in PAIRS]
    traps = [("trap", "name", "en", "2026-03-02", "The Today Show is on at nine.", "")]
    for name, rows in (("changes", told), ("pairs", twins), ("days", traps)):
        lines = ["header", *("\t".join(row) for row in rows)]
        (data / f"{name}.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.setattr(sets, "DATA", data)
    monkeypatch.delenv("DREAMD_EVAL", raising=False)
    monkeypatch.delenv("DREAMD_CORPUS", raising=False)


def engine(folder: Path, source: str) -> str:
    script = folder / "engine.py"
    script.write_text(source, "utf-8")
    return f"{sys.executable} {script} {{memory}} {{transcripts}}"


def scored(
    capsys: pytest.CaptureFixture[str], command: str, names: str = "planted"
) -> tuple[dict[str, float], dict[str, Any], int]:
    code = score.main(["--sets", names, "--json", "--command", command])
    told = json.loads(capsys.readouterr().out)
    return {f"{row['set']}: {row['figure']}": row["value"] for row in told["rows"]}, told, code


def test_an_engine_that_does_nothing_makes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    got, _, code = scored(capsys, "true", "planted,sample")
    assert got["planted: made %"] == got["planted: conflict %"] == 0
    assert got["planted: untouched %"] == 100
    assert got["planted: look-alikes changed %"] == got["planted: apart merged %"] == 0
    assert got["sample: updates made"] == got["sample: correction written"] == 0
    assert code == 1


@pytest.mark.parametrize(
    ("source", "figures"),
    [
        (EVERYTHING, {"conflict %": 100, "made %": 0, "written beside %": 100}),
        (ERASER, {"look-alikes changed %": 100, "apart merged %": 100, "made %": 0}),
    ],
)
def test_an_engine_that_writes_or_erases_everything_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, figures: dict[str, float]
) -> None:
    got, _, code = scored(capsys, engine(tmp_path, source))
    assert {key: got[f"planted: {key}"] for key in figures} == figures
    assert code == 1


def test_the_sample_is_brought_up_to_date_and_its_correction_is_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert score.main(["--sets", "sample"]) == 0
    assert "sample     updates made" in capsys.readouterr().out


def test_a_command_that_fails_and_a_set_that_is_not_there_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    got, _, code = scored(capsys, "false")
    assert got["planted: failed runs"] > 0
    assert code == 1
    assert score.main(["--sets", "real,dev", "--command", "true"]) == 1
    out = capsys.readouterr().out
    for name in ("real", "dev"):
        assert f"{name}: not scored: DREAMD_EVAL names no folder" in out


@pytest.mark.skipif(not EVAL, reason="DREAMD_EVAL names no scorer of real messages")
def test_written_lines_count_as_right_only_where_someone_wants_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "eval" / "real"
    folder.mkdir(parents=True)
    (folder / "score.py").symlink_to(Path(EVAL) / "real" / "score.py")
    rows = [
        {"id": f"r1-{n}", "before": "", "text": text, "spans": [{"s": text, "label": label}]}
        for n, (text, label) in enumerate(MESSAGES)
    ]
    (folder / "messages.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    monkeypatch.setenv("DREAMD_EVAL", str(tmp_path / "eval"))
    got, _, _ = scored(capsys, "true", "real")
    assert got["real: lines per 100"] == got["real: explicit_kept %"] == 0
    got, _, code = scored(capsys, engine(tmp_path, EVERYTHING), "real")
    assert got["real: lines per 100"] == 100
    assert got["real: right %"] == 33.3
    assert got["real: explicit_kept %"] == 100
    assert code == 1
