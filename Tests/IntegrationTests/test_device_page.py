"""A device's page in a real browser: what it shows, that reloads flash, what its buttons command.

The page's own files are served as the program has them; the events are the test's.
"""

import http.server
import json
import queue
import threading
import unittest
import urllib.parse

from browser import WATCH_FLASHES, Browser
from support import CHECKOUT, wait_until

RESOURCES = CHECKOUT / "Sources" / "Lab" / "WidgetFleet" / "DevicePage" / "Resources"
#: That of DeviceScreens.swift.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
TYPES = {"html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript"}


class PageServer(http.server.ThreadingHTTPServer):
    """Serves the page, keeps its commands, and sends events to all listeners."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), PageHandler)
        self.commands = []
        self.refusal = None
        self._listeners, self._lock, self._first = [], threading.Lock(), []
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def begin(self, *events):
        """The first event that a new listener gets."""
        with self._lock:
            self._first = list(events)

    def send(self, event, data):
        with self._lock:
            for listener in self._listeners:
                listener.put((event, data))

    def listen(self):
        listener = queue.Queue()
        with self._lock:
            for event in self._first:
                listener.put(event)
            self._listeners.append(listener)
        return listener

    def stop(self):
        with self._lock:
            for listener in self._listeners:
                listener.put(None)
        self.shutdown()
        self.server_close()


class PageHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path == "/events":
            return self.events()
        file = RESOURCES / ("page.html" if path == "/" else path[1:])
        if file.parent != RESOURCES or not file.exists():
            return self.answer(404)
        self.answer(200, file.read_bytes(), Content_Type=TYPES[file.suffix[1:]],
                    Content_Security_Policy=POLICY)

    def do_POST(self):
        self.server.commands.append(self.path)
        if self.server.refusal:
            return self.answer(400, json.dumps({"detail": self.server.refusal}).encode())
        self.answer(204)

    def events(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        listener = self.server.listen()
        try:
            while (event := listener.get()) is not None:
                self.wfile.write(f"event: {event[0]}\ndata: {json.dumps(event[1])}\n\n".encode())
                self.wfile.flush()
        except OSError:
            pass


def widget(id, family, *lines, **more):
    """A widget as `FleetPage` writes it."""
    return {"id": id, "kind": f"com.mygame.{id}", "displayName": f"Name of {id}",
            "family": family, "page": 0, "isPlaceholder": False,
            "text": [{"text": line} for line in lines], "isAsking": False, "isVisible": True,
            "budgetUsed": 3, "budgetAllowance": 40, "entries": 2, "entryIndex": 0,
            "policy": "atEnd"} | more


NOW = 1_800_000_000_000


def screen(*widgets, **more):
    return {"device": "player-1", "app": "com.mygame", "online": True, "foreground": False,
            "media": "silent", "now": NOW, "page": 0, "pages": 2, "widgets": widgets} | more


class DevicePage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.server = PageServer()
        self.addCleanup(self.server.stop)

    def open(self, *widgets, **more):
        """The page of a device; it must not complain until the test ends."""
        self.server.begin(("devices", ["player-1"]), ("screen", screen(*widgets, **more)))
        page = self.browser.open(self.server.url, "!document.getElementById('device').hidden")
        self.addCleanup(page.close)
        self.addCleanup(lambda: self.assertEqual(page.complaints, []))
        return page

    def test_widgets_stand_where_a_telephone_has_them(self):
        page = self.open(
            widget("small", "systemSmall", "elf-42", "62 %"),
            widget("circle", "accessoryCircular", "62"),
            widget("large", "systemLarge", "first", page=1))
        self.assertEqual(page.text("#grid [data-widget=small] .widget"), "elf-42\n62 %")
        self.assertEqual(page.text("#grid [data-widget=small] .label"), "Name of small")
        self.assertEqual(page.text("#lock [data-widget=circle]"), "62")
        self.assertFalse(page.evaluate("!!document.querySelector('[data-widget=large]')"))
        self.assertIn("3 of 40", page.text("#facts"))
        small, phone = (page.evaluate(
            f"document.querySelector('{selector}').getBoundingClientRect().width")
            for selector in ("[data-widget=small]", "#grid"))
        self.assertAlmostEqual(small / phone, 158 / 390, delta=0.02)

    def test_text_is_no_markup(self):
        page = self.open(widget("a", "systemSmall", "<b>bold</b><img src=x>", displayName="<i>n"))
        self.assertEqual(page.text("[data-widget=a] .widget"), "<b>bold</b><img src=x>")
        self.assertEqual(page.text("[data-widget=a] .label"), "<i>n")

    def test_a_reload_flashes_with_its_reason(self):
        """Also if the next screen comes meanwhile; the flash ends after some seconds."""
        page = self.open(widget("a", "systemSmall", "old"), widget("b", "systemSmall", "same"),
                         widget("c", "systemSmall", "old",
                                lastReload={"at": 1, "cause": "push", "changed": True}))
        page.evaluate(WATCH_FLASHES)
        first = widget("a", "systemSmall", "new",
                       lastReload={"at": 2, "cause": "push", "changed": True})
        second = widget("b", "systemSmall", "same",
                        lastReload={"at": 3, "cause": "atEnd", "changed": False})
        last = widget("c", "systemSmall", "old",
                      lastReload={"at": 1, "cause": "push", "changed": True})
        self.server.send("screen", screen(first, widget("b", "systemSmall", "same"), last))
        self.server.send("screen", screen(first, second, last))
        page.wait_for("seenFlashes.a?.[1] === 'new' && seenFlashes.b")
        self.assertEqual(page.evaluate("seenFlashes"), {
            "a": [True, "new", "push"], "b": [False, "same", "atEnd, nothing new"]})
        rows = page.evaluate("[...document.querySelectorAll('#log li')].map((row) => "
                             "row.querySelector('b').innerText)")
        self.assertEqual(rows, ["atEnd", "push"])
        page.wait_for("!document.querySelector('.flash')")

    def test_a_placeholder_shows_bars_instead_of_text(self):
        page = self.open(widget("a", "systemSmall", "secret", isPlaceholder=True),
                         widget("b", "systemSmall", isPlaceholder=True),
                         widget("c", "systemSmall", "busy", isAsking=True))
        self.assertEqual(
            page.evaluate("getComputedStyle(document.querySelector("
                          "'[data-widget=a] .line span')).color"), "rgba(0, 0, 0, 0)")
        self.assertEqual(page.evaluate("document.querySelectorAll('.bar').length"), 2)
        self.assertEqual(page.evaluate("document.querySelectorAll('.asking').length"), 1)

    def test_buttons_and_keys_are_commands(self):
        page = self.open(widget("a", "systemSmall", "x"))
        commands = ["[data-switch=online]", "[data-switch=foreground]", "[data-switch=screen]",
                    "#dots button:last-child"]
        for count, selector in enumerate(commands, 1):
            page.click(selector)
            wait_until(lambda: len(self.server.commands) == count, selector)
        page.evaluate("dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))")
        page.evaluate("dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}))")
        wait_until(lambda: len(self.server.commands) == 5, "the page turns once")
        self.assertEqual(self.server.commands, [
            "/online?value=false", "/foreground?value=true", "/visible?page=", "/visible?page=1",
            "/visible?page=1"])

    def test_a_screen_that_is_off_is_dark_until_it_is_woken(self):
        page = self.open(widget("a", "systemSmall", "x"))
        off = screen(widget("a", "systemSmall", "x"))
        del off["page"]
        self.server.send("screen", off)
        page.wait_for("!document.getElementById('dark').hidden")
        page.click("#dark")
        wait_until(lambda: self.server.commands, "a command")
        self.assertEqual(self.server.commands, ["/visible?page=0"])

    def test_a_command_that_is_refused_is_reported(self):
        page = self.open(widget("a", "systemSmall", "x"))
        self.server.refusal = "value is true or false"
        page.click("[data-switch=online]")
        page.wait_for("document.getElementById('problem').innerText.includes('true or false')")
        # The browser itself notes that an answer was no success.
        page.complaints = [one for one in page.complaints if one.get("source") != "network"]

    def test_of_several_devices_one_is_chosen(self):
        self.server.begin(("devices", ["player-1", "a & b"]))
        page = self.browser.open(self.server.url, "!document.getElementById('devices').hidden")
        self.addCleanup(page.close)
        links = page.evaluate("[...document.querySelectorAll('#devices a')].map((a) => "
                              "[a.innerText, a.getAttribute('href')])")
        self.assertEqual(links, [["player-1", "?device=player-1"],
                                 ["a & b", "?device=a%20%26%20b"]])
        self.server.begin(("devices", ["player-1", "a & b"]), ("screen", screen(device="a & b")))
        page.click("#devices li:last-child a")
        page.wait_for("document.getElementById('name')?.innerText === 'a & b'")
        page.click("[data-switch=online]")
        wait_until(lambda: self.server.commands, "a command")
        self.assertEqual(self.server.commands, ["/online?value=false&device=a%20%26%20b"])
        self.assertEqual(page.complaints, [])


if __name__ == "__main__":
    unittest.main()
