#!/usr/bin/env python3
"""An admin server that only pretends: the dashboard's files, and JSON as protocol/admin.md has it.

    fake_admin.py [--port 7411] [--token TOKEN]

For work on the dashboard and on `reload-router top`, and for their tests. Counters rise with time; a
test changes what it needs in `status_changes` and `devices`.
"""

import argparse
import http.server
import json
import math
import socket
import socketserver
import threading
import time
import urllib.parse

from support import CHECKOUT, fixed_port

RESOURCES = CHECKOUT / "Sources" / "Server" / "AdminAPI" / "Dashboard" / "Resources"
#: The same policy as in StaticFiles.swift.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
          "require-trusted-types-for 'script'")
TYPES = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
         "js": "text/javascript; charset=utf-8"}
CHARTS = "/usr/share/javascript/chart.js/chart.min.js"
APP = "com.mygame"
DETAIL = "com.mygame.character-detail"
HOSTILE = "<img src=x onerror=window.wasHacked=1>"
#: The problem that is reported while the loop does not answer.
STUCK = 503, "silent", "the loop has not answered for 3 s"


def now():
    """ms since 1970."""
    return int(time.time() * 1000)


def problem(status, code, detail):
    return {"type": "about:blank", "title": http.client.responses[status], "status": status,
            "detail": detail, "code": code}


def percentiles(p50, count=1_000):
    return {"count": count, "p50": p50, "p90": 2 * p50, "p99": 4 * p50, "p999": 9 * p50,
            "max": 14 * p50}


def reading_widget(name, character, **more):
    """A widget as the device resource describes it."""
    return {"widget": name, "kind": DETAIL, "configuration": {"character": character},
            "stage": "idle", "cause": "push", "waitsUntil": None, "lastReload": 17,
            "lastReloadAt": now() - 140_000, "isAnswered": True, "date": None,
            "budget": {"used": 3, "allowance": 40, "reserve": 4, "nextAt": None},
            "shown": {"hp": 62, "level": "seven"}, "shownState": "sent"} | more


