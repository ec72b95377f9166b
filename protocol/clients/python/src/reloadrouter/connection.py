"""A thread that keeps a session with the router: connecting, liveness, reconnecting."""

from __future__ import annotations

import logging
import os
import random
import selectors
import socket
import ssl
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, TypedDict, TypeVar

from .address import address_text, parse_address
from .events import Closed, Event, Forked, NotConnected, RouterError
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


class Options(TypedDict, total=False):
    """What publishers and gateways have in common besides the router's address and the app."""

    token: str | None
    """Lets the client in; a certificate can do so instead."""
    tls: bool
    """True unless this is False: then the connection is plain TCP."""
    ca_file: str | None
    """Authorities that may have signed the router's certificate; by default those of the system."""
    certificate: str | None
    """The client's own certificate."""
    key: str | None
    """Its key, if that is not in the same file."""
    limits: Limits
    on_event: Callable[[Event], None] | None
    """Called on the client's own thread; it must return soon, and not call the client.

    Without it, and while nothing reads `events()`, the first failure of a row is logged as a warning.
    """


class Phase(Enum):
    """Where a connection is. Output of publishers and gateways is sent only while it is open."""

    OPENING = "before WELCOME"
    OPEN = "after WELCOME"
    DRAINING = "after GOAWAY"
    ENDED = "there is none"


