"""Tools that only read a store: beside a router that writes checkpoints, without rights, on other disks."""

import concurrent.futures
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

from file_faults import FileFaults
from make_store_fixtures import FIXTURE_APPS, unpack
from store_case import *

NOBODY = 65_534
CHECKPOINTS = ("--checkpoint-after", 1_000)
# Runs of each tool while a router writes.
RUNS = int(os.environ.get("RELOAD_ROUTER_READER_RUNS", 25))


class ReaderCase(StoreCase):
    flags = ("--store", "none")

    def setUp(self):
        # Before the routers, so that it is deleted after they are put away.
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        super().setUp()

    def busy(self, **options):
        """A router with some devices that writes checkpoints all the while, until the test ends."""
        router = self.start(*CHECKPOINTS, store=self.folder / "store", **options)
        gateway, publisher = self.gateway(router=router), self.publisher(router=router)
        for number in range(30):
            gateway.register(ELF, device=f"d-{number}")
        isOver = threading.Event()

        def push():
            while not isOver.is_set():
                publisher.pushed(HEALING)

        thread = threading.Thread(target=push)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(isOver.set)
        return router, publisher

    def read(self, name, *arguments, **options):
        ended = store_tool(name, self.folder / "store", *arguments, **options)
        self.assertEqual(ended.returncode, 0, f"{name}: {ended.stderr} {ended.stdout[-500:]}")
        return ended.stdout


class BesideRouter(ReaderCase):
    def test_check_measure_and_print_see_one_moment(self):
        router, publisher = self.busy()

        def run(_):
            acked = publisher.acked
            self.assertIn("ok", self.read("check"))
            self.read("stat")
            lines = [json.loads(line) for line in self.read("dump").splitlines()]
            stored = [entry for line in lines if line.get("table") == "producers"
                      for entry in line["producers"]]
            batches = [entry for line in lines for entry in line.get("entries", [])
                       if entry["entry"] == "batch"]
            lasts = [entry["lastSeq"] for entry in stored + batches]
            self.assertGreaterEqual(max(lasts), acked)

        before = router.log.count("the checkpoint is on the disk")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(run, range(RUNS)))
        self.assertGreater(router.log.count("the checkpoint is on the disk"), before + 3)

    def test_every_backup_is_a_whole_store(self):
        """With all that was acknowledged before it began; the router serves meanwhile, and then from the copy."""
        router, publisher = self.busy()
        wait_until(lambda: publisher.acked > 0, "the load has begun")
        for number in range(RUNS // 2):
            acked, copy = publisher.acked, self.folder / f"copy-{number}"
            self.assertIn(f"{copy}: ok", self.read("backup", copy))
            wait_until(lambda: publisher.acked > acked, "the load continues")
            self.assertIn("ok", store_tool("check", copy).stdout)
            if number % 4 == 0:
                twin = self.start(store=copy)
                self.assertGreaterEqual(self.publisher(router=twin).welcome["lastSeq"], acked)
                self.assertEqual(self.device("d-1", router=twin).expect(RELOAD).json["widgets"], ["w1"])
                self.assertEqual(twin.stop(), 0)

    @unittest.skipIf(os.getuid(), "needs root to be another user")
    def test_a_user_who_may_only_read(self):
        """He can check and print the store, and copy it to where he may write; and changes nothing."""
        self.folder.chmod(0o755)
        self.busy()
        # That of the folder is enough: everything in it is readable by all.
        (self.folder / "store").chmod(0o755)
        target = self.folder / "target"
        target.mkdir()
        os.chown(target, NOBODY, NOBODY)
        rights = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        trial = subprocess.run(["ls", self.folder / "store"], **rights, capture_output=True)
        if trial.returncode != 0:
            self.skipTest("another user cannot get here")
        for number in range(RUNS // 2):
            for tool in ("check", "stat", "dump"):
                self.read(tool, **rights)
            self.read("backup", target / f"copy-{number}", **rights)
            self.assertIn("ok", store_tool("check", target / f"copy-{number}", **rights).stdout)


class OtherDisks(ReaderCase):
    def test_a_read_only_disk(self):
        """The store on it can be looked at, and copied away; serve refuses it."""
        place = self.folder / "disk"
        place.mkdir()
        with disk(place, "32m"):
            router = self.start(*CHECKPOINTS, store=place / "store")
            self.pushes(self.publisher(router=router), 30)
            router.kill()
            subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
            for tool in ("check", "stat", "dump"):
                self.tool(tool, place / "store")
            self.tool("backup", place / "store", self.folder / "copy")
            self.tool("check", self.folder / "copy")
            said = self.serve_refuses(router, store=place / "store")
            self.assertIn("store-unusable", said)
            self.assertIn("ead-only file system", said)
            # Nor can a new one be made.
            self.assertIn("ead-only file system", self.serve_refuses(router, store=place / "new"))
            subprocess.run(["mount", "-o", "remount,rw", str(place)], check=True)
            router.restart()
            self.assertEqual(self.publisher(router=router).welcome["lastSeq"], 30)
            self.assertEqual(router.stop(), 0)

    def test_a_file_system_without_links(self):
        """Checkpoints, restarts, backups and a start on a store of another machine work all the same."""
        faults = self.enterContext(FileFaults())
        environment = faults.environment(self.folder, "link", 1)
        router = self.start(*CHECKPOINTS, store=self.folder / "store", env=environment)
        for _ in range(3):
            publisher = self.publisher(router=router)
            sealed = router.log.count("the checkpoint is on the disk")
            wait_until(lambda: (publisher.pushed(HEALING), "the store fails" in router.log
                                or router.log.count("the checkpoint is on the disk") > sealed)[1],
                       "a checkpoint")
            self.assertNotIn("the store fails", router.log)
            last = publisher.acked
            router.restart()
            self.assertEqual(self.publisher(router=router).welcome["lastSeq"], last)
        self.read("check", env=environment)
        self.read("backup", self.folder / "copy", env=environment)
        self.assertIn("ok", store_tool("check", self.folder / "copy").stdout)
        kept = self.folder / "kept"
        kept.mkdir()
        router = self.start(apps=FIXTURE_APPS, store=unpack("format-3-killed", kept), env=environment)
        self.publisher("shard-7", router=router).pushed(HEALING)


if __name__ == "__main__":
    unittest.main()
