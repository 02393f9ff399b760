"""A real user manager of systemd, in mount and PID namespaces of its own, without a bus."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from tests.laptop import ROOT, ran
from tests.pace import until

SYSTEMD = Path("/lib/systemd/systemd")
_APART = ("unshare", "-m", "-p", "-f", "--mount-proc")
_RUN = "/run/user/0"
_HOME, _PYTHON, _CHECKOUT = "/home/dev", "/home/python", "/home/checkout"
_ENVIRON = {"HOME": _HOME, "PATH": os.defpath, "XDG_RUNTIME_DIR": _RUN}
_BED = f"""
set -e
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /home  # the walls of a unit take /tmp away, where tests lie
mkdir {_HOME} {_PYTHON} {_CHECKOUT}
mount --bind "$1" {_HOME}
mount --bind {sys.prefix} {_PYTHON}
mount --bind {ROOT} {_CHECKOUT}
mount -t tmpfs tmpfs /tmp  # what a unit is given there goes with the bed
mount -t tmpfs tmpfs /var/tmp
mount --make-rshared /  # as on a whole machine: a credential is mounted by a child
mkdir -p /run/systemd/system /run/systemd/unit-root {_RUN}
chmod 700 {_RUN}
# What walls hide is replaced by these nodes, which the manager of a whole machine makes.
ln -s {_RUN}/systemd/inaccessible /run/systemd/inaccessible
{SYSTEMD} --user --log-target=console &
wait  # not as the first process, which it takes for a whole machine's
"""


def reason() -> str:
    """Why there can be no such manager here; "" where there can."""
    if sys.platform != "linux" or not SYSTEMD.exists():
        return "no systemd here"
    if os.geteuid() != 0:
        return "namespaces of its own need root"
    lacking = [each for each in ("unshare", "nsenter", "systemctl") if shutil.which(each) is None]
    if lacking:
        return f"no {' '.join(lacking)} here"
    tried = subprocess.run([*_APART, "true"], capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else f"no namespaces here: {tried.stderr.strip()}"


needs_systemd = pytest.mark.skipif(bool(reason()), reason=reason())


class Bed(Struct):
    """A user manager that runs, and its home, which out here lies at `home`."""

    home: Path
    process: subprocess.Popen[bytes]

    def inside(self) -> int | None:
        """The PID out here of the first process in there."""
        pid = self.process.pid
        try:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        except OSError:
            return None
        return int(children[0]) if children else None

    def run(self, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        within = ["nsenter", "-t", str(self.inside()), "-m", "-p", "--", *words]
        return ran(within, _ENVIRON | environ, self.home)

    def ask(self, *words: str) -> str:
        return self.run("systemctl", "--user", *words).stdout.strip()

    def ok(self, *words: str) -> str:
        done = self.run(*words)
        assert done.returncode == 0, f"{done.stdout}{done.stderr}{self.said()}"
        return done.stdout

    def of(self, unit: str, name: str) -> str:
        return self.ask("show", unit, f"--property={name}", "--value")

    def said(self) -> str:
        return (self.home / "systemd.log").read_text(errors="replace")


@contextlib.contextmanager
def made(home: Path) -> Iterator[Bed]:
    """Start a user manager whose home, in there /home/dev, lies here; end everything in it."""
    with (home / "systemd.log").open("wb") as log:
        process = subprocess.Popen(
            [*_APART, "--kill-child", "sh", "-c", _BED, "sh", str(home)],
            env=_ENVIRON,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        bed = Bed(home, process)
        try:
            until(lambda: bed.inside() is not None and bed.ask("show", "--property=Version") != "")
            yield bed
        finally:
            if (inside := bed.inside()) is not None:
                os.kill(inside, signal.SIGKILL)  # the first of a PID namespace takes all with it
            process.wait(timeout=20)


def program(home: Path) -> str:
    """Lay down a script that starts this checkout, as pip would; return its path in there."""
    path = home / ".local" / "bin" / "dreamd"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"#!{_PYTHON}/bin/{Path(sys.executable).name}\nimport sys\n"
        f"sys.path.insert(0, {_CHECKOUT!r})\n"
        "from dreamd.__main__ import main\nsys.exit(main())\n"
    )
    path.chmod(0o755)
    return f"{_HOME}/.local/bin/dreamd"
