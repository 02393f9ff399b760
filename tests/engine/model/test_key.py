"""Where the key is found, and that no sentence shows it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamd.engine.model.key import find_key
from dreamd.errors import ConfigError

KEY = "sk-ant-0123456789"


def test_the_environment_counts_before_the_file_before_the_credential(tmp_path: Path) -> None:
    own = tmp_path / "key"
    own.write_text("of-the-file\n")
    (tmp_path / "anthropic-api-key").write_text("of-systemd\n")
    environ = {"ANTHROPIC_API_KEY": f" {KEY}\n"}
    assert find_key(environ, own, tmp_path) == KEY
    assert find_key({}, own, tmp_path) == "of-the-file"
    assert find_key({"ANTHROPIC_API_KEY": ""}, None, tmp_path) == "of-systemd"
    assert find_key({}, None, tmp_path / "nowhere") is None
    assert find_key({}, None, None) is None


def test_what_is_no_key_is_said_without_showing_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    file = tmp_path / "key"
    for name, said in {
        "none": "cannot be read",
        ".": "no regular file",
        "pipe": "no regular",
    }.items():
        with pytest.raises(ConfigError, match=said):
            find_key({}, tmp_path / name, None)
    texts = (b"", b"\n \n", f"{KEY}\nsecond".encode(), f"K = {KEY}".encode(), b"\xc3\xa4")
    for data in (*texts, b"k" * 5_000, b"\xff\xfe"):
        file.write_bytes(data)
        with pytest.raises(ConfigError, match=r"holds no (key|text)") as caught:
            find_key({}, file, None)
        assert KEY not in str(caught.value)
