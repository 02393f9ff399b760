"""Whether anything could be promoted at all with some settings, by arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dreamd.domain.settings import Evidence

_NEAR = 1e-9  # by which a sum of decimals may miss as floats
_MOST = 100  # days in which a statement should gather what it needs, one a day


def fault(settings: Evidence) -> str | None:
    """Return why no claim could be promoted, or be scored rightly; None where one could."""
    return next(_faults(settings), None)


def _faults(settings: Evidence) -> Iterator[str]:
    if said := _of_weights(settings.weights):
        yield said
    if settings.lines < 1:
        yield (
            "lines is 0, so that a dream could promote 0 of the statements that pass every "
            "threshold; it must be at least 1"
        )
    for name in ("signals", "questions", "sessions", "days"):
        needed = getattr(settings, name)
        if needed > _MOST:
            yield (
                f"{name} is {needed}: at one a day a statement would need {needed} days, so that "
                f"nothing could pass in time; it must be at most {_MOST}"
            )


def _of_weights(weights: Mapping[str, float]) -> str | None:
    """Return what is wrong with the weights.

    Each term of a score goes from 0 to 1, so weights that sum to 1 let every threshold up to 1
    be reached, and none be passed for nothing.
    """
    total = sum(weights.values())
    if abs(total - 1) <= _NEAR:
        return None
    shown = " + ".join(f"{weight:g} ({name})" for name, weight in weights.items())
    effect = (
        f"no claim could score more than {total:.10g}" if total < 1 else "scores would go beyond 1"
    )
    return f"the weights {shown} sum to {total:.10g}, so that {effect}; they must sum to 1"
