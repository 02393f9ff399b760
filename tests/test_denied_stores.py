"""A model that asks for a credential store by its path, a link or a command is told nothing."""

from __future__ import annotations

from pathlib import Path

from tests.brain import Brain, say, tool
from tests.laptop import Laptop


def test_no_tool_of_a_dream_reads_a_credential_store(tmp_path: Path) -> None:
    home = tmp_path / "home"
    memory = home / ".claude" / "projects" / "-x" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# Memory\n\n- one\n")
    stores = [home / ".aws" / "credentials", home / ".config" / "gh" / "hosts.yml"]
    stores += [home / ".claude" / ".credentials.json", home / ".netrc"]
    for store in stores:
        store.parent.mkdir(parents=True, exist_ok=True)
        store.write_text("hushhush\n")
    (home / "innocent").symlink_to(stores[0])
    calls = [tool("Read", {"file_path": str(each)}) for each in (*stores, home / "innocent")]
    calls += [tool("Bash", {"command": f"cat {each}"}) for each in stores]
    calls += [tool("Grep", {"pattern": "hush", "path": str(home), "output_mode": "content"})]
    with Brain([say(*calls), say("done")]) as brain:
        Laptop(home, memory).run(
            *("dream", str(memory)),
            ANTHROPIC_API_KEY="sk-test-0123456789",
            DREAMD_MODEL__BASE_URL=brain.url,
        )
        told = brain.bodies[1]["messages"][-1]["content"]
    assert len(told) == len(calls)
    assert not [each["content"] for each in told if "hushhush" in str(each["content"])]
