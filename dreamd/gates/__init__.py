"""Whether to dream: conditions asked cheapest first, up to the first that says no."""

from dreamd.gates.table import BY_LOOK, GATES, Context, ask
from dreamd.gates.wording import page, sentence

__all__ = ["BY_LOOK", "GATES", "Context", "ask", "page", "sentence"]
