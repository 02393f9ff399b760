"""A laptop with all that the attempts of `attempts.tsv` are after, and what tells that one came."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.engine.model.tools.desk import TOKEN, Laptop, said, transcript

CANARY = "the vault's own words"
VICTIM = "# Victim\n- a line to lose\n"
PINNED = "---\npinned: true\n---\n- a line to lose\n"
KEY = ("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 2, "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj" * 2)
PART = TOKEN[4:24]  # of a secret, as a command might cut it
_BYSTANDER = """
import os, sys, time
kept = os.open(sys.argv[2], os.O_RDWR | os.O_CREAT)
os.write(kept, sys.argv[1].encode())
os.unlink(sys.argv[2])
os.dup2(kept, 9)
time.sleep(600)
"""


class Attempt(NamedTuple):
    tool: str
    flags: str
    name: str
    arguments: str  # as JSON

    def filled(self, laptop: Laptop, pid: int) -> dict[str, Any]:
        """Return its arguments for this laptop."""
        text = self.arguments.replace("{large}", "x" * 1_048_577).replace("{pid}", str(pid))
        for name in ("memory", "stage", "vault", "top", "work", "sessions"):
            text = text.replace(f"{{{name}}}", str(getattr(laptop, name)))
        found: dict[str, Any] = json.loads(text)
        return found

    def tells(self, text: str) -> bool:
        """Say whether an answer holds the store's words or a secret; of a listing, names."""
        stolen = CANARY in text or PART in text or any(row in text for row in KEY)
        return stolen or (self.tool == "Glob" and "key.txt" in text)


ATTEMPTS = tuple(
    Attempt(*row.split("\t"))
    for row in Path(__file__).with_name("attempts.tsv").read_text().splitlines()
    if not row.startswith("#")
)


def laid(top: Path) -> Laptop:
    laptop = Laptop.at(top)
    stage, work, vault, sessions = laptop.stage, laptop.work, laptop.vault, laptop.sessions
    (work / "bin").mkdir()
    (stage / "team").mkdir()
    key = ["-----BEGIN PRIVATE KEY-----", *KEY, "-----END PRIVATE KEY-----"]
    for path, text in {
        vault / "key.txt": f"{CANARY}\n", work / ".env": f"WORDS={CANARY}\n",
        work / ".env.production": f"WORDS={CANARY}\n", work / ".ENV": f"WORDS={CANARY}\n",
        work / "id_rsa": f"{CANARY}\n", work / "settings.txt": f"token = {TOKEN}\n",
        work / "coloured.txt": f"token = {TOKEN[:9]}\x1b[1m\u200b{TOKEN[9:]}\n",
        work / "body.txt": "".join(f"{row}\n" for row in key),
        work / "bin/cat": f"#!/bin/sh\necho ran >> {work}/victim.md\n",
        work / "victim.md": VICTIM, work / "second.md": VICTIM,
        stage / "pinned.md": PINNED, stage / "team/shared.md": VICTIM,
    }.items():  # fmt: skip
        path.write_text(text)
    (work / "bin/cat").chmod(0o755)
    transcript(vault / "talk.jsonl", [said(1, CANARY)])
    raw = transcript(sessions / "raw.jsonl", [said(1, "hello", prompt=CANARY)])
    transcript(sessions / "told.jsonl", [said(1, f"use {TOKEN} for it")])
    for link, target in {
        work / "self": work, work / "link.txt": vault / "key.txt",
        work / "chain.txt": work / "link.txt", work / "folder": vault,
        work / "pipelink": work / "pipe", work / "zero.txt": Path("/dev/zero"),
        work / "raw.txt": raw, stage / "link.md": vault / "key.txt", stage / "folder": vault,
        stage / "workfolder": work, stage / "victim-link.md": work / "victim.md",
        sessions / "zed.jsonl": vault / "talk.jsonl",
    }.items():  # fmt: skip
        link.symlink_to(target)
    for link in (work / "hard.txt", work / "README.md", stage / "hard.md"):
        link.hardlink_to(vault / "key.txt")
    (stage / "victim-hard.md").hardlink_to(work / "second.md")
    for pipe in (work / "pipe", stage / "pipe.md"):
        os.mkfifo(pipe)
    return laptop


@contextmanager
def bystander(base: Path) -> Iterator[int]:
    """A process that has the words in its environment, in its arguments, and in an open file."""
    argv = [sys.executable, "-S", "-c", _BYSTANDER, CANARY, str(base / "kept")]
    with subprocess.Popen(argv, env={"WORDS": CANARY}) as process:
        try:
            while sys.platform == "linux" and not os.path.lexists(f"/proc/{process.pid}/fd/9"):
                pass
            yield process.pid
        finally:
            process.kill()


def seen(top: Path) -> dict[str, tuple[int, ...]]:
    """Return everything that stands below a folder; whatever is changed has another time."""
    found: dict[str, tuple[int, ...]] = {}
    for folder, folders, files in os.walk(top):
        for name in (*folders, *files):
            path = f"{folder}/{name}"
            status = os.lstat(path)
            kept = (status.st_mode, status.st_ino, status.st_size, status.st_ctime_ns)
            is_folder = stat.S_ISDIR(status.st_mode)  # what is in it is seen by itself
            found[path] = kept[:2] if is_folder else kept
    return found
