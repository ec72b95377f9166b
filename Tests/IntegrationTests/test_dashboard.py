"""The dashboard in a real browser: live figures, a device's page, the explain form, and bad days.

The page's files are those of the checkout; `dashboard_subjects` says who answers them.
"""

import json
import re
import unittest
import urllib.parse

from browser import Browser
from dashboard_subjects import APP, DETAIL, HOSTILE, IS_REAL, RouterSubject, Subject
from support import command, wait_until, widget

LIVE = "document.getElementById('link').dataset.state === 'live'"
#: Pages and their titles.
PAGES = {"overview": "Overview", "connections": "Connections", "devices": "Devices",
         f"devices/{APP}": APP, f"devices/{APP}/d-1": "d-1", f"apps/{APP}": APP, f"pushes/{APP}": "Last pushes",
         f"pushes/{APP}/shard-7/1": "Push 1 of shard-7", "explain": "Explain"}
#: The first of the figures.
PUSHES = "#figures > div:first-child"
#: Of telephones, small and common.
WIDTHS = [320, 390]


def quoted(text):
    return json.dumps(text)


class DashboardCase(unittest.TestCase):
    token = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.subject = Subject(token=self.token)
        self.addCleanup(self.subject.stop)
        #: Whether the network may fail in this test, as when the router is away.
        self.may_fail = False
        if IS_REAL and not self.token:
            page = self.browser.open("about:blank")
            page.call("Page.navigate", url=self.subject.link())
            page.wait_for("document.getElementById('link')?.dataset.state === 'live'")
            page.close()

    def open(self, place="", waits_for=LIVE):
        page = self.browser.open(self.subject.url + place, waits_for)
        self.addCleanup(page.close)
        self.addCleanup(self.assert_quiet, page)
        return page

    def assert_quiet(self, page):
        """No exception, nothing that the policy refuses; a request that fails only if it may."""
        complaints = [one for one in page.complaints
                      if not (self.may_fail and one.get("source") == "network")]
        self.assertEqual(complaints, [])

    def go(self, page, place):
        """Shows another page, and waits until it has something to show."""
        page.evaluate(f"location.hash = '#/' + {quoted(place)}")
        page.wait_for(f"document.querySelector('h1').innerText === {quoted(PAGES[place])}")
        page.wait_for("document.querySelector('tbody tr, .widget, #explain')")

    def reload(self, page):
        page.evaluate("window.isOld = true")
        page.call("Page.reload")
        page.wait_for(f"!window.isOld && document.readyState === 'complete' && {LIVE}")

    def wait_for_updates(self, page):
        """Waits until two statuses have come, which only events bring."""
        for update in ("the first change", "the second change"):
            before = page.text(f"{PUSHES} .note")
            wait_until(lambda: self.subject.push() or page.text(f"{PUSHES} .note") != before,
                       update, 20)

    def fill(self, page, name, value):
        page.evaluate(f"document.querySelector('[name={name}]').value = {quoted(value)}")


