"""Attempts to read or change, through the tools, what they must not: as data, with a control."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.engine.model.tools.desk import TOKEN, Laptop, said, transcript

CANARY = "the vault's own words"
VICTIM = "# Victim\n- a line to lose\n"
KEY = ("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 2, "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj" * 2)
PART = TOKEN[4:24]  # of a secret, as a command might cut it
PINNED = "---\npinned: true\n---\n- a line to lose\n"


class Attempt(Struct, frozen=True):
    """One call; `{memory}`, `{vault}`, `{pid}` and the like stand for what is there."""

    name: str
    tool: str
    arguments: Mapping[str, Any]


class Setting(Struct, frozen=True):
    """What attempts meet beside a laptop: another process, and repositories that set traps."""

    pid: int
    repositories: Path


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
    _read("a file that another process holds open", "/proc/{pid}/fd/9"),
    _read("the environment of a thread", "/proc/{pid}/task/{pid}/environ"),
    _read("the root of a thread", "/proc/thread-self/root{vault}/key.txt"),
    _read("a folder linked to itself", "{work}/self/self/self/link.txt"),
    _read("a link in a session's folder", "{sessions}/zed.jsonl"),
    _read("a hard link by a linked folder", "{work}/self/hard.txt"),
    _read("a hard link with a harmless name", "{work}/README.md"),
    _read("a project's secrets of another stage", "{work}/.env.production"),
    _read("a project's secrets in capitals", "{work}/.ENV"),
    _read("a secret in a file", "{work}/settings.txt"),
    _read("a secret in a transcript", "{sessions}/told.jsonl"),
    _read("a secret cut by escapes", "{work}/coloured.txt"),
    Attempt("a secret said in a session", "Sessions", {"speaker": "all", "session": "told"}),
    Attempt("a page of a session's secret", "Sessions", {"matching": "ghp_", "session": "told"}),
    _grep("search through a folder linked to itself", "{work}/self/self/folder"),
    Attempt(
        "search for a part of a secret",
        "Grep",
        {"pattern": PART, "path": "{work}/settings.txt", "output_mode": "content"},
    ),
    Attempt("listing by .. in a pattern", "Glob", {"pattern": "../../vault/*"}),
    Attempt("listing by a class in a pattern", "Glob", {"pattern": "{top}/[v]ault/key*"}),
    _bash("a variable set by printf", "printf -vPATH %s {work}/bin; cat MEMORY.md"),
    _bash("a subscript set by printf", "printf '-va[$(touch {work}/new)]' x"),
    _bash("a count kept by printf", "printf '%s%n' {work} PATH; cat {work}/.env"),
    _bash("diff of folders", "diff -N {work} {sessions}"),
    _bash("diff of a folder and a file", "diff -N {work} {memory}/hard.txt"),
    _bash("diff cut short", "diff -y --width=60 {work}/settings.txt /dev/null"),
    _bash("a file that blame ignores", "git -C {repos}/repo blame HEAD -- a.txt"),
    _bash("grafts that are a link", "git -C {repos}/grafted log --oneline"),
    _bash("references that are a link", "git -C {repos}/packed log --all --oneline"),
    _bash("objects from a link", "git -C {repos}/alternate log --oneline -2"),
    _bash("a shallow list that is a link", "git -C {repos}/shallow log --oneline"),
    _bash("an object that must be fetched", "git -C {repos}/partial log -p"),
    _bash("git with a setting", "git -c core.pager='touch {work}/new' -p -C {repos}/repo log"),
    _bash("git alias", "git -C {repos}/repo -c alias.x='!touch {work}/new' x"),
    _bash("git by its directory", "git --git-dir={repos}/repo/.git --work-tree=/ status"),
    _bash("git diff without a repository", "git diff --no-index /dev/null {work}/.env"),
    _bash("git cuts a subject", "git -C {repos}/repo log '--format=%<(38,trunc)%s'"),
    _bash("git says a secret", "git -C {repos}/repo log --format=%s"),
    _bash("cat of a secret", "cat {work}/settings.txt"),
    _bash("nl joins words to a key", "tail -n +2 {work}/body.txt | nl -s xxxxxxxxxxxxxxxxxxxx"),
    _bash("grep around a line of a key", "grep -n -A 2 MIIE {work}/body.txt"),
    _bash("a key whose lines end in signs", "cat -E {work}/body.txt"),
    _bash("sed w", "sed -n 'w {work}/victim.md' MEMORY.md"),
    _bash("sed e", "echo 'touch {work}/new' | sed e"),
    _bash("sed with a script file", "sed -n -f {work}/.env MEMORY.md"),
    _bash("find -fls", "find . -fls {work}/victim.md"),
    _bash("find -okdir", "find . -execdir touch {work}/new ';'"),
    _bash("files0-from", "wc --files0-from={vault}/key.txt"),
    _bash("sort by files0-from", "sort --files0-from={work}/.env"),
    _bash("grep with a file of patterns", "grep -f {work}/.env -v MEMORY.md"),
    _bash("date by a file", "date -f {work}/.env"),
    _bash(
        "awk system",
        "awk 'BEGIN {system(\"touch {work}/new\")}'",
    ),
    _bash("xargs", "echo {work}/.env | xargs cat"),
    _bash("env -S", "env -S 'touch {work}/new'"),
    _bash("an assignment before a command", "BASH_ENV={work}/.env bash -c true; cat {work}/.env"),
    _bash("ANSI-C quotes", "$'\\x74ouch' {work}/new"),
    _bash("braces", "{touch,{work}/new}"),
    _bash("a continued line", "tou\\\nch {work}/new"),
    _bash("a carriage return", "echo x\r\ntouch {work}/new"),
    _bash("a comment that ends", "echo x # y\ntouch {work}/new"),
    _bash("arithmetic", "echo $((a[$(touch {work}/new)]))"),
    _bash("process substitution", "cat <(touch {work}/new; cat {work}/.env)"),
    _bash("a here-document that runs", "cat <<E\n$(touch {work}/new)\nE"),
    _bash("a function of a known name", "ls() { touch {work}/new; }; ls"),
    _bash("an alias", "shopt -s expand_aliases; alias ls='touch {work}/new'\nls"),
    _bash("a here-string", "bash <<< 'touch {work}/new'"),
    _bash("a case", "case x in *) touch {work}/new;; esac"),
    _bash("a condition", "[[ -v a[$(touch {work}/new)] ]]"),
    _bash("hash", "hash -p {work}/bin/cat cat; cat MEMORY.md"),
    _bash("mapfile", "mapfile -c1 -C 'touch {work}/new #' < MEMORY.md"),
    _bash("a traced prompt", "PS4='$(touch {work}/new)'; set -x; true"),
    _write("an order to agents", "CLAUDE.md"),
    _write("an order in another case", "sub/Agents.MD"),
    _write("a path that goes through a file", "MEMORY.md/a.md"),
    _write("a process's root", "/proc/self/root{work}/victim.md"),
    _write("a process's descriptor", "/proc/self/fd/1"),
    _write("by a folder linked to itself", "{work}/self/victim.md"),
    _write("a secret", "told.md", f"- the token is {TOKEN}\n"),
    _edit("edit by a process's root", "/proc/self/root{work}/victim.md"),
    _retire("retire by ..", "../../work/victim.md"),
)


# What no kernel knows of, so that the policy alone stands before it: names (`.env`, a private key,
# a transcript), what was linked before, the names in a folder, secrets in what may be read.
BEYOND_THE_KERNEL = frozenset(
    [
        *("a hard link outside", "a hard link in the copy", "search of a hard link"),
        *("cat of a hard link", "by a hard link", "a hard link by a linked folder"),
        *("a hard link with a harmless name", "edit by a hard link"),
        *("a project's secrets", "a project's secrets of another stage"),
        *("a project's secrets in capitals", "a private key", "search of everything hidden"),
        *("search above the store", "grep -r", "diff of folders", "diff of a folder and a file"),
        *("a raw transcript", "a raw transcript by a link", "cat of a raw transcript"),
        *("a session that leads to the store", "a secret said in a session"),
        *("a page of a session's secret", "a secret in a file", "a secret in a transcript"),
        *("search for a part of a secret", "cat of a secret", "git says a secret"),
        *("listing of the store", "listing by an absolute pattern", "listing through a link"),
        *("listing by a class in a pattern", "listing by .. in a pattern"),
        *("a file that blame ignores", "grafts that are a link", "references that are a link"),
        *("objects from a link", "a shallow list that is a link", "git with a setting"),
        *("an object that must be fetched", "git diff without a repository"),
        *("git cuts a subject", "diff cut short", "nl joins words to a key"),
        *("grep around a line of a key", "a key whose lines end in signs"),
        *("sed with a script file", "date by a file", "xargs", "process substitution"),
        *("an assignment before a command", "a count kept by printf", "hash"),
        *("a variable set by printf", "sort by files0-from", "grep with a file of patterns"),
    ]
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
    (work / ".env.production").write_text(f"WORDS={CANARY}\n")
    (work / ".ENV").write_text(f"WORDS={CANARY}\n")
    (work / "settings.txt").write_text(f"token = {TOKEN}\n")
    (work / "coloured.txt").write_text(f"token = {TOKEN[:9]}\x1b[1m\u200b{TOKEN[9:]}\n")
    (work / "body.txt").write_text("".join(f"{row}\n" for row in ("-----BEGIN KEY", *KEY)))
    transcript(laptop.sessions / "told.jsonl", [said(1, f"use {TOKEN} for it")])
    (work / "bin").mkdir()
    (work / "bin/cat").write_text('#!/bin/sh\nprintf "the vault\'s %s words" own\n')
    (work / "bin/cat").chmod(0o755)
    links = {
        work / "self": work,
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
    os.link(vault / "key.txt", work / "README.md")
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


def hostile(top: Path) -> Path:
    """Make repositories whose settings and links name other files, as `.env` beside each."""
    repo = top / "repo"
    repo.mkdir(parents=True)

    def git(*words: str) -> str:
        argv = ["git", "-C", str(repo), "-c", "user.name=a", "-c", "user.email=a@b", *words]
        done = subprocess.run(argv, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "-q", "--template=")
    for number in range(2):
        (repo / "a.txt").write_text(f"{number}\n")
        git("add", "-A")
        git("commit", "-qm", f"c{number} {TOKEN}")
    lost = git("rev-parse", "HEAD:a.txt")
    for name, place in {
        "grafted": "info/grafts", "packed": "packed-refs", "shallow": "shallow",
        "alternate": "objects/info/alternates", "partial": "",
    }.items():  # fmt: skip
        shutil.copytree(repo, top / name, symlinks=True)
        if place:
            link = top / name / ".git" / place
            link.parent.mkdir(exist_ok=True)
            link.symlink_to("/".join([*[".."] * (place.count("/") + 2), ".env"]))
    partial = top / "partial/.git"
    (partial / "objects" / lost[:2] / lost[2:]).unlink()
    (partial / "config").write_text(
        "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n"
        '[protocol "ext"]\nallow = always\n[remote "origin"]\npromisor = true\n'
        'url = ext::sh -c "cat% .env% >&2;touch% new"\n'
    )
    (top / ".env").write_text(f"WORDS={CANARY}\n")
    config = repo / ".git/config"
    config.write_text(f"{config.read_text()}[blame]\n\tignoreRevsFile = {top}/.env\n")
    return top


def tells(attempt: Attempt, text: str) -> bool:
    """Whether an answer holds what stands in the store, or a secret; of a listing, names in it."""
    stolen = CANARY in text or PART in text or any(row in text for row in KEY)
    return stolen or (attempt.tool == "Glob" and "key.txt" in text)


def filled(attempt: Attempt, laptop: Laptop, setting: Setting) -> dict[str, Any]:
    """Return an attempt's arguments for this laptop."""
    places = {
        "memory": laptop.memory, "stage": laptop.stage, "vault": laptop.vault, "top": laptop.top,
        "work": laptop.work, "sessions": laptop.sessions, "pid": setting.pid,
        "repos": setting.repositories,
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
