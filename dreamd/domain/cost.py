"""What models cost, and what a session is expected to cost.

Prices are as published at https://platform.claude.com/docs/en/about-claude/pricing in October
2026; cache writes are those kept for five minutes. A model that is not listed has no price.
"""

from __future__ import annotations

import math

from msgspec import Struct

from dreamd.text.late import late

MOST = 1_000_000  # dollars per million tokens; more is a slip


class Price(Struct, frozen=True):
    """Dollars per million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float


_OPUS = Price(5, 25, 0.50, 6.25)
_SONNET = Price(3, 15, 0.30, 3.75)
_KNOWN = {
    "claude-haiku-4-5": Price(1, 5, 0.10, 1.25),
    "claude-sonnet-4": _SONNET,
    "claude-sonnet-4-5": _SONNET,
    "claude-sonnet-4-6": _SONNET,
    "claude-sonnet-5": Price(2, 10, 0.20, 2.50),
    "claude-opus-4-1": Price(15, 75, 1.50, 18.75),
    "claude-opus-4-5": _OPUS,
    "claude-opus-4-6": _OPUS,
    "claude-opus-4-7": _OPUS,
    "claude-opus-4-8": _OPUS,
    "claude-opus-5": _OPUS,
}
_DATED = late(r"-(?:20\d{6}|latest)$")


def price_of(model: str, setting: str = "") -> Price | None:
    """Return the price of a model: what the setting says, else what is published, else None.

    A date at the end of a model's name does not matter. The setting is four numbers between
    slashes: input, output, cache read, cache write.

    Raises:
        ValueError: the setting is no price: not four numbers, or one negative or beyond `MOST`.
    """
    if not setting.strip():
        return _KNOWN.get(_DATED.sub("", model))
    parts = [float(part) for part in setting.split("/")]
    if len(parts) != 4 or not all(math.isfinite(part) and 0 <= part <= MOST for part in parts):
        raise ValueError(setting)
    return Price(*parts)


class Estimate(Struct, frozen=True):
    """What a session is expected to use, and the hard limit of what it may.

    `dollars` and `most_dollars` are None where the model's price is not known, and all that is
    expected is None where another program asks the model.
    """

    model: str
    most_tokens: int
    most_dollars: float | None
    requests: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    dollars: float | None = None

    @property
    def tokens(self) -> int | None:
        """The expected tokens of every kind, where there is an expectation."""
        if self.requests is None:
            return None
        read, written = self.cache_read_tokens or 0, self.cache_write_tokens or 0
        return (self.input_tokens or 0) + (self.output_tokens or 0) + read + written

    @property
    def words(self) -> str:
        """What it comes to: `about 45k tokens, $0.03; at most $0.50`."""
        said = []
        if self.tokens is not None:
            said.append(f"about {count(self.tokens)} tokens")
        if self.dollars is not None:
            said.append(money(self.dollars))
        elif self.requests is not None:
            said.append(f"no price of {self.model} is known (model.price)")
        most = f"at most {count(self.most_tokens)} tokens"
        if self.most_dollars is not None:
            most = f"at most {money(self.most_dollars)}"
        if not self.most_tokens or self.most_dollars == 0:
            most += ", so that no session can begin (model.dollars, model.day_dollars, "
            most += "model.day_tokens)"
        return "; ".join([", ".join(said), most] if said else [most])


def count(tokens: int) -> str:
    """Return a number of tokens as a person would say it: 812, 2.0k, 45k, 1.5M."""
    if tokens < 1_000:
        return str(tokens)
    number, unit = (tokens / 1_000, "k") if tokens < 999_500 else (tokens / 1_000_000, "M")
    return f"{number:.0f}{unit}" if number >= 99.95 else f"{number:.1f}{unit}"


def money(dollars: float) -> str:
    """Return dollars with as many places as say something: $1.25, $0.031, $0.0042.

    What is less than the last place stands as one of it: it is not nothing.
    """
    if dollars <= 0:
        return "$0.00"
    if dollars >= 0.0995:
        return f"${dollars:,.2f}"
    return f"${dollars:.3f}" if dollars >= 0.00995 else f"${max(dollars, 0.0001):.4f}"
