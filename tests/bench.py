"""Figures as ratios and CPU seconds, taken in one run: `python tests/bench.py`.

Start-up: the CPU time of a command beside that of `python -c 'import argparse'`, in turn, the
median of the ratios; of `nudge`, for which hooks wait, beside that of `python -c pass`. A
dream: the CPU time of `dreamd dream` over 200 notes made here.
"""

from __future__ import annotations

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PAIRS = 21
NOTES = 200


def cpu(words: list[str], home: Path) -> float:
    """The CPU seconds of one process and its children, the system's own account."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environ = kept | {"HOME": str(home), "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, env=environ, stdout=subprocess.DEVNULL, check=True)
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


if __name__ == "__main__":
    main()
