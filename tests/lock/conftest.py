"""A store with an empty memory directory, and some other living process."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamd.domain.store import Store
from tests.lock import world


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return world.new_store(tmp_path)


@pytest.fixture(scope="session")
def foreign() -> Iterator[bytes]:
    """The PID of some other living process."""
    with subprocess.Popen(["sleep", "3600"]) as child:
        yield b"%d" % child.pid
        child.kill()
