#!/usr/bin/env python3
"""Runs the integration tests, several test cases at once.

Tests mostly wait for routers, so more of them can run at the same time than there are cores. Each test
case (a class) runs in a process of its own, as `python3 -m unittest` would run it; those that take long
start first, and those that measure run alone, at the end.

    run.py [--jobs N] [NAME ...]      NAME: a prefix of test_module.TestCase
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
# Started first, so that no long one is left over at the end. A name that is no longer right costs
# seconds, nothing else.
LONGEST = ["test_tutorial", "test_full_disk.FullDisk", "test_admin.Hostility", "test_admin_api",
           "test_crash.Crashes", "test_store_upgrade", "test_power_loss", "test_store_sweep",
           "test_prometheus", "test_release.Artifacts", "test_publish_http.Schemathesis", "test_scheduling",
           "test_fleet", "test_device_page", "test_dashboard"]
# What a benchmark measures should be its own.
ALONE = ["test_bench"]
# A test that waits has its own limit, with a sentence about what did not come; this one is for a
# test that hangs. The slowest test case takes 100 s on two cores of their own.
LIMIT_SECONDS = 1_800


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


def run(name):
    """Runs one test case; returns its name, whether it passed, what it printed and its seconds."""
    started = time.monotonic()
    try:
        done = subprocess.run([sys.executable, "-m", "unittest", name], cwd=HERE, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                              timeout=LIMIT_SECONDS)
        passed, output = done.returncode == 0, done.stdout
    except subprocess.TimeoutExpired as expired:
        output = (expired.stdout or b"").decode(errors="replace")
        passed, output = False, f"{output}\nnot done after {LIMIT_SECONDS} s\n"
    return name, passed, output, time.monotonic() - started


def count(output):
    """The number of tests and of skipped ones, from the output of unittest."""
    ran = re.findall(r"^Ran (\d+) tests? in", output, re.MULTILINE)
    skipped = re.findall(r"skipped=(\d+)", output)
    return int(ran[-1]) if ran else 0, int(skipped[-1]) if skipped else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()

    sys.path.insert(0, str(HERE))
    suite = unittest.defaultTestLoader.discover(str(HERE), pattern="test_*.py", top_level_dir=str(HERE))
    names = [name for name in test_cases(suite)
             if not options.names or is_one_of(name, options.names)]
    if not names:
        sys.exit(f"no test case begins with any of {options.names}")
    alone = [name for name in names if is_one_of(name, ALONE)]
    beside = sorted((name for name in names if name not in alone), key=place)

    started, total, failed = time.monotonic(), 0, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as together, \
            concurrent.futures.ThreadPoolExecutor(1) as single:
        def each():
            running = [together.submit(run, name) for name in beside]
            yield from (done.result() for done in concurrent.futures.as_completed(running))
            running = [single.submit(run, name) for name in alone]
            yield from (done.result() for done in concurrent.futures.as_completed(running))

        for name, passed, output, seconds in each():
            tests, skipped = count(output)
            total += tests
            print(f"{'ok    ' if passed else 'FAILED'} {seconds:6.1f} s {tests:3} tests  {name}"
                  + (f" ({skipped} skipped)" if skipped else ""), flush=True)
            if not passed:
                failed.append(name)
                print(output, flush=True)
    print(f"{total} tests in {len(names)} test cases, {time.monotonic() - started:.0f} s")
    if failed:
        sys.exit("failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