class Dashboard(DashboardCase):
    def test_figures_change_live(self):
        page = self.open()
        self.assertEqual(page.text(f"{PUSHES} dt"), "Pushes")
        self.assertRegex(page.text(f"{PUSHES} .note"), r"^[0-9.,]+( [MG])? since start$")
        self.wait_for_updates(page)
        wait_until(lambda: self.subject.push() or re.match(
            r"(?!0/s)[0-9.,]+( [MG])?/s", page.text(f"{PUSHES} .value")), "a rate", 20)
        self.assertEqual(page.text("#link span"), "live")

    def test_everything_that_the_router_reports_is_shown(self):
        page = self.open(waits_for="document.querySelectorAll('.overview tbody tr').length > 8")
        headings = page.evaluate("[...document.querySelectorAll('h2')].map((h) => h.innerText)")
        for heading in ("Throughput", "Latency", "Decisions", "Origins", "Apps", "Hot keys",
                        "Connections", "Store", "Queues", "Memory"):
            self.assertIn(heading, headings)
        shown = page.text("main")
        for text in ("p99.9", "Push to RELOAD", "Journal", "Resident", "Publishers", APP):
            self.assertIn(text, shown)

    def test_charts_are_drawn_and_follow(self):
        page = self.open()
        drawn = "document.querySelector('.chart canvas').toDataURL()"
        blank = page.evaluate("""(() => {
          const { width, height } = document.querySelector('.chart canvas');
          return Object.assign(document.createElement('canvas'), { width, height }).toDataURL();
        })()""")
        first = page.evaluate(drawn)
        self.assertNotEqual(first, blank, "axes at least")
        page.wait_for(f"{drawn} !== {quoted(first)}", "another picture")

    def test_nothing_leaves_the_origin(self):
        """Not even a request that the policy would refuse: that would be a complaint."""
        page = self.open()
        for place in PAGES:
            self.go(page, place)
        loaded = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
        self.assertGreater(len(loaded), 10)
        for address in loaded:
            self.assertTrue(address.startswith(self.subject.url), address)

    def test_connections_are_a_table(self):
        page = self.open("#/connections", "document.querySelectorAll('tbody tr').length >= 3")
        rows = page.evaluate("[...document.querySelectorAll('tbody tr')].map((row) => "
                             "[...row.cells].map((cell) => cell.innerText))")
        roles = {row[3]: row[1] for row in rows}
        self.assertEqual((roles["shard-7"], roles["d-1"]), ("publisher", "device"))
        page.evaluate("[...document.querySelectorAll('tbody a')]"
                      ".find((link) => link.innerText === 'd-1').click()")
        page.wait_for("document.querySelector('h1').innerText === 'd-1'")

    def test_a_devices_page_says_why_a_widget_was_not_reloaded(self):
        page = self.open("#/devices")
        page.wait_for("document.querySelector('tbody a')")
        page.click("tbody a")
        page.wait_for(f"document.querySelector('h1').innerText === {quoted(APP)}")
        self.fill(page, "device", "d-1")
        page.click("form button")
        page.wait_for("document.querySelector('.widget .answer')")
        self.assertIn(self.subject.answer, page.text(".widget .answer"))
        self.assertIn(self.subject.budget, page.text(".widget dl"))
        page.wait_for("document.querySelector('#decisions li')")
        self.assertIn(self.subject.decision, page.text("#decisions"))
        self.assertIn("elf-42", page.text(".widget pre"))

    def test_a_devices_page_says_that_its_app_is_paused(self):
        page = self.open(f"#/devices/{APP}/d-1")
        page.wait_for("document.querySelector('.widget .answer')")
        paused = "document.querySelector('.widget .answer').innerText.startsWith(" \
                 "'The app is paused: its reloads wait.')"
        self.assertFalse(page.evaluate(paused))
        self.subject.set_paused(True)
        page.wait_for(paused)
        self.assertIn("the app is paused", page.text("main .lead"))
        self.subject.set_paused(False)
        page.wait_for(f"!{paused}")
        self.assertNotIn("paused", page.text("main .lead"))

    def test_what_is_not_kept_of_a_widget_is_marked_as_such(self):
        """The time of a reload, where the kind has neither budget nor spacing; a date's place."""
        page = self.open(f"#/devices/{APP}/d-1")
        page.wait_for("document.querySelector('.widget .answer')")
        shown = page.text(".widgets")
        self.assertIn("sent, time not recorded", shown)
        if not IS_REAL:
            self.assertIn("no slot", shown)
        titles = page.evaluate("[...document.querySelectorAll('.widget dl > div')]"
                               ".map((row) => row.title)")
        self.assertTrue(any(re.fullmatch(r"RELOAD \d+", title) for title in titles), titles)
        self.assertEqual([one for one in titles if "undefined" in one or "NaN" in one], [])

    @unittest.skipIf(IS_REAL, "the real widgets inline nothing; test_history has some that do")
    def test_a_devices_page_says_which_values_were_sent_and_which_wait(self):
        """Since when; or what for, and until when. A widget without a pending reload has dashes."""
        page = self.open(f"#/devices/{APP}/d-1")
        page.wait_for("document.querySelectorAll('.widget').length === 3")
        notes, values, waits = page.evaluate("""(() => {
          const widgets = [...document.querySelectorAll('.widget')];
          const rows = (list) => Object.fromEntries([...list.children].map((row) =>
            [row.firstElementChild.innerText, row.lastElementChild.innerText]));
          return [widgets.map((one) => one.querySelector('.values .note').innerText),
                  widgets.map((one) => rows(one.querySelector('.values dl'))),
                  widgets.map((one) => rows(one.querySelector('dl')))]; })()""")
        self.assertRegex(notes[0], r"^They wait for the pending reload: budget, due .*\(in \d.*\)\. "
                                   r"RELOAD 17 was the last, .*ago\)\.$")
        self.assertRegex(notes[1], r"^Sent with RELOAD 17, .*\(2 min \d+ s ago\)\.$")
        self.assertEqual(notes[2], "Known, and not certain to have been sent. RELOAD 17 was the last.")
        self.assertEqual(values, [{"hp": "62", "level": '"seven"'}] * 3)
        self.assertEqual(waits[0]["Waits for"], "budget")
        self.assertRegex(waits[0]["Due"], r"\(in 3 min( \d+ s)?\)$")
        self.assertEqual([(one["Waits for"], one["Due"]) for one in waits[1:]], [("–", "–")] * 2)

    def test_an_unknown_device_is_reported_as_unknown(self):
        self.may_fail = True
        page = self.open(f"#/devices/{APP}/nobody")
        page.wait_for("document.querySelector('main [role=status]').innerText.length > 10")

    def test_names_are_text_and_no_markup(self):
        for place in ("", "#/connections", f"#/devices/{APP}",
                      f"#/devices/{APP}/{urllib.parse.quote(HOSTILE, safe='')}"):
            page = self.open(place)
            page.wait_for("document.querySelector('tbody tr, .widget')")
            if place:
                page.wait_for(f"document.body.innerText.includes({quoted(HOSTILE)})")
            self.assertEqual(page.evaluate("document.querySelectorAll('main img, main script, "
                                           "pre b, .panel > h2 b').length"), 0)
            self.assertIsNone(page.evaluate("window.wasHacked"))

    def test_the_explain_form_shows_which_test_held_with_which_value(self):
        page = self.open("#/explain")
        self.fill(page, "app", APP)
        self.fill(page, "payload", '{"character":"elf-42"}')
        page.click("#explain button")
        page.wait_for("document.querySelector('#result h2')")
        self.assertEqual(page.text("#result h2"), "1 widget matches")
        self.assertRegex(page.text("#result .holds"),
                         r"^holds character has \"elf-42\", the test is .+")
        self.assertIn("d-1", page.text("#result .results"))

    def test_the_explain_form_names_no_more_than_the_five_nearest(self):
        """Each with the value that failed, in little space."""
        page = self.open("#/explain")
        self.fill(page, "app", APP)
        self.fill(page, "payload", '{"character":"no-one"}')
        page.click("#explain button")
        page.wait_for("document.querySelector('#result h2')")
        headings = page.evaluate("[...document.querySelectorAll('#result h2')].map((h) => h.innerText)")
        self.assertEqual(headings, ["0 widgets match", "Nearest"])
        rows = page.evaluate("[...document.querySelectorAll('#result li')].map((li) => li.innerText)")
        self.assertIn(len(rows), range(2, 6))
        for row in rows:
            self.assertIn('character: the push has "no-one", the rule wants ', row)
        self.assertLess(page.evaluate("document.documentElement.scrollHeight"), 1_000)

    def test_the_explain_form_says_what_is_wrong_with_a_payload(self):
        page = self.open("#/explain")
        self.fill(page, "app", APP)
        self.fill(page, "payload", '{"character":')
        page.click("#explain button")
        page.wait_for("document.querySelector('#explain .problem').innerText.includes('JSON')")
        self.fill(page, "payload", "[1]")
        page.click("#explain button")
        page.wait_for("document.querySelector('#explain .problem').innerText.includes('object')")
        self.may_fail = True
        self.fill(page, "app", "nobody")
        self.fill(page, "payload", "{}")
        page.click("#explain button")
        page.wait_for("document.querySelector('#explain .problem').innerText.includes('app')")

    def test_a_device_is_removed_once_that_is_confirmed(self):
        page = self.open(f"#/devices/{APP}/d-1")
        page.wait_for("document.querySelector('.widget')")
        page.click("button.remove")
        page.wait_for("document.querySelector('#confirm[open]')")
        self.assertEqual(page.evaluate("document.activeElement.innerText"), "Cancel")
        page.click("#confirm button[value=no]")
        page.wait_for("!document.querySelector('#confirm')")
        self.assertEqual(page.text("h1"), "d-1")
        page.click("button.remove")
        page.click("#confirm button[value=yes]")
        page.wait_for(f"document.querySelector('h1').innerText === {quoted(APP)}")
        page.wait_for("document.querySelector('tbody tr') && "
                      "![...document.querySelectorAll('tbody th')].some((one) => one.innerText === 'd-1')")

    def test_an_app_and_each_of_its_kinds_have_curves(self):
        page = self.open()
        page.wait_for(f"document.querySelector('main a[href=\"#/apps/{APP}\"]')")
        page.evaluate(f"location.hash = '#/apps/{APP}'")
        page.wait_for("document.querySelector('.panel tbody a')")
        self.assertEqual(page.text("h1"), APP)
        figures = page.text("dl[aria-label='Since the start']")
        for name in ("Pushes", "Matched widgets", "RELOADs", "Put off", "Refused frames", "Devices"):
            self.assertIn(name, figures)
        drawn = "Chart.getChart(document.querySelector('.pair canvas'))?.data.datasets[0].data.length"
        page.wait_for(f"{drawn} > {0 if IS_REAL else 50}", "the curves are drawn")
        page.evaluate(f"location.hash = '#/apps/{APP}/' + encodeURIComponent({quoted(DETAIL)})")
        page.wait_for(f"document.querySelector('h1').innerText === {quoted(DETAIL)}")
        page.wait_for("document.querySelector('dl')?.innerText.includes('Widgets reloaded')")
        figures = page.text("dl")
        for name in ("Pushes", "Matched widgets", "Put off"):
            self.assertRegex(figures, fr"{name}\n[1-9]" if name != "Put off" or not IS_REAL else name)
        self.assertNotIn("Devices", figures)
        page.wait_for(f"{drawn} > {0 if IS_REAL else 50}", "the curves of the kind are drawn")
        page.click("main .path a")
        page.wait_for(f"document.querySelector('h1').innerText === {quoted(APP)}")

    @unittest.skipIf(IS_REAL, "the real router keeps the minutes of both apps")
    def test_an_app_without_minutes_says_so_and_its_curves_stay_bounded(self):
        """They begin with the page; a page that is open for a day keeps no more than others do."""
        self.subject.beyond_limit = {APP, "com.news"}
        page = self.open(f"#/apps/{APP}")
        page.wait_for("document.querySelector('main p.note').innerText.startsWith('It is one of 2 apps and kinds')")
        self.assertEqual(page.evaluate("""import(new URL('assets/app.js', location.origin)).then(({ App }) => {
          const live = { history: { marks: [] }, now: () => 0 };
          const app = new App(live, "a");
          const counts = { pushes: 0, matched: 0, reloads: 0, putOff: 0, rejected: 0, devices: 1, widgets: 1 };
          const take = (at, more = {}) => app.take({ at, startedAt: 1, counts, isKept: false, notKept: 2,
                                                     points: [], ...more });
          for (let step = 0; step < 20_000; step += 1) take(5_000 * step);
          const long = app.history.samples.length;
          // A restart is a gap, and so is what no router has seen before it.
          const points = [1, 2, 9].map((minute) => ({ at: 60_000 * minute, length: 60_000, counts }));
          const other = new App(live, "b");
          const seen = (at, startedAt) => other.take({ at, startedAt, counts, isKept: true, notKept: 0, points });
          seen(545_000, 1); seen(550_000, 1); seen(560_000, 555_000); seen(565_000, 555_000);
          return [long <= 6_000, other.history.samples.map(({ at, pushes }) => [at, pushes ?? null])];
        })"""), [True, [[60_000, 0], [120_000, 0], [480_000, None], [540_000, 0], [550_000, 0],
                        [559_999, None], [565_000, 0]]])

    def test_a_device_leads_to_its_explain_form(self):
        page = self.open(f"#/devices/{APP}/d-1")
        page.click("main a.button")
        page.wait_for("document.querySelector('[name=device]')?.value === 'd-1'")
        self.assertEqual(page.evaluate("document.querySelector('[name=app]').value"), APP)


