"""Read and write a YAML scalar on one line, as notes use it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import takewhile

from dreamd.text.late import late

_PLAIN = late(r"[^\W\d][^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*")
_WORDS_OF_YAML = {"yes", "no", "on", "off", "null", "nan", "inf", "y", "n"}
_BOOLEANS = {"true", "false"}


def read(raw: str, folded: Sequence[str] = ()) -> str:
    """Return what a scalar means; a list or mapping is given as it is written.

    `folded` are the lines below the key that belong to it, without their indent.
    """
    if raw[:1] in {"|", ">"} and len(raw) <= 3:
        return ("\n" if raw[0] == "|" else " ").join(folded).strip()
    raw = " ".join([raw, *takewhile(lambda row: ": " not in row, folded)]).strip()
    if match := re.match(r"'((?:[^']|'')*)'", raw):
        return match[1].replace("''", "'")
    if match := re.match(r'"((?:[^"\\]|\\.)*)"', raw):
        try:
            return str(json.loads(match[0], strict=False))
        except ValueError:
            return match[1].replace('\\"', '"')
    return re.split(r"(?:^|[ \t])#", raw, maxsplit=1)[0].strip()


_UNPRINTED = late(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def scalar(content: str) -> str:
    """Return a scalar that YAML reads back as this text (`true` and `false` stay booleans)."""
    is_plain = (
        _PLAIN.fullmatch(content)
        and content == content.strip()
        and ": " not in content
        and " #" not in content
        and not content.endswith(":")
        and (content in _BOOLEANS or content.casefold() not in _WORDS_OF_YAML | _BOOLEANS)
    )
    if is_plain:
        return content
    quoted = json.dumps(content, ensure_ascii=False)
    return _UNPRINTED.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
