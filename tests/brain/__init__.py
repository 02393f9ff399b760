"""The test brain: a scripted server that speaks the Messages API over real HTTP."""

from tests.brain.script import (
    Answer,
    Hangup,
    Refusal,
    Step,
    say,
    text,
    thinking,
    tool,
    torn,
)
from tests.brain.server import Brain, Request

__all__ = [
    "Answer",
    "Brain",
    "Hangup",
    "Refusal",
    "Request",
    "Step",
    "say",
    "text",
    "thinking",
    "tool",
    "torn",
]
