"""A disk that fails for a moment, or is full for a while, at any change that a router that serves makes.

    RELOAD_ROUTER_FAULTS_SEED=7 RELOAD_ROUTER_FAULTS_ROUNDS=500 python3 -m unittest test_store_faults
"""

import concurrent.futures
import os
import pathlib
import random
import tempfile
import unittest

import faulty_router
from file_faults import FileFaults

SEED = int(os.environ.get("RELOAD_ROUTER_FAULTS_SEED", random.SystemRandom().randrange(1 << 32)))
ROUNDS = int(os.environ.get("RELOAD_ROUTER_FAULTS_ROUNDS", 16))


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.faults = cls.enterClassContext(FileFaults())

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_once(self, name, is_killed, **fault):
        """What is wrong with a router that had that fault, and how many changes there were."""
        folder = self.folder / name
        folder.mkdir()
        log = folder / "changes"
        log.touch()
        fault_case = faulty_router.FaultyRouter()
        fault_case.setUp()
        try:
            last, devices = fault_case.use(
                folder, self.faults.environment(folder / "store", log=log, **fault))
            if is_killed:
                fault_case.served.restart()
            self.assertEqual(fault_case.served.stop(), 0)
            fault_case.finds(folder, last, devices)
        except (AssertionError, TimeoutError) as failure:
            return failure, []
        finally:
            fault_case.doCleanups()
        return None, log.read_text().splitlines()

    def test_a_fault_at_any_change_is_overcome(self):
        """The router recovers by itself, and loses nothing; also if it is killed later."""
        failure, changes = self.run_once("none", is_killed=False)
        self.assertIsNone(failure)
        self.assertGreater(len(changes), 100)
        # A start may be refused: that is another test's.
        first = len(changes) // 4

        def one(number):
            choices = random.Random(f"{SEED} {number}")
            fault = choices.choice([
                {"kind": "io"}, {"kind": "io", "times": 3}, {"kind": "full", "times": 1},
                {"kind": "full", "times": 3}])
            fault["at"] = choices.randint(first, len(changes))
            failure, _ = self.run_once(f"case-{number}", choices.random() < 0.5, **fault)
            return fault, failure

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for fault, failure in pool.map(one, range(ROUNDS)):
                with self.subTest(seed=SEED, **fault, change=changes[fault["at"] - 1]):
                    self.assertIsNone(failure)


if __name__ == "__main__":
    unittest.main()
