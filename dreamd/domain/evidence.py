"""What was said in a session, by whom, and what of it may be worth remembering."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

from msgspec import Struct, field

TYPE_CHECKING = False  # the patterns for values cost 20 ms that most commands do not need
if TYPE_CHECKING:
    from dreamd.text.values import Grounds

PERSON = "person"
ASSISTANT = "assistant"
NOTE = "note"  # a daily one


class _Said(Struct, frozen=True):
    """One turn; `text` is redacted.

    `message` is the record's id, unique over all sessions. `day` is that of the person's
    calendar; None, as `at`, where the record bears no time.
    """

    text: str
    session: str
    message: str
    at: datetime | None = None
    day: date | None = None


class PersonSaid(_Said, frozen=True):
    """A person's own message: typed, not put there by the client, a hook or a tool.

    `before` is how the assistant's answer before it ends, redacted: what the person may be
    correcting.
    """

    before: str = ""

    def behind(self, before: str) -> PersonSaid:
        """Return the same as said behind an answer, in half the time of `replace`."""
        return PersonSaid(self.text, self.session, self.message, self.at, self.day, before)


class AssistantSaid(_Said, frozen=True):
    """What the assistant answered in words."""


class ToolReturned(_Said, frozen=True):
    """What a tool returned: files, web pages, command output; never anybody's word.

    A long text is cut, which `is_cut` says.
    """

    is_cut: bool = False


Turn = PersonSaid | AssistantSaid | ToolReturned


class Snippet(Struct, frozen=True):
    """One sentence that a person stated, or that a daily note holds.

    `statement` is the sentence as a line of its own, `quote` as it was said; `tags` are the stems
    and values in it. Times are as in `PersonSaid`. Of a daily note, `session` is the path.
    """

    statement: str
    quote: str
    tags: tuple[str, ...]
    speaker: str
    session: str
    message: str
    at: datetime | None = None
    day: date | None = None


class Candidate(Struct, frozen=True):
    """A statement with what speaks for it, and the verdict of the gates.

    `snippet` is the newest sighting; `terms` are the parts of the score, each from 0 to 1, by
    name. `sightings`, `days`, `sessions` and `queries` are counts. `passes` says whether every
    gate is open to it, `reason` which one is not, or what it is instead of a statement.
    """

    snippet: Snippet
    score: float
    terms: Mapping[str, float] = field(default_factory=dict)
    sightings: int = 1
    days: int = 1
    sessions: int = 1
    queries: int = 0
    passes: bool = False
    reason: str = ""


class Sources(Struct, frozen=True, eq=False):
    """Where what a dream writes may come from, by who spoke.

    `people` is what people said, `assistant` what the assistant answered, `other` what only
    tools, files and web pages returned. `days` are those that can be told from a message's day:
    that day itself, what `yesterday` meant in it, and the day of the dream. `files` are the names
    of files that were read.
    """

    people: Grounds
    assistant: Grounds
    other: Grounds
    days: frozenset[date] = frozenset()
    files: frozenset[str] = frozenset()


def sources(
    turns: Iterable[Turn], read: Sequence[tuple[str, str]] = (), *, today: date | None = None
) -> Sources:
    """Return where a dream's words may come from: these turns of sessions, and files it read.

    `read` are paths, or commands, with what they gave. `today` is the day of the dream, which it
    may write too: `as of 2026-03-27`.
    """
    from dreamd.text.values import grounds, meant  # noqa: PLC0415 - as above

    said: dict[type, list[str]] = {PersonSaid: [], AssistantSaid: [], ToolReturned: []}
    days: set[date] = set() if today is None else {today}
    for turn in turns:
        said[type(turn)].append(turn.text)
        if turn.day is not None and not isinstance(turn, ToolReturned):
            days |= meant(turn.day, turn.text)
    return Sources(
        people=grounds(said[PersonSaid]),
        assistant=grounds(said[AssistantSaid]),
        other=grounds([*said[ToolReturned], *(text for _, text in read)]),
        days=frozenset(days),
        files=frozenset(path.rpartition("/")[2].lower() for path, _ in read if " " not in path),
    )
