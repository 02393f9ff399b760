from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ("sample_memory", "systemd")
TOOLS = [name for name in ("hatchling", "pip") if importlib.util.find_spec(name) is None]
needs_tools = pytest.mark.skipif(
    bool(TOOLS), reason=f"not installed here: {' '.join(TOOLS)} (pip install -e '.[test]' has it)"
)


def run(*words: str, cwd: Path = ROOT, **environ: str) -> list[str]:
    """Run Python, outside of the checkout unless it builds there; return the lines it prints."""
    env = {"PATH": os.defpath, **environ} if cwd != ROOT else None
    done = subprocess.run(
        [sys.executable, *words], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    }


@needs_tools
def test_the_wheel_holds_package_sample_and_units_and_what_it_installs_finds_them(
    tmp_path: Path,
) -> None:
    run("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))  # without network
    (wheel,) = tmp_path.glob("*.whl")
    expected = {f"dreamd/{name}": data for name, data in files_below(ROOT / "dreamd").items()}
    for name in SHIPPED:
        below = files_below(ROOT / name)
        assert below
        expected |= {f"dreamd/data/{name}/{path}": data for path, data in below.items()}
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    about = {name for name in held if name.startswith("dreamd-") and ".dist-info/" in name}
    named = "METADATA WHEEL RECORD entry_points.txt licenses/LICENSE"
    assert {name.split("/", 1)[1] for name in about} == {*named.split()}
    assert {name: data for name, data in held.items() if name not in about} == expected

    site = tmp_path / "site"
    options = ["--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check", "-q"]
    run("-m", "pip", "install", *options, "--target", str(site), str(wheel))
    code = (
        "import dreamd\n"
        "from pathlib import Path\n"
        "from dreamd.install.resources import copy_sample, folder\n"
        f"for name in {SHIPPED}: print(folder(name))\n"
        f"print(copy_sample(Path({str(tmp_path / 'copy')!r})))\n"
        "print(dreamd.__file__)\n"
    )
    *folders, memory, package = run("-c", code, cwd=tmp_path, PYTHONPATH=str(site))
    assert folders == [str(site / "dreamd" / "data" / name) for name in SHIPPED]
    assert package == str(site / "dreamd" / "__init__.py")
    assert Path(memory, "MEMORY.md").is_file()
    assert (site / "bin" / "dreamd").is_file()