class Tabs(DashboardCase):
    """More tabs than a browser opens connections to one server, which are six."""

    def wait_for_all(self, pages):
        """Waits until the figures of each change, once it is the one that is seen."""
        for page in pages:
            page.bring_to_front()
            self.wait_for_updates(page)
            self.assertTrue(page.evaluate(LIVE))

    def test_seven_tabs_have_live_figures_by_one_stream(self):
        """Also once the tab that reads the stream is closed, whichever that is."""
        pages = [self.open() for _ in range(7)]
        self.wait_for_all(pages)
        if not IS_REAL:
            self.assertEqual(self.subject.streams, 1)
        for left in range(6, 0, -2):
            while len(pages) > left:
                pages.pop(0).close_tab()
            self.wait_for_all(pages)
        # Other requests have connections, too.
        self.go(pages[-1], "connections")

    @unittest.skipIf(IS_REAL, "the streams of the fake router are counted")
    def test_of_two_tabs_that_read_one_ends(self):
        """As when they have not heard of each other, or a page was frozen and is resumed."""
        pages = [self.open(), self.open()]
        wait_until(lambda: self.subject.streams == 1, "one stream")
        # One that has not heard of the other, and has read for longer.
        pages[1].evaluate("import(new URL('assets/stream.js', location.origin)).then(({ SharedStream }) => {"
                          " const more = new SharedStream(() => {}, () => {});"
                          " more.read(); more.since = 1; more.join(); })")
        wait_until(lambda: self.subject.requests.count("GET /v1/events") == 2, "another one is asked for")
        wait_until(lambda: self.subject.streams == 1, "the later one has ended")
        self.wait_for_all(pages)
        self.assertEqual((self.subject.requests.count("GET /v1/events"), self.subject.streams), (2, 1))

    @unittest.skipIf(IS_REAL, "the fake router goes away at once")
    def test_attempts_to_connect_become_rare_and_begin_anew_at_once_with_the_network(self):
        # A page that asks for nothing by itself.
        page = self.open("#/explain")
        self.may_fail = True
        page.evaluate("window.waits = []; window.setTimeout = ((set) => (act, wait) => {"
                      "waits.push(wait); return set(act, wait > 400 ? 20 : wait); })(setTimeout); 0")
        self.subject.go_away()
        page.wait_for("waits.filter((wait) => wait > 400).length >= 9")
        waits = page.evaluate("waits.filter((wait) => wait > 400)")[:9]
        for wait, least in zip(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]):
            self.assertTrue(least <= wait <= 1.5 * least, waits)
        page.evaluate("window.setTimeout = () => 0; 0")
        self.subject.come_back()
        page.wait_for("(dispatchEvent(new Event('online')), document.getElementById('link').dataset.state === 'live')")


