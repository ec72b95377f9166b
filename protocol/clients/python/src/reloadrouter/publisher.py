"""A publisher: numbers pushes, keeps them until they are acknowledged, sends them again after a cut."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .connection import Connection, Options
from .events import Event, PushTooLong
from .frames import ACK, HEADER, HIGHEST_SEQ, OUTCOME, PUSH, REJECT, FrameError, Json, decode_json, encode, push_body
from .history import ask, path_of
from .outbox import Outbox

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .frames import PushOptions


@dataclass(frozen=True)
class Statistics:
    """Counts since the client was made."""

    queued: int
    """Pushes neither acknowledged nor rejected."""
    sent: int
    """Pushes written to a connection; one that was sent again counts twice."""
    acknowledged: int
    rejected: int
    matched: int
    """Widgets that the acknowledged pushes matched."""
    reconnects: int


class Publisher(Connection):
    """Publishes pushes of one producer. Its methods may be called from any thread.

    `host` may be HOST:PORT or [IPv6]:PORT. The connection is TLS, with a certificate that is good for the host, unless
    `tls` is False; `Options` says more. `outcomes` asks what becomes of each push: the answers are "outcome" events.
    `outbox` is the path of a file that keeps pushes until they are settled. `http_address` is HOST:PORT of the router's
    listener for publishers over HTTP (`serve --publish`), which `history` asks.
    """

    def __init__(
        self,
        host: str,
        port: int | None = None,
        *,
        app: str,
        producer: str,
        outcomes: bool = False,
        outbox: str | None = None,
        http_address: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        hello = {"role": "publisher", "app": app, "producer": producer, **({"outcomes": True} if outcomes else {})}
        super().__init__(host, port, hello, options)
        self._waiting: deque[tuple[int, bytes]] = deque()  # pushes to be sent over this connection
        self._in_flight: deque[tuple[int, bytes]] = deque()  # pushes sent over it, without an ACK
        self._refused: set[int] = set()  # those of them that were rejected
        self._bytes = 0
        self._last = 0  # the number of the newest push
        self._known = 0  # the last push of which the router knows, by what it has said
        self._http_address = http_address
        self._window = self._max_body = self._acked = 0
        self._sent = self._acknowledged = self._rejected = self._matched = 0
        self._outbox: Outbox | None = None
        if outbox is not None:
            self._outbox = Outbox(outbox, app, producer, self._limits.sync_interval)
            self._keep(self._outbox.frames)
            self._last = self._waiting[-1][0] if self._waiting else 0
            self._known = self._settled()

    def push(self, payload: Json, *, timeout: float | None = None, **options: Unpack[PushOptions]) -> int:
        """Accepts a push, a dictionary or JSON, and returns its number. Waits while the queue is full.

        Raises TimeoutError after `timeout` seconds, PushTooLong, and RouterError or Closed when the client is over.
        """
        flags, body = push_body(payload, **options)
        with self._changed:
            while (seq := self._enter(flags, body)) is None:
                if not self._changed.wait_for(lambda: self._failure is not None or self._has_room(), timeout):
                    raise TimeoutError("the queue is full")
            return seq

    def try_push(self, payload: Json, **options: Unpack[PushOptions]) -> int | None:
        """Like `push`, but never waits: returns None if there is no room, or no first session yet."""
        flags, body = push_body(payload, **options)
        with self._changed:
            return self._enter(flags, body)

    def flush(self, timeout: float | None = None) -> bool:
        """Waits until all pushes so far are acknowledged or rejected; False after `timeout` or a failure."""
        with self._changed:
            last = self._last
            self._changed.wait_for(lambda: self._is_flushed(last) is not None, timeout)
            return bool(self._is_flushed(last))

    def close(self, timeout: float = 5.0) -> bool:
        """Flushes for at most `timeout` seconds, and ends the client. Returns what `flush` returned.

        Pushes that are not acknowledged then are lost, unless there is an outbox: it keeps them.
        """
        with self._changed:
            is_flushed = self.flush(timeout if self._failure is None and self._thread.ident else 0)
        self._close()
        with self._changed:
            if self._outbox is not None:
                self._outbox.close()
                self._outbox = None
        return is_flushed

    def history(self, seq: int, *, after: int | None = None, timeout: float = 10.0) -> dict[str, Any]:
        """Asks over HTTP what has become of a push so far: for 64 of the widgets that it matches, those after the position
        `after`, which is `next` of the page before.

        The answer has the members of `protocol/http.md`, section 3. The session need not be open. Raises ValueError without
        `http_address`, and RouterError with the code "push-unknown" if no such push was accepted, and "push-forgotten" if
        the router does not keep it any more.
        """
        if self._http_address is None:
            raise ValueError("http_address names no listener for publishers")
        path = path_of(self._members["app"], self._members["producer"], seq, after)
        return ask(self._http_address, path, self._members.get("token"), self._http_context(), timeout)

    def statistics(self) -> Statistics:
        with self._changed:
            counts = self._sent, self._acknowledged, self._rejected, self._matched, max(0, self._sessions - 1)
            return Statistics(self._queued(), *counts)

    def _is_bound(self) -> bool:
        return super()._is_bound() or self._outbox is not None

    def _forked(self) -> None:
        super()._forked()
        if self._outbox is not None:
            self._outbox.forked()
            self._outbox = None

    # The state, with the lock.

    def _queued(self) -> int:
        return len(self._waiting) + len(self._in_flight) - len(self._refused)

    def _is_flushed(self, last: int) -> bool | None:
        """Whether all pushes up to a number are settled; None if that is not decided yet."""
        with self._changed:
            return True if self._settled() >= last else None if self._failure is None else False

    def _settled(self) -> int:
        """All pushes up to this number are acknowledged or rejected."""
        if self._in_flight:
            return self._in_flight[0][0] - 1
        return self._waiting[0][0] - 1 if self._waiting else self._last

    def _has_room(self) -> bool:
        limits = self._limits
        return self._sessions > 0 and self._queued() < limits.queue and self._bytes < limits.queue_bytes

    def _enter(self, flags: int, body: bytes) -> int | None:
        self._check()
        if not self._has_room():
            return None
        if len(body) > self._max_body:
            raise PushTooLong(f"the push has {len(body)} bytes; the router accepts {self._max_body}")
        if self._last >= HIGHEST_SEQ:
            raise OverflowError("the producer has no numbers left")
        frame = encode(PUSH, self._last + 1, body, flags)
        if self._outbox is not None:
            self._outbox.append(frame)
        self._last += 1
        self._waiting.append((self._last, frame))
        self._bytes += len(frame)
        if self._is_idle and self._can_send():
            self._wake()
        return self._last

    def _hello(self) -> dict[str, Any]:
        # A first HELLO asks for all rejections: those of an earlier run must not be taken for this one's.
        self._acked = min(self._settled(), self._known) if self._last else 0
        return {**self._members, "acked": self._acked}

    def _welcomed(self, welcome: dict[str, Any]) -> None:
        self._window, self._max_body, last = welcome["window"], welcome["maxBody"], welcome.get("lastSeq", 0)
        if not all(isinstance(number, int) and number >= 0 for number in (self._window, self._max_body, last)):
            raise FrameError("a member of WELCOME is not a number")
        behind = welcome.get("behind", 0)
        if isinstance(behind, int) and 0 < behind <= self._acked:
            self._known = self._acked - behind
            self._report(Event("lost", seq=self._known + 1, through=self._acked))
        lost = {push["seq"]: push["code"] for push in welcome.get("rejected", [])}
        kept: list[tuple[int, bytes]] = []
        for seq, frame in self._waiting:
            code = lost.get(seq)
            if code is None and seq > last and len(frame) - HEADER.size > self._max_body:
                code = "frame-length"  # The router's limit has been lowered: it would end the session.
            if code is not None:
                self._reject(seq, code, "no", "its sentence was lost with the connection")
            elif seq <= last:
                self._acknowledged += 1
            else:
                kept.append((seq, frame))
        self._keep(kept)
        self._last = max(self._last, last, *lost)
        self._known = max(self._known, last, *lost)
        self._settle()

    def _has_output(self) -> bool:
        return bool(self._waiting) and len(self._in_flight) - len(self._refused) < self._window

    def _take_output(self) -> bytes:
        frames: list[bytes] = []
        waiting, in_flight = self._waiting, self._in_flight
        room, size = self._window - len(in_flight) + len(self._refused), 0
        while waiting and room > 0 and size < self._BATCH_BYTES:
            push = waiting.popleft()
            in_flight.append(push)
            frames.append(push[1])
            size += len(push[1])
            room -= 1
        self._sent += len(frames)
        return b"".join(frames)

    def _received(self, kind: int, seq: int, body: bytes) -> None:
        if kind == OUTCOME:
            return self._report(Event("outcome", seq=seq, outcome=decode_json(body)))
        if kind not in (ACK, REJECT):
            raise FrameError(f"a frame of type {kind} is not for a publisher")
        in_flight, acknowledged = self._in_flight, 0
        self._known = max(self._known, seq)
        if kind == ACK:
            self._matched += int.from_bytes(body[:4], "big")
            acknowledged = seq
        elif in_flight and in_flight[0][0] <= seq <= in_flight[-1][0] and seq not in self._refused:
            refusal = decode_json(body)
            self._refused.add(seq)
            retry = "later" if refusal.get("retry") == "later" else "no"
            self._reject(seq, str(refusal.get("code")), retry, str(refusal.get("message", "")))
        while in_flight and (in_flight[0][0] <= acknowledged or in_flight[0][0] in self._refused):
            first, frame = in_flight.popleft()
            self._bytes -= len(frame)
            self._acknowledged += first not in self._refused
            self._refused.discard(first)
        self._settle()

    def _reject(self, seq: int, code: str, retry: str, message: str) -> None:
        self._rejected += 1
        self._report(Event("rejected", seq=seq, code=code, retry=retry, message=message))

    def _settle(self) -> None:
        if self._outbox is not None:
            pushes = (push for part in (self._in_flight, self._waiting) for push in part)
            frames = (frame for seq, frame in pushes if seq not in self._refused)
            self._outbox.settle(frames, self._queued(), self._bytes)
        self._notify()

    def _disconnected(self) -> None:
        self._keep([*(push for push in self._in_flight if push[0] not in self._refused), *self._waiting])
        self._in_flight.clear()
        self._refused.clear()

    def _keep(self, pushes: list[tuple[int, bytes]]) -> None:
        """Makes these the pushes to be sent."""
        self._waiting = deque(pushes)
        self._bytes = sum(len(frame) for _, frame in pushes)
