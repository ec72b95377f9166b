"""Signals that end a fleet or a replay: nothing that they started lives on, and no report is empty."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import types
import unittest

from admin import metrics
from support import *
from test_fleet import FleetFiles


def routers_of(process):
    """The process numbers of the routers that a process has started."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text()
            name = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        parent = int(status.rpartition(")")[2].split()[1])
        if parent == process.pid and b"serve" in name:
            found.append(int(folder.name))
    return found


def ports_of(number):
    """The ports at which a process listens."""
    files = set()
    for path in pathlib.Path(f"/proc/{number}/fd").iterdir():
        with contextlib.suppress(OSError):
            files.add(os.readlink(path))
    sockets = map(str.split, pathlib.Path(f"/proc/{number}/net/tcp").read_text().splitlines()[1:])
    return [int(fields[1].rpartition(":")[2], 16) for fields in sockets
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in files]


def pushes_of(number):
    """The pushes that a router with an admin server and a token of its own has accepted, by its process number."""
    words = pathlib.Path(f"/proc/{number}/cmdline").read_text().split("\0")
    file = pathlib.Path(words[words.index("--admin-token-file") + 1])
    if not file.exists():
        return 0  # It has just been started.
    token = file.read_text().splitlines()[0]
    for port in ports_of(number):
        # One of the ports is that of the push protocol.
        with contextlib.suppress(OSError, http.client.HTTPException):
            router = types.SimpleNamespace(admin=("127.0.0.1", port))
            return metrics(router, bearer(token))["pushes_accepted_total"]
    return 0


def is_alive(number):
    try:
        os.kill(number, 0)
        state = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    except OSError:
        return False


def heeds(process, number):
    """True once the process catches a signal; it ignores it for a moment before that."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    masks = re.findall(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE)
    return any(int(mask, 16) >> (number - 1) & 1 for mask in masks)


class Signals(FleetFiles, unittest.TestCase):
    """A command with a router of its own."""

    def setUp(self):
        super().setUp()
        self.json = self.folder / "report.json"
        self.page = self.folder / "report.html"

    def commands(self):
        capture = self.folder / "crowd.rrcap"
        made = lab("capture", "generate", "flash-crowd", "--devices", 60, "--keys", 20, "--base", 200,
                   "--factor", 2, "--peak", 1, "--seconds", 60, "--output", capture)
        self.assertEqual(made.returncode, 0, made.stderr)
        return {
            "fleet": ["fleet", str(self.scenario(seconds=600))],
            "replay": ["replay", str(capture)],
        }

    def begin(self, arguments):
        """A run that has started its router."""
        process = subprocess.Popen(
            [lab_binary(), *arguments, "--json", self.json, "--report", self.page],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())
        self.addCleanup(process.kill)
        routers = wait_until(lambda: routers_of(process), "the run has a router")
        self.addCleanup(lambda: [os.kill(r, signal.SIGKILL) for r in routers if is_alive(r)])
        return process, routers

    def wait_playing(self, routers):
        """Waits until a router has pushes, so that there is something to report."""
        wait_until(lambda: sum(map(pushes_of, routers)) > 0, "the router has pushes", timeout=30)

    def assert_gone(self, routers):
        wait_until(lambda: not any(map(is_alive, routers)), "the routers have ended", timeout=15)

    def assert_no_empty_file(self):
        for path in self.folder.iterdir():
            self.assertGreater(path.stat().st_size, 0, path)

    def test_sigterm_and_sigint_end_the_run_with_a_report_that_says_so(self):
        for name, arguments in self.commands().items():
            for number in (signal.SIGTERM, signal.SIGINT):
                with self.subTest(name, signal=number):
                    process, routers = self.begin(arguments)
                    self.wait_playing(routers)
                    wait_until(lambda: process.poll() is not None or heeds(process, number),
                               "the run heeds signals", timeout=30)
                    process.send_signal(number)
                    output, log = process.communicate(timeout=60 * PATIENCE)
                    self.assertEqual(process.returncode, 0, log)
                    self.assertIn("interrupted by a signal", output)
                    report = json.loads(self.json.read_text())
                    self.assertIs(report["wasInterrupted"], True)
                    self.assertGreater(report["pushes"]["sent"], 0)
                    self.assertIn("interrupted by a signal", self.page.read_text())
                    self.assert_gone(routers)
                    self.json.unlink()
                    self.page.unlink()

    def test_no_router_outlives_a_run_that_is_killed(self):
        """It has no time to stop its router, which therefore watches its own input."""
        for name, arguments in self.commands().items():
            with self.subTest(name):
                process, routers = self.begin(arguments)
                process.kill()
                process.communicate(timeout=30 * PATIENCE)
                self.assert_gone(routers)
                self.assertFalse(self.json.exists() or self.page.exists())
                self.assert_no_empty_file()

    def test_a_router_with_the_setting_drains_when_its_input_ends(self):
        (self.folder / "apps.json").write_text(json.dumps(APPS))
        process = subprocess.Popen(
            [binary(), "serve", "--listen", "127.0.0.1:0", "--store", "none", "--apps",
             self.folder / "apps.json", "--end-with-input"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=clean_environment())
        self.addCleanup(process.kill)
        self.assertIn("listening on", process.stdout.readline())
        self.assertIsNone(process.poll())
        process.communicate(timeout=20 * PATIENCE)
        self.assertEqual(process.returncode, 0)


class Reports(FleetFiles, unittest.TestCase):
    def test_a_report_replaces_the_old_one_whole(self):
        """The old one stays until the new one is there, and a link stays a link."""
        old, link = self.folder / "old.json", self.folder / "link.json"
        old.write_text("old")
        link.symlink_to(old)
        run = lambda: lab("fleet", self.scenario(), "--accelerated", "--json", link, timeout=60)
        result = run()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(link.is_symlink())
        first = json.loads(old.read_text())
        self.assertNotIn("wasInterrupted", first)
        # Another process plays the same, in accelerated time, at another date.
        self.assertEqual(run().returncode, 0)
        second = json.loads(old.read_text())
        self.assertGreater(second["provenance"].pop("date"), first["provenance"].pop("date"))
        self.assertEqual(second, first)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["apps.json", "link.json", "old.json", "scenario.json"])


if __name__ == "__main__":
    unittest.main()
