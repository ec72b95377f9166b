"""A service manager, as the router sees systemd: a socket that receives the router's notifications."""

import os
import socket
import threading
import time
import uuid


class Supervisor:
    """Listens on `$NOTIFY_SOCKET`; keeps every message with the time at which it came."""

    def __init__(self, watchdog=None, abstract=True, folder=None):
        """`watchdog` is in seconds; a socket that is no abstract name lies in the folder."""
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        if abstract:
            name = f"reload-router-test-{uuid.uuid4().hex}"
            self.socket.bind("\0" + name)
            self.address = "@" + name
        else:
            self.address = os.path.join(folder, "notify")
            self.socket.bind(self.address)
        self.environment = {"NOTIFY_SOCKET": self.address}
        if watchdog:
            self.environment["WATCHDOG_USEC"] = str(int(watchdog * 1e6))
        self.messages = []
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self):
        while True:
            try:
                message = self.socket.recv(4_096).decode()
            except OSError:
                return
            if not message:
                return
            self.messages.append((time.monotonic(), dict(
                line.split("=", 1) for line in message.splitlines())))

    def close(self):
        """Ends the thread, which then reads nothing more."""
        self.socket.shutdown(socket.SHUT_RD)
        self._thread.join()
        self.socket.close()

    def received(self, *names):
        """All values of these variables, in the order in which they came."""
        return [(name, fields[name]) for _, fields in list(self.messages)
                for name in names if name in fields]

    def times(self, name):
        return [at for at, fields in list(self.messages) if name in fields]

    @property
    def status(self):
        """The last sentence."""
        texts = self.received("STATUS")
        return texts[-1][1] if texts else None
