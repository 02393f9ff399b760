"""An address of an endpoint is one that a request could be sent to."""

from __future__ import annotations

import re

import pytest

from dreamd.domain.address import address


@pytest.mark.parametrize(
    "text",
    [
        "https://api.anthropic.com",
        "HTTP://127.0.0.1:8080/",
        "http://[::1]:4000/anthropic",
        "http://[fe80::1]",
        "https://user:word@proxy.example/v1/a%20b",
        "https://bücher.example",
        "http://localhost",
        "https://my_host-1.internal.:443",
    ],
)
def test_it_is_taken_as_it_is(text: str) -> None:
    assert address(text) == text
    assert address(f" {text}\n") == text


def test_none_is_no_fault() -> None:
    assert address("  ") == ""


@pytest.mark.parametrize(
    "text",
    [
        *("api.example.com", "localhost:8080", "//host", "https:/host", "https:host"),
        *("ftp://host", "htps://host", "file:///tmp", "://host", "https https://host"),
        *("https://", "https:///v1", "http://:80", "https://user@", "https://.", "https://user@:80"),
        *("https://my host", "https://host/a b", "https://ho\tst", "https://ho\x00st"),
        *("https://host:port", "https://host:", "https://host:70000", "https://a:b:1"),
        *("http://[::1", "http://::1", "http://[host]", "http://[::1]8080", "https://host, other"),
        *("https://host?x=1", "https://host/#v1", '"https://host"', "<https://host>"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        address(text)
