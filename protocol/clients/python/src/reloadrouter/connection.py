"""A thread that keeps a session with the router: connecting, liveness, reconnecting."""

from __future__ import annotations

import logging
import random
import selectors
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from .events import Closed, Event, RouterError, SessionEnd
from .frames import ERROR, GOAWAY, HELLO, PING, PONG, WELCOME, FrameError, FrameReader, decode_json, encode, encode_json

T = TypeVar("T")
S = TypeVar("S", bound="Connection")


@dataclass(frozen=True)
class Limits:
    """The limits of a client, and what happens at each."""

    queue: int = 8192
    """Pushes neither acknowledged nor rejected. Beyond: `push` waits, `try_push` returns None."""
    queue_bytes: int = 16 << 20
    """Their bytes. Beyond: as with `queue`."""
    events: int = 1024
    """Events and reloads that wait to be read from an iterator. Beyond: the oldest is dropped."""
    unanswered: int = 1024
    """A gateway's frames without an answer. Beyond: its calls wait."""
    registrations: int = 65536
    """Devices that a gateway registers again after a reconnect. Beyond: `widgets` raises ValueError."""
    connect_timeout: float = 10.0
    """Seconds until a connection is open, for each address; and from there until WELCOME."""
    ping_after: float = 15.0
    """Seconds of silence until PING."""
    silence: float = 45.0
    """Seconds of silence until the connection counts as lost."""
    first_pause: float = 0.1
    """Seconds of the first pause before reconnecting; each further one is twice as long. Half of each is random."""
    longest_pause: float = 5.0
    """The longest pause in seconds."""
    sync_interval: float = 0.1
    """Seconds after which what was written to an outbox is on the disk."""


DEFAULT_LIMITS = Limits()


