"""A router whose disk has a fault (file_faults.py), and what a router must know afterwards."""

from store_case import *
from store_facts import ADMIN, facts

FLAGS = ("--checkpoint-after", 2_000)


class FaultyRouter(StoreCase):
    """One router whose disk has one fault; it is a test case only to use the helpers of one."""

    flags = ("--store", "none")

    def runTest(self):
        """Runs no test of its own."""

    def use(self, folder, environment):
        """Registers devices and pushes, through checkpoints; the acknowledged last push, and devices.

        Whatever fails meanwhile, everything is acknowledged in the end.
        """
        self.served = self.start(*ADMIN, *FLAGS, store=folder / "store", env=environment)
        gateway = self.gateway(router=self.served)
        for number in range(10):
            gateway.request(WIDGETS, {"device": f"d-{number}", "widgets": [ELF]}, timeout=60)
        publisher = self.publisher(router=self.served)
        for _ in range(3):
            sealed = self.sealed()
            wait_until(lambda: (publisher.wait_acked(publisher.push(HEALING), timeout=60),
                                self.sealed() > sealed)[1], "a checkpoint", 60)
        return publisher.acked, {f"{APP}/d-{number}" for number in range(10)}

    def sealed(self):
        return self.served.log.count("the checkpoint is on the disk")

    def finds(self, folder, last, devices):
        """Checks that a router that is started afterwards knows everything."""
        self.assertIn("ok", self.tool("check", folder / "store").stdout)
        router = self.start(*ADMIN, store=folder / "store")
        found = facts(router)
        self.assertEqual(found["producers"], {f"{APP}/shard-7": last})
        self.assertEqual(found["devices"].keys(), devices)
        self.assertEqual(router.stop(), 0)
