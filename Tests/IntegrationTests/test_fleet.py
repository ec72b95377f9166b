"""A fleet over real sockets: its options, its reports, and a router that dies under it."""

import http.server
import json
import pathlib
import subprocess
import tempfile
import threading
import unittest
import xml.etree.ElementTree

from admin import metrics
from apns import make_key, settings
from report_page import ReportPage
from support import *

FLEET_APPS = {"apps": [{
    "app": APP,
    **ACCESS,
    "kinds": [
        {"kind": DETAIL, **ANY_TIME, "match": {"character": ["${configuration.character}"]}},
        {"kind": DRAGON, **ANY_TIME, "spread": {"mode": "ledger", "window": 5}},
    ],
}]}
SCENARIO = {
    "name": "a small fleet", "app": APP, "apps": "apps.json", "bundle": "game",
    "devices": 60, "seconds": 2, "ramp": 0.2,
    "values": {"character": {"prefix": "elf-", "count": 20}, "hp": {"from": 1, "to": 1_000_000}},
    "widgets": [{"kind": DETAIL, "configuration": {"character": "${character}"}}],
    "pushes": [{"perSecond": 40, "payload": {"character": "${character}", "hp": "${hp}"}}],
    "origin": {"capacity": 2000, "latency": 5, "pools": {"character": {"hp": [1, 99]}}},
    "system": {"budget": "unlimited"},
}


def causes(report):
    """Why changes were not displayed."""
    return {entry["cause"] for entry in report["notShown"]}


