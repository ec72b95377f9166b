"""When widgets reload: dates, budgets, debounce windows, origins and states, over real sockets.

Times are compared in the direction that a slow machine cannot spoil: nothing comes too early. What
is asked for is waited for, with a time-out; only what must not come is waited out.
"""

import json
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


def healing(**members):
    return {"character": "elf-42"} | members


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
    def spread(self, policy, cause, origins=()):
        """200 devices ask for one date, a second ahead."""
        router = self.router_with(origins, budget="unlimited", atEndFloor=1, **policy)
        gateway = self.devices(router, 200)
        date = now_ms() + 2_000
        for number in range(200):
            gateway.send(TIMELINE, {
                "device": f"d-{number}", "widget": "w1", "because": "request",
                "entries": [date], "policy": {"after": date} if cause == "after" else "atEnd"})
        reported = {}
        while len(reported) < 200:
            answer = gateway.expect(SCHEDULED).json
            self.assertEqual(answer["reloadAt"] - answer["slotDelay"], date)
            reported[answer["device"]] = answer["reloadAt"]
        for time_here, reload in self.collect(gateway, 200):
            self.assertEqual(reload.json["cause"], cause)
            # The slot may have moved, but never in front of the date.
            self.assertGreaterEqual(time_here, date)
            if reload.json["device"] in reported:
                self.assertGreaterEqual(time_here, reported.pop(reload.json["device"]))
        self.assertEqual(reported, {}, "each device reloads once")
        return date

    def slots(self, policy, origins=()):
        """The delays that SCHEDULED announces to 200 devices with one date, in ms."""
        router = self.router_with(origins, budget="unlimited", **policy)
        gateway = self.devices(router, 200)
        date = now_ms() + 3_600_000
        for number in range(200):
            gateway.send(TIMELINE, {"device": f"d-{number}", "widget": "w1", "entries": [],
                                    "policy": {"after": date}})
        return [gateway.expect(SCHEDULED).json["slotDelay"] for _ in range(200)]

    ORIGIN = [{"origin": "o", "perSecond": 1_000, "undelayed": 0}]

    def test_after_is_spread_over_the_window_and_never_early(self):
        """SCHEDULED announces the slot, and the RELOAD comes then or later."""
        self.spread({"origin": "o", "spread": {"window": 3}}, "after", self.ORIGIN)

    def test_at_end_is_spread_as_well(self):
        """At the last entry, with the cause atEnd; here without an origin."""
        self.spread({"spread": {"window": 3}}, "atEnd")

    def test_the_ledger_is_flat(self):
        """200 devices in 5 seconds: about 40 in each."""
        delays = self.slots({"origin": "o", "spread": {"window": 5}}, self.ORIGIN)
        # The origin's seconds do not begin with the date, so the last ones may be cut.
        for second in range(4):
            in_second = sum(second * 1_000 <= delay < second * 1_000 + 1_000 for delay in delays)
            self.assertTrue(30 <= in_second <= 60, (second, sorted(delays)))
        self.assertTrue(0 <= min(delays) and max(delays) <= 5_000, sorted(delays))
        self.assertGreater(max(delays), 3_500)

    def test_uniform_and_none_are_what_they_say(self):
        """Uniform within the window; none at the date itself."""
        delays = self.slots({"spread": {"mode": "uniform", "window": 5}})
        self.assertTrue(0 <= min(delays) < 1_000 and 4_000 < max(delays) <= 5_000, sorted(delays))
        self.assertEqual(set(self.slots({"spread": "none"})), {0})

    def test_few_devices_are_not_delayed(self):
        """The origin's first `undelayed` with a date."""
        origin = [{"origin": "o", "perSecond": 1_000, "undelayed": 50}]
        delays = self.slots({"origin": "o", "spread": {"window": 60}}, origin)
        self.assertGreaterEqual(sum(delay < 1_000 for delay in delays), 50)

    def test_a_device_with_a_timer_of_its_own_gets_no_reload(self):
        """It gets the date; its own reload answers it."""
        device, _ = self.one(self.router_with(spread="none"))
        date = now_ms() + 1_500
        device.request(TIMELINE, {"device": "d-1", "widget": "w1", "entries": [],
                                  "policy": {"after": date}, "ownTimer": True})
        self.assertEqual(device.expect(SCHEDULED).json["reloadAt"], date)
        self.assert_silent(device, 2.5)


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

    def test_in_the_foreground_nothing_waits(self):
        """What has waited goes at once, and what comes meanwhile too."""
        device, publisher = self.one(self.router_with())
        publisher.pushed(HEALING)
        self.reload(device, "push")
        publisher.pushed(HEALING)
        self.assertEqual(device.reloads(), [])
        device.request(STATE, {"device": "d-1", "foreground": True})
        self.reload(device, "budget")
        publisher.pushed(HEALING)
        self.reload(device, "push")
        device.request(STATE, {"device": "d-1", "foreground": False, "media": "audio"})
        publisher.pushed(HEALING)
        self.reload(device, "push")
        device.request(STATE, {"device": "d-1", "media": None})
        publisher.pushed(HEALING)
        self.assertEqual(device.reloads(), [])

    def test_a_spent_budget_leaves_the_reserve_to_urgent_pushes(self):
        """Ten in a day, one of them kept."""
        device, publisher = self.one(self.router_with(
            budget={"seldom": 10, "daily": 10, "often": 10, "learningDays": 0, "spacing": 0}))
        for _ in range(9):
            publisher.pushed(HEALING)
            self.reload(device, "push")
        publisher.pushed(HEALING)
        self.assertEqual(device.reloads(), [])
        publisher.pushed(HEALING, flags=URGENT)
        self.assertEqual(len(device.reloads()), 1)
        publisher.pushed(HEALING, flags=URGENT)
        self.assertEqual(device.reloads(), [])

    def test_a_download_does_not_wait_for_the_spacing(self):
        """One for each reload: a second one is a request like any other."""
        device, publisher = self.one(self.router_with())
        publisher.pushed(HEALING)
        self.reload(device, "push")
        request = {"device": "d-1", "kind": DETAIL}
        device.request(REQUEST, request | {"because": "download"})
        self.reload(device, "download")
        device.request(REQUEST, request | {"because": "download"})
        self.assertEqual(device.reloads(), [])
        device.request(REQUEST, request)
        self.assertEqual(device.reloads(), [])


