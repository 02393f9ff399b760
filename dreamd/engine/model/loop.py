"""The session: ask the model, carry out its calls, tell it what came of them, until it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

from msgspec import Struct

from dreamd.domain.ending import Phase
from dreamd.engine.model.breaker import Breaker
from dreamd.engine.model.conversation import Conversation, size
from dreamd.engine.model.phases import advanced, announced
from dreamd.engine.model.reply import Reply
from dreamd.engine.model.spending import Purse, Tokens
from dreamd.engine.model.toolbox import Answer
from dreamd.engine.model.troubles import OutOfTimeError, OverlongError

_GO_ON = "You answered nothing. Go on with the next step; if all is done, say in a sentence what."
_CUT = (
    "Your answer was cut: it may have {most:,} tokens. Go on from where it ended, in smaller steps."
)
_CUT_CALL = (
    "This call was cut off, since an answer may have {most:,} tokens, and was not carried out. "
    "Make it again in smaller parts."
)
_TORN_CALL = "The arguments are no whole JSON object; nothing was done. Make the call again."
_NOT_DONE = "Not carried out: the session ended."
_NO_THOUGHT = (
    "its limits leave fewer than the {most:,} tokens that the model thinks with "
    "(model.tokens, model.dollars)"
)
_MARGIN = 5.0  # seconds for a call beyond the deadline, at which the worker ends anyway
_LAST = "Two more answers are left in this session: finish what is begun, then say what you did."


class Sends(Protocol):
    """A way to the model."""

    @property
    def lost(self) -> Tokens:
        """What attempts without an answer cost so far."""
        ...

    def send(self, body: Mapping[str, Any], betas: str = "") -> Reply:
        """Return the answer to a request."""
        ...


class Calls(Protocol):
    """What carries out tool calls."""

    def call(self, call: Mapping[str, Any], seconds: float) -> Answer:
        """Return what came of a `tool_use` block."""
        ...


class Ending(Struct, frozen=True):
    """How a session ended, and why, as a sentence goes on after "the session ended: "."""

    ending: Literal["done", "capped", "stopped"]
    reason: str


class Session:
    """One conversation with the model about the notes."""

    def __init__(
        self,
        conversation: Conversation,
        transport: Sends,
        tools: Calls,
        purse: Purse,
        progress: Callable[[], None] = lambda: None,
    ) -> None:
        self._conversation = conversation
        self._transport = transport
        self._tools = tools
        self._purse = purse
        self._progress = progress
        self._breaker = Breaker()
        self._empty = 0
        self._is_announced = False
        self.phase = Phase.ORIENT
        self.remark = ""
        self.uncounted = 0  # answers whose tokens are estimated

    def hold(self) -> Ending:
        """Hold the session to its end.

        Raises:
            ApiError: the API does not answer.
            WallsLostError: a helper process is gone.
        """
        while True:
            asked = self._ask()
            if isinstance(asked, Ending):
                return asked
            if ending := self._take(asked):
                return ending

    def _ask(self) -> Reply | Ending:
        """Send the conversation, if the caps allow it."""
        body = self._conversation.body(self._purse.caps.output_tokens)
        weight = size(body)
        most = self._purse.allowance(weight)
        if isinstance(most, str):
            return Ending("capped", most)
        if most <= self._conversation.thought:
            return Ending("capped", _NO_THOUGHT.format(most=self._conversation.thought))
        try:
            reply = self._transport.send({**body, "max_tokens": most}, self._conversation.betas)
        except OutOfTimeError:
            return Ending("capped", self._purse.time_is_up)
        except OverlongError as error:
            return Ending("capped", str(error))
        finally:
            self._purse.lost = self._transport.lost
        self._purse.pay(reply.tokens, weight)
        self.uncounted += not reply.is_counted
        return reply

    def _take(self, reply: Reply) -> Ending | None:
        """Do what an answer asks for; return how the session ends, None while it goes on."""
        if reply.stop == "refusal":
            return Ending("stopped", "the model refused to go on")
        self._conversation.hear(reply.content)
        self._notice(reply)
        if reply.stop == "pause_turn" and not reply.calls:
            return None
        if reply.calls:
            return self._carry_out(reply)
        if reply.stop == "max_tokens":
            self._nudge(_CUT.format(most=self._purse.caps.output_tokens))
            return None
        if reply.stop == "model_context_window_exceeded":
            return Ending("capped", "the conversation is longer than the model can read")
        if not reply.text.strip():
            self._empty += 1
            if self._empty > 1:
                return Ending("stopped", "the model answered nothing, twice")
            self._nudge(_GO_ON)
            return None
        return Ending("done", "the model says it is done")

    def _notice(self, reply: Reply) -> None:
        if text := reply.text.strip():
            self.remark = text
        if phase := announced(reply.text):
            self._is_announced, self.phase = True, phase
        self._progress()

    def _nudge(self, words: str) -> None:
        self._conversation.say({"type": "text", "text": words})

    def _carry_out(self, reply: Reply) -> Ending | None:
        """Carry out the calls of an answer, in order, and tell the model what came of them."""
        results: list[dict[str, Any]] = []
        ending: Ending | None = None
        for call in reply.calls:
            if ending is None and not self._purse.seconds_left:
                ending = Ending("capped", self._purse.time_is_up)
            if ending is not None:
                results.append(_result(call, Answer(_NOT_DONE, is_error=True)))
                continue
            answer = self._answer(call, reply)
            results.append(_result(call, answer))
            circles = self._breaker.judge(
                str(call.get("name")), call["input"], answer.text, answer.changed
            )
            if circles:
                ending = Ending("stopped", circles)
            if not self._is_announced:
                self.phase = advanced(self.phase, str(call.get("name")), answer.paths)
            self._progress()
        if self._purse.caps.turns - self._purse.turns == 2:
            results.append({"type": "text", "text": _LAST})
        self._conversation.say(*results)
        return ending

    def _answer(self, call: Mapping[str, Any], reply: Reply) -> Answer:
        if call["id"] in reply.broken:
            words = _TORN_CALL
            if reply.stop == "max_tokens":
                words = _CUT_CALL.format(most=self._purse.caps.output_tokens)
            return Answer(words, is_error=True)
        return self._tools.call(call, self._purse.seconds_left + _MARGIN)


def _result(call: Mapping[str, Any], answer: Answer) -> dict[str, Any]:
    result = {
        "type": "tool_result",
        "tool_use_id": call["id"],
        "content": answer.text or "(nothing)",
    }
    return {**result, "is_error": True} if answer.is_error else result
