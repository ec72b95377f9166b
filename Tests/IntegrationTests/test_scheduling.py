"""When widgets reload: by the real clock, with the app file and its changes, over real sockets.

What is decided, and for when, is tested to the millisecond in RouterCoreTests.

Times are compared in the direction that a slow machine cannot spoil: nothing comes too early. What
is asked for is waited for, with a time-out; only what must not come is waited out.
"""

import json
import pathlib
import signal
import tempfile
import time
import unittest

from admin import ask
from support import *

RULE = {"match": {"character": ["${configuration.character}"]}}


def apps_of(policy, origins=()):
    """An app file with one kind, DETAIL, that has a policy."""
    app = APPS["apps"][0] | {"origins": list(origins), "kinds": [{"kind": DETAIL} | RULE | policy]}
    return {"apps": [app]}


class SchedulingCase(RouterCase):
    def router_with(self, origins=(), **policy):
        return self.start(apps=apps_of(policy, origins))

    def devices(self, router, count):
        """A gateway that has registered devices d-0, d-1 … that all show the same character."""
        gateway = self.gateway(router=router)
        for number in range(count):
            gateway.send(WIDGETS, {"device": f"d-{number}",
                                   "widgets": [widget("w1", character="elf-42")]})
        gateway.barrier()
        return gateway

    def one(self, router):
        """A device with a widget, and a publisher."""
        return (self.device("d-1", widget("w1", character="elf-42"), router=router),
                self.publisher(router=router))

    def collect(self, client, count):
        """The next `count` RELOADs, with the time in ms at which each was here."""
        found = []
        while len(found) < count:
            reload = client.expect(RELOAD)
            found.append((now_ms(), reload))
        return found

    def assert_silent(self, client, seconds):
        """No RELOAD comes for so long."""
        with self.assertRaises(TimeoutError):
            client.expect(RELOAD, timeout=seconds)

    def reload(self, client, cause, timeout=10.0):
        found = client.expect(RELOAD, timeout=timeout)
        self.assertEqual(found.json["cause"], cause, found)
        return found


class Dates(SchedulingCase):
    def test_after_is_spread_over_the_window_and_never_early(self):
        """200 devices ask for one date: SCHEDULED announces the slot, and the RELOAD comes then or later."""
        router = self.router_with([{"origin": "o", "perSecond": 1_000, "undelayed": 0}],
                                  budget="unlimited", origin="o", spread={"window": 3})
        gateway = self.devices(router, 200)
        date = now_ms() + 2_000
        for number in range(200):
            gateway.send(TIMELINE, {"device": f"d-{number}", "widget": "w1", "because": "request",
                                    "entries": [date], "policy": {"after": date}})
        reported = {}
        while len(reported) < 200:
            answer = gateway.expect(SCHEDULED).json
            self.assertEqual(answer["reloadAt"] - answer["slotDelay"], date)
            reported[answer["device"]] = answer["reloadAt"]
        for time_here, reload in self.collect(gateway, 200):
            self.assertEqual(reload.json["cause"], "after")
            # The slot may have moved, but never in front of the date.
            self.assertGreaterEqual(time_here, date)
            if reload.json["device"] in reported:
                self.assertGreaterEqual(time_here, reported.pop(reload.json["device"]))
        self.assertEqual(reported, {}, "each device reloads once")


class Budgets(SchedulingCase):
    def test_the_second_push_waits_for_the_spacing(self):
        """It comes a second after the first reload, not before, with the cause budget."""
        device, publisher = self.one(self.router_with(budget={"spacing": 1}))
        while True:
            begin = time.monotonic()
            publisher.pushed(HEALING)
            self.reload(device, "push")
            publisher.pushed(HEALING)
            publisher.pushed(HEALING)
            if time.monotonic() - begin < 1:
                break
            # The machine has given this test no core meanwhile, so that the spacing was over.
            rested = now_ms() + 2_000
            wait_until(lambda: now_ms() > rested, "no reload waits any more")
            device.reloads()
        self.reload(device, "budget")
        self.assertGreaterEqual(time.monotonic() - begin, 1)
        self.assert_silent(device, 0.3)


