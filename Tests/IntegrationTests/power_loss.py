#!/usr/bin/env python3
"""Simulates losses of power while a router opens and uses its store, and starts another one.

    RELOAD_ROUTER=… python3 power_loss.py --rounds 2000 --seed 7 [--scene open] [--every]

A violation prints its moment, its model, and what the router had done last. No power is really cut: a trace of
all changes to files (disk_trace.py) is played up to a moment, and what a disk may hold then is written to a
folder. `check` must find that store whole, and a router that is started on it must know all that was
acknowledged before, and nothing that was never sent. Scenes:

- open: a store that is kept (make_store_fixtures.py) is opened, and something is pushed;
- use: devices come and pushes are made while checkpoints are written, with a restart and a drain;
- first: `store create` makes a store, and a router opens it;
- backup: `store backup` copies a store; until it has ended well, the copy may be refused;
- repair: `store repair` repairs a damaged store; until it has ended well, that may be refused.
"""

import argparse
import collections
import concurrent.futures
import copy
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile
import time
from typing import NamedTuple

from disk_trace import MODELS, Disk, Tracer, read_trace
from make_store_fixtures import STORES, unpack
from store_case import *
from store_damage import apply
from store_facts import ADMIN
from store_pattern import make_pattern
from store_sweep import known, memory_folder
from store_verdict import run_tool, serve

DEVICES = 20
FIXTURE = "format-3-killed"
SCENES = ("open", "use", "first", "backup", "repair")


class Mark(NamedTuple):
    """What is acknowledged from a place of the trace on."""

    offset: int
    # Whether there is a store, also if nothing stands in it.
    is_made: bool
    lasts: dict
    devices: set


class Recorder(RouterCase):
    """Plays a scene with the real router; it is a test case only to use the helpers of one."""

    flags = ("--store", "none")

    def runTest(self):
        """Runs no test of its own."""

    def record(self, tracer, folder, scene, fixture):
        """Leaves `trace` in a folder, and what was acknowledged when in `marks`.

        Returns the disk as it was before.
        """
        self.folder, self.trace = folder, folder / "trace"
        self.disk = folder / "used"
        self.disk.mkdir(parents=True)
        self.trace.touch()
        self.marks = []
        self.environment = tracer.environment(self.disk, self.trace)
        self.lasts, self.devices, self.is_made = {}, set(), False
        if scene == "open":
            self.unpack(fixture)
        elif scene in ("backup", "repair"):
            self.copy_pattern("source" if scene == "backup" else "store")
        if scene == "repair":
            self.damage()
        # Inodes are identified by their numbers, so what is read later must be these very files.
        initial = Disk(self.disk)
        self.mark()
        getattr(self, f"play_{scene}")()
        return initial

    def unpack(self, fixture):
        unpack(fixture, self.disk)
        expected = json.loads((STORES / f"{fixture}.json").read_text())
        self.lasts = {key.split("/")[1]: last for key, last in expected["producers"].items()
                      if key.startswith(APP)}
        self.devices = {key.split("/", 1)[1] for key in expected["devices"]}
        self.is_made = True

    def copy_pattern(self, name):
        self.pattern = make_pattern(self.folder / "pattern", is_ended=True)
        shutil.copytree(self.pattern.store, self.disk / name)

    def keep(self, position):
        """What must be there is the pattern's state at this position."""
        devices, producers = self.pattern.states[position]
        self.lasts, self.devices, self.is_made = dict(producers), set(devices), True
        self.mark()

    def play_backup(self):
        ended = store_tool("backup", self.disk / "source", self.disk / "store", env=self.environment)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.keep(self.pattern.last)

    def play_repair(self):
        ended = store_tool("repair", self.disk / "store", env=self.environment)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.keep(int(re.findall(r"to position (\d+)", ended.stdout)[-1]))

    def damage(self):
        """Flips a bit in the midst of the newest file of the journal."""
        path = self.pattern.last_journal
        middle = self.pattern.files[path] // 2
        apply(f"flip:{path}:{middle}:3", self.disk / "store", None)

    def mark(self):
        """From here on in the trace all of that is acknowledged."""
        self.marks.append(Mark(self.trace.stat().st_size, self.is_made, dict(self.lasts),
                               set(self.devices)))

    def open(self, *flags):
        router = self.start(*ADMIN, "--checkpoint-after", 3_000, *flags, env=self.environment,
                            store=self.disk / "store")
        self.is_made = True
        self.mark()
        return router

    def push(self, publisher, name, count):
        for _ in range(count):
            publisher.pushed(HEALING)
            self.lasts[name] = publisher.acked
            self.mark()

    def register(self, gateway, *devices):
        for device in devices:
            gateway.register(ELF, device=device)
            self.devices.add(device)
            self.mark()

    def play_open(self):
        router = self.open("--store-must-exist")
        self.push(self.publisher("shard-7", router=router), "shard-7", 3)
        self.register(self.gateway(router=router), "new")
        self.end(router)

    def play_use(self):
        router = self.open()
        gateway, first = self.gateway(router=router), self.publisher("first", router=router)
        self.register(gateway, *(f"d-{number}" for number in range(DEVICES)))
        for _ in range(2):
            self.push_until_sealed(router, first, "first")
        self.push(self.publisher("second", router=router), "second", 5)
        router.restart()
        self.mark()
        first = self.publisher("first", router=router)
        for _ in range(3):
            self.push_until_sealed(router, first, "first")
        self.register(self.gateway(router=router), "late")
        self.end(router)

    def play_first(self):
        made = store_tool("create", self.disk / "store", env=self.environment)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.is_made = True
        self.mark()
        router = self.open()
        self.push(self.publisher("first", router=router), "first", 3)
        self.end(router)

    def push_until_sealed(self, router, publisher, name):
        sealed = router.log.count("the checkpoint is on the disk")
        while router.log.count("the checkpoint is on the disk") == sealed:
            self.push(publisher, name, 1)

    def end(self, router):
        for client in self.clients:
            client.close()
        self.assertEqual(router.stop(), 0)
        self.mark()


