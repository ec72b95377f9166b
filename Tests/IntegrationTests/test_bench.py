"""The benchmarks in one process: that they measure what they name, and find what they should."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from support import *

# Matches per event of each workload, by its quick number of widgets.
MATCHES = {
    "equality.10000": 1,
    "equality.100000": 1,
    "apps-10.10000": 1,
    "apps-1000.10000": 1,
    "mixed.10000": 4.7,
    "wildcard.10000": 1,
    "none.10000": 0,
}
FIGURES = ("rate", "cpu", "scan", "bytes", "index", "resident", "build")


class MatchBenchmark(unittest.TestCase):
    def figures(self, *arguments):
        """The figures of a run by name."""
        result = lab("bench", "match", "--seconds", 0.01, "--json", *arguments, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        figures = {line["name"]: line for line in lines}
        self.assertEqual(len(figures), len(lines), "a name stands twice")
        return figures

    def test_a_quick_run_reports_every_workload_beside_its_reference(self):
        """Each workload has all figures, and matches what its generator says."""
        figures = self.figures("--quick", "--events", 320)
        for workload, matches in MATCHES.items():
            name = f"match.{workload}"
            self.assertAlmostEqual(figures.pop(f"{name}.matches")["value"], matches)
            for figure in FIGURES:
                row = figures.pop(f"{name}.{figure}")
                if figure != "resident":  # it may have been there before
                    self.assertGreater(row["value"], 0, row)
                if figure == "scan":
                    self.assertGreater(row["reference"], 0, row)
        for apps in ("apps-10", "apps-1000"):
            self.assertIsNotNone(figures.pop(f"match.{apps}.10000.one-app")["reference"])
        # A difference of two figures: in so short a run it may be less than nothing.
        self.assertIsNotNone(figures.pop("match.none.10000.visit")["reference"])
        for change in ("add", "replace", "remove"):
            for point in ("p50", "p99", "max"):
                for clock in ("cpu", "clock"):
                    row = figures.pop(f"match.updates.10000.{change}.{point}.{clock}")
                    self.assertGreater(row["value"], 0, row)
        self.assertEqual(figures, {}, "these figures are new")

    def test_a_run_uses_the_given_workloads_and_numbers(self):
        """Any seed's events match what they should."""
        figures = self.figures(
            "--workload", "wildcard", "none", "--widgets", 2_000, "--events", 320, "--seed", 7)
        self.assertEqual(figures["match.wildcard.2000.matches"]["value"], 1)
        self.assertEqual(figures["match.none.2000.matches"]["value"], 0)
        self.assertEqual({name.split(".")[1] for name in figures}, {"wildcard", "none"})


class PublishBenchmark(unittest.TestCase):
    def test_pushes_over_http_are_measured_beside_nginx_and_with_their_keys(self):
        found = lab("bench", "publish", "--seconds", 0.1, "--repeat", 1, "--connections", 2, "--keys", 2000, "--json",
                    timeout=300)
        self.assertEqual(found.returncode, 0, found.stderr)
        rows = {row["name"]: row for row in map(json.loads, found.stdout.splitlines())}
        self.assertIn("publish.key.memory", rows)
        # So few keys may fit into memory that is there.
        del rows["publish.key.memory"]
        self.assertEqual(set(rows), {"publish.2.cpu", "publish.2.rate", "publish.2.keys.cpu", "publish.2.keys.rate"})
        for row in rows.values():
            self.assertGreater(row["value"], 0, row)
        if pathlib.Path("/usr/sbin/nginx").exists():
            self.assertGreater(rows["publish.2.cpu"]["reference"], 0)