class Commands(unittest.TestCase):
    """What the page says beside what a command says of the same router."""

    def test_explain_says_the_same_in_the_page_and_with_to(self):
        """Of a push that matches, of one that comes near to some, and of one that comes near to none."""
        browser = Browser()
        self.addCleanup(browser.close)
        subject = RouterSubject()
        self.addCleanup(subject.stop)
        client = subject.session("device", device="d-9")
        client.device = "d-9"
        client.register(*(widget(f"w{index}", DETAIL, character=f"orc-{index}") for index in range(9)))
        page = browser.open("about:blank")
        self.addCleanup(page.close)
        page.call("Page.navigate", url=subject.link())
        page.wait_for(f"document.getElementById('link') && {LIVE}")
        page.evaluate("location.hash = '#/explain'")
        page.wait_for("document.querySelector('#explain')")
        for payload, count in (({"character": "elf-42"}, 1), ({"character": "no-one"}, 5), ({"weather": "rain"}, 1)):
            text = json.dumps(payload)
            printed = command("explain", "--to", "{}:{}".format(*subject.address), "--app", APP, "--push", text)
            self.assertEqual(printed.returncode, 0, printed.stderr)
            # Up to the sum; the outcome in brackets is a word of its own in the page.
            lines = [re.sub(r"^(\S+/\S+) \[(\w+)\]: ", r"\1: \2 ", line)
                     for line in printed.stdout.splitlines() if "/" in line.split(":")[0]]
            page.evaluate(f"document.querySelector('[name=app]').value = {quoted(APP)};"
                          f"document.querySelector('[name=payload]').value = {quoted(text)};"
                          "document.querySelector('#result').replaceChildren();"
                          "document.querySelector('#explain button').click()")
            page.wait_for("document.querySelector('#result h2')")
            shown = page.evaluate("""[...document.querySelectorAll('#result .result')].map((row) => {
              const [name, text] = row.querySelectorAll('p');
              const [device, widget] = [name.firstChild.innerText, name.childNodes[1].textContent.trim()];
              return `${device}/${widget}: ${text.innerText}`; })""")
            self.assertEqual(len(shown), count)
            for line, row in zip(lines, shown, strict=True):
                # The page also says when.
                self.assertTrue(row.startswith(line), (row, line))


