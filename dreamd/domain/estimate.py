"""What a session is expected to cost, said before it begins."""

from __future__ import annotations

from msgspec import Struct


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
        kinds = (
            self.input_tokens,
            self.output_tokens,
            self.cache_read_tokens,
            self.cache_write_tokens,
        )
        return None if self.requests is None else sum(kind or 0 for kind in kinds)

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
