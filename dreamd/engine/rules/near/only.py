"""Where "only" may stand: "only runs on Mondays" and "runs only on Mondays" say the same."""

from __future__ import annotations

from dreamd.engine.rules.near.clefts import Rewriting

_ONLY_DOES = (  # verbs that "only" stands before or behind
    r"(?:use|eat|drink|run|work|accept|take|read|write|support|allow|deploy|open|call|pay|speak"
    r"|need|start|happen|apply|push|merge|contain|send|buy|wear|visit|stay|sleep|play|watch)s?"
)
ONLY: tuple[Rewriting, ...] = (
    (  # "use pnpm only", "runs only if"
        rf"\bonly ({_ONLY_DOES})(?= (?:if|when|on|in|at|after|before|until|for|from|with|by)\b)",
        r"\1 only",
    ),
    (rf"^only ({_ONLY_DOES}) ", r"\1 only "),
    (rf"^({_ONLY_DOES}) ((?:the |an? |our |my )?[\w`-]+) only(?=[,;.]|$)", r"\1 only \2"),
)