class Modules(DashboardCase):
    """The page's pure parts, asked where they run."""

    def ask(self, module, expression):
        if not hasattr(self, "page"):
            self.page = self.open()
        return self.page.evaluate(
            f"import(new URL('assets/{module}.js', location.origin)).then((it) => {expression})")

    def test_figures_have_three_digits_and_a_unit(self):
        for call, expected in (
                ("[0, 0.004, 0.4217, 9.996, 99.96, 999999, 999999.6, 1.5e9, null].map(it.short)",
                 ["0", "0.004", "0.42", "10.0", "100", "999,999", "1.00 M", "1.50 G", "–"]),
                ("[999, 1400, 1.84e9, 999500].map(it.bytes)",
                 ["999 B", "1.40 KB", "1.84 GB", "1.00 MB"]),
                ("[312, 999.6, 999600].map(it.micros)", ["312 µs", "1.00 ms", "1.00 s"]),
                ("[3, 1000, 9949, 59600, 252000, 10920000, 187200000].map(it.span)",
                 ["3 ms", "1 s", "9.9 s", "1 min", "4 min 12 s", "3 h 2 min", "2 d 4 h"]),
                ("[it.distance(5000, 0), it.distance(0, 5000), it.distance(0, 1)]",
                 ["in 5 s", "5 s ago", "now"])):
            self.assertEqual(self.ask("format", call), expected, call)

    def test_rates_are_of_one_run_of_a_router(self):
        self.assertEqual(self.ask("history", """(() => {
          const status = (at, uptime, pushes) => ({ at, uptime, pushes: { accepted: pushes },
            matched: 3 * pushes, decisions: { sent: pushes }, apps: [{ app: "a", pushes }] });
          const of = (now, before) => {
            const found = it.rates(now, before);
            return found && [found.pushes, found.ratio, found.decisions.sent,
                             found.apps.get("a").pushes];
          };
          return [of(status(3000, 3000, 50), status(1000, 1000, 10)),
                  of(status(3000, 10, 50), status(1000, 1000, 10)),
                  of(status(1000, 1000, 10), status(1000, 1000, 10)),
                  of(status(2000, 2000, 5), status(1000, 1000, 10))]; })()"""),
            [[20, 3, 20, 20], None, None, [None, None, None, None]])

    def test_a_gap_is_kept_where_nothing_came(self):
        self.assertEqual(self.ask("history", """(() => {
          const history = new it.History();
          const add = (second) => history.add({ at: 1000 * second, uptime: 1000 * second,
            pushes: { accepted: second } });
          for (let second = 0; second < 700; second += 1) add(second);
          const full = [history.samples.length, history.samples[0].at, history.shown, add(699)];
          add(720);
          return [...full, ...history.samples.slice(-2).map((sample) => sample.pushes ?? null)];
        })()"""),
            [699, 1_000, 1_800_000, False, None, 1])

    def test_what_the_router_kept_replaces_what_the_page_saw_and_leaves_the_rest(self):
        """Samples from before a restart stay, those since the last point too; marks are there once."""
        self.assertEqual(self.ask("history", """(() => {
          const history = new it.History();
          const add = (second, uptime) => history.add({ at: 1000 * second, uptime,
            pushes: { accepted: uptime } });
          for (let second = 0; second <= 10; second += 1) add(second, 1000 * (50 + second));
          for (let second = 40; second <= 60; second += 1) add(second, 1000 * (second - 40));
          const marks = [{ at: 40_000, event: "start" }];
          const points = [50, 59].map((second) => ({ at: 1000 * second, length: 9_000,
            pushes: 18, matched: 9, devices: 4, pushToAck: { p99: second }, tick: null }));
          history.merge({ points, marks });
          history.merge({ points, marks });
          return [history.samples.map((sample) => [sample.at, sample.pushes ?? null]).slice(9),
                  history.samples.at(-2).ratio, history.samples.at(-2).ack, history.marks];
        })()"""), [
            [[10_000, 1_000], [39_999, None], [41_000, 1_000], [50_000, 2],
             [59_000, 2], [60_000, 1_000]],
            0.5, {"p99": 59}, [{"at": 40_000, "event": "start"}]])


