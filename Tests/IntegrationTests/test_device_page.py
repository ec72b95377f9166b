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


def text(words, y=20, **more):
    return {"text": words, "at": [16, y], "width": 40, "size": 17, "weight": 400, "paint": "primary",
            "frame": [16, y - 16, 40, 20]} | more


def symbol(name, **more):
    return {"symbol": name, "frame": [0, 0, 24, 24], "paints": ["primary"], "weight": 400} | more


def shape(paint, path="M0 0L100 0L100 50L0 50Z", **more):
    return {"path": path, "frame": [0, 0, 100, 50], "paint": paint} | more


def drawing(*items, **more):
    """A widget's picture as `ViewDrawing` writes it."""
    return {"size": [158, 158], "items": items, "omissions": []} | more


def widget(id, family, *lines, **more):
    """A widget as `FleetPage` writes it, whose view is lines of text, unless it is given."""
    return {"id": id, "kind": f"com.mygame.{id}", "displayName": f"Name of {id}",
            "family": family, "page": 0, "isPlaceholder": False, "isControl": False,
            "view": drawing(*(text(line, 20 * number) for number, line in enumerate(lines, 1))),
            "isAsking": False, "isVisible": True, "budgetUsed": 3, "budgetAllowance": 40, "entries": 2, "entryIndex": 0,
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
                   view=drawing(text("Mute"), text("on", 40), isOn=True)),
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
            "b", "systemSmall", view=drawing(
                symbol(evil), {"picture": evil, "frame": [0, 0, 9, 9]}, text("a", design=evil, paint=evil),
                shape({"linear": [0, 0, 1, 1], "stops": [[evil, 0], ["mix(a", 1]]}),
                shape("red", path=f'M0 0"/>{evil}'), {"items": [text("x")], "filter": evil, "clip": evil, "role": "x"},
                omissions=[evil])))
        self.assertEqual(page.text("[data-widget=a] .widget"), evil)
        self.assertEqual(page.evaluate("document.querySelectorAll('.widget b, .widget img').length"), 0)
        self.assertEqual(page.evaluate("document.querySelector('[data-widget=b] title').textContent"), evil)
        self.assertIn(evil, page.text(".omissions"))
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

    def test_a_provider_that_works_is_shown(self):
        page = self.open(widget("b", "systemSmall", isPlaceholder=True), widget("c", "systemSmall", "busy", isAsking=True))
        self.assertEqual(page.evaluate("document.querySelectorAll('.asking').length"), 1)

    def drawn(self, *items, family="systemSmall", **more):
        """A page with one widget, and a function that evaluates an expression about an element in it, `e`."""
        page = self.open(widget("a", family, view=drawing(*items, **more)))
        return page, lambda selector, expression: page.evaluate(
            f"((e) => {expression})(document.querySelector({json.dumps('[data-widget=a] .widget ' + selector)}))")

    def test_a_text_is_as_wide_as_it_is_said_and_in_its_colour(self):
        _, value = self.drawn(text("rather long", width=60, paint="#FF0000", weight=600, line="underline"))
        self.assertAlmostEqual(value("text", "e.getBBox().width"), 60, delta=1.5)
        self.assertEqual(value("text", "getComputedStyle(e).fill"), "rgb(255, 0, 0)")
        self.assertEqual(value("text", "getComputedStyle(e).fontWeight"), "600")
        self.assertEqual(value("text", "[e.getAttribute('x'), e.getAttribute('y')]"), ["16", "20"])

    def test_a_picture_is_as_large_as_the_card_and_its_background_is_behind(self):
        page, value = self.drawn(shape("red"), background=[shape("blue")])
        self.assertEqual(value(".drawing", "[e.clientWidth, e.clientHeight]"), [158, 158])
        self.assertEqual(page.evaluate("[...document.querySelectorAll('.widget path')].map((e) => e.style.fill !== '' && "
                                       "e.parentElement.classList.contains('background'))"), [True, False])

    def test_gradients_are_in_the_room_of_their_frame(self):
        stops = [["#FFFFFF", 0], ["blue", 1]]
        page, value = self.drawn(
            shape({"linear": [0, 0.5, 1, 0.5], "stops": stops}), shape({"radial": [0.5, 0.5, 10, 40], "stops": stops}),
            shape({"elliptical": [0.5, 0.5, 0, 0.5], "stops": stops}), text("a", paint={"linear": [0, 0, 1, 1], "stops": stops}),
            shape({"angular": [0.5, 0.5, 0, 360], "stops": stops}, line=4))
        self.assertEqual(value("linearGradient", "[e.getAttribute('x1'), e.getAttribute('x2')]"), ["0", "100"])
        self.assertEqual(value("radialGradient", "e.getAttribute('r')"), "40")
        self.assertEqual(value("radialGradient stop", "e.getAttribute('offset')"), "0.25")
        self.assertEqual(value("text", "e.style.fill.startsWith('url(')"), True)
        self.assertIn("conic-gradient(from 90deg at 54px 29px", value(".angular", "e.style.background"))
        # Each reference leads to something.
        self.assertEqual(page.evaluate(
            "[...document.querySelector('[data-widget=a] .widget').outerHTML.matchAll(/url\\((?:&quot;)?#([^)&\"]+)/g)]"
            ".filter(([, id]) => !document.getElementById(id)).length"), 0)

    def test_colours_are_those_of_the_scheme(self):
        page, value = self.drawn(*(text("a", paint=paint) for paint in (
            "red", "primary", "catalogue(brand)", "scheme(#FF0000,#0000FF)", "mix(#FF0000,#0000FF,100)/50")),
            {"items": [text("b")], "scheme": "dark"})
        for scheme, red, usual, own in (("light", "rgb(255, 59, 48)", "rgb(0, 0, 0)", "rgb(255, 0, 0)"),
                                        ("dark", "rgb(255, 69, 58)", "rgb(255, 255, 255)", "rgb(0, 0, 255)")):
            page.prefers(scheme)
            colors = page.evaluate("[...document.querySelectorAll('.widget text')].map((e) => getComputedStyle(e).fill)")
            self.assertEqual(colors[:4], [red, usual, "rgb(142, 142, 147)", own])
            self.assertRegex(colors[4], "0.5\\)$")
            self.assertEqual(colors[5], "rgb(255, 255, 255)")

    def test_another_view_is_drawn_in_a_dark_environment(self):
        page = self.open(widget("a", "systemSmall", "day", darkView=drawing(text("night"))))
        self.assertEqual(page.text("[data-widget=a] .widget"), "day")
        page.prefers("dark")
        page.wait_for("document.querySelector('[data-widget=a] .widget').innerText === 'night'")

    def test_shapes_have_lines_and_groups_are_cut_masked_turned_and_mixed(self):
        page, value = self.drawn(
            shape("red", line=6, cap="round", join="bevel", dash=[4, 2], dashPhase=1),
            {"items": [shape("blue")], "clip": "M0 0L9 0L9 9Z"}, {"items": [shape("blue")], "mask": [text("m")]},
            {"items": [shape("blue")], "turn": [30, 5, 5]}, {"items": [shape("blue")], "scale": [2, 1, 5, 5]},
            {"items": [shape("blue")], "filter": "drop-shadow 1px 2px 3px red"}, {"items": [shape("blue")], "blend": "multiply"},
            {"items": [shape("blue")], "opacity": 0.5})
        self.assertEqual(value("path", "[e.style.fill, e.style.strokeWidth, e.style.strokeLinecap, e.style.strokeDasharray]"),
                         ["none", "6", "round", "4, 2"])
        self.assertEqual(value("clipPath path", "e.getAttribute('d')"), "M0 0L9 0L9 9Z")
        self.assertEqual(value("mask text", "e.textContent"), "m")
        self.assertEqual(value("[transform^=rotate]", "e.getAttribute('transform')"), "rotate(30 5 5)")
        self.assertEqual(value("[transform*=scale]", "e.getAttribute('transform')"),
                         "translate(5 5) scale(2 1) translate(-5 -5)")
        styles = page.evaluate("[...document.querySelectorAll('.widget g')].map((e) => "
                               "e.style.filter.split('(')[0] + e.style.mixBlendMode + e.style.opacity).filter(Boolean)")
        self.assertEqual(styles, ["drop-shadow", "multiply", "0.5"])

    def test_symbols_have_variants_and_one_that_is_not_known_is_neutral(self):
        page, _ = self.drawn(*map(symbol, ("heart", "heart.fill", "heart.circle.fill", "bell.slash", "7.circle", "no.such.thing")))
        pictures = page.evaluate("[...document.querySelectorAll('#grid .symbol')].map((e) => [e.querySelector('title').textContent, "
                                 "e.querySelectorAll(':scope > .filled').length, e.classList.contains('unknown')])")
        self.assertEqual(pictures, [["heart", 0, False], ["heart.fill", 1, False], ["heart.circle.fill", 1, False],
                                    ["bell.slash", 0, False], ["7.circle", 0, False], ["no.such.thing", 0, True]])
        self.assertEqual(page.text(".omissions"), "Not drawn: the symbol “no.such.thing”.")
        self.assertGreater(page.evaluate("symbols.size"), 200)
        self.assertEqual(page.evaluate("[...symbols.values()].filter(({ body, details }) => "
                                       "/[OR]/.test(body + details)).length"), 0)

    def test_a_symbol_has_its_colours_in_layers(self):
        page, _ = self.drawn(
            symbol("checkmark.circle.fill", paints=["#FFFFFF", "#00FF00"], mode="palette"),
            symbol("checkmark.circle.fill", paints=["#0000FF"], mode="hierarchical"), symbol("sun.max.fill", mode="multicolor"),
            symbol("heart.fill", paints=["#FF0000"]))
        layers = page.evaluate(
            "[...document.querySelectorAll('#grid .symbol')].map((e) => [...e.querySelectorAll(':scope > path')].map((path) => "
            "[getComputedStyle(path).stroke, path.style.opacity]))")
        self.assertEqual(layers[0], [["rgb(0, 255, 0)", ""], ["rgb(255, 255, 255)", ""]])
        self.assertEqual(layers[1], [["rgb(0, 0, 255)", "0.5"], ["rgb(0, 0, 255)", ""]])
        self.assertEqual({color for color, _ in layers[2]}, {"rgb(255, 204, 0)"})
        self.assertEqual(layers[3][0], ["rgb(255, 0, 0)", ""])

    def test_what_is_not_drawn_is_said_beside_the_widget(self):
        page = self.open(widget("a", "systemSmall", view=drawing(text("x"), omissions=["the picture “logo”"])),
                         widget("b", "systemSmall", "whole"))
        self.assertEqual(page.evaluate("[...document.querySelectorAll('.fact')].map((e) => "
                                       "e.querySelector('.omissions')?.innerText ?? '')"),
                         ["Not drawn: the picture “logo”.", ""])

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
