"""Connections of the crash harness: none of them blocks, and all are on one thread."""

import errno
import selectors
import socket
import time

from crash_model import Violation
from wire import (APP, ERROR, GOAWAY, HEADER, HELLO, PING, PONG, TOKENS, WAIT, WELCOME, Frame, frame)


class Wires:
    """All connections; `turn` reads and writes as much as possible."""

    def __init__(self):
        self._selector = selectors.DefaultSelector()
        self.all = set()

    def add(self, wire):
        self.all.add(wire)
        self._selector.register(wire.socket, selectors.EVENT_READ, wire)

    def remove(self, wire):
        if wire in self.all:
            self.all.remove(wire)
            self._selector.unregister(wire.socket)

    def turn(self, timeout):
        if not self.all:
            time.sleep(min(timeout, 0.001))
        for key, _ in self._selector.select(timeout):
            key.data.read()
        for wire in list(self.all):
            wire.flush()


class Wire:
    """A connection that never blocks; frames go to the peer that owns it."""

    def __init__(self, wires, address, peer):
        self.wires, self.peer = wires, peer
        self.socket = socket.create_connection(address, timeout=WAIT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self._input, self._output = bytearray(), bytearray()
        wires.add(self)

    def send(self, *parts, **options):
        self._output += frame(*parts, **options)

    def flush(self):
        while self._output:
            try:
                del self._output[:self.socket.send(self._output)]
            except BlockingIOError:
                return
            except OSError:
                # What came before the end is still to be read.
                self._output.clear()

    def read(self):
        """Reads what has arrived; at the end of the stream, the peer is informed."""
        try:
            while data := self.socket.recv(1 << 18):
                self._input += data
                self._parse()
            is_over = True
        except BlockingIOError:
            is_over = False
        except OSError as failure:
            if failure.errno not in (errno.ECONNRESET, errno.EPIPE):
                raise
            is_over = True
        if is_over and self in self.wires.all:
            self.close()

    def _parse(self):
        start = 0
        while len(self._input) - start >= 4:
            end = start + 4 + int.from_bytes(self._input[start:start + 4], "big")
            if len(self._input) < end:
                break
            _, type, flags, _, seq = HEADER.unpack_from(self._input, start)
            found = Frame(type, flags, seq, bytes(self._input[start + 16:end]))
            start = end
            if type == PING:
                self.send(PONG, seq)
            else:
                self.peer.took(found)
        del self._input[:start]

    def drain(self):
        """After a kill: reads everything that the router has sent, and closes."""
        self._output.clear()
        self.socket.settimeout(WAIT)
        try:
            while data := self.socket.recv(1 << 18):
                self._input += data
            self._parse()
        except OSError:
            self._parse()
        self.close()

    def close(self):
        self.wires.remove(self)
        self.socket.close()
        self.peer.ended()


class Peer:
    """What publishers and devices have in common: a session, or none."""

    role = "device"

    def __init__(self, model, random, wires):
        self.model, self.random, self.wires = model, random, wires
        self.wire = None
        self.is_welcome = False

    def connect(self, address):
        """Begins a session, if the router can be reached."""
        try:
            self.wire = Wire(self.wires, address, self)
        except OSError:
            return False
        self.is_welcome = False
        self.begin()
        self.model.note(self, "connects")
        body = {"v": 1, "role": self.role, "app": APP, "token": TOKENS[self.role]}
        self.wire.send(HELLO, 0, body | self.names())
        return True

    def close(self):
        if self.wire:
            self.wire.close()

    def ended(self):
        self.wire = None
        self.is_welcome = False

    def took(self, found):
        self.model.note(self, found)
        if found.type == ERROR:
            raise Violation(f"{self}: {found}")
        if found.type == WELCOME:
            self.is_welcome = True
            self.welcomed(found.json)
        elif found.type != GOAWAY:
            if not self.is_welcome:
                raise Violation(f"{self}: {found} in front of WELCOME")
            self.takes[found.type](self, found)
