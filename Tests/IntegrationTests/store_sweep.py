#!/usr/bin/env python3
"""Damages copies of a small store, one file at a time, and checks what router and tools make of each.

    RELOAD_ROUTER=… python3 store_sweep.py --rounds 2000 --seed 7 [--truncations] [--files]
    RELOAD_ROUTER=… python3 store_sweep.py --pattern FOLDER --case DAMAGE

Each case is a damage (store_damage.py) to a copy of a pattern (store_pattern.py): of a store whose router was
killed, and of one that was drained. Then come `store check`, `serve --store-must-exist` and `store repair`:

- None of them ends by a signal, or hangs; each refusal has a code and a sentence that names a place.
- Check and serve agree, also on the position.
- What is accepted is the state that the store had at the reported position: the last one, or an earlier one
  if only an incomplete end is missing. It is never older than the last checkpoint that was sealed, nor empty.
- A program that refuses the store, or only reads it, changes no file.
- Repair makes a store that check accepts, with the state of the position that it reports, or refuses and
  changes nothing.

A violation prints the damage and the folder of its pattern, which is kept.
"""

import argparse
import collections
import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
import threading
import time

from store_damage import apply, folder_damages, mutations, truncations, whole_file_damages
from store_pattern import Pattern, make_pattern
from store_verdict import Ended, Judge, changes, contents, run_tool, serve
from support import APP, APPS, WAIT, bearer

MUST_EXIST = "--store-must-exist"
PATTERNS = {"killed": False, "ended": True}


def known(address):
    """Devices and producers of a router, from its admin server."""
    def get(path):
        deadline = time.monotonic() + WAIT
        while True:
            connection = http.client.HTTPConnection(*address, timeout=WAIT)
            try:
                connection.request("GET", path, headers=bearer())
                answer = connection.getresponse()
                body = answer.read()
            finally:
                connection.close()
            if answer.status == 200:
                return json.loads(body)
            # For a moment it only says that it is loading.
            if answer.status != 503 or time.monotonic() > deadline:
                raise AssertionError(f"{path}: {answer.status} {body}")

    devices = get(f"/v1/apps/{APP}/devices?limit=100")["devices"]
    producers = get("/v1/producers?limit=100")["producers"]
    return (frozenset(device["device"] for device in devices),
            {producer["producer"]: producer["lastSeq"] for producer in producers})


class Sweep:
    """A pattern, and the cases on copies of it."""

    def __init__(self, pattern, folder):
        self.pattern = pattern
        self.folder = pathlib.Path(folder)
        self.apps = self.folder / "apps.json"
        self.apps.write_text(json.dumps(APPS))
        # By how much the position of a router that serves is above the one that it found.
        self.restart_records = 0
        self._numbers, self._lock = 0, threading.Lock()
        self._measure()

    def _measure(self):
        """Checks that the undamaged store is accepted as it is."""
        outcome, faults = self.run("none:")
        if outcome != "whole" or faults:
            raise AssertionError(f"the store without a damage: {outcome}, {faults}")

    def _copy(self, damage):
        with self._lock:
            self._numbers += 1
            place = self.folder / f"case-{self._numbers}"
        place.mkdir()
        store = place / "store"
        shutil.copytree(self.pattern.store, store)
        apply(damage, store, self.pattern.older)
        return store

    def run(self, damage):
        """Applies one damage; returns the outcome, in a word, and the violations."""
        judge = Judge(self.pattern, damage)
        store = self._copy(damage)
        try:
            checked, served, faults = self._look(store, judge)
            faults += self._repair(store, judge, damage, served)
            return self._outcome(checked, served), faults
        finally:
            shutil.rmtree(store.parent)

    def _look(self, store, judge):
        before = contents(store)
        checked = run_tool("check", store)
        after = contents(store)
        faults = [*checked.faults("check"), *("check: " + text for text in changes(before, after))]
        served = serve(store, self.apps, known, MUST_EXIST)
        faults += served.faults("serve")
        if checked.is_accepted != served.is_accepted:
            faults.append(f"check and serve do not agree: {checked.code} and {served.code}")
        if not served.is_accepted:
            faults += ["serve: " + text for text in changes(after, contents(store))]
        else:
            faults += self._judge_state(store, judge, checked, served)
        return checked, served, faults

    def _judge_state(self, store, judge, checked, served):
        if judge.name == "none":
            self.restart_records = served.position - checked.position
        position = None if served.position is None else served.position - self.restart_records
        faults = [*judge.faults_of_state(served, position), *judge.faults_of_loss(served, position)]
        if checked.is_accepted and checked.position != position:
            faults.append(f"check says position {checked.position}, serve {position}")
        again = run_tool("check", store)
        if not again.is_accepted:
            faults.append(f"check refuses it after a router has ended: {again.err[:300]}")
        return faults

    def _repair(self, store, judge, damage, served):
        """Repairs the damaged store: as it is after a refusal, or a new copy of it."""
        if served.is_accepted:
            shutil.rmtree(store.parent)
            store.parent.mkdir()
            shutil.copytree(self.pattern.store, store)
            apply(damage, store, self.pattern.older)
        before = contents(store)
        repaired = run_tool("repair", store)
        faults = list(repaired.faults("repair"))
        if not repaired.is_accepted:
            return faults + ["repair: " + text for text in changes(before, contents(store))]
        checked = run_tool("check", store)
        if not checked.is_accepted:
            faults.append(f"check refuses what was repaired: {checked.err[:300]}")
        if checked.position != repaired.position:
            faults.append(f"repaired to {repaired.position}, and check says {checked.position}")
        if "kept" not in repaired.out and served.is_accepted is False:
            faults.append("repair finds it whole, and serve refuses it")
        sealed_lost = f"the last checkpoint ({self.pattern.sealed})"
        if repaired.position is not None and repaired.position < self.pattern.sealed \
                and "lost:" not in repaired.err:
            faults.append(f"repaired to {repaired.position}, before {sealed_lost}, and nothing is lost")
        state = serve(store, self.apps, known, MUST_EXIST)
        faults += state.faults("serve after repair")
        expected = self.pattern.states.get(repaired.position)
        if expected and state.is_accepted and (state.devices, state.producers) != expected:
            faults.append(f"repair keeps another state than that of {repaired.position}")
        return faults

    def _outcome(self, checked, served):
        if not served.is_accepted:
            return f"refused {served.refusal[1] if served.refusal else served.code}"
        if served.position - self.restart_records < self.pattern.last:
            return "shortened" if served.warned else "shortened silently"
        return "whole"


