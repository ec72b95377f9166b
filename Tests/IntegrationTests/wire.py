"""The push protocol as a client sees it: frames as bytes, and what each role usually does."""

import contextlib
import itertools
import json
import socket
import struct
import time

HEADER = struct.Struct(">IBBHQ")
HELLO, WELCOME, PING, PONG = 0x01, 0x02, 0x03, 0x04
PUSH, ACK, REJECT, OUTCOME = 0x10, 0x11, 0x12, 0x13
WIDGETS, TIMELINE, STATE, REQUEST, ATTACH = 0x20, 0x21, 0x22, 0x23, 0x24
RELOAD, SCHEDULED, DETACHED, ATTACHED, ERROR, GOAWAY = 0x30, 0x31, 0x32, 0x33, 0x7E, 0x7F
URGENT, EXPIRES, NARROWED = 0x01, 0x02, 0x04

APP = "com.mygame"
TOKENS = {"publisher": "pub-secret-51", "device": "dev-secret-52", "gateway": "gate-secret-53"}


#: Deadlines say how long a thing takes on a quiet machine. On one that is shared, the processes of a
#: test may get no core for many seconds; this is how many times as long they may take before the test
#: counts as hanging. It costs nothing where things happen in time.
PATIENCE = 4
#: How long, in s, an answer may take that must come. For what must not come a test names a time, and waits
#: it out.
WAIT = 10.0 * PATIENCE


def now_ms():
    return int(time.time() * 1000)


def frame(type, seq=0, body=b"", flags=0, reserved=0, length=None):
    """A frame's bytes; a body that is not bytes is written as JSON."""
    if not isinstance(body, (bytes, bytearray)):
        body = json.dumps(body, separators=(",", ":")).encode()
    announced = 12 + len(body) if length is None else length
    return HEADER.pack(announced, type, flags, reserved, seq) + body


def narrowing(kinds):
    """What precedes the payload of a push that is narrowed to some kinds."""
    names = b"".join(bytes([len(kind.encode())]) + kind.encode() for kind in kinds)
    return struct.pack(">H", len(names)) + names


class Frame:
    """A frame from the router."""

    def __init__(self, type, flags, seq, body):
        self.type, self.flags, self.seq, self.body = type, flags, seq, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        return self.json["code"]

    @property
    def matched(self):
        return struct.unpack(">I", self.body)[0]

    def __repr__(self):
        return f"<{self.type:#04x} seq={self.seq} {bytes(self.body[:200])!r}>"


class Ended(Exception):
    """The router ended the connection: with an ERROR's code, or with none."""

    def __init__(self, code=None, message=""):
        super().__init__(f"{code}: {message}")
        self.code = code


