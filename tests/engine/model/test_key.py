"""Where the key is found, and that no sentence shows it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamd.engine.model.key import exposed, find_key
from dreamd.errors import ConfigError

KEY = "sk-ant-0123456789"


def file(path: Path, text: str = f"{KEY}\n", mode: int = 0o600) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


def test_the_environment_counts_before_the_file_before_the_credential(tmp_path: Path) -> None:
    own = file(tmp_path / "key", "of-the-file\n")
    file(tmp_path / "anthropic-api-key", "of-systemd\n")
    environ = {"ANTHROPIC_API_KEY": f" {KEY}\n"}
    assert find_key(environ, own, tmp_path) == KEY
    assert find_key({}, own, tmp_path) == "of-the-file"
    assert find_key({"ANTHROPIC_API_KEY": ""}, None, tmp_path) == "of-systemd"
    assert find_key({}, None, tmp_path / "nowhere") is None
    assert find_key({}, None, None) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        (f"{KEY}\nsecond", "no key"),
        (f"ANTHROPIC_API_KEY = {KEY}", "no key"),
        (f"{KEY}ä", "no key"),
        (KEY * 1_000, "no key"),
    ],
)
def test_what_is_no_key_is_said_without_showing_it(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        find_key({}, file(tmp_path / "key", text), None)
    assert KEY not in str(caught.value)


def test_a_key_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        find_key({}, tmp_path / "none", None)
    with pytest.raises(ConfigError, match="no regular file"):
        find_key({}, tmp_path, None)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match="no regular file"):
        find_key({}, tmp_path / "pipe", None)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="holds no text"):
        find_key({}, tmp_path / "bytes", None)


@pytest.mark.parametrize(
    ("mode", "is_exposed"), [(0o600, False), (0o400, False), (0o640, True), (0o604, True)]
)
def test_a_key_file_that_others_may_read_is_pointed_out(
    tmp_path: Path, mode: int, is_exposed: bool
) -> None:
    path = file(tmp_path / "key", mode=mode)
    assert (exposed(path) is not None) == is_exposed
    assert "chmod 600" in (exposed(path) or "chmod 600")
    assert find_key({}, path, None) == KEY
