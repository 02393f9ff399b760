"""What tests of the session share: a served line, a small toolbox, and a session over a brain."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from dreamd.engine.model import wire
from dreamd.engine.model.conversation import Conversation, begun, continued
from dreamd.engine.model.line import Line
from dreamd.engine.model.loop import Ending, Session
from dreamd.engine.model.order import Caps, Price
from dreamd.engine.model.spending import Purse
from dreamd.engine.model.toolbox import Toolbox
from dreamd.engine.model.tools import TOOLS, Home
from dreamd.engine.model.transport import Transport
from dreamd.engine.model.troubles import Patience
from tests.brain import Brain

KEY = "sk-test-0123456789abcdefghij"
QUICK = Patience(connect=1, between=0.4, tries=3, first=0.01, longest=0.05)
CAPS = Caps(turns=40, tokens=10_000_000, dollars=100.0, seconds=20.0, output_tokens=4096)
HAIKU = Price(1, 5, 0.10, 1.25)
Serve = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]


def served(name: str, serve: Serve) -> Line:
    """A line whose other end is a thread that answers with `serve`; an exception hangs up."""
    requests, ask = os.pipe()
    answers, answer = os.pipe()

    def run() -> None:
        with os.fdopen(requests, "rb") as incoming, os.fdopen(answer, "wb") as outgoing:
            while (said := wire.receive(incoming)) is not None:
                try:
                    got = serve(said["tool"], said["arguments"])
                except EOFError:
                    return
                wire.send(outgoing, {"id": said["id"], "is_error": False, "facts": {}, **got})

    threading.Thread(target=run, daemon=True).start()
    return Line(name, ask, answers)


class Notes(Struct):
    """A memory directory in which Edit, Write and Read do the least that such tools do."""

    texts: dict[str, str] = field(default_factory=lambda: {"a.md": "The port is 80.\n"})
    served: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    def serve(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        self.served.append((tool, arguments))
        name = Path(str(arguments.get("file_path", "a.md"))).name
        match tool:
            case "Edit":
                old, new = str(arguments["old_string"]), str(arguments["new_string"])
                text = self.texts.get(name, "")
                if old not in text:
                    return {"is_error": True, "text": f"{old!r} stands nowhere in {name}."}
                self.texts[name] = text.replace(old, new)
                changed = self.texts[name] != text
                return {"text": "edited", "facts": {"changed": changed, "paths": [name]}}
            case "Write":
                self.texts[name] = str(arguments["content"])
                return {"text": "written", "facts": {"changed": True, "paths": [name]}}
            case "Bash":
                raise EOFError
            case "Read":
                return {"text": self.texts.get(name, "no such file")}
            case _:
                return {"text": f"{tool} {sorted(arguments.items())}"}

    def toolbox(self) -> Toolbox:
        lines: dict[Home, Line] = {
            "reader": served("reader", self.serve),
            "writer": served("writer", self.serve),
        }
        return Toolbox(TOOLS, lines, memory="/home/ada/memory", stage="/state/stage")


class Held(Struct):
    """A session that was held, and all that it left."""

    ending: Ending
    session: Session
    purse: Purse
    toolbox: Toolbox
    conversation: Conversation
    notes: Notes
    seconds: float


def hold(
    brain: Brain,
    *,
    caps: Caps = CAPS,
    price: Price | None = HAIKU,
    system: str = "You keep notes.",
    first: str = "Here are the notes.",
    fork: Mapping[str, Any] | None = None,
    model: str = "claude-haiku-4-5",
    patience: Patience = QUICK,
    phases: list[str] | None = None,
    tools: Sequence[Any] = TOOLS,
) -> Held:
    """Hold a session with a brain over notes of its own."""
    started = time.monotonic()
    purse = Purse(caps, price, started=started)
    notes = Notes()
    toolbox = notes.toolbox()
    transport = Transport(KEY, brain.url, until=purse.until, patience=patience)
    conversation = (
        begun(model, system, tools, first) if fork is None else continued(fork, system, first)
    )
    told = phases if phases is not None else []
    session = Session(
        conversation, transport, toolbox, purse, lambda: told.append(session.phase.value)
    )
    with contextlib.closing(transport):
        ending = session.hold()
    took = time.monotonic() - started
    return Held(ending, session, purse, toolbox, conversation, notes, took)
