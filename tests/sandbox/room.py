"""A readable copy of the code, in which a script is run as root or as an ordinary user."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import dreamd

ALL = os.environ.get("DREAMD_SWEEP") == "all"
_NOBODY = 65534
_ROOT = os.geteuid() == 0
_TESTS = Path(__file__).parents[1]


@cache
def interpreter(user: str) -> str:
    """Return a Python of this version that the user may run; or nothing."""
    if user == "root" or not _ROOT:
        return sys.executable
    same = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    for python in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            done = subprocess.run(
                [python, "-c", same], user=_NOBODY, group=_NOBODY, extra_groups=[], cwd="/",
                env={}, capture_output=True, check=False,
            )  # fmt: skip
            if done.returncode == 0:
                return python
    return ""


@contextlib.contextmanager
def copied(*folders: str) -> Iterator[Path]:
    """Copy the package, the one library that the walls need, and these folders of tests."""
    made = Path(tempfile.mkdtemp(prefix="dreamd-room-"))
    made.chmod(0o755)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(dreamd.__file__).parent, made / "code/dreamd", ignore=unwanted)
    library = find_spec("msgspec")
    assert library is not None
    assert library.origin is not None
    shutil.copytree(Path(library.origin).parent, made / "code/msgspec", ignore=unwanted)
    for folder in folders:
        there = made / "code/tests" / folder
        shutil.copytree(_TESTS / folder, there, ignore=unwanted, dirs_exist_ok=True)
        for above in (there, *there.parents):
            if above.is_relative_to(made / "code/tests"):
                (above / "__init__.py").touch()
    try:
        yield made
    finally:
        shutil.rmtree(made)


def trial(room: Path, user: str, script: str, *words: object) -> Any:
    """Run a script of the copy over a folder of its own, and return the JSON that it prints."""
    if user == "root" and not _ROOT:
        pytest.skip("not root; what an ordinary user can do is tried all the same")
    if not (python := interpreter(user)):
        pytest.skip("no Python here that an ordinary user may run")
    base = Path(tempfile.mkdtemp(dir=room))
    base.chmod(0o755)
    as_user: dict[str, Any] = {}
    if user == "nobody" and _ROOT:
        os.chown(base, _NOBODY, _NOBODY)
        as_user = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}
    code = room / "code"
    done = subprocess.run(
        [python, "-B", str(code / "tests" / script), str(base), *map(str, words)],
        capture_output=True, text=True, timeout=600, check=False, cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(code), "HOME": str(base)}, **as_user,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
