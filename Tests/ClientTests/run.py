#!/usr/bin/env python3
"""Builds, lints and tests the clients of protocol/clients, and runs the conformance suite on each.

    run.py [--only PART] [--jobs N] [LANGUAGE ...]     PART: build, lint, test, conformance or end-to-end

Runs N programs at a time: two for each core, because most tests wait. Prints one line for each part of a language
when it is done. A language whose tools are missing is skipped, and a line says which they are. With
RELOAD_ROUTER=PROGRAM each client is also tested with the real router.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CLIENTS = HERE.parents[1] / "protocol" / "clients"
PARTS = ["build", "lint", "test", "conformance", "end-to-end"]
#: The modules of the suite for a client that speaks frames, and for one that speaks HTTP.
MODULES = {
    ("frames", "conformance"): ["test_cuts", "test_conformance", "test_outbox", "test_security",
                                "test_connecting", "test_promises", "test_history"],
    ("frames", "end-to-end"): ["test_end_to_end", "test_gateways", "test_examples", "test_stories"],
    ("http", "conformance"): ["test_http", "test_promises", "test_history"],
    ("http", "end-to-end"): ["test_http_end_to_end", "test_stories"],
}
#: A test that waits has a limit of its own; this one is for a test or program that hangs.
LIMIT_SECONDS = 1_800


def missing_tools(commands):
    """What the commands begin with and this machine does not have."""
    names = dict.fromkeys(command[0] for command in commands if command and "/" not in command[0])
    return [name for name in names if shutil.which(name) is None]


def run(command, folder, environment=None):
    """Runs a command; returns whether it succeeded, and what it printed."""
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT_SECONDS)
        return done.returncode == 0, done.stdout
    except subprocess.TimeoutExpired as expired:
        return False, f"{(expired.stdout or b'').decode(errors='replace')}\nnot done after {LIMIT_SECONDS} s\n"
    except OSError as error:
        return False, f"{error}\n"


def run_all(commands, folder):
    """Runs commands one after the other, until one fails."""
    printed = ""
    for command in commands:
        passed, output = run(command, folder)
        printed += output
        if not passed:
            return False, printed
    return True, printed


def summary(output):
    """How many tests ran, from what unittest has printed."""
    ran = sum(map(int, re.findall(r"^Ran (\d+) tests? in", output, re.MULTILINE)))
    skipped = sum(map(int, re.findall(r"skipped=(\d+)", output)))
    return (f"{ran} tests" if ran else "") + (f", {skipped} skipped" if skipped else "")


def suites(language, transport, part):
    """The commands that run a part of the suite on a client: one for each class of tests."""
    environment = os.environ | {"RELOAD_CLIENT": language}
    names = []
    for module in MODULES[transport, part]:
        loaded = unittest.defaultTestLoader.loadTestsFromName(module)
        classes = [type(next(iter(tests))) for tests in loaded if tests.countTestCases()]
        names += [f"{module}.{case.__name__}" for case in classes if getattr(case, "language", language) == language]
    return [([sys.executable, "-m", "unittest", name], HERE, environment) for name in names]


class Part:
    """A part of a language's tests, which some programs do at the same time."""

    def __init__(self, title, count):
        self.title, self.left = title, count
        self.seconds, self.passed, self.printed = 0.0, True, ""
        self.started = time.monotonic()


class Runner:
    """Runs the parts of all languages with a limited number of programs at a time."""

    def __init__(self, parts, jobs):
        self.parts = parts
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.changed = threading.Condition()
        self.open = 0
        self.failed = []

    def begin(self, title, call, todo, after=None):
        """Starts all programs of a part; then calls `after` if they succeed."""
        if not todo and after:
            after()
        if todo:
            part = Part(title, len(todo))
            with self.changed:
                self.open += 1
            for arguments in todo:
                self.pool.submit(self._perform, part, call, arguments, after)

    def _perform(self, part, call, arguments, after):
        started = time.monotonic()
        try:
            passed, printed = call(*arguments)
        except Exception as error:  # A mistake in this program is a failure like any other.
            passed, printed = False, f"{error!r}\n"
        with self.changed:
            part.left -= 1
            part.seconds += time.monotonic() - started
            part.passed &= passed
            part.printed += printed if passed or not part.printed else "\n" + printed
            if part.left:
                return
            self._report(part)
        if after and part.passed:
            after()
        with self.changed:
            self.open -= 1
            self.changed.notify_all()

    def _report(self, part):
        nothing_ran = re.search(r"^Ran 0 tests", part.printed, re.M) and not re.search(r"^Ran [1-9]", part.printed, re.M)
        verdict = "FAILED" if not part.passed else "skip  " if nothing_ran else "ok    "
        print(f"{verdict} {part.title}: {part.seconds:.1f} s in all, {time.monotonic() - part.started:.1f} s on the "
              f"clock {summary(part.printed)}".rstrip(), flush=True)
        if not part.passed:
            self.failed.append(part.title)
            print(part.printed, flush=True)

    def language(self, language):
        """Starts the parts of one language: those after the build when that has succeeded."""
        description = json.loads((CLIENTS / language / "conformance.json").read_text())
        missing = missing_tools([*description["build"], *description["test"], description["driver"]])
        if missing:
            print(f"skip   {language}: {', '.join(missing)} not found; Debian: {' '.join(description['needs'])}",
                  flush=True)
            return
        build = [(description["build"], CLIENTS / language)] if "build" in self.parts and description["build"] else []
        self.begin(f"{language} build", run_all, build, lambda: self._after_build(language, description))

    def _after_build(self, language, description):
        transport = description.get("transport", "frames")
        for part in reversed(self.parts):  # The longest ones first.
            if part == "build":
                continue
            if part == "lint" and (missing := missing_tools(description["lint"])):
                print(f"skip   {language} lint: {', '.join(missing)} not found", flush=True)
            elif part == "end-to-end" and not os.environ.get("RELOAD_ROUTER"):
                print(f"skip   {language} end-to-end: RELOAD_ROUTER is not set", flush=True)
            elif part in ("lint", "test"):
                todo = [(description[part], CLIENTS / language)] if description[part] else []
                self.begin(f"{language} {part}", run_all, todo)
            else:
                self.begin(f"{language} {part}", run, suites(language, transport, part))

    def wait(self):
        """Returns when all is done: the parts that failed."""
        with self.changed:
            self.changed.wait_for(lambda: self.open == 0)
        self.pool.shutdown()
        return self.failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1), help="programs at a time")
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE")
    options = parser.parse_args()
    found = sorted(file.parent.name for file in CLIENTS.glob("*/conformance.json"))
    unknown = [name for name in options.languages if name not in found]
    if unknown:
        sys.exit(f"no client for {', '.join(unknown)}; there are {', '.join(found) or 'none'}")
    started = time.monotonic()
    sys.path.insert(0, str(HERE))
    runner = Runner([part for part in PARTS if not options.only or part in options.only], max(1, options.jobs))
    for language in options.languages or found:
        runner.language(language)
    failed = runner.wait()
    print(f"{time.monotonic() - started:.1f} s")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
