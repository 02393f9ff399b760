"""A home with a dreamd of its own on the PATH, and no service manager that answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]


class Place(Struct):
    """A home with a script `dreamd`, as pip would have laid it."""

    home: Path

    @property
    def program(self) -> Path:
        return self.home / "bin" / "dreamd"

    @property
    def units(self) -> Path:
        return self.home / ".config" / "systemd" / "user"

    def lay(self) -> Place:
        self.program.parent.mkdir(parents=True)
        self.program.write_text(
            f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
            "from dreamd.__main__ import main\nsys.exit(main())\n"
        )
        self.program.chmod(0o755)
        (self.home / ".claude").mkdir()
        return self

    def run(self, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.program), *words],
            env={"HOME": str(self.home), "PATH": os.defpath} | environ,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def ok(self, *words: str, **environ: str) -> str:
        done = self.run(*words, **environ)
        assert done.returncode == 0, done.stderr
        return done.stdout
