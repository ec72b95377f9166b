"""A machine that has no memory left: the router ends at once, and nothing acknowledged is lost."""

import contextlib
import os
import pathlib
import re
import resource
import signal
import unittest
import uuid

from store_case import *

#: What the router may take beyond what it has when the load begins, in bytes.
ROOM = 24 << 20
#: What is registered at most before it must have ended.
LOAD = 512 << 20
#: Of each widget; a configuration has at most 16,384 bytes. Equal values would be stored once.
PADDING_BYTES = 15_400
WIDGETS_OF_DEVICE = 4


class NoMemory(StoreCase):
    flags = ("--checkpoint-after", 1 << 20)

    def status(self, name):
        text = pathlib.Path(f"/proc/{self.router.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+) kB", text)[1]) << 10

    def load(self, publisher, gateway):
        """Registers large widgets and pushes until the router is gone; returns what was acknowledged.

        Reads no further than what it needs: frames that were sent last may have come, or not.
        """
        acked = []
        with contextlib.suppress(Ended, OSError):
            for number in range(LOAD // (WIDGETS_OF_DEVICE * PADDING_BYTES)):
                device = f"d-{number}"
                gateway.register(*(widget(f"w{n}", character="elf-42",
                                          notes=os.urandom(PADDING_BYTES // 2).hex())
                                   for n in range(WIDGETS_OF_DEVICE)), device=device)
                acked.append(device)
                if number % 20 == 0:
                    publisher.pushed({"character": "nobody"})
            self.fail(f"{LOAD} bytes fit into {ROOM}")
        return acked

    def outlives(self, limit):
        """Loads the router until the limit ends it; then another one must have all of it."""
        router = self.router
        gateway, publisher = self.gateway(), self.publisher()
        publisher.pushed(HEALING)
        limit()
        acked = self.load(publisher, gateway)
        code = router.exit_code(30)
        self.assertNotEqual(code, 0, router.log[-2_000:])
        self.assertGreater(len(acked), 20)
        router.restart()
        self.tool("check", router, "--records-only")
        again = self.publisher()
        self.assertGreaterEqual(again.welcome["lastSeq"], publisher.acked)
        # One more may have been stored whose ACK was lost with the process.
        self.assertIn(again.pushed(HEALING), matches(len(acked)))
        gateway = self.gateway()
        for device in (acked[0], acked[-1]):
            gateway.register(widget("w0", character="orc-7"), device=device)
        self.assertIn(again.pushed(HEALING), matches(len(acked) - 2))
        return code

    def test_an_allocation_that_fails_ends_it_and_loses_nothing(self):
        """By the limit of its address space, RLIMIT_AS: some allocation, wherever, returns nothing."""
        def limit():
            # Beside what the allocator has reserved and not used.
            size = self.status("VmSize") + ROOM
            resource.prlimit(self.router.process.pid, resource.RLIMIT_AS, (size, size))

        code = self.outlives(limit)
        self.assertLess(code, 0, "a signal: it did not continue with half of something")

    def test_the_kernels_killer_loses_nothing(self):
        """By the limit of its control group, as in a container."""
        group = self.enterContext(control_group())
        (group / "cgroup.procs").write_text(str(self.router.process.pid))

        def limit():
            # Memory from before it came there is not counted.
            name = "memory.max" if (group / "memory.max").exists() else "memory.limit_in_bytes"
            counted = "memory.current" if name == "memory.max" else "memory.usage_in_bytes"
            used = int((group / counted).read_text())
            (group / name).write_text(str(used + ROOM))
            with contextlib.suppress(OSError):
                (group / "memory.swap.max").write_text("0")

        self.assertEqual(self.outlives(limit), -signal.SIGKILL)


def matches(devices):
    """How many widgets a push concerns: one device more may have been stored."""
    return WIDGETS_OF_DEVICE * devices, WIDGETS_OF_DEVICE * (devices + 1)


@contextlib.contextmanager
def control_group():
    """A group of its own that limits memory; for root, where that is allowed."""
    for root in ("/sys/fs/cgroup/memory", "/sys/fs/cgroup"):
        path = pathlib.Path(root) / f"reload-router-test-{uuid.uuid4().hex[:12]}"
        if not pathlib.Path(root).is_dir():
            continue
        with contextlib.suppress(OSError):
            path.mkdir()
            if (path / "memory.max").exists() or (path / "memory.limit_in_bytes").exists():
                try:
                    yield path
                finally:
                    for process in (path / "cgroup.procs").read_text().split():
                        (path.parent / "cgroup.procs").write_text(process)
                    path.rmdir()
                return
            path.rmdir()
    raise unittest.SkipTest("no control group with a limit of memory can be made here")


if __name__ == "__main__":
    unittest.main()
