"""The router's listener for publishers, as a test wants it: `ScriptedHTTP` leaves each step to the test, and
`ModelHTTP` answers by itself, remembers idempotency keys, and has faults."""

import contextlib
import json
import random
import socket
import struct
import threading
import time

from scripted_router import WAIT, Ended, end_listening

REASONS = {202: "Accepted", 200: "OK", 302: "Found", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
           409: "Conflict", 410: "Gone", 413: "Content Too Large", 422: "Unprocessable Content", 429: "Too Many Requests",
           500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable"}


class Request:
    def __init__(self, method, target, headers, body):
        self.method, self.target, self.headers, self.body = method, target, headers, body

    @property
    def lines(self):
        """The pushes of a body of JSON lines."""
        return [json.loads(line) for line in self.body.decode().split("\n") if line]


def response(status, body=None, headers=(), kind=None):
    """The bytes of a response; a body that is no bytes is written as JSON."""
    if body is None:
        body = {"accepted": 1, "duplicates": 0, "matched": 0, "rejected": []} if status == 202 else {}
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    kind = kind or ("application/json" if status < 300 else "application/problem+json")
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Unknown')}", f"Content-Type: {kind}",
             f"Content-Length: {len(body)}", *(f"{name}: {value}" for name, value in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def problem(code, detail="a sentence"):
    return {"type": "about:blank", "title": "A problem", "status": 0, "code": code, "detail": detail}


class Exchange:
    """One connection of a client, at the server's end."""

    def __init__(self, connected):
        self.socket, self.buffer = connected, b""

    def _read_some(self):
        try:
            data = self.socket.recv(65536)
        except TimeoutError:
            raise
        except OSError as error:
            raise Ended(str(error)) from error
        if not data:
            raise Ended("end of the stream")
        self.buffer += data

    def request(self, timeout=WAIT):
        self.socket.settimeout(timeout)
        while b"\r\n\r\n" not in self.buffer:
            self._read_some()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        first, *lines = head.decode().split("\r\n")
        method, target, version = first.split(" ")
        assert version == "HTTP/1.1", version
        headers = {}
        for line in lines:
            name, value = line.split(":", 1)
            assert name.lower() not in headers, f"{name} twice"
            headers[name.lower()] = value.strip()
        length = 0 if method == "GET" else int(headers["content-length"])
        while len(self.buffer) < length:
            self._read_some()
        body, self.buffer = self.buffer[:length], self.buffer[length:]
        return Request(method, target, headers, body)

    def answer(self, status, body=None, headers=(), kind=None):
        self.socket.sendall(response(status, body, headers, kind))

    def cut(self, reset=False):
        if reset:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class ScriptedHTTP:
    def __init__(self, tls=None):
        self.tls, self.exchanges = tls, []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]

    def accept(self, timeout=WAIT):
        self.listener.settimeout(timeout)
        connected, _ = self.listener.accept()
        connected.settimeout(WAIT)
        if self.tls is not None:
            try:
                connected = self.tls.wrap_socket(connected, server_side=True)
            except BaseException:
                connected.close()
                raise
        self.exchanges.append(Exchange(connected))
        return self.exchanges[-1]

    def is_left_alone(self, seconds):
        try:
            self.accept(seconds).cut()
        except TimeoutError:
            return True
        return False

    def put_away(self):
        self.listener.close()
        for exchange in self.exchanges:
            exchange.socket.close()


class ModelHTTP:
    """Accepts each push once for each idempotency key; a payload with "bad" is refused.

    `faults` is a function that is called for each request and says what goes wrong: None, "before" or "after" (the
    connection is cut before or after the pushes have had their effect), ("part", N) (after N bytes of the answer),
    or a status.
    """

    def __init__(self, faults=lambda: None):
        self.faults = faults
        self.effects, self.answers, self.bodies = [], {}, {}
        self.repeats, self.broken = 0, []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def put_away(self):
        end_listening(self.listener)

    def _listen(self):
        while True:
            try:
                connected, _ = self.listener.accept()
            except OSError:
                return
            connected.settimeout(WAIT)
            exchange = Exchange(connected)
            try:
                while self._serve(exchange):
                    pass
            except (Ended, OSError):
                pass
            finally:
                connected.close()

    def _serve(self, exchange):
        request, fault = exchange.request(), self.faults()
        if fault == "before":
            return False
        if isinstance(fault, int):
            exchange.answer(fault, problem("busy"))
            return True
        key = request.headers["idempotency-key"]
        if self.bodies.setdefault(key, request.body) != request.body:
            self.broken.append(f"the key {key} came with another body")
        if key in self.answers:
            self.repeats += 1
        else:
            self.answers[key] = self._accept(request.lines)
        data = response(202, self.answers[key])
        if fault == "after":
            return False
        if fault is not None:
            exchange.socket.sendall(data[:fault[1]])
            return False
        exchange.socket.sendall(data)
        return True

    def _accept(self, payloads):
        rejected = [{"line": n, "code": "payload-combinations", "detail": "a sentence"}
                    for n, payload in enumerate(payloads, 1) if payload.get("bad")]
        good = [payload for payload in payloads if not payload.get("bad")]
        self.effects += good
        return {"accepted": len(good), "duplicates": 0, "matched": len(good), "rejected": rejected}


class RandomFaults:
    """Faults for a `ModelHTTP`, from a seed: about half of the requests have one."""

    def __init__(self, seed):
        self.generator = random.Random(seed)

    def __call__(self):
        return self.generator.choice([None, None, None, "before", "after", ("part", self.generator.randrange(250)),
                                      503, 429])


def wait_closed(exchange, timeout=WAIT):
    """Waits until the client has ended a connection; returns what came before."""
    deadline, data = time.monotonic() + timeout, b""
    with contextlib.suppress(Ended, OSError):
        while time.monotonic() < deadline:
            exchange.socket.settimeout(0.2)
            try:
                exchange._read_some()
            except TimeoutError:
                continue
    data, exchange.buffer = exchange.buffer, b""
    return data
