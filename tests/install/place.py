"""A home with a script `dreamd`, as pip would have laid it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]


class Place(Struct):
    """A home in which dreamd is installed."""

    home: Path

    @property
    def program(self) -> Path:
        return self.home / "bin" / "dreamd"

    @property
    def units(self) -> Path:
        return self.home / ".config" / "systemd" / "user"

    @property
    def plugin(self) -> Path:
        return self.home / ".local" / "share" / "dreamd" / "claude"

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

    def hooks(self) -> dict[str, str]:
        """The command of each hook, by its event."""
        hooks = json.loads((self.plugin / "dreamd" / "hooks" / "hooks.json").read_text())["hooks"]
        return {event: each[0]["hooks"][0]["command"] for event, each in hooks.items()}

    def below(self, folder: Path | None = None) -> dict[str, bytes]:
        """What each file holds, by its place."""
        top = folder or self.home
        files = (each for each in sorted(top.rglob("*")) if each.is_file())
        return {str(each.relative_to(top)): each.read_bytes() for each in files}