class Losses:
    """A scene that was recorded, and what a disk may hold at its moments."""

    def __init__(self, scene, tracer, folder, fixture=FIXTURE):
        self.scene, self.folder = scene, folder
        recorder = Recorder()
        recorder.setUp()
        try:
            self.initial = recorder.record(tracer, folder / "recorded", scene, fixture)
        finally:
            recorder.doCleanups()
        self.records = read_trace(folder / "recorded" / "trace")
        self.marks = recorder.marks
        self.apps = folder / "apps.json"
        self.apps.write_text(json.dumps(APPS))
        self._numbers = itertools.count()

    def acknowledged(self, moment):
        """What was acknowledged when this many records had been written."""
        offset = self.records[moment - 1][0] if moment else 0
        return [mark for mark in self.marks if mark.offset <= offset or mark is self.marks[0]][-1]

    def disks(self, moments):
        """Plays the trace; yields each of the moments, in rising order, with the disk at that time."""
        disk = copy.deepcopy(self.initial)
        played = 0
        for moment in moments:
            for record in self.records[played:moment]:
                disk.play(record)
            played = moment
            yield moment, disk

    def judge(self, store, moment):
        """What is wrong with a store that was left like that."""
        mark = self.acknowledged(moment)
        if self.scene in ("backup", "repair") and not mark.is_made:
            return self._judge_unfinished(store)
        return self._judge_store(store, mark)

    def _judge_unfinished(self, store):
        """It is refused, or what it will be in the end."""
        served = serve(store, self.apps, known, "--store-must-exist")
        yield from served.faults("serve")
        if served.is_accepted:
            yield from self._missing(self.marks[-1], served)
        elif self.scene == "repair" and "store-missing" in served.err:
            yield "neither the damaged store nor the repaired one is there"

    def _judge_store(self, store, mark):
        checked = run_tool("check", store)
        yield from checked.faults("check")
        if mark.is_made and not checked.is_accepted:
            yield f"check refuses: {checked.err[:400]}"
        # If no client was informed of a store, a router may have to create one, or to finish it.
        served = serve(store, self.apps, known, *["--store-must-exist"][:mark.is_made])
        yield from served.faults("serve")
        if not served.is_accepted:
            yield f"serve refuses: {served.refusal[0] if served.refusal else served.err[-400:]}"
            return
        yield from self._missing(mark, served)
        again = run_tool("check", store)
        if not again.is_accepted:
            yield f"check refuses it after a router has ended: {again.err[:400]}"

    def _missing(self, mark, served):
        for name, last in mark.lasts.items():
            if served.producers.get(name, 0) < last:
                yield f"{name}: push {last} was acknowledged, and {served.producers.get(name)} is kept"
        for name, last in served.producers.items():
            # One push more than was acknowledged in the end may be there.
            if last > self.marks[-1].lasts.get(name, last) + 1:
                yield f"{name}: {last} was never sent"
        if missing := mark.devices - served.devices:
            yield f"devices that were acknowledged are not there: {sorted(missing)[:3]}"

    def prepare(self, moment, disk, model, seed):
        """Writes what a disk may hold; returns a function that lists the violations, and tidies up."""
        place = self.folder / f"case-{next(self._numbers)}"
        disk.write(model, place, random.Random(seed))

        def finish():
            try:
                return list(self.judge(place / "store", moment))
            finally:
                shutil.rmtree(place)

        return finish

    def describe(self, moment):
        """The last changes before the moment."""
        words = [str(word)[:90] if not isinstance(word, bytes) else f"{len(word)} bytes"
                 for word in self.records[moment - 1][1:]] if moment else ["nothing yet"]
        return " ".join(words)


