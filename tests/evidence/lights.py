"""A light pass of our own, and evidence as plain values to compare it with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from dreamd.domain.evidence import ASSISTANT, PERSON, ClaimKind, Query, Snippet
from dreamd.domain.heard import AssistantSaid, PersonSaid, Turn
from dreamd.evidence.ingest import Ingested, Reader, ingest
from dreamd.evidence.store import Evidence, copied, opened

_SENTENCE = re.compile(r"[^.?!]+[.?!]")


def by_sentence(turns: Iterable[Turn]) -> Iterator[Snippet | Query]:
    """Each sentence of a person is a fact or a question; "Deal." takes up the answer before."""
    answer: AssistantSaid | None = None
    for turn in turns:
        if isinstance(turn, AssistantSaid):
            answer = turn
        if not isinstance(turn, PersonSaid):
            continue
        for text in map(str.strip, _SENTENCE.findall(turn.text)):
            if text == "Deal." and answer is not None:
                yield _snippet(answer, answer.text, ClaimKind.ADVICE)
            elif text.endswith("?"):
                yield Query(text, turn.session, turn.message, turn.at, turn.day)
            else:
                yield _snippet(turn, text, ClaimKind.FACT)
        answer = None


def _snippet(turn: PersonSaid | AssistantSaid, text: str, kind: ClaimKind) -> Snippet:
    return Snippet(
        statement=text,
        quote=turn.text,
        kind=kind,
        subject="",
        value="".join(filter(str.isdigit, text)),
        tags=tuple(dict.fromkeys(text.casefold().rstrip(".").split())),
        speaker=PERSON if isinstance(turn, PersonSaid) else ASSISTANT,
        session=turn.session,
        message=turn.message,
        at=turn.at,
        day=turn.day,
    )


def reader(state: Path, **more: Any) -> Reader:
    fields: dict[str, Any] = {"light": by_sentence, "version": 1, "state": state} | more
    return Reader(**fields)


def read(
    path: Path,
    folder: Path,
    *,
    light: Callable[[Iterable[Turn]], Iterator[Snippet | Query]] = by_sentence,
    **more: Any,
) -> Ingested:
    """Ingest a folder of transcripts into the evidence in a file."""
    with opened(path) as evidence:
        return ingest(evidence, [folder], reader(path.parent / "state", light=light, **more))


def picture(evidence: Evidence) -> tuple[Any, ...]:
    """Everything that the evidence says, as values that can be compared."""
    return evidence.said(), evidence.snippets(), evidence.queries()


def held(path: Path) -> tuple[Any, ...]:
    """Everything that the evidence in a file says; the file is only read."""
    with copied(path) as evidence:
        return picture(evidence)


def statements(path: Path) -> list[str]:
    with copied(path) as evidence:
        return [snippet.statement for snippet in evidence.snippets()]
