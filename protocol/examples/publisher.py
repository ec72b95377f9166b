"""A publisher: pipelines payloads, and resumes after a lost connection without duplicates.

    python3 publisher.py --app com.mygame --token … '{"event":"damage","character":"elf-42"}'
    python3 publisher.py --app com.mygame --token … --file pushes.jsonl

Payloads are the arguments, or the lines of a file ("-" for standard input). The exit code is 1 if some
were rejected, and 2 if reconnecting is no use: the router says so, or eight attempts have failed.
"""

import argparse
import json
import struct
import sys
import time

from frames import ACK, KINDS, PUSH, REJECT, Connection, SessionEnded


class Publisher:
    def __init__(self, options, payloads):
        self.options = options
        self.payloads = payloads
        self.first = None  # the seq of the first payload
        self.sent = 0  # payloads sent on this connection or acknowledged before it
        self.settled = 0  # all payloads before this one are acknowledged or rejected
        self.rejected = {}
        self.matched = 0
        self.unheard = 0  # payloads up to lastSeq of which the router has forgotten if it rejected them
        self.connection = None
        self.prefix = b""
        if options.kinds is not None:
            kinds = [kind.strip().encode() for kind in options.kinds.split(",") if kind.strip()]
            names = b"".join(bytes([len(kind)]) + kind for kind in kinds)
            self.prefix = struct.pack(">H", len(names)) + names

    def connect(self):
        if self.connection:
            self.connection.socket.close()
        self.connection = Connection(self.options.host, self.options.port)
        welcome = self.connection.hello(
            role="publisher",
            app=self.options.app,
            token=self.options.token,
            producer=self.options.producer,
            acked=0 if self.first is None else self.first + self.settled - 1,
        )
        self.window = welcome["window"]
        rejected = welcome.get("rejected", [])
        if "behind" in welcome:
            print(f"the router has lost {welcome['behind']} pushes; they are sent again", file=sys.stderr)
            self.settled = max(0, self.settled - welcome["behind"])
        if self.first is None:
            # Those of an earlier run are no business of this one, which gives its pushes numbers above them.
            self.first = max([welcome["lastSeq"], *(push["seq"] for push in rejected)]) + 1
            rejected = []
        # Rejections whose REJECT was lost with the connection before.
        for push in rejected:
            lost = {"code": push["code"], "message": "its sentence was lost with a connection"}
            self.rejected.setdefault(push["seq"] - self.first, lost)
        # Payloads up to lastSeq are not sent again.
        taken = max(self.settled, welcome["lastSeq"] + 1 - self.first)
        # The router does not know any more which of those up to rejectedAfter were rejected.
        unknown = min(taken, welcome.get("rejectedAfter", 0) + 1 - self.first)
        self.unheard += len(set(range(self.settled, unknown)) - self.rejected.keys())
        self.settled = self.sent = taken

    def run(self):
        """Sends until all payloads are settled, waiting only when the window is full."""
        while self.settled < len(self.payloads):
            try:
                self.send_some()
            except OSError:
                self.take_rest()
            self.skip_rejected()  # rejected payloads are not sent again
            # Answers are read as they arrive, also while payloads are left to send.
            while self.settled < self.sent and (self.must_wait() or self.connection.has_input()):
                self.take(*self.connection.receive())

    def must_wait(self):
        """True if no payload can be sent before another one is settled."""
        return self.sent == len(self.payloads) or self.sent - self.settled >= self.window

    def send_some(self):
        end = min(self.sent + 64, self.settled + self.window, len(self.payloads))
        while self.sent < end:
            # Payloads rejected on an earlier connection are settled.
            if self.sent not in self.rejected:
                seq = self.first + self.sent
                body = self.prefix + self.payloads[self.sent].encode()
                self.connection.send(PUSH, seq, body, KINDS if self.prefix else 0)
            self.sent += 1

    def take_rest(self):
        """Reads what arrived before the connection was lost, which may end with an ERROR."""
        self.connection.socket.settimeout(0)
        while True:
            self.take(*self.connection.receive())

    def take(self, kind, seq, body):
        index = seq - self.first
        if kind == ACK:
            self.settled = max(self.settled, index + 1)
            self.matched += struct.unpack(">I", body)[0]
        elif kind == REJECT:
            self.rejected[index] = json.loads(body)
        self.skip_rejected()

    def skip_rejected(self):
        """Settles rejected payloads at the front, which get no ACK."""
        while self.settled in self.rejected:
            self.settled += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="localhost")
    parser.add_argument("--port", type=int, default=7410)
    parser.add_argument("--app", required=True)
    parser.add_argument("--token")
    parser.add_argument("--producer", default="example")
    parser.add_argument("--kinds", help="narrow the pushes to these kinds, separated by commas")
    parser.add_argument("--file", help="JSON lines; - for standard input")
    parser.add_argument("payload", nargs="*")
    options = parser.parse_args()
    payloads = options.payload
    if options.file:
        source = 0 if options.file == "-" else options.file
        # Only a line feed ends a line: JSON strings may contain other line separators unescaped.
        with open(source, encoding="utf-8", newline="\n") as file:
            payloads = payloads + [line for line in file if line.strip()]

    publisher = Publisher(options, payloads)
    attempts = 0
    while True:
        try:
            publisher.connect()
            attempts = 0
            publisher.run()
            break
        except SessionEnded as end:
            print(end, file=sys.stderr)
            if end.retry == "no":
                return 2
            if end.retry == "later":
                attempts = max(attempts, 5)  # the router has no room: the pauses begin with 5 s
        except OSError as error:
            print(error, file=sys.stderr)
        attempts += 1
        if attempts == 8:
            return 2
        time.sleep(min(5, 0.1 * 2**attempts))

    for index, error in sorted(publisher.rejected.items()):
        print(f"payload {index + 1}: {error['code']}: {error['message']}", file=sys.stderr)
    if publisher.unheard:
        print(
            f"{publisher.unheard} count as accepted; if some were rejected, the router has forgotten it",
            file=sys.stderr,
        )
    rejected = len(publisher.rejected)
    print(
        f"sent {len(payloads)} accepted {len(payloads) - rejected} "
        f"rejected {rejected} matched {publisher.matched}"
    )
    return 1 if rejected else 0


sys.exit(main())
