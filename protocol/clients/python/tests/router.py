"""A router's end of a connection, for tests that say what it sends: that of the conformance suite."""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[4]
VECTORS = ROOT / "protocol" / "vectors"
sys.path.insert(0, str(ROOT / "Tests" / "ClientTests"))

from scripted_router import ScriptedRouter, Session


class Router:
    """Listens on a port of 127.0.0.1; `accept` takes a connection, its HELLO, and answers WELCOME."""

    def __init__(self) -> None:
        self.scripted = ScriptedRouter()
        self.port: int = self.scripted.port
        self.close = self.scripted.put_away

    @property
    def session(self) -> Session:
        return self.scripted.sessions[-1]

    def accept(self, **welcome: Any) -> dict[str, Any]:
        return self.scripted.open(**{"window": 100, **welcome})[1]

    def receive(self) -> tuple[int, int, Any]:
        """The next frame as (type, seq, body)."""
        kind, flags, seq, body = self.session.receive()
        return kind, seq, json.loads(body) if body and not flags else body

    def send(self, kind: int, seq: int, body: Any = b"") -> None:
        self.session.send(kind, seq, body)

    def ack(self, seq: int) -> None:
        self.session.ack(seq)

    def cut(self) -> None:
        self.session.cut()
