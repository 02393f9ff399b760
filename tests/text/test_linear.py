"""Every pattern of the package takes time that grows with the text, whatever stands in it.

Each is fed texts made for it: what its repeats take, over and over, and what nearly matches it.
First 20 kB; where those take so long that a quadratic pattern would take long over 100 kB, 100 kB.
A run that takes samples is content with a tenth of it.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import pytest

import dreamd
from dreamd.text.late import Late
from dreamd.text.secrets.opaque import wholes
from tests.sample import WHOLE

ROOT = Path(dreamd.__file__).parent
SIZE, SMALL = (100_000, 20_000) if WHOLE else (10_000, 2_000)
QUICK = SIZE * 1.5e-6  # CPU seconds within which 100 kB need no second look
FAST = QUICK / 25  # within which 20 kB do not: then 100 kB are quick, even if it is quadratic
MOST = SIZE * 2.5e-5  # within which 20 kB are read five times, if they are to be compared
RATIO = 2.0  # of the time for 100 kB to that for five times 20 kB; 1 is linear, 5 quadratic
LONGEST = 300  # characters of a pattern
ASKED = {"match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split"}
ANCHORED = {"match", "fullmatch"}
EVERYWHERE = (
    " ",
    "a",
    "1",
    "A",
    "`",
    "[",
    "(",
    '"',
    "-",
    "\n",
    "[a](",
    "a ",
    "1.",
    "<a ",
    "/a",
    "é",
)


class Found(NamedTuple):
    """A pattern, where it stands, and how it is asked."""

    where: str
    pattern: str | bytes
    flags: int
    asked: frozenset[str]


def modules() -> list[str]:
    names = [name for _, name, _ in pkgutil.walk_packages(dreamd.__path__, "dreamd.")]
    return sorted(name for name in names if not name.endswith("__main__"))


def trees() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(ROOT.rglob("*.py")):
        name = ".".join(("dreamd", *file.relative_to(ROOT).with_suffix("").parts))
        yield name.removesuffix(".__init__"), ast.parse(file.read_text("utf-8"))


def held(value: object) -> Iterator[Late | re.Pattern[Any]]:
    """The patterns in a module's value, however deep."""
    if isinstance(value, Late | re.Pattern):
        yield value
    elif isinstance(value, dict):
        for each in (*value.keys(), *value.values()):
            yield from held(each)
    elif isinstance(value, tuple | list | frozenset | set):
        for each in value:
            yield from held(each)


def flags_of(pattern: Late | re.Pattern[Any]) -> int:
    return pattern._flags if isinstance(pattern, Late) else pattern.flags


@cache
def found() -> tuple[Found, ...]:
    """Every pattern that a module holds or writes into a call of `re`, once each."""
    asked: dict[tuple[str, str], set[str]] = {}
    every: dict[tuple[str | bytes, int], Found] = {}

    def add(where: str, pattern: str | bytes, flags: int, how: set[str]) -> None:
        before = every.get((pattern, flags & ~re.UNICODE.value))
        how = how | (set(before.asked) if before else set())
        every[pattern, flags & ~re.UNICODE.value] = Found(where, pattern, flags, frozenset(how))

    for name, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in ASKED:
                asked.setdefault((name, ast.unparse(node.value)), set()).add(node.attr)
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = ast.unparse(node.func)
            written = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
            if not isinstance(written, str | bytes):
                continue
            if called.startswith("re.") and called[3:] in ASKED:
                add(name, written, 0, {called[3:]})
            elif called in {"late", "re.compile"} and len(node.args) == 1:
                add(name, written, 0, set())
    for name in modules():
        for variable, value in vars(importlib.import_module(name)).items():
            for pattern in held(value):
                how = (
                    asked.get((name, variable), set())
                    if isinstance(value, Late | re.Pattern)
                    else set()
                )
                add(f"{name}.{variable}", pattern.pattern, flags_of(pattern), how)
    for rows in wholes().values():
        for kind in rows:
            add(f"dreamd.text.data.secrets: {kind.name}", kind.form.pattern, 0, {"finditer"})
    return tuple(every.values())