class Storms(SchedulingCase):
    def test_a_debounce_window_is_one_reload_after_its_last_push(self):
        """Half a second after it, not before."""
        device, publisher = self.one(self.router_with(
            budget="unlimited", debounce={"wait": 0.5, "longest": 60}))
        last, pauses, early = time.monotonic(), 0, 0
        for number in range(20):
            before, last = last, time.monotonic()
            publisher.pushed(healing(turn=number))
            # A machine that gave this test no core for so long has ended the window between two pushes.
            pauses += time.monotonic() - before >= 0.5
        self.reload(device, "push")
        while time.monotonic() - last < 0.5:
            early += 1
            self.assertLessEqual(early, pauses)
            self.reload(device, "push")
        if pauses == 0:
            self.assert_silent(device, 0.7)

    def test_a_debounce_window_without_end_reloads_all_the_same(self):
        """After `longest`, while pushes still come."""
        device, publisher = self.one(self.router_with(
            budget="unlimited", debounce={"wait": 1, "longest": 1}))
        begin = time.monotonic()
        while time.monotonic() - begin < 30:
            publisher.pushed(HEALING)
            try:
                device.expect(RELOAD, timeout=0.05)
                break
            except TimeoutError:
                pass
        self.assertTrue(1 <= time.monotonic() - begin < 30)

    def test_an_urgent_push_does_not_wait_for_the_debounce_window(self):
        """Its reload also answers the pushes that wait."""
        device, publisher = self.one(self.router_with(
            budget="unlimited", debounce={"wait": 600, "longest": 3_000}))
        publisher.pushed(HEALING)
        self.assertEqual(device.reloads(), [])
        publisher.pushed(HEALING, flags=URGENT)
        self.assertEqual(len(device.reloads()), 1)
        self.assertEqual(device.reloads(), [])


