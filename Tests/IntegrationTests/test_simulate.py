"""The simulation: that it plays a day, writes what it promises, and does so again."""

import json
import pathlib
import tempfile
import time
import unittest

from browser import Browser
from report_page import DRAWN, ReportPage
from support import *

SMALL = ("--devices", 300, "--hours", 3, "--from", 8)


class Simulate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def simulate(self, *arguments):
        result = lab("simulate", *SMALL, *arguments, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def files(self, *arguments):
        self.simulate("--output", self.folder, *arguments)
        return (self.folder / "summary.json").read_text(), ReportPage(self.folder / "report.html")

    def test_a_day_is_written_as_json_that_adds_up(self):
        """A run for each mode, of the same pushes, with a page; another process plays the same day again."""
        text, page = self.files("--seed", 2)
        page.assert_complete(self)
        axes = [plot[axis]["title"] for plot in page.plots for axis in ("x", "y")]
        self.assertEqual(axes.count("requests/s, log scale"), 4)
        summary = json.loads(text)
        self.assertEqual(summary["seed"], 2)
        made = summary["provenance"]
        self.assertIn("simulate --devices 300", made["command"])
        self.assertLess(abs(made["date"] / 1000 - time.time()), 3600)
        self.assertGreater(made["machine"]["cores"], 0)
        self.assertEqual((summary["devices"], summary["hours"]), (300, 3))
        self.assertEqual([run["mode"] for run in summary["runs"]], ["none", "uniform", "ledger"])
        for run in summary["runs"]:
            origin, reloads = run["origin"], run["reloads"]
            self.assertEqual(sum(origin["requestsOfMinutes"]), origin["requests"])
            self.assertEqual(max(origin["peakOfMinutes"]), origin["peak"])
            self.assertEqual(len(origin["peakOfMinutes"]), 180)
            self.assertEqual(sum(reloads["causes"].values()), reloads["sent"])
            self.assertGreater(reloads["sent"], 0)
            self.assertGreater(reloads["charged"], 0)
            self.assertEqual(run["pushes"], summary["runs"][0]["pushes"])
        again = json.loads(self.simulate("--seed", 2, "--mode", "uniform", "--json"))
        self.assertEqual(list(map(json.dumps, again["runs"])), [json.dumps(summary["runs"][1])])

    def test_two_days_are_compared(self):
        """By `reload-lab compare`, mode by mode."""
        summaries = [self.folder / str(seed) / "summary.json" for seed in (1, 2)]
        for seed, summary in enumerate(summaries, 1):
            self.simulate("--mode", "uniform", "--seed", seed, "--output", summary.parent)
        page = self.folder / "page.html"
        result = lab("compare", *summaries, "--report", page)
        self.assertEqual(result.returncode, 0, result.stderr)
        peaks = [json.loads(summary.read_text())["runs"][0]["origin"]["peak"] for summary in summaries]
        self.assertRegex(result.stdout, rf"(?m)^uniform, origin, peak +{peaks[1]} +{peaks[0]} ")
        ReportPage(page).assert_complete(self)

    def test_its_page_is_drawn(self):
        """In both colour schemes, and nothing that its policy refuses is asked for."""
        self.files("--mode", "none")
        browser = Browser()
        self.addCleanup(browser.close)
        page = browser.open((self.folder / "report.html").as_uri(), DRAWN)
        self.addCleanup(page.close)
        picture = "document.querySelector('canvas').toDataURL()"
        before = page.evaluate(picture)
        page.prefers("dark")
        page.wait_for(f"{picture} !== {json.dumps(before)} && {DRAWN}")
        self.assertEqual(page.complaints, [])

    def test_one_mode_can_be_played_alone(self):
        """The table is printed, and has no other."""
        table = self.simulate("--mode", "uniform")
        self.assertIn("requests to the origin", table)
        self.assertNotIn("ledger", table)

    def test_one_device_can_be_traced(self):
        """All that it sends and is sent, in each mode."""
        result = lab("simulate", *SMALL, "--trace", 299, timeout=120)
        lines = [line.split(" ", 6) for line in result.stderr.splitlines() if '"d-299"' in line]
        self.assertEqual({line[0] for line in lines}, {"none", "uniform", "ledger"})
        self.assertIn(["<-", "HELLO"], [line[3:5] for line in lines])
        self.assertIn("-> WELCOME", result.stderr)

    def test_impossible_values_are_refused(self):
        """The message names the limits."""
        for arguments, text in (
            (("--devices", 0), "from 1 to 4000000"),
            (("--mode", "never"), "'none', 'uniform' or 'ledger'"),
            (("--devices", 3, "--trace", 3), "below --devices, 3"),
        ):
            result = lab("simulate", *arguments)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(text, result.stderr)

    def test_the_folder_is_made(self):
        """If its parent is there."""
        self.simulate("--mode", "none", "--output", self.folder / "new")
        self.assertTrue((self.folder / "new" / "report.html").is_file())

    def test_an_unusable_folder_is_reported_before_the_day_is_played(self):
        """A day of a million devices takes minutes."""
        (self.folder / "file").write_text("")
        for path in ("none/new", "file/new"):
            arguments = ("--devices", 1_000_000, "--output", self.folder / path)
            result = lab("simulate", *arguments, timeout=10)
            self.assertEqual(result.returncode, 1)
            self.assertIn("cannot be written", result.stderr)


if __name__ == "__main__":
    unittest.main()
