"""`python -m dreamd` is the command `dreamd`; `nudge`, for which a hook waits, goes ahead."""

import os
import sys


def main() -> int:
    """Run the command that was given and return its exit code."""
    if sys.argv[1:2] == ["nudge"] and sys.argv[2:] in ([], ["--greet"]):
        from dreamd import nudge  # noqa: PLC0415 - the words cost ten times as much

        if not sys.argv[2:]:
            nudge.poke_daemon(os.environ)
        elif (told := nudge.news(os.environ)) is not None:
            from dreamd.cli.nudge import greet  # noqa: PLC0415 - only after a dream

            greet(told)
        return 0
    import gc  # noqa: PLC0415 - as above

    from dreamd import cli  # noqa: PLC0415

    try:
        return cli.main()
    finally:
        gc.freeze()  # it ends now: to look through all there is once more costs a tenth of `status`


if __name__ == "__main__":
    sys.exit(main())
