"""Widgets come, change and go while pushes flow, against a model of who must be reloaded."""

import random
import threading
import unittest

from support import *

HEROES = [f"hero-{n}" for n in range(12)] + [1, 2.5, True]
GUILDS = ["red", "blue", "green"]


class Model:
    """What each device shows, and which of its widgets a payload concerns: the plain way."""

    def __init__(self):
        self.widgets = {}

    @staticmethod
    def same(left, right):
        return isinstance(left, bool) == isinstance(right, bool) and left == right

    @classmethod
    def any_of(cls, configured, payload, field):
        if field not in payload:
            return False
        wanted = configured if isinstance(configured, list) else [configured]
        given = payload[field] if isinstance(payload[field], list) else [payload[field]]
        return any(cls.same(w, g) for w in wanted for g in given)

    @classmethod
    def concerns(cls, payload, entry):
        if "kinds" in payload and entry["kind"] not in payload["kinds"]:
            return False
        shown = entry["configuration"]
        if entry["kind"] == DETAIL:
            return "character" in shown and cls.any_of(shown["character"], payload, "character")
        if entry["kind"] == PARTY:
            return "member" in shown and cls.any_of(shown["member"], payload, "character")
        if not shown:
            return "kinds" in payload
        return all(cls.any_of(value, payload, name) for name, value in shown.items())

    def matched(self, payload):
        return {(device, entry["id"]) for device, entries in self.widgets.items()
                for entry in entries if self.concerns(payload, entry)}


class Churn(RouterCase):
    connections = 16
    devices_each = 4

    def setUp(self):
        super().setUp()
        self.random = random.Random(4_242)
        self.model = Model()
        self.publisher_session = self.publisher()
        # Half are devices, half are gateways that speak for several.
        self.owners = []
        for number in range(self.connections):
            if number % 2:
                self.owners.append((self.device(f"d-{number}"), [f"d-{number}"]))
            else:
                names = [f"g-{number}-{i}" for i in range(self.devices_each)]
                self.owners.append((self.gateway(), names))

    def any_hero(self):
        if self.random.random() < 0.25:
            return self.random.sample(HEROES, self.random.randint(0, 3))
        return self.random.choice(HEROES)

    def any_widget(self, id):
        kind = self.random.choice([DETAIL, DETAIL, PARTY, GUILD, GUILD, BOARD])
        if kind == DETAIL:
            return widget(id, kind, character=self.any_hero())
        if kind == PARTY:
            return widget(id, kind, member=self.any_hero())
        if kind == BOARD:
            return widget(id, kind)
        parameters = {"guild": self.random.choice(GUILDS)}
        if self.random.random() < 0.5:
            parameters["character"] = self.any_hero()
        return widget(id, kind, **parameters)

    def any_payload(self):
        payload = {"event": "damage", "amount": self.random.randrange(100)}
        if self.random.random() < 0.9:
            payload["character"] = self.any_hero()
        if self.random.random() < 0.5:
            payload["guild"] = self.random.choice(GUILDS)
        if self.random.random() < 0.15:
            payload["kinds"] = self.random.sample([DETAIL, PARTY, GUILD, BOARD], 2)
        return payload

    def change(self, client, names):
        """Registers a new list for one of the devices: some widgets stay, change, go and come."""
        device = self.random.choice(names)
        kept = []
        for entry in self.model.widgets.get(device, []):
            fate = self.random.random()
            if fate < 0.5:
                kept.append(entry)
            elif fate < 0.75:
                kept.append(self.any_widget(entry["id"]))
        taken = {entry["id"] for entry in kept}
        free = [f"w{n}" for n in range(6) if f"w{n}" not in taken]
        for id in self.random.sample(free, self.random.randint(0, len(free)) // 2):
            kept.append(self.any_widget(id))
        self.random.shuffle(kept)
        self.model.widgets[device] = kept
        return client.send(WIDGETS, {"device": device, "widgets": kept})

    def churn(self, owners):
        """Changes several devices of several connections, and waits for all the ACKs."""
        sent = [(client, [self.change(client, names) for _ in range(3)][-1])
                for client, names in owners]
        for client, seq in sent:
            while client.expect(ACK).seq < seq:
                pass

    def check_pushes(self, payloads, when="at the end"):
        """The pushes, pipelined, reach exactly whom the model says, and the counts add up."""
        for payload in payloads:
            seq = self.publisher_session.push(payload, kinds=payload.get("kinds"))
        expected = [self.model.matched(payload) for payload in payloads]
        self.assertEqual(self.publisher_session.wait_acked(seq), sum(map(len, expected)),
                         when)
        reached = set()
        for client, names in self.owners:
            for device, entry in client.reloaded():
                self.assertIn(device, names)
                reached.add((device, entry))
        self.assertEqual(reached, set().union(*expected), when)

    def test_after_every_change_exactly_the_matching_widgets_are_reloaded(self):
        """120 rounds of changes on 16 connections and pushes, each round checked in full."""
        for round in range(120):
            self.churn(self.random.sample(self.owners, 6))
            pushes = [self.any_payload() for _ in range(self.random.randint(1, 8))]
            self.check_pushes(pushes, f"round {round}")

    def test_changes_while_pushes_flow_lose_nothing(self):
        """A publisher pushes without pause; widgets that never change are reached every time."""
        steady = self.device("steady", *(widget(f"w{n}", PARTY, member=f"steady-{n}")
                                         for n in range(4)))
        flow = self.publisher("flow")
        done = threading.Event()
        matched, failures = [0, 0], []

        def push():
            try:
                while not done.is_set():
                    batch = 0
                    for number in range(200):
                        seq = flow.push({"character": [f"steady-{number % 4}", "hero-1"]})
                        batch += 1
                    matched[0] += flow.wait_acked(seq)
                    matched[1] += batch
            except Exception as failure:  # shown by the test's own thread
                failures.append(failure)

        thread = threading.Thread(target=push)
        thread.start()
        try:
            for _ in range(60):
                self.churn(self.random.sample(self.owners, 8))
                self.assertLessEqual({w for _, w in steady.reloaded()}, {"w0", "w1", "w2", "w3"})
        finally:
            done.set()
            thread.join()
        self.assertEqual(failures, [])
        self.assertGreaterEqual(matched[0], matched[1], "each push matched a steady widget")
        for client, _ in [*self.owners, (steady, [])]:
            client.reloads()
        # The dust has settled: what is stored is what the model says.
        for _ in range(20):
            self.check_pushes([self.any_payload()])


if __name__ == "__main__":
    unittest.main()
