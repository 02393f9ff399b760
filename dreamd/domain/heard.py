"""What was said in a session, by whom: for trust depends on who spoke."""

from __future__ import annotations

from datetime import date, datetime

from msgspec import Struct


class PersonSaid(Struct, frozen=True):
    """A person's own message: typed, not put there by the client, a hook or a tool.

    `text` is redacted. `message` is the record's id, unique over all sessions. `day` is that of
    the person's calendar; None, as `at`, where the record bears no time. `before` is how the
    assistant's answer before it ends, redacted: what the person may be correcting.
    """

    text: str
    session: str
    message: str
    at: datetime | None = None
    day: date | None = None
    before: str = ""

    def behind(self, before: str) -> PersonSaid:
        """Return the same as said behind an answer, in half the time of `replace`."""
        return PersonSaid(self.text, self.session, self.message, self.at, self.day, before)


class AssistantSaid(Struct, frozen=True):
    """What the assistant answered in words; its fields are those of `PersonSaid`."""

    text: str
    session: str
    message: str
    at: datetime | None = None
    day: date | None = None


class ToolReturned(Struct, frozen=True):
    """What a tool returned: files, web pages, command output; never anybody's word.

    Its fields are those of `PersonSaid`; a long text is cut, which `is_cut` says.
    """

    text: str
    session: str
    message: str
    at: datetime | None = None
    day: date | None = None
    is_cut: bool = False


Turn = PersonSaid | AssistantSaid | ToolReturned
