"""Two sentences that only together say what is to be remembered."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamd.domain.prose.clauses import Piece, opening
from dreamd.domain.prose.sentences import Sentence
from dreamd.engine.rules.gather import corrections, saves
from dreamd.engine.rules.gather.cue import Cue
from dreamd.text.late import late

_THING = late(
    r"(?:(?:please|pls|also|just)\s+)*(?:remember|keep\s+in\s+mind|note|don't\s+forget|memori[sz]e|save"
    r"|write\s+down)\s+(?=(?:the|my|our)\s)",
    re.IGNORECASE,
)
_GOES_ON = late(
    r"(?:it|that|they|this)(?:'s|'re|\s+(?:is|are|runs?|lives?|has|uses?))\s", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Joined:
    """Two sentences on one line, and the piece of it to keep; `shown` has quotations blanked.

    `is_named`: a pronoun in the piece is explained by its last words.
    """

    cue: Cue
    text: str
    shown: str
    piece: Piece
    is_named: bool = False


def joined(first: Sentence, second: Sentence) -> Joined | None:
    """Return two sentences together where the second says what the first meant."""
    if second.shown.endswith(("?", ":")):
        return None
    text = f"{first.text} {second.text}"
    shown = f"{first.shown} {second.shown}"
    start = opening(shown)
    if corrections.names_again(first.shown, second.shown):
        return Joined(Cue.CORRECTION, text, shown, Piece(start, len(text)), is_named=True)
    if corrections.is_denial(first.shown) and (piece := corrections.find(shown)):
        return Joined(Cue.CORRECTION, text, shown, piece)
    thing = _THING.match(first.shown, start)
    if thing and _GOES_ON.match(second.shown) and not saves.has_verb(first.shown[thing.end() :]):
        return Joined(Cue.SAVE, text, shown, Piece(thing.end(), len(text)))
    return None
