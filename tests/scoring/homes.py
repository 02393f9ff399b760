"""Build homes with notes and transcripts, run a command on each, and read the notes it left."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from tests import spoken
from tests.planted.sets import Change, Dated, Pair

T = TypeVar("T")
_SLUG = "-home-dev-tidepool"
_DROPPED = re.compile(r"DREAMD|XDG|ANTHROPIC|CLAUDE|\w*(?:API_KEY|AUTH_TOKEN)")
_WORD = re.compile(r"\w+")
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d)?(?: to \d{4}-\d\d-\d\d)?")
_PAST = re.compile(r"\b[Pp]reviously\b")
SAVED = "2026-10-12"  # the day of notes without one; every real message is newer
IDLE = ("2026-11-03", "", "ok, go on")  # a message about nothing


class Home(Struct, frozen=True):
    """What a home holds before the run: notes with their days, and messages with theirs."""

    notes: Mapping[str, tuple[str, str]]  # file -> (day, text)
    said: Sequence[tuple[str, str, str]]  # (day, what the assistant said before, text)
    copied: Path | None = None  # transcripts and `memory` to start from
    folder: Path | None = None  # or notes alone
    saved: str = SAVED


class Left(Struct, frozen=True):
    """What a run left: the lines of the visible notes, and whether the command failed."""

    lines: list[str]
    had: frozenset[str]
    failed: bool

    @property
    def fresh(self) -> list[str]:
        """The lines that were not there before."""
        return [line for line in self.lines if line not in self.had]

    @property
    def current(self) -> list[str]:
        """What the lines say of today: what follows `previously` is cut off."""
        return [_PAST.split(line)[0] for line in self.lines]

    def stands(self, line: str) -> bool:
        """Whether a line is still there, byte for byte."""
        return line in self.lines


def environment(home: Path) -> dict[str, str]:
    """The environment of a run: nothing of the caller's settings, keys or state."""
    kept = {key: value for key, value in os.environ.items() if not _DROPPED.match(key)}
    state = {"XDG_STATE_HOME": home / "state", "XDG_CONFIG_HOME": home / "config"}
    return kept | {"HOME": str(home)} | {key: str(path) for key, path in state.items()}


def lines_of(memory: Path) -> list[str]:
    """The non-empty lines of every visible note, in order of their files."""
    paths = (path for path in sorted(memory.rglob("*.md")) if path.is_file())
    visible = [p for p in paths if not any(n[0] == "." for n in p.relative_to(memory).parts)]
    return [row.strip() for p in visible for row in p.read_text("utf-8").split("\n") if row.strip()]


def left_by(command: str, home: Home) -> Left:
    """Run a command over a home, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="score-") as folder:
        root = Path(folder)
        project = root / ".claude" / "projects" / _SLUG
        memory = project / "memory"
        _lay(memory, home)
        for number, (day, before, text) in enumerate(home.said):
            at, session = f"{day}T{9 + number % 9:02}:{number % 60:02}:00.000Z", f"{number} {text}"
            talk = [("user", "ok, go on"), ("assistant", before)] if before else []
            records = [
                spoken.record(words, session=session, at=at, role=role)
                for role, words in [*talk, ("user", text), ("assistant", "Understood.")]
            ]
            spoken.touch(
                spoken.write(project, session, records), datetime.fromisoformat(at).timestamp()
            )
        had = frozenset(lines_of(memory))
        values = {"memory": memory, "transcripts": project, "home": root}
        argv = shlex.split(command)
        for name, value in values.items():
            argv = [word.replace(f"{{{name}}}", str(value)) for word in argv]
        done = subprocess.run(
            argv,
            env=environment(root),
            cwd=root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        return Left(lines_of(memory), had, done.returncode != 0)


def _lay(memory: Path, home: Home) -> None:
    if home.copied is not None:
        shutil.copytree(home.copied, memory.parent)
    if home.folder is not None:
        shutil.copytree(home.folder, memory)
    for name, (_, text) in home.notes.items():
        path = memory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for path in memory.rglob("*.md"):
        path.chmod(0o600)
        day, _ = home.notes.get(str(path.relative_to(memory)), (home.saved, ""))
        spoken.touch(path, datetime.fromisoformat(day).replace(hour=8, tzinfo=UTC).timestamp())


def dealt(rows: Sequence[T], size: int) -> list[list[T]]:
    """Deal rows into homes of at most `size`, neighbours into different ones."""
    count = -(-len(rows) // size)
    return [list(rows[start::count]) for start in range(count)]


def kept_apart(rows: Sequence[Change], size: int) -> list[list[Change]]:
    """Deal changes into homes in which no two share words that could confuse an engine."""
    found: list[tuple[list[Change], list[set[str]]]] = []
    for row in rows:
        words = {w for w in _WORD.findall(f"{row.line} {row.said}".casefold()) if len(w) > 3}
        for home, others in found:
            if len(home) < size and all(len(words & other) < 2 for other in others):
                home.append(row)
                others.append(words)
                break
        else:
            found.append(([row], [words]))
    return [home for home, _ in found]


def over(command: str, homes: Iterable[Home], jobs: int) -> list[Left]:
    """Run a command over homes, `jobs` at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda home: left_by(command, home), homes))


