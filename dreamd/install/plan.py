"""What an install or its undoing will do to one folder: said first, then done.

What was laid is recorded there, as sha256sum(1) has it. A file is dreamd's while its hash is the
recorded one; what somebody edited, and what was never laid, is left alone.
"""

from __future__ import annotations

import hashlib
import shlex
import stat
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from dreamd.errors import DreamdError, HostError
from dreamd.host import files
from dreamd.install.launch import ran

RECORD = ".dreamd.sha256"
_PATIENCE = 100  # seconds; a stop may wait for a dream to roll back

Commands = tuple[tuple[str, ...], ...]
# Nothing; what would be written; what an earlier install wrote; somebody's own, or edited.
Standing = Literal["absent", "same", "ours", "edited"]


class Plan(Struct, frozen=True):
    """The files of a folder as they are to be, and what the system is told before and after."""

    folder: Path
    texts: Mapping[str, str] = {}  # by place in the folder; what else was laid there goes
    before: Commands = ()
    after: Commands = ()
    refusal: str = ""  # why the system cannot be told now; what it had to be told is said instead
    is_own: bool = False  # the folder goes, too, once it is empty


def recorded(folder: Path) -> dict[str, str]:
    """Return the hash of each file that was laid in a folder, by its place there."""
    with files.faults("read", folder / RECORD):
        try:
            text = files.content(folder / RECORD).decode("utf-8", "replace")
        except (FileNotFoundError, NotADirectoryError):
            return {}
    lines = (line.partition("  ") for line in text.splitlines())
    # One that is empty, absolute or leads out of the folder is none.
    return {place: known for known, _, place in lines if not {"", ".."} & {*place.split("/")}}


def standing(plan: Plan) -> Iterator[tuple[str, Standing]]:
    """Yield what stands in each place of a plan; a link, a folder or a pipe is somebody's own."""
    known = recorded(plan.folder)
    for place in (*plan.texts, *(each for each in known if each not in plan.texts)):
        path = plan.folder / place
        with files.faults("read", path):
            try:
                is_file = stat.S_ISREG(path.lstat().st_mode)
            except (FileNotFoundError, NotADirectoryError):
                yield place, "absent"
                continue
            found = _digest(files.content(path)) if is_file else ""
        if is_file and place in plan.texts and found == _digest(_data(plan, place)):
            yield place, "same"
        else:
            is_ours = is_file and found == known.get(place)
            yield place, "ours" if is_ours else "edited"


def in_words(plan: Plan) -> Iterator[str]:
    """Yield what a plan does, a line each; nothing where all is as it is to be."""
    if not plan.refusal:
        yield from (f"run {shlex.join(each)}" for each in plan.before)
    for place, found in standing(plan):
        path, is_wanted = plan.folder / place, place in plan.texts
        if found == "edited":
            yield f"leave {path} as it is: it was edited, or is not dreamd's"
        elif found == "absent" and is_wanted:
            yield f"write {path}"
        elif found == "ours":
            earlier = f"replace {path}, which an earlier install wrote"
            yield earlier if is_wanted else f"remove {path}"
    if not plan.refusal:
        yield from (f"run {shlex.join(each)}" for each in plan.after)


def carry_out(plan: Plan) -> tuple[str, ...]:
    """Do what a plan says; return what the system refused to do, a sentence each."""
    refused = [] if plan.refusal else list(_told(plan.before))
    known, record = recorded(plan.folder), ""
    for place, found in list(standing(plan)):
        path, is_wanted = plan.folder / place, place in plan.texts
        if is_wanted and found in {"absent", "ours"}:
            _write(path, _data(plan, place))
        elif not is_wanted and found == "ours":
            _remove(plan, path)
        if is_wanted:
            hashed = _digest(_data(plan, place))
            hashed = known.get(place, "") if found == "edited" else hashed
            record += f"{hashed}  {place}\n" if hashed else ""
    # The record last: what was laid before a crash is then taken for somebody's own, and stays.
    if record:
        _write(plan.folder / RECORD, record.encode("utf-8"))
    else:
        _remove(plan, plan.folder / RECORD)
    return tuple(refused if plan.refusal else (*refused, *_told(plan.after)))


def tell(words: Sequence[str]) -> None:
    """Run a command of the service manager.

    Raises:
        HostError: it is not there, or says no; the sentence has its words.
    """
    try:
        done = ran(words, timeout=_PATIENCE)
    except FileNotFoundError as error:
        raise HostError(f"there is no {words[0]} here") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostError(f"`{shlex.join(words)}` did not end well: {error}") from error
    if done.returncode != 0:
        said = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise HostError(f"`{shlex.join(words)}`: {said}")


def _told(commands: Commands) -> Iterator[str]:
    for each in commands:
        try:
            tell(each)
        except DreamdError as error:
            yield str(error)


def _data(plan: Plan, place: str) -> bytes:
    return plan.texts[place].encode("utf-8", "surrogateescape")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write(path: Path, data: bytes) -> None:
    files.make_private(path.parent)
    with files.faults("write", path):
        if not path.is_file() or files.content(path) != data:
            files.replace(path, data, mode=0o644)


def _remove(plan: Plan, path: Path) -> None:
    """Remove a file, and the folders above it that are empty then."""
    with files.faults("remove", path):
        path.unlink(missing_ok=True)
    for folder in path.parents:
        if folder == plan.folder and not plan.is_own:
            return
        try:
            folder.rmdir()
        except OSError:  # not empty, or not ours to remove
            return
        if folder == plan.folder:
            return
