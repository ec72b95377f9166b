"""Drains while a checkpoint is written: the store is closed before the process ends."""

import os
import random
import time
import unittest

from store_case import *

SECONDS = float(os.environ.get("RELOAD_ROUTER_DRAIN_SECONDS", 15))


class Drains(StoreCase):
    flags = ("--store", "none")

    def test_a_drain_at_any_moment_of_a_checkpoint_ends_well(self):
        """With exit code 0: nothing is closed too late."""
        seed = random.SystemRandom().randrange(1 << 32)
        generator, until = random.Random(seed), time.monotonic() + SECONDS
        while time.monotonic() < until:
            router = Router("--checkpoint-after", 300)
            try:
                publisher = self.publisher(router=router)
                for _ in range(generator.randint(1, 12)):
                    publisher.push(HEALING)
                publisher.close()
                # Where in the checkpoint the end comes is left to chance.
                time.sleep(generator.random() * 0.02)
                self.assertEqual(router.stop(), 0, f"seed {seed}: {router.log[:3_000]}")
            finally:
                router.kill()
                router.folder.cleanup()


if __name__ == "__main__":
    unittest.main()