class Courses(DashboardCase):
    """The charts: the last hour at once, marks, and zooms."""

    TEXT = "document.querySelector('#range [role=status]').innerText"
    #: Presses a button of the range by its text.
    PRESS = "[...document.querySelectorAll('#range button')].find((one) => one.innerText === %s)"

    def press(self, page, text):
        page.evaluate((self.PRESS % quoted(text)) + ".click()")

    def shown(self, page):
        """The stretch that the first chart shows, in seconds before its end, and its points."""
        return page.evaluate("""(() => { const chart = Chart.getChart(
            document.querySelector('.pair canvas'));
          return [chart.options.scales.x.min, chart.data.datasets[0].data.length,
                  chart.marks.map((mark) => mark.name)]; })()""")

    def open_overview(self):
        page = self.open()
        page.wait_for("Chart.getChart(document.querySelector('.pair canvas'))?.marks?.length > 0",
                      "the history is drawn")
        return page

    @unittest.skipIf(IS_REAL, "the real router has only begun")
    def test_the_last_hour_is_shown_as_soon_as_the_page_opens(self):
        page = self.open_overview()
        start, points, marks = self.shown(page)
        self.assertEqual(start, -3_600)
        self.assertGreater(points, 240)
        self.assertEqual(marks, ["last sign", "start", "app file", "pause", "resume"])
        self.assertIn("App file", page.text("#marks"))
        count = page.evaluate("document.querySelectorAll('.pair .chart canvas').length")
        self.assertEqual(count, 4)

    def test_the_start_is_marked(self):
        page = self.open_overview()
        self.assertIn("start", self.shown(page)[2])
        self.assertIn("Start", page.text("#marks"))

    @unittest.skipIf(IS_REAL, "the real router has only begun")
    def test_a_range_can_be_chosen(self):
        page = self.open_overview()
        page.evaluate("(() => { const select = document.querySelector('#range select');"
                      "select.value = '600000'; select.dispatchEvent(new Event('change')); })()")
        page.wait_for("Chart.getChart(document.querySelector('.pair canvas'))"
                      ".options.scales.x.min === -600")
        wait_until(lambda: any(request == "GET /v1/history" for request in
                               self.subject.requests[-20:]), "the history is asked for again")

    def test_the_axis_says_what_the_range_says(self):
        """What there is, until a range is chosen; then all of it, also where nothing is known."""
        page = self.open_overview()
        chosen = "1000 * -%s === Number(document.querySelector('#range select').value)" \
            % "Chart.getChart(document.querySelector('.pair canvas')).options.scales.x.min"
        page.wait_for(chosen)
        for length in (86_400_000, 300_000):
            page.evaluate("(() => { const select = document.querySelector('#range select');"
                          f"select.value = '{length}'; select.dispatchEvent(new Event('change')); }})()")
            page.wait_for(f"{chosen} && document.querySelector('#range select').value === '{length}'")

    @unittest.skipIf(IS_REAL, "the real router has only begun")
    def test_buttons_zoom_and_move_and_escape_ends_it(self):
        page = self.open_overview()
        self.press(page, "Zoom in")
        first = page.evaluate(self.TEXT)
        self.assertRegex(first, r"^(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d to .*\d\d:\d\d:\d\d$")
        self.assertEqual(self.shown(page)[0], -1_800)
        self.press(page, "Earlier")
        self.assertNotEqual(page.evaluate(self.TEXT), first)
        self.press(page, "Zoom in")
        self.assertEqual(self.shown(page)[0], -900)
        self.press(page, "Zoom out")
        self.assertEqual(self.shown(page)[0], -1_800)
        # A zoom stands still while the figures change.
        text = page.evaluate(self.TEXT)
        self.wait_for_updates(page)
        self.assertEqual(page.evaluate(self.TEXT), text)
        page.evaluate("document.querySelector('#range button').focus()")
        for kind in ("rawKeyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", type=kind, key="Escape", code="Escape",
                      windowsVirtualKeyCode=27)
        page.wait_for(f"{self.TEXT} === ''")
        self.assertEqual(self.shown(page)[0], -3_600)

    @unittest.skipIf(IS_REAL, "the real router has only begun")
    def test_a_drag_over_one_chart_zooms_all_of_them(self):
        page = self.open_overview()
        page.evaluate("document.querySelector('.pair .chart').scrollIntoView({ block: 'center' })")
        left, top, width, height = page.evaluate("""(() => {
          const box = document.querySelector('.pair .chart').getBoundingClientRect();
          return [box.left, box.top, box.width, box.height]; })()""")
        def mouse(kind, part, **more):
            page.call("Input.dispatchMouseEvent", type=kind, x=left + part * width,
                      y=top + height / 2, button="left", **more)
        mouse("mousePressed", 0.4, clickCount=1)
        mouse("mouseMoved", 0.5, buttons=1)
        page.wait_for("!document.querySelector('.band').hidden")
        mouse("mouseMoved", 0.6, buttons=1)
        mouse("mouseReleased", 0.6, clickCount=1)
        page.wait_for(f"{self.TEXT} !== ''")
        starts = page.evaluate("[...document.querySelectorAll('.pair canvas')].slice(0, 4)"
                               ".map((one) => Chart.getChart(one).options.scales.x.min)")
        self.assertEqual(len(set(starts)), 1)
        self.assertTrue(-1_000 < starts[0] < -500, starts)
        self.assertTrue(page.evaluate("document.querySelector('.band').hidden"))
        self.press(page, "Live")
        self.assertEqual(self.shown(page)[0], -3_600)

    @unittest.skipIf(IS_REAL, "the real router measures")
    def test_a_figure_without_a_measurement_is_a_dash(self):
        """Not 0 µs, and not nothing."""
        idle = {"count": 0, "p50": 0, "p90": 0, "p99": 0, "p999": 0, "max": 0}
        self.subject.status_changes = {
            "latency": dict.fromkeys(
                ("pushToAck", "pushToReload", "turn", "commit", "schedulerLag"), idle),
            "pushes": {"accepted": 7, "duplicate": 0, "rejected": {}}, "matched": 9}
        page = self.open()
        page.wait_for("document.querySelector('#figures .value').innerText === '0/s'")
        figures = dict(page.evaluate(
            "[...document.querySelectorAll('#figures > div')].map((one) => "
            "[one.querySelector('dt').innerText, one.querySelector('.value').innerText])"))
        for name in ("Match ratio", "Push to ACK", "Push to RELOAD"):
            self.assertEqual(figures[name], "–", name)
        self.assertNotIn("", figures.values())
        self.assertNotIn("0 µs", page.text("main"))


