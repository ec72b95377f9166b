"""Captures that are sent again: what comes to the router, what is reported, and what ends it."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from report_page import ReportPage
from support import *

GENERATE = ["capture", "generate"]


class ReplayFiles:
    """A folder with a capture of a flash crowd."""

    SHAPE = ["flash-crowd", "--devices", 60, "--keys", 20, "--base", 200, "--factor", 3,
             "--peak", 1, "--seconds", 3, "--producers", 4, "--gateways", 2]

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="reload-router-replay-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.capture = self.folder / "crowd.rrcap"
        result = lab(*GENERATE, *self.SHAPE, "--output", self.capture)
        self.assertEqual(result.returncode, 0, result.stderr)

    def replay(self, *arguments, status=0, timeout=60, **options):
        result = lab("replay", self.capture, *arguments, timeout=timeout, **options)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def report(self, *arguments, **options):
        return json.loads(self.replay("--json", "-", *arguments, **options).stdout)

    def assert_all_answered(self, report):
        pushes = report["pushes"]
        self.assertGreater(pushes["intended"], 100)
        self.assertEqual(pushes["sent"], pushes["intended"])
        self.assertEqual(pushes["acknowledged"], pushes["intended"])
        self.assertEqual(pushes["rejected"], 0)


def wait_at_work(process):
    """Waits until a run says, once, that it takes a while: it has pushed for a second by then."""
    for line in process.stderr:
        if line.startswith("reload-lab replay: ") and line.endswith("; this takes a while\n"):
            return
    raise AssertionError("the run ended before that")


class OwnRouter(ReplayFiles, unittest.TestCase):
    def test_everything_is_sent_and_answered(self):
        report = self.report()
        self.assert_all_answered(report)
        self.assertEqual(report["capture"], ["crowd.rrcap"])
        self.assertEqual(report["devices"]["devices"], 60)
        self.assertEqual(report["devices"]["rejectedByCode"], {})
        self.assertGreater(report["pushes"]["matched"], 0)
        self.assertGreater(report["reloads"]["byCause"]["push"], 0)
        self.assertEqual(report["reloads"]["unknown"], 0)
        self.assertGreater(report["reload"]["count"], 0)
        self.assertEqual(report["acknowledgement"]["count"], report["pushes"]["intended"])
        self.assertEqual(sum(report["series"]["intended"]), report["pushes"]["intended"])
        self.assertEqual(sum(report["series"]["sent"]), report["pushes"]["sent"])
        self.assertGreater(report["cost"]["routerCPUSeconds"], 0)
        self.assertTrue(report["isOpenLoop"])

    def test_copies_match_their_own_widgets(self):
        """Three copies match three times as much, and no widgets of other copies."""
        once, thrice = self.report("--speed", 4), self.report("--speed", 4, "--scale", 3)
        self.assert_all_answered(thrice)
        for path in (("pushes", "intended"), ("pushes", "matched"), ("devices", "widgets")):
            self.assertEqual(thrice[path[0]][path[1]], 3 * once[path[0]][path[1]], path)

    def test_speed_loop_and_part(self):
        whole = self.report("--speed", 10)
        self.assert_all_answered(whole)
        twice = self.report("--speed", 10, "--loop", 2)
        self.assertEqual(twice["pushes"]["acknowledged"], 2 * whole["pushes"]["intended"])
        # Three seconds at ten times the speed; a busy machine sends later than intended, never earlier.
        self.assertGreater(whole["seconds"], 0.25)
        self.assertEqual(len(whole["series"]["intended"]), 1)
        self.assertGreater(twice["seconds"], 0.5)
        most = self.report("--speed", "max", "--no-devices")
        self.assert_all_answered(most)
        self.assertFalse(most["isOpenLoop"])
        self.assertGreater(most["seconds"], 0)
        self.assertGreater(most["pushes"]["sentPerSecond"], 0)
        self.assertEqual(most["gateways"], 0)

    def test_report_and_comparison(self):
        before, page = self.folder / "before.json", self.folder / "report.html"
        self.replay("--speed", 10, "--json", before)
        result = self.replay("--speed", 10, "--compare", before, "--report", page)
        self.assertIn("before.json", result.stdout)
        self.assertIn("ratio", result.stdout)
        self.assertIn("Beside before.json", page.read_text())
        written = ReportPage(page)
        written.assert_complete(self)
        self.assertEqual(len(written.plots), 4)

    def test_gate(self):
        """A limit that no router can keep fails with 2 and says what failed; an easy one does not."""
        result = self.replay("--speed", 10, "--max-p99", "1us", status=2)
        self.assertIn("p99 of ACK is", result.stderr)
        self.assertIn("the schedule was not kept", result.stderr)
        self.replay("--speed", 10, "--max-p99", "60s")

    def test_errors_are_reported_before_the_run(self):
        for arguments, reason in [
            (["--speed", "fast"], "--speed is fast"),
            (["--max-p99", "5"], "--max-p99 is 5"),
            (["--from", "noon"], "noon is not a time"),
            (["--rules", "x.json"], "require --dry-run"),
        ]:
            result = self.replay(*arguments, status=64)
            self.assertIn(reason, result.stderr)
        other = self.folder / "other.json"
        other.write_text("{}")
        for arguments, reason in [
            (["--compare", other], "is not a replay report"),
            (["--json", self.folder / "none" / "x"], "cannot be written"),
            (["--from", "1000"], "replay-empty"),
            (["--to", "127.0.0.1:1"], "replay-router"),
        ]:
            result = self.replay(*arguments, status=1)
            self.assertIn(reason, result.stderr)


class OtherRouter(ReplayFiles, unittest.TestCase):
    def apps(self, **members):
        lines = lab("capture", "to-jsonl", self.capture).stdout.splitlines()
        apps = next(line for line in map(json.loads, lines) if line.get("kind") == "apps")["body"]
        for app in apps["apps"]:
            app.update(members)
        return apps

    def test_tokens(self):
        """A router that asks for tokens gets them, or ends the run."""
        tokens = {"publishers": [entry("p-token")], "gateways": [entry("g-token")],
                  "devices": []}
        router = Router(apps=self.apps(**tokens))
        self.addCleanup(router.stop)
        address = ["--to", router.to]
        result = self.replay(*address, "--publisher-token", "wrong", status=1)
        self.assertIn("token-invalid", result.stderr)
        report = self.report(*address, "--publisher-token", "p-token", "--gateway-token", "g-token")
        self.assert_all_answered(report)
        # A second run has producers of its own.
        report = self.report(*address, "--publisher-token", "p-token", "--gateway-token", "g-token")
        self.assert_all_answered(report)

    def test_a_router_that_is_killed_in_the_middle(self):
        """It comes back with its store: nothing is lost, and the time away is felt."""
        address = f"127.0.0.1:{fixed_port()}"
        router = Router(apps=self.apps(), listen=address)
        self.addCleanup(router.stop)
        process = subprocess.Popen(
            [lab_binary(), "replay", self.capture, "--to", address, "--json", "-"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())
        self.addCleanup(process.kill)
        for line in process.stderr:
            if "intended" in line:
                break
        router.restart(kill=True)
        output, errors = process.communicate(timeout=60 * PATIENCE)
        self.assertEqual(process.returncode, 0, errors)
        report = json.loads(output)
        self.assert_all_answered(report)
        self.assertGreater(report["connectionsLost"], 0)
        self.assertEqual(report["devices"]["rejectedByCode"], {})

    def test_a_router_that_does_not_come_back_ends_the_run(self):
        """With its report, which the gate does not pass."""
        router = Router(apps=self.apps())
        self.addCleanup(router.stop)
        report = self.folder / "report.json"
        process = subprocess.Popen(
            [lab_binary(), "replay", self.capture, "--to", router.to, "--patience", "1",
             "--max-p99", "60s", "--json", report],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=clean_environment())
        self.addCleanup(process.kill)
        wait_at_work(process)
        router.kill()
        errors = process.communicate(timeout=60 * PATIENCE)[1]
        self.assertEqual(process.returncode, 2, errors)
        self.assertIn("pushes were not answered", errors)
        report = json.loads(report.read_text())
        self.assertTrue(report["gaveUp"])
        # Publishers' and gateways' connections, each once: attempts that fail are no losses.
        self.assertEqual(report["connectionsLost"], report["publishers"] + report["gateways"])


if __name__ == "__main__":
    unittest.main()
