"""Where the key is found, to which host it goes, and that no sentence shows it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamd.domain.settings import Model
from dreamd.engine.model.key import find_key
from dreamd.errors import ConfigError

KEY = "sk-ant-0123456789"
GATEWAY, OTHER = "https://gateway.example:8443/v1", "https://gateway.example:8443"
OURS = {"ANTHROPIC_API_KEY": f" {KEY}\n"}
THEIRS = {**OURS, "ANTHROPIC_BASE_URL": OTHER}


@pytest.mark.parametrize(
    ("environ", "address", "found"),
    [
        ({}, "", None),
        (OURS, "", KEY),
        ({**OURS, "ANTHROPIC_AUTH_TOKEN": "tok"}, "", "tok"),
        ({**OURS, "ANTHROPIC_BASE_URL": "HTTPS://API.anthropic.com:443/"}, "", KEY),
        (THEIRS, GATEWAY, KEY),  # the same host: what the configuration says is confirmed
        ({}, "http://localhost:11434", ""),  # an endpoint that asks for no key
        (OURS, "http://localhost:11434", ""),  # and gets none that belongs elsewhere
        (OURS, "http://api.anthropic.com", ""),
        (THEIRS, "https://gateway.example", ""),
        (THEIRS, "https://api.anthropic.com@gateway.example:8443", KEY),
    ],
)
def test_a_key_of_the_environment_goes_only_to_the_host_that_it_belongs_with(
    environ: dict[str, str], address: str, found: str | None
) -> None:
    assert find_key(Model(base_url=address), environ, None) == found


def test_a_host_that_only_the_environment_names_is_refused(tmp_path: Path) -> None:
    for name in (
        OTHER,
        "http://127.0.0.1:9",
        "https://api.anthropic.com.evil.example",
        "http://[",
        "x",
    ):
        with pytest.raises(
            ConfigError, match=r"^ANTHROPIC_BASE_URL names .* model\.base_url"
        ) as it:
            find_key(Model(), {**OURS, "ANTHROPIC_BASE_URL": name}, None)
        assert KEY not in str(it.value)
    (tmp_path / "key").write_text(KEY)
    for address in (OTHER, "http://127.0.0.1.evil.example", ""):
        with pytest.raises(ConfigError, match=r"^DREAMD_MODEL__BASE_URL names .* config\.yaml"):
            find_key(Model(base_url=address), OURS, tmp_path / "key", is_own=False)
    for address in ("http://localhost:1", "http://127.0.0.1:8080", "http://[::1]:80/v1"):
        assert find_key(Model(base_url=address), OURS, tmp_path / "key", is_own=False) == ""


def test_a_stored_key_counts_before_the_environment_and_goes_where_the_settings_say(
    tmp_path: Path,
) -> None:
    own = tmp_path / "key"
    own.write_text("of-the-file\n")
    (tmp_path / "anthropic-api-key").write_text("of-systemd\n")
    systemd = {**THEIRS, "CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert find_key(Model(), systemd, own) == "of-the-file"
    assert find_key(Model(base_url=GATEWAY), systemd, None) == "of-systemd"
    assert find_key(Model(), {"CREDENTIALS_DIRECTORY": str(tmp_path / "nowhere")}, None) is None


def test_what_is_no_key_is_said_without_showing_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    file = tmp_path / "key"
    for name, said in {"none": "No such file", ".": "Is a dir", "pipe": "not a regular"}.items():
        with pytest.raises(ConfigError, match=f"cannot be read: {said}"):
            find_key(Model(), {}, tmp_path / name)
    texts = (b"", b"\n \n", f"{KEY}\nsecond".encode(), f"K = {KEY}".encode(), b"\xc3\xa4")
    for data in (*texts, b"k" * 5_000, b"\xff\xfe", f"Bearer {KEY} x".encode()):
        file.write_bytes(data)
        with pytest.raises(ConfigError, match=r"holds no (key|text)") as caught:
            find_key(Model(), {}, file)
        assert KEY not in str(caught.value)
