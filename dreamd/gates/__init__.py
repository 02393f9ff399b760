"""Whether to dream: conditions asked cheapest first, up to the first that says no."""

from dreamd.gates import backoff
from dreamd.gates.cascade import Cascade
from dreamd.gates.catalogue import TIME
from dreamd.gates.once import ask_once, examine
from dreamd.gates.wording import page, sentence

__all__ = ["TIME", "Cascade", "ask_once", "backoff", "examine", "page", "sentence"]