class Fields(SchedulingCase):
    def test_a_push_that_changes_nothing_to_see_reloads_nothing(self):
        """It matches all the same; the same number written otherwise is the same."""
        device, publisher = self.one(self.router_with(budget="unlimited", shows=["hp"]))
        for hp, count in [(30, 1), (30, 0), (30.0, 0), (31, 1), (None, 1), (None, 0), (31, 1)]:
            self.assertEqual(publisher.pushed(healing(hp=hp, turn=time.monotonic())), 1)
            self.assertEqual(len(device.reloads()), count, hp)
        publisher.pushed(healing(turn=1))
        self.assertEqual(device.reloads(), [])

    def test_reload_carries_the_latest_values(self):
        """Once all are known, also those that an earlier push brought."""
        device, publisher = self.one(self.router_with(
            budget="unlimited", carries=["hp", "name"]))
        publisher.pushed(healing(hp=30))
        self.assertNotIn("values", self.reload(device, "push").json)
        publisher.pushed(healing(name="Elrond \u2744"))
        self.assertEqual(self.reload(device, "push").json["values"],
                         {"w1": {"hp": 30, "name": "Elrond \u2744"}})
        publisher.pushed(healing(hp=[1, {"a": None}]))
        self.assertEqual(self.reload(device, "push").json["values"],
                         {"w1": {"hp": [1, {"a": None}], "name": "Elrond \u2744"}})


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

    def test_urgent_pushes_go_first_then_widgets_in_sight(self):
        """Of 60 that wait, the one in sight is early, and an urgent push overtakes them all."""
        apps = apps_of({"budget": "unlimited", "origin": "o"},
                       [{"origin": "o", "perSecond": 20, "undelayed": 0}])
        router = self.start(apps=apps)
        gateway = self.devices(router, 60)
        gateway.request(WIDGETS, {"device": "d-urgent",
                                  "widgets": [widget("w1", character="orc-7")]})
        gateway.request(STATE, {"device": "d-59", "visible": ["w1"]})
        publisher = self.publisher(router=router)
        # In one write: between two, a slow machine would let pass more than a second allows.
        publisher.send_raw(frame(PUSH, 1, HEALING) + frame(PING, 1)
                           + frame(PUSH, 2, {"character": "orc-7"}, URGENT))
        order = [reload.json["device"] for _, reload in self.collect(gateway, 61)]
        # What a second allows at once may have gone before.
        self.assertLess(order.index("d-59"), 25, order)
        self.assertLess(order.index("d-urgent"), 25, order)

    def test_a_reload_with_all_values_needs_no_permit(self):
        """No device will call the origin: 200 reload at once, at one a second."""
        router = self.router_with([{"origin": "o", "perSecond": 1, "undelayed": 0}],
                                  budget="unlimited", origin="o", carries=["hp"])
        gateway = self.devices(router, 200)
        publisher = self.publisher(router=router)
        publisher.pushed(healing(hp=3))
        for _, reload in self.collect(gateway, 200):
            self.assertEqual(reload.json["values"], {"w1": {"hp": 3}})

    def test_a_disconnected_device_does_not_delay_the_others(self):
        """Its reload waits for its session, and comes with it."""
        router = self.router_with(self.ORIGIN, budget="unlimited", origin="o")
        gateway = self.devices(router, 30)
        gone = self.device("gone", widget("w1", character="elf-42"), router=router)
        gone.close()
        publisher = self.publisher(router=router)
        publisher.pushed(HEALING)
        self.collect(gateway, 30)
        back = self.device("gone", router=router)
        self.reload(back, "push")


