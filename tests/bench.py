"""Figures as ratios and CPU seconds, taken in one run: `python tests/bench.py`.

Start-up: the CPU time of a command beside that of `python -c 'import argparse'`, in turn, the
median of the ratios; of `nudge`, for which hooks wait, beside that of `python -c pass`. A
dream: the CPU time of `dreamd dream` over 200 notes made here; and over 3,000 daily notes of 20
lines, at first, once more, and over the same files under names that tell no day. Talk: how fast
mere chat becomes evidence, beside `json.loads` alone on the same bytes; the CPU time of weighing
100,000 claims (`tests/evidence/speed.py` tells more of both).
"""

from __future__ import annotations

import itertools
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

PAIRS = 21
NOTES = 200
DAYS = 3_000
CHAT = 20_000_000  # bytes
CLAIMS = 100_000
ROOT = Path(__file__).parent.parent
INGEST = """
import sys
from pathlib import Path
from dreamd.evidence.gathered import gathered
from dreamd.evidence.ingest import Reader
from dreamd.evidence.light import VERSION, light
home = Path(sys.argv[1])
gathered(home / "db" / "evidence.db", [home], Reader(light, VERSION, home / "db"), writes=True)
"""
DECODE = """
import json, sys
from pathlib import Path
for path in Path(sys.argv[1]).glob("*.jsonl"):
    for line in path.read_bytes().splitlines():
        json.loads(line)
"""
CHATTED = """
import sys
from pathlib import Path
from tests.evidence.speed import make
make(Path(sys.argv[1]), "chat", int(sys.argv[2]))
"""
WEIGHED = """
import sys
from tests.evidence.speed import claims_weighed
print(f"{claims_weighed(int(sys.argv[1])):.2f}")
"""


def cpu(words: list[str], home: Path) -> float:
    """The CPU seconds of one process and its children, the system's own account."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environ = kept | {"HOME": str(home), "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, env=environ, stdout=subprocess.DEVNULL, check=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def memory_of(notes: int, folder: Path) -> Path:
    """A memory of so many notes of 2 kB, a third without a pointer, and an index over its limit."""
    chance = random.Random(7)
    vocabulary = [f"{a}{b}{c}" for a in "bdgklm" for b in "aeiou" for c in ("rn", "st", "ll", "m")]

    def line() -> str:
        words = " ".join(chance.choice(vocabulary) for _ in range(12))
        return f"- {words} {chance.randint(1, 9999)}\n"

    folder.mkdir()
    index = ["# Memory\n\n"]
    for number in range(1, notes):
        name = f"note-{number}"
        head = f"---\nname: {name}\ndescription: about {line()[2:40].strip()}\n---\n\n# {name}\n\n"
        (folder / f"{name}.md").write_text(head + "".join(line() for _ in range(30)))
        if number % 3:
            index.append(f"- [{name}]({name}.md) — {line()[2:40].strip()}\n")
    for day in range(1, 16):
        index += [f"\n## Log 2026-01-{day:02}\n\n", *(line() for _ in range(8))]
    (folder / "MEMORY.md").write_text("".join(index))
    return folder


def days_of(count: int, folder: Path, ending: str = "") -> Path:
    """A memory of so many daily notes of 20 lines; with an ending their names tell no day."""
    chance = random.Random(4)
    parts = "ka lo mi ren sta vor ti bel gra nu fesh dol qui mar ten".split()  # noqa: SIM905
    words = ["".join(each) for each in itertools.product(parts, repeat=3)]
    often = [1 / rank for rank in range(1, len(words) + 1)]
    forms = (
        "Our {} {} on the {} needs {n} {} a day.",
        "Fixed the {} {} in the {} module of {}.",
        "The {} {} of the {} runs on port {n}.",
        "We decided to keep the {} {} instead of the {} because the {} is {}.",
        "The {} team owns the {} {}, the {} team the {}.",
    )

    def line() -> str:
        said = chance.choice(forms).format(
            *chance.choices(words, often, k=5), n=chance.randint(2, 9999)
        )
        return f"- {said}\n"

    again = [line() for _ in range(600)]
    for number in range(count):
        day = date(2017, 1, 1) + timedelta(number)
        path = folder / "logs" / f"{day:%Y}" / f"{day:%m}" / f"{day:%d}{ending}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [chance.choice(again) if chance.random() < 0.05 else line() for _ in range(20)]
        path.write_text(f"# {day:%A}\n\n{''.join(rows)}")
    (folder / "MEMORY.md").write_text("# Memory\n\n- The harbour office is in Lorient.\n")
    return folder


def talk(home: Path) -> None:
    """Print how fast mere chat becomes evidence, and how long weighing takes."""
    python = [sys.executable, "-c"]
    chat = home / "chat"
    cpu([*python, CHATTED, str(chat), str(CHAT)], home)
    size = sum(each.stat().st_size for each in chat.iterdir()) / 1e6
    ingested, decoded = (cpu([*python, code, str(chat)], home) for code in (INGEST, DECODE))
    print(
        f"mere chat: {size / ingested:.1f} MB/s of CPU, json.loads alone {size / decoded:.0f} "
        f"({ingested / decoded:.1f} times as long)"
    )
    words = [*python, WEIGHED, str(CLAIMS)]
    told = subprocess.run(words, check=True, capture_output=True, text=True, cwd=ROOT)
    print(f"weighing {CLAIMS} claims: {told.stdout.strip()} s of CPU")


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        memory = str(memory_of(NOTES, home / "memory"))
        dreamd = str(Path(sys.executable).with_name("dreamd"))
        floor = [sys.executable, "-c", "import argparse"]
        first = cpu([dreamd, "dream", memory], home)
        again = cpu([dreamd, "dream", memory], home)
        for words in (
            ["--help"],
            ["log", memory],
            ["show", "--memory", memory],
            ["status", memory],
            ["dream", memory, "--gated"],  # the time gate is closed: it was just dreamt over
        ):
            cpu([dreamd, *words], home)  # the first run compiles
            pairs = [(cpu([dreamd, *words], home), cpu(floor, home)) for _ in range(PAIRS)]
            ratio = statistics.median(one / other for one, other in pairs)
            print(f"start-up, {words[0]:7} {ratio:.1f} x import argparse")
        floor = [sys.executable, "-c", "pass"]
        cpu([dreamd, "nudge"], home)
        pairs = [(cpu([dreamd, "nudge"], home), cpu(floor, home)) for _ in range(PAIRS)]
        ratio = statistics.median(one / other for one, other in pairs)
        print(f"start-up, nudge   {ratio:.1f} x python -c pass")
        print(f"a dream over {NOTES} notes: {first:.2f} s of CPU, once more: {again:.2f} s")
        daily = str(days_of(DAYS, home / "daily"))
        undated = str(days_of(DAYS, home / "undated", "x"))
        dreamt = (daily, daily, undated, undated)
        first, again, _, others = (cpu([dreamd, "dream", each], home) for each in dreamt)
        print(
            f"a dream over {DAYS} daily notes: {first:.2f} s of CPU, once more: {again:.2f} s; "
            f"over as many others, once more: {others:.2f} s"
        )
        talk(home)


if __name__ == "__main__":
    main()
