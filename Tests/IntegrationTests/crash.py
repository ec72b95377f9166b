#!/usr/bin/env python3
"""Kills the real router at random moments under load, and checks what it promised.

    RELOAD_ROUTER=… python3 crash.py --rounds 500 --seed 7 [--durability os]

One store lives through all rounds. In each the router is started, publishers send again what was
not acknowledged, devices come back (some of them), and then it is killed: while it starts, while
clients connect, under load, as the app file is read again, during a drain. Now and then everything
comes to rest: everything outstanding must have come then, and a restart must reload no widget.

What is checked is in `crash_model.py` and, of the tokens that an operator revokes meanwhile, in
`crash_tokens.py`. A failure prints the seed, and keeps the store, the logs of the last routers and a
trace of all frames. The seed decides what is done; when exactly the router is killed also depends on
the machine.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

from crash_facts import INFINITY
from crash_model import Model, Violation
from crash_peers import Host, Publisher
from crash_tokens import Holder
from crash_wires import Wires
from crash_world import HEROES, PAYERS, app_file
from support import PATIENCE as SLOWNESS
from support import Router

DEVICES = 10
GATEWAYS = 3
DEVICES_OF_GATEWAY = 4
# Devices whose tokens an operator revokes.
HOLDERS = 4
# Rounds between two times of rest.
LOAD_ROUNDS = 12
# How a round ends, and how often.
ENDINGS = {"load": 6, "answer": 6, "connect": 3, "start": 4, "drain": 4, "hangup": 3, "stop": 1}
# A wait longer than this, in s, is for something that will not come.
PATIENCE = 60


class Run:
    """A store, the routers that use it one after the other, and their clients."""

    def __init__(self, seed, folder, flags=(), endings=ENDINGS, patience=PATIENCE, log=None):
        self.random = random.Random(seed)
        self.folder, self.flags, self.endings = folder, flags, endings
        self.patience, self.log = patience, log
        self.store = folder / "store"
        self.model, self.wires = Model(), Wires()
        self.publishers = [Publisher(self.model, self.random, self.wires, producer)
                           for producer in self.model.producers]
        self.hosts = self._hosts()
        self.holders = [Holder(self.model, self.random, self.wires, f"t-{n}") for n in range(HOLDERS)]
        self.router = None
        self.round = 0
        # How long the router took to listen, the last time, in s.
        self.start_time = 0.1
        self.waits_for = None

    def _hosts(self):
        def host(devices, **options):
            return Host(self.model, self.random, self.wires, devices, **options)

        devices = [host([f"d-{n}"]) for n in range(DEVICES)]
        gateways = [host([f"g-{n}-{i}" for i in range(DEVICES_OF_GATEWAY)], role="gateway")
                    for n in range(GATEWAYS)]
        return devices + gateways + [host([f"p-{n}"], kinds=["paid"]) for n in range(len(PAYERS))]

    # The router.

    def start(self):
        """Starts the router without waiting until it listens."""
        # The app file has a key, which nobody else may read.
        usual = os.umask(0o077)
        try:
            self.router = Router(
                *self.flags, "--drain-timeout", 5, "--admin", "127.0.0.1:0", apps=app_file(self.model.variant),
                store=self.store, waits=False)
        finally:
            os.umask(usual)

    def listen(self):
        begun = time.monotonic()
        self.router.wait_listening(self.patience)
        self.start_time = time.monotonic() - begun
        self.model.variant_changed()

    def change_apps(self):
        """Writes the other app file, and sends SIGHUP to the router."""
        variant = {"hero": "alias", "alias": "hero"}[self.model.variant]
        self.model.variant_changes(variant)
        self.router.apps.write_text(json.dumps(app_file(variant)))
        self.router.signal(signal.SIGHUP)

    def kill(self):
        """Kills the router, and reads what it had sent before."""
        self.check_alive()
        self.router.kill()
        self.end_round()

    def end_round(self):
        for wire in list(self.wires.all):
            wire.drain()
        self.keep_log()
        self.model.reload_floor = self.model.last_reload
        self.router = None

    def stop(self):
        """Drains the router; it must end by itself."""
        self.router.signal(signal.SIGTERM)
        deadline = time.monotonic() + self.patience
        while self.router.process.poll() is None and time.monotonic() < deadline:
            self.turn()
        code = self.router.process.poll()
        if code != 0:
            raise Violation(f"exit {code} of a drain")
        self.end_round()

    def check_alive(self):
        code = self.router.process.poll()
        if code is not None:
            raise Violation(f"the router ended with {code}")

    def keep_log(self):
        text = self.router.log
        self.model.counts["checkpoints"] += text.count("the checkpoint is on the disk")
        (self.folder / f"log-{self.round % 8}.txt").write_text(f"round {self.round}\n{text}")
        self.router.folder.cleanup()
        if "Fatal error" in text:
            raise Violation("the router trapped")

    # Time.

    def turn(self):
        self.wires.turn(0.001)

    def until(self, condition, what):
        deadline = time.monotonic() + self.patience
        while not condition():
            if time.monotonic() > deadline:
                raise Violation(f"waited in vain for {what}: {self.waits_for}")
            if self.router:
                self.check_alive()
            self.turn()

    def connect(self, share):
        """Lets all publishers and some of the hosts come back."""
        hosts = [host for host in self.hosts if self.random.random() < share]
        peers = self.publishers + hosts
        self.random.shuffle(peers)
        for peer in peers:
            peer.connect(self.router.address)
            self.turn()
        for holder in self.holders:
            holder.probe(self.router)
        return hosts

    # Load.

    def load(self, seconds, answers=INFINITY, least=0):
        """All clients are active until the time is over and at least a number of pushes and frames have been
        acknowledged, or until `answers` of them have."""
        deadline, patience = time.monotonic() + seconds, time.monotonic() + self.patience
        answers += self.answers
        least += self.answers
        for publisher in self.publishers:
            publisher.window = self.random.choice([1, 8, 64, 300])
        while self.answers < answers and (
                time.monotonic() < deadline or self.answers < least and time.monotonic() < patience):
            for publisher in self.publishers:
                for _ in range(self.random.choice([0, 0, 1, 2, 10])):
                    publisher.push()
            if self.random.random() < 0.3:
                self.random.choice(self.hosts).act()
            if self.random.random() < 0.03:
                self.come_and_go()
            if self.random.random() < 0.1:
                self.random.choice(self.holders).act(self.router)
            self.turn()

    @property
    def answers(self):
        return sum(self.model.counts[name] for name in ("acks", "frames", "revocations"))

    def come_and_go(self):
        peer = self.random.choice(self.hosts + self.publishers)
        if peer.wire:
            # A gateway's frames could still be read when its next session has begun.
            if getattr(peer, "role") == "gateway" and (peer.open or not peer.is_there):
                return
            peer.close()
        peer.connect(self.router.address)

    # Rounds.

    def run_round(self, ending):
        self.model.note("round", self.round, ending)
        self.start()
        if ending == "start":
            # Some of these are killed before their first instruction, others when they listen.
            time.sleep(self.random.random() * 1.2 * self.start_time)
            return self.kill()
        self.listen()
        self.connect(self.random.choice([0.3, 0.7, 1.0]))
        if ending == "connect":
            self.load(self.random.random() * 0.02)
            return self.kill()
        if ending == "answer":
            self.load(2 * SLOWNESS, answers=self.random.randint(1, 300))
            return self.kill()
        # On a slow machine hardly anything would happen in that time.
        self.load(self.random.random() * 0.5, least=150)
        if ending == "hangup":
            self.change_apps()
            self.load(self.random.choice([0, 0.002, 0.02, 0.1]))
        elif ending == "drain":
            self.router.signal(signal.SIGTERM)
            time.sleep(self.random.random() ** 2 * 0.05)
            if self.router.process.poll() not in (None, 0):
                raise Violation(f"exit {self.router.process.returncode} of a drain")
            self.router.kill()
            return self.end_round()
        elif ending == "stop":
            return self.stop()
        self.kill()

    def rest(self):
        """All clients are connected and do nothing new: what is outstanding comes, and nothing more."""
        self.model.note("rest")
        for host in self.hosts:
            host.is_settling = True
        self.start()
        self.listen()
        self.connect(1.0)
        self.until(self.is_quiet, "answers")
        self.until(lambda: not self.waiting(), "reloads")
        self.probe()
        self.until(lambda: self.is_quiet() and not self.waiting() and not self.unrest(), "rest")
        self.random.choice([self.stop, self.kill])()
        self.model.note("after rest")
        reloads = self.model.counts["reloads"]
        self.start()
        self.listen()
        self.connect(1.0)
        self.until(self.is_quiet, "answers after a rest")
        # A budget that may be spent is all that can be open.
        spent = self.model.counts["reloads"] - reloads
        if spent > len(PAYERS):
            raise Violation(f"{spent} reloads after a rest")
        self.stop()
        for host in self.hosts:
            host.is_settling = False

    def probe(self):
        """A push from every producer for every hero: the dates are taken back, and each widget has
        a reload that is younger than all that was open."""
        for host in self.hosts:
            for device in host.devices:
                host.quieten(device)
        for publisher in self.publishers:
            publisher.window = 1_000
            for hero in HEROES + PAYERS:
                publisher.push(hero, hero, is_plain=True)

    def is_quiet(self):
        return all(peer.is_quiet for peer in self.publishers + self.hosts + self.holders)

    def waiting(self):
        return self._first(self.model.waits)

    def unrest(self):
        return self._first(self.model.unrest)

    def _first(self, question):
        for widget in self.model.widgets.values():
            if answer := question(widget):
                self.waits_for = f"{widget} waits for {answer}"
                return True
        return False

    def run(self, rounds):
        names, weights = list(self.endings), list(self.endings.values())
        for self.round in range(1, rounds + 1):
            if self.round % LOAD_ROUNDS == 0:
                self.rest()
            else:
                self.run_round(self.random.choices(names, weights)[0])
            if self.log:
                self.log(self)
        self.rest()

    def put_away(self):
        if self.router:
            self.router.kill()
            self.router.folder.cleanup()
        for wire in list(self.wires.all):
            wire.wires.remove(wire)
            wire.socket.close()

    def explain(self, failure):
        """Saves the evidence of a failure; returns the text to read first."""
        if self.router:
            with contextlib.suppress(OSError):
                (self.folder / "log-last.txt").write_text(self.router.log)
        lines = [f"{at:.6f} {' '.join(map(str, what))}" for at, what in self.model.trace]
        (self.folder / "trace.txt").write_text("\n".join(lines))
        return f"round {self.round}: {failure}; see {self.folder}"


def crash(seed, rounds, make=Run, keeps=True, **options):
    """Runs the harness; raises `Violation`, with the seed and, if it `keeps` it, a folder of
    evidence."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="reload-router-crash-"))
    run = make(seed, folder, **options)
    try:
        run.run(rounds)
        keeps = False
    except AssertionError as failure:
        raise Violation(f"seed {seed}, {run.explain(failure)}") from failure
    finally:
        run.put_away()
        if not keeps:
            shutil.rmtree(folder)
    return run.model.counts


def flags(durability):
    """The settings of the routers."""
    # A checkpoint begins by itself after 64 MB of journal, which are never written here.
    return ["--durability", durability, "--checkpoint-after", 100_000]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--durability", choices=["full", "os", "none"], default="full")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()

    def log(run):
        if run.round % 50 == 0:
            seconds = time.monotonic() - started
            print(f"{seconds:.0f} s, {run.round} rounds: {dict(run.model.counts)}", flush=True)

    try:
        print(dict(crash(options.seed, options.rounds, flags=flags(options.durability), log=log)))
    except Violation as violation:
        print(violation)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