class States(SchedulingCase):
    def test_a_widget_whose_push_has_expired_reloads_when_it_comes_into_sight(self):
        """The push had expired before the spacing allowed its reload."""
        device, publisher = self.one(self.router_with(budget={"spacing": 1}))
        while True:
            begin = now_ms()
            publisher.pushed(HEALING)
            self.reload(device, "push")
            date = now_ms() + 300
            if publisher.pushed(HEALING, void_at=date) == 1 and date < begin + 1_000:
                break
            # The machine has given this test no core meanwhile, so that the push came too late.
            wait_until(lambda: now_ms() > date + 1_000, "the spacing is over")
            device.reloads()
        self.assert_silent(device, 1.5)
        device.request(STATE, {"device": "d-1", "visible": []})
        self.assertEqual(device.reloads(), [])
        device.request(STATE, {"device": "d-1", "visible": ["w1"]})
        self.reload(device, "visible")
        device.request(STATE, {"device": "d-1", "visible": ["w1"]})
        self.assert_silent(device, 1.2)

    def test_a_significant_move_reloads_what_uses_the_location(self):
        """At no cost, although the widget has just reloaded; other kinds stay."""
        apps = apps_of({"usesLocation": True})
        apps["apps"][0]["kinds"].append({"kind": BOARD, "budget": "unlimited"})
        router = self.start(apps=apps)
        device = self.device("d-1", widget("w1", character="elf-42"), widget("w2", BOARD),
                             router=router)
        for _ in range(3):
            device.request(STATE, {"device": "d-1", "location": "significant-change"})
            self.assertEqual(self.reload(device, "location").json["widgets"], ["w1"])

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

    def test_dates_stay_when_the_spreading_changes(self):
        """Each of 20 devices still reloads once, and none before the date."""
        router = self.router_with(budget="unlimited", spread={"mode": "uniform", "window": 3})
        gateway = self.devices(router, 20)
        date = now_ms() + 1_500
        for number in range(20):
            gateway.send(TIMELINE, {"device": f"d-{number}", "widget": "w1", "entries": [],
                                    "policy": {"after": date}})
        gateway.barrier()
        self.adopt(router, apps_of({"budget": "unlimited", "spread": "none"}))
        found = self.collect(gateway, 20)
        self.assertEqual(len({reload.json["device"] for _, reload in found}), 20)
        self.assertGreaterEqual(min(time_here for time_here, _ in found), date)

    def test_errors_in_a_policy_are_reported_by_check_and_by_serve(self):
        """With line, column and the path of the member."""
        wrong = [
            ({"spread": {"window": 0}}, "spread.window"),
            ({"spread": "flat"}, "spread"),
            ({"budget": "much"}, "budget"),
            ({"budget": {"seldom": 50, "daily": 40}}, "budget"),
            ({"budget": {"spacing": -1}}, "budget.spacing"),
            ({"debounce": {"longest": 3}}, "debounce"),
            ({"debounce": {"wait": 3, "longest": 1}}, "debounce"),
            ({"observes": []}, "observes"),
            ({"inlines": [f"f{n}" for n in range(17)]}, "inlines"),
            ({"atEndFloor": 0.5}, "atEndFloor"),
            ({"usesLocation": 1}, "usesLocation"),
            ({"origin": "o"}, "origin"),
            ({"spreed": "none"}, "spreed"),
        ]
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/apps.json"
            for policy, member in wrong:
                with self.subTest(policy=policy):
                    with open(path, "w", encoding="utf-8") as file:
                        json.dump(apps_of(policy), file, indent=1)
                    checked = command("check", "--apps", path)
                    self.assertEqual(checked.returncode, 1)
                    self.assertRegex(checked.stderr, r"apps\.json: line \d+, column \d+, apps")
                    self.assertIn(member, checked.stderr)
                    served = command("serve", "--listen", "127.0.0.1:0", "--store", "none",
                                     "--apps", path)
                    self.assertNotEqual(served.returncode, 0)
                    self.assertIn(checked.stderr.strip().splitlines()[-1], served.stderr)

    def test_errors_in_an_origin_are_reported(self):
        """Also one that stands twice."""
        for origins in ([{"origin": "o"}], [{"origin": "o", "perSecond": 0}],
                        [{"origin": "o", "perSecond": 1}] * 2, [{"perSecond": 1}]):
            with self.subTest(origins=origins), tempfile.TemporaryDirectory() as folder:
                path = f"{folder}/apps.json"
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(apps_of({}, origins), file)
                result = command("check", "--apps", path)
                self.assertEqual(result.returncode, 1)
                self.assertIn("origins", result.stderr)


if __name__ == "__main__":
    unittest.main()
