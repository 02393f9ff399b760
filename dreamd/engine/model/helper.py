"""One walled process that serves tool calls over a pipe until its other end closes.

`python -m dreamd.engine.model.helper PLACE POLICY`: the place as `described(memory, sessions)` in
`tools/place.py` writes it, and the policy as JSON (its role says which tools are served), which
`spawn` adds as the last argument. A request `{"id", "tool", "arguments"}` is answered by
`{"id", "is_error", "text", "facts"}`; messages are those of `wire.py`.
"""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from dreamd.engine.model.tools import Home
    from dreamd.engine.model.tools.place import Place


def main(argv: list[str]) -> int:
    """Confine this process, then serve; return 0 at the end of the requests, 1 if the pipe broke.

    Raises:
        WallsError: the walls that the policy asks for cannot be had; nothing was served.
    """
    from dreamd.sandbox.confine import confine  # noqa: PLC0415 - the walls before all else
    from dreamd.sandbox.policy import Policy, Role  # noqa: PLC0415

    policy = Policy.from_json(argv[-1])
    confine(policy)
    from dreamd.engine.model.tools.place import opened  # noqa: PLC0415 - behind the walls

    with _alone() as (requests, answers):
        place = opened(str(policy.stage), policy.denied, policy.level, argv[1])
        home: Home = "reader" if policy.role is Role.READER else "writer"
        return serve(requests, answers, place, home)


def serve(requests: IO[bytes], answers: IO[bytes], place: Place, home: Home) -> int:
    """Answer requests until their end; return 0, or 1 if what came was no message."""
    from msgspec.structs import replace  # noqa: PLC0415

    from dreamd.engine.model import wire  # noqa: PLC0415
    from dreamd.engine.model.tools.dispatch import answered  # noqa: PLC0415

    if home == "writer":
        from dreamd.engine.model.tools.notes import texts  # noqa: PLC0415

        place = replace(place, base=texts(place))
    try:
        while (request := wire.receive(requests)) is not None:
            answer = answered(str(request.get("tool")), request.get("arguments"), place, home)
            wire.send(
                answers,
                {
                    "id": request.get("id"),
                    "is_error": answer.is_error,
                    "text": answer.text,
                    "facts": dict(answer.facts),
                },
            )
    except (wire.WireError, BrokenPipeError):
        return 1
    return 0


class _alone:  # noqa: N801 - a context manager, named as what it gives
    """The pipes of this process under other numbers, so that no child or print can use them."""

    def __enter__(self) -> tuple[IO[bytes], IO[bytes]]:
        self._requests = os.fdopen(os.dup(0), "rb")
        self._answers = os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return self._requests, self._answers

    def __exit__(self, *_: object) -> None:
        self._requests.close()
        self._answers.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv))
