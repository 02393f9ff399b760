"""How fast evidence is made: `python -m tests.evidence.speed [MEGABYTES]`; all figures are of CPU.

Transcripts as a client writes them, of tool use, of long texts and of mere chat are made in a
temporary folder, each mix of so many megabytes (12). Each is read, and once more into fresh
evidence with scoring. Then come one line of 900 kB and 20,000 alike messages.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from dreamd.domain.settings import Evidence
from dreamd.domain.store import Store
from dreamd.dream.recall import talk
from dreamd.evidence.gathered import gathered
from dreamd.evidence.ingest import Reader
from tests.transcripts.made import line, user, write
from tests.transcripts.speed import MIXES

SYLLABLES = ("ka", "lo", "mi", "ren", "sta", "vor", "ti", "bel", "gra", "nu", "fesh", "dol")
VOCABULARY = [one + two + three for one in SYLLABLES for two in SYLLABLES for three in SYLLABLES]
WEIGHTS = [1 / rank for rank in range(1, len(VOCABULARY) + 1)]  # as in talk (Zipf's law)
BEGAN = datetime(2026, 1, 1, 8, tzinfo=UTC)
SESSIONS = 50  # of a mix


def statement(chance: random.Random) -> str:
    """Return a fact and a question, of words as they are distributed in talk."""
    one, two, three, four, five, six = chance.choices(VOCABULARY, WEIGHTS, k=6)
    return (
        f"Our {one} {two} on the {three} needs {chance.randrange(2, 900)} {four} a day. "
        f"How can I make the {two} of our {five} wait for the {six}?"
    )


def make(folder: Path, mix: str, size: int) -> None:
    """Write sessions of a mix, of so many bytes together; no two messages are the same."""
    chance = random.Random(5)
    folder.mkdir(parents=True)
    models = [json.dumps(each) for _ in range(40) for each in MIXES[mix](chance)]
    at = BEGAN
    for _ in range(SESSIONS):
        path = folder / f"{UUID(int=chance.getrandbits(128))}.jsonl"
        written = 0
        with path.open("wb") as stream:
            while written < size // SESSIONS:
                record = json.loads(models[chance.randrange(len(models))])
                at += timedelta(seconds=chance.randint(1, 90))
                record |= {"uuid": str(UUID(int=chance.getrandbits(128))), "sessionId": path.stem}
                record["timestamp"] = at.isoformat()
                content = record.get("message", {}).get("content")
                if isinstance(content, str):
                    record["message"]["content"] = f"{content} {statement(chance)}"
                elif content and content[0]["type"] == "text":
                    content[0]["text"] += f" {statement(chance)}"
                written += stream.write(line(record))
        at += timedelta(hours=9)


def measure(name: str, home: Path) -> None:
    """Read and score the sessions of a folder, and print what it took."""
    store, folder = Store(home / "memory", home, "store"), home / "sessions"
    started = time.process_time()
    read = gathered(store.evidence, [folder], Reader(home), writes=True).read
    took = time.process_time() - started
    fresh = home / "fresh"
    started = time.process_time()
    found = talk(Store(home / "memory", fresh, "store"), [folder], Evidence(), writes=True)
    both = time.process_time() - started
    print(
        f"{name:24} reading {took:6.2f} s {read.bytes / took / 1e6:6.1f} MB/s; with scoring "
        f"{both:6.2f} s {read.bytes / both / 1e6:6.1f} MB/s; {len(found.said)} messages, "
        f"{len(found.candidates)} that pass"
    )


def main(megabytes: int) -> None:
    """Make each set of sessions and measure it."""
    with tempfile.TemporaryDirectory() as name:
        for mix in reversed(MIXES):
            make(Path(name) / mix / "sessions", mix, megabytes * 1_000_000)
            measure(mix, Path(name) / mix)
        long = Path(name) / "long"
        chance = random.Random(7)
        words = " ".join(chance.choices(VOCABULARY, WEIGHTS, k=130_000))
        write(long / "sessions" / "a.jsonl", user(words[:900_000], 1))
        measure("a line of 900 kB", long)
        alike = Path(name) / "alike"
        rows = [user(f"Our depot in Riga ships {n} crates by rail.", n) for n in range(20_000)]
        write(alike / "sessions" / "a.jsonl", *rows)
        measure("20,000 alike messages", alike)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 12)