def first_devices():
    """By app and device."""
    at = now()
    return {
        (APP, "d-1"): {
            "app": APP, "device": "d-1", "isOnline": True, "connection": 3,
            "session": {"foreground": False, "media": None},
            "widgets": [
                reading_widget(
                    "w1", "elf-42", stage="deferred", waitsUntil=at + 184_000, shownState="waiting",
                    budget={"used": 40, "allowance": 40, "reserve": 4, "nextAt": at + 184_000},
                    date={"at": at + 3_600_000, "slot": (at + 3_600_000) // 1_000 * 1_000}),
                reading_widget("w2", "orc-7"),
                reading_widget("w3", "elf-9", budget=None, lastReloadAt=None, shownState="known",
                               date={"at": at + 3_600_000, "slot": None})],
            "decisions": [
                {"at": at - 500_000, "widget": "w1", "reason": "sent", "cause": "push",
                 "until": None, "text": "A RELOAD was sent."},
                {"at": at - 140_000, "widget": "w2", "reason": "unchanged", "cause": "push",
                 "until": None, "text": "The push left hp as it was, which is all that it shows."},
                {"at": at - 2_000, "widget": "w1", "reason": "budget", "cause": "push",
                 "until": at + 184_000,
                 "text": "Its budget is spent: 40 of 40 reloads in 24 hours."}]},
        (APP, HOSTILE): {
            "app": APP, "device": HOSTILE, "isOnline": False, "connection": None,
            "session": {"foreground": False, "media": None},
            "widgets": [reading_widget("<b>bold</b>", "<script>window.wasHacked=1</script>")],
            "decisions": [{"at": at, "widget": "<b>bold</b>", "reason": "offline", "cause": "push",
                           "until": None, "text": "<img src=x onerror=window.wasHacked=1>"}]},
        ("com.news", "reader-1"): {
            "app": "com.news", "device": "reader-1", "isOnline": False, "connection": None,
            "session": {"foreground": False, "media": None}, "widgets": [], "decisions": []},
    }


class FakeAdmin:
    """The server: it can stop, start again on the same port, stop answering, and require a token."""

    def __init__(self, port=0, token=None, interval=1.0):
        self.token, self.interval = token, interval
        self.is_silent = False
        #: The machine of the router has no Chart.js.
        self.is_chartless = False
        #: Members that replace those of the status.
        self.status_changes = {}
        self.devices = first_devices()
        self.paused = {"com.news"}
        #: Whether the loop does not answer: events are problems in place of statuses.
        self.is_stuck = False
        #: Methods and paths, in their order.
        self.requests = []
        #: Apps of which no minutes are kept.
        self.beyond_limit = set()
        self.started_at = now() - 3_600_000
        #: How many streams of events are open.
        self.streams = 0
        self._started = time.monotonic()
        self._server, self._port = None, port or fixed_port()
        self.come_back()

    @property
    def address(self):
        return "127.0.0.1", self._port

    @property
    def url(self):
        return f"http://127.0.0.1:{self._port}/"

    def go_away(self):
        """Closes all connections, and is refused from then on."""
        server, self._server = self._server, None
        if server is None:
            return
        server.is_ending = True
        server.shutdown()
        server.server_close()
        for connection in list(server.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    stop = go_away

    def come_back(self):
        self._server = Server(("127.0.0.1", self._port), Handler)
        self._server.admin = self
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    # What it reports

    def push(self, count=1_000):
        """The numbers rise by themselves."""

    def status(self):
        seconds = time.monotonic() - self._started
        # A quiet day with a burst every forty seconds.
        load = 12_000 * seconds + 30_000 * math.sin(seconds / 6.4)
        pushes = max(0, int(load))
        widgets = int(1.8 * pushes)
        slow = 1 + max(0, math.sin(seconds / 6.4))
        return {
            "at": now(), "version": "0.2.0", "uptime": int(1000 * seconds), "isReady": True,
            "reasons": [], "warnings": [], "isDraining": False,
            "files": [{"file": "apps", "readAt": now(), "refusal": None}],
            "pushes": {"accepted": pushes, "duplicate": pushes // 900,
                       "rejected": {"payload-not-json": int(seconds)}},
            "matched": widgets,
            "reloads": {"sent": pushes // 3, "void": 4,
                        "byCause": {"push": pushes // 4, "after": pushes // 12}},
            "decisions": {"sent": pushes // 3, "scheduled": pushes // 12, "unchanged": pushes // 2,
                          "debounced": pushes // 5, "spacing": pushes // 14, "budget": pushes // 30,
                          "spread": pushes // 9, "coalesced": pushes // 4, "offline": pushes // 60,
                          "expired": 0},
            "wishes": {"begun": pushes // 2, "ended": pushes // 2 - 1_204, "pending": 1_204,
                       "debounced": 2, "deferred": 310, "queued": 880, "held": 0, "ready": 12},
            "connections": {"publisher": 3, "device": 1_184, "gateway": 2, "awaitingHello": 1,
                            "accepted": 40_117, "refused": 3},
            "stored": {"apps": 2, "devices": 120_408, "widgets": 361_224, "undeclaredWidgets": 0,
                       "producers": 12, "producersForgotten": 3, "devicesForgotten": 0,
                       "producersRefused": 0, "producersAhead": 0,
                       "bytes": 214_000_000, "bytesLimit": 2_046_820_352},
            "sessionsFailed": {}, "quotaRefusals": {"devices": 0, "widgets": 0, "storedBytes": 3,
                                                    "producers": 0, "sessions": 0},
            "latency": {"pushToAck": percentiles(int(320 * slow)),
                        "pushToReload": percentiles(int(410 * slow)), "turn": percentiles(88),
                        "commit": percentiles(int(240 * slow)), "schedulerLag": percentiles(600)},
            "queues": {"ready": 12, "fanOut": 0, "paced": 880, "timers": 98_300,
                       "heldConnections": 0, "journalBytes": 20_480, "heldAnswerBytes": 1_024,
                       "outputBytes": 81_000, "outputBytesMax": 1_310_000,
                       "inputBytes": 4_100, "inputBytesMax": 70_200},
            "bytes": {"in": 210 * pushes, "out": 60 * pushes},
            "memory": {"index": 18_061_200, "widgets": 91_000_000, "schedules": 23_000_000,
                       "fields": 11_200_000, "decisions": 15_400_000, "connections": 7_300_000,
                       "history": 1_260_000, "resident": 214_000_000},
            "store": {"isFailing": False, "failingFor": 0, "diskBytes": 1_840_000_000,
                      "committed": pushes, "submitted": pushes + 12,
                      "checkpoint": {"number": 41, "bytes": 160_000_000, "milliseconds": 1_840}},
            "recording": None,
            "apns": {"sent": pushes // 40, "accepted": pushes // 41, "refused": 0, "tokensDead": 12,
                     "tokensRefused": 1, "postponed": 3, "unanswered": 0,
                     "waiting": 214, "underWay": 96, "deadTokens": 1_013, "connections": 4,
                     "connectionsLost": 2, "answer": percentiles(14_000), "stopped": 0,
                     "stoppedLanes": []},
            "apps": [{"app": APP, "pushes": pushes - pushes // 10, "matched": widgets,
                      "reloads": pushes // 3, "isPaused": APP in self.paused,
                      "used": {"devices": 120_000, "widgets": 360_000,
                               "storedBytes": 213_900_000, "sessions": 1_180},
                      "quotas": {"devices": 500_000, "storedBytes": 220_000_000}},
                     {"app": "com.news", "pushes": pushes // 10, "matched": 0, "reloads": 0,
                      "isPaused": "com.news" in self.paused,
                      "used": {"devices": 408, "widgets": 1_224, "storedBytes": 100_000,
                               "sessions": 9}, "quotas": {}}],
            "hotKeys": [{"app": APP, "key": "character=elf-42", "pushes": 40_210},
                        {"app": APP, "key": "event=dragon", "pushes": 12_043},
                        {"app": "com.news", "key": "topic=weather", "pushes": 604}],
            "origins": [{"app": APP, "origin": "game-api", "waiting": 880, "peakAsked": 4_100,
                         "peakGiven": 500},
                        {"app": "com.news", "origin": "articles", "waiting": 0, "peakAsked": 0,
                         "peakGiven": 0}],
        } | self.status_changes

    def origins(self):
        shift = int(time.monotonic() - self._started) % 60
        asked = [20 + (6_000 if (second + shift) % 60 == 0 else 0) for second in range(120)]
        given, left = [], 0
        for count in asked:
            left += count
            given.append(min(500, left))
            left -= given[-1]
        return {"origins": [
            {"app": APP, "origin": "game-api", "perSecond": 500, "waiting": 880, "held": 3,
             "secondsFrom": now(), "asked": asked, "given": given},
            {"app": "com.news", "origin": "articles", "perSecond": 2_000, "waiting": 0, "held": 0,
             "secondsFrom": now(), "asked": [0] * 120, "given": [0] * 120}], "next": None}

    def history(self, range_seconds):
        """An hour of a day, in the resolutions of the router, with a few marks."""
        at = now()
        # The ends of points that follow each other.
        minutes, tens = range(-3_600, -1_199, 60), range(-1_190, -119, 10)
        lengths = [(end, 60) for end in minutes] + [(end, 10) for end in tens] \
            + [(end, 1) for end in range(-119, 1)]
        points = []
        for end, length in lengths:
            if end < -range_seconds:
                continue
            wave = 1 + 0.6 * math.sin(end / 400)
            # Quiet while the app is paused.
            pushes = int(length * (400 if -1_500 < end < -1_320 else 12_000) * wave)
            slow = 2 if -2_400 < end < -2_200 else 1
            latency = {"p50": 320 * slow, "p99": 1_300 * slow * wave, "max": 4_000 * slow}
            points.append({
                "at": at + 1_000 * end, "length": 1_000 * length, "pushes": pushes,
                "matched": int(1.8 * pushes), "reloads": pushes // 3, "putOff": pushes // 5,
                "rejected": length, "ticks": 900 * length, "bytesIn": 210 * pushes,
                "bytesOut": 60 * pushes, "publishers": 3,
                "devices": int(1_184 + 300 * math.sin(end / 900)), "gateways": 2,
                "pending": int(1_204 * wave), "pushToAck": latency,
                "pushToReload": latency | {"p99": 1_900 * slow * wave}, "tick": latency | {"p99": 300}})
        marks = [{"at": at - 3_480_000, "event": "end"}, {"at": at - 3_470_000, "event": "start"},
                 {"at": at - 2_400_000, "event": "appFile"}, {"at": at - 1_500_000, "event": "pause"},
                 {"at": at - 1_320_000, "event": "resume"}]
        return {"at": at, "startedAt": at - 3_470_000, "points": points,
                "marks": [mark for mark in marks if mark["at"] >= at - 1_000 * range_seconds]}

    def connections(self):
        seconds = time.monotonic() - self._started
        at = now()
        one = {"openedAt": at - int(1000 * seconds), "unsentBytes": 0, "unacknowledged": 0,
               "devices": 1, "isHeld": False, "isFull": False}
        rows = [one | {"slot": 1, "peer": "127.0.0.1:51234", "role": "publisher", "app": APP,
                       "name": "shard-7", "lastFrameAt": at - 3, "devices": 0,
                       "inputBytes": int(2_500_000 * seconds), "outputBytes": int(9_000 * seconds),
                       "frames": int(12_000 * seconds)}]
        for slot, name in ((3, "d-1"), (4, HOSTILE)):
            rows.append(one | {"slot": slot, "peer": f"127.0.0.1:{51_300 + slot}", "role": "device",
                               "app": APP, "name": name, "lastFrameAt": at - 4_200,
                               "inputBytes": 4_210, "outputBytes": int(300 * seconds),
                               "frames": 31, "unacknowledged": 1, "isHeld": slot == 4})
        return rows

    def apps(self):
        kinds = {APP: 5, "com.news": 1}
        return {"apps": [
            {"app": one["app"], "isPaused": one["isPaused"], "kinds": kinds[one["app"]],
             "devices": sum(app == one["app"] for app, _ in self.devices), "widgets": 361_224,
             "pushes": one["pushes"], "reloads": one["reloads"]} for one in self.status()["apps"]]}

    def app(self, app):
        [found] = [one for one in self.apps()["apps"] if one["app"] == app]
        return found | {"kinds": [{"kind": DETAIL}, {"kind": HOSTILE}]}

    def app_history(self, app, range_seconds, kind):
        """An hour, minute by minute; of a kind, what a router counts of it."""
        [status] = [one for one in self.status()["apps"] if one["app"] == app]
        whole = {"pushes": status["pushes"], "matched": status["matched"], "reloads": status["reloads"],
                 "putOff": status["pushes"] // 5, "rejected": 7, "devices": 973, "widgets": 2_919}
        only = set(whole) - {"rejected", "devices"} if kind else whole
        def counts(part):
            return {name: int(value * (1 if name in ("devices", "widgets") else part))
                    if name in only else 0 for name, value in whole.items()}
        at = now()
        points = [{"at": at - 60_000 * age, "length": 60_000,
                   "counts": counts(0.01 * (1 + math.sin(age / 9)))}
                  for age in range(min(60, range_seconds // 60), 0, -1)]
        is_kept = app not in self.beyond_limit
        return {"at": at, "startedAt": self.started_at, "counts": counts(1), "isKept": is_kept,
                "notKept": len(self.beyond_limit), "points": points if is_kept else []}

    def push_history(self, producer, seq):
        """What became of a push for both devices: one was put off first, one still is."""
        at = now() - 4_000
        one = {"widget": "w1", "kind": DETAIL}
        return {"app": APP, "producer": producer, "seq": seq, "at": at, "matched": 2, "keptSince": self.started_at,
                "outcomes": {"sent": 1, "spacing": 1}, "kinds": {DETAIL: 2}, "widgets": [
                    one | {"device": "d-1", "outcome": "sent", "at": at + 900, "first": "grace"},
                    one | {"device": HOSTILE, "outcome": "spacing", "until": at + 300_000,
                           "why": "a widget's reloads are 5 min apart"}], "next": None}

    def explain(self, body):
        """Widgets of one kind, which has one test."""
        value = body["payload"].get("character")
        found, near = [], []
        for (app, device), known in self.devices.items():
            for widget in known["widgets"] if app == body["app"] else []:
                own = widget["configuration"]["character"]
                test = {"field": "character", "value": json.dumps(value),
                        "test": json.dumps(own), "isHeld": own == value}
                row = {"device": device, "widget": widget["widget"], "kind": widget["kind"],
                       "outcome": "deferred" if own == value else None,
                       "reloadsAt": widget["waitsUntil"] if own == value else None,
                       "text": "Its budget is spent." if own == value else
                               f"does not match: character: the push has {test['value']}, "
                               f"the rule wants {test['test']}.",
                       "tests": [test]}
                if body["device"] in (None, device) and body["kind"] in (None, widget["kind"]):
                    (found if own == value else near).append(row)
        return {"concerned": len(found), "widgets": found,
                "near": near if body["device"] else near[:body.get("near", 5)]}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    is_ending = False

    def __init__(self, *arguments):
        self.connections = set()
        super().__init__(*arguments)

    def server_bind(self):
        # HTTPServer's own asks for the name of the host.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address

    def handle_error(self, request, client_address):
        """A browser that closes the connection is not an error."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.server.connections.add(self.connection)

    def finish(self):
        self.server.connections.discard(self.connection)
        super().finish()

    def log_message(self, *_):
        pass

    def answer(self, status, body, type="application/json", **headers):
        self.send_response(status)
        headers = {"Content-Type": type, "Content-Length": str(len(body)),
                   "Cache-Control": "no-store"} | headers
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def json(self, value, status=200):
        self.answer(status, json.dumps(value).encode())

    def problem(self, *about):
        self.answer(about[0], json.dumps(problem(*about)).encode(), "application/problem+json")

    def file(self, path):
        try:
            body = path.read_bytes()
        except OSError:
            return self.problem(404, "not-found", "there is no such file")
        self.answer(200, body, TYPES[path.suffix[1:]], X_Content_Type_Options="nosniff",
                    Referrer_Policy="no-referrer", Content_Security_Policy=POLICY)

    def is_allowed(self, query):
        token = self.server.admin.token
        given = self.headers["Authorization"]
        return token is None or given == f"Bearer {token}" or query.get("token") == [token]

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.route("POST", body)

    def do_GET(self):
        self.route("GET", b"")

    def do_DELETE(self):
        self.route("DELETE", b"")

    def route(self, method, body):
        admin = self.server.admin
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query)
        names = [urllib.parse.unquote(name) for name in url.path.split("/")[1:]]
        admin.requests.append(f"{method} {url.path}")
        match names:
            case [""]: return self.file(RESOURCES / "page.html")
            case ["runbook"]: return self.file(RESOURCES / "runbook.html")
            case ["assets", "chart.js"]:
                missing = "/nonexistent.js" if admin.is_chartless else CHARTS
                return self.file(RESOURCES / missing)
            case ["assets", name]: return self.file(RESOURCES / name)
        if not self.is_allowed(query):
            return self.problem(401, "unauthorized", "give the token of --admin-token-file")
        match [method, *names]:
            case ["GET", "v1", "status"] if admin.is_stuck: self.problem(*STUCK)
            case ["GET", "v1", "status"]: self.json(admin.status())
            case ["GET", "v1", "events"]: self.events()
            case ["GET", "v1", "history"]:
                self.json(admin.history(int(query.get("range", ["3600"])[0])))
            case ["GET", "v1", "origins"]: self.json(admin.origins())
            case ["GET", "v1", "connections"]:
                self.page(admin.connections(), "connections", "slot", query)
            case ["GET", "v1", "apps"]: self.json(admin.apps())
            case ["GET", "v1", "apps", app]: self.json(admin.app(app))
            case ["GET", "v1", "apps", app, "history"]:
                self.json(admin.app_history(app, int(query["range"][0]), query.get("kind")))
            case ["GET", "v1", "apps", _, "pushes"]:
                self.page([{"producer": "shard-7", "seq": seq, "at": now() - 40_000 // seq, "matched": seq % 3}
                           for seq in range(140, 0, -1)], "pushes", "seq", query)
            case ["GET", "v1", "apps", _, "pushes", producer, seq]: self.json(admin.push_history(producer, int(seq)))
            case ["GET", "v1", "apps", app, "devices"]:
                rows = [{"device": device, "widgets": len(known["widgets"]),
                         "isOnline": known["isOnline"]}
                        for (its, device), known in admin.devices.items() if its == app]
                self.page(rows, "devices", "device", query)
            case ["GET", "v1", "apps", app, "devices", device]:
                known = admin.devices.get((app, device))
                if known is None:
                    return self.problem(404, "device-unknown", "the router knows no such device")
                self.json(known | {"isPaused": app in admin.paused})
            case ["DELETE", "v1", "apps", app, "devices", device]:
                if admin.devices.pop((app, device), None) is None:
                    return self.problem(404, "device-unknown", "the router knows no such device")
                self.json({"app": app, "device": device, "isForgotten": True})
            case ["POST", "v1", "explain"]:
                request = json.loads(body)
                if request["app"] not in (APP, "com.news"):
                    return self.problem(404, "app-unknown", "the app file names no such app")
                self.json(admin.explain(request))
            case _: self.problem(404, "not-found", "there is no such resource")

    def page(self, rows, name, key, query):
        after, limit = query.get("after", [None])[0], int(query.get("limit", ["100"])[0])
        keys = [str(row[key]) for row in rows]
        first = keys.index(after) + 1 if after in keys else 0
        shown = rows[first:first + limit]
        more = first + limit < len(rows)
        self.json({name: shown, "next": shown[-1][key] if more else None})

    def events(self):
        admin, server = self.server.admin, self.server
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        admin.streams += 1
        try:
            while not server.is_ending:
                if not admin.is_silent:
                    name = "problem" if admin.is_stuck else "status"
                    data = json.dumps(problem(*STUCK) if admin.is_stuck else admin.status())
                    self.wfile.write(f"event: {name}\ndata: {data}\n\n".encode())
                    self.wfile.flush()
                time.sleep(admin.interval)
        except OSError:
            pass
        finally:
            admin.streams -= 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=7411)
    parser.add_argument("--token")
    options = parser.parse_args()
    admin = FakeAdmin(options.port, options.token)
    print(f"admin on 127.0.0.1:{admin.address[1]}", flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        admin.stop()


if __name__ == "__main__":
    main()
