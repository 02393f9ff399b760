"""The demo home, a session of a model over it with every tool, and where each answer can break."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dreamd.install.resources import copy_sample, folder
from tests.brain import PIECE, Answer, Brain, Step, partial, say, tool
from tests.laptop import Laptop
from tests.scripted import picture
from tests.warm import Command

SAMPLE = folder("sample_memory") / "projects" / "-home-dev-tidepool" / "memory"
KEY = "sk-ant-" + "api03-Qw3rTy7uIoP9aSdF2gHjK5lZxC8vBnM1"
STAMP = 1_780_000_000_123_456_789  # of the lock: the last consolidation, 2026-05-28
LOCK = ".consolidate-lock"
GIFTS = (
    "---\nname: gift-orders\ndescription: What goes into a gift order, and what does not\n"
    "metadata:\n  node_type: memory\n  type: project\n---\n\n"
    "Gift orders never get a slip with prices on it, and the invoice goes by mail to the buyer "
    "only (2026-06-08).\n"
)
STUDIO = (
    "---\nname: studio\ndescription: When the studio is closed\n"
    "metadata:\n  node_type: memory\n  type: project\n---\n\n"
    "The studio is closed from 20 July to 2 August, orders of that time are packed on 3 August "
    "(2026-06-10).\n"
)
SMOKE = "- The smoke test (`make smoke HOST=heron`) exists since 2026-05-12 and is optional."
SMOKE_NOW = (
    "- Always run `make smoke` right after a deploy and tell the numbers: since 2026-06-04 it is "
    "not optional any more. The smoke test (`make smoke HOST=heron`) exists since 2026-05-12."
)
LOG = (
    "---\nname: spring-log\ndescription: What was done from March to May 2026, day by day\n"
    "metadata:\n  node_type: memory\n  type: project\n---\n\n"
)
LIMIT = "Nordpost rate limit: 60 requests a minute for each account"
GALE = "they raised our rate limit, it is 120 requests a minute now instead of 60, from today on"


def script(memory: Path) -> list[Answer]:
    """A session through all four phases that uses every tool."""
    notes = {name: str(memory / f"{name}.md") for name in ("deploy-steps", "nordpost-api")}
    index, log = str(memory / "MEMORY.md"), str(memory / "spring-log.md")
    new = {"gift-orders": GIFTS, "studio": STUDIO}
    files = [
        {"file_path": str(memory / f"{name}.md"), "content": content}
        for name, content in new.items()
    ]
    text = (SAMPLE / "MEMORY.md").read_text()
    start, end = text.index("## Session log\n"), text.index("## Open questions\n")
    pruned = (text[:start] + text[end:]).replace(
        "- [Deploy steps](deploy_steps.md)",
        "- [Gift orders](gift-orders.md) — slip and invoice\n"
        "- [Studio](studio.md) — when it is closed\n"
        "- [Spring log](spring-log.md) — what was done from March to May 2026\n"
        "- [Deploy steps](deploy-steps.md)",
    )
    retired = {"file_path": notes["nordpost-api"], "text": LIMIT}
    retired |= {"reason": "the limit was raised", "source": GALE}
    replaced = {"file_path": notes["deploy-steps"], "old_string": SMOKE, "new_string": SMOKE_NOW}
    moved = [
        {"file_path": index, "content": pruned},
        {"file_path": log, "content": LOG + text[start:end]},
    ]
    return [
        say(
            "## orient",
            tool("Read", {"file_path": index, "limit": 40}),
            tool("Glob", {"pattern": "**/*.md"}),
        ),
        say(
            "## gather",
            tool("Sessions", {"matching": "smoke|gift orders|studio"}),
            tool("Grep", {"pattern": "requests a minute", "output_mode": "content"}),
            tool("Bash", {"command": "grep -c . MEMORY.md"}),
        ),
        say("## consolidate", tool("Edit", replaced)),
        say(tool("Write", {"files": files})),
        say(tool("Retire", retired)),
        say("## prune", tool("Write", {"files": moved})),
        say("The smoke test is a rule now, and the old limit of Nordpost is gone."),
    ]


TURNS = range(7)


def places(answer: Answer) -> list[int]:
    """The events of an answer's stream before which it can break.

    Of the pieces in which one text comes these are the first and last three and each hundredth.
    """
    found = [0, 1]  # message_start, ping
    for block in answer.blocks:
        words = block["text"] if block["type"] == "text" else partial(block)
        pieces = range(-(-len(words) // PIECE) + (block["type"] == "tool_use"))
        start = found[-1] + 1
        found.append(start)
        found += [start + 1 + n for n in pieces if n < 3 or n % 100 == 0 or n > len(pieces) - 4]
        found.append(start + 1 + len(pieces))
    return [*found, found[-1] + 1, found[-1] + 2]  # message_delta, message_stop


def turn_of(body: Mapping[str, Any]) -> int:
    """Which turn of the session a request asks for, from 0."""
    return sum(message["role"] == "assistant" for message in body["messages"])


def struck(memory: Path, turn: int, step: Step) -> Callable[[Mapping[str, Any]], Step]:
    """The session whose answer at one turn is this one, however often it is asked for."""
    steps: list[Step] = [*script(memory)]
    steps[turn] = step
    return lambda body: steps[turn_of(body)]


class Night(Laptop):
    """The demo home, and dreamd on it."""

    before: dict[str, tuple[bytes, int, int]]

    def started(self, brain: Brain) -> Command:
        given = {"ANTHROPIC_API_KEY": KEY, "DREAMD_MODEL__BASE_URL": brain.url}
        return self.start("dream", str(self.memory), "--json", **given)

    def dreamt(self, brain: Brain) -> dict[str, Any]:
        """What a dream says it did."""
        code, out, err = self.started(brain).ended()
        assert "Traceback" not in err, err
        receipt = json.loads(out)
        assert isinstance(receipt, dict)
        assert code == (1 if receipt["outcome"] in {"failed", "refused"} else 0), receipt
        return receipt

    def asked(self, *words: str) -> dict[str, Any]:
        """What a command answers in JSON."""
        return self.json(*words, "--memory", str(self.memory))

    def last(self) -> dict[str, Any]:
        """The receipt of the last dream, from the log."""
        dreams = self.asked("log")["dreams"]
        assert isinstance(dreams[0], dict)
        return dreams[0]

    def check_notes(self) -> None:
        """The notes are as they were: names, bytes, modes and mtimes; no file holds the key."""
        now = picture(self.memory)
        assert {**now, LOCK: ()} == {**self.before, LOCK: ()}
        for path in self.home.rglob("*"):
            assert not path.is_file() or KEY.encode() not in path.read_bytes()

    def check_untouched(self) -> None:
        """The notes are as they were, the lock too, and no private copy is left."""
        self.check_notes()
        assert picture(self.memory)[LOCK] == self.before[LOCK]
        assert not list((self.home / ".local/state/dreamd/stores").glob("*/stages/*"))

    def check_failed(self, receipt: dict[str, Any], said: str, *, paid: bool) -> None:
        """A dream failed, changed nothing, and says why, behind which walls, and what it cost."""
        assert receipt["outcome"] == "failed", receipt
        assert said in receipt["reason"], receipt["reason"]
        self.check_untouched()
        kept = self.last()
        assert (kept["outcome"], kept["engine"], kept["changes"]) == ("failed", "model", [])
        assert kept["reason"] == receipt["reason"]
        assert kept["level"].startswith(("landlock", "paths"))
        assert kept["lock_left_ns"] in {None, STAMP}
        assert (kept["usage"]["dollars"] > 0) or not paid

    def check_next(self) -> None:
        """The next dream does all of the session."""
        with Brain(script(self.memory)) as brain:
            receipt = self.dreamt(brain)
        assert not brain.faults
        assert receipt["outcome"] == "dreamt", receipt
        assert receipt["lock_prior_ns"] == STAMP
        assert SMOKE_NOW in (self.memory / "deploy-steps.md").read_text()
        assert (self.memory / "studio.md").read_text() == STUDIO


def demo_home(place: Path) -> Night:
    """The sample as `dreamd demo` lays it, where the client of a home keeps it."""
    home = place / "home"
    home.mkdir(parents=True)
    memory = copy_sample(home / ".claude")
    (memory / "postgres.md").chmod(0o640)
    (memory / LOCK).touch(0o600)
    os.utime(memory / LOCK, ns=(STAMP, STAMP))
    night = Night(home, memory, picture(memory))
    assert night.before[LOCK] == (b"", 0o600, STAMP)
    return night
