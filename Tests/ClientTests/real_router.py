"""The real router as a process, and a device that counts what reaches its widgets."""

import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time

from scripted_router import ACK, ERROR, HELLO, REJECT, WAIT, WELCOME, Ended, Session, fixed_port

KIND = "com.mygame.character-detail"
APPS = {"apps": [{
    "app": "com.mygame", "publishers": "open", "devices": "open", "gateways": "open",
    "kinds": [{"kind": KIND, "budget": "unlimited", "match": {"character": ["${configuration.character}"]}}]}]}
WIDGETS, TIMELINE, RELOAD = 0x20, 0x21, 0x30


def binary():
    """The router's program: that of $RELOAD_ROUTER, or None."""
    path = os.environ.get("RELOAD_ROUTER")
    return path if path and os.access(path, os.X_OK) else None


class RealRouter:
    """`reload-router serve` with a store in a folder; it keeps its port over a restart."""

    def __init__(self, folder, apps=APPS, flags=()):
        self.folder, self.flags = pathlib.Path(folder), list(flags)
        (self.folder / "apps.json").write_text(json.dumps(apps))
        self.listen = f"127.0.0.1:{fixed_port()}"
        self.process = None
        self.start()

    def start(self):
        self.log = log = self.folder / f"log-{time.monotonic_ns()}"
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [binary(), "serve", "--listen", self.listen, "--admin", "none", "--apps", self.folder / "apps.json",
                 "--store", self.folder / "store", *self.flags],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + WAIT
        while True:
            found = re.search(rb"listening on 127\.0\.0\.1:(\d+)", log.read_bytes())
            if found:
                break
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError(f"the router did not start: {log.read_text()}")
            time.sleep(0.01)
        self.port = int(found[1])

    def printed_port(self, words):
        """The port of another listener, from what the router has printed."""
        deadline = time.monotonic() + WAIT
        while not (found := re.search(words.encode() + rb" 127\.0\.0\.1:(\d+)", self.log.read_bytes())):
            assert time.monotonic() < deadline, f"not printed: {words}"
            time.sleep(0.01)
        return int(found[1])

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            self.kill()

    def session(self, **members):
        """A raw session, as (session, body of WELCOME)."""
        session = Session(socket.create_connection(("127.0.0.1", self.port), timeout=WAIT))
        try:
            session.send(HELLO, 0, {"v": 1, "app": "com.mygame", "token": "t", **members})
            kind, _, _, body = session.receive()
            assert kind == WELCOME, (kind, body)
            return session, json.loads(body)
        except BaseException:
            session.cut()
            raise

    def last_seq(self, producer="p"):
        """The producer's lastSeq. It ends the producer's session."""
        session, welcome = self.session(role="publisher", producer=producer)
        session.cut()
        return welcome["lastSeq"]


class Device:
    """A device whose widget `w-N` is reloaded by the push with the number N. It reconnects, as devices do."""

    def __init__(self, router, count, name="d"):
        self.router, self.name = router, name
        self.reloaded = {}  # widget -> number of RELOADs
        self.is_ended = False
        self.session = None
        widgets = [{"id": f"w-{n}", "kind": KIND, "configuration": {"character": f"elf-{n}"}} for n in range(count)]
        self.body = {"device": name, "widgets": widgets}
        self._connect()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    @staticmethod
    def payload(n):
        return {"event": "damage", "character": f"elf-{n}"}

    def _connect(self):
        self.session, _ = self.router.session(role="device", device=self.name)
        self.seq = 1
        self.session.send(WIDGETS, 1, self.body)
        while True:
            kind, _, seq, body = self.session.receive()
            assert kind not in (ERROR, REJECT), body
            if kind == ACK:
                return
            self._take(kind, seq, body)

    def _take(self, kind, seq, body):
        if kind != RELOAD:
            return
        reload = json.loads(body)
        for widget in reload["widgets"]:
            self.reloaded[widget] = self.reloaded.get(widget, 0) + 1
            self.seq += 1
            self.session.send(TIMELINE, self.seq, {"device": self.name, "widget": widget, "reload": seq,
                                                   "entries": [], "policy": "never"})

    def _run(self):
        while not self.is_ended:
            try:
                kind, _, seq, body = self.session.receive(60)
                self._take(kind, seq, body)
            except (Ended, OSError):
                self._reconnect()

    def _reconnect(self):
        while not self.is_ended:
            self.session.cut()
            try:
                return self._connect()
            except (Ended, OSError):
                time.sleep(0.02)  # The router is not there yet.

    def close(self):
        self.is_ended = True
        with contextlib.suppress(OSError):
            self.session.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(10)
        self.session.cut()
