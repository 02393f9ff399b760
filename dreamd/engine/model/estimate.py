"""What a session will cost, as far as that can be said before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median_low
from typing import Any

import msgspec

from dreamd.domain.cost import Estimate, Price
from dreamd.domain.dream import Brief
from dreamd.domain.receipt import Usage
from dreamd.engine.model.conversation import Conversation, begun, continued, size
from dreamd.engine.model.prompt import SYSTEM
from dreamd.engine.model.spending import Caps, Tokens
from dreamd.engine.model.tools import TOOLS

_BYTES = 4  # of a token, as a rule
_REQUESTS = 7  # of a session, where none is known: between a short one of 4 and a long one of 12
_ANSWER = 150  # tokens: a call with its arguments, and a sentence
_AROUND = 50  # tokens around a call and its result
_LOOKED_AT = 1.5  # times that what there is is looked at in a session
_RESULT = 3_000  # tokens: half of what one call may bring, the most of them on average
_OF_LATE = 9  # sessions that speak for the next
_LEAST_CACHED = (  # tokens of a prefix; shorter ones are not cached
    ("haiku-4-5", 4_096),
    ("opus-4-5", 4_096),
    ("opus-4-6", 4_096),
    ("haiku-3", 2_048),
    ("", 1_024),
)


class SessionPlan(msgspec.Struct, frozen=True):
    """One session to be held: with which model, from which first message, within which limits.

    `price` is None for a model whose price is not known. `fork` is the body of another client's
    last request, to be continued instead of a session of our own.
    """

    model: str
    price: Price | None
    caps: Caps
    first: str
    fork: Mapping[str, Any] | None = None

    def conversation(self) -> Conversation:
        """Return the conversation as it begins."""
        if self.fork is not None:
            return continued(self.fork, SYSTEM, self.first)
        return begun(self.model, SYSTEM, TOOLS, self.first)


class Course(msgspec.Struct, frozen=True):
    """How a session is expected to go; all in tokens, `requests` excepted.

    The first request has `first`, of which another client's conversation, cached already, is
    `inherited`; each one more has `growth` more; an answer has `answer`.
    """

    requests: int
    first: int
    growth: int
    answer: int
    inherited: int = 0

    def tokens(self, least: int) -> Tokens:
        """Return what all its requests use; a prefix of fewer than `least` tokens is not cached.

        Rules of the cache: https://platform.claude.com/docs/en/build-with-claude/prompt-caching.
        Each request reads what the last one wrote, and writes what was added to it.
        """
        fresh = read = written = 0
        known = self.inherited if self.inherited >= least else 0
        for number in range(self.requests):
            whole = self.first + number * self.growth
            read += known
            if whole >= least:
                written += whole - known
                known = whole
            else:
                fresh += whole
        return Tokens(fresh, self.requests * self.answer, read, written)


def material(brief: Brief) -> int:
    """Return the bytes that a session has to look at: the notes, and what people said of late."""
    notes = sum(len(entry.data) for entry in brief.base.files.values())
    since = brief.since
    return notes + sum(
        len(each.text.encode("utf-8", "surrogatepass"))
        for each in brief.said
        if since is None or each.at is None or each.at >= since
    )


def estimate(plan: SessionPlan, *, material: int, past: Sequence[Usage] = ()) -> Estimate:
    """Return what a session is expected to cost, and what it may at most.

    The bytes of the first request, at four a token, are known. The number of requests and the
    length of an answer are the medians of the last sessions over the same notes (`past`), without
    any seven requests of 150 tokens. The conversation grows by one and a half times the `material`,
    spread over all requests, at most 3,000 tokens each. Scripted sessions of 4 and of 12 requests
    cost between half and twice of what is said here; a model that thinks long, or looks at much
    that it was not told of, is dearer. A prefix that another dream left in the cache is left out.
    """
    caps = plan.caps
    conversation = plan.conversation()
    known = [each for each in past if each.requests][-_OF_LATE:]
    requests = median_low([each.requests for each in known]) if known else _REQUESTS
    answers = [each.output_tokens // each.requests for each in known]
    requests = min(requests, caps.turns)
    answer = min(median_low(answers) if answers else _ANSWER, caps.output_tokens)
    looked = min(int(material / _BYTES * _LOOKED_AT) // requests, _RESULT)
    course = Course(
        requests=requests,
        first=size(conversation.body(caps.output_tokens)) // _BYTES,
        growth=answer + _AROUND + looked,
        answer=answer,
        inherited=0 if plan.fork is None else size(plan.fork) // _BYTES,
    )
    tokens = course.tokens(next(least for name, least in _LEAST_CACHED if name in plan.model))
    return Estimate(
        model=plan.model,
        most_tokens=caps.tokens,
        most_dollars=None if plan.price is None else caps.dollars,
        requests=requests,
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        cache_read_tokens=tokens.cache_read,
        cache_write_tokens=tokens.cache_write,
        dollars=None if plan.price is None else round(tokens.dollars(plan.price), 6),
    )
