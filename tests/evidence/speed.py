"""How fast evidence is made: `python -m tests.evidence.speed [MEGABYTES]`.

Transcripts as a client writes them (of a year's bytes, what is said is 3.4 %), of tool use, of long
texts and of mere chat are made in a temporary folder, each mix of so many megabytes (100; a year of
work is some 1,000). By the light pass that dreams use, all is ingested, then ingested again with
nothing new, then again with one more session; each in a process of its own. Figures are of CPU,
user and system: megabytes a second, or seconds; the seconds that a dream then needs for what its
rules notice in messages, and those of the next dream, which knows that, to recall and weigh all;
and the former by the latter. Last come the seconds to weigh so many claims.
"""

from __future__ import annotations

import itertools
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from dreamd.domain.evidence import ClaimKind, Query, Snippet
from dreamd.domain.prose.concepts import tags
from dreamd.domain.settings import Evidence as EvidenceSettings
from dreamd.domain.store import Store
from dreamd.engine.rules import RulesEngine
from dreamd.engine.rules.noticing import Noticing
from dreamd.evidence.deep import Gates, Weights
from dreamd.evidence.gathered import gathered
from dreamd.evidence.ingest import Reader
from dreamd.evidence.light import VERSION, light
from dreamd.evidence.weigh import weigh
from dreamd.weighed import weighed
from tests.transcripts.made import line
from tests.transcripts.speed import MIXES

MEGABYTES = 100
SESSIONS = 200  # of a mix
CLAIMS = 10_000, 100_000
SYLLABLES = "ka lo mi ren sta vor ti bel gra nu fesh dol qui mar ten".split()  # noqa: SIM905
# As in talk, few words are common and most are rare (Zipf's law).
VOCABULARY = ["".join(each) for each in itertools.product(SYLLABLES, repeat=3)]
COMMONNESS = list(itertools.accumulate(1 / rank for rank in range(1, len(VOCABULARY) + 1)))
BEGAN = datetime(2026, 1, 1, 8, tzinfo=UTC)


def statement(chance: random.Random) -> str:
    """A fact and a question, of words as they are distributed in talk."""
    one, two, three, four, five, six = chance.choices(VOCABULARY, cum_weights=COMMONNESS, k=6)
    return (
        f"Our {one} {two} on the {three} needs {chance.randrange(2, 900)} {four} a day. "
        f"How can I make the {two} of our {five} wait for the {six}?"
    )


def make(folder: Path, mix: str, size: int, sessions: int = SESSIONS, seed: int = 5) -> None:
    """Write sessions of a mix, of so many bytes together; no two messages are the same."""
    chance = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    kept = [json.dumps(each) for _ in range(40) for each in MIXES[mix](chance)]
    at = BEGAN
    for number in range(sessions):
        path = folder / f"{UUID(int=chance.getrandbits(128))}.jsonl"
        written = 0
        with path.open("wb") as stream:
            while written < size // sessions:
                record = json.loads(kept[chance.randrange(len(kept))])
                at += timedelta(seconds=chance.randint(1, 90))
                record |= {"uuid": str(UUID(int=chance.getrandbits(128))), "sessionId": path.stem}
                record["timestamp"] = at.isoformat()
                content = record.get("message", {}).get("content")
                if isinstance(content, str):
                    record["message"]["content"] = f"{content} {statement(chance)}"
                elif content and content[0]["type"] == "text":
                    content[0]["text"] += f" {statement(chance)}"
                written += stream.write(line(record))
        at = BEGAN + timedelta(days=365 * number / sessions)


def measure(what: str, home: Path) -> None:
    """Ingest, then recall and weigh as a dream does, in this process, and print the figures."""
    folder = home / "sessions"
    store = Store(home / "memory", home, "store")
    started = time.process_time()
    reader = Reader(light, VERSION, home)
    read = gathered(store.evidence, [folder], reader, writes=True).read
    took = time.process_time() - started
    seconds = []
    for _ in range(2):
        started = time.process_time()
        wanted = RulesEngine().attention
        found = weighed(store, [folder], EvidenceSettings(), writes=True, attention=wanted)
        noticing = Noticing(found.noticed)
        news = noticing.news(found.heard.said)
        asked = list(noticing.claims(found.heard.said))
        seconds.append(time.process_time() - started)
    first, after = seconds
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    speed = f"{read.bytes / took / 1e6:6.0f} MB/s" if what == "all" else " " * 11
    print(
        f"{what:12} {took:7.2f} s {speed}; a dream {first:6.2f} s, the next {after:6.2f} s "
        f"({first / after:.1f}) of {len(found.heard.said)} messages, {len(news) + len(asked)} "
        f"noticed, {len(found.candidates)} candidates; "
        f"evidence {store.evidence.stat().st_size / 1e6:.1f} MB, peak {peak:.0f} MiB"
    )


def claims_weighed(count: int) -> float:
    """Weigh so many statements, each with a question, and return the seconds."""
    chance = random.Random(3)
    heard: list[Snippet | Query] = []
    for number in range(count):
        at = BEGAN + timedelta(minutes=5 * number)
        said = statement(chance)
        stated, asked = said.split(". ", 1)
        name, told = str(number), tags(stated)
        heard += [
            Snippet(stated, said, ClaimKind.FACT, "", "", told, "person", "", name, at, at.date()),
            Query(asked, "", name, at, at.date()),
        ]
    started = time.process_time()
    weigh(heard, Weights(), Gates())
    return time.process_time() - started


def main(megabytes: int) -> None:
    """Make the mixes and measure each in fresh processes."""
    with tempfile.TemporaryDirectory() as name:
        for mix in reversed(MIXES):
            home = Path(name) / mix
            make(home / "sessions", mix, megabytes * 1_000_000)
            for what in ("all", "nothing new", "one session"):
                if what == "one session":
                    make(home / "sessions", mix, 1_000_000, sessions=1, seed=6)
                print(f"{mix:12}", end=" ", flush=True)
                words = [sys.executable, "-m", "tests.evidence.speed", what, str(home)]
                subprocess.run(words, check=True)
    few, many = map(claims_weighed, CLAIMS)
    print(
        f"weighing {CLAIMS[0]} claims {few:.2f} s, {CLAIMS[1]} claims {many:.2f} s "
        f"({many / few:.1f} times as long)"
    )


if __name__ == "__main__":
    if sys.argv[2:]:
        measure(sys.argv[1], Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else MEGABYTES)
