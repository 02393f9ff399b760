"""Large transcripts, for what measures the reading of them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from tests.transcripts.made import Record, assistant, line, result, said, user

FILES = 20
WORDS = """a about after again all also always an and another any are as at back be because been
before being between both build but by call can change check code come could data day did do does
done down each end error even every example fails file files find first fix for found from function
get give go good had has have here how however i if in into is it its just know large last like line
list little long look made make many may me might more most much must name need never new no not now
number of off old on one only open or other our out over own part path people place point problem
project question read really right run same see set she should show side since small so some start
state still such system take test tests than that the their them then there these they thing think
this those thought three through time to together too two type under until up us use used user value
very want was way we well were what when where which while who why will with without work would
write year you your""".split()  # noqa: SIM905 - a list of words reads best as words
LESS_COMMON = ["the key", "a token", "`src/app.py`", "password", "I pass", "2026", "don't", "—"]
LESS_COMMON += ["Kubernetes", "config_loader.py", "https://docs.example.org/start", "O(n)", "v2.1"]


def _words(chance: random.Random, characters: int) -> str:
    """Prose of so many characters, in sentences and paragraphs, now and then a technical word."""
    words: list[str] = []
    length = 0
    while length < characters:
        word = chance.choice(WORDS)
        if chance.random() < 0.03:
            word = chance.choice(LESS_COMMON)
        elif chance.random() < 0.08:
            word += chance.choice((".", ",", ".\n\n", ":"))
        words.append(word)
        length += len(word) + 1
    return " ".join(words)


def _code(chance: random.Random, characters: int) -> str:
    rows: list[str] = []
    length = 0
    while length < characters:
        name, other = ("_".join(chance.choices(WORDS, k=2)) for _ in range(2))
        row = f'{len(rows) + 1:6}\t    {name} = self.{other}("{name[:4]}", {chance.randint(1, 99)})'
        rows.append(row)
        length += len(row) + 1
    return "\n".join(rows)


def _tool_heavy(chance: random.Random) -> Iterator[Record]:
    yield user(_words(chance, 200))
    for _ in range(6):
        yield assistant([{"type": "tool_use", "name": "Read", "input": {"file_path": "/a/b.py"}}])
        code = _code(chance, chance.randint(500, 16_000))
        yield result(code, toolUseResult={"file": {"content": code}})
    yield assistant(said(_words(chance, 800)))


def _client_like(chance: random.Random) -> Iterator[Record]:
    prompt = _words(chance, 45_000)
    for kind in ("system_prompt", "tools", "memory"):
        yield user(None, type="attachment", attachment={"type": kind, "content": prompt})
    yield user(_words(chance, 300))
    yield assistant(said(_words(chance, 1200)))
    yield from list(_tool_heavy(chance))[1:3]
    yield user(None, type="system", subtype="turn_duration", durationMs=5)


def make(folder: Path, size: int) -> None:
    """Write `FILES` transcripts as a client writes them, of so many bytes together."""
    chance = random.Random(5)
    folder.mkdir(parents=True)
    kept = [json.dumps(each) for _ in range(40) for each in _client_like(chance)]
    for number in range(FILES):
        with (folder / f"{UUID(int=number)}.jsonl").open("wb") as stream:
            while stream.tell() < size // FILES:
                record = json.loads(kept[chance.randrange(len(kept))])
                stream.write(line(record | {"uuid": str(UUID(int=chance.getrandbits(128)))}))
