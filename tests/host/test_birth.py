"""A birth time tells a folder from a later one that got its inode number."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from dreamd.host.birth import birth_ns


@pytest.mark.skipif(sys.platform != "linux", reason="asks GNU stat")
def test_the_birth_time_is_what_stat_says(tmp_path: Path) -> None:
    odd = tmp_path / "new\nline \udcff"
    odd.mkdir()
    said = subprocess.run(["stat", "-c", "%.9W", odd], capture_output=True, text=True, check=True)
    seconds, _, fraction = said.stdout.strip().partition(".")
    wanted = int(seconds) * 10**9 + int(fraction)
    assert birth_ns(odd) == (wanted or None)


def test_a_rename_keeps_it_and_a_new_folder_has_another(tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.mkdir()
    born = birth_ns(one)
    if born is None:
        pytest.skip("this file system keeps no birth times")
    time.sleep(0.02)
    (one / "file").write_text("x")
    one.rename(tmp_path / "two")
    one.mkdir()
    assert birth_ns(tmp_path / "two") == born
    assert birth_ns(one) != born
    assert birth_ns(tmp_path / "nothing") is None
