"""A small laptop with a memory, sessions and secrets, and real helpers that serve calls on it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

from dreamd.engine.model import wire
from dreamd.engine.model.tools import BY_NAME
from dreamd.engine.model.tools.place import described
from dreamd.sandbox.policy import Level, Policy, Role
from dreamd.sandbox.spawn import Helper, spawn

TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7xC0fR2uL5"
INDEX = "# Memory\n- [Ana](ana.md) — team lead in Lisbon\n- [Ports](ports.md) — staging 5433\n"
ANA = "---\nname: ana\ndescription: who Ana is\n---\n# Ana\n- Ana leads the Harbor team\n"
PORTS = "# Ports\n- staging listens on 5433 since Alder\n- production listens on 8443\n- tea\n"


class Laptop(Struct, frozen=True):
    """Where everything lies; `memory` is what the model is told, `stage` what stands for it.

    Behind walls, what is made beside the denied `vault` after the start cannot be read: new files
    go to `work`.
    """

    top: Path
    stage: Path
    memory: Path
    sessions: Path
    vault: Path
    work: Path

    @classmethod
    def at(cls, top: Path) -> Laptop:
        found = cls(
            top,
            top / "stage",
            top / "home/memory",
            top / "home/sessions",
            top / "vault",
            top / "work",
        )
        for folder in (found.stage, found.memory, found.sessions, found.vault, found.work):
            folder.mkdir(parents=True)
        for name, text in {"MEMORY.md": INDEX, "ana.md": ANA, "ports.md": PORTS}.items():
            (found.stage / name).write_text(text)
            (found.memory / name).write_text(f"{text}live\n")
        (found.vault / "key.txt").write_text("the vault's own words\n")
        return found

    def policy(self, role: Role, level: Level) -> Policy:
        return Policy(role, self.stage, (self.vault,), level)


class Desk(Struct):
    """The two helpers of a session; a call goes to the one that serves the tool."""

    laptop: Laptop
    helpers: dict[str, Helper]
    count: int = 0

    def ask(self, tool: str, arguments: Any, home: str = "") -> dict[str, Any]:
        self.count += 1
        helper = self.helpers[home or BY_NAME[tool].home]
        wire.send(helper.stdin, {"id": self.count, "tool": tool, "arguments": arguments})
        answer = wire.receive(helper.stdout)
        assert answer is not None, helper.last_words()
        assert answer["id"] == self.count
        return answer

    def __call__(self, tool: str, **arguments: Any) -> str:
        """Return the text of an answer that is no error."""
        answer = self.ask(tool, arguments)
        assert not answer["is_error"], answer["text"]
        return str(answer["text"])

    def refused(self, tool: str, **arguments: Any) -> str:
        """Return the sentence of an answer that is an error."""
        answer = self.ask(tool, arguments)
        assert answer["is_error"], answer["text"]
        return str(answer["text"])

    def note(self, name: str) -> str:
        return (self.laptop.stage / name).read_text()


@contextmanager
def opened(laptop: Laptop, level: Level) -> Iterator[Desk]:
    """Start both helpers as a session does, and end them."""
    place = described(str(laptop.memory), [str(laptop.sessions)])
    argv = [sys.executable, "-B", "-m", "dreamd.engine.model.helper", place]
    helpers: dict[str, Helper] = {}
    try:
        for role in (Role.READER, Role.WRITER):
            helpers[role.value] = spawn(argv, laptop.policy(role, level))
        yield Desk(laptop, helpers)
    finally:
        for helper in helpers.values():
            helper.stop()
            helper._errors.close()


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
