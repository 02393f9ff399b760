"""What a model's dream costs, in one run: `python -m tests.model_bench`.

The model is a scripted server on loopback; the client's library, the processes and their walls
are real. Tokens are estimated at four bytes each, and the prompt cache follows its documented
rules. Dreams are held over every project of a copy of `$DREAMD_CORPUS/home`, where that is set,
else over one project of 20 MB and 200 notes made here: one of twelve requests, with one call in
each, and one that makes the same calls in five, together where none waits for another, which is
what the prompt asks for. Three counts of tokens are set beside the bytes of a project's
transcripts by four:

- new: what was not read from the cache (input, cache writes, output);
- billed: in units of plain input (cache writes by 1.25, cache reads by 0.1, output by 5);
- sent: everything, each cache read at its full size.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from dreamd import transcripts
from dreamd.engine.model.toolbox import Reader, Toolbox
from dreamd.engine.model.tools.notes import notes_of
from dreamd.memory.scan import scan
from dreamd.sandbox.choose import best
from tests.brain import Brain, say, tool
from tests.brain.script import Answer, Step
from tests.laptop import ROOT
from tests.notes import NOTES, memory_of
from tests.transcripts.speed import make

CALLS = 40  # of each tool
STARTS = 7
SIZE = 20_000_000
NOTE = "---\nname: {0}\ndescription: what was learned\nmetadata:\n  type: project\n---\n\n# {0}\n\n"
WORDS = ("always", "never", "remember", "because", "decided", "prefer", "problem", "version")


class Spent(Struct, frozen=True):
    """What the requests of one dream carried, in tokens."""

    input: int
    read: int
    write: int
    output: int

    @property
    def cached(self) -> float:
        return self.read / (self.input + self.read + self.write)

    @property
    def new(self) -> int:
        return self.input + self.write + self.output

    @property
    def sent(self) -> int:
        return self.new + self.read

    @property
    def billed(self) -> float:
        return self.input + 1.25 * self.write + 0.1 * self.read + 5 * self.output


class Dreamt(Struct, frozen=True):
    """One dream: its receipt, seconds from its start to the first request, and its tokens."""

    receipt: Mapping[str, Any]
    first: float
    requests: int
    spent: Spent


def dreamt(home: Path, memory: Path, sessions: Path, script: Sequence[Step]) -> Dreamt:
    """Run `dreamd dream` with a scripted model."""
    arrived: list[float] = []

    def answer(body: Mapping[str, Any]) -> Step:
        arrived.append(time.monotonic())
        return script[len(arrived) - 1]

    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DREAMD_", "XDG_", "GIT_"))}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    key = "sk-ant-" + "no-key-of-anyone"
    words = [sys.executable, "-m", "dreamd", "dream", str(memory), "--sessions", str(sessions)]
    with Brain(answer) as brain:
        environ = {"ANTHROPIC_API_KEY": key, "DREAMD_MODEL__BASE_URL": brain.url}
        environ |= {"HOME": str(home), "PYTHONPATH": str(ROOT)}
        started = time.monotonic()
        done = subprocess.run(
            [*words, "--engine", "model", "--json"],
            env=kept | environ,
            cwd=home,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode or brain.faults:
        sys.exit(f"the dream failed: {done.stdout}{done.stderr}{brain.faults}")
    used = [request.usage for request in brain.requests if request.usage is not None]
    receipt = json.loads(done.stdout)
    spent = Spent(
        sum(each.input for each in used),
        sum(each.cache_read for each in used),
        sum(each.cache_write for each in used),
        receipt["usage"]["output_tokens"],
    )
    return Dreamt(receipt, arrived[0] - started, len(used), spent)


def twelve(memory: Path, sessions: Path) -> list[Step]:
    """A session of twelve requests through all four phases: looks, pages, writes a note."""
    index = memory / "MEMORY.md"
    lines = index.read_text().splitlines() if index.is_file() else []
    once = next((line for line in reversed(lines) if line.strip() and lines.count(line) == 1), "")
    pointer = "- [Learned](learned.md) — what the last sessions taught\n"
    into = tool("Write", {"file_path": str(index), "content": f"# Memory\n\n{pointer}"})
    if once:
        more = {"old_string": once, "new_string": f"{once}\n{pointer.rstrip()}"}
        into = tool("Edit", {"file_path": str(index), **more})
    said = "|".join(WORDS[:4])
    body = "".join(f"- Nothing new was said about {word}\n" for word in WORDS)
    learned = str(memory / "learned.md")
    grep = {"output_mode": "content", "head_limit": 40}
    return [
        say("## orient", tool("Read", {"file_path": str(index)})),
        say(tool("Glob", {"pattern": "**/*.md"})),
        say("## gather", tool("Sessions", {})),
        say(tool("Sessions", {"page": 2})),
        say(tool("Sessions", {"matching": said})),
        say(tool("Grep", {"pattern": "decided", "path": str(sessions), **grep})),
        say(tool("Grep", {"pattern": "port|version|because", **grep})),
        say(tool("Bash", {"command": "wc -c *.md"})),
        say(
            "## consolidate",
            tool("Write", {"file_path": learned, "content": NOTE.format("learned") + body}),
        ),
        say("## prune", into),
        say(tool("Read", {"file_path": str(index)})),
        say("A note on what the last sessions taught is there, with its pointer."),
    ]


def together(apart: Sequence[Step]) -> list[Step]:
    """The session of `twelve` in five requests: looks, gathers, writes, looks again, ends."""
    steps = [step for step in apart if isinstance(step, Answer)]
    kinds = [[steps[at] for at in group] for group in ((0, 1, 7), (2, 3, 4, 5, 6), (8, 9), (10,))]
    return [*(say(*(block for step in kind for block in step.blocks)) for kind in kinds), steps[11]]


def calls(notes: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Calls of every kind, each another; the changing ones change another note each."""
    for at in range(1, CALLS + 1):
        name = f"note-{at}.md"
        title = {"old_string": f"\n# note-{at}\n", "new_string": f"\n# Note {at}\n"}
        fact = (notes / f"note-{at + 100}.md").read_text().splitlines()[-1]
        why = {"reason": "it was wrong", "source": "2026-05-11, 'that is wrong'"}
        note = NOTE.format(f"new-{at}") + f"- Fact {at} of a new note\n"
        yield "Read", {"file_path": name}
        yield "Grep", {"pattern": f"ba.*{at}$", "output_mode": "content"}
        yield "Glob", {"pattern": f"**/*-{at}*.md"}
        yield "Bash", {"command": f"grep -n {at} {name} | head -3"}
        yield "Sessions", {"matching": f"{WORDS[at % len(WORDS)]} .*{WORDS[at // len(WORDS)]}"}
        yield "Edit", {"file_path": name, **title}
        yield "Write", {"file_path": f"new-{at}.md", "content": note}
        yield "Retire", {"file_path": f"note-{at + 100}.md", "text": fact, **why}


