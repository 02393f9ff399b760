"""Ends a session that goes in circles."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_SAME = 3  # the same call with the same result
_IDLE = 2  # changes that change nothing


class Breaker:
    """Counts calls that bring nothing new since the notes last changed."""

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()
        self._idle = 0

    def judge(
        self, tool: str, arguments: Mapping[str, Any], result: str, changed: bool | None
    ) -> str | None:
        """Return why the session should end after this call, None while it should not.

        `changed` says whether a change did change something; None for calls that only look,
        and for refused ones.
        """
        if changed:
            self._seen.clear()
            self._idle = 0
            return None
        if changed is False:
            self._idle += 1
            if self._idle >= _IDLE:
                return f"{_IDLE} edits in a row changed nothing"
        call = json.dumps([tool, arguments, result], sort_keys=True)
        digest = sha256(call.encode()).digest()
        self._seen[digest] += 1
        if self._seen[digest] >= _SAME:
            return f"the same call of {tool:.40} had the same result {_SAME} times"
        return None
