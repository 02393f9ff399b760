"""The process that talks to the API: it holds the key and the network, and touches no file.

`python -m dreamd.engine.model.worker` reads `{"order", "key"}` from its standard input and writes
events to its standard output, in messages of `wire.py`; the last is `result` or `failed`.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any

from dreamd.engine.model import diary, wire
from dreamd.engine.model.conversation import Conversation, begun, continued
from dreamd.engine.model.events import Events
from dreamd.engine.model.faults import place_of
from dreamd.engine.model.helpers import Helpers, helping
from dreamd.engine.model.line import WallsLostError
from dreamd.engine.model.order import Ending, Order, from_json
from dreamd.engine.model.prompt import SYSTEM
from dreamd.engine.model.spending import Purse
from dreamd.engine.model.toolbox import Toolbox
from dreamd.engine.model.tools import TOOLS
from dreamd.engine.model.watch import Cause, Watch
from dreamd.errors import DreamdError, SessionError, WallsError
from dreamd.sandbox import privileges

if TYPE_CHECKING:
    from dreamd.engine.model.api import Api
    from dreamd.engine.model.loop import Session

_KEPT = (
    *("PATH", "HOME", "LANG", "TZ", "TMPDIR", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"),
    *("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
)
_TO_BE_TOLD = 30.0  # seconds until the order has come
_GRACE = 1.0  # seconds beyond the deadline for the main thread to notice it
_UNKNOWN = "the worker of the model session met a fault of its own: {}"


class Worker:
    """One session from its order to its last event; what it has is there to be told at any time."""

    def __init__(self, order: Order, purse: Purse) -> None:
        self.order = order
        self.purse = purse
        self.conversation: Conversation | None = None
        self.toolbox: Toolbox | None = None
        self.session: Session | None = None
        self.api: Api | None = None

    def hold(self, key: str, helpers: Helpers, events: Events) -> Mapping[str, Any]:
        """Hold the session and return its last event.

        Raises:
            ApiError: the API does not answer.
            WallsError, WallsLostError: the helpers did not start, or one is gone.
        """
        order = self.order
        tools = () if order.diary else TOOLS
        if tools:
            helpers.start(order)
        from dreamd.engine.model.api import Api  # noqa: PLC0415 - a second of imports
        from dreamd.engine.model.loop import Session  # noqa: PLC0415

        self.api = Api(key, order.base_url)
        self.toolbox = Toolbox(tools, helpers.lines, memory=order.memory, stage=order.stage)
        self.conversation = (
            begun(order.model, diary.SYSTEM if order.diary else SYSTEM, tools, order.first)
            if order.fork is None
            else continued(order.fork, SYSTEM, order.first)
        )
        self.session = Session(
            self.conversation,
            self.api,
            self.toolbox,
            self.purse,
            lambda: events.tell(self.progress()),
            asking=lambda size: events.tell(self.asking(size)),
        )
        return self.result(self.session.hold())

    def asking(self, size: int) -> dict[str, Any]:
        """Return what a worker that is killed in a request of so many bytes owes and had said."""
        said = list(self.conversation.own) if self.conversation else []
        return {"event": "asking", "tokens": size // 4, "messages": said}

    def progress(self) -> dict[str, Any]:
        """Return how far it has come."""
        return {
            "event": "progress",
            "phase": self.session.phase.value if self.session else "orient",
            "turns": self.purse.turns,
            "tools": dict(self.toolbox.counts) if self.toolbox else {},
            "edited": len(self.toolbox.edited) if self.toolbox else 0,
            "tokens": self.purse.spent.all,
            "dollars": self.purse.dollars,
            "usage": self.usage(),
        }

    def result(self, ending: Ending) -> dict[str, Any]:
        """Return the last event of a session that ended."""
        return {
            "event": "result",
            "ending": ending.ending,
            "reason": ending.reason,
            **self.left(),
        }

    def left(self) -> dict[str, Any]:
        """Return what a session leaves however it ended: what was said, done, seen and spent."""
        toolbox = self.toolbox
        return {
            "remark": self.session.remark if self.session else "",
            "usage": self.usage(),
            "uncounted": self.session.uncounted if self.session else 0,
            "faults": [] if toolbox is None else [[*at, n] for at, n in toolbox.faults.items()],
            "calls": list(self.toolbox.calls) if self.toolbox else [],
            "seen": list(self.toolbox.seen) if self.toolbox else [],
            "messages": list(self.conversation.own) if self.conversation else [],
        }

    def usage(self) -> dict[str, Any]:
        """Return what was spent, the request underway included."""
        if self.api is not None:
            self.purse.lost = self.api.lost
        return self.purse.usage()


def main(stdin: IO[bytes] | None = None, stdout: IO[bytes] | None = None) -> int:
    """Hold the session that is ordered on `stdin`; return 0 after a result, 1 after a failure."""
    started = time.monotonic()
    _withdraw()
    events = Events(stdout or _alone())
    helpers = Helpers()
    worker: Worker | None = None

    def end(cause: Cause) -> None:
        """End at once, from the watching thread: the last word first, then the helpers."""
        is_late = cause is Cause.LATE and worker is not None and worker.session is not None
        if is_late and worker is not None:
            last = worker.result(Ending("capped", worker.purse.time_is_up))
        else:
            said, kind = f"the model session was {cause.value}", "aborted"
            if cause is Cause.HELPLESS:
                said = _joined(f"the {helpers.ended()} process ended", helpers.last_words())
                kind = "walls"
            last = _failed(said, kind, worker)
        try:
            events.end(last)
            helpers.stop()
        finally:
            os._exit(0 if is_late else 1)

    watch = Watch(end, until=started + _TO_BE_TOLD, is_helpless=lambda: bool(helpers.ended()))
    with helping(helpers):
        try:
            order, key = _told(stdin or sys.stdin.buffer)
            worker = Worker(order, Purse(order.caps, order.price, started=started))
            watch.until = worker.purse.until + _GRACE
            last = worker.hold(key, helpers, events)
        except BrokenPipeError:
            return 1  # nobody listens
        except WallsLostError as error:
            last = _failed(_joined(str(error), helpers.last_words()), "walls", worker)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
            last = _failed(*_words(error), worker)
        events.end(last)
    return 0 if last["event"] == "result" else 1


def _withdraw() -> None:
    """Keep nothing that a session does not need, be looked into by nobody, outlive no parent."""
    if sys.platform == "linux":
        privileges.die_with_parent(signal.SIGKILL)
        privileges.hide()
    environ = os.environ  # noqa: TID251 - to clear it
    kept = {name: environ[name] for name in _KEPT if name in environ}
    environ.clear()
    environ.update(kept)


def _alone() -> IO[bytes]:
    """Return standard output under another number, so that no print can break into the events."""
    events = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return events


def _told(stream: IO[bytes]) -> tuple[Order, str]:
    """Return the order and the key.

    Raises:
        WireError: what came is no order.
    """
    said = wire.receive(stream) or {}
    try:
        order, key = from_json(said["order"]), said["key"]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise wire.WireError("the worker of the model session was given no order") from None
    if not isinstance(key, str) or not key:
        raise wire.WireError("the worker of the model session was given no key")
    return order, key


def _words(error: BaseException) -> tuple[str, str]:
    """Return a sentence and a kind; of an unknown fault its place only, lest it quote the key."""
    match error:
        case SessionError() if type(error).__name__ == "ApiError":  # its module costs a second
            return str(error), "api"
        case WallsError():
            return str(error), "walls"
        case DreamdError():
            return str(error), "internal"
        case ImportError(name=name):
            return f"the package {name} cannot be imported; install dreamd anew", "internal"
        case _:
            return _UNKNOWN.format(place_of(error)), "internal"


def _joined(sentence: str, words: str) -> str:
    return f"{sentence}: {words}" if words else sentence


def _failed(reason: str, kind: str, worker: Worker | None) -> dict[str, Any]:
    left = worker.left() if worker else {"usage": {}}
    return {"event": "failed", "reason": reason, "kind": kind, **left}


if __name__ == "__main__":
    sys.exit(main())
