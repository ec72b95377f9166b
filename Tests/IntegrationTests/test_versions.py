"""Stores of other versions: the one before, and a newer one."""

import pathlib
import shutil
import sys
import tarfile
import unittest

from store_case import *
from stored_records import StoredRecords

FIXTURES = pathlib.Path(__file__).parent / "fixtures"
sys.path.insert(0, str(FIXTURES))
from make_old_store import DATE, PUSHES  # noqa: E402


class VersionBefore(StoreCase):
    """A store as the version before left it when it was killed (fixtures/make_old_store.py)."""

    flags = ("--store", "none")

    def old_store(self):
        folder = pathlib.Path(self.router.folder.name)
        with tarfile.open(FIXTURES / "old_store.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        return folder / "store"

    def continues(self, *flags):
        router = self.start("--store-must-exist", *flags, store=self.old_store())
        publisher = self.publisher("shard-7", router=router)
        self.assertEqual(publisher.welcome["lastSeq"], PUSHES)
        self.assertEqual(publisher.pushed(HEALING), 2)
        self.assertEqual(publisher.pushed({"character": "orc-7"}), 1)
        return router, publisher

    def test_its_store_is_opened_and_has_everything(self):
        router, publisher = self.continues()
        device = self.device("d-2", router=router)
        self.assertEqual(device.expect(RELOAD).json["widgets"], ["w1"])
        publisher.pushed(HEALING)
        router.stop()
        self.tool("check", router)
        self.assertIn(DATE // 1_000, self.dates(router))
        router.restart(kill=False)
        self.assertEqual(self.publisher("shard-7", router=router).welcome["lastSeq"], publisher.seq)

    def test_it_lasts_through_checkpoints_and_kills(self):
        """What this version writes beside what that one wrote fits together with it."""
        router, publisher = self.continues("--checkpoint-after", 4_096)
        for _ in range(3):
            self.pushes(publisher, 150)
            router.wait_log("the checkpoint is on the disk")
            router.restart()
            last, publisher = publisher.seq, self.publisher("shard-7", router=router)
            self.assertEqual(publisher.welcome["lastSeq"], last)
        self.assertEqual(publisher.pushed(HEALING), 2)
        router.stop()
        self.tool("check", router)
        self.assertIn(DATE // 1_000, self.dates(router))

    def test_its_store_can_be_checked_and_copied(self):
        store = self.old_store()
        copy = store.with_name("copy")
        self.assertIn("ok", self.tool("check", store).stdout)
        self.tool("backup", store, copy)
        self.tool("check", copy)

    def dates(self, router):
        """The seconds for which timelines have asked, but for what their slots add."""
        schedules = [entry for record in self.dump(router, "--table")
                     if record.get("table") == "schedules" for entry in record["schedules"]]
        return {(entry["timelineAt"] - entry["timelineAt"] % 1_000) // 1_000
                for entry in schedules if "timelineAt" in entry}


class NewerVersion(StoreCase):
    def test_a_newer_store_is_refused_with_both_versions_and_left_as_it_is(self):
        """As an older binary meets it after a downgrade; the newer one still serves it."""
        publisher = self.publisher()
        self.pushes(publisher, 5)
        self.router.stop()
        with StoredRecords(self.router.store) as records:
            records.set_version(3)
        before = self.contents()
        said = self.serve_refuses(self.router)
        self.assertIn("store-newer: the store was written by a newer version "
                      "(format 3; this one reads up to 2)", said)
        self.assertIn("use the newer version, or a backup from before the upgrade", said)
        self.assertEqual(self.contents(), before, "nothing was changed")
        with StoredRecords(self.router.store) as records:
            records.set_version(2)
        self.router.restart()
        self.assertEqual(self.publisher().welcome["lastSeq"], 5)

    def contents(self):
        return {(path, path.read_bytes()) for path in self.router.store.rglob("*")
                if path.is_file()}


if __name__ == "__main__":
    unittest.main()
