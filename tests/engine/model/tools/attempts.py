"""Attempts to read or change, through the tools, what they must not: as data, with a control."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.engine.model.tools.desk import Laptop, said, transcript

CANARY = "the vault's own words"
VICTIM = "# Victim\n- a line to lose\n"
PINNED = "---\npinned: true\n---\n- a line to lose\n"


@dataclass(frozen=True)
class Attempt:
    """One call; `{memory}`, `{stage}`, `{vault}`, `{work}`, `{pid}` stand for what is there."""

    name: str
    tool: str
    arguments: Mapping[str, Any]


def _read(name: str, path: str) -> Attempt:
    return Attempt(name, "Read", {"file_path": path})


def _write(name: str, path: str, content: str = "x a\n") -> Attempt:
    return Attempt(name, "Write", {"file_path": path, "content": content})


def _edit(name: str, path: str) -> Attempt:
    return Attempt(
        name,
        "Edit",
        {"file_path": path, "old_string": "a line to lose", "new_string": "a line that changed"},
    )


def _retire(name: str, path: str) -> Attempt:
    words = {"reason": "no longer true", "source": "said on 2026-03-01"}
    return Attempt(name, "Retire", {"file_path": path, "text": "a line to lose", **words})


def _bash(name: str, command: str) -> Attempt:
    return Attempt(name, "Bash", {"command": command})


def _grep(name: str, path: str, **more: Any) -> Attempt:
    return Attempt(name, "Grep", {"pattern": "own", "path": path, "output_mode": "content", **more})


ATTEMPTS = (
    _read("the store itself", "{vault}/key.txt"),
    _read("by ..", "{memory}/../../vault/key.txt"),
    _read("relative by ..", "../../vault/key.txt"),
    _read("by doubled slashes", "/{vault}//key.txt"),
    _read("by . parts", "{vault}/./././key.txt"),
    _read("by .. inside the store", "{vault}/none/../key.txt"),
    _read("a link outside", "{work}/link.txt"),
    _read("a chain of links", "{work}/chain.txt"),
    _read("a linked folder outside", "{work}/folder/key.txt"),
    _read("a hard link outside", "{work}/hard.txt"),
    _read("a link in the copy", "link.md"),
    _read("a linked folder in the copy", "folder/key.txt"),
    _read("a hard link in the copy", "hard.md"),
    _read("the root of a process", "/proc/self/root{vault}/key.txt"),
    _read("the working directory of a process", "/proc/self/cwd{vault}/key.txt"),
    _read("the environment of a process", "/proc/{pid}/environ"),
    _read("the arguments of a process", "/proc/{pid}/cmdline"),
    _read("the root of another process", "/proc/{pid}/root{vault}/key.txt"),
    _read("a pipe outside", "{work}/pipe"),
    _read("a pipe in the copy", "pipe.md"),
    _read("a link to a pipe", "{work}/pipelink"),
    _read("an endless device", "/dev/zero"),
    _read("a linked device", "{work}/zero.txt"),
    _read("a project's secrets", "{work}/.env"),
    _read("a private key", "{work}/id_rsa"),
    _read("a transcript in the store", "{vault}/talk.jsonl"),
    _read("a raw transcript", "{sessions}/raw.jsonl"),
    _read("a raw transcript by a link", "{work}/raw.txt"),
    _grep("search of the store", "{vault}"),
    _grep("search of a file of the store", "{vault}/key.txt"),
    _grep("search above the store", "{top}"),
    _grep("search through a link", "{work}/folder"),
    _grep("search of a hard link", "{work}/hard.txt"),
    _grep("search of everything hidden", "{work}", glob="**/.*"),
    _grep("search of a linked file in the copy", "link.md"),
    Attempt("listing of the store", "Glob", {"pattern": "*", "path": "{vault}"}),
    Attempt("listing by an absolute pattern", "Glob", {"pattern": "{vault}/*"}),
    Attempt("listing through a link", "Glob", {"pattern": "*", "path": "{work}/folder"}),
    Attempt("a session that leads to the store", "Sessions", {"speaker": "all"}),
    _bash("cat", "cat {vault}/key.txt"),
    _bash("cat by ..", "cat ../vault/key.txt"),
    _bash("cat of a wildcard", "cat {vault}/*"),
    _bash("cat of a wildcard for the folder", "cat {top}/v*/key.txt"),
    _bash("cat of a link", "cat {work}/link.txt"),
    _bash("cat of a hard link", "cat {work}/hard.txt"),
    _bash("cat by a process", "cat /proc/self/root{vault}/key.txt"),
    _bash("grep -r", "grep -r own {top}"),
    _bash("find -exec", "find {vault} -type f -exec cat '{}' +"),
    _bash("cat of an environment", "cat /proc/{pid}/environ"),
    _bash("sort", "sort {vault}/key.txt"),
    _bash("diff", "diff {vault}/key.txt MEMORY.md"),
    _bash("cat of a raw transcript", "cat {sessions}/raw.jsonl"),
    _bash("a redirection", "echo x > {work}/victim.md"),
    _bash("sed -i", "sed -i s/line/word/ {work}/victim.md"),
    _bash("tee", "echo x | tee {work}/victim.md"),
    _bash("cp into the copy", "cp {work}/victim.md {stage}/stolen.md"),
    _bash("rm", "rm {work}/victim.md"),
    _bash("sort -o", "sort MEMORY.md -o {work}/victim.md"),
    _bash("find -delete", "find {work} -name victim.md -delete"),
    _bash("find -fprint", "find . -fprint {work}/victim.md"),
    _bash("a substitution", "echo $(touch {work}/new)"),
    _bash("a subshell in the background", "(sleep 0; touch {work}/new) & wait"),
    _bash("chmod", "chmod 000 {work}/victim.md"),
    _bash("a here-document", "cat <<E > {work}/victim.md\nx\nE"),
    _bash("an interpreter", 'python3 -c \'open("{work}/new","w")\''),
    _write("outside", "{work}/victim.md"),
    _write("outside by ..", "../../work/victim.md"),
    _write("outside by .. after a name", "MEMORY.md/../../../work/victim.md"),
    _write("outside beside the copy", "{stage}/../work/new.md"),
    _write("the live memory's folder", "{memory}/../new.md"),
    _write("by a link", "victim-link.md"),
    _write("by a linked folder", "workfolder/victim.md"),
    _write("by a hard link", "victim-hard.md"),
    _write("into a pipe", "pipe.md"),
    _write("no Markdown", "run.sh"),
    _write("a hidden file", ".bashrc"),
    _write("a hidden note", ".hidden.md"),
    _write("a hidden folder", ".git/hooks/a.md"),
    _write("the lock", ".consolidate-lock"),
    _write("a pinned note", "pinned.md"),
    _write("a pinned note by another way", "{memory}/./sub/../pinned.md"),
    _write("the shared notes", "team/shared.md"),
    _write("a new shared note", "team/new.md"),
    _write("the shared notes in capitals", "TEAM/new.md"),
    _write("the index in other letters", "memory.MD"),
    _write("the index in small letters", "memory.md"),
    _write("a name with nothing to see", "an\u200ba.md"),
    _write("a name written backwards", "a\u202edm.a.md"),
    _write("a name that is not composed", "cafe\u0301.md"),
    _write("a name with a line end", "a\nb.md"),
    _write("a name with an escape", "a\x1b[2Jb.md"),
    _write("a soft hyphen", "an\u00ada.md"),
    _write("a tag character", "a\U000e0041.md"),
    _write("a deep folder", "a/" * 60 + "b.md"),
    _write("a large note", "large.md", "x" * 1_048_577),
    _write("control characters", "control.md", "a\x1b[31mb\n"),
    _write("a backslash", "sub\\a.md"),
    _write("the home", "~/new-note-of-a-test.md"),
    Attempt(
        "a bad one among good ones",
        "Write",
        {
            "files": [
                {"file_path": "good.md", "content": "x\n"},
                {"file_path": "team/bad.md", "content": "x\n"},
            ]
        },
    ),
    Attempt(
        "two names that differ in case",
        "Write",
        {
            "files": [
                {"file_path": "twin.md", "content": "x\n"},
                {"file_path": "Twin.md", "content": "y\n"},
            ]
        },
    ),
    _edit("edit outside", "{work}/victim.md"),
    _edit("edit by a link", "victim-link.md"),
    _edit("edit by a hard link", "victim-hard.md"),
    _edit("edit by a linked folder", "workfolder/victim.md"),
    _edit("edit a pinned note", "pinned.md"),
    _edit("edit a shared note", "team/shared.md"),
    _retire("retire outside", "{work}/victim.md"),
    _retire("retire by a link", "victim-link.md"),
    _retire("retire from a pinned note", "pinned.md"),
    _retire("retire from a shared note", "team/shared.md"),
)


def laid(top: Path) -> Laptop:
    """Lay out a laptop with everything that the attempts need."""
    laptop = Laptop.at(top)
    stage, work, vault = laptop.stage, laptop.work, laptop.vault
    (vault / "key.txt").write_text(f"{CANARY}\n")
    transcript(vault / "talk.jsonl", [said(1, CANARY)])
    (work / ".env").write_text(f"WORDS={CANARY}\n")
    (work / "id_rsa").write_text(f"{CANARY}\n")
    raw = transcript(laptop.sessions / "raw.jsonl", [said(1, "hello", prompt=CANARY)])
    (laptop.sessions / "zed.jsonl").symlink_to(vault / "talk.jsonl")
    links = {
        work / "link.txt": vault / "key.txt",
        work / "chain.txt": work / "link.txt",
        work / "folder": vault,
        work / "pipelink": work / "pipe",
        work / "zero.txt": Path("/dev/zero"),
        work / "raw.txt": raw,
        stage / "link.md": vault / "key.txt",
        stage / "folder": vault,
        stage / "workfolder": work,
        stage / "victim-link.md": work / "victim.md",
    }
    for link, target in links.items():
        link.symlink_to(target)
    (work / "victim.md").write_text(VICTIM)
    (work / "second.md").write_text(VICTIM)
    os.link(vault / "key.txt", work / "hard.txt")
    os.link(vault / "key.txt", stage / "hard.md")
    os.link(work / "second.md", stage / "victim-hard.md")
    os.mkfifo(work / "pipe")
    os.mkfifo(stage / "pipe.md")
    with socket.socket(socket.AF_UNIX) as server:
        former = Path.cwd()
        os.chdir(work)
        server.bind("socket")
        os.chdir(former)
    (stage / "pinned.md").write_text(PINNED)
    (stage / "team").mkdir()
    (stage / "team/shared.md").write_text(VICTIM)
    return laptop


def filled(attempt: Attempt, laptop: Laptop, pid: int) -> dict[str, Any]:
    """Return an attempt's arguments for this laptop."""
    places = {
        "memory": laptop.memory, "stage": laptop.stage, "vault": laptop.vault, "top": laptop.top,
        "work": laptop.work, "sessions": laptop.sessions, "pid": pid,
    }  # fmt: skip

    def fill(value: Any) -> Any:
        if isinstance(value, str):
            for name, place in places.items():
                value = value.replace(f"{{{name}}}", str(place))
            return value
        if isinstance(value, list):
            return [{key: fill(each) for key, each in one.items()} for one in value]
        return value

    return {key: fill(value) for key, value in attempt.arguments.items()}


