"""Why a person's sentence is worth keeping."""

from __future__ import annotations

from enum import StrEnum


class Cue(StrEnum):
    """Why a sentence is worth keeping; also the rule that `dreamd why` shows for its line."""

    SAVE = "explicit save"
    CORRECTION = "correction"
    INSTRUCTION = "standing instruction"
    PREFERENCE = "preference"
    STATED = "statement"  # not asked to be remembered; what was heard of it speaks for it
    NOTED = "daily notes"  # in which it recurs
    ADVICE = "advice taken up"  # the assistant's words
