"""Properties try the same examples each time, so that the gate gives the same answer twice."""

import compileall
import gc
import os
import signal
from pathlib import Path

from hypothesis import settings

gc.disable()  # what is collected stays: looking through it again and again costs a quarter of it
settings.register_profile("steady", derandomize=True, deadline=None)
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
