"""What of a model's dream is read from the prompt cache, and that its examples are no source."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dreamd.domain.settings import Settings
from dreamd.engine.model.conversation import begun
from dreamd.engine.model.examples import EXAMPLES
from dreamd.engine.model.prompt import SYSTEM
from dreamd.engine.model.tools import TOOLS
from tests.brain import Brain, say, tool
from tests.brain.caching import Cache, minimum
from tests.laptop import Laptop
from tests.model_bench import dreamt, twelve
from tests.notes import NOTES, memory_of
from tests.scripted import texts
from tests.spoken import say as people_say
from tests.test_model_dream import environ, laptop
from tests.transcripts.speed import make

__all__ = ["laptop"]


@pytest.mark.parametrize("size", ["small", "large"])
def test_most_input_of_twelve_requests_is_read_from_the_cache(size: str, tmp_path: Path) -> None:
    """The smallest project there is, whose own words stay below what a model caches, too."""
    home = tmp_path / "home"
    project = home / ".claude" / "projects" / "-home-dev-tidepool"
    memory = project / "memory"
    if size == "large":
        make(project, 400_000)
        memory_of(NOTES, memory)
    else:
        memory.mkdir(parents=True)
        people_say(project, "monday", "The API listens on port 9050 now.")
    took = dreamt(home, memory, project, twelve(memory, project))

    assert took.requests == 12
    assert took.spent.cached >= 0.85
    assert took.receipt["usage"]["cache_read_tokens"] == took.spent.read


def test_a_dream_reads_what_a_dream_over_another_memory_left_in_the_cache() -> None:
    cache, model = Cache(), Settings().model.name
    used = [
        cache.use(begun(model, SYSTEM, TOOLS, first).body(8_000))
        for first in ("The heron has nine eggs.", "The tern has two eggs.")
    ]
    assert used[0].cache_read == 0
    assert used[1].cache_read >= minimum(model)


def test_what_only_the_examples_of_the_prompt_say_is_held_out(laptop: Laptop) -> None:
    """A model that takes an example for a fact of its memory gets it into no note."""
    lines = [line[2:] for line in EXAMPLES.splitlines() if line.startswith("+ ")]
    lines = [line for line in lines if "2031" in line]
    assert len(lines) > 8
    note = str(laptop.memory / "learned.md")
    body = "".join(f"- {line}\n" for line in ["The API listens on port 9050 now", *lines])
    script = [
        say(tool("Write", {"file_path": note, "content": f"# Learned\n\n{body}"})),
        say(tool("Read", {"file_path": note})),
        say("Done."),
    ]
    with Brain(script) as brain:
        done = laptop.run("dream", str(laptop.memory), "--json", **environ(brain))
    assert done.returncode == 0, done.stderr
    kept = "\n".join(texts(laptop.memory).values())
    assert "port 9050 now" in kept
    assert not [line for line in lines if line in kept]
    assert "Mooncake" not in kept
    assert json.loads(done.stdout)["proposed"] >= 1
