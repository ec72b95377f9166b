#!/usr/bin/env python3
"""Runs the integration tests, several test cases at once.

Tests mostly wait for routers, so more of them can run at the same time than there are cores. Each test
case (a class) runs in a process of its own; those that take long start first, and those that measure run
alone, at the end.

    run.py [--jobs N] [--ring 1] [--times FILE] [NAME ...]      NAME: a prefix of test_module.TestCase
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

from browser import HUNG

HERE = pathlib.Path(__file__).resolve().parent
# Started first, so that no long one is left over at the end. A name that is no longer right costs
# seconds, nothing else.
LONGEST = ["test_tutorial", "test_full_disk.FullDisk", "test_admin_api",
           "test_crash.Crashes", "test_store_upgrade", "test_power_loss", "test_store_sweep",
           "test_prometheus", "test_release.Artifacts", "test_publish_http.Schemathesis", "test_scheduling",
           "test_fleet", "test_history", "test_device_page", "test_dashboard"]
# What compares two times should have the machine for itself.
ALONE = ["test_bench.SecurityBenchmarks", "test_bench.PublishBenchmark"]
# Ring 1: whether the product works. All others are of ring 2: the laboratory, what is shipped beside the
# router, pages in a browser, and what damages a store or floods a router for long.
RING_1 = [
    "test_story", "test_protocol", "test_sessions", "test_bad_input", "test_outcomes", "test_producers",
    "test_scheduling", "test_half_close", "test_reconnects", "test_quotas", "test_match",
    "test_tokens", "test_tls", "test_operators.Roles", "test_operators.TokenFile", "test_logs",
    "test_publish_http.Publishing", "test_publish_http.Addresses", "test_publish_keys",
    "test_publish_wire.Requests", "test_publish_wire.Credentials", "test_device_http.Reports", "test_device_http.Credentials",
    "test_admin.Resources", "test_admin.Settings", "test_admin.Phases", "test_admin_resources", "test_admin_tls.Story",
    "test_apns_delivery", "test_store.", "test_store_tools", "test_failing_sync",
    "test_crash.Crashes", "test_crash.Promises", "test_lifecycle", "test_explain", "test_messages", "test_examples.QuickStart",
    "test_examples.Examples",
]
# A test that waits has its own limit, with a sentence about what did not come; this one is for a
# test that hangs. The slowest test case takes 100 s on two cores of their own.
LIMIT_SECONDS = 1_800
# How a line begins that says how long a test took.
TIME = "took\t"


def test_cases(suite):
    """The names of all test cases, each once, in order."""
    names = {}
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            names.update(dict.fromkeys(test_cases(test)))
        elif type(test).__module__ == "unittest.loader":
            names[test._testMethodName] = None  # A module that cannot be imported: it fails when run.
        else:
            names[f"{type(test).__module__}.{type(test).__qualname__}"] = None
    return list(names)


def is_one_of(name, beginnings):
    return any(name.startswith(beginning) for beginning in beginnings)


def place(name):
    """The place of a test case in LONGEST, or that after its last."""
    return next((place for place, beginning in enumerate(LONGEST) if name.startswith(beginning)), len(LONGEST))


class TimedResult(unittest.TextTestResult):
    """Keeps how long each test took."""

    def startTest(self, test):
        super().startTest(test)
        self.started = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.stream.writeln(f"\n{TIME}{time.monotonic() - self.started:.3f}\t{test.id()}")


def run_here(name):
    """Runs one test case in this process."""
    program = unittest.main(module=None, argv=["run.py", name], exit=False,
                            testRunner=unittest.TextTestRunner(resultclass=TimedResult))
    return 0 if program.result.wasSuccessful() else 1


def is_only_hung(output):
    """Whether Chromium is to blame for each failure in the output of unittest."""
    failures = re.findall(r"^(?:ERROR|FAIL): ", output, re.MULTILINE)
    return 0 < len(failures) == len(re.findall(rf"^TimeoutError: {HUNG}", output, re.MULTILINE))


def run(name, isAgain=False):
    """Runs one test case in a process of its own; returns its name, whether it passed, what it printed and its
    seconds. If nothing failed but that Chromium hung, as was seen on busy cores, it is run once more: a page that
    stops it does so then, too."""
    started = time.monotonic()
    try:
        done = subprocess.run([sys.executable, __file__, "--here", name], cwd=HERE, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                              timeout=LIMIT_SECONDS)
        passed, output = done.returncode == 0, done.stdout
    except subprocess.TimeoutExpired as expired:
        output = (expired.stdout or b"").decode(errors="replace")
        passed, output = False, f"{output}\nnot done after {LIMIT_SECONDS} s\n"
    if not passed and not isAgain and is_only_hung(output):
        print(f"again  {name}: {HUNG}", flush=True)
        return run(name, isAgain=True)
    return name, passed, output, time.monotonic() - started


def count(output):
    """The number of tests and of skipped ones, from the output of unittest."""
    ran = re.findall(r"^Ran (\d+) tests? in", output, re.MULTILINE)
    skipped = re.findall(r"skipped=(\d+)", output)
    return int(ran[-1]) if ran else 0, int(skipped[-1]) if skipped else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("--ring", type=int, choices=[1, 2], default=2, help="1: only what ring 1 has")
    parser.add_argument("--times", type=pathlib.Path, help="appends the seconds of each test to this file")
    parser.add_argument("--here", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()

    sys.path.insert(0, str(HERE))
    if options.here:
        sys.exit(run_here(options.here))
    suite = unittest.defaultTestLoader.discover(str(HERE), pattern="test_*.py", top_level_dir=str(HERE))
    names = [name for name in test_cases(suite)
             if (not options.names or is_one_of(name, options.names))
             # A module that cannot be imported has a name without a class; it fails in each ring.
             and (options.ring == 2 or "." not in name or is_one_of(name, RING_1))]
    if not names:
        sys.exit(f"no test case begins with any of {options.names}")
    alone = [name for name in names if is_one_of(name, ALONE)]
    beside = sorted((name for name in names if name not in alone), key=place)

    started, total, failed = time.monotonic(), 0, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as together, \
            concurrent.futures.ThreadPoolExecutor(1) as single:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))

        def each():
            running = [together.submit(run, name) for name in beside]
            yield from (done.result() for done in concurrent.futures.as_completed(running))
            running = [single.submit(run, name) for name in alone]
            yield from (done.result() for done in concurrent.futures.as_completed(running))

        for name, passed, output, seconds in each():
            tests, skipped = count(output)
            if options.times:
                with open(options.times, "a") as times:
                    times.writelines(line.removeprefix(TIME) for line in output.splitlines(True) if line.startswith(TIME))
            total += tests
            print(f"{'ok    ' if passed else 'FAILED'} {seconds:6.1f} s {tests:3} tests  {name}"
                  + (f" ({skipped} skipped)" if skipped else ""), flush=True)
            if not passed:
                failed.append(name)
                print("".join(line for line in output.splitlines(True) if not line.startswith(TIME)), flush=True)
    print(f"{total} tests in {len(names)} test cases, {time.monotonic() - started:.0f} s")
    if failed:
        sys.exit("failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
