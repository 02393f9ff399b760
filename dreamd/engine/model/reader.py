"""The confined process that reads for a session: files, sessions, commands, and the notes.

`python -m dreamd.engine.model.reader PLACE POLICY`: the place as `described` in `tools/place.py`
writes it, and the policy as JSON, which `spawn` adds as the last argument. A request is a JSON
object `{"tool", "arguments", "notes"}`, of which `notes` are those that changed since the last one;
it is answered by `{"text", "is_error", "facts"}`. Messages are framed by `multiprocessing`.
"""

from __future__ import annotations

import os
import sys


def main(argv: list[str]) -> int:
    """Confine this process, then serve calls until the other end closes; return 0.

    Raises:
        WallsError: the walls that the policy asks for cannot be had; nothing was served.
    """
    from dreamd.sandbox.confine import confine  # noqa: PLC0415 - the walls before all else
    from dreamd.sandbox.policy import Policy  # noqa: PLC0415

    policy = Policy.from_json(argv[-1])
    confine(policy)
    from multiprocessing.connection import Connection  # noqa: PLC0415 - behind the walls
    from pathlib import PurePosixPath  # noqa: PLC0415

    import msgspec  # noqa: PLC0415

    from dreamd.engine.model.tools.dispatch import answered  # noqa: PLC0415
    from dreamd.engine.model.tools.place import opened  # noqa: PLC0415

    requests, answers = (Connection(os.dup(number)) for number in (0, 1))
    nothing = os.open(os.devnull, os.O_RDONLY)  # no child and no print can use the pipes
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    place = opened(policy.denied, policy.level, argv[1])
    while True:
        try:
            request = msgspec.json.decode(requests.recv_bytes())
        except EOFError:
            return 0
        for path, text in request["notes"].items():
            if text is None:
                place.notes.pop(PurePosixPath(path), None)
            else:
                place.notes[PurePosixPath(path)] = text
        answer = answered(request["tool"], request["arguments"], place)
        said = {"text": answer.text, "is_error": answer.is_error, "facts": answer.facts}
        answers.send_bytes(msgspec.json.encode(said))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
