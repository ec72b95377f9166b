#!/usr/bin/env python3
"""Builds, lints and tests the clients of protocol/clients, and runs the conformance suite on each.

    run.py [--only PART] [LANGUAGE ...]     PART: build, lint, test, conformance or end-to-end

Prints one line for each part. A language whose tools are missing is skipped, and a line says which they are.
With RELOAD_ROUTER=PROGRAM each client is also tested with the real router.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
CLIENTS = HERE.parents[1] / "protocol" / "clients"
PARTS = ["build", "lint", "test", "conformance", "end-to-end"]
#: A test that waits has a limit of its own; this one is for a test or program that hangs.
LIMIT_SECONDS = 900


def missing_tools(commands):
    """What the commands begin with and this machine does not have."""
    names = dict.fromkeys(command[0] for command in commands if command and "/" not in command[0])
    return [name for name in names if shutil.which(name) is None]


def run(command, folder, environment=None):
    """Runs a command; returns whether it succeeded, and what it printed."""
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT_SECONDS)
        return done.returncode == 0, done.stdout
    except subprocess.TimeoutExpired as expired:
        return False, f"{(expired.stdout or b'').decode(errors='replace')}\nnot done after {LIMIT_SECONDS} s\n"
    except OSError as error:
        return False, f"{error}\n"


def summary(output):
    """How many tests ran, from the output of unittest."""
    ran = re.findall(r"^Ran (\d+) tests? in", output, re.MULTILINE)
    skipped = re.findall(r"skipped=(\d+)", output)
    return (f"{ran[-1]} tests" if ran else "") + (f", {skipped[-1]} skipped" if skipped else "")


def suite(language, modules):
    """The command, folder and environment that run modules of the suite on a client."""
    return [sys.executable, "-m", "unittest", *modules], HERE, os.environ | {"RELOAD_CLIENT": language}


def steps(language, description, part):
    """What a part runs, as (command, folder, environment)."""
    if part in ("build", "lint", "test"):
        return [(command, CLIENTS / language, None) for command in description[part]]
    if description.get("transport", "frames") == "http":
        modules = {"conformance": ["test_http"], "end-to-end": ["test_http_end_to_end"]}[part]
    else:
        modules = {"conformance": ["test_conformance", "test_cuts", "test_outbox", "test_security"],
                   "end-to-end": ["test_end_to_end", "test_gateways"]}[part]
    modules = [module for module in modules if (HERE / f"{module}.py").exists()]
    return [suite(language, modules)] if modules else []


def test(language, parts):
    """Runs the parts of one language; returns those that failed."""
    description = json.loads((CLIENTS / language / "conformance.json").read_text())
    missing = missing_tools([*description["build"], *description["test"], description["driver"]])
    if missing:
        print(f"skip   {language}: {', '.join(missing)} not found; Debian: {' '.join(description['needs'])}",
              flush=True)
        return []
    failed = []
    for part in parts:
        if part == "end-to-end" and not os.environ.get("RELOAD_ROUTER"):
            print(f"skip   {language} {part}: RELOAD_ROUTER is not set", flush=True)
            continue
        if part == "lint" and (missing := missing_tools(description["lint"])):
            print(f"skip   {language} lint: {', '.join(missing)} not found", flush=True)
            continue
        started, passed, printed = time.monotonic(), True, ""
        todo = steps(language, description, part)
        for step in todo:
            if passed:
                passed, output = run(*step)
                printed += output
        if not todo:
            continue
        verdict = "FAILED" if not passed else "skip  " if re.search(r"^Ran 0 tests", printed, re.M) else "ok    "
        print(f"{verdict} {language} {part}: {time.monotonic() - started:.1f} s "
              f"{summary(printed)}".rstrip(), flush=True)
        if not passed:
            failed.append(f"{language} {part}")
            print(printed, flush=True)
            if part == "build":
                break
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE")
    options = parser.parse_args()
    found = sorted(file.parent.name for file in CLIENTS.glob("*/conformance.json"))
    unknown = [name for name in options.languages if name not in found]
    if unknown:
        sys.exit(f"no client for {', '.join(unknown)}; there are {', '.join(found) or 'none'}")
    failed = []
    for language in options.languages or found:
        failed += test(language, [part for part in PARTS if not options.only or part in options.only])
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
