"""Addresses of routers as all clients and commands read them."""

from __future__ import annotations

import socket

DEFAULT_PORT = 7410


def parse_address(host: str, port: int | None = None) -> tuple[str, int]:
    """The host and the port of HOST, HOST:PORT, [IPv6]:PORT or a bare IPv6 address.

    Raises ValueError for another text, and if `port` is not the one that the text names.
    """
    name, digits, is_ipv6 = host, "", False
    if host.startswith("["):
        name, closing, rest = host[1:].partition("]")
        if not closing or (rest and not rest.startswith(":")):
            raise _invalid(host)
        digits, is_ipv6 = rest[1:], True
        if rest and not digits:
            raise _invalid(host)
    elif host.count(":") == 1:
        name, digits = host.split(":")
        if not digits:
            raise _invalid(host)
    elif ":" in host:
        is_ipv6 = True
    if not name or any(character in "/@[]" or character.isspace() for character in name):
        raise _invalid(host)
    if is_ipv6 and not _is_ipv6(name):
        raise _invalid(host)
    named = None
    if digits:
        if not (digits.isascii() and digits.isdigit()):
            raise _invalid(host)
        named = int(digits)
    if named is not None and port is not None and named != port:
        raise ValueError(f"the address {host!r} names another port than {port}")
    found = named if named is not None else DEFAULT_PORT if port is None else port
    if not 1 <= found <= 65535:
        raise ValueError(f"the port {found} of the address is not from 1 to 65535")
    return name, found


def address_text(host: str, port: int) -> str:
    """An address as `parse_address` reads it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _is_ipv6(text: str) -> bool:
    """Whether a text is an IPv6 address, which may name an interface after a percent sign."""
    address, percent, interface = text.partition("%")
    try:
        socket.inet_pton(socket.AF_INET6, address)
    except (OSError, ValueError):
        return False
    return bool(interface) or not percent


def _invalid(text: str) -> ValueError:
    return ValueError(f"{text!r} is no address of a router: HOST, HOST:PORT or [IPv6]:PORT")
