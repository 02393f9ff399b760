"""The test brain: a scripted server on loopback that speaks the streaming Messages API."""

from __future__ import annotations

import itertools
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from msgspec import Struct, field

from tests.brain.api import Cache, Usage, fault, tokens_of

PIECE = 24  # characters of one delta
Block = Mapping[str, Any]


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def thinking(words: str, signature: str = "c2lnbmVk") -> Block:
    return {"type": "thinking", "thinking": words, "signature": signature}


def tool(name: str, arguments: Mapping[str, Any]) -> Block:
    return {"type": "tool_use", "name": name, "input": dict(arguments)}


def torn(name: str, arguments: str) -> Block:
    """A tool call whose arguments are this text, which need not be JSON."""
    return {**tool(name, {}), "torn": arguments}


class Answer(Struct, frozen=True):
    """One answer. What `failing` says happens after that many events, in place of the next.

    `failing`: "" nothing, "cut" the connection closes within the body, "end" the body ends as if
    all were said, "reset" the connection is reset, "stall" silence, "garble" an event that is no
    JSON, "odd" an event that cannot follow, or the type of an `error` event. `pace` are seconds
    between events; `drip` seconds between single bytes; `late` seconds before the first byte.
    """

    blocks: tuple[Block, ...] = ()
    stop: str = ""
    failing: str = ""
    after: int = 3
    pace: float = 0.0
    drip: float = 0.0
    late: float = 0.0

    @property
    def reason(self) -> str:
        calls = any(block["type"] == "tool_use" for block in self.blocks)
        return self.stop or ("tool_use" if calls else "end_turn")


class Refusal(Struct, frozen=True):
    """An HTTP error, after `waits` seconds; status 0 resets the connection."""

    status: int
    kind: str = "api_error"
    message: str = "scripted"
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    waits: float = 0.0


class Later(Struct, frozen=True):
    """An answer that `poll` returns once there is one; pings keep its stream alive until then."""

    poll: Callable[[], Answer | None]
    every: float = 0.2  # seconds between two looks
    ping: float = 5.0  # seconds between two pings


Step = Answer | Refusal | Later
Script = Sequence[Step] | Callable[[Mapping[str, Any]], Step]


def say(*blocks: Block | str, **how: Any) -> Answer:
    """An answer of these blocks; a plain string is a text."""
    return Answer(tuple(text(each) if isinstance(each, str) else each for each in blocks), **how)


class Request(Struct, frozen=True):
    """One request as it came, and what it would cost."""

    headers: Mapping[str, str]
    raw: bytes
    body: Mapping[str, Any]
    usage: Usage | None


