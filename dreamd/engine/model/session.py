"""The session: ask the model, carry out its calls, tell it what came of them, until it is done."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from dreamd.domain.receipt import Phase
from dreamd.engine.model.api import Api, OverlongError, Reply
from dreamd.engine.model.conversation import Conversation, announced, body_size, result
from dreamd.engine.model.spending import SessionBudget, SessionEnd
from dreamd.engine.model.toolbox import Toolbox, so_far
from dreamd.engine.model.tools.dispatch import Answer, place_of
from dreamd.engine.model.tools.notes import Changed, Notes
from dreamd.errors import DreamdError

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
_FAULT = "the model session met a fault of its own: {}"
_SAME = 3  # the same call with the same result
_IDLE = 2  # changes that change nothing
_UNWRITTEN = (
    "Asked to be remembered, and in no note: {}. Write each, unless it no longer holds or a note "
    "says it in other words."
)
_LAST = "Two more answers are left in this session: finish what is begun, then say what you did."


class Session:
    """One conversation with the model about the notes; `tell` hears how far it has come."""

    def __init__(
        self,
        conversation: Conversation,
        api: Api,
        tools: Toolbox,
        budget: SessionBudget,
        tell: Callable[[Phase, str], None],
    ) -> None:
        self._conversation, self._api, self._tools, self._budget = conversation, api, tools, budget
        budget.lost = lambda: api.lost
        self._tell = tell
        self._seen: Counter[str] = Counter()  # calls with their results since the last change
        self._idle = 0  # changes that changed nothing since then
        self._empty = 0
        self._is_reminded = False
        self.phase = Phase.ORIENT

    def hold(self) -> SessionEnd:
        """Hold the session to its end, and say how it ended: whatever went wrong is a reason."""
        try:
            while True:
                asked = self._ask()
                ending = asked if isinstance(asked, SessionEnd) else self._take(asked)
                if ending is not None:
                    return ending
        except DreamdError as error:
            return SessionEnd("failed", str(error))
        except Exception as error:  # noqa: BLE001 - its text is left out, lest it quote the key
            return SessionEnd("failed", _FAULT.format(place_of(error)))

    def _ask(self) -> Reply | SessionEnd:
        """Send the conversation, if the caps allow it."""
        body = self._conversation.body(self._budget.caps.output_tokens)
        weight = body_size(body)
        most = self._budget.allowance(weight)
        if isinstance(most, str):
            return SessionEnd("capped", most)
        if most <= self._conversation.thought:
            return SessionEnd("capped", _NO_THOUGHT.format(most=self._conversation.thought))
        try:
            reply = self._api.ask({**body, "max_tokens": most}, self._conversation.betas)
        except OverlongError as error:
            return SessionEnd("capped", str(error))
        self._budget.pay(reply.tokens, weight, is_counted=reply.is_counted)
        return reply

    def _take(self, reply: Reply) -> SessionEnd | None:
        """Do what an answer asks for; return how the session ends, None while it goes on."""
        if reply.stop == "refusal":
            return SessionEnd("stopped", "the model refused to go on")
        self._conversation.hear(reply.content)
        self.phase = announced(reply.text) or self.phase
        self._progress()
        if reply.stop == "pause_turn" and not reply.calls:
            return None
        if reply.calls:
            return self._carry_out(reply)
        if reply.stop == "max_tokens":
            self._conversation.say(_CUT.format(most=self._budget.caps.output_tokens))
            return None
        if reply.stop == "model_context_window_exceeded":
            return SessionEnd("capped", "the conversation is longer than the model can read")
        if not reply.text.strip():
            self._empty += 1
            if self._empty > 1:
                return SessionEnd("stopped", "the model answered nothing, twice")
            self._conversation.say(_GO_ON)
            return None
        return SessionEnd("done", "the model says it is done")

    def _carry_out(self, reply: Reply) -> SessionEnd | None:
        """Carry out the calls of an answer, in order, and tell the model what came of them."""
        results: list[dict[str, Any] | str] = []
        notes = self._tools.notes
        ending: SessionEnd | None = None
        for call in reply.calls:
            if ending is None and not self._budget.seconds_left:
                ending = SessionEnd("capped", self._budget.time_is_up)
            if ending is not None:
                results.append(result(call["id"], _NOT_DONE, is_error=True))
                continue
            before = self._tools.notes
            answer = self._answer(call, reply)
            results.append(result(call["id"], answer.text, is_error=answer.is_error))
            if circles := self._circles(call, answer, before):
                ending = SessionEnd("stopped", circles)
            self._progress()
        is_due = self._tools.notes is not notes and not self._is_reminded
        # once: it may have its reasons
        if left := self._tools.unwritten(self._tools.notes.now) if is_due else ():
            results.append(_UNWRITTEN.format("; ".join(left)))
            self._is_reminded = True
        if self._budget.caps.turns - self._budget.turns == 2:
            results.append(_LAST)
        self._conversation.say(*results)
        return ending

    def _answer(self, call: Mapping[str, Any], reply: Reply) -> Answer:
        if call["id"] in reply.broken:
            words = _TORN_CALL
            if reply.stop == "max_tokens":
                words = _CUT_CALL.format(most=self._budget.caps.output_tokens)
            return Answer(words, is_error=True)
        return self._tools.call(call)

    def _circles(self, call: Mapping[str, Any], answer: Answer, before: Notes) -> str:
        """Return why the session should end after this call: it brings nothing new; "" if not."""
        if self._tools.notes is not before:
            self._seen.clear()
            self._idle = 0
            return ""
        self._idle += isinstance(answer, Changed)
        if self._idle >= _IDLE:
            return f"{_IDLE} edits in a row changed nothing"
        key = json.dumps([call["name"], call["input"], answer.text], sort_keys=True)
        self._seen[key] += 1
        if self._seen[key] >= _SAME:
            return f"the same call of {call['name']:.40} had the same result {_SAME} times"
        return ""

    def _progress(self) -> None:
        """Tell how far it has come, while somebody waits for it."""
        if self._budget.seconds_left:
            self._tell(self.phase, so_far(self.phase, self._tools, self._budget))
