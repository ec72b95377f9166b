"""What a client does before its first session: it reads an address, and does not wait in silence."""

import contextlib
import re
import threading
import time
import unittest

from certificates import Authority
from client_case import MOMENT, ClientCase, wait_until
from scripted_router import OUTCOME, ScriptedRouter, fixed_port

DATES_OF_OTHER_UNITS = {"seconds": 1_795_000_000, "zero": 0, "seconds since 2001": 816_692_800,
                        "microseconds": 1_795_000_000_000_000}


class Addresses(ClientCase):
    def test_an_address_may_have_its_port(self):
        router, driver = self.router(), self.driver()
        driver.connect(None, host=f"127.0.0.1:{router.port}")
        router.open()
        driver.event("connected")

    def test_a_name_may_have_its_port_and_the_same_port_beside_it(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port, host=f"localhost:{router.port}")
        router.open()
        driver.event("connected")

    def test_an_IPv6_address_stands_in_brackets_before_its_port(self):
        router = ScriptedRouter(address="::1")
        self.addCleanup(router.put_away)
        for host, port in ((f"[::1]:{router.port}", None), ("[::1]", router.port), ("::1", router.port)):
            with self.subTest(host, port=port):
                driver = self.driver()
                driver.connect(port, host=host)
                router.open()
                driver.event("connected")

    def test_what_is_no_address_is_refused_at_once(self):
        for host in ("", ":7410", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:http", "[::1", "[::1]7410",
                     "[a]:1", "a:1:2", "a b:1", "user@a:1", "https://router.example:7410", "router.example/path"):
            with self.subTest(host):
                driver = self.driver()
                driver.connect(None, host=host)
                self.assertRegex(driver.answer()["error"], "(?i)address|port|host")

    def test_a_port_beside_another_port_is_refused(self):
        driver = self.driver()
        driver.connect(7411, host="127.0.0.1:7410")
        self.assertRegex(driver.answer()["error"], "(?i)port")


class Waiting(ClientCase):
    """Until the first session there may never be one: who waits learns why."""

    #: How long connecting may take here, in s: long enough for a first handshake on a busy machine.
    LIMIT = 8

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.authority = Authority(cls)

    def test_connect_ends_with_the_last_reason(self):
        stranger = Authority(type(self))
        other = self.authority.server(self.authority.certificate("other", "DNS:router.example"))
        with (self.handshakes(stranger.server(stranger.certificate("stranger"))) as untrusted,
              self.handshakes(other) as misnamed):
            # All at the same time, because each waits the time out.
            cases = [(fixed_port(), None, "refused"), (untrusted, self.authority.file, "cert"),
                     (misnamed, self.authority.file, "cert|alt(ernative |)name")]
            drivers, began = [self.driver() for _ in cases], time.monotonic()
            for driver, (port, authority, _) in zip(drivers, cases):
                driver.connect(port, ca=authority, waitMs=self.LIMIT * 1000)
            for driver, (port, _, reason) in zip(drivers, cases):
                with self.subTest(reason):
                    error = driver.answer()["error"]
                    self.assertRegex(error, f"(?i){reason}")
                    self.assertIn(f"127.0.0.1:{port}", error)
                    self.assertGreater(time.monotonic() - began, self.LIMIT - 0.05)

    @contextlib.contextmanager
    def handshakes(self, tls):
        """A port at which each handshake is tried, until the block ends."""
        router = ScriptedRouter(tls)

        def accept():
            while True:
                try:
                    router.accept(0.2)
                except OSError:  # TimeoutError and those of TLS among them.
                    if router.listener.fileno() < 0:
                        return
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield router.port
        finally:
            router.put_away()
            thread.join(10)

    def test_a_client_without_a_listener_says_the_first_failure_on_its_own(self):
        driver, port = self.driver(), fixed_port()
        driver.connect(port, silent=True)
        wait_until(lambda: any("refused" in line.lower() for line in driver.errors), "a line about the failure")
        self.assertRegex("".join(driver.errors), rf"127\.0\.0\.1:{port}")
        time.sleep(MOMENT)
        self.assertEqual(len(re.findall("(?i)refused", "".join(driver.errors))), 1, "once, not at each attempt")

    def test_the_first_failure_is_an_event_at_once(self):
        driver, port = self.driver(), fixed_port()
        driver.connect(port)
        self.assertEqual(driver.event("disconnected")["retry"], "reconnect")


class Outcomes(ClientCase):
    BODY = {"matched": 1, "counts": {"spacing": 1}, "widgets": [
        {"device": "d-1", "widget": "w1", "kind": "k", "outcome": "spacing", "until": 1_795_000_300_000}]}

    def test_outcomes_are_asked_for_and_come_before_the_flush_ends(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port, outcomes=True)
        session, hello = router.open()
        self.assertIs(hello["outcomes"], True)
        driver.event("connected")
        driver.push({"n": 1})
        session.push()
        session.send(OUTCOME, 1, self.BODY)
        session.ack(1, matched=1)
        self.assertTrue(driver.flush())
        self.assertEqual(driver.event("outcome"), {"event": "outcome", "seq": 1, "outcome": self.BODY})
        session.send(OUTCOME, 0, {"paused": True})
        self.assertEqual(driver.event("outcome"), {"event": "outcome", "seq": 0, "outcome": {"paused": True}})

    def test_without_asking_hello_says_nothing_of_outcomes(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        self.assertIn(router.accept().hello().get("outcomes"), (None, False))

    def test_the_widgets_that_pushes_matched_are_counted(self):
        driver, _, session = self.start()
        for n in range(3):
            driver.push({"n": n})
        session.pushes(3)
        session.ack(2, matched=5)
        session.ack(3, matched=2)
        self.assertTrue(driver.flush())
        self.assertEqual(driver.statistics()["matched"], 7)


class Dates(ClientCase):
    def test_a_date_in_another_unit_is_refused_before_it_is_sent(self):
        driver, _, session = self.start()
        for unit, date in DATES_OF_OTHER_UNITS.items():
            with self.subTest(unit):
                error = driver.ask("push", payload={}, expiresAt=date)["error"]
                if unit != "microseconds":  # Some languages have no such dates at all, and say so themselves.
                    self.assertIn("milliseconds since 1970", error)
                self.assertIn("error", driver.ask("tryPush", payload={}, expiresAt=date))
        self.assertEqual(driver.push({"n": 1}, expiresAt=978_307_200_000), 1, "the first date of 2001 is one")
        self.assertEqual(session.push().expires, 978_307_200_000)


if __name__ == "__main__":
    unittest.main()
