"""Whether a sentence makes sense only behind the one before it."""

from __future__ import annotations

import re

from dreamd.text.late import late

_LEANS = late(
    r"(?:(?:it|this|that|they|he|she|these|those|them|there|his|her|their|its|one|both|so|such|then"
    r"|plus|instead|also|which|(?:because|since)\b(?![^,]*,\s+(?:i|we|my|our|he|she|they)\b)|but|and|another"
    r"|the\s+(?:first|second|other|same|latter|former))(?:'\w+)?\b"
    r"|(?!having\s+\w+ed\b)\w+ing\s(?!(?=.*\d)[^,]*\b(?:has|have|is|was|were|will|helps?|helped|takes?|took|makes?|made|feels?|felt|costs?|works?|worked)\b))",
    re.IGNORECASE,
)


def leans_back(shown: str) -> bool:
    """Whether a sentence begins as one does that goes on with what was said: "It costs …"."""
    return _LEANS.match(shown) is not None