class BadDays(DashboardCase):
    def test_it_says_when_the_router_is_away_and_comes_back_by_itself(self):
        page = self.open()
        self.may_fail = True
        page.evaluate("window.isSame = true")
        self.subject.go_away()
        page.wait_for("document.getElementById('link').dataset.state === 'away'")
        self.assertIn("Trying again", page.text("#notice"))
        self.assertNotEqual(page.text("#figures .note"), "", "the last figures stay")
        self.subject.come_back()
        page.wait_for(LIVE)
        page.wait_for("document.getElementById('notice').hidden")
        self.assertTrue(page.evaluate("window.isSame"))

    def test_it_says_when_the_router_is_silent(self):
        page = self.open()
        self.may_fail = True
        self.subject.fall_silent()
        # At the same time: later it tries to connect again.
        page.wait_for("document.getElementById('link').dataset.state === 'silent'"
                      " && /^silent for \\d+ s$/.test(document.querySelector('#link span').innerText)"
                      " && document.getElementById('notice').innerText.includes('sends nothing')")

    @unittest.skipIf(IS_REAL, "the real router of these tests pushes to nobody")
    def test_pushes_by_apns_are_shown_if_there_are_any(self):
        facts = ("[...document.querySelectorAll('section')]"
                 ".find((one) => one.querySelector('h2')?.innerText === 'Pushes by APNs')")
        shown = self.subject.status()["apns"]
        page = self.open()
        page.wait_for(f"{facts}?.innerText.includes('1,013')")
        self.assertNotIn("Stopped", page.evaluate(f"{facts}.innerText"))
        lane = {"app": "<b>", "environment": "sandbox", "cause": "credentials"}
        self.subject.status_changes = {"apns": shown | {"stopped": 23, "stoppedLanes": [lane]}}
        page.wait_for(f"{facts}.innerText.includes('22 more')")
        text = page.evaluate(f"{facts}.innerText")
        self.assertIn("Stopped: <b>, sandbox", text)
        self.assertIn("key refused", text)
        for idle in (None, {name: 0 for name in shown} | {"stoppedLanes": [], "answer": {"count": 0}}):
            self.subject.status_changes = {"apns": shown}
            page.wait_for(f"!{facts}.hidden")
            self.subject.status_changes = {"apns": idle}
            page.wait_for(f"{facts}.hidden")

    def test_connections_are_set_beside_the_devices_that_are_known(self):
        page = self.open()
        page.wait_for("[...document.querySelectorAll('#figures > div')].some((one) => "
                      r"/^Connections\n[\d,]+\nfor [\d,]+ devices$/.test(one.innerText))")

    @unittest.skipIf(IS_REAL, "the real router's loop does not stick")
    def test_it_says_that_the_loop_does_not_answer(self):
        page = self.open()
        self.may_fail = True
        self.subject.is_stuck = True
        page.wait_for("document.getElementById('link').dataset.state === 'silent'")
        page.wait_for("document.getElementById('notice').innerText.startsWith("
                      "'The loop has not answered for 3 s. The figures')")
        self.subject.is_stuck = False
        page.wait_for(LIVE)
        page.wait_for("document.getElementById('notice').hidden")

    @unittest.skipIf(IS_REAL, "the real router has what its machine has")
    def test_without_the_library_the_numbers_are_there(self):
        self.may_fail = True
        self.subject.is_chartless = True
        page = self.open(waits_for="document.querySelectorAll('.overview tbody tr').length > 8")
        self.assertFalse(page.evaluate("document.getElementById('chartless').hidden"))
        self.assertIn("libjs-chart.js", page.text("#chartless"))
        page.wait_for("document.querySelector('#figures .value').innerText.endsWith('/s')")
        for place in PAGES:
            self.go(page, place)

    @unittest.skipIf(IS_REAL, "the real router has reasons of its own")
    def test_reasons_of_not_being_ready_are_shown(self):
        self.subject.status_changes = {"isReady": False, "reasons": ["the store fails: <b>"]}
        page = self.open()
        page.wait_for("document.getElementById('notice').innerText.includes('<b>')")
        self.subject.status_changes = {"isDraining": True}
        page.wait_for("document.getElementById('notice').innerText.includes('drains')")

    @unittest.skipIf(IS_REAL, "the real router has warnings of its own")
    def test_what_is_for_trials_is_shown_as_the_router_says_it(self):
        page = self.open()
        self.assertTrue(page.evaluate("document.getElementById('advice').hidden"))
        self.subject.status_changes = {"warnings": ["com.x: <b>", "com.y: open"]}
        page.wait_for("document.getElementById('advice').innerText ==="
                      " 'For trials only: com.x: <b>; com.y: open.'")


class Tokens(DashboardCase):
    token = "very-secret&odd=#token"

    def test_a_token_is_asked_for_once(self):
        self.may_fail = True
        page = self.open(waits_for="document.getElementById('login').open")

        page.evaluate("window.sources = []; window.EventSource = class extends EventSource {"
                      "constructor(...given) { super(...given); sources.push(this); } }; 0")

        def give(token):
            page.evaluate("document.querySelector('#login [type=password]').value = "
                          + quoted(token))
            page.click("#login button")

        # No browser sends it in a header: there would be no request that could be refused.
        give(self.token + "…")
        page.wait_for("document.getElementById('login-problem').innerText.includes('ASCII')")
        self.assertIsNone(page.evaluate("sessionStorage.getItem('token')"))
        give("wrong")
        page.wait_for("document.getElementById('login-problem').innerText.includes('not accept')")
        give(f" {self.token} ")
        page.wait_for(LIVE)
        self.assertFalse(page.evaluate("document.getElementById('login').open"))
        # An EventSource cannot send it as a header.
        page.wait_for("sources.at(-1)?.readyState === 1", "the events are open")
        self.assertIn("?token=very-secret%26odd%3D%23token", page.evaluate("sources.at(-1).url"))
        self.wait_for_updates(page)
        self.reload(page)
        self.assertFalse(page.evaluate("document.getElementById('login').open"))
        page.evaluate("sessionStorage.setItem('token', '…')")
        page.call("Page.reload")
        page.wait_for("document.getElementById('login')?.open", "what cannot be sent is not kept")


