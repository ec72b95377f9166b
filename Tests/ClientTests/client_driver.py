"""The driver program of a client, which the tests control over its standard input and output.

Each language's folder in protocol/clients has a `conformance.json`. Its commands run in that folder:

| member | |
|---|---|
| needs | Debian's packages that the commands are from |
| build, lint, test | lists of commands |
| driver | the command of the driver |
| example | of a client that speaks frames: see `test_examples.py` |
| gateway | optional: see `test_gateways.py` |
| transport | optional: "http" for a client whose driver `test_http.py` describes |
| alpn | optional: false if the language's TLS cannot offer protocols; then it offers none, as routers allow |
| tls | optional: the newest version of TLS that the language has here, if not 1.3; then it may know RSA keys only |

A driver reads one JSON object a line and prints one JSON object a line:

| read | printed |
|---|---|
| {"do":"connect", and the members below} | nothing; events follow |
| {"do":"push","payload":{…},"urgent":false,"expiresAt":null,"kinds":null} | {"pushed":SEQ}, once accepted |
| {"do":"tryPush", the same members} | {"pushed":SEQ} or {"full":true}, at once |
| {"do":"history","seq":N,"after":N or null} | {"history":BODY}, or {"refused":{"code":CODE,"retry":RETRY}} |
| {"do":"flush","timeoutMs":N} | {"flushed":true} or {"flushed":false} |
| {"do":"statistics"} | {"statistics":{"queued":N,"sent":N,"acknowledged":N,"rejected":N,"matched":N,"reconnects":N}} |
| {"do":"close"} | {"closed":true}; then it ends with 0 |

Members of connect: "host" (which may have the port), "port" (or null), "app", "token", "producer", "queue" (a number), "outbox" (a path or null),
"ca", "certificate" and "key" (paths or null), "backoffMs":[FIRST,LONGEST], "pingMs" and "timeoutMs".

- "httpAddress" (optional) is HOST:PORT of the listener that `history` asks; without it, that is an {"error":TEXT}.
- "outcomes" (optional) asks for outcomes. "silent" (optional) says that the driver listens to no events. "waitMs"
  (optional) is how long connecting may take; without a session then, {"error":TEXT} is printed, with the last reason.
  {"error":TEXT} is also the answer to what cannot be connected to.
- With "ca" null the connection is plain TCP, otherwise TLS with that authority.
- "queue" limits the pushes that are neither acknowledged nor rejected, sent or not; `queued` is their number.
- "pingMs" is the silence after which a client sends PING. "timeoutMs" is the silence after which the connection
  counts as lost, and also limits how long connecting and WELCOME may take. Both are optional.
- What a client refuses by itself (a payload longer than `maxBody`, a push after a fatal error) is printed as
  {"error":TEXT}, in place of the answer.
- `push` before the first WELCOME waits for it; `tryPush` does not.
- A router whose certificate is not good is treated as one that cannot be reached: it is tried again, since
  certificates are renewed. HELLO is not sent to it.
- Events are printed when they happen, also between a command and its answer: {"event":"connected","lastSeq":N},
  {"event":"disconnected","code":CODE or null,"retry":"no", "later" or "reconnect"},
  {"event":"rejected","seq":N,"code":CODE}, {"event":"lost","from":N,"through":N},
  {"event":"outcome","seq":N,"outcome":BODY}, {"event":"failed","code":CODE}: it will not reconnect. A `failed` may
  follow a `disconnected` or stand alone.
"""

import json
import os
import pathlib
import queue
import subprocess
import threading
import time

from scripted_router import WAIT

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENTS = ROOT / "protocol" / "clients"


def language():
    """The language under test: the name of a folder of protocol/clients."""
    return os.environ.get("RELOAD_CLIENT", "python")


def conformance():
    return json.loads((CLIENTS / language() / "conformance.json").read_text())


class Driver:
    """A running driver program."""

    def __init__(self):
        self.errors = []
        self.replies = queue.Queue()
        self.events = []
        self.changed = threading.Condition()
        self.process = subprocess.Popen(
            conformance()["driver"], cwd=CLIENTS / language(), text=True, encoding="utf-8", bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.readers = [threading.Thread(target=self._read, daemon=True),
                        threading.Thread(target=self._read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()

    def _read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "event" not in message:
                self.replies.put(message)
                continue
            with self.changed:
                self.events.append(message)
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line)

    def connect(self, port, **members):
        self.say("connect", **({
            "host": "127.0.0.1", "port": port, "app": "com.mygame", "token": "t", "producer": "p", "queue": 1000,
            "outbox": None, "ca": None, "certificate": None, "key": None, "backoffMs": [10, 100]} | members))

    def say(self, do, **members):
        """Sends a command, and does not wait for its answer."""
        self.process.stdin.write(json.dumps({"do": do, **members}) + "\n")
        self.process.stdin.flush()

    def answer(self, timeout=WAIT):
        """The answer to the earliest command that has none yet."""
        try:
            return self.replies.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"no answer of the driver; its errors: {''.join(self.errors)}") from None

    def has_answer(self, seconds):
        """True if an answer comes within a time; it stays to be read."""
        deadline = time.monotonic() + seconds
        while self.replies.empty() and time.monotonic() < deadline:
            time.sleep(0.005)
        return not self.replies.empty()

    def ask(self, do, timeout=WAIT, **members):
        self.say(do, **members)
        return self.answer(timeout)

    def push(self, payload, **members):
        """Pushes, and returns the number that the client gave."""
        answer = self.ask("push", **self._push(payload, members))
        assert "pushed" in answer, answer
        return answer["pushed"]

    def try_push(self, payload, **members):
        """Pushes if there is room; returns the number, None if there is none."""
        answer = self.ask("tryPush", **self._push(payload, members))
        assert "pushed" in answer or answer.get("full") is True, answer
        return answer.get("pushed")

    def _push(self, payload, members):
        return {"payload": payload, "urgent": False, "expiresAt": None, "kinds": None} | members

    def flush(self, timeout=WAIT):
        return self.ask("flush", timeout=timeout + WAIT, timeoutMs=int(timeout * 1000))["flushed"]

    def statistics(self):
        return self.ask("statistics")["statistics"]

    def event(self, name, timeout=WAIT):
        """Waits for the next event of a name, and removes it."""
        deadline = time.monotonic() + timeout
        with self.changed:
            while True:
                for event in self.events:
                    if event["event"] == name:
                        self.events.remove(event)
                        return event
                left = deadline - time.monotonic()
                if left <= 0 or self.process.poll() is not None and not self.readers[0].is_alive():
                    raise AssertionError(f"no event {name} but {len(self.events)} others, the last {self.events[-3:]}; "
                                         f"the driver's errors: {''.join(self.errors)}")
                self.changed.wait(min(left, 0.2))

    def take(self, name):
        """Removes and returns the events of a name that have come."""
        with self.changed:
            found = [event for event in self.events if event["event"] == name]
            self.events = [event for event in self.events if event["event"] != name]
        return found

    def close(self, timeout=WAIT):
        """Closes the client; returns the exit status of the driver."""
        answer = self.ask("close", timeout=timeout)
        assert answer == {"closed": True}, answer
        return self.process.wait(timeout)

    def kill(self):
        """As kill -9 does, at any time."""
        self.process.kill()
        self.put_away()

    def put_away(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join(5)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass
