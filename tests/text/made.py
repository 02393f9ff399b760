"""Made-up secrets: the examples of the table with random characters, from a seed."""

import random
import re
import string

ALPHABETS = {
    "hex": "0123456789abcdef",
    "digit": string.digits,
    "upper": string.ascii_uppercase + string.digits,
    "updash": string.ascii_uppercase + string.digits,
    "bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "base36": string.ascii_lowercase + string.digits,
    "base62": string.ascii_letters + string.digits,
    "word": string.ascii_letters + string.digits,
    "url": string.ascii_letters + string.digits + "-_",
    "dotted": string.ascii_letters + string.digits + "-_",
    "base64": string.ascii_letters + string.digits + "+/",
}


def made(example: str, seed: int = 1) -> str:
    """Return an example with `{alphabet count}` filled; no sign stands at an end."""
    dice = random.Random(f"{example}{seed}")

    def filled(match: re.Match[str]) -> str:
        alphabet = ALPHABETS[match[1]]
        body = "".join(dice.choice(alphabet) for _ in range(int(match[2])))
        plain = [letter for letter in alphabet if letter.isalnum()]
        ends = [each if each.isalnum() else dice.choice(plain) for each in (body[0], body[-1])]
        return ends[0] + body[1:-1] + (ends[1] if len(body) > 1 else "")

    return re.sub(r"\{(\w+) (\d+)\}", filled, example)
