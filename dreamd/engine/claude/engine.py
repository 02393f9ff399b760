"""One dream by the client's own program: for people with a login and no key."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dreamd.domain.dream import Brief
from dreamd.domain.receipt import Phase, Usage
from dreamd.domain.settings import Model
from dreamd.engine import Progress
from dreamd.engine.model.conversation import Conversation, announced, text_of
from dreamd.engine.model.engine import Access, ModelEngine, withdraw
from dreamd.engine.model.prompt import SYSTEM
from dreamd.engine.model.spending import SessionBudget, SessionEnd, SessionPlan
from dreamd.engine.model.toolbox import Toolbox, so_far
from dreamd.engine.model.tools import TOOLS, Tool
from dreamd.engine.model.tools.dispatch import place_of
from dreamd.errors import ConfigError, SessionError
from dreamd.host import files
from dreamd.ledger.spending import Purse
from dreamd.sandbox import privileges

_NO_SDK = "engine: claude-cli needs the package claude-agent-sdk: install dreamd[claude]"
_NO_LOGIN = (
    "claude is not logged in: run `claude` once to log in, or set CLAUDE_CODE_OAUTH_TOKEN to what "
    "`claude setup-token` gives"
)
_FORKED = "Above stands one of the sessions until now: material to judge, no work to go on with."
_LENT = {"ENABLE_TOOL_SEARCH": "false", "DISABLE_AUTOUPDATER": "1"} | {
    f"CLAUDE_CODE_DISABLE_{each}": "1" for each in ("AUTO_MEMORY", "NONESSENTIAL_TRAFFIC")
}
_PREFIX = "mcp__dreamd__"  # what the program puts before the name of each of our tools
_BLOCKS = {"TextBlock": "text", "ToolUseBlock": "tool_use", "ToolResultBlock": "tool_result"}
_CAPPED = {
    "error_max_budget_usd": "it reached its limit of dollars (model.dollars, model.day_dollars)",
    "error_max_turns": "it reached its limit of requests (model.turns)",
}
_MOST_WORDS, _PATIENCE = 300, 10.0  # characters of what it says last; seconds to be gone
_KINDS = ("input", "output", "cache_read_input", "cache_creation_input")


class ClaudeEngine(ModelEngine):
    """The model engine, but that `claude` holds its session, by the login of the user.

    It stands in `folder`, which is empty. Without a `program` it is that of the package; where that
    is missing, ConfigError. Nothing of the package is imported yet.
    """

    name = "claude-cli"

    def __init__(
        self, model: Model, access: Access, purse: Purse, program: str | None, folder: Path
    ) -> None:
        if find_spec("claude_agent_sdk") is None:
            raise ConfigError(_NO_SDK)
        super().__init__(model, access, purse)
        self.program, self._folder = program, folder
        self._parent = ""  # the transcript of a session to continue

    def _plan(self, brief: Brief) -> SessionPlan:
        self._parent = brief.fork["session"] if brief.fork else ""
        plan = super()._plan(replace(brief, fork=None))
        return replace(plan, first=f"{_FORKED}\n\n{plan.first}") if self._parent else plan

    def _held(
        self, conversation: Conversation, tools: Toolbox, budget: SessionBudget, progress: Progress
    ) -> SessionEnd:
        files.make_private(self._folder)
        withdraw()
        address = self._model.base_url
        options: dict[str, Any] = {
            "model": self._model.name,
            "max_turns": budget.caps.turns,
            "max_budget_usd": None if self._parent else budget.caps.dollars or self._model.dollars,
            "cwd": self._folder,
            "cli_path": self.program,
            "env": _LENT | ({"ANTHROPIC_BASE_URL": address} if address else {}),
            "resume": self._parent or None,
            "fork_session": bool(self._parent),
        }
        return ClaudeSession(conversation, tools, budget, progress).hold(options)


class _Loop(asyncio.SelectorEventLoop):
    """Knows the program that the SDK starts, and has it killed when the loop's thread ends."""

    program = 0  # its PID, also that of its process group
    is_over = False

    async def subprocess_exec(self, *words: Any, **options: Any) -> Any:
        if self.is_over:
            raise ProcessLookupError
        if sys.platform == "linux":
            options["preexec_fn"] = lambda: privileges.die_with_parent(signal.SIGKILL)
        started = await super().subprocess_exec(*words, **{**options, "start_new_session": True})
        self.program = started[0].get_pid()
        return started

    def end(self) -> None:
        """Kill the program and all it started, and let no other begin."""
        self.is_over = True
        if self.program:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.program, signal.SIGKILL)


