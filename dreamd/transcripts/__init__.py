"""What was said: finds the sessions of a project and reads who said what, and when."""

from dreamd.transcripts.hearing import Heard, people, turns
from dreamd.transcripts.sessions import Unread, sessions

__all__ = ["Heard", "Unread", "people", "sessions", "turns"]
