"""A client and the real router, each of which is killed: what was accepted has its effect, and once.

RELOAD_ROUTER names the router's program; without it these tests are skipped.
"""

import subprocess
import unittest

from certificates import Authority
from client_case import ClientCase, wait_until
from client_driver import conformance
from real_router import Device, RealRouter, binary
from scripted_router import fixed_port

COUNT = 200


class EndToEnd(ClientCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if binary() is None:
            raise unittest.SkipTest("RELOAD_ROUTER is not set")

    def setUp(self):
        self.router = RealRouter(self.folder())
        self.addCleanup(self.router.kill)

    def begin(self, **options):
        driver = self.driver()
        driver.connect(self.router.port, **options)
        driver.event("connected")
        return driver

    def device(self, count=COUNT):
        device = Device(self.router, count)
        self.addCleanup(device.close)
        return device

    def assert_all_reloaded(self, device, numbers):
        names = {f"w-{n}" for n in numbers}
        wait_until(lambda: names <= device.reloaded.keys(), "a reload of each widget")

    def test_pushes_reach_widgets(self):
        device, driver = self.device(), self.begin()
        for n in range(COUNT):
            driver.push(Device.payload(n))
        self.assertTrue(driver.flush())
        self.assert_all_reloaded(device, range(COUNT))
        self.assertEqual(set(device.reloaded.values()), {1})
        self.assert_settled(driver, queued=0, acknowledged=COUNT, rejected=0)
        self.assertEqual(driver.close(), 0)
        self.assertEqual(self.router.last_seq(), COUNT)

    def test_what_became_of_a_push_is_said(self):
        """Of a push over the session: for each widget; and that another one is not known, or not any more."""
        port = fixed_port()
        self.router.flags += ["--publish", f"127.0.0.1:{port}"]
        self.router.kill()
        self.router.start()
        device = self.device(1)
        driver = self.begin(httpAddress=f"127.0.0.1:{port}")
        seq = driver.push(Device.payload(0))
        self.assertTrue(driver.flush())
        self.assert_all_reloaded(device, [0])
        found = driver.ask("history", seq=seq, after=None)["history"]
        self.assertEqual((found["matched"], found["outcomes"]), (1, {"sent": 1}))
        [widget] = found["widgets"]
        self.assertEqual([widget[name] for name in ("device", "widget", "outcome")], ["d", "w-0", "sent"])
        self.assertEqual(driver.ask("history", seq=seq + 1, after=None)["refused"]["code"], "push-unknown")
        self.router.kill()
        self.router.start()
        self.assertEqual(driver.ask("history", seq=seq, after=None)["refused"]["code"], "push-forgotten")

    def test_pushes_over_tls(self):
        folder, version = self.folder(), conformance().get("tls", "1.3")
        certificate, key, authority = self.new_certificate(folder) if version == "1.3" else self.rsa_certificate()
        router = RealRouter(folder, flags=("--cert", certificate, "--key", key, "--tls-minimum", version))
        self.addCleanup(router.kill)
        driver = self.driver()
        driver.connect(router.port, ca=authority)
        driver.event("connected")
        for n in range(50):
            driver.push(Device.payload(n))
        router.kill()
        driver.event("disconnected")
        router.start()
        self.assertTrue(driver.flush())
        self.assert_settled(driver, queued=0, acknowledged=50)

    def new_certificate(self, folder):
        """A certificate that the router itself has made, its key and its authority."""
        done = subprocess.run([binary(), "cert", "new", "--out", folder / "certificates"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        return [str(folder / "certificates" / name) for name in ("cert.pem", "key.pem", "ca.pem")]

    def rsa_certificate(self):
        authority = Authority(type(self))
        return [*authority.certificate("router"), authority.file]

    def test_a_push_that_has_expired_reloads_nothing(self):
        device, driver = self.device(2), self.begin()
        driver.push(Device.payload(0), expiresAt=1_600_000_000_000)
        driver.push(Device.payload(1), expiresAt=4_000_000_000_000, urgent=True)
        self.assertTrue(driver.flush())
        self.assert_all_reloaded(device, [1])
        self.assertEqual(set(device.reloaded), {"w-1"})

    def test_a_push_is_narrowed_to_kinds(self):
        device, driver = self.device(3), self.begin()
        driver.push(Device.payload(0), kinds=["another-kind"])
        driver.push(Device.payload(1), kinds=[])
        driver.push(Device.payload(2), kinds=["another-kind", "com.mygame.character-detail"])
        self.assertTrue(driver.flush())
        self.assert_all_reloaded(device, [2])
        self.assertEqual(set(device.reloaded), {"w-2"})

    def test_the_router_rejects_and_the_client_reports_it(self):
        driver = self.begin()
        driver.push({"a": list(range(300)), "deep": self.nested(40)})
        driver.push(Device.payload(0))
        self.assertEqual(driver.event("rejected")["code"], "payload-too-deep")
        self.assertTrue(driver.flush())
        self.assert_settled(driver, acknowledged=1, rejected=1)

    @staticmethod
    def nested(depth):
        value = {}
        for _ in range(depth):
            value = {"a": value}
        return value

    def test_a_router_that_is_killed_loses_nothing(self):
        self.kill_the_router(outbox=None)

    def test_a_router_that_is_killed_loses_nothing_of_an_outbox(self):
        self.kill_the_router(outbox=str(self.folder() / "outbox"))

    def kill_the_router(self, outbox):
        device = self.device()
        driver = self.begin(outbox=outbox)
        for n in range(COUNT):
            driver.push(Device.payload(n))
            if n % 50 == 25:
                self.router.kill()
                driver.event("disconnected")
                if n == 75:
                    driver.push(Device.payload(n))  # While no router is there.
                self.router.start()
        self.assertTrue(driver.flush())
        self.assert_all_reloaded(device, range(COUNT))
        self.assert_settled(driver, queued=0, acknowledged=COUNT + 1, rejected=0)
        self.assertEqual(driver.close(), 0)
        self.assertEqual(self.router.last_seq(), COUNT + 1)

    def test_a_router_that_drains_loses_nothing(self):
        device, driver = self.device(), self.begin()
        for n in range(COUNT):
            driver.push(Device.payload(n))
            if n == COUNT // 2:
                self.router.stop()
                self.router.start()
        self.assertTrue(driver.flush())
        self.assert_all_reloaded(device, range(COUNT))

    def test_a_sender_with_an_outbox_that_is_killed_loses_nothing(self):
        device = self.device()
        outbox, sent = str(self.folder() / "outbox"), 0
        while sent < COUNT:
            driver = self.begin(outbox=outbox)
            for _ in range(40):
                driver.push(Device.payload(sent))
                sent += 1
            driver.kill()
        driver = self.begin(outbox=outbox)
        self.assertTrue(driver.flush())
        self.assert_all_reloaded(device, range(COUNT))
        self.assertEqual(set(device.reloaded.values()), {1}, "a push has its effect once")
        self.assertEqual(self.router.last_seq(), COUNT)

    def test_sender_and_router_are_killed(self):
        device = self.device()
        outbox, sent = str(self.folder() / "outbox"), 0
        while sent < COUNT:
            driver = self.begin(outbox=outbox)
            for n in range(40):
                if n == 20:
                    self.router.kill()
                    driver.event("disconnected")
                driver.push(Device.payload(sent))
                sent += 1
            driver.kill()
            self.router.start()
        driver = self.begin(outbox=outbox)
        self.assertTrue(driver.flush())
        self.assert_all_reloaded(device, range(COUNT))
        self.assertEqual(self.router.last_seq(), COUNT)

    def test_a_sender_without_an_outbox_loses_nothing_that_was_acknowledged(self):
        device, driver = self.device(), self.begin()
        for n in range(COUNT // 2):
            driver.push(Device.payload(n))
        self.assertTrue(driver.flush())
        for n in range(COUNT // 2, COUNT):
            driver.push(Device.payload(n))
        driver.kill()
        driver = self.begin()
        self.assert_all_reloaded(device, range(COUNT // 2))
        self.assertGreater(driver.push(Device.payload(0)), COUNT // 2)
        self.assertTrue(driver.flush())


if __name__ == "__main__":
    unittest.main()
