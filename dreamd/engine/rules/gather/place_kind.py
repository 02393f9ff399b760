"""Which type of note a claim belongs to: user, feedback, project or reference."""

from __future__ import annotations

from dataclasses import dataclass

from dreamd.engine.rules.gather.claim import Claim, Cue
from dreamd.engine.rules.orient import Note
from dreamd.text.late import late
from dreamd.text.markdown.note import value

GATHERED = "gathered"  # the frontmatter key by which a file of ours is found after a rename

_WHERE = late(
    r"(?i)\w{2,20}://\S|\bwww\.\w|(?<![\w.])~?/(?:[\w.-]+/)+[\w.-]*|\b[\w-]+\.(?:[\w-]+\.)+[a-z]{2,}\b"
    r"|\b[\w-]+\.(?:com|org|io|net|dev|app|internal|local)\b"
    r"|\b(?:lives?|(?:is|are) (?:documented|kept|stored|tracked|hosted|found)) (?:at|in|on|under)\b"
    r"|\b(?:dashboards?|wiki|runbooks?|slack|confluence|notion|jira|linear|grafana|figma)\b"
)
_PERSON = late(
    r"\b(?:I am|I['’]m|I (?:work|live|speak|study|own|maintain|run|lead|manage|report|commute)"  # noqa: RUF001
    r"|[Mm]y (?:\w+ )?(?:name|role|title|job|time ?zone|e-?mail|manager|boss|team|birthday"
    r"|pronouns|editor|laptop|machine|handle|username|native language))\b"
)
_SELF = late(
    r"\b(?:I am|I['’]m) (?:an? |the |from |based |allergic |\d+\b|[A-Z])"  # noqa: RUF001
    r"|\bI (?:work (?:as|at|for|in)|live|speak|own|commute)\b"
    r"|\b[Mm]y (?:\w+ )?(?:name|role|job title|time ?zone|e-?mail|birthday|pronouns"
    r"|native language)\b"
)
_LED = late(r"\w[\w .'’-]{0,40}: ")  # noqa: RUF001  (who says it, in a chat of others)
_WISH = late(
    r"(?i)(?:from now on|going forward|in (?:the )?future|whenever|when (?:i|we|you)\b[^,]*)?,?\s*"
    r"(?:please\s+|you (?:should|must)\s+)?(?:always|never|stop|don['’]t|do not|avoid|use|run|add"  # noqa: RUF001
    r"|keep|write|put|make|call|ask|check|include|format|commit|push|deploy|name|show|give"
    r"|explain|answer|respond|reply|tell|skip|leave|treat|wrap|document|update|create|delete"
    r"|remove|limit|assume|follow|read|wait|prefer|mention|cite|quote|provide|ensure|be)\b"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that dreamd keeps for claims of one type: its name, without `.md`, and its title."""

    stem: str
    title: str


KEPT = {
    "feedback": Kept("working-agreements", "Working agreements"),
    "user": Kept("about-the-user", "About the user"),
    "project": Kept("project-facts", "Project facts"),
    "reference": Kept("where-things-are", "Where things are"),
}


def gathers(note: Note) -> str | None:
    """Return the type of claims that a note is kept for, whatever it is called now; else None."""
    return value(note.text, GATHERED)


def kind_of(claim: Claim) -> str:
    """Return the type of note a claim belongs to, by its cue and then by its words."""
    said = claim.statement
    match claim.cue:
        case Cue.INSTRUCTION:
            return "feedback"
        case Cue.PREFERENCE:
            return "user"
        case Cue.CORRECTION:
            return (
                "feedback" if _WISH.match(said) else "user" if _PERSON.search(said) else "project"
            )
        case Cue.STATED | Cue.NOTED | Cue.ADVICE:
            is_own = claim.cue is Cue.STATED and not _LED.match(said)
            return "user" if is_own and _SELF.search(said) else "project"
        case Cue.SAVE:
            if _WISH.match(said):
                return "feedback"
            if _WHERE.search(said):
                return "reference"
            return "user" if _PERSON.search(said) else "project"
