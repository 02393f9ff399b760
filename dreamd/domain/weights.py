"""Whether a score with weights and a threshold can be reached at all, by arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

_NEAR = 1e-9  # by which a sum of decimals may miss as floats


def fault(weights: Mapping[str, float]) -> str | None:
    """Return why no claim could be weighed rightly with these weights; None where they are sound.

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