class Results:
    """The outcomes of all cases, by kind of damage and of file, and the violations."""

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.violations = []
        self.count = 0

    def add(self, name, sweep, damage, outcome, faults):
        self.count += 1
        path = damage.split(":")[1]
        row = self.rows[(damage.split(":")[0], sweep.pattern.kind(path) if path else "all")]
        row[outcome] += 1
        if faults:
            row["VIOLATED"] += 1
            self.violations.append((name, sweep.pattern.folder, damage, outcome, faults))

    def table(self):
        outcomes = sorted({outcome for row in self.rows.values() for outcome in row})
        yield " | ".join(["damage", "file", *outcomes])
        for (damage, kind), row in sorted(self.rows.items()):
            yield " | ".join([f"{damage:9}", f"{kind:9}", *(
                f"{row[outcome] or '':>{len(outcome)}}" for outcome in outcomes)])

    def by_fault(self):
        """How often there was which violation: numbers and names of files left out."""
        counted = collections.Counter()
        first = {}
        for name, folder, damage, _, faults in self.violations:
            for fault in faults:
                text = " ".join("…" if any(sign.isdigit() for sign in word) or "/" in word else word
                                for word in fault.split()[:14])
                counted[text] += 1
                first.setdefault(text, (folder, damage))
        for text, count in counted.most_common():
            folder, damage = first[text]
            yield f"{count:5} {text}\n      --pattern {folder} --case {damage}"


def damages(pattern, generator, options):
    """The cases of a pattern."""
    found = []
    if options.files:
        found += whole_file_damages(pattern.files, pattern.older_files)
        found += folder_damages(pattern.files, pattern.older_files)
    cuts = list(truncations(pattern.files))
    if options.truncations:
        found += cuts
    elif options.cuts:
        found += generator.sample(cuts, min(options.cuts, len(cuts)))
    return found + list(mutations(pattern.files, generator, options.rounds))


def sweep_all(sweeps, cases, jobs, results=None, log=None, until=None):
    """Runs cases, of which each is a sweep's name and a damage, several at once; returns `Results`.

    `until` is when no further ones are begun, on the monotonic clock.
    """
    results = results or Results()

    def one(case):
        name, damage = case
        if until and time.monotonic() > until:
            return None
        return name, damage, *sweeps[name].run(damage)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in pool.map(one, cases):
            if done:
                name, damage, outcome, faults = done
                results.add(name, sweeps[name], damage, outcome, faults)
                if log:
                    log(results, damage, faults)
    return results


def memory_folder():
    """The folder for copies: in memory if possible, because a sync costs nothing there."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=500, help="random mutations of each pattern")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--truncations", action="store_true", help="each file, every 64 bytes")
    parser.add_argument("--cuts", type=int, default=0, help="the number of these truncations")
    parser.add_argument("--files", action="store_true", help="files removed, exchanged, older, added")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--made-by", help="a binary that makes the patterns, of an earlier format")
    parser.add_argument("--pattern", type=pathlib.Path, help="a pattern that was kept")
    parser.add_argument("--case", action="append", default=[], help="only this damage")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    generator = random.Random(options.seed)
    kept = pathlib.Path(tempfile.mkdtemp(prefix="reload-router-sweep-"))
    work = pathlib.Path(tempfile.mkdtemp(prefix="reload-router-sweep-", dir=memory_folder()))
    begun = time.monotonic()
    try:
        if options.pattern:
            patterns = {"given": Pattern(options.pattern)}
        else:
            patterns = {name: make_pattern(kept / name, is_ended, options.made_by)
                        for name, is_ended in PATTERNS.items()}
        sweeps = {}
        for name, pattern in patterns.items():
            (work / name).mkdir()
            sweeps[name] = Sweep(pattern, work / name)
        cases = [(name, damage) for name, pattern in patterns.items()
                 for damage in options.case or damages(pattern, generator, options)]

        def log(results, damage, faults):
            if faults and (len(results.violations) <= 20 or options.case):
                print(damage, *faults, sep="\n    ", flush=True)
            if results.count % 500 == 0:
                print(f"{time.monotonic() - begun:.0f} s, {results.count} of {len(cases)} cases, "
                      f"{len(results.violations)} violations", flush=True)

        results = sweep_all(sweeps, cases, options.jobs, log=log)
    finally:
        shutil.rmtree(work)
    print(*results.table(), *results.by_fault(), sep="\n")
    print(f"{results.count} cases, {len(results.violations)} violations, "
          f"{time.monotonic() - begun:.0f} s")
    if not results.violations:
        shutil.rmtree(kept)
    return 1 if results.violations else 0


if __name__ == "__main__":
    sys.exit(main())