def results(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The tool results in the last message of a request."""
    return [each for each in body["messages"][-1]["content"] if each["type"] == "tool_result"]


class Brain:
    """Answers request after request by a script; an exhausted script answers 400."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._cache = Cache()
        self._lock = threading.Lock()
        self.requests: list[Request] = []
        self.faults: list[str] = []
        self.closing = threading.Event()
        self.arrived = threading.Semaphore(0)  # released once for every request
        brain = self

        class Handler(_Handler):
            mind = brain

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, request: Any, address: Any) -> None:
                """A client that leaves is part of the script."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def bodies(self) -> list[Mapping[str, Any]]:
        return [request.body for request in self.requests]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def judge(self, headers: Mapping[str, str], raw: bytes) -> tuple[Step, Usage | None]:
        """Record a request and return what the script answers."""
        with self._lock:
            body = json.loads(raw)
            step: Step
            if (wrong := fault(body)) is not None:
                self.faults.append(wrong)
                step = Refusal(400, "invalid_request_error", wrong)
            elif callable(self._script):
                step = self._script(body)
            elif len(self.requests) < len(self._script):
                step = self._script[len(self.requests)]
            else:
                step = Refusal(400, "invalid_request_error", "the script is over")
            usage = None if isinstance(step, Refusal) else self._cache.use(body)
            self.requests.append(Request(dict(headers), raw, body, usage))
            self.arrived.release()
            return step, usage


_ODD = {  # an event that is no JSON, and one that cannot follow
    "garble": ("content_block_delta", '{"type": "content_block_delta", '),
    "odd": (
        "content_block_delta",
        '{"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta"}}',
    ),
}


class _Handler(BaseHTTPRequestHandler):
    mind: Brain
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Say nothing: a test's output is its own."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path.partition("?")[0] != "/v1/messages":
            self._refuse(Refusal(404, "not_found_error"))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        step, usage = self.mind.judge(headers, raw)
        match step:
            case Answer() | Later():
                assert usage is not None
                self._answer(step, usage, str(json.loads(raw)["model"]))
            case Refusal():
                self.mind.closing.wait(step.waits)
                self._refuse(step)

    def _refuse(self, refusal: Refusal) -> None:
        if not refusal.status:
            self._reset()
            return
        error = {"type": refusal.kind, "message": refusal.message}
        body = json.dumps({"type": "error", "error": error, "request_id": "req_1"}).encode()
        body = body if refusal.raw is None else refusal.raw
        self.send_response(refusal.status)
        for name, value in {"content-type": "application/json", **refusal.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer(self, step: Answer | Later, usage: Usage, model: str) -> None:
        self.mind.closing.wait(getattr(step, "late", 0.0))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        answer = self._awaited(step) if isinstance(step, Later) else step
        for number, event in enumerate(events(answer, usage, model)):
            if answer.failing and number == answer.after:
                self._fail(answer.failing)
                return
            self._send(_framed(event["type"], json.dumps(event)), answer.drip)
            if answer.pace and self.mind.closing.wait(answer.pace):
                break
        self.wfile.write(b"0\r\n\r\n")

    def _awaited(self, later: Later) -> Answer:
        pinged = time.monotonic() - later.ping  # a stream may begin with pings
        while (answer := later.poll()) is None:
            if time.monotonic() - pinged >= later.ping:
                pinged = time.monotonic()
                self._send(_framed("ping", '{"type": "ping"}'))
            if self.mind.closing.wait(later.every):
                return Answer(failing="stall", after=0)
        return answer

    def _fail(self, failing: str) -> None:
        match failing:
            case "cut":
                self._send(b'event: content_block_delta\ndata: {"type": "content_bl')
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
            case "end":
                self.wfile.write(b"0\r\n\r\n")
            case "reset":
                self._reset()
            case "stall":
                self.mind.closing.wait(60)
                self.close_connection = True
            case kind:
                error = {"type": "error", "error": {"type": kind, "message": "scripted"}}
                name, data = _ODD.get(kind, ("error", json.dumps(error)))
                self._send(_framed(name, data))
                self.wfile.write(b"0\r\n\r\n")

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def _send(self, data: bytes, drip: float = 0.0) -> None:
        size = 1 if drip else len(data)
        for at in range(0, len(data), size):
            piece = data[at : at + size]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
            if drip and self.mind.closing.wait(drip):
                return


_NUMBERS = itertools.count(1)  # whose values are ids of answers and calls


def events(answer: Answer, usage: Usage | None = None, model: str = "") -> Iterator[dict[str, Any]]:
    """The events of an answer's stream."""
    usage = usage or Usage(0, 0, 0)
    counted = {
        "input_tokens": usage.input,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
        "output_tokens": 1,
    }
    start = {"id": f"msg_{next(_NUMBERS)}", "type": "message", "role": "assistant", "model": model}
    empty: dict[str, Any] = {"content": [], "stop_reason": None, "stop_sequence": None}
    yield {"type": "message_start", "message": {**start, **empty, "usage": counted}}
    yield {"type": "ping"}
    for index, block in enumerate(answer.blocks):
        hollow, deltas = _parts(block)
        yield {"type": "content_block_start", "index": index, "content_block": hollow}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": answer.reason, "stop_sequence": None},
        "usage": {"output_tokens": sum(map(tokens_of, answer.blocks)) or 2},
    }
    yield {"type": "message_stop"}


def _parts(block: Block) -> tuple[Block, list[Block]]:
    """How a block starts, and the deltas that fill it."""
    match block["type"]:
        case "text":
            pieces = _cut(block["text"])
            return text(""), [{"type": "text_delta", "text": each} for each in pieces]
        case "thinking":
            words = [{"type": "thinking_delta", "thinking": w} for w in _cut(block["thinking"])]
            signed = {"type": "signature_delta", "signature": block["signature"]}
            return thinking("", ""), [*words, signed]
        case "tool_use":
            whole = json.dumps(block["input"]) if block["input"] else ""
            pieces = ["", *_cut(block.get("torn", whole))]
            call = {**tool(block["name"], {}), "id": f"toolu_{next(_NUMBERS):05}"}
            return call, [{"type": "input_json_delta", "partial_json": each} for each in pieces]
    return block, []


def _framed(name: str, data: str) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()


def stream(*parts: str) -> Refusal:
    """An answer of events, and of comments, as they stand on the line."""
    rows = (_framed(json.loads(p)["type"], p) if p[0] != ":" else b":\n\n" for p in parts)
    return Refusal(200, raw=b"".join(rows), headers={"content-type": "text/event-stream"})


def _cut(words: str) -> list[str]:
    return [words[at : at + PIECE] for at in range(0, len(words), PIECE)]


def hasten() -> dict[tuple[Any, str], Any]:
    """What to set, by its place, so that a client asks again at once."""
    from anthropic import _base_client

    from dreamd.engine.model import api

    return {
        (_base_client, "INITIAL_RETRY_DELAY"): 0.01,
        (_base_client, "MAX_RETRY_DELAY"): 0.05,
        (api, "CONNECT"): 1.0,
        (api, "RETRIES"): 2,
        (api, "TRIES"): 2,
        (api, "PAUSE"): 0.01,
    }