class Connection:
    """What publishers and gateways share. Subclasses say what they send, and take what is not of the connection."""

    _BATCH_BYTES = 256 << 10

    def __init__(self, host: str, port: int | None, hello: dict[str, Any], options: Options) -> None:
        self._address = parse_address(host, port)
        self._members = {"v": 1, **hello, **({"token": options["token"]} if options.get("token") is not None else {})}
        self._limits = options.get("limits", Limits())
        self._on_event = options.get("on_event")
        self._options = options
        self._context = self._http_context()
        if self._context is not None:
            self._context.set_alpn_protocols(["rr/1"])
        self._changed = threading.Condition()
        self._on_change: Callable[[], None] | None = None
        self._failure: Exception | None = None  # why the client is over, if it is
        self._phase = Phase.ENDED
        self._iterators: list[deque[Event]] = []
        self._sessions = 0
        self._control = b""
        self._is_idle = False  # the thread waits for something to send
        self._end: RouterError | None = None  # why the last connection, or attempt, has ended
        self._sockets: list[socket.socket] = []  # those that are open
        self._thread = threading.Thread(target=self._run, name="reloadrouter", daemon=True)
        _clients.add(self)

    def _http_context(self) -> ssl.SSLContext | None:
        """How a connection is protected, but for the protocol that is spoken over it; None for plain TCP."""
        if not self._options.get("tls", True):
            return None
        context = ssl.create_default_context(cafile=self._options.get("ca_file"))
        if certificate := self._options.get("certificate"):
            context.load_cert_chain(certificate, self._options.get("key"))
        return context

    # What a subclass defines, called with the lock.

    def _hello(self) -> dict[str, Any]:
        return self._members

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
        return self._iterate(self._subscribe())

    def _subscribe(self) -> deque[Event]:
        waiting: deque[Event] = deque(maxlen=self._limits.events)
        with self._changed:
            self._iterators.append(waiting)
        return waiting

    def _next(self, waiting: deque[T]) -> T | Literal[False] | None:
        """What waits to be read; None if nothing does, False if nothing will."""
        with self._changed:
            if waiting:
                return waiting.popleft()
            return None if self._failure is None else False

    def _iterate(self, waiting: deque[T]) -> Iterator[T]:
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: waiting or self._failure is not None)
                    item = self._next(waiting)
                if item is None or item is False:
                    return
                yield item
        finally:
            self._unsubscribe(waiting)

    def _unsubscribe(self, waiting: deque[Any]) -> None:
        with self._changed:
            self._iterators = [other for other in self._iterators if other is not waiting]

    def connect(self: S, timeout: float | None = 10.0) -> S:
        """Starts the client, and waits until the router has accepted it. It stays connected by itself.

        Raises RouterError if the router refuses it, and NotConnected, a TimeoutError with the last reason, after
        `timeout` seconds (None for no limit); then it keeps trying.
        """
        with self._changed:
            if not self._thread.ident:
                self._thread.start()
            if not self._changed.wait_for(lambda: self._sessions or self._failure, timeout):
                raise self._not_connected(timeout or 0)
            self._check()
            return self

    def _not_connected(self, seconds: float) -> NotConnected:
        return NotConnected(address_text(*self._address), seconds, self._end)

    def __enter__(self: S) -> S:
        try:
            return self.connect()
        except BaseException:
            self._close()
            self.close()
            raise

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
            self._failure = self._failure or Closed("the client is closed")
            self._notify()
            self._wake()
        if self._thread.ident and threading.current_thread() is not self._thread:
            self._thread.join(1.0)  # It may still be connecting; then it ends by itself.

    def _is_bound(self) -> bool:
        """Whether the client is of use only to the process that has made it."""
        return self._thread.ident is not None

    def _forked(self) -> None:
        """Called in the child after a fork: the thread is the parent's, and so is the session of the producer."""
        if self._failure is not None or not self._is_bound():
            return
        self._changed = threading.Condition()  # The parent's thread may have held the former one.
        self._on_change, self._is_idle = None, False
        self._failure = Forked("this client was made before a fork; make one in each process, with its own producer")
        for each in self._sockets:
            each.close()

    # The thread. What is below is called with the lock, up to `_run`.

    def _report(self, event: Event) -> None:
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

    def _can_send(self) -> bool:
        return self._phase is Phase.OPEN and self._has_output()

    def _wake(self) -> None:
        """Has the thread look for output, if it waits."""
        if self._is_idle:
            self._is_idle = False
            self._waker.send(b"\0")

    def _run(self) -> None:
        self._waker, self._wakes = self._sockets = [*socket.socketpair()]
        with self._waker, self._wakes:
            step = self._limits.first_pause
            while self._failure is None:
                end, warning = self._session(), None
                with self._changed:
                    if self._phase in (Phase.OPEN, Phase.DRAINING):
                        step = self._limits.first_pause
                    if end.retry == "later":
                        step = self._limits.longest_pause
                    self._phase = Phase.ENDED
                    self._disconnected()
                    if self._failure is None:
                        warning = self._lost(end)
                if warning:  # Without the lock, as a handler of the log may take its time.
                    logging.getLogger("reloadrouter").warning(*warning)
                with self._changed:
                    self._changed.wait_for(lambda: self._failure is not None, step * random.uniform(0.5, 1))
                step = min(step * 2, self._limits.longest_pause)
            with self._changed:
                self._ended()

    def _lost(self, end: RouterError) -> tuple[object, ...] | None:
        """Reports the end of a connection; returns what is to be logged of it."""
        warning = None
        if self._end is None and self._on_event is None and not self._iterators:
            further = "no further attempt" if end.retry == "no" else "tried again"
            warning = ("no session with %s: %s (%s)", address_text(*self._address), end, further)
        self._end = end
        self._report(Event("disconnected", code=end.code, retry=end.retry, message=end.message))
        if end.retry == "no":
            self._failure = end
            self._report(Event("failed", code=end.code, message=end.message))
        return warning

    def _session(self) -> RouterError:
        """Makes one connection; returns why it has ended."""
        try:
            with self._open() as self._socket, selectors.DefaultSelector() as selector:
                self._sockets[2:] = [self._socket]
                selector.register(self._socket, selectors.EVENT_READ)
                selector.register(self._wakes, selectors.EVENT_READ)
                with self._changed:
                    self._reader, self._phase = FrameReader(), Phase.OPENING
                    self._control = encode(HELLO, 0, encode_json(self._hello()))
                try:
                    self._exchange(selector)
                except OSError:
                    while self._receive():  # The router may have said why, before the connection broke.
                        pass
                    raise
        except RouterError as end:
            return end
        except (OSError, ValueError) as error:
            return RouterError(str(error))
        return RouterError("the client is closed")

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

    def _exchange(self, selector: selectors.BaseSelector) -> None:
        limits, output = self._limits, memoryview(b"")
        heard = asked = time.monotonic()
        while self._failure is None:
            now, is_welcome = time.monotonic(), self._phase is not Phase.OPENING
            end = heard + (limits.silence if is_welcome else limits.connect_timeout)
            ping = max(heard, asked) + limits.ping_after if is_welcome else end
            if now >= end:
                raise RouterError("the router is silent")
            with self._changed:
                if now >= ping:
                    self._control, asked, ping = self._control + encode(PING), now, now + limits.ping_after
                if not output:
                    output = memoryview(self._control + (self._take_output() if self._can_send() else b""))
                    self._control = b""
                self._is_idle = is_waiting = not output
            if output:
                output = output[self._send(output) :]
            selector.modify(self._socket, selectors.EVENT_READ | (selectors.EVENT_WRITE if output else 0))
            ready = selector.select(min(ping, end) - now if is_waiting or output else 0)
            self._is_idle = False
            for key, events in ready:
                if key.fileobj is self._wakes:
                    self._wakes.recv(4096)
                elif events & selectors.EVENT_READ and self._receive() and self._phase is not Phase.OPENING:
                    heard = time.monotonic()

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
                raise RouterError("the router has closed the connection")
            try:
                with self._changed:
                    for kind, seq, body in self._reader.feed(data):
                        self._take(kind, seq, body)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise RouterError(f"the peer violates the protocol: {error}", retry="later") from error
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
            code, retry = str(error.get("code", "unknown")), retry if retry in ("later", "reconnect") else "no"
            raise RouterError(str(error.get("message", "")), code, retry)
        elif kind == GOAWAY:
            self._phase = Phase.DRAINING if self._phase is Phase.OPEN else self._phase
        elif kind == WELCOME and self._phase is Phase.OPENING:
            welcome = decode_json(body)
            self._welcomed(welcome)
            self._phase = Phase.OPEN
            self._sessions += 1
            self._end = None
            self._report(Event("connected", last_seq=welcome.get("lastSeq")))
        elif kind != PONG:
            if self._phase is Phase.OPENING:
                raise FrameError(f"a frame of type {kind} came before WELCOME")
            self._received(kind, seq, body)


#: The clients of this process, as long as somebody has them.
_clients: weakref.WeakSet[Connection] = weakref.WeakSet()


def _after_fork() -> None:
    for client in list(_clients):
        client._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