def times(memory: Path, sessions: Path) -> dict[str, list[float]]:
    """Seconds of each call, as the session has them."""
    found: dict[str, list[float]] = {}
    notes = notes_of(scan(memory.resolve()), memory)
    with contextlib.closing(Reader(memory, [sessions], (), best().level.value)) as reader:
        toolbox = Toolbox(reader, notes)
        toolbox.call({"name": "Glob", "input": {}})  # until it is ready
        for name, arguments in calls(memory):
            started = time.monotonic()
            answer = toolbox.call({"name": name, "input": arguments})
            found.setdefault(name, []).append(time.monotonic() - started)
            if answer.is_error:
                sys.exit(f"{name} failed: {answer.text}")
    return found


def projects(home: Path) -> Path:
    """The folder of projects to dream over, a copy or made here."""
    if corpus := os.environ.get("DREAMD_CORPUS"):
        shutil.copytree(Path(corpus) / "home", home / ".claude")
        return home / ".claude" / "projects"
    project = home / ".claude" / "projects" / "-home-dev-made"
    make(project, SIZE)
    memory_of(NOTES, project / "memory")
    return project.parent


def main() -> None:
    """Print the figures."""
    words = [sys.executable, "-m", "compileall", "-q", str(ROOT / "dreamd")]
    subprocess.run(words, check=False)  # as an installation does
    with tempfile.TemporaryDirectory(prefix="dreamd-bench-") as name:
        top = Path(name)
        notes, none, made = memory_of(NOTES, top / "notes"), top / "none", top / "made"
        none.mkdir()
        make(made, SIZE)
        print(f"walls: {best().words}")
        done: list[Step] = [say("Nothing is new.")]
        (top / "a").mkdir()
        starts = [dreamt(top / "a", notes, none, done).first for _ in range(STARTS + 1)][1:]
        print(
            f"start of the process to the first request, {NOTES} notes: "
            f"{statistics.median(starts):.2f} s (of {STARTS}: {min(starts):.2f} to "
            f"{max(starts):.2f})"
        )
        for kind, seconds in times(notes, made).items():
            spread = f"{min(seconds) * 1000:.1f} to {max(seconds) * 1000:.1f}"
            print(f"{kind:9}{statistics.median(seconds) * 1000:7.1f} ms (of {CALLS}: {spread})")
        print("dreams: kB of transcripts · tokens (tokens/those of the transcripts)")
        for told, script in (("one call a request", list), ("calls together", together)):
            whole = [0, 0, 0.0, 0]
            home = top / told.replace(" ", "-")
            for project in sorted(projects(home).iterdir()):
                memory = project / "memory"
                memory.mkdir(exist_ok=True)
                size = sum(path.stat().st_size for path in transcripts.sessions([project]))
                took = dreamt(home, memory, project, script(twelve(memory, project)))
                row = (size, took.spent.new, took.spent.billed, took.spent.sent)
                whole = [one + other for one, other in zip(whole, row, strict=True)]
                about = f"{took.requests} requests, cached {took.spent.cached:.1%}"
                cost = f"${took.receipt['usage']['dollars']:.4f}"
                print(f"{project.name}: {about}, {cost}, {_shares(*row)}, {took.first:.2f} s")
            print(f"all, {told}: {_shares(*whole)}")


def _shares(size: float, new: float, billed: float, sent: float) -> str:
    parts = [f"{size / 1000:,.0f} kB"]
    for what, tokens in (("new", new), ("billed", billed), ("sent", sent)):
        share = f"1/{size / 4 / tokens:.1f}" if size / 4 > tokens else "more than all"
        parts.append(f"{what} {tokens:,.0f} ({share})")
    return " · ".join(parts)


if __name__ == "__main__":
    main()
