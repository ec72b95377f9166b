"""A fleet over real sockets: its options, its reports, and a router that dies under it."""

import json
import pathlib
import signal
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from admin import metrics
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
        self.assertEqual(report["reloads"]["missed"], report["reloads"]["missedOffline"])

    def test_a_run_is_written_as_text_and_as_a_page_with_plots(self):
        """Beside the JSON, which has the same figures."""
        page, figures = self.folder / "report.html", self.folder / "report.json"
        result = lab("fleet", self.scenario(), "--seconds", 1, "--report", page,
                         "--json", figures, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(figures.read_text())
        self.assertEqual(report["pushes"]["sent"], 40)
        self.assertRegex(result.stdout, r"sent +40\b")
        text = page.read_text()
        self.assertIn("<svg", text)
        self.assertIn("a small fleet", text)
        self.assertNotRegex(text, r'(src|href)="http')

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
        self.assertIn("<svg", page.read_text())

    def test_accelerated_time_gives_the_same_bytes_again(self):
        """And another seed another run."""
        def run(seed):
            result = lab("fleet", self.scenario(), "--accelerated", "--seconds", 60,
                             "--seed", seed, "--json", "-", timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout
        first = run(5)
        self.assertEqual(run(5), first)
        self.assertNotEqual(run(6), first)
        self.assertEqual(json.loads(first)["pushes"]["acknowledged"], 2_400)

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


class OtherRouter(FleetFiles, RouterCase):
    """A router that was there before, on a port that stays the same."""

    flags = ("--admin", "127.0.0.1:0")

    def setUp(self):
        self.port = fixed_port()
        super().setUp()

    def start(self, *flags, **options):
        return super().start(
            *flags, apps=FLEET_APPS, listen=f"127.0.0.1:{self.port}", **options)

    GIVEN = [word for role in ("publisher", "gateway", "device")
              for word in (f"--{role}-token", TOKENS[role])]

    def test_a_fleet_can_load_it(self):
        """With a token for each role; its CPU time is not known."""
        report = self.play("--to", self.router.to, *self.GIVEN)
        self.assert_nothing_lost(report, 80)
        self.assertEqual(report["router"], {})

    def test_a_wrong_token_ends_the_run(self):
        """With what the router has said."""
        result = lab("fleet", self.scenario(apps=None), "--to", self.router.to,
                         env={"RELOAD_ROUTER_TOKEN": "wrong"}, timeout=30)
        self.assertEqual(result.returncode, 1)
        self.assertIn("token", result.stderr)

    def begin(self, **members):
        """A run that is measured, and has pushed for more than a second."""
        run = subprocess.Popen(
            [lab_binary(), "fleet", str(self.scenario(**members)), "--to", self.router.to,
             *self.GIVEN, "--json", "-"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())
        self.addCleanup(run.kill)
        wait_until(lambda: self.pushes() >= 60, "the router has sixty pushes")
        return run

    def pushes(self):
        return metrics(self.router)["pushes_accepted_total"]

    def end(self, run):
        output, log = run.communicate(timeout=40 * PATIENCE)
        self.assertEqual(run.returncode, 0, log)
        return json.loads(output)

    def test_an_interrupt_ends_the_run_with_its_report(self):
        """Of what was measured until then."""
        run = self.begin(seconds=600)
        run.send_signal(signal.SIGINT)
        report = self.end(run)
        self.assertLess(report["seconds"], 60)
        self.assertGreaterEqual(report["pushes"]["sent"], 60)

    def test_nothing_acknowledged_is_lost_when_it_is_killed_under_load(self):
        """It comes again on the same port and store; gateways and publisher reconnect."""
        run = self.begin(seconds=6)
        self.router.restart()
        report = self.end(run)
        self.assert_nothing_lost(report, 240)
        self.assertGreaterEqual(report["fleet"]["connectionsLost"], 5)


if __name__ == "__main__":
    unittest.main()
