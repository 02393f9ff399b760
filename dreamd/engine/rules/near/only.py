"""Where "only" may stand: "only runs on Mondays" and "runs only on Mondays" say the same."""

from __future__ import annotations

from dreamd.engine.rules.near.clefts import Rewriting

_ONLY_DOES = (  # verbs that "only" stands before or behind
    r"(?:use|eat|drink|run|work|accept|take|read|write|support|allow|deploy|open|call|pay|speak"
    r"|need|start|happen|apply|push|merge|contain|send|buy|wear|visit|stay|sleep|play|watch)s?"
)
_WHEN = r"(?:if|when|on|in|at|after|before|until|for|from|with|by)"
ONLY: tuple[Rewriting, ...] = (  # with one phrase behind the verb: of two, it is told of the next
    (
        rf"\bonly ({_ONLY_DOES})(?= {_WHEN}\b(?:(?!\b{_WHEN}\b)[^,;.])*[.]?$)",
        r"\1 only",
    ),
    (rf"^only ({_ONLY_DOES}) ([\w`-]+)(?=[,;.]|$)", r"\1 only \2"),
    (rf"^({_ONLY_DOES}) ([\w`-]+) only(?=[,;.]|$)", r"\1 only \2"),
)
