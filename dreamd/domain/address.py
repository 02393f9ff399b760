"""What an address of an endpoint has to look like."""

from __future__ import annotations

ADDRESS = "an address such as https://host.example:8080, or empty for Anthropic's"
_SCHEMES = {"http", "https"}
_MOST_PORT = 65_535


def address(text: str) -> str:
    """Return an address without the spaces around it; empty where none is given.

    It is `http://` or `https://`, a host, and perhaps a port and a path (RFC 3986, 3); whether
    anybody answers there is not asked.

    Raises:
        ValueError: the text is none.
    """
    text = text.strip()
    if not text:
        return ""
    scheme, found, rest = text.partition("://")
    is_plain = text.isprintable() and not set(text) & set(' "<>\\?#')
    if not found or scheme.lower() not in _SCHEMES or not is_plain:
        raise ValueError(text)
    place = rest.partition("/")[0].rpartition("@")[2]
    host, bracket, port = place.rpartition("]") if place.startswith("[") else place.partition(":")
    has_port = bracket == ":" or port.startswith(":")
    if not _is_host(host, is_literal=bracket == "]") or (port and not has_port):
        raise ValueError(text)
    number = port.removeprefix(":")
    if has_port and not (number.isascii() and number.isdecimal() and int(number) <= _MOST_PORT):
        raise ValueError(text)
    return text


def _is_host(host: str, *, is_literal: bool) -> bool:
    if is_literal:
        return ":" in host and set(host.lower()) <= set("[0123456789abcdef:.%")
    return bool(host.strip(".")) and not set(host) & set("[]:,;@!$&'()*+= ")
