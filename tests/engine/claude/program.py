"""A program that stands for `claude`: it speaks as print mode does, and does what a test wrote."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import textwrap
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from msgspec import Struct

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


class Reports(Struct):
    """What the program reported, to the port of the proxy it is told."""

    url: str
    heard: SimpleQueue[Mapping[str, Any]]

    def next(self) -> Mapping[str, Any]:
        return self.heard.get(timeout=60)


@contextlib.contextmanager
def reporting() -> Iterator[Reports]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        reports = Reports(f"http://127.0.0.1:{server.getsockname()[1]}", SimpleQueue())

        def listen() -> None:
            with contextlib.suppress(OSError):  # the server is shut down
                while True:
                    line, _ = server.accept()
                    with line, line.makefile("rb") as said:
                        reports.heard.put(json.loads(said.read()))

        thread = threading.Thread(target=listen)
        thread.start()
        yield reports
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)
