"""A small laptop with a memory, sessions and secrets, and a session's tools that work on it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from dreamd.domain.dream import Brief
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Tree
from dreamd.engine.model.reader import ReaderProcess
from dreamd.engine.model.reasons import Heard
from dreamd.engine.model.toolbox import Toolbox
from dreamd.engine.model.tools.dispatch import Answer
from dreamd.engine.model.tools.notes import notes_of
from dreamd.memory.scan import scan
from dreamd.sandbox.policy import Level

TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7xC0fR2uL5"
INDEX = "# Memory\n- [Ana](ana.md) — team lead in Lisbon\n- [Ports](ports.md) — staging 5433\n"
ANA = "---\nname: ana\ndescription: who Ana is\n---\n# Ana\n- Ana leads the Harbor team\n"
PORTS = "# Ports\n- staging listens on 5433 since Alder\n- production listens on 8443\n- tea\n"


class Laptop(msgspec.Struct, frozen=True):
    """Where everything lies.

    Behind walls, what is made beside the denied `vault` after the start cannot be read: new files
    go to `work`.
    """

    top: Path
    memory: Path
    sessions: Path
    vault: Path
    work: Path

    @classmethod
    def at(cls, top: Path) -> Laptop:
        found = cls(
            top, *(top / each for each in ("home/memory", "home/sessions", "vault", "work"))
        )
        for folder in (found.memory, found.sessions, found.vault, found.work):
            folder.mkdir(parents=True)
        for name, text in {"MEMORY.md": INDEX, "ana.md": ANA, "ports.md": PORTS}.items():
            (found.memory / name).write_text(text)
        (found.vault / "key.txt").write_text("the vault's own words\n")
        return found


class Desk(msgspec.Struct):
    """The tools of a session over a laptop."""

    laptop: Laptop
    reader: ReaderProcess
    tools: Toolbox

    def ask(self, tool: str, arguments: Any) -> Answer:
        return self.tools.call({"id": "1", "name": tool, "input": arguments})

    def __call__(self, tool: str, **arguments: Any) -> str:
        """Return the text of an answer that is no error."""
        answer = self.ask(tool, arguments)
        assert not answer.is_error, answer.text
        return answer.text

    def refused(self, tool: str, **arguments: Any) -> str:
        """Return the sentence of an answer that is an error."""
        answer = self.ask(tool, arguments)
        assert answer.is_error, answer.text
        return answer.text

    def note(self, name: str) -> str:
        return self.tools.notes.now[PurePosixPath(name)]

    def put(self, name: str, text: str) -> None:
        """Let a note have been there from the beginning."""
        notes = self.tools.notes
        base, now = ({**each, PurePosixPath(name): text} for each in (notes.base, notes.now))
        self.tools.notes = msgspec.structs.replace(notes, base=base, now=now)


@contextmanager
def opened(laptop: Laptop, level: Level) -> Iterator[Desk]:
    """Start a reader as a session does, over the notes as they are now, and end it."""
    denied = [str(laptop.vault)]
    reader = ReaderProcess(laptop.memory, [laptop.sessions], denied, level.value)
    with contextlib.closing(reader):
        notes = notes_of(scan(laptop.memory), laptop.memory)
        heard = Heard(Brief(Tree(), Settings(), laptop.memory))
        yield Desk(laptop, reader, Toolbox(reader, notes, heard))


def said(number: int, text: str, kind: str = "user", **more: Any) -> dict[str, Any]:
    """Return a record of a transcript; one a day from 1 March 2026 on."""
    day = date(2026, 3, 1) + timedelta(days=number)
    content: Any = text if kind == "user" else [{"type": "text", "text": text}]
    return {
        "type": kind,
        "uuid": f"{kind}-{number}-{len(text)}",
        "sessionId": more.pop("session", "s"),
        "timestamp": f"{day.isoformat()}T12:00:00Z",
        "message": {"role": kind, "content": content},
        **more,
    }


def transcript(path: Path, records: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path