# --- texts that a pattern might be slow on ---------------------------------------------------


def letter(items: list[Any]) -> str:
    """A character of a class."""
    if items[0][0] is op.NEGATE:
        taken = re.compile("[^" + "".join(map(_written, items[1:])) + "]")
        return next((each for each in "a1 -_.xZ\n!é" if taken.match(each)), "\u2603")
    kind, what = items[0]
    if kind is op.RANGE:
        return chr(what[0])
    return CATEGORIES.get(what, "a") if kind is op.CATEGORY else chr(what)


CATEGORIES = {
    op.CATEGORY_DIGIT: "1", op.CATEGORY_SPACE: " ", op.CATEGORY_WORD: "a",
    op.CATEGORY_NOT_DIGIT: "a", op.CATEGORY_NOT_SPACE: "a", op.CATEGORY_NOT_WORD: "-",
}  # fmt: skip
WRITTEN = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_SPACE: r"\s", op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _written(item: tuple[Any, Any]) -> str:
    kind, what = item
    if kind is op.CATEGORY:
        return WRITTEN[what]
    if kind is op.RANGE:
        return f"{re.escape(chr(what[0]))}-{re.escape(chr(what[1]))}"
    return re.escape(chr(what))


def samples(parsed: Any, groups: dict[int, str]) -> tuple[str, list[tuple[str, str]]]:
    """A text that a pattern takes, roughly, and for each repeat what stands before and in it."""
    text, pumps = "", []
    for kind, what in parsed:
        inner: list[tuple[str, str]] = []
        if kind is op.LITERAL:
            text += chr(what)
        elif kind is op.NOT_LITERAL:
            text += "a" if what != ord("a") else "b"
        elif kind is op.ANY:
            text += "a"
        elif kind is op.IN:
            text += letter(what)
        elif kind is op.CATEGORY:
            text += CATEGORIES.get(what, "a")
        elif kind is op.BRANCH:
            every = [samples(each, groups) for each in what[1]]
            inner = [pump for _, some in every for pump in some]
            pumps += [(text + before, body) for before, body in inner]
            text += every[0][0]
            continue
        elif kind is op.SUBPATTERN:
            said, inner = samples(what[3], groups)
            if what[0] is not None:
                groups[what[0]] = said
            pumps += [(text + before, body) for before, body in inner]
            text += said
        elif kind in {op.MAX_REPEAT, op.MIN_REPEAT}:
            said, inner = samples(what[2], groups)
            pumps += [(text + before, body) for before, body in inner]
            if what[1] > 20:
                pumps.append((text, said or "a"))
            text += said * max(what[0], 1)
        elif kind is op.GROUPREF:
            text += groups.get(what, "")
    return text, pumps