class Connection:
    """What publishers and gateways share. Subclasses say what they send, and take what is not of the connection."""

    _BATCH_BYTES = 256 << 10

    def __init__(
        self,
        host: str,
        port: int,
        *,
        tls: bool,
        ca_file: str | None,
        certificate: str | None,
        key: str | None,
        limits: Limits,
        on_event: Callable[[Event], None] | None,
    ) -> None:
        self._address = (host, port)
        self._limits = limits
        self._on_event = on_event
        self._context: ssl.SSLContext | None = None
        if tls:
            self._context = ssl.create_default_context(cafile=ca_file)
            self._context.set_alpn_protocols(["rr/1"])
            if certificate is not None:
                self._context.load_cert_chain(certificate, key)
        self._changed = threading.Condition()
        self._on_change: Callable[[], None] | None = None
        self._failure: Exception | None = None
        self._is_closing = False
        self._was_established = False
        self._is_established = False
        self._iterators: list[deque[Event]] = []
        self._sessions = 0
        self._control = b""
        self._is_idle = False
        self._waker, self._wakes = socket.socketpair()
        self._wakes.setblocking(False)
        self._waker.setblocking(False)
        self._thread = threading.Thread(target=self._run, name="reloadrouter", daemon=True)

    # What a subclass defines. All but `_hello` are called with the lock.

    def _hello(self) -> dict[str, Any]:
        raise NotImplementedError

    def _welcomed(self, welcome: dict[str, Any]) -> None:
        raise NotImplementedError

    def _received(self, kind: int, seq: int, body: bytes) -> None:
        raise NotImplementedError

    def _has_output(self) -> bool:
        raise NotImplementedError

    def _take_output(self) -> bytes:
        raise NotImplementedError

    def _disconnected(self) -> None:
        raise NotImplementedError

    def _ended(self) -> None:
        """The client will not connect again."""

    # What users see.

    def events(self) -> Iterator[Event]:
        """The events from now on, as they happen. It ends with the client."""
        return self._iterate(self._subscribe(), self._unsubscribe)

    def _subscribe(self) -> deque[Event]:
        waiting: deque[Event] = deque(maxlen=self._limits.events)
        with self._changed:
            self._iterators.append(waiting)
        return waiting

    def _unsubscribe(self, waiting: deque[Event]) -> None:
        with self._changed:
            self._iterators = [other for other in self._iterators if other is not waiting]

    def _next(self, waiting: deque[T]) -> T | Literal[False] | None:
        """What waits to be read; None if nothing does, False if nothing will."""
        with self._changed:
            if waiting:
                return waiting.popleft()
            return None if self._failure is None else False

    def _iterate(self, waiting: deque[T], at_end: Callable[[deque[T]], None] | None = None) -> Iterator[T]:
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: waiting or self._failure is not None)
                    item = self._next(waiting)
                if item is None or item is False:
                    return
                yield item
        finally:
            if at_end is not None:
                at_end(waiting)

    def connect(self: S, timeout: float | None = None) -> S:
        """Starts the client, and waits until the router has accepted it. It stays connected by itself.

        Raises RouterError if the router refuses it, and TimeoutError after `timeout` seconds; then it keeps trying.
        """
        with self._changed:
            if not self._thread.ident:
                self._thread.start()
            if not self._changed.wait_for(lambda: self._was_established or self._failure, timeout):
                raise TimeoutError("the router has not answered yet")
            self._check()
            return self

    def __enter__(self: S) -> S:
        return self.connect()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> object:
        """Ends the client."""
        raise NotImplementedError

    def _check(self) -> None:
        """Raises the reason why the client is over, if it is."""
        if self._failure is not None:
            raise self._failure

    def _close(self) -> None:
        with self._changed:
            if self._failure is None:
                self._failure = Closed("the client is closed")
            self._is_closing = True
            self._notify()
            self._wake()
        if not self._thread.ident:
            self._waker.close()
            self._wakes.close()
        elif threading.current_thread() is not self._thread:
            self._thread.join(1.0)  # It may still be connecting; then it ends by itself.

    # The thread.

    def _report(self, event: Event) -> None:
        """Reports an event; called with the lock."""
        for waiting in self._iterators:
            waiting.append(event)
        self._notify()
        if self._on_event is not None:
            try:
                self._on_event(event)
            except Exception:
                logging.getLogger("reloadrouter").exception("on_event has failed")

    def _notify(self) -> None:
        self._changed.notify_all()
        if self._on_change is not None:
            self._on_change()

    def _wake(self) -> None:
        """Has the thread look for output, if it waits. Called with the lock."""
        if self._is_idle:
            self._is_idle = False
            try:
                self._waker.send(b"\0")
            except OSError:
                pass  # It has been woken often enough.

    def _run(self) -> None:
        step = self._limits.first_pause
        while True:
            self._has_welcome = False  # on this connection
            try:
                self._session()
                end = SessionEnd("closed")
            except SessionEnd as error:
                end = error
            except (OSError, ValueError) as error:
                end = SessionEnd(str(error))
            if self._has_welcome:
                step = self._limits.first_pause
            with self._changed:
                self._is_established = False
                self._disconnected()
                if self._is_closing:
                    break
                self._report(Event("disconnected", code=end.code, retry=end.retry, message=str(end)))
                if end.retry == "no":
                    code = end.code or "unknown"
                    self._failure = RouterError(code, str(end))
                    self._report(Event("failed", code=code, message=str(end)))
                    break
                if end.retry == "later":
                    step = self._limits.longest_pause
                self._changed.wait_for(lambda: self._is_closing, step * random.uniform(0.5, 1))
                step = min(step * 2, self._limits.longest_pause)
        with self._changed:
            self._ended()
        self._waker.close()
        self._wakes.close()

    def _open(self) -> socket.socket:
        connected = socket.create_connection(self._address, timeout=self._limits.connect_timeout)
        try:
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._context is not None:
                connected = self._context.wrap_socket(connected, server_hostname=self._address[0])
            connected.setblocking(False)
        except BaseException:
            connected.close()
            raise
        return connected

    def _session(self) -> None:
        if self._is_closing:
            return
        with self._open() as connected, selectors.DefaultSelector() as selector:
            selector.register(connected, selectors.EVENT_READ)
            selector.register(self._wakes, selectors.EVENT_READ)
            self._socket, self._reader, self._is_draining = connected, FrameReader(), False
            with self._changed:
                self._control = encode(HELLO, 0, encode_json(self._hello()))
            try:
                self._exchange(selector)
            except OSError:
                while self._receive():  # The router may have said why, before the connection broke.
                    pass
                raise

    def _exchange(self, selector: selectors.BaseSelector) -> None:
        output, limits, mask = memoryview(b""), self._limits, selectors.EVENT_READ
        heard = asked = opened = time.monotonic()
        while not self._is_closing:
            if not output:
                with self._changed:
                    output = memoryview(self._control + self._output())
                    self._control = b""
            wanted = selectors.EVENT_READ
            if output:
                output = output[self._send(output) :]
                wanted |= selectors.EVENT_WRITE if output else 0
            if wanted != mask:
                mask = wanted
                selector.modify(self._socket, mask)
            now = time.monotonic()
            end = heard + limits.silence if self._has_welcome else opened + limits.connect_timeout
            if now >= end:
                raise SessionEnd("the router is silent")
            ping = max(heard, asked) + limits.ping_after
            if self._has_welcome and now >= ping:
                self._control, asked = self._control + encode(PING), now
                continue
            with self._changed:
                more = not output and (bool(self._control) or self._can_send())
                self._is_idle = not more
            ready = selector.select(0 if more else (min(ping, end) if self._has_welcome else end) - now)
            self._is_idle = False
            for key, events in ready:
                if key.fileobj is self._wakes:
                    self._wakes.recv(4096)
                elif events & selectors.EVENT_READ:
                    self._receive()
                    heard = time.monotonic()

    def _can_send(self) -> bool:
        return self._is_established and self._has_output()

    def _output(self) -> bytes:
        return self._take_output() if self._is_established else b""

    def _send(self, output: memoryview) -> int:
        try:
            return self._socket.send(output)
        except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
            return 0

    def _receive(self) -> bool:
        """Takes what has arrived; returns whether anything has."""
        has_data = False
        while True:
            try:
                data = self._socket.recv(1 << 18)
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return has_data
            if not data:
                raise SessionEnd("the router drains" if self._is_draining else "the router has closed the connection")
            try:
                with self._changed:
                    for kind, seq, body in self._reader.feed(data):
                        self._take(kind, seq, body)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise SessionEnd(f"the peer violates the protocol: {error}", retry="later") from error
            has_data = True
            if self._context is None:
                return True

    def _take(self, kind: int, seq: int, body: bytes) -> None:
        if kind == PING:
            self._control += encode(PONG, seq)
            if len(self._control) > self._BATCH_BYTES:
                raise FrameError("PINGs come faster than their PONGs can be sent")
        elif kind == ERROR:
            error = decode_json(body)
            retry = error.get("retry")
            retry = retry if retry in ("later", "reconnect") else "no"
            raise SessionEnd(str(error.get("message", "")), str(error.get("code")), retry)
        elif kind == GOAWAY:
            self._is_draining, self._is_established = True, False
        elif kind == WELCOME and not self._has_welcome:
            welcome = decode_json(body)
            self._welcomed(welcome)
            self._was_established = self._has_welcome = True
            self._is_established = not self._is_draining
            self._sessions += 1
            self._report(Event("connected", last_seq=welcome.get("lastSeq")))
        elif kind != PONG:
            if not self._has_welcome:
                raise FrameError(f"a frame of type {kind} came before WELCOME")
            self._received(kind, seq, body)
