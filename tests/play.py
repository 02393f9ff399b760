"""Answer a model's session by hand: `python -m tests.play HOME_OR_MEMORY`.

Nobody needs a key to judge the prompt and the review. The notes and transcripts are copied to a
home of their own in DIR, where the real `dreamd dream --engine model` asks a server on loopback.
DIR/request-N.md is what the model reads. Put its answer in DIR/answer-N.json; line breaks may
stand within a string, and an answer without calls ends the session:

    {"text": "what to say", "calls": [{"tool": "Read", "input": {"file_path": "MEMORY.md"}}]}
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from tests.brain import Answer, Brain, Later, text, tool
from tests.brain.api import tokens_of
from tests.laptop import Laptop, ran

DREAMD = (sys.executable, "-m", "dreamd")
say = partial(print, "play:", flush=True)


class Call(Struct, forbid_unknown_fields=True):
    tool: str
    input: dict[str, Any]


class Words(Struct, forbid_unknown_fields=True):
    text: str = ""
    calls: list[Call] = []


class Hand:
    """Writes requests to one folder and reads answers from another, for `wait` seconds each."""

    def __init__(self, out: Path, answers: Path, wait: float) -> None:
        self._out, self._answers, self._wait = out, answers, wait
        self._bodies: list[Mapping[str, Any]] = [{}]

    def ask(self, body: Mapping[str, Any]) -> Later:
        """Write down a request; return its answer to come."""
        number = len(self._bodies)
        name = self._out / f"request-{number}"
        name.with_suffix(".json").write_text(json.dumps(body, indent=1), "utf-8")
        name.write_text(page(number, body, self._bodies[-1]), "utf-8", errors="backslashreplace")
        name.rename(name.with_suffix(".md"))  # which is whole, for whoever waits for it
        self._bodies.append(body)
        say(f"{name}.md waits for an answer")
        found = self._found(self._answers / f"answer-{number}.json", body["max_tokens"])
        return Later(partial(next, found))

    def _found(self, path: Path, most: int) -> Iterator[Answer | None]:
        """Yield None until an answer is there and no longer being written; at last an error."""
        until, seen, wrong = time.monotonic() + self._wait, b"", b""
        while seen not in {b"", wrong} or time.monotonic() < until:
            said = b""
            try:
                said = path.read_bytes()
                yield answer(said, most) if said == seen != wrong else None
            except FileNotFoundError:
                yield None
            except ValueError as error:
                say(f"{path} is no answer: {error}; put it right")
                wrong = said
            seen = said
        say(f"The session ends: there is no answer in {path} after {self._wait:g} seconds.")
        yield Answer(failing="invalid_request_error", after=0)


def answer(said: bytes, most: int) -> Answer:
    """Return an answer as a model would give it; ValueError where no model could."""
    words = convert(json.loads(said, strict=False), Words)
    blocks = [text(words.text)] if words.text.strip() else []
    blocks += [tool(call.tool, call.input) for call in words.calls]
    if not 0 < (count := sum(map(tokens_of, blocks))) <= most:
        raise ValueError(f"it has {count:,} tokens, and may have {most:,}")
    return Answer(tuple(blocks))


def page(number: int, body: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """Return what a request tells the model beside the request before it."""
    size, most = tokens_of(body), body["max_tokens"]
    parts = [f"=== request {number} to {body['model']}: {size:,} tokens, answer up to {most:,} ==="]
    if not before:
        parts += ["=== system prompt ===", *(each["text"] for each in body["system"])]
        for each in body["tools"]:
            schema = json.dumps(each["input_schema"], indent=1)
            parts += [f"=== tool {each['name']} ===", each["description"], schema]
    names: dict[str, str] = {}
    for at, message in enumerate(body["messages"]):
        names |= {each["id"]: each["name"] for each in message["content"] if "name" in each}
        is_new = at >= len(before.get("messages", ())) and message["role"] == "user"
        for nth, each in enumerate(message["content"] if is_new else (), 1):
            what = f"result {nth}, of {names[each['tool_use_id']]}" if "content" in each else "text"
            what += ", an error" if each.get("is_error") else ""
            parts += [f"=== {what} ===", each.get("content", each.get("text"))]
    return "\n\n".join(parts) + "\n"


def place(source: Path, projects: Path) -> tuple[Path, Path]:
    """Return what is to be copied of a home, project or memory directory, and to where."""
    folders = [*source.glob(".claude/projects/*/")] or [*source.glob("projects/*/")]
    if len(folders) > 1:
        raise SystemExit(f"Name one of them: {', '.join(sorted(map(str, folders)))}")
    project = folders[0] if folders else source.parent if source.name == "memory" else source
    copy = projects / f"-{project.name.lstrip('-')}"
    if folders or any(project.glob("*.jsonl")):
        return project, copy
    if any(source.glob("*.md")):
        return source, copy / "memory"
    raise SystemExit(f"There are neither notes nor transcripts in {source}.")


def dream(words: Sequence[str], laptop: Laptop, hand: Hand) -> int:
    """Dream with a hand for a model; return the exit code. Ctrl-C rolls the dream back."""
    with Brain(hand.ask) as brain:
        slow = {"DREAMD_MODEL__SECONDS": "86400", "NO_PROXY": "127.0.0.1"}  # as people are
        key = {"ANTHROPIC_API_KEY": "sk-ant-loopback", "DREAMD_MODEL__BASE_URL": brain.url}
        environ = laptop.environ(**key, **slow)
        run = subprocess.Popen(words, env=environ, start_new_session=True)
        try:
            return run.wait()
        except KeyboardInterrupt:
            say("Stopped: the dream rolls back.")
            run.send_signal(signal.SIGINT)
            return run.wait(30)
        finally:
            run.kill()
            say(*brain.faults or ["the session is over"])


def main() -> int:
    """Play one dream; return its exit code."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("play", description=__doc__, formatter_class=style)
    parser.add_argument("source", metavar="HOME_OR_MEMORY", type=Path, help="or a project's folder")
    parser.add_argument("--sessions", metavar="DIR", type=Path, action="append", default=[])
    parser.add_argument("--out", metavar="DIR", type=Path, help="default: a new temporary folder")
    parser.add_argument("--answers", metavar="DIR", type=Path, help="replay these; do not wait")
    parser.add_argument("--wait", metavar="SECONDS", type=float, default=3600.0)
    given = parser.parse_args()
    for ended_by in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # `&` ignores the first
        signal.signal(ended_by, signal.default_int_handler)
    out = (given.out or Path(tempfile.mkdtemp(prefix="dreamd-play-"))).resolve()
    if out.exists() and any(out.iterdir()):
        parser.error(f"{out} is not empty")
    folder, copy = place(given.source.resolve(), out / "home" / ".claude" / "projects")
    sessions = [out / "home" / f"sessions-{number}" for number in range(len(given.sessions))]
    for source, target in [(folder, copy), *zip(given.sessions, sessions, strict=True)]:
        if out.is_relative_to(source.resolve()):
            parser.error(f"{out} lies in {source}, which is to be copied")
        shutil.copytree(source, target)
    laptop = Laptop(out / "home", copy if copy.name == "memory" else copy / "memory")
    laptop.memory.mkdir(exist_ok=True)
    command = [*DREAMD, "dream", str(laptop.memory), "--engine", "model"]
    command += [word for copy in sessions for word in ("--sessions", str(copy))]
    hand = Hand(out, given.answers or out, 1 if given.answers else given.wait)
    code = dream(command, laptop, hand)
    for words in (("show",), ("diff",), ("diff", "--proposal")):
        done = ran((*DREAMD, *words), laptop.environ(), laptop.memory)
        print(f"## dreamd {' '.join(words)}\n\n{done.stdout}{done.stderr}")
    print(f"The notes are in {laptop.memory}, all else in {out}.")
    return code


if __name__ == "__main__":
    sys.exit(main())
