"""Properties try the same examples each time, so that the gate gives the same answer twice."""

import compileall
import gc
import itertools
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.model_home import laptop
from tests.sample import WHOLE, examples

__all__ = ["laptop"]

RAM = Path("/dev/shm")
ENOUGH = 1 << 30  # bytes
# Where a model's tools or its sandbox look: to them all below /dev is the kernel's.
ON_DISK = ("sandbox", "engine/model/tools", "engine/claude")
NUMBERS = itertools.count()

gc.disable()  # what is collected stays: looking through it again and again costs a quarter of it
sys.dont_write_bytecode = False  # what pytest makes of the tests stays for the next run
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=examples(100))
settings.load_profile("steady")


def pytest_configure() -> None:
    """Compile dreamd once, as an installer does, and not in each of hundreds of processes.

    What is started hears an interrupt, also where the tests run in the background.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's `pytest &`: so would all
        signal.signal(signal.SIGINT, signal.default_int_handler)  # that is started and interrupted
    if "PYTEST_XDIST_WORKER" not in os.environ:
        compileall.compile_dir(Path(__file__).parents[1] / "dreamd", quiet=2)


def pytest_collection_finish() -> None:
    """Look for garbage in what the tests make, not in the thousands of tests themselves."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def tmp_path(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A folder in memory if there is room, where no test waits for the disk; whole runs do."""
    room = str(request.path.relative_to(Path(__file__).parent))
    if WHOLE or room.startswith(ON_DISK) or not has_room():
        yield tmp_path_factory.mktemp("on-disk")
        return
    names = (RAM / f"dreamd-tests-{os.getpid()}-{number}" for number in NUMBERS)
    made = next(each for each in names if not each.exists())  # a run that was killed left some
    made.mkdir(0o700)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def has_room() -> bool:
    return RAM.is_dir() and os.access(RAM, os.W_OK) and shutil.disk_usage(RAM).free > ENOUGH
