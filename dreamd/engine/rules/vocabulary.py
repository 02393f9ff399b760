"""English words that tell kinds of notes apart; a note without them is a plain note."""

from __future__ import annotations

from dreamd.text.late import late

__all__ = [
    "CURRENT",
    "CURRENT_OF_A_DAY",
    "FINISHED",
    "GENERIC",
    "LASTING",
    "OVER",
    "STANDING",
    "TELLING",
    "TYPES",
    "words",
]

_WORD = late(r"[^\W_]+")


def words(text: str) -> frozenset[str]:
    """Return the distinct words of a text, folded."""
    return frozenset(_WORD.findall(text.casefold()))


# say nothing on what a passage is about
GENERIC = words(
    "memory memories note notes misc miscellaneous log logs general info index md "
    "session sessions topic topics long term curated the and of"
)
# tell one thing from its twin: what holds of one need not hold of the other
TELLING = words(
    "prod production staging stage dev development test testing local ci qa demo old new left "
    "right first second client server frontend backend linux macos windows"
)
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
    "feedback": words(
        "preference preferences instruction instructions feedback convention conventions rules "
        "guideline guidelines"
    ),
    "reference": words("reference references commands links cheatsheet glossary api"),
}
