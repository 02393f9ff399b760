"""What tests of the session share: notes in memory, a reader in this process, and a brain."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct, field

from dreamd.domain.cost import Price
from dreamd.engine.model.api import Api
from dreamd.engine.model.conversation import Conversation
from dreamd.engine.model.estimate import SessionPlan
from dreamd.engine.model.session import Session
from dreamd.engine.model.spending import Budget, Caps, Ending
from dreamd.engine.model.toolbox import ReaderLostError, Toolbox
from dreamd.engine.model.tools.notes import Notes, Texts
from dreamd.engine.model.tools.place import Answer
from tests.brain import Brain

KEY = "sk-test-0123456789abcdefghij"
CAPS = Caps(turns=40, tokens=10_000_000, dollars=100.0, seconds=20.0, output_tokens=4096)
HAIKU = Price(1, 5, 0.10, 1.25)
MEMORY = Path("/home/ada/memory")
NOTES = {PurePosixPath("a.md"): "The port is 80.\n"}


class Reads(Struct):
    """A reader that does the least that one does; `Bash` is what kills it."""

    served: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    def ask(self, tool: str, arguments: Mapping[str, Any], notes: Texts) -> Answer:
        self.served.append((tool, arguments))
        if tool == "Bash":
            raise ReaderLostError("the reader process ended")
        if tool == "Read":
            name = Path(str(arguments["file_path"])).name
            return Answer(notes.get(PurePosixPath(name), "no such file"))
        return Answer(f"{tool} {sorted(arguments.items())}")


class Held(Struct):
    """A session that was held, and all that it left."""

    ending: Ending
    session: Session
    budget: Budget
    tools: Toolbox
    conversation: Conversation
    reads: Reads

    @property
    def texts(self) -> dict[str, str]:
        return {str(path): text for path, text in self.tools.notes.now.items()}


def hold(
    brain: Brain,
    *,
    caps: Caps = CAPS,
    price: Price | None = HAIKU,
    first: str = "Here are the notes.",
    fork: Mapping[str, Any] | None = None,
    said: list[str] | None = None,
) -> Held:
    """Hold a session with a brain over one note; `said` gets what a person sees meanwhile."""
    plan = SessionPlan("claude-haiku-4-5", price, caps, first, fork)
    budget, reads = Budget(caps, price), Reads()
    tools = Toolbox(reads, Notes(MEMORY, NOTES, NOTES))
    conversation = plan.conversation()
    told = said if said is not None else []
    with contextlib.closing(Api(KEY, brain.url)) as api:
        session = Session(
            conversation, api, tools, budget, lambda phase, words: told.append(f"{phase} {words}")
        )
        ending = session.hold()
    return Held(ending, session, budget, tools, conversation, reads)
