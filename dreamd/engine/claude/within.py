"""The first act of a client: it walls itself in, and becomes the program that it is told.

`python -m dreamd.engine.claude.within POLICY` reads one line of JSON from its standard input,
`{"argv", "environ"}`, and runs that in the stage; what follows the line is the program's own input.
Nothing of it stands on a command line before the walls are up.
"""

from __future__ import annotations

import json
import os
import sys


def main(argv: list[str]) -> int:
    """Confine this process for good and replace it by the program; return only if that fails.

    Raises:
        WallsError: the walls cannot be had; nothing was started.
    """
    from dreamd.sandbox.confine import confine  # noqa: PLC0415 - the walls before all else
    from dreamd.sandbox.policy import Policy  # noqa: PLC0415

    policy = Policy.from_json(argv[-1])
    confine(policy)
    with open(0, "rb", buffering=0, closefd=False) as stream:  # takes the line and no byte more
        line = stream.readline()
    if not line:
        return 1
    told = json.loads(line)
    program = [str(each) for each in told["argv"]]
    os.chdir(policy.stage)
    try:
        os.execve(program[0], program, dict(told["environ"]))  # noqa: S606 - no shell is wanted
    except OSError as error:
        print(f"{program[0]} cannot be started: {error.strerror}", file=sys.stderr)  # noqa: T201
        return 126


if __name__ == "__main__":
    sys.exit(main(sys.argv))
