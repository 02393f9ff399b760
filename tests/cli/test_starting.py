"""What a command that only looks does not load, and not do, on its way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.laptop import Laptop

SCRIPT = """
import atexit, gc, sys
from dreamd.__main__ import main
atexit.register(lambda: print(gc.get_freeze_count(), gc.isenabled(), *sys.modules, file=sys.stderr))
sys.exit(main())
"""
UNNEEDED = {
    *("anthropic", "watchdog", "yaml", "psutil", "asyncio", "sqlite3", "subprocess", "tomllib"),
    *("hashlib", "tempfile", "shutil", "json"),
    *("dataclasses", "inspect", "typing_extensions"),  # msgspec does their work
}


@pytest.mark.parametrize("words", [["status"], ["log"], ["--help"]], ids=" ".join)
def test_a_look_at_a_quiet_memory_loads_no_more_than_it_tells(
    tmp_path: Path, words: list[str]
) -> None:
    laptop = Laptop(tmp_path, tmp_path / ".claude/projects/-home-dev-x/memory")
    laptop.memory.mkdir(parents=True)
    (laptop.memory / "MEMORY.md").write_text("# Memory\n\n- The port is 9090.\n")
    for is_before in (True, False):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, *words],
            env=laptop.environ(DREAMD_MEMORY=str(laptop.memory)),
            capture_output=True,
            text=True,
            check=True,
        )
        frozen, enabled, *modules = done.stderr.split()
        needed = {"hashlib"} if is_before else {"sqlite3"}
        assert not UNNEEDED & set(modules) - needed
        assert int(frozen) > 10 * len(modules)  # what is left is not looked through once more
        assert enabled == "True"  # only the imports went by without a look
        if words == ["status"]:
            assert "dreamd.memory.scan" in modules  # it has looked
        if is_before:
            laptop.ok("dream", str(laptop.memory))