class Origins(SchedulingCase):
    ORIGIN = [{"origin": "o", "perSecond": 50, "undelayed": 0}]

    def test_the_fan_out_of_a_push_keeps_to_the_origins_rate(self):
        """200 devices at 50 a second take three seconds at least; no second has more than 50."""
        router = self.start("--admin", "127.0.0.1:0", apps=apps_of(
            {"budget": "unlimited", "origin": "o"}, self.ORIGIN))
        gateway = self.devices(router, 200)
        publisher = self.publisher(router=router)
        begin = now_ms()
        self.assertEqual(publisher.pushed(HEALING), 200)
        devices = {reload.json["device"] for _, reload in self.collect(gateway, 200)}
        self.assertEqual(len(devices), 200)
        self.assertGreaterEqual(now_ms() - begin, 2_900)
        # By the router's clock: on a slow machine several arrive here together.
        times = sorted(self.sent_at(router, device) - begin for device in devices)
        # The router's seconds begin somewhere.
        most = min(max(sum(start <= t < start + 1_000 for t in times)
                       for start in range(offset - 1_000, times[-1] + 1, 1_000))
                   for offset in range(0, 1_000, 50))
        self.assertLessEqual(most, 60, times)

    def sent_at(self, router, device):
        """When the one RELOAD of a device was sent."""
        found = ask(router, f"/v1/apps/{APP}/devices/{device}").json
        at, = (decision["at"] for decision in found["decisions"] if decision["reason"] == "sent")
        return at


class States(SchedulingCase):
    def test_a_device_that_asks_after_every_reload_is_slowed(self):
        """The operator reads of it in the log."""
        router = self.router_with(budget="unlimited")
        device, _ = self.one(router)
        # A request counts as an answer to a RELOAD within five seconds: here or there one may come later.
        for asked in range(20):
            device.request(REQUEST, {"device": "d-1"})
            found = device.reloads()
            if not found:
                break
            self.assertEqual([reload.json["cause"] for reload in found], ["request"])
        self.assertGreaterEqual(asked, 3)
        self.assertEqual(device.reloads(), [])
        router.wait_log("devices ask for a reload after every reload")

    def test_close_entries_are_warned_of(self):
        """SCHEDULED says so to the device, the log to the operator."""
        router = self.router_with(budget="unlimited")
        device, _ = self.one(router)
        date = now_ms() + 3_600_000
        device.request(TIMELINE, {"device": "d-1", "widget": "w1",
                                  "entries": [date, date + 299_999], "policy": "atEnd"})
        self.assertEqual(device.expect(SCHEDULED).json["warning"], "entries-close")
        router.wait_log("entries less than five minutes apart")
        device.request(TIMELINE, {"device": "d-1", "widget": "w1",
                                  "entries": [date, date + 300_000], "policy": "atEnd"})
        self.assertNotIn("warning", device.expect(SCHEDULED).json)


class AppFiles(SchedulingCase):
    def adopt(self, router, apps):
        count = router.log.count("app file read again")
        router.apps.write_text(json.dumps(apps))
        router.signal(signal.SIGHUP)
        router.wait_log("app file read again", count + 1)

    def test_new_policies_hold_after_sighup(self):
        """From unlimited to a spacing, to debounce, and back; widgets stay registered."""
        router = self.router_with(budget="unlimited")
        device, publisher = self.one(router)
        for _ in range(2):
            publisher.pushed(HEALING)
            self.assertEqual(len(device.reloads()), 1)
        self.adopt(router, apps_of({"budget": "unlimited", "debounce": {"wait": 0.3}}))
        begin = time.monotonic()
        publisher.pushed(HEALING)
        self.reload(device, "push")
        self.assertGreaterEqual(time.monotonic() - begin, 0.3)
        self.adopt(router, apps_of({}))
        publisher.pushed(HEALING)
        self.assertEqual(len(device.reloads()), 1)
        publisher.pushed(HEALING)
        self.assertEqual(device.reloads(), [])

    def test_an_error_in_a_policy_is_reported_by_check_and_by_serve(self):
        """With line, column and the path of the member."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "apps.json"
            path.write_text(json.dumps(apps_of({"spread": {"window": 0}}), indent=1))
            checked = command("check", "--apps", path)
            self.assertEqual(checked.returncode, 1)
            self.assertRegex(checked.stderr, r"apps\.json: line \d+, column \d+, apps.*spread\.window")
            served = command("serve", "--listen", "127.0.0.1:0", "--store", "none", "--apps", path)
            self.assertNotEqual(served.returncode, 0)
            self.assertIn(checked.stderr.strip().splitlines()[-1], served.stderr)


if __name__ == "__main__":
    unittest.main()