class PushBenchmarks(unittest.TestCase):
    """Pushes over sessions, and by APNs."""

    def figures(self, *arguments):
        result = lab("bench", *arguments, "--repeat", 1, "--json", timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {row["name"]: row for row in map(json.loads, result.stdout.splitlines())}

    def check(self, figures, *names, beside=True):
        self.assertEqual(set(figures), set(names))
        for row in figures.values():
            self.assertGreater(row["value"], 0, row)
            if beside:
                self.assertGreater(row["reference"], 0, row)

    def test_frames_and_fan_outs_are_measured_beside_servers_in_c(self):
        self.check(self.figures("frames", "--seconds", 0.05, "--connections", 2),
                   "frames.2.rate", "frames.2.cpu", "frames.2.checked.rate", "frames.2.checked.cpu")
        self.check(self.figures("fanout", "--seconds", 0.05, "--devices", 50), "fanout.50.cpu", "fanout.50.last")

    def test_each_push_matches_its_widget_and_its_time_counts_from_when_it_was_due(self):
        """The run fails unless each push matches one widget, and each of the timed ones leads to a RELOAD."""
        self.check(
            self.figures("route", "--seconds", 0.05, "--widgets", 2_000, "--devices", 1_000, "--publishers", 2,
                         "--windows", 480, "--rate", 500),
            *(f"route.2.window-480.{figure}" for figure in ("rate", "cpu", "reloads")),
            "route.latency.p50", "route.latency.p99")

    def test_honest_publishers_are_measured_beside_hostile_senders(self):
        """One that sends frames, one that says HELLO, one over HTTP, one of an operator, one with signals."""
        kinds = ("sight", "hellos", "queries", "kinds", "app-file")
        figures = {}
        # An app file of an operator takes a second or two where much else is running.
        for seconds, some in ((0.6, kinds[:3] + kinds[4:]), (4, kinds[3:4])):
            figures |= self.figures("fairness", "--seconds", seconds, "--publishers", 20, "--devices", 200, "--rate", 500,
                                    *(word for kind in some for word in ("--kind", kind)))
        for kind in kinds:
            self.assertGreater(figures.pop(f"fairness.{kind}.hostile")["value"], 0, kind)
        self.check(figures, *(f"fairness.{kind}.{point}" for kind in kinds for point in ("p50", "p99")))

    def test_pushes_to_apns_are_measured_as_their_sender_sees_them(self):
        figures = self.figures("apns", "--pushes", 20_000, "--connections", 1)
        self.check(figures, "apns.1.rate", "apns.1.cpu", beside=os.path.exists("/usr/bin/h2load"))

    def test_the_memory_of_widgets_is_measured(self):
        self.check(self.figures("memory", "--widgets", 10_000, "--devices", 1_000),
                   "memory.widget", "memory.register.cpu", "memory.register.rate", beside=False)


class SchedulingBenchmarks(unittest.TestCase):
    def figures(self, *arguments):
        result = lab("bench", *arguments, "--json", timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {row["name"]: row for row in map(json.loads, result.stdout.splitlines())}

    def test_timers_are_measured_beside_libuv(self):
        """Each of the four things that happen to a timer has its reference."""
        figures = self.figures(
            "timers", "--timers", 20_000, "--reference-timers", 5_000, "--repeat", 1)
        for thing in ("insert", "move", "cancel", "expire"):
            self.assertGreater(figures[f"timers.1ms.{thing}.libuv"]["reference"], 0)
        self.assertGreater(figures["timers.1ms.bytes"]["value"], 0)

    def test_the_ledger_is_flat_and_chance_is_not(self):
        """Peaks are no matter of speed: the same in every run."""
        result = lab("bench", "jitter", timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = result.stdout.splitlines()
        ledger = [row for row in rows if ".ledger " in row]
        self.assertEqual(len(ledger), 9, result.stdout)
        self.assertTrue(all(row.endswith(" met") for row in ledger), result.stdout)
        self.assertEqual(len([row for row in rows if ".bytes " in row]), 3, result.stdout)



class SecurityBenchmarks(unittest.TestCase):
    def figures(self, *arguments):
        result = lab("bench", *arguments, "--repeat", 1, "--json", timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {row["name"]: row for row in map(json.loads, result.stdout.splitlines())}

    def test_tls_is_measured_beside_a_server_in_c_and_beside_none(self):
        """The run fails unless sessions are resumed, or not, as their rows say."""
        figures = self.figures(
            "tls", "--seconds", 0.05, "--devices", 50, "--sessions", 64)
        names = {"tls.push.plain", "tls.session.memory", "tls.session.memory.plain"}
        names |= {f"tls.{thing}.{row}" for thing in ("frame", "delivery")
                  for row in ("cpu", "plain", "reference.plain")}
        names |= {f"tls.session.{kind}.{row}" for kind in ("full", "resumed", "mutual")
                  for row in ("cpu", "rate")}
        self.assertEqual(set(figures), names)
        for row in figures.values():
            self.assertGreater(row["value"], 0, row)
            self.assertGreater(row["reference"], 0, row)
        for row in ("plain", "reference.plain"):
            self.assertGreater(figures[f"tls.frame.{row}"]["ratio"], 1, row)
        # The client's certificate is verified besides.
        for side in ("value", "reference"):
            self.assertLess(figures["tls.session.full.cpu"][side],
                            figures["tls.session.mutual.cpu"][side])


class StoreBenchmarks(unittest.TestCase):
    def figures(self, *arguments):
        """The figures of a run by name; its folder is gone afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            result = lab(
                "bench", *arguments, "--folder", folder, "--repeat", 1, "--json", timeout=300)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(os.listdir(folder), [])
        return {row["name"]: row for row in map(json.loads, result.stdout.splitlines())}

    def test_durable_pushes_are_measured_beside_the_engine_alone(self):
        """Every durability has its figures; those of full stand beside RocksDB's own."""
        figures = self.figures(
            "store", "--widgets", 1_000, "--devices", 100, "--rate", 100, "--seconds", 0.05)
        for durability in ("full", "os", "none", "memory", "sustained"):
            for figure in ("rate", "cpu", "loop"):
                row = figures[f"store.{durability}.{figure}"]
                self.assertGreater(row["value"], 0, row)
        for figure in ("engine.rate", "engine.cpu", "full.share"):
            self.assertGreater(figures[f"store.{figure}"]["value"], 0, figure)
        for figure in ("full.rate", "full.cpu", "full.loop", "ack.p50", "ack.p99", "reload.p50",
                       "reload.p99"):
            self.assertGreater(figures[f"store.{figure}"]["reference"], 0)
        # A push leaves less in the journal than its text, of 110 bytes.
        self.assertLess(figures["store.journal"]["value"], 110)
        self.assertGreater(figures["store.journal"]["value"], 1)
        self.assertGreater(figures["store.appends"]["value"], 0)
        self.assertGreater(figures["store.disk.p99"]["value"], 0)

    def test_a_restart_is_measured_on_a_checkpoint_and_the_journal_after_it(self):
        """The run fails unless every push after the restart matches its widget."""
        for flags in ((), ("--widgets-per-device", 10)):
            with self.subTest(flags=flags):
                figures = self.figures("restart", "--widgets", 2_000, "--tail", 1_000, *flags)
                for figure in ("replay.time", "replay.journal", "checkpoint.block",
                               "checkpoint.bytes", "time", "cpu", "memory", "disk"):
                    self.assertGreater(figures[f"restart.{figure}"]["value"], 0, figure)
                for figure in ("time", "cpu.system"):
                    self.assertGreater(figures[f"restart.{figure}"]["reference"], 0, figure)
                self.assertIn("restart.cpu.user", figures)


class Roof(unittest.TestCase):
    """All benchmarks are listed, run and compared in one way."""

    def test_every_benchmark_is_listed_with_its_aim(self):
        """The names are those of the subcommands."""
        listed = lab("bench", "--list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        names = [line.split()[0] for line in listed.stdout.splitlines()]
        for name in names:
            self.assertEqual(lab("bench", name, "--help").returncode, 0, name)
        self.assertGreater(len(names), 10)
        self.assertTrue(all(" aim: " in line for line in listed.stdout.splitlines()))

    def test_a_set_is_run_several_times_and_held_against_itself(self):
        """The results say machine, command and date, and compare as no worse than themselves."""
        with tempfile.TemporaryDirectory() as folder:
            results, page = f"{folder}/results.json", f"{folder}/page.md"
            done = lab("bench", "all", "--quick", "--runs", 2, "--only", "timers", "memory",
                           "--commit", "0123abc", "--json", results, "--markdown", page, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("timers.1ms.insert.libuv", done.stdout)
            with open(results) as file:
                found = json.load(file)
            self.assertEqual([one["name"] for one in found["benchmarks"]], ["memory", "timers"])
            self.assertEqual(found["runs"], 2)
            self.assertIn("0123abc", found["program"])
            self.assertEqual(found["machine"]["cores"], os.cpu_count())
            for one in found["benchmarks"]:
                for figure in one["figures"]:
                    spread = figure["value"]
                    self.assertLessEqual(spread["low"], spread["median"], figure)
                    self.assertLessEqual(spread["median"], spread["high"], figure)
            timers = {figure["name"]: figure for figure in found["benchmarks"][1]["figures"]}
            for thing in ("insert", "expire"):
                self.assertGreater(timers[f"timers.1ms.{thing}.libuv"]["reference"]["low"], 0)
            self.assertGreater(timers["timers.1ms.bytes"]["value"]["median"], 0)
            with open(page) as file:
                text = file.read()
            for part in ("0123abc", "reload-lab bench all --runs 2 --quick", "| timers.1ms.bytes "):
                self.assertIn(part, text)
            same = lab("bench", "compare", results, results)
            self.assertEqual(same.returncode, 0, same.stdout)
            self.check_worse(found, results, folder)

    def check_worse(self, found, results, folder):
        """A ratio that has become worse in every run is found, and one that is gone.

        Every run is made twice as bad as the median before: how far the two runs of this test lie
        apart depends on what else the machine does, and one good run would excuse the figure.
        """
        for figure in found["benchmarks"][1]["figures"]:
            if "ratio" in figure:
                ratio = figure["ratio"]
                figure["ratio"] = dict.fromkeys(ratio, ratio["median"] * 2)
        worse = f"{folder}/worse.json"
        with open(worse, "w") as file:
            json.dump(found, file)
        compared = lab("bench", "compare", results, worse, "--bound", 1.5)
        self.assertEqual(compared.returncode, 2, compared.stdout)
        self.assertRegex(compared.stdout, r"timers.1ms.insert.libuv +ratio .* 2.00 +WORSE")
        found["benchmarks"].pop()
        with open(worse, "w") as file:
            json.dump(found, file)
        gone = lab("bench", "compare", results, worse)
        self.assertEqual(gone.returncode, 2, gone.stdout)
        self.assertIn("timers.1ms.bytes was not measured", gone.stdout)

    def test_two_routers_are_measured_in_turn_and_compared(self):
        """The same router is no worse than itself: its bytes do not depend on what else the machine does."""
        compared = lab("bench", "compare", "--old", binary(), "--only", "memory", "--quick", "--runs", 1,
                       "--bound", 3, timeout=300)
        self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)
        self.assertIn(f"router {binary()}", compared.stdout)
        self.assertRegex(compared.stdout, r"memory.widget +bytes/widget")

    def test_what_cannot_be_run_or_read_is_reported(self):
        """The message names what there is."""
        for said, *arguments in (
                ("there is no benchmark speed", "all", "--only", "speed"),
                ("--runs is 0", "all", "--runs", 0),
                ("--bound is 0.5", "compare", "x", "--bound", 0.5),
                ("/nowhere.json cannot be read", "compare", "/nowhere.json"),
                ("either a baseline or", "compare"),
                ("has no results", "compare", __file__)):
            result = lab("bench", *arguments)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(said, result.stderr)


if __name__ == "__main__":
    unittest.main()