class ClaudeSession:
    """One conversation with the model about the notes, which the program holds."""

    def __init__(
        self, conversation: Conversation, tools: Toolbox, budget: SessionBudget, tell: Progress
    ) -> None:
        self._conversation, self._tools, self._budget = conversation, tools, budget
        self._tell, self._loop = tell, _Loop()
        self._used: dict[str, Usage] = {}  # by the id of the answer
        self._result: Any = None
        self._capped = self._fault = ""
        self._errors: list[str] = []
        self._phase = Phase.ORIENT
        self._told: Usage | None = None  # by the result
        budget.lost = lambda: self._told or sum(self._used.values(), Usage())

    def hold(self, options: Mapping[str, Any]) -> SessionEnd:
        """Hold the session in a thread of its own, and say how it ended; a signal ends it at once.

        The program is gone then, also where this ends by an exception.
        """
        thread = threading.Thread(target=self._run, args=(options,), name="claude", daemon=True)
        thread.start()
        try:
            thread.join(self._budget.seconds_left)
            if thread.is_alive() and self._result is None:
                self._capped = self._budget.time_is_up
        finally:
            if thread.is_alive():
                self._loop.end()
            thread.join(_PATIENCE)
            self._budget.turns = len(self._used)
        result = self._result
        if result is not None and not options["resume"]:  # else it counts its parent's too
            self._budget.billed = result.total_cost_usd
        if capped := self._capped or _CAPPED.get(getattr(result, "subtype", ""), ""):
            return SessionEnd("capped", capped)
        if not self._fault and result.is_error:
            said = " ".join(result.errors or [result.result or result.subtype])
            self._fault = f"claude failed: {said[:_MOST_WORDS]}"
        return SessionEnd("failed" if self._fault else "done", self._fault or "claude has done")

    def _run(self, options: Mapping[str, Any]) -> None:
        how = "claude ended without a result"
        try:
            import claude_agent_sdk as sdk  # noqa: PLC0415 - a second of imports

            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._converse(sdk, options))
        except Exception as error:  # noqa: BLE001 - its text may quote anything
            kind = type(error).__name__
            if kind in {"ProcessError", "CLIConnectionError"}:
                status = f"status {getattr(error, 'exit_code', 'unknown')}"
                how += f": {(self._errors or [status])[-1][:_MOST_WORDS]}"
            elif kind == "CLINotFoundError":
                how = "there is no program `claude`: install Claude Code"
            else:
                how = f"the session with claude met a fault of its own: {place_of(error)}"
        if self._result is None:
            self._fault = self._fault or how

    async def _converse(self, sdk: Any, options: Mapping[str, Any]) -> None:
        async def may(name: str, _arguments: object, _context: object) -> Any:
            if name.startswith(_PREFIX):
                return sdk.PermissionResultAllow()
            return sdk.PermissionResultDeny(message="This session has the tools of dreamd alone.")

        ours = [self._served(sdk, each) for each in TOOLS]
        given = sdk.ClaudeAgentOptions(
            **options,
            system_prompt={"type": "custom", "prompt": SYSTEM, "snapshot": False},
            tools=[],
            mcp_servers={"dreamd": sdk.create_sdk_mcp_server("dreamd", tools=ours)},
            strict_mcp_config=True,
            setting_sources=[],
            can_use_tool=may,
            verbatim_prompts=True,
            thinking={"type": "disabled"},
            extra_args={"no-session-persistence": None},
            stderr=self._errors.append,
        )
        first = self._conversation.own[0]["content"][0]["text"]
        async for message in sdk.query(prompt=first, options=given):
            self._take(message)

    def _served(self, sdk: Any, tool: Tool) -> Any:
        async def call(arguments: dict[str, Any]) -> dict[str, Any]:
            try:
                answer = self._tools.call({"name": tool.name, "input": arguments})
            except SessionError as error:  # the SDK would tell the model, and go on
                self._fault = str(error)
                self._loop.end()
                raise
            content = [{"type": "text", "text": answer.text or "(nothing)"}]
            return {"content": content, "is_error": answer.is_error}

        return sdk.SdkMcpTool(tool.name, tool.description, dict(tool.schema), call)

    def _take(self, message: Any) -> None:
        """Take in one message of the SDK's; those of other kinds are passed over."""
        kind, budget = type(message).__name__, self._budget
        if kind == "ResultMessage":
            self._result = message  # that of a session which a limit ended may count nothing
            self._told = max(_tokens(message.usage), budget.spent, key=lambda each: each.tokens)
        if kind not in {"AssistantMessage", "UserMessage"} or isinstance(message.content, str):
            return
        found = [each for each in message.content if type(each).__name__ in _BLOCKS]
        blocks = [{"type": _BLOCKS[type(each).__name__], **vars(each)} for each in found]
        if kind == "UserMessage":
            self._conversation.say(*blocks)
            return
        self._conversation.hear(blocks)
        if message.error == "authentication_failed":
            self._fault = _NO_LOGIN
        elif message.usage and not message.error:
            self._used[message.message_id] = _tokens(message.usage)
        self._phase = announced(text_of(blocks)) or self._phase
        self._tell(self._phase, so_far(self._phase, self._tools, budget))
        spent, caps, price = budget.spent, budget.caps, budget.price
        if spent.tokens > caps.tokens:
            self._capped = f"it passed its limit of {caps.tokens:,} tokens (model.tokens)"
        elif price is not None and spent.cost(price) > caps.dollars:  # a fork's limit
            self._capped = _CAPPED["error_max_budget_usd"]
        if self._capped:
            self._loop.end()


def _tokens(counted: Mapping[str, Any] | None) -> Usage:
    return Usage(*(int((counted or {}).get(f"{kind}_tokens") or 0) for kind in _KINDS))
