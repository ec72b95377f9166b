"""Bursts that are generated, and captures that are played without a router."""

import json
import pathlib
import tempfile
import time
import unittest

from support import *

GENERATE = ["capture", "generate"]
DRY_RUN = ["replay", "--dry-run"]


class DryRunFiles:
    """A folder with captures of bursts."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="reload-router-dry-run-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return self.folder / name

    def generate(self, shape, name, *more):
        result = lab(*GENERATE, shape, "--output", self.path(name), *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.path(name)

    def small(self, shape="market-open", name="a.rrcap", seed=1):
        return self.generate(
            shape, name, "--seed", str(seed), "--devices", "100", "--keys", "20",
            "--base", "10", "--factor", "5", "--seconds", "12",
        )

    def rules(self, text):
        path = self.path("rules.json")
        path.write_text(text)
        return path


class DryRun(DryRunFiles, unittest.TestCase):
    def test_same_rules_change_nothing_and_narrower_ones_take_away(self):
        capture = self.small()
        self.assertNotEqual(self.small(name="b.rrcap", seed=2).read_bytes(), capture.read_bytes())
        kind = (
            '{"kind":"%s","budget":"unlimited","match":{"symbol":["${configuration.symbol}"]}}'
        )
        both = '{"apps":[{"app":"com.burst.stocks","kinds":[%s,%s]}]}'
        same = self.rules(both % (kind % "quote", kind % "watchlist"))
        result = lab(*DRY_RUN, capture, "--rules", same, "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        difference = json.loads(result.stdout)["difference"]
        self.assertEqual([difference[name] for name in ("new", "gone", "moved")], [0, 0, 0])
        self.assertGreater(difference["same"], 100)
        narrow = kind.replace("]}}", '],"volume":[{"numeric":[">",25000]}]}}') % "quote"
        rules = self.rules(both % (narrow, kind % "watchlist"))
        decisions = self.path("decisions.jsonl")
        result = lab(*DRY_RUN, capture, "--rules", rules, "--json", "-", "--decisions", decisions)
        self.assertEqual(result.returncode, 0, result.stderr)
        difference = json.loads(result.stdout)["difference"]
        self.assertGreater(difference["gone"], 0)
        self.assertEqual(difference["new"], 0)
        kinds = {row["kind"]: row for row in difference["kinds"]}
        self.assertGreater(kinds["quote"]["gone"], 0)
        self.assertTrue(all(e["kind"] == "quote" for e in difference["examples"]))
        lines = map(json.loads, decisions.read_text().splitlines())
        named = sum(len(line.get("widgets", [])) for line in lines)
        self.assertEqual(named, difference["after"])
        text = lab(*DRY_RUN, capture, "--rules", rules).stdout
        self.assertIn("reloads of widgets with the capture's rules", text)
        self.assertIn("no push finds the widget by the new rules", text)

    def test_what_is_wrong_is_said(self):
        capture = self.small()
        missing = lab(*DRY_RUN, self.path("none.rrcap"))
        self.assertEqual(missing.returncode, 1)
        self.assertIn("capture-missing", missing.stderr)
        bad = lab(*DRY_RUN, capture, "--rules", self.rules('{"apps":[{"app":1}]}'))
        self.assertEqual(bad.returncode, 1)
        self.assertIn("line 1", bad.stderr)
        there = lab(*GENERATE, "hot-key", "--output", capture)
        self.assertEqual(there.returncode, 1)
        unknown = lab(*GENERATE, "storm", "--output", self.path("x.rrcap"))
        self.assertIn("reconnect-storm", unknown.stderr)
        listed = lab(*GENERATE, "--list").stdout
        self.assertIn("chatty-producer", listed)


def facts(reload):
    """What a RELOAD says, but for its number."""
    return (reload["device"], sorted(reload["kinds"]), sorted(reload["widgets"]), reload["cause"])


def decided(capture):
    """The RELOADs of a dry run."""
    result = lab(*DRY_RUN, capture, "--decisions", "-", timeout=60)
    assert result.returncode == 0, result.stderr
    reloads = [line for line in map(json.loads, result.stdout.splitlines()) if "reload" in line]
    # The summary goes to standard error then.
    assert f"{len(reloads)} RELOAD" in result.stderr, result.stderr
    return sorted(map(facts, reloads))


class Recorded(DryRunFiles, RouterCase):
    """What a router has recorded of itself leads to what it did."""

    def apart(self):
        """What comes now shares no step of a dry run with what came before."""
        time.sleep(0.002)

    def test_a_recording_leads_to_the_same_reloads(self):
        router = self.start("--record", self.path("run.capture"))
        gateway = self.gateway(router=router)
        for number in range(12):
            gateway.register(
                widget("w1", character=f"c-{number % 5}"), widget("w2", PARTY, member=f"c-{number}"),
                device=f"d-{number}")
        first = self.device("d-99", widget("w1", character="c-1"), router=router)
        publisher = self.publisher(router=router)
        for number in range(60):
            self.apart()
            publisher.pushed({"character": f"c-{number % 7}", "hp": number})
        self.apart()
        gateway.request(REQUEST, {"device": "d-3"})
        found = gateway.reloads()
        gateway.answer(found[-1])
        # One of d-99's RELOADs is answered; what comes after it is sent again to its next session.
        reported = first.reloads()
        first.answer(reported[-1], policy={"after": now_ms() + 300})
        reported.append(first.expect(RELOAD))
        self.apart()
        second = self.session("device", device="d-99", router=router)
        reported += second.reloads()
        self.assertEqual(reported[-2].json["cause"], "after")
        self.assertEqual(len([r for r in reported if r.json["cause"] == "after"]), 2)
        publisher.barrier()
        self.assertEqual(router.stop(), 0, router.log)
        self.assertEqual(
            decided(self.path("run.capture")), sorted(facts(r.json) for r in found + reported))

    def test_so_does_one_that_begins_with_stored_devices(self):
        store = self.path("store")
        former = self.start(store=store)
        gateway = self.gateway(router=former)
        for number in range(6):
            gateway.register(widget("w1", character=f"c-{number % 2}"), device=f"d-{number}")
        self.assertEqual(former.stop(), 0, former.log)

        router = self.start("--record", self.path("run.capture"), store=store)
        publisher = self.publisher(router=router)
        gateway = self.gateway(router=router)
        for number in range(4):
            gateway.request(STATE, {"device": f"d-{number}", "foreground": False})
        for number in range(8):
            self.apart()
            publisher.pushed({"character": f"c-{number % 2}"})
        # The others come later, and get what is pending for them.
        for number in range(4, 6):
            self.apart()
            gateway.request(STATE, {"device": f"d-{number}", "foreground": False})
        found = gateway.reloads()
        self.assertEqual(len(found), 4 * 4 + 2)
        self.assertEqual(router.stop(), 0, router.log)
        self.assertEqual(
            decided(self.path("run.capture")), sorted(facts(r.json) for r in found))


class LiveRouter(DryRunFiles, RouterCase):
    """The same records over sockets, each push acknowledged before the next one is sent."""

    def lines(self, capture):
        """The records of a capture, each in a millisecond of its own: live, none share a step."""
        result = lab("capture", "to-jsonl", capture)
        self.assertEqual(result.returncode, 0, result.stderr)
        header, *records = map(json.loads, result.stdout.splitlines())
        time = 0
        for record in records:
            record["time"] = time = max(record["time"], time + 1_000)
        return header, records

    def spaced(self, header, records):
        """The RELOADs that a dry run of these records decides."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        lines = folder / "lines.jsonl"
        lines.write_text("".join(json.dumps(line) + "\n" for line in [header, *records]))
        spaced = folder / "spaced.rrcap"
        result = lab("capture", "from-jsonl", lines, "--output", spaced)
        self.assertEqual(result.returncode, 0, result.stderr)
        return decided(spaced)

    def sent(self, records):
        """The RELOADs of a live router."""
        apps = next(r["body"] for r in records if r["kind"] == "apps")
        router = self.start(apps=apps)
        clients = {}
        for record in records:
            kind, connection = record["kind"], record.get("connection")
            if kind == "hello":
                client = clients[connection] = Client(router.address)
                self.clients.append(client)
                client.send_raw(frame(HELLO, 0, record["body"]))
                client.expect(WELCOME)
            elif kind == "widgets":
                clients[connection].request(WIDGETS, record["body"])
            elif kind == "push":
                clients[connection].pushed(record["body"])
        found = []
        for client in clients.values():
            found += [facts(reload.json) for reload in client.reloads()]
        return found

    def test_sends_the_reloads_that_a_dry_run_decides(self):
        for shape in ("match-end", "many-apps"):
            with self.subTest(shape=shape):
                capture = self.generate(
                    shape, f"{shape}.rrcap", "--devices", 60, "--keys", 12, "--base", 10,
                    "--factor", 10, "--peak", 3, "--seconds", 12, "--apps", 1 if shape ==
                    "match-end" else 20, "--producers", 20, "--gateways", 1)
                header, records = self.lines(capture)
                expected = self.spaced(header, records)
                self.assertGreater(len(expected), 100)
                self.assertEqual(expected, sorted(self.sent(records)))


if __name__ == "__main__":
    unittest.main()
