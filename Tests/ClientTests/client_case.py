"""What the tests of clients share: a driver and a router that are put away at the end of each test."""

import pathlib
import tempfile
import time
import unittest

from client_driver import Driver, conformance
from scripted_router import WAIT, ModelRouter, ScriptedRouter

#: Short enough for a test to wait for it in vain, long enough for a client that errs to do so.
MOMENT = 0.4


def wait_until(condition, what, timeout=WAIT):
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"did not come: {what}")
        time.sleep(0.005)


class ClientCase(unittest.TestCase):
    """A test of the client of one language, which speaks frames."""

    @classmethod
    def setUpClass(cls):
        if conformance().get("transport", "frames") != "frames":
            raise unittest.SkipTest("this client speaks HTTP")

    def driver(self):
        driver = Driver()
        self.addCleanup(driver.put_away)
        return driver

    def router(self, tls=None, port=0):
        router = ScriptedRouter(tls, port)
        self.addCleanup(router.put_away)
        return router

    def model(self, **options):
        model = ModelRouter(**options)
        self.addCleanup(model.close)
        return model

    def start(self, router=None, welcome=None, **members):
        """A client that has its WELCOME, as (driver, router, session)."""
        router = router or self.router()
        driver = self.driver()
        driver.connect(router.port, **members)
        session, _ = router.open(**(welcome or {}))
        driver.event("connected")
        return driver, router, session

    def folder(self):
        folder = tempfile.TemporaryDirectory(prefix="client-tests-")
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def assert_settled(self, driver, **counts):
        """The statistics have these counts, at once or soon."""
        found = {}

        def is_so():
            found.update(driver.statistics())
            return {name: found[name] for name in counts} == counts
        try:
            wait_until(is_so, "the counts")
        except AssertionError:
            self.assertEqual({name: found[name] for name in counts}, counts)

    def assert_stays_away(self, driver, router):
        """The client has failed: it says so, and does not connect again."""
        failed = driver.event("failed")
        self.assertTrue(router.is_left_alone(MOMENT), "the client connects again")
        return failed
