"""Damaged stores, shortened; and that the harness would find a state that went back.

    RELOAD_ROUTER_SWEEP_SEED=7 RELOAD_ROUTER_SWEEP_SECONDS=600 python3 -m unittest test_store_sweep
"""

import os
import pathlib
import random
import tempfile
import time
import unittest

from store_damage import folder_damages, mutations, truncations, whole_file_damages
from store_pattern import make_pattern
from store_sweep import Sweep, memory_folder, sweep_all

SEED = int(os.environ.get("RELOAD_ROUTER_SWEEP_SEED", random.SystemRandom().randrange(1 << 32)))
SECONDS = float(os.environ.get("RELOAD_ROUTER_SWEEP_SECONDS", 30))
LEAST = 40


class Sweeps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(
            tempfile.TemporaryDirectory(prefix="reload-router-sweep-", dir=memory_folder())))
        cls.sweeps = {}
        for name, is_ended in (("killed", False), ("ended", True)):
            pattern = make_pattern(cls.folder / name, is_ended)
            (cls.folder / f"{name}-cases").mkdir()
            cls.sweeps[name] = Sweep(pattern, cls.folder / f"{name}-cases")

    def cases(self, name):
        """Endlessly many, of all kinds."""
        generator = random.Random(f"{SEED} {name}")
        pattern = self.sweeps[name].pattern
        whole = [*whole_file_damages(pattern.files, pattern.older_files),
                 *folder_damages(pattern.files, pattern.older_files)]
        paths = [path for path, size in pattern.files.items() if size > 0]
        while True:
            yield name, generator.choice(whole)
            path = generator.choice(paths)
            yield name, generator.choice(list(truncations({path: pattern.files[path]})))
            yield from ((name, damage) for damage in mutations(pattern.files, generator, 1))

    def test_no_damage_of_a_file_goes_unnoticed_or_makes_it_worse(self):
        """Nothing ends by a signal, nothing that was sealed is missing, and who refuses changes nothing."""
        end, results = time.monotonic() + SECONDS, None
        streams = [self.cases(name) for name in self.sweeps]
        # At least this many, however long they take.
        while (is_few := results is None or results.count < LEAST) or time.monotonic() < end:
            portion = [next(stream) for _ in range(10) for stream in streams]
            results = sweep_all(self.sweeps, portion, os.cpu_count() or 1, results,
                                until=None if is_few else end)
        self.assertEqual(results.violations, [], f"seed {SEED}")

    def test_a_state_that_went_back_would_be_found(self):
        """As if the whole folder had been replaced by an older copy, which no router can find out."""
        for sweep in self.sweeps.values():
            outcome, faults = sweep.run("rollback:")
            self.assertEqual(outcome, "shortened silently")
            self.assertRegex(faults[0], "^an older state: position ")

    def test_files_that_were_changed_would_be_found(self):
        """The judge compares bytes, and states with their positions."""
        sweep = self.sweeps["killed"]
        pattern = sweep.pattern
        last = pattern.states[pattern.last]
        pattern.states[pattern.last] = (last[0] - {"late-7"}, last[1])
        try:
            self.assertIn(f"another state than that of position {pattern.last}", sweep.run("none:")[1])
        finally:
            pattern.states[pattern.last] = last
        self.assertEqual(sweep.run("none:"), ("whole", []))


if __name__ == "__main__":
    unittest.main()
