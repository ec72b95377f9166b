"""Connections that are cut at every byte: each push has its effect once, in order, and none is lost."""

import random
import unittest

from client_case import ClientCase, wait_until

#: More than the bytes of a conversation of three pushes, in each direction.
OUTPUT, INPUT = 330, 300


class Cuts(ClientCase):
    def start_at_model(self, **options):
        model, driver = self.model(**options), self.driver()
        driver.connect(model.port, backoffMs=[2, 8])
        driver.event("connected")
        return model, driver

    def assert_each_once(self, model, driver, expected, rejected):
        self.assertEqual(model.broken, [])
        self.assertEqual([payload["n"] for _, payload in model.effects], expected, model.effects[-2:])
        self.assertEqual(sorted(event["seq"] for event in driver.take("rejected")), sorted(rejected))
        self.assert_settled(driver, queued=0, acknowledged=len(expected), rejected=len(rejected))

    def sweep(self, direction, count):
        model, driver = self.start_at_model()
        expected, rejected = [], []
        for position in range(count):
            model.faults.append((direction, position))
            model.cut()
            wait_until(lambda: driver.take("disconnected"), "the end of the connection")
            for n in range(3):
                seq = driver.push({"n": 3 * position + n, "bad": n == 1})
                (rejected if n == 1 else expected).append(seq if n == 1 else 3 * position + n)
            self.assertTrue(driver.flush(), f"cut after {position} bytes")
        self.assert_each_once(model, driver, expected, rejected)

    def test_a_cut_after_any_byte_of_the_router(self):
        self.sweep("out", OUTPUT)

    def test_a_cut_after_any_byte_of_the_client(self):
        self.sweep("in", INPUT)

    def test_many_cuts_at_random(self):
        seed = random.randrange(1 << 32)
        generator = random.Random(seed)
        model, driver = self.start_at_model(window=20)
        expected, rejected = [], []
        with self.subTest(seed=seed):
            for n in range(3000):
                bad = generator.random() < 0.1
                seq = driver.push({"n": n, "bad": bad, "text": "x" * generator.choice((0, 0, 0, 5000))})
                (rejected if bad else expected).append(seq if bad else n)
                if generator.random() < 0.02:
                    model.faults.append((generator.choice(("in", "out")), generator.randrange(2000)))
                    model.cut()
            self.assertTrue(driver.flush())
            self.assert_each_once(model, driver, expected, rejected)
            self.assertGreater(model.sessions, 20)

    def test_a_push_is_not_taken_for_one_that_an_earlier_run_had_rejected(self):
        """The router lists push 3 of the earlier run to a client whose own push 3 has not arrived. A client that
        says "acked":0 in its first HELLO learns of it, and numbers its pushes above it."""
        model, driver = self.model(), self.driver()
        model.last, model.rejected = 2, {3: "payload-combinations"}
        driver.connect(model.port, backoffMs=[100, 100])
        driver.event("connected")
        model.faults.append(("in", 10))
        model.cut()
        driver.event("disconnected")
        driver.push({"n": 1})
        self.assertTrue(driver.flush())
        self.assert_each_once(model, driver, [1], [])


if __name__ == "__main__":
    unittest.main()