def hostile(pattern: str | bytes, flags: int) -> list[str]:
    """Pieces to repeat and texts with a long middle: `(before, piece)` to fill up with."""
    written = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    text, pumps = samples(_parser.parse(written, flags & ~re.DEBUG), {})
    pieces = [("", each) for each in EVERYWHERE]
    for before, body in dict.fromkeys(pumps):
        pieces += [(before, body), ("", before + body), ("", (before + body * 30 + " ")[-200:])]
        pieces += [(before, f"{body} "), ("", body + before)]
    text = text[:200]
    pieces += [("", text[:cut]) for cut in {len(text), len(text) - 1, len(text) // 2} if cut > 0]
    pieces += [("", text + " "), (text[:-1], " "), ("", "\n" + text)]
    return [f"{before}\1{piece}" for before, piece in dict.fromkeys(pieces) if piece]


def filled(made: str, size: int) -> str:
    before, _, piece = made.partition("\1")
    return (before + piece * (size // len(piece) + 1))[:size]


# --- the clock ------------------------------------------------------------------------------------


class TooSlowError(Exception):
    """The CPU seconds were used up."""


def _stop(_signal: int, _frame: object) -> None:
    raise TooSlowError


def seconds(work: Callable[[], object], most: float) -> float:
    """CPU seconds that some work takes, `most` where it takes more.

    Never more than the clock on the wall says: the CPU's may tick in steps of 4 ms.
    """
    before = signal.signal(signal.SIGPROF, _stop)
    started = time.process_time()
    began = time.perf_counter()
    try:
        try:
            signal.setitimer(signal.ITIMER_PROF, most)
            work()
            return min(time.perf_counter() - began, time.process_time() - started)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except TooSlowError:  # it may come as late as while the timer is stopped
        return most
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def is_linear(work: Callable[[int], Callable[[], object]]) -> bool:
    """Whether work on a text of a size takes time that grows with it, in one of three trials."""
    if seconds(work(SMALL), FAST) < FAST:
        return True
    for _ in range(3):
        whole = work(SIZE)
        if seconds(whole, QUICK) < QUICK:
            return True
        part = work(SMALL)
        small = seconds(lambda part=part: [part() for _ in range(5)], MOST)  # type: ignore[misc]
        if small < MOST and seconds(whole, RATIO * small) < RATIO * small:
            return True
    return False


def asking(pattern: re.Pattern[Any], how: str, text: str | bytes) -> Callable[[], object]:
    if how in ANCHORED | {"search"}:
        return lambda: getattr(pattern, how)(text)
    return lambda: sum(1 for _ in pattern.finditer(text))


def slow(each: Found) -> Iterator[str]:
    compiled = re.compile(each.pattern, each.flags)
    ways = {how if how in ANCHORED | {"search"} else "finditer" for how in each.asked}
    for made in hostile(each.pattern, each.flags):
        for how in ways or {"finditer"}:

            def work(size: int, made: str = made, how: str = how) -> Callable[[], object]:
                text: str | bytes = filled(made, size)
                if isinstance(each.pattern, bytes):
                    text = str(text).encode("latin-1", "replace")
                return asking(compiled, how, text)

            if not is_linear(work):
                yield f"{each.where} .{how} on {made!r}"
                return


# --- the tests --------------------------------------------------------------------------------


def test_every_pattern_is_linear() -> None:
    assert [said for each in found() for said in slow(each)] == []


def test_no_pattern_is_long() -> None:
    long = {
        each.where: len(each.pattern)
        for each in found()
        if len(each.pattern) > LONGEST and each.where.split(".")[2] != "secrets"  # from a table
    }
    assert long == {}


def test_no_pattern_has_what_python_3_11_gets_wrong() -> None:
    """Possessive repeats and atomic groups fail where they should match, before 3.11.5."""
    names = ("POSSESSIVE_REPEAT", "ATOMIC_GROUP")
    wrong = [
        each.where
        for each in found()
        if any(name in repr(_parser.parse(each.pattern, each.flags)) for name in names)
    ]
    assert wrong == []


def test_a_quadratic_pattern_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "SIZE", 10_000)
    monkeypatch.setitem(globals(), "SMALL", 2_000)
    monkeypatch.setitem(globals(), "QUICK", 0.01)
    monkeypatch.setitem(globals(), "FAST", 0.01 / 25)
    monkeypatch.setitem(globals(), "MOST", 0.25)
    for pattern in (r"[ab]+c", r"\s*x", r"(?:a|ab)*[^x]*!", r"\[.*\]\("):
        assert list(slow(Found("here", pattern, 0, frozenset({"finditer"})))), pattern
    for pattern in (r"(?<![ab])[ab]+c", r"a{1,9}b", r"\[[^\[\]]*\]\("):
        assert not list(slow(Found("here", pattern, 0, frozenset({"finditer"})))), pattern
