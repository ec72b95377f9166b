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


CENTER = ["center", "center"]


def text(line, *notes):
    return {"text": [line], "notes": notes}


def column(*views, **more):
    return {"column": views, "align": CENTER, "spacing": None} | more


def area(kind, paint, **more):
    return {"area": {"kind": kind, "radii": [], "part": [0, 1], "degrees": 0, "inset": 0, "paint": paint} | more}


def widget(id, family, *lines, **more):
    """A widget as `FleetPage` writes it, whose view as `ViewDrawing` writes it is lines of text, unless it is given."""
    return {"id": id, "kind": f"com.mygame.{id}", "displayName": f"Name of {id}",
            "family": family, "page": 0, "isPlaceholder": False, "isControl": False, "hasMargins": True,
            "view": column(*map(text, lines)), "isAsking": False, "isVisible": True,
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
            widget("mute", "systemSmall", isControl=True,
                   view={"group": [text("Mute"), text("on")], "notes": [["toggle", "on"]]}),
            widget("large", "systemLarge", "first", page=1))
        self.assertEqual(page.text("#grid [data-widget=small] .widget"), "elf-42\n62 %")
        self.assertEqual(page.text("#grid [data-widget=small] .label"), "Name of small")
        self.assertEqual(page.text("#lock [data-widget=circle]"), "62")
        self.assertFalse(page.evaluate("!!document.querySelector('[data-widget=large]')"))
        self.assertEqual(page.text("#controls [data-widget=mute]"), "Mute\non")
        self.assertTrue(page.evaluate("!!document.querySelector('[data-widget=mute] .control.on')"))
        self.assertIn("3 of 40", page.text("#facts"))
        small, phone = (page.evaluate(
            f"document.querySelector('{selector}').getBoundingClientRect().width")
            for selector in ("[data-widget=small]", "#grid"))
        self.assertAlmostEqual(small / phone, 158 / 390, delta=0.02)

    def test_text_is_no_markup(self):
        evil = "<b>bold</b><img src=x>"
        page = self.open(widget("a", "systemSmall", evil, displayName="<i>n"), widget(
            "b", "systemSmall", view=column(
                {"symbol": evil}, {"image": evil}, text("a", ["font", evil], ["textCase", evil], ["foregroundStyle", evil]),
                area("path", "red", path=f'M0 0"/>{evil}'), area("Circle", {"linear": [0, 0, 1, 1], "stops": [[evil, 0]]}))))
        self.assertEqual(page.text("[data-widget=a] .widget"), evil)
        self.assertEqual(page.evaluate("document.querySelectorAll('.widget b, .widget img').length"), 0)
        self.assertEqual(page.evaluate("document.querySelector('[data-widget=b] title').textContent"), evil)
        # The browser itself notes that this is no path.
        page.complaints = [one for one in page.complaints if one.get("source") != "rendering"]
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
                          "'[data-widget=a] .text span')).color"), "rgba(0, 0, 0, 0)")
        self.assertEqual(page.evaluate("document.querySelectorAll('.asking').length"), 1)

    def drawn(self, view, family="systemSmall", **more):
        """A page with one widget, and a function that evaluates an expression about an element in it, `e`."""
        page = self.open(widget("a", family, view=view, **more))
        # What depends on sizes is drawn when they are known.
        page.wait_for("[...document.querySelectorAll('.ink')].every((ink) => ink.style.background)")
        return page, lambda selector, expression: page.evaluate(
            f"((e) => {expression})(document.querySelector({json.dumps('[data-widget=a] .widget ' + selector)}))")

    def test_a_gradient_is_behind_a_text_in_its_colour(self):
        gradient = {"linear": [0.5, 0, 0.5, 1], "stops": [["#FFFFFF", 0], ["blue", 1]]}
        _, value = self.drawn(text("a", ["foregroundStyle", "#FF0000"],
                                   ["containerBackground", area("Rectangle", gradient), CENTER]))
        self.assertEqual(value(".back .ink", "getComputedStyle(e).backgroundImage"),
                         "linear-gradient(rgb(255, 255, 255) 0%, rgb(0, 122, 255) 100%)")
        self.assertEqual(value(".text", "getComputedStyle(e).color"), "rgb(255, 0, 0)")
        self.assertEqual(value(".back .ink", "e.clientWidth"), 158)

    def test_colours_are_those_of_the_scheme(self):
        page, value = self.drawn(column(text("a", ["foregroundStyle", "red"]), text("b"),
                                        text("c", ["foregroundStyle", "brand"])))
        for scheme, red, usual in (("light", "rgb(255, 59, 48)", "rgb(0, 0, 0)"),
                                   ("dark", "rgb(255, 69, 58)", "rgb(255, 255, 255)")):
            page.prefers(scheme)
            color = [value(f".text:nth-child({number})", "getComputedStyle(e).color") for number in (1, 2, 3)]
            self.assertEqual(color, [red, usual, "rgb(142, 142, 147)"])

    def test_another_view_is_drawn_in_a_dark_environment(self):
        page, _ = self.drawn(text("day"), darkView=text("night"))
        self.assertEqual(page.text("[data-widget=a] .widget"), "day")
        page.prefers("dark")
        page.wait_for("document.querySelector('[data-widget=a] .widget').innerText === 'night'")

    def test_views_are_as_large_as_their_frames_and_the_room_that_is_left(self):
        _, value = self.drawn({"row": [
            {"symbol": "star.fill", "notes": [["resizable", None], ["frame", [30, 20], CENTER]]},
            {"spacer": None}, area("Rectangle", "red") | {"notes": [["frame", [40, None], CENTER]]},
        ], "align": CENTER, "spacing": 0})
        width, height = value(".symbol", "[e.clientWidth, e.clientHeight]")
        self.assertEqual((width, height), (30, 20))
        # The row is as wide as the card without its margins; the red area is at its end, and as high.
        self.assertEqual(value(".ink", "[e.clientWidth, e.clientHeight]"), [40, 160])
        self.assertEqual(value(".spacer", "e.clientWidth"), 158 - 70)

    def test_a_ring_is_a_part_of_a_circle(self):
        _, value = self.drawn(area("Circle", "green", line=6, part=[0, 0.75], cap="round", isLineInside=False, degrees=-90))
        mask = urllib.parse.unquote(value(".ink", "e.style.maskImage"))
        self.assertIn("stroke-dasharray='0.75 2'", mask.replace('"', "'").replace("\\'", "'"))
        self.assertIn("rotate(-90", mask)

    def test_symbols_have_variants_and_one_that_is_not_known_is_neutral(self):
        page, _ = self.drawn({"row": [{"symbol": name} for name in
                                      ("heart", "heart.fill", "heart.circle.fill", "bell.slash", "no.such.thing")],
                              "align": CENTER, "spacing": 0})
        pictures = page.evaluate("[...document.querySelectorAll('.symbol')].map((e) => [e.querySelector('title').textContent, "
                                 "e.querySelectorAll(':scope > .filled').length, e.classList.contains('unknown')])")
        self.assertEqual(pictures, [["heart", 0, False], ["heart.fill", 1, False], ["heart.circle.fill", 1, False],
                                    ["bell.slash", 0, False], ["no.such.thing", 0, True]])
        self.assertGreater(page.evaluate("symbols.size"), 200)
        self.assertEqual(page.evaluate("[...symbols.values()].filter(({ body, details }) => "
                                       "/[OR]/.test(body + details)).length"), 0)

    def test_gauges_buttons_and_switches_are_drawn(self):
        gauge = column(text("hp"), {"progress": 0.5}, notes=[["Gauge", None]])
        ring = column(text("hp"), {"progress": 0.5}, notes=[["Gauge", None], ["gaugeStyle", "accessoryCircular"]])
        page, value = self.drawn(column(gauge, ring, text("buy", ["button", None]), text("mute", ["toggle", "on"])))
        self.assertEqual(value(".bar i", "e.style.width"), "50%")
        self.assertEqual(page.evaluate("document.querySelectorAll('.ring .area').length"), 2)
        self.assertEqual(page.text(".button"), "buy")
        self.assertTrue(value(".switch", "e.classList.contains('on')"))

    def test_a_text_that_may_be_smaller_fits(self):
        _, value = self.drawn(text("a rather long text", ["font", "largeTitle"], ["lineLimit", [1]],
                                   ["minimumScaleFactor", [0.3]]))
        self.assertLess(value(".text", "parseFloat(getComputedStyle(e).fontSize)"), 34)
        self.assertLessEqual(value(".text", "e.scrollWidth - e.clientWidth"), 0)

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
        previews = [widget("com.mygame.a systemSmall", "systemSmall", "small", kind="com.mygame.a", device="a & b",
                           summary="What it shows."),
                    widget("com.mygame.a accessoryCircular", "accessoryCircular", "7", kind="com.mygame.a", device=None),
                    widget("mute", "systemSmall", "Mute", kind="com.mygame.mute", isControl=True, summary="")]
        self.server.begin(("devices", ["player-1", "a & b"]), ("previews", previews))
        page = self.browser.open(self.server.url, "!document.getElementById('devices').hidden")
        self.addCleanup(page.close)
        page.wait_for("document.querySelectorAll('.kind').length === 2")
        self.assertIn("What it shows.", page.text(".kind"))
        slots = page.evaluate("[...document.querySelectorAll('.kind a')].map((a) => [a.innerText, a.getAttribute('href')])")
        self.assertEqual(slots, [["small\nsystemSmall", "?device=a%20%26%20b"], ["7\naccessoryCircular", None],
                                 ["Mute\ncontrol", None]])
        links = page.evaluate("[...document.querySelectorAll('#devices li a')].map((a) => "
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
