"""Words led by the name of who says them, as in a chat ("Rosalind: I moved to Leeds.")."""

from __future__ import annotations

from dreamd.text.late import late

LABEL = late(r"(?P<name>[^\W\d_][\w.'’-]{0,24}(?: [^\W\d_][\w.'’-]{0,24}){0,2}): ")  # noqa: RUF001
