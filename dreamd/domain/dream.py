"""A dream as a value: what an engine is given, and what it says it did."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct, field

from dreamd.domain.change import Declined, Finding, Heeded, Why
from dreamd.domain.cost import Estimate
from dreamd.domain.evidence import Candidate, PersonSaid
from dreamd.domain.receipt import Step, Usage
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Tree

TYPE_CHECKING = False  # the patterns for values cost 20 ms that most commands do not need
if TYPE_CHECKING:
    from dreamd.domain.evidence import Sources


class Brief(Struct, frozen=True):
    """What an engine may know: the notes to work on, and where to look.

    `base` are the notes, `memory` is the directory they stand in. `sessions` are folders of
    transcripts, `said` what people said in them, each session in order,
    `candidates` what of it speaks for itself although nobody asked to remember it.
    `since` is when the last dream began, None where there was none. `fork` is the body of
    another client's last request to a model, to be continued, or with `session` alone the
    transcript of its session; None for a session of one's own.
    `past` is what the engine's sessions over these notes used, oldest first. `unread` are the
    ids of messages that no dream by this engine has read yet, in the order in which they came; the
    first `overdue` of them had no room in an earlier dream. `is_late` tells whether the CPU time of
    the dream is used up. `tidied` is what the rules have just put in order in `base`, before a
    session. `project` is where the newest session was held, if that is a project that stands.
    `judge` tells what the review would find in a report's edits, grounds and superseded lines.
    """

    base: Tree
    settings: Settings
    memory: Path = Path()
    since: datetime | None = None
    sessions: Sequence[Path] = ()
    said: Sequence[PersonSaid] = ()
    candidates: Sequence[Candidate] = ()
    declined: Declined = field(default_factory=Declined)
    heeded: Heeded = field(default_factory=Heeded)
    fork: Mapping[str, Any] | None = None
    past: Sequence[Usage] = ()
    unread: Sequence[str] = ()
    overdue: int = 0
    project: Path | None = None
    is_late: Callable[[], bool] = lambda: False
    tidied: Sequence[Step] = ()
    judge: Callable[[Report], Sequence[Finding]] = lambda _report: ()


class Report(Struct, frozen=True):
    """What an engine says it did; its `edits` are what it really did: None removes a note."""

    steps: tuple[Step, ...] = ()
    whys: tuple[Why, ...] = ()
    usage: Usage = field(default_factory=Usage)
    estimate: Estimate | None = None  # what was said before of what it would cost
    superseded: tuple[tuple[PurePosixPath, str], ...] = ()  # removed lines with a quoted source
    cited: tuple[str, ...] = ()  # dreams whose undoing or rejection was heeded
    grounds: Sources | None = None  # what it may have learned; None: an engine that only quotes
    capped: str = ""  # why a limit ended it early: then all of it becomes a proposal
    remark: str = ""  # the last word of a session, for a dream that changed nothing
    failed: str = ""  # why it failed: then what it did until then becomes a proposal
    suspected: tuple[str, ...] = ()  # lines that something said may contradict, a sentence each
    held: Mapping[PurePosixPath, str] = field(default_factory=dict)  # texts for the proposal only
    edits: Mapping[PurePosixPath, bytes | None] = field(default_factory=dict)
    mishaps: tuple[str, ...] = ()  # faults of ours that it met and survived
    missed: Collection[str] | None = None  # of the unread messages; None: it reads no messages