class FleetFiles:
    """A folder with a scenario and its app file."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="reload-router-fleet-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "apps.json").write_text(json.dumps(FLEET_APPS))

    def scenario(self, **members):
        path = self.folder / "scenario.json"
        path.write_text(json.dumps(SCENARIO | members))
        return path

    def play(self, *arguments, **members):
        """A run to its end; its report."""
        result = lab("fleet", self.scenario(**members), "--json", "-", *arguments, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def assert_nothing_lost(self, report, pushes):
        self.assertEqual(report["pushes"]["sent"], pushes)
        self.assertEqual(report["pushes"]["acknowledged"], pushes)
        self.assertGreater(report["reloads"]["byCause"]["push"], pushes)
        self.assertEqual(report["reloads"]["missed"], 0)


class OwnRouter(FleetFiles, unittest.TestCase):
    def test_an_origin_that_the_scenario_names_is_asked_over_http(self):
        """What it refuses as overloaded is asked once more."""
        paths = []

        class Origin(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                paths.append(self.path)
                body = b'{"hp":5}'
                self.send_response(503 if len(paths) == 1 else 200)
                self.send_header("Retry-After", "0")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            report = self.play(origin={"url": f"http://127.0.0.1:{server.server_address[1]}/"})
            server.shutdown()
        self.assertGreater(report["origin"]["requests"], 0)
        self.assertGreater(paths.count(paths[0]), 1)
        self.assertTrue(all(path.startswith("/character/") for path in paths), paths[:3])

    def test_gateways_speak_for_all_devices(self):
        """Each device's widgets are reloaded, and their origin is asked."""
        report = self.play("--gateways", 2)
        self.assert_nothing_lost(report, 80)
        self.assertEqual((report["connections"], report["devices"]), (2, 60))
        self.assertEqual(report["mode"], "real")
        # On a busy machine the last ones have not come to the origin when the run ends.
        asks = report["reloads"]["asks"]
        self.assertLessEqual(report["origin"]["requests"], asks)
        self.assertGreater(report["origin"]["requests"], asks / 2)
        # The series ends with the last second of pushes; the last reloads may follow it.
        reloads = report["reloads"]["widgets"]
        self.assertLessEqual(sum(report["series"]["reloads"]), reloads)
        self.assertGreater(sum(report["series"]["reloads"]), reloads / 2)
        self.assertGreater(report["router"]["cpuSeconds"], 0)
        self.assertGreater(report["pushToRendered"]["p50"], 5)

    def test_each_device_can_have_a_connection_of_its_own(self):
        """Also when the devices break them."""
        habits = {"breaksPerHour": 3600, "offline": {"perHour": 1200, "seconds": 1}}
        report = self.play("--connection-each", "--seconds", 4, habits=habits)
        self.assertEqual(report["connections"], 60)
        self.assertEqual(report["pushes"]["acknowledged"], 160)
        self.assertGreater(report["fleet"]["connectionsLost"], 20)
        self.assertEqual(causes(report) - {"deviceOffline"}, set())

    def test_a_run_is_written_as_text_and_as_a_page_with_plots(self):
        """Beside the JSON, which has the same figures."""
        page, figures = self.folder / "report.html", self.folder / "report.json"
        result = lab("fleet", self.scenario(), "--seconds", 1, "--report", page,
                         "--json", figures, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(figures.read_text())
        self.assertEqual(report["pushes"]["sent"], 40)
        made = report["provenance"]
        self.assertRegex(made["command"], r"^reload-lab fleet .*scenario.json --seconds 1 --report ")
        self.assertIn(f", version {made['version']}, {made['machine']['processor']}", result.stdout)
        self.assertRegex(result.stdout, r"sent +40\b")
        text = page.read_text()
        self.assertIn("a small fleet", text)
        ReportPage(page).assert_complete(self)

    def test_its_own_router_is_asked_why_changes_were_not_displayed(self):
        """The second push within five minutes is put off by the kind's spacing."""
        kind = {name: value for name, value in FLEET_APPS["apps"][0]["kinds"][0].items() if name not in ANY_TIME}
        (self.folder / "spaced.json").write_text(json.dumps({"apps": [FLEET_APPS["apps"][0] | {"kinds": [kind]}]}))
        figures = self.folder / "report.json"
        result = lab("fleet", self.scenario(apps="spaced.json"), "--json", figures, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(figures.read_text())
        entry, = report["notShown"]
        self.assertEqual((entry["cause"], entry["reason"]), ("putOff", "spacing"))
        self.assertEqual(entry["widgets"], report["reloads"]["missed"])
        self.assertIn(entry["waitMilliseconds"], range(200_000, 300_001))
        self.assertRegex(result.stdout, rf"put off: spacing +{entry['widgets']}  4 min .* after the end")

    def test_thresholds_pass_or_fail_and_set_the_exit_status(self):
        """As text, and as JSON with the verdicts on standard error."""
        kept = {"push to screen": {"p99": "60 s"}, "not shown": {"lost": 0}}
        result = lab("fleet", self.scenario(thresholds=kept), "--seconds", 1, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"push to screen, p99 +1 min +[\d.]+ \S+ +PASS")
        missed = kept | {"pushes": {"sent": 39}}
        result = lab("fleet", self.scenario(thresholds=missed), "--seconds", 1, "--json", "-", timeout=60)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, r"pushes, sent +39 +40 +FAIL")
        self.assertEqual([entry["isMet"] for entry in json.loads(result.stdout)["thresholds"]], [True, True, False])

    def test_two_reports_are_compared_in_one_page(self):
        """Of two seeds, in accelerated time; other files are refused."""
        reports, page = [self.folder / name for name in ("before.json", "now.json")], self.folder / "page.html"
        for seed, file in enumerate(reports, 1):
            result = lab("fleet", self.scenario(), "--accelerated", "--seed", seed, "--json", file, timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)
        result = lab("compare", *reports, "--report", page)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("\nNot alike: seed\n", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^Pushes, sent +80 +80 +1.00$")
        ReportPage(page).assert_complete(self)
        for other, said in ((self.folder / "apps.json", "are not two reports"), ("/none", "/none cannot be read")):
            result = lab("compare", other, reports[0])
            self.assertEqual(result.returncode, 1)
            self.assertIn(said, result.stderr)

    def test_jitters_are_compared_in_a_picture(self):
        """In accelerated time: three runs of several minutes."""
        picture, page = self.folder / "a.svg", self.folder / "a.html"
        result = lab(
            "fleet", self.scenario(widgets=[{"kind": DRAGON}], pushes=[], seconds=400,
                                   origin={"pools": {"region": {"strength": [1, 9]}}}),
            "--accelerated", "--compare-jitter", "--window", 60, "--picture", picture,
            "--report", page, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        for mode in ("none", "uniform", "ledger"):
            self.assertRegex(result.stdout, rf"(?m)^{mode}: \d+ requests, at most \d+ a second")
        self.assertTrue(xml.etree.ElementTree.fromstring(picture.read_text()).tag.endswith("svg"))
        plot, = ReportPage(page).plots
        self.assertEqual([curve["label"].split(":")[0] for curve in plot["curves"][:3]],
                         ["none", "uniform", "ledger"])

    def test_a_scenario_that_cannot_be_played_is_reported_with_its_place(self):
        """Exit status 1, and nothing on standard output."""
        scenario = self.scenario()
        broken = self.folder / "broken.json"
        broken.write_text('{"name": "x",\n "app" 7}')
        cases = [
            ((self.folder / "none.json",), "none.json cannot be read"),
            ((broken,), "broken.json: line 2, column 8: "),
            ((scenario, "--devices", 0), "devices: 0 is not within 1 and 1000000"),
            ((scenario, "--report", "/none/x.html", "--seconds", 1), "/none/x.html cannot be written"),
            ((scenario, "--to", "127.0.0.1:1"), "127.0.0.1:1: connection refused"),
            ((scenario, "--to", "127.0.0.1:1", "--connection-each"), "connection refused"),
            ((scenario, "--json", "/none/x.json"), "/none/x.json cannot be written"),
        ]
        for arguments, text in cases:
            with self.subTest(text=text):
                result = lab("fleet", *arguments, timeout=30)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn(text, result.stderr)
        for members, text in [
            ({"pushes": [{"persecond": 1, "payload": {}}]}, 'pushes[0]: there is no member "persecond"'),
            ({"widgets": [{"kind": "x"}]}, 'widgets[0].kind: there is no widget "x"'),
            ({"thresholds": {"push to scren": {}}}, 'thresholds: there is no member "push to scren"; '),
            ({"bundle": "x"}, 'there is no bundle "x"; there are game'),
            ({"apps": "none.json"}, "none.json cannot be read"),
            ({"apps": None}, 'the scenario has no "apps"'),
            ({"app": "com.other"}, 'has no app "com.other"'),
            ({"widgets": [{"kind": "com.mygame.guild-wall"}]}, 'has no kind "com.mygame.guild-wall"'),
        ]:
            with self.subTest(text=text):
                result = lab("fleet", self.scenario(**members), timeout=30)
                self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
                self.assertIn(text, result.stderr)


class OwnProgram(FleetFiles, unittest.TestCase):
    """The example for iOS: a program whose sources are a widget extension's own."""
    KIND = "com.mygame.character-detail"

    def run_program(self, *arguments, **environment):
        program = pathlib.Path(binary()).with_name("GameOnIOS")
        if not program.exists():
            self.skipTest(f"the example is not built: there is no {program}")
        (self.folder / "apps.json").write_text(json.dumps({"apps": [
            {"app": APP, "kinds": [{"kind": self.KIND, "match": {"character": ["${configuration.character}"]}}]}]}))
        scenario = self.scenario(bundle="GameWidgetBundle", devices=5, seconds=1, widgets=[
            {"kind": self.KIND, "configuration": {"character": "${character}"}}])
        return subprocess.run([program, scenario, *arguments], env=clean_environment(environment), text=True,
                              capture_output=True, timeout=60)

    def test_starts_its_own_router_and_asks_it_why_changes_were_not_displayed(self):
        result = self.run_program("--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["pushes"]["acknowledged"], report["pushes"]["sent"])
        self.assertGreater(report["reloads"]["byCause"]["push"], 0)
        self.assertNotIn("unknown", causes(report))

    def test_says_how_it_finds_a_router_where_none_can_be_started(self):
        result = self.run_program(RELOAD_LAB_ROUTER="/no/router")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "/no/router cannot be started: .*--to HOST:PORT.*RELOAD_LAB_ROUTER=FILE")


class ByAPNs(FleetFiles, unittest.TestCase):
    """No device has a session: as iPhones, they report over HTTP, and are reached by APNs."""

    def play(self, *arguments, **members):
        report = super().play("--apns", f"127.0.0.1:{fixed_port()}", *arguments, **members)
        self.assertEqual(report["connections"], 0)
        self.assertEqual(report["reloads"]["frames"], 0)
        self.assertEqual(report["fleet"]["framesRefused"], 0, report["fleet"])
        # What was accepted has become of something.
        apns = report["apns"]
        self.assertEqual(apns["accepted"],
                         sum(apns[name] for name in ("delivered", "replaced", "expired", "kept")))
        return report

    def test_every_change_is_displayed_without_a_session(self):
        report = self.play()
        apns = report["apns"]
        self.assertEqual(report["pushes"]["acknowledged"], 80)
        self.assertEqual(report["reloads"]["missed"], 0)
        self.assertEqual((apns["refused"], apns["kept"], apns["duplicates"]), ({}, 0, 0))
        self.assertGreater(apns["delivered"], 60)
        # Each device has one widget.
        self.assertEqual(report["reloads"]["byCause"], {"apns": apns["delivered"]})
        # Each device has registered, and each timeline was reported.
        self.assertGreaterEqual(apns["reports"], 60 + report["reloads"]["asks"])
        self.assertGreater(apns["pushToAccepted"]["p50"], 0)
        self.assertGreater(report["pushToReload"]["p50"], apns["pushToAccepted"]["p50"])

    def test_a_push_reloads_all_widgets_of_its_device(self):
        """Also those that no publisher's push matches."""
        report = self.play(widgets=[*SCENARIO["widgets"], {"kind": DRAGON}],
                           origin={"pools": {"character": {"hp": [1, 99]}, "region": {"strength": [1, 9]}}})
        self.assertEqual(report["reloads"]["widgets"], 2 * report["apns"]["delivered"])

    def test_devices_whose_app_is_gone_have_dead_tokens_and_get_no_second_push(self):
        report = self.play(apns={"deadPercent": 50})
        apns = report["apns"]
        self.assertIn(apns["devicesGone"], range(15, 46))
        dead = apns["refused"].pop("Unregistered")
        self.assertEqual(apns["refused"], {})
        self.assertIn(dead, range(1, apns["devicesGone"] + 1))
        self.assertEqual(report["reloads"]["missed"], 0)

    def test_devices_without_a_network_get_the_latest_push_when_they_have_one(self):
        """A push that comes late is a push all the same."""
        habits = {"offline": {"perHour": 3600, "seconds": 1}}
        report = self.play("--seconds", 4, habits=habits, apns={"delay": 400})
        self.assertGreater(report["apns"]["replaced"], 0)
        self.assertGreater(report["apns"]["delivered"], 0)
        self.assertEqual(causes(report) - {"deviceOffline"}, set())

    def test_the_report_has_a_section_for_apns(self):
        result = lab("fleet", self.scenario(), "--seconds", 1, "--apns", f"127.0.0.1:{fixed_port()}", timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^APNs")
        self.assertRegex(result.stdout, r"delivered +[1-9]")

    def test_a_run_that_cannot_be_is_refused(self):
        scenario = self.scenario()
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            result = lab("fleet", scenario, "--apns", f"127.0.0.1:{port}", timeout=30)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"APNs cannot be played at 127.0.0.1:{port}", result.stderr)
        address = f"127.0.0.1:{fixed_port()}"
        for said, *arguments in (
                ("--apns cannot be combined with --accelerated", "--apns", address, "--accelerated"),
                ("--apns requires --publish", "--apns", address, "--to", "127.0.0.1:1"),
                ("--publish requires --apns and --to", "--publish", "http://127.0.0.1:1"),
                ("--apns", "--apns", "127.0.0.1:0")):
            with self.subTest(said=said):
                result = lab("fleet", scenario, *arguments, timeout=30)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(said, result.stderr)


class OtherRouter(FleetFiles, RouterCase):
    """A router that was there before, on a port that stays the same."""

    flags = ("--admin", "127.0.0.1:0")
    app_file = FLEET_APPS

    def setUp(self):
        self.port = fixed_port()
        super().setUp()

    def start(self, *flags, **options):
        return super().start(
            *flags, apps=self.app_file, listen=f"127.0.0.1:{self.port}", **options)

    GIVEN = [word for role in ("publisher", "gateway", "device")
              for word in (f"--{role}-token", TOKENS[role])]

    def test_a_wrong_token_ends_the_run(self):
        """With what the router has said."""
        result = lab("fleet", self.scenario(apps=None), "--to", self.router.to,
                         env={"RELOAD_ROUTER_TOKEN": "wrong"}, timeout=30)
        self.assertEqual(result.returncode, 1)
        self.assertIn("token", result.stderr)

    def begin(self, *arguments, **members):
        """A run that is measured, and has pushed for more than a second."""
        run = subprocess.Popen(
            [lab_binary(), "fleet", str(self.scenario(**members)), "--to", self.router.to,
             *self.GIVEN, "--json", "-", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())
        self.addCleanup(run.kill)
        wait_until(lambda: self.pushes() >= 60, "the router has sixty pushes")
        return run

    def pushes(self):
        return metrics(self.router)["pushes_accepted_total"]

    def end(self, run):
        output, log = run.communicate(timeout=40 * PATIENCE)
        self.assertEqual(run.returncode, 0, log)
        report = json.loads(output)
        self.assertEqual(report["router"], {}, "its CPU time is not known")
        return report

    def test_nothing_acknowledged_is_lost_when_it_is_killed_under_load(self):
        """It comes again on the same port and store; gateways and publisher reconnect."""
        run = self.begin(seconds=6)
        self.router.restart()
        report = self.end(run)
        self.assert_nothing_lost(report, 240)
        self.assertGreaterEqual(report["fleet"]["connectionsLost"], 5)


class OtherRouterByAPNs(OtherRouter):
    """Such a router, which has no session with any device."""

    app_file = {"apps": [FLEET_APPS["apps"][0] | {"apns": settings()}]}

    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        make_key(folder / "keys")
        self.apns, self.listener = (f"127.0.0.1:{fixed_port()}" for _ in range(2))
        self.flags = ("--admin", "127.0.0.1:0", "--publish", self.listener, "--apns-keys", folder / "keys",
                      "--apns-plaintext", "--apns-production", self.apns, "--apns-sandbox", self.apns)
        self.GIVEN = [*self.GIVEN, "--apns", self.apns, "--publish", f"http://{self.listener}"]
        super().setUp()

    def assert_nothing_lost(self, report, pushes):
        self.assertEqual(report["pushes"]["acknowledged"], pushes)
        self.assertEqual((report["connections"], report["reloads"]["missed"]), (0, 0))
        self.assertGreater(report["apns"]["delivered"], 60)

    def test_a_wrong_token_ends_the_run(self):
        """Already that of the devices."""
        result = lab("fleet", self.scenario(apps=None, pushes=[]), "--to", self.router.to, *self.GIVEN,
                     "--device-token", "wrong", timeout=30)
        self.assertEqual(result.returncode, 1)
        self.assertIn("the router refuses the devices: token-invalid", result.stderr)

    def test_nothing_acknowledged_is_lost_when_it_is_killed_under_load(self):
        """Reports that had no answer are sent again; so are pushes, of which few come twice."""
        run = self.begin(seconds=6)
        self.router.restart()
        report = self.end(run)
        self.assert_nothing_lost(report, 240)
        self.assertLessEqual(report["apns"]["duplicates"], 60)


if __name__ == "__main__":
    unittest.main()
