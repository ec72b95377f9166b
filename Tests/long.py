#!/usr/bin/env python3
"""Ring 3: what needs hours. Simulations with thousands of seeds, kills, damaged stores, losses of power, and
fuzzing, each for its share of the time; then a summary.

    long.py [--hours N] [--only PART ...]

A part is a command that is run again and again, with another seed each time, until its share of the time is
over; it is run once at least. `deploy/test --long` builds what it needs. What a part prints is in
.build-fuzz/long-PART.log. A part that fails is not run again, and the others are.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "Tests" / "IntegrationTests"
BUILD = ROOT / ".build-fuzz"
#: As many seeds as one process plays in one minute and a half.
SEEDS = 50
FUZZED_PARTS = 18
JOBS = os.cpu_count() or 1


def simulations(seed, seconds):
    """All simulations of the router, in one process."""
    first = 1 + seed % 1_000_000_000
    os.environ["RELOAD_ROUTER_SEEDS"] = f"{first}-{first + SEEDS - 1}"
    return [BUILD / "debug" / "reload-routerPackageTests.xctest", "--testing-library", "swift-testing",
            "--no-parallel", "--filter", "Simulation|JournalTests|APNsRestartTests|EndedTokenTests|OwnTokenEndTests|"
            "DeviceReportTests|SessionNameTests|VirtualFleetTests"]


def kills(seed, seconds):
    return [sys.executable, TESTS / "crash.py", "--rounds", "250", "--seed", str(seed)]


def kills_of_the_process(seed, seconds):
    return [*kills(seed, seconds), "--durability", "os"]


def damaged_stores(seed, seconds):
    return [sys.executable, TESTS / "store_sweep.py", "--rounds", "200", "--cuts", "200", "--files", "--seed", str(seed)]


def losses_of_power(seed, seconds):
    return [sys.executable, TESTS / "power_loss.py", "--rounds", "200", "--seed", str(seed)]


def fuzzing(seed, seconds):
    """All parts, in one run that takes the whole share."""
    each = max(10, int(seconds * JOBS / FUZZED_PARTS))
    return [ROOT / "deploy" / "fuzz", "all", "--seconds", str(each), "--jobs", str(JOBS)]


#: The parts in order, each with its share of the time.
PARTS = [(simulations, 0.2), (kills, 0.2), (kills_of_the_process, 0.1), (damaged_stores, 0.15),
         (losses_of_power, 0.15), (fuzzing, 0.2)]


def play(part, seconds):
    """Runs a part for this long; returns how often it was run, its seconds, and whether it passed."""
    begun, runs = time.monotonic(), 0
    with open(BUILD / f"long-{part.__name__}.log", "w") as log:
        while runs == 0 or time.monotonic() - begun < seconds:
            seed = random.SystemRandom().randrange(1 << 32)
            command = part(seed, seconds)
            print(f"\n== seed {seed}: {' '.join(map(str, command))}", file=log, flush=True)
            runs += 1
            if subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log).returncode:
                return runs, time.monotonic() - begun, False
    return runs, time.monotonic() - begun, True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [part.__name__ for part, _ in PARTS]
    parser.add_argument("--hours", type=float, default=4)
    parser.add_argument("--only", choices=names, action="append", default=[])
    options = parser.parse_args()
    os.environ["RELOAD_ROUTER"] = str(ROOT / ".build" / "release" / "reload-router")
    lines, failed = [], []
    for part, share in PARTS:
        name = part.__name__
        if options.only and name not in options.only:
            continue
        runs, seconds, passed = play(part, options.hours * 3600 * share)
        log = BUILD / f"long-{name}.log"
        lines.append(f"{'ok    ' if passed else 'FAILED'} {seconds:8.0f} s {runs:5} runs  {name:22} {log.relative_to(ROOT)}")
        print(lines[-1], flush=True)
        if not passed:
            failed.append(name)
            print("".join(f"    {line}" for line in log.read_text(errors="replace").splitlines(True)[-30:]), flush=True)
    print("\nSummary", *lines, sep="\n")
    if failed:
        sys.exit("failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
