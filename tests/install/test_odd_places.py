"""Whatever stands where a unit or the plugin is to lie is somebody's own, and holds nobody up."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tests.install.place import Place


def test_a_pipe_where_a_unit_is_to_lie_is_left_alone(tmp_path: Path) -> None:
    place = Place(tmp_path / "home").lay()
    place.units.mkdir(parents=True)
    unit = place.units / "dreamd.service"
    os.mkfifo(unit)
    for words in (("install",), ("uninstall",)):
        said = place.ok(*words)
        assert f"leave {unit}" in said
        assert stat.S_ISFIFO(unit.lstat().st_mode)


def test_a_unit_with_other_line_ends_was_edited(tmp_path: Path) -> None:
    place = Place(tmp_path / "home").lay()
    place.ok("install")
    unit = place.units / "dreamd.service"
    unit.write_bytes(edited := unit.read_bytes().replace(b"\n", b"\r\n"))
    assert f"leave {unit}" in place.ok("install")
    assert unit.read_bytes() == edited
