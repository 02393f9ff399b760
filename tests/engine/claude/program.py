"""A program that stands for `claude`: it speaks as print mode does, and does what a test wrote."""

from __future__ import annotations

import json
import os
import socket
import sys
import textwrap
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

HEAD = """\
#!{python} -IS
import json, os, socket, subprocess, sys, time

prompt = sys.stdin.buffer.read().decode()
stage = os.getcwd()

def say(kind, **event):
    print(json.dumps({{"type": kind, "session_id": "s", **event}}), flush=True)

def answer(text, *calls, tokens=100):
    blocks = [{{"type": "text", "text": text}}]
    blocks += [{{"type": "tool_use", "id": "t", "name": name, "input": {{}}}} for name in calls]
    usage = {{"input_tokens": tokens, "output_tokens": 50, "cache_read_input_tokens": 7}}
    message = {{"id": text, "role": "assistant", "content": blocks, "usage": usage}}
    say("assistant", message=message)

def result(subtype="success", **more):
    usage = {{"input_tokens": 1000, "output_tokens": 200, "cache_read_input_tokens": 3000,
             "cache_creation_input_tokens": 400}}
    say("result", subtype=subtype, **{{"is_error": False, "result": "Moved the port.",
        "num_turns": 3, "total_cost_usd": 0.0125, "usage": usage, **more}})

def edit(old, new, name="MEMORY.md"):
    with open(os.path.join(stage, name)) as file:
        text = file.read()
    with open(name + ".tmp", "w") as file:
        file.write(text.replace(old, new))
    os.replace(name + ".tmp", name)

def report(value):
    port = int(os.environ["HTTPS_PROXY"].rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(json.dumps(value).encode())

OLD = "- The API listens on port 8040"
NEW = "- The API listens on port 9050 now, because 8040 was taken (2026-05-11)"
say("system", subtype="init", tools=["Read"], model="m")
"""


def installed(folder: Path, work: str) -> Path:
    """Install a program `claude` that does this work; return the folder for the PATH."""
    folder.mkdir(exist_ok=True)
    program = folder / "claude"
    program.write_text(HEAD.format(python=os.path.realpath(sys.executable)) + textwrap.dedent(work))
    program.chmod(0o755)
    return folder


class Reports:
    """Hears on loopback what the program reports; its port is that of the proxy it is told."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.heard: list[Mapping[str, Any]] = []
        self._came = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.getsockname()[1]}"

    def first(self) -> Mapping[str, Any]:
        """Return the first report; the program may end before this thread has read it."""
        assert self._came.wait(60), "the program reported nothing"
        return self.heard[0]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join(5)

    def _listen(self) -> None:
        while True:
            try:
                line, _ = self._server.accept()
            except OSError:
                return
            with line:
                said = b""
                while part := line.recv(65_536):
                    said += part
                self.heard.append(json.loads(said))
                self._came.set()
