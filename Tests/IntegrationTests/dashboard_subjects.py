"""What the tests of the dashboard and of `top` look at: a pretended router, or the real one.

RELOAD_ROUTER_DASHBOARD=router chooses the real one; both offer the same few things to do.
"""

import json
import os
import pathlib
import signal
import tempfile
import urllib.request

from fake_admin import APP, DETAIL, HOSTILE, FakeAdmin
from support import Router, bearer, fixed_port, widget
from wire import WAIT, WELCOME, Client


class FakeSubject(FakeAdmin):
    """A pretended router, whose first device has a widget without budget."""

    #: What the page of its device displays.
    answer = "A reload is pending (cause: push)"
    decision, budget = "Its budget is spent", "40 of 40"

    def __init__(self, token=None):
        super().__init__(token=token, interval=0.25)

    def fall_silent(self):
        self.is_silent = True

    def set_paused(self, is_paused):
        (self.paused.add if is_paused else self.paused.discard)(APP)


class RouterSubject:
    """The real router with an app, two devices and whatever a test pushes."""

    answer, decision, budget = "A RELOAD was sent", "sent", "no limit"
    is_chartless = False

    def __init__(self, token=None):
        self.address = ("127.0.0.1", fixed_port())
        flags = ["--admin", "{}:{}".format(*self.address)]
        self._folder = tempfile.TemporaryDirectory(prefix="reload-router-dashboard-")
        if token:
            file = pathlib.Path(self._folder.name) / "token"
            file.write_text(token + "\n")
            file.chmod(0o600)
            flags += ["--admin-token-file", file]
        self.router = Router(*flags)
        self.clients, self.pushed = [], 0
        self.connect()

    @property
    def url(self):
        return "http://{}:{}/".format(*self.address)

    def link(self):
        """The address that opens a browser's session, once."""
        request = urllib.request.Request(f"{self.url}v1/links", method="POST", headers=bearer())
        with urllib.request.urlopen(request, timeout=WAIT) as answer:
            return self.url + json.load(answer)["path"][1:]

    def connect(self):
        for device, name, character in (
                ("d-1", "w1", "elf-42"),
                (HOSTILE, "<b>bold</b>", "<script>window.wasHacked=1</script>")):
            client = self.session("device", device=device)
            client.device = device
            client.register(widget(name, DETAIL, character=character))
        self.publisher = self.session("publisher", producer="shard-7")
        self.push(1)

    def session(self, role, **members):
        client = Client(self.router.address)
        client.hello(role, **members)
        client.seq = client.acked = client.expect(WELCOME).json.get("lastSeq", 0)
        self.clients.append(client)
        return client

    def push(self, count=1_000):
        for _ in range(count):
            self.pushed += 1
            self.publisher.push({"character": "elf-42", "hp": self.pushed})
        self.publisher.wait_acked(self.publisher.seq)

    def fall_silent(self):
        self.router.signal(signal.SIGSTOP)

    def set_paused(self, is_paused):
        verb = "pause" if is_paused else "resume"
        request = urllib.request.Request(f"{self.url}v1/apps/{APP}/{verb}", method="POST",
                                         headers=bearer())
        urllib.request.urlopen(request, timeout=WAIT).close()

    def go_away(self):
        self.router.kill()

    def come_back(self):
        for client in self.clients:
            client.close()
        self.clients = []
        self.router.restart()
        self.connect()

    def stop(self):
        for client in self.clients:
            client.close()
        if self.router.process.poll() is None:
            self.router.signal(signal.SIGCONT)
        self.router.stop()
        self.router.folder.cleanup()
        self._folder.cleanup()


IS_REAL = os.environ.get("RELOAD_ROUTER_DASHBOARD") == "router"
Subject = RouterSubject if IS_REAL else FakeSubject
