"""Frames of the push protocol as bytes."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import Unpack

HELLO, WELCOME, PING, PONG, PUSH, ACK, REJECT, OUTCOME = 0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12, 0x13
WIDGETS, TIMELINE, STATE, REQUEST, ATTACH = 0x20, 0x21, 0x22, 0x23, 0x24
RELOAD, SCHEDULED, DETACHED, ATTACHED, ERROR, GOAWAY = 0x30, 0x31, 0x32, 0x33, 0x7E, 0x7F
URGENT, EXPIRES, KINDS = 0x01, 0x02, 0x04
FIRST_IGNORED = 0x40
HEADER = struct.Struct(">IBBHQ")
HIGHEST_SEQ = 2**53 - 1
LONGEST_BODY = 1 << 20
FIRST_DATE, LAST_DATE = 978_307_200_000, 253_402_300_799_999  # 2001, and the end of 9999, in ms since 1970

Json = Union[dict[str, Any], str, bytes]
Frame = tuple[int, int, bytes]


class PushOptions(TypedDict, total=False):
    """How the router treats a push."""

    urgent: bool
    """Its reloads precede others."""
    expires_at: int | None
    """In milliseconds since 1970: reloads that wait for this push alone are not sent any more. ValueError for others."""
    kinds: Sequence[str] | None
    """The kinds of widgets that it is limited to; None for all."""


class FrameError(ValueError):
    """Bytes are not a frame of the protocol."""


def encode_json(value: Any) -> bytes:
    """A value as compact JSON; text and bytes are JSON already."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def encode(kind: int, seq: int = 0, body: bytes = b"", flags: int = 0) -> bytes:
    return HEADER.pack(12 + len(body), kind, flags, 0, seq) + body


def check_date(date: int, name: str) -> int:
    """A date in ms since 1970; ValueError if it looks like one in another unit."""
    if not FIRST_DATE <= date <= LAST_DATE:
        raise ValueError(f"{name} is {date}, which is no date from 2001 to 9999 in milliseconds since 1970")
    return date


def push_body(payload: Json, **options: Unpack[PushOptions]) -> tuple[int, bytes]:
    """The flags and the body of a PUSH: a date and kinds stand in front of the payload."""
    flags, prefix = int(options.get("urgent", False)), b""
    if (expires_at := options.get("expires_at")) is not None:
        flags, prefix = flags | EXPIRES, check_date(expires_at, "expires_at").to_bytes(8, "big")
    if (kinds := options.get("kinds")) is not None:
        names = [kind.encode() for kind in kinds]
        if not all(1 <= len(name) <= 128 for name in names):
            raise ValueError("a kind has 1 to 128 bytes")
        listed = b"".join(bytes((len(name),)) + name for name in names)
        if len(listed) > 0xFFFF:
            raise ValueError("the names of the kinds are too long")
        flags, prefix = flags | KINDS, prefix + struct.pack(">H", len(listed)) + listed
    return flags, prefix + encode_json(payload)


class FrameReader:
    """Puts bytes together to frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yields (type, seq, body) of each frame that is complete now, without the types to ignore."""
        buffer, at = self._buffer, 0
        buffer += data
        try:
            while len(buffer) - at >= 4:
                length = int.from_bytes(buffer[at : at + 4], "big")
                if not 12 <= length <= 12 + LONGEST_BODY:
                    raise FrameError(f"a frame has the length {length}")
                if len(buffer) - at < 4 + length:
                    break
                _, kind, _, _, seq = HEADER.unpack_from(buffer, at)
                body = bytes(buffer[at + 16 : at + 4 + length])
                at += 4 + length
                if kind < FIRST_IGNORED or kind in (ERROR, GOAWAY):
                    yield kind, seq, body
        finally:
            del buffer[:at]


def decode_json(body: bytes) -> dict[str, Any]:
    value = json.loads(body)
    if not isinstance(value, dict):
        raise FrameError("a body is not an object")
    return value
