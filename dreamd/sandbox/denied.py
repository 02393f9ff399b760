"""Where credentials are kept: nothing a model asks for may be read there, under whatever name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dreamd.sandbox import mounts

_IN_HOME: Final = (
    *(".ssh", ".aws", ".gnupg", ".azure", ".kube", ".password-store", ".vault-token", ".oci"),
    *(".netrc", ".pgpass", ".my.cnf", ".git-credentials", ".npmrc", ".pypirc", ".terraformrc"),
    *(".docker/config.json", ".claude/.credentials.json", ".claude.json", ".codex/auth.json"),
    *(".gem/credentials", ".cargo/credentials", ".cargo/credentials.toml", ".terraform.d"),
    *(
        ".config/gh",
        ".config/hub",
        ".config/glab-cli",
        ".config/gcloud",
        ".config/op",
        ".config/doctl",
    ),
    *(
        ".config/git/credentials",
        ".config/sops",
        ".config/rclone",
        ".config/anthropic",
        ".config/age",
    ),
    *(
        ".config/google-chrome",
        ".config/chromium",
        ".config/BraveSoftware",
        ".config/microsoft-edge",
    ),
    *(
        ".config/vivaldi",
        ".config/opera",
        ".mozilla",
        ".thunderbird",
        "snap/firefox",
        "snap/chromium",
    ),
    *(".var/app/org.mozilla.firefox", ".var/app/com.google.Chrome", ".config/Bitwarden"),
    *(".local/share/keyrings", ".local/share/kwalletd", ".kde/share/apps/kwallet", ".electrum"),
    *(".bitcoin", ".config/1Password", ".config/keepassxc", ".config/Signal", ".pki"),
    *("Library/Keychains", "Library/Cookies", "Library/Application Support/Google/Chrome"),
    *("Library/Application Support/Firefox", "Library/Application Support/com.apple.TCC"),
    ".config/systemd/user.control",
)
_OF_MACHINE: Final = (
    *("/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-", "/etc/security/opasswd"),
    *(
        "/etc/ssh",
        "/etc/ssl/private",
        "/etc/credstore",
        "/etc/credstore.encrypted",
        "/etc/krb5.keytab",
    ),
    *("/etc/NetworkManager/system-connections", "/etc/wpa_supplicant", "/etc/wireguard"),
    *(
        "/run/credentials",
        "/run/secrets",
        "/var/run/secrets",
        "/etc/kubernetes",
        "/var/lib/systemd/credential.secret",
    ),
)
# By name, wherever they stand: project secrets, private keys. The kernel knows no names; the tools
# and the judge of shell commands ask. Samples of them hold no secret.
_NAMES: Final = frozenset(
    {
        "id_rsa",
        "id_dsa",
        "id_ecdsa",
        "id_ed25519",
        ".envrc",
        ".netrc",
        ".htpasswd",
        ".git-credentials",
    }
)
_SAMPLES: Final = frozenset({"example", "sample", "template", "dist", "defaults"})
_MOST_LOOKED_AT: Final = 20_000  # entries of denied folders searched for second hard links


def default(home: Path, *also: Path) -> tuple[Path, ...]:
    """Return the credential stores of a user and of the machine, and `also` (the key file).

    They need not exist: a store that is created later is denied as well.
    """
    return (*(home / each for each in _IN_HOME), *map(Path, _OF_MACHINE), *also)


@dataclass(frozen=True, slots=True)
class DenyList:
    """What is denied, by real path, by device and inode, and by name; a value of one moment."""

    paths: frozenset[Path]
    inodes: frozenset[tuple[int, int]]
    is_sure: bool  # False: there were too many entries to know every second hard link

    @classmethod
    def of(cls, paths: Iterable[Path]) -> DenyList:
        """Look at denied paths: what they lead to, where else they are mounted or linked."""
        given = tuple(paths)
        real = [Path(os.path.realpath(each)) for each in given]
        everywhere = mounts.aliases([*given, *real], mounts.mounts())
        inodes: set[tuple[int, int]] = set()
        looked = 0
        for place in everywhere:
            for seen, is_top in _entries(place):
                looked += 1
                if looked > _MOST_LOOKED_AT:
                    return cls(frozenset(everywhere), frozenset(inodes), is_sure=False)
                if is_top or seen.st_nlink > 1:
                    inodes.add((seen.st_dev, seen.st_ino))
        return cls(frozenset(everywhere), frozenset(inodes), is_sure=True)

    def holds(self, path: Path) -> bool:
        """Say whether a path, or what it leads to, may not be read; a relative one is absolute.

        Fails closed: what cannot be looked at because a link loops is denied.
        """
        try:
            real = Path(os.path.realpath(path, strict=False))
            spelled = Path(os.path.normpath(Path.cwd() / path))
        except (OSError, ValueError):
            return True
        if any(_is_named(each) for each in (spelled, real)):
            return True
        for place in (spelled, real):
            if not self.paths.isdisjoint((place, *place.parents)):
                return True
        return any(self._has(place) for place in (real, *real.parents))

    def holds_open(self, file: int) -> bool:
        """Say whether a file held open is a denied one; no swap of names can deceive this."""
        seen = os.fstat(file)
        if (seen.st_dev, seen.st_ino) in self.inodes or (not self.is_sure and seen.st_nlink > 1):
            return True
        try:
            return self.holds(Path(f"/proc/self/fd/{file}").readlink())
        except OSError:
            return False  # no /proc (macOS): what `holds` said of the path stands

    def _has(self, place: Path) -> bool:
        try:
            seen = place.lstat()
        except OSError:
            return False
        if (seen.st_dev, seen.st_ino) in self.inodes:
            return True
        return not self.is_sure and not place.is_dir() and seen.st_nlink > 1


def _is_named(path: Path) -> bool:
    name = path.name.lower()
    if name == ".env" or name.startswith(".env."):
        return name.rpartition(".")[2] not in _SAMPLES
    return name in _NAMES


def _entries(place: Path) -> Iterator[tuple[os.stat_result, bool]]:
    """Yield what stands at a denied place, then everything below it; links are not followed."""
    try:
        top = place.lstat()
    except OSError:
        return
    yield top, True
    for folder, _, files in os.walk(place):
        for name in files:
            try:
                yield os.lstat(Path(folder) / name), False
            except OSError:
                continue
