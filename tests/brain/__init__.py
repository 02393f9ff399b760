"""The test brain: a scripted server on loopback that speaks the streaming Messages API."""

from __future__ import annotations

import itertools
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from msgspec import Struct, field

from tests.brain.caching import Cache, Usage, tokens_of
from tests.brain.rules import fault

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
    return {"type": "tool_use", "name": name, "torn": arguments}


class Answer(Struct, frozen=True):
    """One answer. What `failing` says happens after that many events, in place of the next.

    `failing`: "" nothing, "cut" the connection closes within the body, "end" the body ends as if
    all were said, "reset" the connection is reset, "stall" silence, "garble" an event that is no
    JSON, "odd" an event that cannot follow, or the type of an `error` event. `pace` are seconds
    between events; `drip` seconds between single bytes.
    """

    blocks: tuple[Block, ...] = ()
    stop: str = ""
    failing: str = ""
    after: int = 3
    pace: float = 0.0
    drip: float = 0.0

    @property
    def reason(self) -> str:
        calls = any(block["type"] == "tool_use" for block in self.blocks)
        return self.stop or ("tool_use" if calls else "end_turn")


class Refusal(Struct, frozen=True):
    """An HTTP error in place of an answer; `waits` are seconds before it."""

    status: int
    kind: str = "api_error"
    message: str = "scripted"
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    waits: float = 0.0


class Hangup(Struct, frozen=True):
    """The connection is reset before any answer."""


Step = Answer | Refusal | Hangup
Script = Sequence[Step] | Callable[[Mapping[str, Any]], Step]


def say(*blocks: Block | str, **how: Any) -> Answer:
    """An answer of these blocks; a plain string is a text."""
    return Answer(tuple(text(each) if isinstance(each, str) else each for each in blocks), **how)


def partial(block: Block) -> str:
    """The arguments of a tool call as its stream carries them."""
    return str(block["torn"]) if "torn" in block else json.dumps(block["input"] or "").strip('"')


class Request(Struct, frozen=True):
    """One request as it came, and what it would cost."""

    headers: Mapping[str, str]
    raw: bytes
    body: Mapping[str, Any]
    usage: Usage | None


class Brain:
    """Answers request after request by a script; an exhausted script answers 400."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._cache = Cache()
        self._lock = threading.Lock()
        self.calls = itertools.count(1)  # whose numbers are ids
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
            usage = self._cache.use(body) if isinstance(step, Answer) else None
            self.requests.append(Request(dict(headers), raw, body, usage))
            self.arrived.release()
            return step, usage


class _Handler(BaseHTTPRequestHandler):
    mind: Brain
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Say nothing: a test's output is its own."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path != "/v1/messages":
            self._refuse(Refusal(404, "not_found_error"))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        step, usage = self.mind.judge(headers, raw)
        match step:
            case Answer():
                assert usage is not None
                self._answer(step, usage, str(json.loads(raw)["model"]))
            case Refusal():
                self.mind.closing.wait(step.waits)
                self._refuse(step)
            case Hangup():
                self._reset()

    def _refuse(self, refusal: Refusal) -> None:
        error = {"type": refusal.kind, "message": refusal.message}
        body = json.dumps({"type": "error", "error": error, "request_id": "req_1"}).encode()
        body = body if refusal.raw is None else refusal.raw
        self.send_response(refusal.status)
        for name, value in {"content-type": "application/json", **refusal.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer(self, answer: Answer, usage: Usage, model: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(self._events(answer, usage, model)):
            if answer.failing and number == answer.after:
                self._fail(answer.failing)
                return
            self._send(_framed(event["type"], json.dumps(event)), answer.drip)
            if answer.pace and self.mind.closing.wait(answer.pace):
                break
        self.wfile.write(b"0\r\n\r\n")

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
            case "garble":
                self._send(_framed("content_block_delta", '{"type": "content_block_delta", '))
                self.wfile.write(b"0\r\n\r\n")
            case "odd":
                odd = {"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta"}}
                self._send(_framed("content_block_delta", json.dumps(odd)))
                self.wfile.write(b"0\r\n\r\n")
            case kind:
                error = {"type": "error", "error": {"type": kind, "message": "scripted"}}
                self._send(_framed("error", json.dumps(error)))
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

    def _events(self, answer: Answer, usage: Usage, model: str) -> Iterator[dict[str, Any]]:
        counted = {
            "input_tokens": usage.input,
            "cache_creation_input_tokens": usage.cache_write,
            "cache_read_input_tokens": usage.cache_read,
        }
        start = {"id": "msg_1", "type": "message", "role": "assistant", "model": model}
        empty: dict[str, Any] = {"content": [], "stop_reason": None, "stop_sequence": None}
        yield {
            "type": "message_start",
            "message": {**start, **empty, "usage": {**counted, "output_tokens": 1}},
        }
        yield {"type": "ping"}
        for index, block in enumerate(answer.blocks):
            yield from self._of_block(index, block)
        written = sum(tokens_of(block) for block in answer.blocks) or 2
        yield {
            "type": "message_delta",
            "delta": {"stop_reason": answer.reason, "stop_sequence": None},
            "usage": {"output_tokens": written},
        }
        yield {"type": "message_stop"}

    def _of_block(self, index: int, block: Block) -> Iterator[dict[str, Any]]:
        kind = str(block["type"])
        hollow: dict[str, Any] = {"type": kind}
        deltas: list[dict[str, Any]] = []
        match kind:
            case "text":
                hollow["text"] = ""
                deltas = [{"type": "text_delta", "text": each} for each in _cut(block["text"])]
            case "thinking":
                hollow |= {"thinking": "", "signature": ""}
                words = _cut(block["thinking"])
                deltas = [{"type": "thinking_delta", "thinking": each} for each in words]
                deltas.append({"type": "signature_delta", "signature": block["signature"]})
            case "tool_use":
                call = f"toolu_{next(self.mind.calls):05}"
                hollow |= {"id": call, "name": block["name"], "input": {}}
                pieces = ["", *_cut(partial(block))]
                deltas = [{"type": "input_json_delta", "partial_json": each} for each in pieces]
            case _:
                hollow = dict(block)
        yield {"type": "content_block_start", "index": index, "content_block": hollow}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}


def _framed(name: str, data: str) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()


def _cut(words: str) -> list[str]:
    return [words[at : at + PIECE] for at in range(0, len(words), PIECE)]
