"""What the examples share of the push protocol: frames, HELLO, and the answer to a RELOAD."""

import json
import select
import socket
import struct
import time

HELLO, WELCOME, PING, PONG, PUSH, ACK, REJECT = 0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12
WIDGETS, TIMELINE, ATTACH, RELOAD = 0x20, 0x21, 0x24, 0x30
DETACHED, ATTACHED, ERROR, GOAWAY = 0x32, 0x33, 0x7E, 0x7F
KINDS = 0x04  # the flag of a PUSH with names of kinds in front of its payload
HEADER = struct.Struct(">IBBHQ")


# Clients pass over frames of types from here on that they do not know.
FIRST_IGNORED = 0x40


class SessionEnded(Exception):
    """The router has ended the session.

    `code` is that of its ERROR, None after GOAWAY or a close. `retry` is "no" if reconnecting is no use,
    "later" if it is after a pause, and "reconnect" if it is at once.
    """

    def __init__(self, reason, code=None, retry="reconnect"):
        super().__init__(f"{code}: {reason}" if code else reason)
        self.code = code
        self.retry = retry


class Connection:
    """A connection to the router that sends and receives whole frames."""

    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=30)
        self.buffer = b""

    def send(self, kind, seq, body=b"", flags=0):
        self.socket.sendall(HEADER.pack(12 + len(body), kind, flags, 0, seq) + body)

    def receive(self):
        """The next frame as (type, seq, body). Answers PINGs; skips PONGs and what it need not know.

        Raises SessionEnded at ERROR, GOAWAY and the end of the connection.
        """
        while True:
            length, kind, _, _, seq = HEADER.unpack(self.read(16))
            body = self.read(length - 12)
            if kind == PING:
                self.send(PONG, seq)
            elif kind == ERROR:
                error = json.loads(body)
                raise SessionEnded(error["message"], error["code"], error.get("retry", "no"))
            elif kind == GOAWAY:
                raise SessionEnded("the router drains")
            elif kind != PONG and kind < FIRST_IGNORED:
                return kind, seq, body

    def has_input(self):
        """True if at least the beginning of a frame has arrived."""
        return bool(self.buffer or select.select([self.socket], [], [], 0)[0])

    def read(self, count):
        while len(self.buffer) < count:
            data = self.socket.recv(65536)
            if not data:
                raise SessionEnded("the router has closed the connection")
            self.buffer += data
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def hello(self, **members):
        """Opens the session and returns the body of WELCOME."""
        members = {key: value for key, value in members.items() if value is not None}
        self.send(HELLO, 0, json.dumps({"v": 1} | members).encode())
        _, _, body = self.receive()
        return json.loads(body)


def answer(connection, seq, reload, body):
    """Sends a TIMELINE for each of the reloaded widgets; returns the seq of the last one."""
    for widget in body["widgets"]:
        seq += 1
        timeline = {
            "device": body["device"],
            "widget": widget,
            "reload": reload,
            "entries": [int(time.time() * 1000)],
            "policy": "never",
        }
        connection.send(TIMELINE, seq, json.dumps(timeline).encode())
    return seq