def lose(losses, cases, jobs):
    """Runs cases (moment, model, seed), of which the moments rise; yields each with its faults."""
    by_moment = collections.defaultdict(list)
    for moment, model, seed in cases:
        by_moment[moment].append((model, seed))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = collections.deque()
        for moment, disk in losses.disks(sorted(by_moment)):
            for model, seed in by_moment[moment]:
                running.append(((moment, model, seed), pool.submit(
                    losses.prepare(moment, disk, model, seed))))
            while len(running) > 4 * jobs:
                case, done = running.popleft()
                yield case, done.result()
        for case, done in running:
            yield case, done.result()


def random_cases(losses, generator, count):
    return [(generator.randint(0, len(losses.records)), generator.choice(list(MODELS)),
             generator.randrange(1 << 32)) for _ in range(count)]


def every_case(losses, generator):
    return [(moment, model, generator.randrange(1 << 32))
            for moment in range(len(losses.records) + 1) for model in MODELS]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200, help="losses of each scene")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--scene", choices=SCENES, action="append")
    parser.add_argument("--fixture", default=FIXTURE)
    parser.add_argument("--every", action="store_true", help="each moment, under each model")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    generator, begun, violations, count = random.Random(options.seed), time.monotonic(), 0, 0
    work = pathlib.Path(tempfile.mkdtemp(prefix="reload-router-power-", dir=memory_folder()))
    try:
        with Tracer() as tracer:
            for scene in options.scene or SCENES:
                losses = Losses(scene, tracer, work / scene, options.fixture)
                cases = every_case(losses, generator) if options.every \
                    else random_cases(losses, generator, options.rounds)
                print(f"{scene}: {len(losses.records)} records, {len(cases)} cases", flush=True)
                for (moment, model, seed), faults in lose(losses, cases, options.jobs):
                    count += 1
                    if faults:
                        violations += 1
                        print(f"{scene} {moment}:{model}:{seed} after {losses.describe(moment)}",
                              *faults, sep="\n    ", flush=True)
    finally:
        shutil.rmtree(work)
    print(f"{count} losses, {violations} violations, {time.monotonic() - begun:.0f} s")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