class Client:
    """A connection that exchanges frames; what each role usually does is a method."""

    def __init__(self, address, receive_buffer=None, security=None):
        """`security` makes TLS of the socket; see `Security` in test_tls.py."""
        self.device = None
        self.seq = 0
        self.matched = 0
        self.acked = 0
        self.answers_pings = True
        self.kept = []
        self._input = bytearray()
        self._pings = itertools.count(1_000_000)
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(WAIT)
        try:
            self.socket.connect(address)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if security:
                self.socket = security(self.socket)
        except OSError:
            self.socket.close()
            raise

    def close(self):
        self.socket.close()

    def send_raw(self, data):
        self.socket.settimeout(WAIT)
        self.socket.sendall(data)

    def send(self, type, body=b"", seq=None, flags=0):
        """Sends a frame; without a seq, the next one of this connection. Returns the seq."""
        if seq is None:
            self.seq += 1
            seq = self.seq
        else:
            self.seq = max(self.seq, seq)
        self.send_raw(frame(type, seq, body, flags))
        return seq

    def next(self, timeout=WAIT):
        """The next frame; None at the end of the stream; TimeoutError if nothing comes."""
        deadline = time.monotonic() + timeout
        while True:
            if len(self._input) >= 4:
                length = int.from_bytes(self._input[:4], "big")
                if len(self._input) >= 4 + length:
                    _, type, flags, reserved, seq = HEADER.unpack(self._input[:16])
                    assert reserved == 0, "the router sent a reserved field that is not zero"
                    body = bytes(self._input[16:4 + length])
                    del self._input[:4 + length]
                    if type == PING and self.answers_pings:
                        self.send_raw(frame(PONG, seq))
                        continue
                    return Frame(type, flags, seq, body)
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no frame in {timeout} s; kept so far: {self.kept[-5:]}")
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(1 << 18)
            except ConnectionResetError:
                return None
            if not data:
                return None
            self._input += data

    def ready(self):
        """The frames that are there, without waiting; None is the last one at the end of the stream."""
        self.socket.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            try:
                data = self.socket.recv(1 << 18)
            except ConnectionResetError:
                data = b""
            if not data:
                yield None
                return
            self._input += data
        with contextlib.suppress(TimeoutError):
            while True:
                yield self.next(0)

    def expect(self, *types, timeout=WAIT):
        """The next frame of one of these types; frames of others on the way are kept.

        Raises `Ended` at an ERROR or the end of the stream, unless ERROR is what is expected.
        """
        for index, found in enumerate(self.kept):
            if found.type in types:
                return self.kept.pop(index)
        while True:
            found = self.next(timeout)
            if found is None:
                raise Ended(None, f"end of stream, wanted {[hex(t) for t in types]}")
            if found.type in types:
                return found
            if found.type == ERROR:
                raise Ended(found.code, found.json["message"])
            self.kept.append(found)

    def expect_end(self, timeout=WAIT):
        """Reads to the end of the stream; returns the ERROR's code, or None without one."""
        code = None
        while (found := self.next(timeout)) is not None:
            assert code is None, f"after ERROR came {found}"
            if found.type == ERROR:
                code = found.code
            else:
                self.kept.append(found)
        return code

    def barrier(self, timeout=WAIT):
        """Everything that the router decided for this connection before now is in `kept` after."""
        seq = next(self._pings)
        self.send_raw(frame(PING, seq))
        while (found := self.next(timeout)) is not None:
            if found.type == PONG and found.seq == seq:
                return
            if found.type == ERROR:
                raise Ended(found.code, found.json["message"])
            self.kept.append(found)
        raise Ended(None, "end of stream instead of PONG")

    def hello(self, role, app=APP, token=None, **members):
        body = {"v": 1, "role": role, "app": app, "token": token or TOKENS[role]} | members
        self.send_raw(frame(HELLO, 0, body))

    # What a publisher does.

    def push(self, payload, flags=0, seq=None, void_at=None, kinds=None):
        """Pushes without waiting; returns the seq. With kinds, the push is narrowed to them."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        if kinds is not None:
            flags |= NARROWED
            body = narrowing(kinds) + body
        if void_at is not None:
            flags |= EXPIRES
            body = struct.pack(">Q", void_at) + body
        return self.send(PUSH, body, seq, flags)

    def wait_acked(self, seq, timeout=WAIT):
        """Waits until an ACK covers the seq; returns the widgets matched since the last call."""
        while self.acked < seq:
            found = self.expect(ACK, timeout=timeout)
            assert found.seq > self.acked or found.matched == 0, "ACKs do not go back"
            self.acked = max(self.acked, found.seq)
            self.matched += found.matched
        matched, self.matched = self.matched, 0
        return matched

    def pushed(self, payload, **options):
        """Pushes and waits for the ACK; returns how many widgets matched."""
        return self.wait_acked(self.push(payload, **options))

    # What a device or a gateway does.

    def request(self, type, body, timeout=WAIT):
        """Sends a frame of a device and waits for its ACK."""
        seq = self.send(type, body)
        while True:
            found = self.expect(ACK, REJECT, timeout=timeout)
            if found.type == REJECT:
                raise AssertionError(f"refused: {found}")
            if found.seq >= seq:
                return seq

    def register(self, *widgets, device=None):
        return self.request(WIDGETS, {"device": device or self.device, "widgets": list(widgets)})

    def answer(self, reload, widget=None, policy="never"):
        """Sends the TIMELINE that answers a RELOAD, for its first widget or the one named."""
        return self.request(TIMELINE, {
            "device": reload.json["device"], "widget": widget or reload.json["widgets"][0],
            "reload": reload.seq, "entries": [now_ms()], "policy": policy})

    def reloads(self):
        """All RELOADs that were decided for this connection before now and not returned yet."""
        self.barrier()
        found = [f for f in self.kept if f.type == RELOAD]
        self.kept = [f for f in self.kept if f.type != RELOAD]
        return found

    def reloaded(self):
        """The (device, widget) pairs that these RELOADs name, sorted."""
        return sorted((f.json["device"], w) for f in self.reloads() for w in f.json["widgets"])
