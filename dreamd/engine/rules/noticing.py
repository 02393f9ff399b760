"""What the rules notice in each message by itself: what was asked for, and newer values."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import dreamd
from dreamd import domain, text
from dreamd.domain.attention import Attention
from dreamd.domain.heard import PersonSaid
from dreamd.engine.rules.gather.claim import Claim, claims
from dreamd.engine.rules.plain import Made, maker, plain
from dreamd.engine.rules.updates.denials import Denial, denials
from dreamd.engine.rules.updates.spoken import SPAN
from dreamd.engine.rules.updates.statements import Statement, statements
from dreamd.engine.rules.updates.switches import Switch, switches
from dreamd.engine.rules.updates.turns import Turn, turns
from dreamd.host import files

New = Statement | Switch | Turn | Denial


@dataclass(frozen=True, slots=True)
class Noticed:
    """What one message asks to be remembered, and what it tells of as new, left, begun or denied.

    Numbers are those of a message that is the first one.
    """

    claims: tuple[Claim, ...] = ()
    statements: tuple[Statement, ...] = ()
    switches: tuple[Switch, ...] = ()
    turns: tuple[Turn, ...] = ()
    denials: tuple[Denial, ...] = ()


_NOTHING = Noticed()


class Noticing:
    """What is noticed in messages; `known` by the id of a message what was noticed in it before."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known
        self._noticed: dict[PersonSaid, Noticed] = {}

    def of(self, said: PersonSaid) -> Noticed:
        """Return what is noticed in a message."""
        if said not in self._noticed:
            written = self._known.get(said.message)
            self._noticed[said] = _read(_notice(said.text) if written is None else written, said)
        return self._noticed[said]

    def claims(self, said: Iterable[PersonSaid]) -> Iterator[Claim]:
        """Yield what each message asks to be remembered, in order."""
        for message in said:
            yield from self.of(message).claims

    def news(self, said: Sequence[PersonSaid]) -> list[New]:
        """Return what tells that something has changed, in the order of what was said."""
        found: list[New] = []
        for place, message in enumerate(said):
            noticed, first = self.of(message), place * SPAN
            for news in (noticed.statements, noticed.switches, noticed.turns, noticed.denials):
                found += [replace(each, number=first + each.number) for each in news]
        return sorted(found, key=lambda each: each.number)


@cache
def attention() -> Attention:
    """Return how the rules read a message; of another version wherever their text is another.

    Raises:
        HostError: the text of the rules cannot be read.
    """
    version = hashlib.sha256(f"{dreamd.__version__} {sys.version_info[:2]}".encode())
    for folder in (Path(__file__).parent, Path(domain.__path__[0]), Path(text.__path__[0])):
        with files.faults("read", folder):
            for path in sorted(folder.rglob("*.py")):
                version.update(path.read_bytes())
    return Attention(version.digest()[:8], _notice)


def _notice(said_text: str) -> str:
    said = (PersonSaid(said_text, "", ""),)
    news = tuple(statements(said)), tuple(switches(said)), tuple(turns(said)), tuple(denials(said))
    found = Noticed(tuple(claims(said)), *news)
    return "" if found == _NOTHING else json.dumps(plain(found), separators=(",", ":"))


def _read(written: str, said: PersonSaid) -> Noticed:
    if not written:
        return _NOTHING
    noticed: Noticed = _maker()(json.loads(written), said)
    return noticed


@cache
def _maker() -> Made:
    made = maker(Noticed)
    if made is None:  # pragma: no cover - only of plain types
        raise AssertionError(made)
    return made