class Appearance(DashboardCase):
    def test_light_and_dark_follow_the_system_until_one_is_chosen(self):
        page = self.open()
        ground = "getComputedStyle(document.body).backgroundColor"
        page.prefers("light")
        light = page.evaluate(ground)
        page.prefers("dark")
        page.wait_for(f"{ground} !== {quoted(light)}")
        page.evaluate("(() => { const select = document.querySelector('#theme select');"
                      "select.value = 'light'; select.dispatchEvent(new Event('change')); })()")
        self.assertEqual(page.evaluate(ground), light)
        self.reload(page)
        self.assertEqual(page.evaluate(ground), light, "it is remembered")
        page.evaluate("localStorage.clear()")

    def test_text_stands_out_from_its_ground(self):
        """At least 4.5 : 1, as WCAG has it."""
        page = self.open()
        for scheme in ("light", "dark"):
            page.prefers(scheme)
            for color in ("ink", "faint", "accent", "warning"):
                for ground in ("page", "card"):
                    ratio = page.evaluate(CONTRAST % (color, ground))
                    self.assertGreaterEqual(ratio, 4.5, f"{color} on {ground}, {scheme}")

    def test_every_page_fits_a_phone_without_scrolling_sideways(self):
        page = self.open()
        for width in WIDTHS:
            page.call("Emulation.setDeviceMetricsOverride", width=width, height=844,
                      deviceScaleFactor=1, mobile=True)
            for place in PAGES:
                self.go(page, place)
                self.assertEqual(page.evaluate(
                    "[innerWidth, document.documentElement.scrollWidth]"), [width, width], place)

    def open_on_a_phone(self, width=390):
        page = self.open()
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=844,
                  deviceScaleFactor=1, mobile=True)
        page.wait_for("document.querySelectorAll('.whole tbody tr').length === 5")
        page.wait_for("document.querySelector('.overview details:not([open])')")
        return page

    def test_the_overview_is_three_screens_on_a_phone(self):
        """Panels are folded up to their headings, until one is opened; on a desk, all are open."""
        page = self.open_on_a_phone()
        height = "document.documentElement.scrollHeight"
        self.assertLessEqual(page.evaluate(height), 3 * 844)
        before = page.evaluate(height)
        page.click(".columns section:not([hidden]) summary")
        page.wait_for(f"{height} > {before + 20}")
        self.go(page, "connections")
        self.go(page, "overview")
        self.assertTrue(page.evaluate("document.querySelector('.columns section:not([hidden]) details').open"),
                        "it stays so")
        page.call("Emulation.clearDeviceMetricsOverride")
        page.wait_for("!document.querySelector('.overview details:not([open])')")

    def test_a_phone_shows_the_latencies_whole(self):
        for width in WIDTHS:
            page = self.open_on_a_phone(width)
            cells = page.evaluate("""[...document.querySelectorAll('.whole td')].map((cell) => {
              const text = document.createRange();
              text.selectNodeContents(cell);
              const { left, right } = text.getBoundingClientRect();
              return [Math.round(left), Math.round(right)]; })""")
            self.assertEqual(len(cells), 30)
            for (_, end), (begin, _) in zip(cells, cells[1:]):
                self.assertTrue(begin > end or begin < width / 3, (width, end, begin))
            self.assertLess(max(right for _, right in cells), width - 12)

    def test_it_can_be_used_without_eyes_and_without_a_mouse(self):
        page = self.open()
        for place in PAGES:
            self.go(page, place)
            self.assertEqual(page.evaluate(NAMELESS), [], place)
            self.assertEqual(page.evaluate("document.querySelectorAll('h1').length"), 1)
            self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1", place)
            self.assertEqual(page.evaluate(
                "document.querySelectorAll('nav [aria-current=page]').length"), 1)
        self.assertEqual(page.evaluate("document.querySelector('[role=status]').innerText"), "live")
        page.evaluate("document.activeElement.blur(); document.body.focus()")
        for kind in ("rawKeyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab",
                      windowsVirtualKeyCode=9)
        self.assertNotEqual(page.evaluate("document.activeElement.tagName"), "BODY")


#: The contrast of two of the page's colours.
CONTRAST = """(() => {
  const style = getComputedStyle(document.documentElement);
  const light = (name) => {
    const hex = style.getPropertyValue('--' + name).trim().slice(1);
    const [r, g, b] = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high, low] = [light('%s'), light('%s')].sort((one, other) => other - one);
  return (high + 0.05) / (low + 0.05);
})()"""

#: What can be used, and has no name for those who do not see it.
NAMELESS = """[...document.querySelectorAll(
    'a, button, input, select, textarea, [tabindex="0"], canvas[role]')]
  .filter((one) => !one.hidden && !one.getAttribute('aria-label') && !(one.labels
    ? [...one.labels, ...(one.tagName === 'BUTTON' ? [one] : [])].map((label) => {
        const copy = label.cloneNode(true);
        copy.querySelectorAll('input, select, textarea').forEach((control) => control.remove());
        return copy.textContent.trim();
      }).join('')
    : (one.innerText ?? '').trim()))
  .map((one) => one.outerHTML)"""


if __name__ == "__main__":
    unittest.main()
