"""The diary: a paragraph for each dream that changed notes, in a file for people to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dreamd.domain.receipt import Receipt, improved
from dreamd.host import clock, files
from dreamd.text.secrets.secrets import redact

_WORDS = 150  # of a session's closing words
_NAMED = 5  # notes


def add(path: Path, receipt: Receipt, said: Sequence[Mapping[str, Any]]) -> None:
    """Append a paragraph on a dream: the closing words of its session, if any, and the counts.

    Raises:
        HostError: the file cannot be written.
    """
    done = improved(receipt.steps, notes=len(receipt.changes), proposed=receipt.proposed)
    names = [Path(each.path).stem for each in receipt.changes[:_NAMED]]
    more = len(receipt.changes) - len(names)
    counts = f"{done}: {', '.join(names)}{f' and {more} more' if more else ''}."
    text = _plain(redact(" ".join([*_closing(said), counts])))
    day = clock.local_day(clock.now()).isoformat()
    entry = f"\n## {day} · dream {receipt.dream} · {_plain(receipt.memory)}\n\n{text}\n"
    with files.faults("write", path):
        is_new = not path.exists()
        head = "# Dreams\n" if is_new else ""
        files.append(path, f"{head}{entry}".encode("utf-8", "replace"))


def _closing(said: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the words of a session's last answer, cut if there are many."""
    content = next((each["content"] for each in reversed(said) if each["role"] == "assistant"), ())
    words = " ".join(str(each.get("text", "")) for each in content).lstrip("# ").split()
    return words if len(words) <= _WORDS else [*words[:_WORDS], "…"]


def _plain(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())
