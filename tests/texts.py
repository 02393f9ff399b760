"""Write the parts of the texts that code can write: `python -m tests.texts --write`.

README.md gets an excerpt of the demo's output.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
EXCERPT = re.compile(r"(?<=--write -->\n```\n).*?(?=```\n<!-- end of demo)", re.DOTALL)
MOST = 20  # lines of the excerpt
AGAIN = "run `python -m tests.texts --write`"


def run(*words: str) -> str:
    """Run dreamd in a home of its own; return what it prints."""
    with tempfile.TemporaryDirectory() as home:
        folders = {name: f"{home}/{name}" for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")}
        done = subprocess.run(
            [sys.executable, "-m", "dreamd", *words],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "TZ": "UTC", "LC_ALL": "C.UTF-8", **folders},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


def excerpt() -> str:
    """Return the first whole parts of the demo's output that fit into the README."""
    lines = run("demo").splitlines()[: MOST + 1]
    while lines.pop():  # up to the last empty line
        pass
    return "\n".join([*lines, ""])


def main() -> None:
    """Write the texts."""
    text = README.read_text("utf-8")
    README.write_text(EXCERPT.sub(lambda _: excerpt(), text), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(f"usage: python -m tests.texts --write ({__doc__})")
    main()
