"""The power goes at any moment, shortened; and that the harness would find a sync that is missing.

    RELOAD_ROUTER_POWER_SEED=7 RELOAD_ROUTER_POWER_ROUNDS=1000 python3 -m unittest test_power_loss
"""

import os
import pathlib
import random
import tempfile
import unittest

from disk_trace import Tracer
from power_loss import Losses, lose, random_cases
from store_sweep import memory_folder

SEED = int(os.environ.get("RELOAD_ROUTER_POWER_SEED", random.SystemRandom().randrange(1 << 32)))
ROUNDS = int(os.environ.get("RELOAD_ROUTER_POWER_ROUNDS", 60))
JOBS = os.cpu_count() or 1


class PowerLoss(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tracer = cls.enterClassContext(Tracer())

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(
            tempfile.TemporaryDirectory(prefix="reload-router-power-", dir=memory_folder())))

    def loses_nothing(self, scene, *fixture):
        losses = Losses(scene, self.tracer, self.folder / "-".join((scene, *fixture)), *fixture)
        generator = random.Random(f"{SEED} {scene} {fixture}")
        for case, faults in lose(losses, random_cases(losses, generator, ROUNDS), JOBS):
            with self.subTest(scene, seed=SEED, case=case, after=losses.describe(case[0])):
                self.assertEqual(faults, [])

    def test_while_a_store_is_used(self):
        """Acknowledged pushes and devices are there, whatever a checkpoint has begun."""
        self.loses_nothing("use")

    def test_while_a_store_is_made(self):
        self.loses_nothing("first")

    def test_while_a_store_is_copied_or_repaired(self):
        """What has not ended well is refused, or is what it will be."""
        self.loses_nothing("backup")
        self.loses_nothing("repair")

    def test_while_a_store_that_was_kept_is_opened(self):
        for fixture in ("format-3-killed", "format-3-sealing"):
            self.loses_nothing("open", fixture)

    def test_syncs_that_are_missing_would_be_found(self):
        """Of files, and of folders: without them acknowledged pushes are lost, or the store is."""
        losses = Losses("use", self.tracer, self.folder / "use")
        records = losses.records
        for what, model in (("S", "names-first"), ("D", "data-first")):
            losses.records = [record for record in records if record[1] != what]
            cases = [(len(losses.records) - back, model, 1) for back in (100, 10)]
            for case, faults in lose(losses, cases, JOBS):
                self.assertNotEqual(faults, [], (what, case))


if __name__ == "__main__":
    unittest.main()
