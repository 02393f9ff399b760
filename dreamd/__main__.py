"""`python -m dreamd` is the command `dreamd`; `nudge`, for which a hook waits, goes ahead."""

import os
import sys


def main() -> int:
    """Run the command that was given and return its exit code."""
    words = sys.argv[1:]
    if words in (["nudge"], ["nudge", "--greet"]):
        from dreamd.hooks import turn_end  # noqa: PLC0415 - the words cost ten times as much

        if words == ["nudge"]:
            turn_end.poke_daemon(os.environ)
            return 0
        told = turn_end.news(os.environ)
        if told is None:
            return 0
        words += told
    import gc  # noqa: PLC0415 - as above

    gc.set_threshold(20_000)  # most objects stay: to look as often as usual costs a twentieth
    from dreamd import cli  # noqa: PLC0415

    try:
        return cli.main(words)
    finally:
        gc.freeze()  # it ends now: to look through all there is once more costs a tenth of `status`


if __name__ == "__main__":
    sys.exit(main())
