"""A client over HTTP and the real router, which is killed: what was accepted has its effect.

RELOAD_ROUTER names the router's program; without it, or if it has no listener for publishers, these tests are
skipped.
"""

import subprocess
import unittest
import urllib.request

from client_case import wait_until
from real_router import Device, RealRouter, binary
from scripted_router import WAIT, fixed_port
from test_http import OPTIONS, HTTPCase

COUNT = 100


class EndToEnd(HTTPCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if binary() is None:
            raise unittest.SkipTest("RELOAD_ROUTER is not set")
        usage = subprocess.run([binary(), "serve", "--help"], stdout=subprocess.PIPE, text=True).stdout
        if "--publish" not in usage:
            raise unittest.SkipTest("this router has no listener for publishers")

    def setUp(self):
        self.port = fixed_port()
        self.router = RealRouter(self.folder(), flags=("--publish", f"127.0.0.1:{self.port}"))
        self.addCleanup(self.router.kill)
        self.router.printed_port("publish on")

    def begin(self, **more):
        driver = self.driver()
        options = OPTIONS | {"attempts": 50, "backoffMs": [50, 500]} | more
        answer = driver.ask("open", url=f"http://127.0.0.1:{self.port}", app="com.mygame", token="t", **options)
        self.assertEqual(answer, {"opened": True})
        return driver

    def device(self):
        device = Device(self.router, COUNT)
        self.addCleanup(device.close)
        return device

    def assert_all_reloaded(self, device):
        names = {f"w-{n}" for n in range(COUNT)}
        wait_until(lambda: names <= device.reloaded.keys(), "a reload of each widget")

    def test_pushes_reach_widgets(self):
        device, driver = self.device(), self.begin()
        for n in range(COUNT // 2):
            self.assertEqual(driver.ask("push", payload=Device.payload(n))["result"]["matched"], 1)
        rest = [Device.payload(n) for n in range(COUNT // 2, COUNT)]
        self.assertEqual(driver.ask("pushAll", payloads=rest)["result"]["matched"], COUNT - COUNT // 2)
        self.assert_all_reloaded(device)
        self.assertEqual(set(device.reloaded.values()), {1})

    def test_what_became_of_pushes_is_said(self):
        self.device()
        driver = self.begin(outcomes=True, lines=2)
        outcome = driver.ask("push", payload=Device.payload(0))["result"]["outcome"]
        self.assertEqual((outcome["counts"], outcome["missed"]), ({"sent": 1}, 0))
        payloads = [Device.payload(1), {"character": "none"}, Device.payload(2)]
        outcome = driver.ask("pushAll", payloads=payloads)["result"]["outcome"]
        self.assertEqual((outcome["counts"], outcome["missed"]), ({"sent": 2}, 1), "of both requests")

    def test_what_became_of_the_pushes_of_a_key_is_said(self):
        self.device()
        driver = self.begin()
        driver.ask("push", payload=Device.payload(0), key="event 1")
        [found] = driver.ask("history", key="event 1")["histories"]
        self.assertEqual((found["outcomes"], found["widgets"][0]["widget"]), ({"sent": 1}, "w-0"))
        self.assertEqual(driver.ask("history", key="event 2")["refused"]["code"], "push-unknown")
        self.router.kill()
        self.router.start()
        self.assertEqual(driver.ask("history", key="event 1")["refused"]["code"], "push-forgotten")

    def test_a_rejected_push_is_reported(self):
        payload = {}
        for _ in range(40):
            payload = {"a": payload}
        self.assertEqual(self.begin().ask("push", payload=payload)["rejected"]["code"], "payload-too-deep")

    def test_the_same_key_has_its_effect_once(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/openapi.json", timeout=WAIT) as answer:
            if b"Idempotency-Key" not in answer.read():
                self.skipTest("this router remembers no keys")
        device, driver = self.device(), self.begin()
        for _ in range(3):
            driver.ask("push", payload=Device.payload(0), key="event-17")
        driver.ask("pushAll", payloads=[Device.payload(n) for n in range(1, COUNT)])
        self.assert_all_reloaded(device)
        self.assertEqual(device.reloaded["w-0"], 1)

    def test_a_router_that_is_killed_loses_nothing(self):
        device, driver = self.device(), self.begin()
        for n in range(COUNT):
            driver.say("push", payload=Device.payload(n))
            if n % 30 == 15:
                self.router.kill()
                self.router.start()
            self.assertIn("result", driver.answer())
        self.assert_all_reloaded(device)


if __name__ == "__main__":
    unittest.main()