def seen(top: Path) -> dict[str, str]:
    """Return everything that stands below a folder, links and modes included."""
    found = {}
    for path in sorted(top.rglob("*")):
        status = path.lstat()
        body = f"{status.st_mode}"
        if path.is_symlink():
            body += str(path.readlink())
        elif path.is_file():
            body += hashlib.sha256(path.read_bytes()).hexdigest()
        found[str(path)] = body
    return found


NAIVE = r"""
import glob, os, re, subprocess, sys, json
tool, given, memory, stage, sessions = json.load(sys.stdin)
def at(path):
    path = os.path.join(memory, os.path.expanduser(path))
    if path.startswith(memory + "/") and "/.." not in path: path = stage + path[len(memory):]
    return path
def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write(text)
if tool == "Read": print(open(at(given["file_path"]), "rb").read(4000).decode(errors="replace"))
elif tool == "Grep":
    top = at(given["path"])
    paths = [os.path.join(f, n) for f, _, names in os.walk(top) for n in names] or [top]
    for path in paths:
        if os.path.isfile(path):
            for row in open(path, errors="replace"):
                if re.search(given["pattern"], row): print(path, row)
elif tool == "Glob": print(glob.glob(os.path.join(given.get("path", stage), given["pattern"])))
elif tool == "Sessions":
    for path in glob.glob(sessions + "/*.jsonl"): print(open(path).read())
elif tool == "Bash": subprocess.run(["bash", "-c", given["command"]], cwd=stage)
elif tool == "Write":
    for one in given.get("files") or [given]: put(at(one["file_path"]), one["content"])
elif tool == "Edit":
    path = at(given["file_path"])
    put(path, open(path).read().replace(given["old_string"], given["new_string"]))
elif tool == "Retire":
    path = at(given["file_path"])
    put(path, "".join(r for r in open(path) if given["text"] not in r))
"""


def naive(attempt: Attempt, laptop: Laptop, pid: int) -> str | None:
    """Do the same with tools that trust their arguments; None where they never come back."""
    import json
    import sys

    given = filled(attempt, laptop, pid)
    places = [str(laptop.memory), str(laptop.stage), str(laptop.sessions)]
    argv = [sys.executable, "-I", "-S", "-c", NAIVE]
    env = {"PATH": os.environ["PATH"], "HOME": str(laptop.top)}
    try:
        done = subprocess.run(
            argv,
            input=json.dumps([attempt.tool, given, *places]),
            capture_output=True,
            check=False,
            timeout=0.5,
            env=env,
            cwd="/",
            text=True,
        )
    except subprocess.TimeoutExpired:
        return None
    return re.sub(r"\x00", " ", done.stdout)
