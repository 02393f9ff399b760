"""A credential store is denied under every name it has."""

from pathlib import Path

import pytest

from dreamd.sandbox import denied
from dreamd.sandbox.denied import DenyList


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in (".ssh/id_one", ".netrc", "my.key", "elsewhere/credentials"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("secret")
    (tmp_path / "project/src").mkdir(parents=True)
    (tmp_path / "project/src/a.py").write_text("code")
    for link, target in {"key": ".ssh/id_one", "keys": ".ssh", ".aws": "elsewhere"}.items():
        (tmp_path / link).symlink_to(target)
    (tmp_path / "hard").hardlink_to(tmp_path / ".ssh/id_one")
    (tmp_path / "hard2").hardlink_to(tmp_path / ".netrc")
    return tmp_path


DENIED = """
.ssh .ssh/id_one .ssh/none key keys/id_one hard hard2 .netrc project/../.ssh/id_one my.key
.aws/credentials elsewhere/credentials .kube/config
project/.env project/.env.local project/.ENV project/.envrc project/id_ed25519
"""
READ = """
project project/src/a.py project/../.sshx . project/.env.example project/.env.sample project/env
project/environment.md project/id_ed25519.pub
"""


def test_a_store_is_denied_by_path_link_hard_link_and_name(home: Path) -> None:
    held = DenyList.of([*denied.default(home), home / "my.key"])
    assert [name for name in DENIED.split() if not held.holds(home / name)] == []
    assert [name for name in READ.split() if held.holds(home / name)] == []
    (home / ".kube").mkdir()
    (home / ".kube/config").write_text("created later")
    assert held.holds(home / ".kube/config")


def test_where_too_much_is_denied_every_second_hard_link_is_suspect(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(denied, "_MOST_LOOKED_AT", 1)
    (home / "other").hardlink_to(home / "project/src/a.py")
    assert DenyList.of(denied.default(home)).holds(home / "other")


TABLE = rb"""
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 254:0 /home/u/.ssh /mnt/my\040keys rw - ext4 /dev/vda rw
31 22 254:0 /home /srv/homes rw - ext4 /dev/vda rw
32 22 254:0 /home/u/.ssh/deep /mnt/deep rw - ext4 /dev/vda rw
33 22 0:5 / /proc rw - proc proc rw
34 22 254:1 /home/u/.ssh /other rw - ext4 /dev/vdb rw
""".strip()


def test_a_bind_mount_shows_the_same_under_another_path() -> None:
    table = denied.parse(TABLE)
    assert table[4] == denied.Mount("0:5", "/", "/proc", "proc")
    found = denied.aliases([Path("/home/u/.ssh")], table)
    assert set(map(str, found)) == {
        *("/home/u/.ssh", "/mnt/my keys", "/srv/homes/u/.ssh", "/mnt/deep")
    }
    if Path("/proc/self/mountinfo").exists():
        assert "/" in {each.point for each in denied.mounts()}
