"""What was said: finds the sessions of a project and reads who said what, and when."""

from dreamd.transcripts.reading import turns
from dreamd.transcripts.sessions import Unread, sessions

__all__ = ["Unread", "sessions", "turns"]
