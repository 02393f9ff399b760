"""Whether to dream: one table of gates, cheapest first, and the one function that asks them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

from dreamd.domain.settings import Gates, Settings, hours_of_day
from dreamd.domain.store import Standing, Store
from dreamd.domain.verdict import Verdict
from dreamd.gates import pause, rules
from dreamd.gates.rules import Last, Ruling, Sessions, Spent
from dreamd.gates.wording import MINUTE, SECOND, page, sentence
from dreamd.host import clock, files, laptop
from dreamd.host.laptop import Client
from dreamd.text.late import late

__all__ = ["BY_LOOK", "GATES", "Context", "ask", "page", "scan", "sentence"]

_LENGTH = len("00000000-0000-0000-0000-000000000000.jsonl")
_LOCK_NAME = ".consolidate-lock"
_SESSION = late(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\.jsonl")
_EVER = -(2**127)  # before any stamp


class Context(Struct):
    """What the gates of one store read, each thing only when a gate asks for it.

    A process that stays keeps it from one asking to the next. It is for one thread.
    """

    store: Store
    settings: Settings
    folders: Callable[[], Sequence[Path]]  # the transcript folders of this memory
    standing: Callable[[], Standing]  # who holds the lock (`lock.standing`)
    spent: Callable[[], Spent | None]  # None where a dream costs nothing, or nobody knows
    clients: Callable[[], Sequence[Client]]  # the sessions that are alive
    current: frozenset[str] = frozenset()  # sessions that ask, which do not count
    now: int = 0
    last: Last = Last()
    sessions: Sessions | None = None  # once this asking has looked at them


def _last(context: Context) -> Last:
    """Read the stamp of the lock; only a body asks for more."""
    path = f"{context.store.memory}/{_LOCK_NAME}"
    with files.faults("look at the lock", Path(path)):
        try:
            seen = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return Last()
    if seen.st_size == 0 and stat.S_ISREG(seen.st_mode):
        return Last(seen.st_mtime_ns)
    standing = context.standing()
    true = None if standing.consolidated is None else clock.to_ns(standing.consolidated)
    if standing.from_future and standing.interrupted is None:
        true = seen.st_mtime_ns
    holder = "" if standing.holder is None else standing.holder.by
    return Last(true, holder, "" if standing.interrupted is None else standing.interrupted.dream)


def _read_last(context: Context) -> Last:
    context.last = _last(context)
    return context.last


def _quiet(context: Context) -> tuple[int, int] | None:
    """Return the quiet hours that last or come next, by the local time of the moment."""
    hours = hours_of_day(context.settings.gates.quiet)
    if hours is None:
        return None
    begins, ends = hours
    day = clock.local(context.now).date() - timedelta(days=1)
    over_midnight = timedelta(days=ends < begins)
    while (end := clock.at_local(day + over_midnight, ends)) <= context.now:
        day += timedelta(days=1)
    return clock.at_local(day, begins), end


def scan(
    folders: Sequence[Path], since: int | None, grace: int, skip: Collection[str] = ()
) -> Sessions:
    """Return the sessions in some folders, but those to skip; they count from `grace` before.

    A session is a regular file `<uuid>.jsonl` right in a folder, and no link. The same id in two
    folders is one session, as new as the newer. A folder that is missing or cannot be read holds
    none, and is named.
    """
    after = _EVER if since is None else since - grace
    own = {f"{each}.jsonl" for each in skip}
    stamps: dict[str, int] = {}
    unread = [] if folders else ["no transcript directory belongs to this memory"]
    newest = _EVER
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.name
                    if len(name) != _LENGTH:
                        continue
                    try:
                        seen = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue  # removed since its name was read
                    stamp = seen.st_mtime_ns
                    if stamp <= after and stamp <= newest:
                        continue  # as most are, of 100,000
                    if name not in own and stat.S_ISREG(seen.st_mode) and _SESSION.fullmatch(name):
                        newest = max(newest, stamp)
                        stamps[name] = max(stamps.get(name, stamp), stamp)
        except (FileNotFoundError, NotADirectoryError):
            unread.append(f"there is no transcript directory {folder}")
        except OSError as error:
            unread.append(f"{folder} cannot be read ({error.strerror or error})")
    return Sessions(
        count=sum(stamp > after for stamp in stamps.values()),
        since=since,
        newest=newest if stamps else None,
        oldest=min(stamps.values(), default=None) if since is None else None,
        unread=tuple(unread),
    )


def _sessions(context: Context) -> Sessions:
    """Look at the sessions, once an asking."""
    if context.sessions is None:
        since = rules.believed(context.last.stamp, context.now)
        grace = round(context.settings.gates.grace_seconds * SECOND)
        context.sessions = scan(context.folders(), since, grace, context.current)
    return context.sessions


def _activity(context: Context) -> tuple[Sequence[Client], Sessions] | None:
    if not context.settings.gates.idle_minutes:
        return None
    others = [each for each in context.clients() if each.session not in context.current]
    return others, _sessions(context)


class Gate(Struct, frozen=True):
    """One condition for a dream to begin by itself: one costly read with one pure rule."""

    name: str
    read: Callable[[Context], Any]
    rule: Callable[[Any, Gates, int], Ruling]


GATES = (
    Gate("kill switch", lambda c: c.settings.enabled, rules.switched_on),
    Gate("time", _read_last, rules.long_enough_ago),  # one stat
    Gate("throttle", lambda c: pause.read(c.store), rules.rested),  # a small file
    Gate("quiet", _quiet, rules.not_quiet),
    Gate("load", lambda c: laptop.load() if c.settings.gates.load else None, rules.not_loaded),
    Gate("passes", lambda c: pause.passes(c.store.state), rules.few_passes),  # a small file
    Gate("budget", lambda c: c.spent(), rules.affordable),  # a key and a ledger
    Gate(
        "battery", lambda c: laptop.battery() if c.settings.gates.battery else None, rules.powered
    ),
    Gate("sessions", _sessions, rules.enough_sessions),  # a scan of each folder
    Gate("idle", _activity, rules.idle),  # a file for each client
    Gate("lock", lambda c: c.standing(), rules.nobody_dreams),  # two files, a process
)
BY_LOOK = {"sessions", "idle"}  # after a no of theirs the sessions are left alone for a while


def ask(context: Context, *, every: bool = False, dry: bool = False) -> list[Verdict]:
    """Ask the gates, cheapest first, up to the first that is closed: the last verdict decides.

    With `every` all of them are asked. Then, and if `dry`, nothing is written.
    """
    now, limits = clock.now_ns(), context.settings.gates
    context.now, context.last, context.sessions = now, Last(), None
    verdicts: list[Verdict] = []
    for gate in GATES:
        answer = gate.rule(gate.read(context), limits, now)
        # Rounded up to what a datetime can say, so that asking then is not asking too early.
        again = None if answer.again is None else clock.from_ns(answer.again + 999)
        verdicts.append(Verdict(gate.name, answer.is_open, answer.read, answer.opens, again))
        if not answer.is_open and not every:
            if gate.name in BY_LOOK and limits.throttle_minutes and not dry:
                rest = now + round(limits.throttle_minutes * MINUTE)
                pause.looked(context.store, min(rest, answer.again or rest), answer.read)
            break
    return verdicts
