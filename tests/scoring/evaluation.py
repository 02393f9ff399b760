"""Sets that DREAMD_EVAL names, each scored by the script that lies beside it."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.scoring import homes
from tests.scoring.figures import BESIDE, MADE, Json, Row, Run, failed, share, tables


def messages(run: Run, script: Path, rows: Sequence[Json]) -> Counter[str]:
    """What the scorer of real messages counts, twelve messages a home, in `jobs` parts."""
    size = 12 * -(-len(rows) // (12 * run.jobs))

    def counted(part: Sequence[Json]) -> Counter[str]:
        with tempfile.TemporaryDirectory(prefix="score-") as folder:
            path = Path(folder) / "messages.jsonl"
            path.write_text("".join(f"{json.dumps(row)}\n" for row in part), "utf-8")
            found = json.loads(run.script(script, "--messages", str(path)))
        return Counter({key: value for key, value in found.items() if isinstance(value, int)})

    parts = [rows[at : at + size] for at in range(0, len(rows), size)]
    with ThreadPoolExecutor(run.jobs) as pool:
        return sum(pool.map(counted, parts), Counter())


def of_messages(name: str, got: Counter[str], right: str = "", explicit: str = "") -> Iterator[Row]:
    """The figures of labelled messages."""
    n = got["written"]
    yield Row(name, "right %", share(got["right"], n), n, right, "written lines worth keeping")
    n = got["messages"]
    yield Row(name, "lines per 100", share(got["written"], n), n, "", "lines per 100 messages")
    n = got["explicit"]
    kept = share(got["explicit_kept"], n)
    yield Row(name, "explicit_kept %", kept, n, explicit, "asked for by a cue, and kept")
    n = got["keep"]
    yield Row(name, "kept %", share(got["kept"], n), n, "", "sentences worth keeping, kept")


def real(run: Run) -> Iterator[Row]:
    """Real messages, all and the random half alone."""
    script = run.file("real", "score.py")
    rows = tables(run.file("real", "messages.jsonl"))
    got = messages(run, script, run.some(rows, 72))
    yield from of_messages("real", got, ">= 80", ">= 60")
    drawn = messages(run, script, [row for row in rows if row["id"].startswith("r1")])
    n = drawn["messages"]
    per = share(drawn["written"], n)
    yield Row("real", "r1: lines per 100", per, n, "<= 6", "the half that was drawn at random")
    n = drawn["written"]
    yield Row("real", "r1: right %", share(drawn["right"], n), n, "", "of the random half")
    yield failed("real", got["failed"] + drawn["failed"], -(-got["messages"] // 12) + -(-62 // 12))


def items(run: Run, path: Path, most: int) -> Counter[str]:
    """Results of the scorer of everyday items, as `kind result`, sixteen items a home."""
    script = run.file("everyday", "everyday.py")
    with tempfile.TemporaryDirectory(prefix="score-") as folder:
        some = Path(folder) / "items.jsonl"
        rows = run.some(tables(path), most)
        some.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
        words = ("--items", str(some), "--mode", "home", "--jobs", str(run.jobs), "--json")
        found = [json.loads(line) for line in run.script(script, *words).splitlines()]
    got: Counter[str] = Counter()
    for row in found:
        states = {row["state"], row["result"], "all", *(["failed"] if row["rc"] else [])}
        got.update(f"{row['kind']} {state}" for state in states)
        got["failed"] += row["rc"] != 0
    return got


def of_items(name: str, got: Counter[str], limits: Sequence[tuple[str, ...]]) -> Iterator[Row]:
    """A row for each kind of item: kind, state, must and what it is."""
    for kind, state, must, what in limits:
        n = got[f"{kind} all"]
        if n:
            yield Row(name, f"{kind} {state} %", share(got[f"{kind} {state}"], n), n, must, what)
    runs = sum(n for key, n in got.items() if key.endswith(" all"))
    yield failed(name, got["failed"], runs)


def hearing(run: Run) -> Iterator[Row]:
    """Imagined pairs of a line and a message; then imagined messages, labelled like real ones."""
    limits = (
        ("update", "current", ">= 20", MADE),
        ("update", "conflict", "<= 3", BESIDE),
        ("lookalike", "right", ">= 99", "look-alikes left byte for byte"),
    )
    yield from of_items("hearing", items(run, run.file("hearing", "items.jsonl"), 96), limits)
    rows = run.some(tables(run.file("hearing", "messages.jsonl")), 144)
    got = messages(run, run.file("real", "score.py"), rows)
    yield from of_messages("hearing", got)
    yield failed("hearing", got["failed"], -(-len(rows) // 12))


def everyday(run: Run) -> Iterator[Row]:
    """What developers really type, imagined."""
    limits = (
        ("update", "current", ">= 45", MADE),
        ("update", "conflict", "", BESIDE),
        ("note-conflict", "right", ">= 50", "notes against notes: only the newer stands"),
        ("lookalike", "right", ">= 98", "look-alikes left byte for byte"),
        ("forgettable", "right", ">= 96", "worth nothing, and not written"),
        ("remember", "right", ">= 35", "worth remembering, and kept"),
    )
    yield from of_items("everyday", items(run, run.file("everyday", "items.jsonl"), 80), limits)


def memorycode(run: Run) -> Iterator[Row]:
    """Instructions that change over sessions."""
    cases = run.file("memorycode", "cases")
    script = run.file("memorycode", "memorycode.py")
    ids = run.some(sorted(path.name for path in cases.iterdir()), 4)

    def counted(part: Sequence[str]) -> tuple[Json, Counter[str]]:
        with tempfile.TemporaryDirectory(prefix="score-") as out:
            words = ("run", "--cases", str(cases), "--out", out, "--ids", ",".join(part))
            found = json.loads(run.script(script, *words).splitlines()[-1])
        return found, Counter(found["coding"])

    with ThreadPoolExecutor(run.jobs) as pool:
        got = list(pool.map(counted, homes.dealt(ids, -(-len(ids) // run.jobs))))
    every = {
        key: sum(count[key] for _, count in got) for key in ("kept", "scored", "current", "changed")
    }
    lines, noise = (sum(found[key] for found, _ in got) for key in ("lines", "noise"))
    kept, current = share(every["kept"], every["scored"]), share(every["current"], every["changed"])
    yield Row("memorycode", "kept %", kept, every["scored"], ">= 60", "in force, and kept")
    yield Row(
        "memorycode", "current %", current, every["changed"], ">= 40", "changed: the newer one"
    )
    yield Row("memorycode", "noise %", share(noise, lines), lines, "<= 25", "no instruction")
    yield failed("memorycode", sum(found["failed"] for found, _ in got), len(ids))


def dev(run: Run) -> Iterator[Row]:
    """What must never happen, over converted benchmarks, at a budget of 25,600 bytes."""
    script, cases = run.file("run.py"), run.file("dev", "input")
    names = sorted(path.name for path in cases.iterdir())
    if run.quick:  # the first case of each suite
        names = list({"-".join(name.split("-")[:2]): name for name in reversed(names)}.values())
    with tempfile.TemporaryDirectory(prefix="score-") as folder:
        chosen, out = Path(folder) / "dev", Path(folder) / "rows.json"
        (chosen / "input").mkdir(parents=True)
        for name in names:
            (chosen / "input" / name).symlink_to(cases / name)
        (chosen / "gold").symlink_to(run.file("dev", "gold"))
        words = ("--cases", str(chosen), "--budgets", "25600", "--jobs", str(run.jobs))
        run.script(script, *words, "--json", str(out))
        found: list[Json] = json.loads(out.read_text("utf-8"))

    def total(key: str, rows: Sequence[Json] = found) -> float:
        return float(sum(row.get(key, 0) for row in rows))

    for figure, part, whole, what in (
        ("notes_kept %", "old_kept", "old_values", "numbers of the notes that still stand"),
        ("recoverable %", "recovered", "removed", "removed lines that still exist"),
        ("faithful %", "faithful", "clauses", "numbers of a clause said together"),
    ):
        n = total(whole)
        yield Row("dev", figure, share(total(part), n), int(n), ">= 99.5", what)
    for figure in ("dangling", "index_over", "invented"):
        yield Row("dev", figure, total(figure), len(found), "<= 0", "over all cases")
    for suite, part, must in (
        ("locomo-prune", "kept", ">= 98"),
        ("locomo-prune", "in_index", ">= 93"),
        ("update", "kept", ">= 97"),
        ("gather", "kept", ""),
    ):
        rows = [row for row in found if suite in row["suite"]]
        n = total("facts", rows)
        what = "facts kept" if part == "kept" else "facts in the index"
        yield Row("dev", f"{suite} {part} %", share(total(part, rows), n), int(n), must, what)
    yield failed("dev", sum(row["rc"] != 0 for row in found), len(found))
