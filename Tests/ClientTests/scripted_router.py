"""A router that does what a test says: it waits, cuts, refuses, and answers late or not at all.

`ScriptedRouter` leaves each step to the test. `ModelRouter` answers by itself as a router does, keeps what a
router keeps about a producer, and cuts connections after the number of bytes that a test names.
"""

import contextlib
import json
import pathlib
import random
import socket
import struct
import threading
import time

HELLO, WELCOME, PING, PONG, PUSH, ACK, REJECT, OUTCOME = 0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12, 0x13
ERROR, GOAWAY = 0x7E, 0x7F
URGENT, EXPIRES, KINDS = 0x01, 0x02, 0x04
HEADER = struct.Struct(">IBBHQ")
SESSION = "00112233445566778899aabbccddeeff"
#: How long, in s, may take what must come: on a machine that is shared, a process may get no core for many
#: seconds. For what must not come a test names a time, and waits it out.
WAIT = 40.0

PROTOCOL = json.loads(
    (pathlib.Path(__file__).resolve().parents[2] / "protocol" / "protocol.json").read_text())


def fixed_port():
    """A port of 127.0.0.1 for a listener that comes back to it.

    It is none of those that the system gives to sockets by itself, so that no other test gets it meanwhile.
    """
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.SystemRandom().randrange(10_000, max(first, 11_000))
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


def end_listening(listener):
    """Closes a listener, also if a thread waits at it: closing alone would let that thread wait, and then take
    the connections of the next listener that gets the same descriptor."""
    with contextlib.suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)
    listener.close()


class Ended(Exception):
    """The client has ended the connection."""


def frame(kind, seq=0, body=b"", flags=0):
    """The bytes of a frame; a body that is no bytes is written as JSON."""
    if not isinstance(body, bytes):
        body = json.dumps(body, separators=(",", ":")).encode()
    return HEADER.pack(12 + len(body), kind, flags, 0, seq) + body


def parts(flags, body):
    """A push's date, kinds and payload; None for what it does not have."""
    expires = kinds = None
    if flags & EXPIRES:
        expires, body = int.from_bytes(body[:8], "big"), body[8:]
    if flags & KINDS:
        end = 2 + int.from_bytes(body[:2], "big")
        names, body, kinds = body[2:end], body[end:], []
        while names:
            kinds.append(names[1:1 + names[0]].decode())
            names = names[1 + names[0]:]
    return expires, kinds, json.loads(body)


class Push:
    """A PUSH frame that has arrived."""

    def __init__(self, seq, flags, body):
        self.seq, self.flags, self.body = seq, flags, body
        self.expires, self.kinds, self.payload = parts(flags, body)


class Session:
    """One connection of a client, at the router's end."""

    def __init__(self, connected):
        self.socket = connected
        self.buffer = b""

    def read(self, count, deadline):
        while len(self.buffer) < count:
            self.socket.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                data = self.socket.recv(65536)
            except TimeoutError:
                raise
            except OSError as error:
                raise Ended(str(error)) from error
            if not data:
                raise Ended("end of the stream")
            self.buffer += data
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def receive(self, timeout=WAIT, pings=False):
        """The next frame as (type, flags, seq, body). PINGs are answered, unless a test asks for them."""
        deadline = time.monotonic() + timeout
        while True:
            length, kind, flags, zero, seq = HEADER.unpack(self.read(16, deadline))
            assert zero == 0, "reserved bytes are not zero"
            body = self.read(length - 12, deadline)
            if kind != PING or pings:
                return kind, flags, seq, body
            assert not body, "a PING has no body"
            self.send(PONG, seq)

    def hello(self):
        """Receives HELLO; returns its body."""
        kind, flags, seq, body = self.receive()
        assert (kind, flags, seq) == (HELLO, 0, 0), f"no HELLO but type {kind}, flags {flags}, seq {seq}"
        assert len(body) <= 4096, "HELLO is too long"
        return json.loads(body)

    def welcome(self, lastSeq=0, window=8192, maxBody=65536, **members):
        self.send(WELCOME, 0, {"v": 1, "session": SESSION, "maxBody": maxBody, "window": window,
                               "lastSeq": lastSeq, **members})

    def push(self, timeout=WAIT):
        """Receives one PUSH."""
        kind, flags, seq, body = self.receive(timeout)
        assert kind == PUSH, f"no PUSH but type {kind}"
        return Push(seq, flags, body)

    def pushes(self, count):
        return [self.push() for _ in range(count)]

    def silent(self, seconds):
        """True if no frame and no end of the stream comes for a time."""
        try:
            self.receive(seconds)
        except TimeoutError:
            return True
        except Ended:
            pass
        return False

    def send(self, kind, seq=0, body=b"", flags=0):
        self.raw(frame(kind, seq, body, flags))

    def raw(self, data):
        self.socket.settimeout(WAIT)
        self.socket.sendall(data)

    def ack(self, seq, matched=0):
        self.send(ACK, seq, struct.pack(">I", matched))

    def reject(self, seq, code="payload-combinations", retry="no", **members):
        self.send(REJECT, seq, {"code": code, "retry": retry, "message": "a sentence", **members})

    def error(self, code, retry):
        """Sends ERROR, and closes as a router does: its own side first."""
        self.send(ERROR, 0, {"code": code, "retry": retry, "message": "a sentence"})
        self.close()

    def goaway(self):
        self.send(GOAWAY, 0, {"reason": "drain"})

    def close(self):
        """Ends the stream, then the connection when the client has ended its side."""
        with contextlib.suppress(OSError):
            if hasattr(self.socket, "unwrap"):
                self.socket.unwrap()
            self.socket.shutdown(socket.SHUT_WR)
            self.drain()
        self.socket.close()

    def drain(self, timeout=WAIT):
        """Reads until the client has ended its side; returns the types of the frames that came."""
        kinds = []
        with contextlib.suppress(Ended, TimeoutError):
            while True:
                kinds.append(self.receive(timeout, pings=True)[0])
        return kinds

    def cut(self, reset=False):
        """Ends the connection at once; with reset, the client may not read what was sent before."""
        if reset:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class ScriptedRouter:
    """Listens on a port of 127.0.0.1, or of another address; a test accepts each connection and says what happens."""

    def __init__(self, tls=None, port=0, address="127.0.0.1"):
        self.tls = tls
        self.sessions = []
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.listener = socket.create_server((address, port), family=family, backlog=64)
        self.port = self.listener.getsockname()[1]

    def accept(self, timeout=WAIT):
        """The next connection. Raises TimeoutError if none comes, ssl.SSLError if TLS fails."""
        self.listener.settimeout(timeout)
        connected, _ = self.listener.accept()
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.settimeout(WAIT)
        if self.tls is not None:
            try:
                connected = self.tls.wrap_socket(connected, server_side=True)
            except BaseException:
                connected.close()
                raise
        self.sessions.append(Session(connected))
        return self.sessions[-1]

    def open(self, **members):
        """Accepts a connection and its HELLO, and answers WELCOME. Returns the session and HELLO."""
        session = self.accept()
        hello = session.hello()
        session.welcome(**members)
        return session, hello

    def is_left_alone(self, seconds):
        """True if no connection comes for a time."""
        try:
            self.accept(seconds).cut()
        except TimeoutError:
            return True
        return False

    def close(self):
        """Ends listening; the connections that are open stay so."""
        self.listener.close()

    def put_away(self):
        self.close()
        for session in self.sessions:
            session.socket.close()


