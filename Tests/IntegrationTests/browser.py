"""A headless Chromium that tests look through: the DevTools protocol over a small WebSocket client.

Only what the tests need: opening pages, evaluating JavaScript in them, and taking screenshots.
"""

import base64
import json
import os
import re
import select
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request

from support import PATIENCE, wait_until


#: Keeps how each widget of a device's page flashes in `window.seenFlashes`: with something new or not, its first
#: line, and the reason. A flash may be over when a test looks.
WATCH_FLASHES = """(() => {
  window.seenFlashes = {};
  new MutationObserver(() => {
    for (const slot of document.querySelectorAll('[data-widget].flash')) {
      window.seenFlashes[slot.dataset.widget] = [slot.classList.contains('new'),
        slot.querySelector('.widget').innerText.split('\\n')[0], slot.querySelector('.reason').innerText];
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
})()"""


#: How a TimeoutError begins whose cause is that Chromium itself hangs: run.py runs the test case once more.
HUNG = "Chromium does not answer"


class WebSocket:
    """One connection of RFC 6455, as a client: text in, text out."""

    def __init__(self, host, port, path):
        self._socket = socket.create_connection((host, port), timeout=30 * PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall((f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n"
                              "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                              f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n")
                             .encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._read(1)
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            raise ConnectionError(head.decode(errors="replace"))

    def _read(self, count):
        data = b""
        while len(data) < count:
            try:
                part = self._socket.recv(count - len(data))
            except TimeoutError:
                raise TimeoutError(f"{HUNG} for {self._socket.gettimeout():.0f} s") from None
            if not part:
                raise ConnectionError("the browser has closed the connection")
            data += part
        return data

    def send(self, text):
        """Sends one masked text frame."""
        payload, mask = text.encode(), os.urandom(4)
        size = len(payload)
        if size < 126:
            head = bytes((0x81, 0x80 | size))
        elif size < 1 << 16:
            head = bytes((0x81, 0x80 | 126)) + size.to_bytes(2, "big")
        else:
            head = bytes((0x81, 0x80 | 127)) + size.to_bytes(8, "big")
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self._socket.sendall(head + mask + masked)

    def receive(self):
        """The next message, joined from its frames; Chromium sends no pings."""
        message = b""
        while True:
            first, second = self._read(2)
            size = second & 0x7F
            if size == 126:
                size = int.from_bytes(self._read(2), "big")
            elif size == 127:
                size = int.from_bytes(self._read(8), "big")
            payload = self._read(size)
            if first & 0x0F in (0, 1):
                message += payload
                if first & 0x80:
                    return message.decode()

    def close(self):
        self._socket.close()


class Page:
    """A tab, over its DevTools connection."""

    def __init__(self, address):
        host, port, path = re.fullmatch(r"ws://([^:/]+):(\d+)(/.*)", address).groups()
        self._socket = WebSocket(host, int(port), path)
        self._number = 0
        #: What has gone wrong on the page: exceptions and refused resources.
        self.complaints = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """One command of the protocol, and its result."""
        self._number += 1
        self._socket.send(json.dumps(
            {"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.receive())
            if message.get("method") == "Runtime.exceptionThrown":
                self.complaints.append(message["params"]["exceptionDetails"])
            elif message.get("method") == "Log.entryAdded":
                self.complaints.append(message["params"]["entry"])
            elif message.get("id") == self._number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                return message["result"]

    def evaluate(self, expression):
        """The value of a JavaScript expression; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait_for(self, expression, what=None, timeout=20):
        """Waits until an expression is true, also over the change from one page to another."""
        def is_true():
            try:
                return self.evaluate(f"!!({expression})")
            except AssertionError as error:
                if "Inspected target navigated" in str(error):
                    return False
                raise

        wait_until(is_true, what or expression, timeout)

    def text(self, selector):
        """The visible text of the first element that matches; empty if none does."""
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def prefers(self, scheme):
        """Sets the colour scheme: light or dark."""
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def photograph(self, path):
        """Writes a screenshot as a PNG."""
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))

    def close(self):
        self._socket.close()

    def bring_to_front(self):
        """Shows the tab in place of others of its window, which are hidden."""
        self.call("Page.bringToFront")

    def close_tab(self):
        """Closes the tab, as a person does."""
        self.call("Page.close")


class Browser:
    """A Chromium with a temporary profile, which is deleted at its end."""

    def __init__(self, width=1180, height=940):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise unittest.SkipTest("chromium is missing; deploy/test installs it")
        self._profile = tempfile.TemporaryDirectory(
            prefix="reload-router-browser-", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--no-first-run", "--disable-dev-shm-usage", "--remote-debugging-port=0",
             # No core may be free for long.
             "--disable-gpu-watchdog", "--disable-hang-monitor", "--disable-renderer-backgrounding",
             "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
             # Nothing is fetched that is not asked for.
             "--disable-background-networking", "--disable-component-update", "--disable-extensions",
             f"--user-data-dir={self._profile.name}", f"--window-size={width},{height}",
             "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        try:
            self._port = self._listening_port()
        except BaseException:
            self.close()
            raise

    def _listening_port(self):
        """Waits until Chromium reports the port that it listens on."""
        reported, deadline = b"", time.monotonic() + 30 * PATIENCE
        while time.monotonic() < deadline:
            if select.select([self._process.stderr], [], [], 0.2)[0]:
                part = os.read(self._process.stderr.fileno(), 4_096)
                if not part:
                    break
                reported += part
                if found := re.search(rb"DevTools listening on ws://[^:]+:(\d+)/", reported):
                    return int(found[1])
        raise AssertionError(f"chromium does not start: {reported.decode(errors='replace')}")

    def open(self, url, waits_for=None):
        """Opens a new tab at an address."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=30 * PATIENCE) as answer:
            page = Page(json.load(answer)["webSocketDebuggerUrl"])
        page.call("Page.navigate", url=url)
        page.wait_for(f"location.href.startsWith({json.dumps(url)}) && "
                      "document.readyState === 'complete'")
        if waits_for:
            page.wait_for(waits_for)
        return page

    def close(self):
        """Ends Chromium with all its child processes."""
        try:
            os.killpg(self._process.pid, 9)
        except ProcessLookupError:
            pass
        self._process.wait()
        self._process.stderr.close()
        self._profile.cleanup()
