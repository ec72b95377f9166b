"""What a client reports, and the errors that it raises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Event:
    """Something that happened on a client's connection.

    `name` is "connected" (with `last_seq`), "disconnected" (with `code` and `retry`; it reconnects by itself),
    "rejected" (with `seq`, `code` and `retry`), "lost" (with `seq` and `through`: the first and the last of the pushes
    that the router had answered and has lost, and this client has no more), "outcome" (with `seq`, 0 about the app, and
    `outcome`, the body of OUTCOME: what became of a push), "failed" (with `code`; it does not reconnect), or "detached"
    (with `device` and `code`, the reason; gateways only). `message` is for people.
    """

    name: str
    seq: int | None = None
    code: str | None = None
    retry: str | None = None
    message: str = ""
    last_seq: int | None = None
    device: str | None = None
    through: int | None = None
    outcome: dict[str, Any] | None = None


class RouterError(Exception):
    """The router has ended the session. `code` is one of the protocol's; `retry` is "no", "later" or "reconnect"."""

    def __init__(self, message: str, code: str | None = None, retry: str = "reconnect") -> None:
        super().__init__(f"{code}: {message}" if code else message)
        self.message, self.code, self.retry = message, code, retry


class Rejected(RouterError):
    """The router has refused one frame of a gateway; its session goes on."""


class PushTooLong(ValueError):
    """A push is longer than the router accepts."""


class NotConnected(TimeoutError):
    """The router has not accepted the client in time. `cause` is why its last attempt has failed, if one has."""

    def __init__(self, address: str, seconds: float, cause: RouterError | None) -> None:
        reason = "no attempt has ended yet" if cause is None else str(cause)
        super().__init__(f"no session with {address} within {seconds:g} s: {reason}")
        self.cause = cause


class Forked(Exception):
    """The process has forked since the client was made, and this is the child: the connection is the parent's."""


class Closed(Exception):
    """The client was closed."""