class ModelRouter:
    """A router for one producer, which answers each push at once. A payload with "bad" is rejected.

    `faults` is a list of (direction, bytes) for the next connections, in order: a connection is cut when that
    number of bytes has been sent ("out") or received ("in"). After them connections are not cut.
    """

    def __init__(self, window=8192):
        self.lock = threading.Lock()
        self.window = window
        self.last = 0
        self.effects = []  # (seq, payload) of each accepted push, once
        self.rejected = {}  # seq -> code, of pushes that were rejected
        self.hellos = []
        self.faults = []
        self.broken = []  # what a client did that a router would end its session for
        self.sessions = 0
        self.current = None
        self.is_closed = False
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def cut(self):
        """Cuts the present connection."""
        with self.lock:
            if self.current is not None:
                with contextlib.suppress(OSError):
                    self.current.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.is_closed = True
        end_listening(self.listener)
        self.cut()
        self.thread.join(WAIT)

    def _listen(self):
        while not self.is_closed:
            try:
                connected, _ = self.listener.accept()
            except OSError:
                return
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.current = connected
                self.sessions += 1
                fault = self.faults.pop(0) if self.faults else (None, 0)
            try:
                _ModelSession(self, connected, *fault).run()
            except (Ended, OSError):
                pass
            finally:
                connected.close()


class _ModelSession:
    def __init__(self, model, connected, direction, limit):
        self.model, self.socket = model, connected
        self.output = limit if direction == "out" else None
        self.input = limit if direction == "in" else None
        self.buffer = b""

    def read(self, count):
        while len(self.buffer) < count:
            data = self.socket.recv(65536 if self.input is None else max(1, self.input))
            if not data:
                raise Ended("end of the stream")
            if self.input is not None:
                data = data[:self.input]
                self.input -= len(data)
            self.buffer += data
            if self.input == 0:
                raise Ended("cut by the test")
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def send(self, data):
        if self.output is None:
            return self.socket.sendall(data)
        part = data[:self.output]
        self.output -= len(part)
        self.socket.sendall(part)
        if self.output == 0:
            raise Ended("cut by the test")

    def run(self):
        model, highest = self.model, 0
        if 0 in (self.input, self.output):
            raise Ended("cut by the test")
        while True:
            length, kind, flags, _, seq = HEADER.unpack(self.read(16))
            body = self.read(length - 12)
            if kind == HELLO:
                hello = json.loads(body)
                known = hello.get("acked")
                with model.lock:
                    model.hellos.append(hello)
                    self.start = highest = model.last
                    lost = [] if known is None else [
                        {"seq": seq, "code": code} for seq, code in sorted(model.rejected.items()) if seq > known]
                members = {"rejected": lost[-256:]} if lost else {}
                self.send(frame(WELCOME, 0, {"v": 1, "session": SESSION, "maxBody": 65536, "window": model.window,
                                             "lastSeq": self.start, **members}))
            elif kind == PING:
                self.send(frame(PONG, seq))
            elif kind == PUSH:
                with model.lock:
                    if seq <= self.start:
                        answer = frame(ACK, seq, bytes(4))
                    elif seq <= highest:
                        model.broken.append(f"push {seq} came after {highest}")
                        raise Ended("seq-not-rising")
                    else:
                        highest = seq
                        answer = self._take(seq, flags, body)
                self.send(answer)

    def _take(self, seq, flags, body):
        payload = parts(flags, body)[2]
        if payload.get("bad"):
            self.model.rejected[seq] = "payload-combinations"
            return frame(REJECT, seq, {"code": "payload-combinations", "retry": "no", "message": "a sentence"})
        self.model.rejected.pop(seq, None)
        self.model.last = seq
        self.model.effects.append((seq, payload))
        return frame(ACK, seq, struct.pack(">I", 1))
