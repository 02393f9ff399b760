"""A credential store is denied under every name it has."""

import os
from pathlib import Path, PurePosixPath

import pytest

from dreamd.sandbox import carve, denied, mounts
from dreamd.sandbox.denied import DenyList


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh/id_one").write_text("secret")
    (tmp_path / ".netrc").write_text("secret")
    (tmp_path / "project/src").mkdir(parents=True)
    (tmp_path / "project/src/a.py").write_text("code")
    return tmp_path


def test_a_store_is_denied_by_path_link_and_hard_link(home: Path) -> None:
    (home / "key").symlink_to(home / ".ssh/id_one")
    (home / "keys").symlink_to(home / ".ssh")
    (home / "hard").hardlink_to(home / ".ssh/id_one")
    (home / "hard2").hardlink_to(home / ".netrc")
    held = DenyList.of(denied.default(home))
    for name in (
        ".ssh",
        ".ssh/id_one",
        ".ssh/none",
        "key",
        "keys/id_one",
        "hard",
        "hard2",
        ".netrc",
    ):
        assert held.holds(home / name), name
    for name in ("project", "project/src/a.py", "project/../.sshx", ""):
        assert not held.holds(home / name), name
    assert held.holds(home / "project/../.ssh/id_one")


def test_a_store_that_is_a_link_is_denied_where_it_leads(home: Path) -> None:
    (home / "elsewhere").mkdir()
    (home / "elsewhere/credentials").write_text("secret")
    (home / ".aws").symlink_to(home / "elsewhere")
    held = DenyList.of(denied.default(home))
    assert held.holds(home / "elsewhere/credentials")
    assert held.holds(home / ".aws/credentials")


def test_a_store_that_does_not_exist_yet_is_denied(home: Path) -> None:
    held = DenyList.of(denied.default(home))
    (home / ".aws").mkdir()
    (home / ".aws/credentials").write_text("secret")
    assert held.holds(home / ".aws/credentials")


def test_the_key_file_is_denied_too(home: Path) -> None:
    (home / "my.key").write_text("secret")
    assert DenyList.of(denied.default(home, home / "my.key")).holds(home / "my.key")
    assert not DenyList.of(denied.default(home)).holds(home / "my.key")


@pytest.mark.parametrize(
    "name", [".env", ".env.local", ".env.production", "id_ed25519", ".envrc", ".ENV"]
)
def test_secrets_of_a_project_are_denied_by_name(home: Path, name: str) -> None:
    assert DenyList.of([]).holds(home / "project" / name)


@pytest.mark.parametrize(
    "name", [".env.example", ".env.sample", "env", "environment.md", "id_ed25519.pub"]
)
def test_samples_of_them_are_not(home: Path, name: str) -> None:
    assert not DenyList.of([]).holds(home / "project" / name)


def test_a_file_held_open_is_judged_whatever_its_name_became(home: Path) -> None:
    held = DenyList.of(denied.default(home))
    for name, expected in ((".ssh/id_one", True), ("project/src/a.py", False)):
        file = os.open(home / name, os.O_RDONLY)
        assert held.holds_open(file) is expected
        os.close(file)


def test_a_loop_of_links_is_not_an_answer(home: Path) -> None:
    (home / "a").symlink_to("b")
    (home / "b").symlink_to("a")
    assert DenyList.of(denied.default(home)).holds(home / "a") in {True, False}


def test_where_too_much_is_denied_every_second_hard_link_is_suspect(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(denied, "_MOST_LOOKED_AT", 1)
    (home / "hard").hardlink_to(home / "project/src/a.py")
    held = DenyList.of(denied.default(home))
    assert held.holds(home / "hard")


TABLE = rb"""
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 254:0 /home/u/.ssh /mnt/my\040keys rw - ext4 /dev/vda rw
31 22 254:0 /home /srv/homes rw - ext4 /dev/vda rw
32 22 254:0 /home/u/.ssh/deep /mnt/deep rw - ext4 /dev/vda rw
33 22 0:5 / /proc rw - proc proc rw
34 22 254:1 /home/u/.ssh /other rw - ext4 /dev/vdb rw
""".strip()


def test_a_bind_mount_shows_the_same_under_another_path() -> None:
    found = mounts.aliases([Path("/home/u/.ssh")], mounts.parse(TABLE))
    assert set(found) == {
        Path("/home/u/.ssh"),
        Path("/mnt/my keys"),
        Path("/srv/homes/u/.ssh"),
        Path("/mnt/deep"),
    }


def test_a_mount_table_is_read_as_the_kernel_writes_it() -> None:
    table = mounts.parse(TABLE)
    assert table[4] == mounts.Mount("0:5", PurePosixPath("/"), PurePosixPath("/proc"), "proc")
    assert len(table) == 6
    if Path("/proc/self/mountinfo").exists():
        assert PurePosixPath("/") in {each.point for each in mounts.mounts()}


def test_what_is_carved_covers_all_but_the_denied(home: Path) -> None:
    (home / "link").symlink_to(home / ".ssh")
    (home / "hard").hardlink_to(home / ".netrc")
    places = set(carve.around([home], {home / ".ssh", home / ".netrc", home / ".aws/key"}))
    assert places == {home / "project"}


def test_where_nothing_is_denied_the_root_itself_is_given(home: Path) -> None:
    assert list(carve.around([home], {Path("/elsewhere")})) == [home]
    assert list(carve.around([home / ".ssh/deep"], {home / ".ssh"})) == []
