"""A file system that becomes read-only while the router serves."""

import contextlib
import glob
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from admin import readiness, wait_ready
from store_case import *

ADMIN = ("--admin", "127.0.0.1:0")


class ReadOnly(StoreCase):
    def fails(self, router, device, publisher, code):
        """Nothing is acknowledged, RELOADs continue, and the router says why; returns the last seq."""
        device.reloads()
        seq = publisher.push(HEALING)
        self.assertEqual(device.expect(RELOAD).json["cause"], "push")
        with self.assertRaises(TimeoutError):
            publisher.wait_acked(seq, timeout=1.5)
        status, reasons = readiness(router)
        self.assertEqual(status, 503)
        self.assertRegex(reasons[0], rf"^the store fails \({code}\)")
        return seq


class RemountedByHand(ReadOnly):
    """A disk in memory that is remounted: that is allowed while no file is open to be written."""

    def setUp(self):
        # Before the routers, so that it is unmounted after they are put away.
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.folder = self.enterContext(disk(folder, "32m"))
        super().setUp()

    def remount(self, options):
        return subprocess.run(["mount", "-o", f"remount,{options}", str(self.folder)],
                              capture_output=True).returncode == 0

    def test_it_says_so_loses_nothing_and_continues_when_it_can_write_again(self):
        router = self.start(*ADMIN, store=self.folder / "store")
        device, publisher = self.device("d-1", ELF, router=router), self.publisher(router=router)
        self.pushes(publisher, 5)
        # A store that fails has no file open, but for a moment in each second.
        filler = self.folder / "filler"
        with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4_096))
        wait_until(lambda: publisher.push(HEALING) and "the store fails" in router.log,
                   "the store fails", 30)
        wait_until(lambda: self.remount("ro"), "it is read-only", 30)
        wait_until(lambda: readiness(router)[1][0].startswith("the store fails (store-unusable)"),
                   "the reason is another one", 30)
        seq = self.fails(router, device, publisher, "store-unusable")

        self.assertTrue(self.remount("rw"))
        filler.unlink()
        publisher.wait_acked(seq)
        wait_ready(router)
        router.restart()
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], seq)
        self.tool("check", router)


class RemountedByTheKernel(ReadOnly):
    """A real ext4 that has met an error, and makes itself read-only (`errors=remount-ro`)."""

    def setUp(self):
        base = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder, self.image = base / "disk", base / "image"
        self.folder.mkdir()
        if os.getuid() != 0 or not shutil.which("mkfs.ext4"):
            raise unittest.SkipTest("needs root and mkfs.ext4")
        with open(self.image, "wb") as file:
            file.truncate(64 << 20)
        subprocess.run(["mkfs.ext4", "-q", str(self.image)], check=True)
        if not self.mount():
            raise unittest.SkipTest("no loop device can be mounted here")
        self.addCleanup(self.unmount)
        super().setUp()

    def mount(self):
        return subprocess.run(
            ["mount", "-o", "loop,errors=remount-ro", str(self.image), str(self.folder)],
            capture_output=True).returncode == 0

    def unmount(self):
        subprocess.run(["umount", str(self.folder)], capture_output=True)

    def break_it(self):
        """Lets the kernel find an error."""
        device = os.stat(self.folder).st_dev
        name = os.path.basename(os.readlink(
            f"/sys/dev/block/{os.major(device)}:{os.minor(device)}"))
        trigger = pathlib.Path(f"/sys/fs/ext4/{name}/trigger_fs_error")
        try:
            trigger.write_text("1")
        except OSError as problem:
            raise unittest.SkipTest(f"no error of ext4 can be made here: {problem}")

    def is_repaired(self):
        """Takes the disk away, repairs it, and brings it back; true if it can be written then."""
        subprocess.run(["umount", str(self.folder)], check=True)
        # A loop device that is still there would have what was on the disk before the repair.
        wait_until(lambda: not subprocess.run(["losetup", "-j", str(self.image)], capture_output=True).stdout,
                   "the loop device is gone")
        subprocess.run(["e2fsck", "-fy", str(self.image)], capture_output=True)
        self.assertTrue(self.mount())
        return not os.statvfs(self.folder).f_flag & os.ST_RDONLY

    def test_it_says_so_and_a_restart_has_all_that_was_acknowledged(self):
        router = self.start(*ADMIN, store=self.folder / "store")
        device, publisher = self.device("d-1", ELF, router=router), self.publisher(router=router)
        self.pushes(publisher, 50)
        self.break_it()
        wait_until(lambda: publisher.push(HEALING) and "the store fails" in router.log,
                   "the store fails", 30)
        wait_until(lambda: readiness(router)[1][0].startswith("the store fails (store-unusable)"),
                   "the reason is the last one", 30)
        acked = publisher.acked
        seq = self.fails(router, device, publisher, "store-unusable")

        router.kill()
        wait_until(self.is_repaired, "a disk that can be written", 30)
        router.restart()
        self.assertIn(self.publisher(router=router).welcome["lastSeq"],
                      range(max(acked, publisher.acked), seq + 1))
        self.tool("check", router)


if __name__ == "__main__":
    unittest.main()
