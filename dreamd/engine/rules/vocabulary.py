"""English words that tell kinds of notes apart; a note without them is a plain note."""

from __future__ import annotations

from dreamd.text.late import late

_WORD = late(r"[^\W_]+")


def words(text: str) -> frozenset[str]:
    """Return the distinct words of a text, folded."""
    return frozenset(_WORD.findall(text.casefold()))


# over and done with
OVER = words(
    "history historical archive archived changelog done completed milestones milestone past "
    "older outdated obsolete deprecated resolved"
)
FINISHED = words("complete completed done executed finished resolved fixed shipped released")
# the state of things, what comes next
CURRENT = words(
    "current currently status active next priorities todo todos open plan plans planned upcoming "
    "progress blockers wip decisions goals constraints"
)
# the same in the heading of a dated log, where "plan" and "open" mean that day's
CURRENT_OF_A_DAY = words("current currently status next priorities")
# what holds until it is taken back
STANDING = words(
    "preference preferences instruction instructions convention conventions guideline guidelines "
    "identity"
)
LASTING = STANDING | words(
    "rule rules user users profile people person team contacts principles important critical"
)
# the type of a note by the words of its title
TYPES = {
    "user": words("user profile people person team contacts identity family"),
    "feedback": STANDING - {"identity"} | words("feedback rules"),
    "reference": words("reference references commands links cheatsheet glossary api"),
}