def _with_index(notes: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    rows = "".join(f"- [{name[:-3]}]({name}) — page {name[:-3]}\n" for name in notes)
    return {"MEMORY.md": (min(day for day, _ in notes.values()), f"# Memory\n\n{rows}"), **notes}


def row_of(change: Change) -> str:
    """The line of a note as it is written: an item, with its day unless it has a label."""
    *_, last = change.line.split("\n")
    return last if last[0] in "-*|#" else f"- {last} ({change.line_day})"


def home_of_changes(rows: Sequence[Change]) -> Home:
    """A note for each row, saved on the day of its line, and a session for each message."""
    notes = {}
    for number, row in enumerate(rows):
        *above, _ = row.line.split("\n")
        text = "\n".join([f"# Page {number}", "", *above, row_of(row)])
        notes[f"{number}.md"] = (row.line_day, f"{text}\n")
    return Home(_with_index(notes), sorted((row.said_day, "", row.said) for row in rows))


def home_of_pairs(rows: Sequence[Pair]) -> Home:
    """All lines in one note, and a conversation about nothing."""
    lines = [f"- {line.removeprefix('- ')}\n" for row in rows for line in (row.one, row.other)]
    notes = {"page.md": (SAVED, "# Page\n\n" + "".join(lines))}
    return Home(_with_index(notes), [IDLE])


def home_of_dates(rows: Sequence[Dated]) -> Home:
    """A note for each line, saved on its day, which stands behind it."""
    notes = {
        f"{number}.md": (row.day, f"# Page {number}\n\n- {row.said} ({row.day})\n")
        for number, row in enumerate(rows)
    }
    return Home(_with_index(notes), [IDLE])


def judge_change(row: Change, left: Left) -> str:
    """`made`, `conflict` (the line and the newer value side by side), `altered` or `untouched`."""
    if left.stands(row_of(row)):
        words = set(_WORD.findall(row.said.casefold()))
        beside = [line for line in left.fresh if _shared(line, words) >= 0.6]
        return "conflict" if any(row.new in line for line in beside) else "untouched"
    is_made = row.new and any(row.new in line for line in left.fresh)
    return "made" if is_made else "altered"


def _alike(one: str, other: str) -> int:
    """How many characters two lines share at the beginning."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def _shared(line: str, words: set[str]) -> float:
    found = _WORD.findall(_ISO.sub("", line.casefold()))
    return sum(word in words for word in found) / max(len(found), 4)


def judge_pair(row: Pair, left: Left) -> str:
    """`both` still stand, or they were `merged`."""
    lines = (f"- {line.removeprefix('- ')}" for line in (row.one, row.other))
    return "both" if all(left.stands(line) for line in lines) else "merged"


def judge_date(row: Dated, left: Left) -> str:
    """`right`, `wrong` (some day that no phrase means) or `alone` (no day beside the phrase)."""
    start = f"- {row.said}"
    found = max(left.lines, key=lambda line: _alike(line, start), default="")
    given = Counter(_ISO.findall(found)) - Counter(_ISO.findall(f"{row.said} ({row.day})"))
    means = [set(dates) for _, dates in row.phrases]
    if any(date not in {d for dates in means for d in dates} | {row.day} for date in given):
        return "wrong"
    return "right" if means and all(dates & {*given, row.day} for dates in means) else "alone"
