"""A router's end of a connection, for tests that say what it sends."""

from __future__ import annotations

import json
import pathlib
import socket
import struct
from typing import Any

HEADER = struct.Struct(">IBBHQ")
VECTORS = pathlib.Path(__file__).resolve().parents[3] / "vectors"


class Router:
    """Listens on a port of 127.0.0.1; `accept` takes a connection, its HELLO, and answers WELCOME."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(60)
        self.port: int = self.listener.getsockname()[1]
        self.connections: list[socket.socket] = []

    def accept(self, **welcome: Any) -> dict[str, Any]:
        connected, _ = self.listener.accept()
        connected.settimeout(60)
        self.connections.append(connected)
        hello = self.receive()[2]
        self.send(2, 0, {"v": 1, "session": "0", "maxBody": 65536, "window": 100, "lastSeq": 0, **welcome})
        return hello

    def receive(self) -> tuple[int, int, Any]:
        """The next frame as (type, seq, body)."""
        length, kind, flags, _, seq = HEADER.unpack(self._read(16))
        body = self._read(length - 12)
        return kind, seq, json.loads(body) if body and not flags else body

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self.connections[-1].recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def send(self, kind: int, seq: int, body: Any = b"") -> None:
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.connections[-1].sendall(HEADER.pack(12 + len(body), kind, 0, 0, seq) + body)

    def ack(self, seq: int) -> None:
        self.send(0x11, seq, bytes(4))

    def cut(self) -> None:
        self.connections[-1].close()

    def close(self) -> None:
        for each in (self.listener, *self.connections):
            each.close()
