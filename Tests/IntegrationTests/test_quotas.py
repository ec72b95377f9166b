"""What an app may have, and all apps together; and the memory that all of it takes."""

import json
import signal
import unittest

from admin import *
from store_case import *

ADMIN = ("--admin", "127.0.0.1:0")
OTHER = "com.other"


def app(name, kinds, **quotas):
    return {"app": name, **OPEN, "quotas": quotas, "kinds": [{"kind": kind} for kind in kinds]}


def apps(*declared):
    return {"apps": list(declared)}


def large(number, count=16_000):
    return {"id": "w", "kind": "k", "configuration": {"a": f"{number}-" + "x" * count}}


class Quotas(StoreCase):
    flags = ADMIN

    def begin(self, *flags, declared=None, **quotas):
        file = apps(*(declared or [app(APP, ["k"], **quotas), app(OTHER, ["k"])]))
        return self.start(*ADMIN, *flags, apps=file)

    def reload(self, router, file, answer="app file read again"):
        count = router.log.count(answer)
        router.apps.write_text(json.dumps(file))
        router.signal(signal.SIGHUP)
        router.wait_log(answer, count + 1)

    def refusal(self, client, seq):
        found = client.expect(REJECT)
        self.assertEqual((found.seq, found.code), (seq, "quota-exceeded"))
        return found.json["message"]

    def test_devices_widgets_and_sessions_of_an_app_end_at_its_quota(self):
        router = self.begin(devices=2, widgets=5, sessions=2)
        gateway = self.gateway(router=router)
        widgets = [{"id": f"w{number}", "kind": "k"} for number in range(3)]
        gateway.register(*widgets, device="d-1")
        gateway.register(*widgets[:2], device="d-2")
        third = {"device": "d-3", "widgets": widgets[:1]}
        self.assertEqual(
            self.refusal(gateway, gateway.send(WIDGETS, third)),
            f'app "{APP}": quota devices of 2 is used up (2 used, 1 more asked)')
        more = {"device": "d-2", "widgets": widgets}
        self.assertEqual(
            self.refusal(gateway, gateway.send(WIDGETS, more)),
            f'app "{APP}": quota widgets of 5 is used up (5 used, 1 more asked)')
        self.device("d-1", router=router)
        refused = self.connect(router)
        refused.hello("gateway")
        self.assert_ends(refused, "quota-exceeded")
        # The same device again takes the place of its older session; another app has its own.
        self.device("d-1", router=router)
        self.session("gateway", router=router, app=OTHER)
        found = wait_until(lambda: self.counted(router), "the figures are those of this moment")
        self.assertEqual(found['app_quota{app="%s",quota="devices"}' % APP], 2)
        self.assertEqual(found['quota_refusals_total{quota="sessions"}'], 1)
        self.assertNotIn('app_quota{app="%s",quota="devices"}' % OTHER, found)
        known = ask(router, f"/v1/apps/{APP}").json
        self.assertEqual(known["quotas"], {"devices": 2, "widgets": 5, "sessions": 2})
        self.assertEqual((known["used"]["widgets"], known["used"]["sessions"]), (5, 2))

    def counted(self, router):
        found = metrics(router)
        wanted = {"devices": 2, "widgets": 5, "sessions": 2}
        isThere = all(found['app_used{app="%s",quota="%s"}' % (APP, name)] == value
                      for name, value in wanted.items())
        return found if isThere else None

    def test_stored_bytes_of_all_apps_end_at_the_limit_and_last(self):
        """What was 40 MB in 0.4 s is refused; who asks for less is taken; a restart keeps it all."""
        router = self.begin("--stored-total", 4 << 20)
        gateway = self.gateway(router=router)
        before = router.resident
        rejected = 0
        for number in range(300):
            widgets = [large(f"{number}-{place}", 15_000) | {"id": f"w{place}"} for place in range(4)]
            seq = gateway.send(WIDGETS, {"device": f"d-{number}", "widgets": widgets})
            answer = gateway.expect(ACK, REJECT)
            rejected += answer.type == REJECT
        self.assertEqual(rejected, 300 - 68)
        self.assertLess(router.resident - before, 40 << 20)
        gateway.register(large(0, 100), device="d-0")
        gateway.register(device="d-1")
        router.restart()
        gateway = self.gateway(router=router)
        stored = wait_until(lambda: metrics(router)["stored_bytes"], "the figures are there")
        self.assertLess(stored, 4 << 20)
        self.assertGreater(stored, 3.8 * (1 << 20))
        gateway.register(large(0, 50), device="d-0")

    def test_a_lower_quota_deletes_nothing_also_after_a_restart(self):
        router = self.begin()
        gateway = self.gateway(router=router)
        for number in range(20):
            gateway.register(large(number), device=f"d-{number}")
        self.reload(router, apps(app(APP, ["k"], devices=1, widgets=1, storedBytes=1)))
        self.refusal(gateway, gateway.send(WIDGETS, {"device": "d-99", "widgets": [large(1)]}))
        gateway.register(large(5, 10_000), device="d-5")
        router.restart()
        gateway = self.gateway(router=router)
        gateway.register(large(5, 9_000), device="d-5")
        self.assertEqual(ask(router, f"/v1/apps/{APP}").json["devices"], 20)

    def test_an_app_file_with_too_many_kinds_is_refused_before_anything_changes(self):
        router = self.begin("--max-kinds-per-app", 3)
        gateway = self.gateway(router=router)
        gateway.register({"id": "w", "kind": "k"}, device="d-1")
        four = apps(app(APP, ["k", "l", "m", "n"]))
        answer = ask(router, "/v1/app-file", "PUT", json.dumps(four).encode(),
                     {"Content-Type": "application/json"})
        self.assertEqual((answer.status, answer.problem["code"]), (409, "quota-exceeded"))
        self.assertIn("an app may have 3", answer.problem["detail"])
        self.reload(router, four, "app file refused")
        self.assertEqual(self.publisher(router=router).pushed({}, kinds=["k"]), 1)
        router.apps.write_text(json.dumps(apps(app(APP, ["k"]), app(OTHER, ["k"]))))

    # Memory

    def refused(self, *arguments):
        result = command("serve", "--listen", "127.0.0.1:0", "--apps", self.router.apps,
                         "--store", "none", *arguments)
        self.assertEqual(result.returncode, 1, result.stderr)
        return result.stderr

    def test_limits_that_the_machine_has_no_memory_for_are_refused_at_the_start(self):
        said = self.refused("--memory", 2 << 30, "--stored-total", 3 << 30)
        self.assertIn("stored-total (3221225472)", said)
        self.assertIn("lower", said)
        said = self.refused("--stored-total", 1 << 40)
        self.assertIn("stored-total (1099511627776)", said)
        self.assertIn("stored-total is 5", self.refused("--stored-total", 5))

    def test_limits_are_chosen_by_the_memory_that_there_is(self):
        small = self.start(*ADMIN, "--memory", 512 << 20)
        two = self.start(*ADMIN, "--memory", 2 << 30)
        for router, expected in ((small, 77 << 20), (two, 438 << 20)):
            self.assertNotIn("lower the first three", router.log)
            limit = wait_until(lambda: metrics(router)["stored_bytes_limit"], "it is there")
            self.assertEqual(limit, expected)


if __name__ == "__main__":
    unittest.main()
