"""Stores of earlier formats that are damaged, and in which order the upgrade gets to the disk.

The stores are those of make_store_fixtures.py.
"""

import unittest

from disk_trace import Tracer, read_trace
from store_case import *
from test_store_upgrade import UpgradeCase, hashes


class Damaged(UpgradeCase):
    """The refusal names the folder, the file, and the version that can do more; no file is changed."""

    def is_refused(self, store, file):
        before = hashes(store)
        refusals = [self.tool(tool, store, code=1).stderr for tool in ("check", "repair")]
        for text in [*refusals, self.serve_refuses(self.router, "--store-must-exist", store=store)]:
            self.assertIn(f"store-corrupt: {store} is a damaged store of format 1", text)
            self.assertIn(file.name, text)
            self.assertIn("the version that wrote it can examine it (its `store check`)", text)
        after = hashes(store)
        # RocksDB writes a log of what it does.
        self.assertEqual({path: after.get(path) for path in before}, before)

    def logs(self, store):
        return sorted(path for path in store.glob("*.log") if path.stat().st_size)

    def test_files_of_the_log_that_were_exchanged(self):
        """RocksDB ends the process when it reads them."""
        for name in ("format-1-ended", "format-1-killed", "format-1-sealing"):
            with self.subTest(name):
                store, _ = self.unpacked(name)
                first, second = self.logs(store)
                bytes = first.read_bytes(), second.read_bytes()
                first.write_bytes(bytes[1])
                second.write_bytes(bytes[0])
                self.is_refused(store, second)

    def test_a_log_that_stands_there_twice(self):
        """In one file, and as a further file."""
        store, _ = self.unpacked("format-1-journal")
        (log,) = self.logs(store)
        further = log.with_name("000013.log")
        further.write_bytes(log.read_bytes())
        self.is_refused(store, further)
        further.unlink()
        log.write_bytes(log.read_bytes()[:32_768] + log.read_bytes())
        self.is_refused(store, log)


class Synced(UpgradeCase):
    @classmethod
    def setUpClass(cls):
        cls.tracer = cls.enterClassContext(Tracer())

    def test_the_old_files_are_gone_for_good_before_the_folder_that_allows_them(self):
        """After a loss of power both or neither may be there, or the folder alone."""
        store, expected = self.unpacked("format-1-killed")
        trace = self.folder / "trace"
        trace.touch()
        old = {str(path) for path in store.iterdir()
               if path.suffix in (".sst", ".log") or path.name.startswith("MANIFEST")}
        self.finds_with(self.tracer.environment(store, trace), store, expected)
        records = [record[1:] for record in read_trace(trace)]
        deleted = [index for index, record in enumerate(records)
                   if record[0] == "U" and record[1] in old]
        self.assertEqual(len(deleted), len(old))
        allowed = records.index(("V", f"{store}/migrating"))
        begun = next(index for index, record in enumerate(records)
                     if index > deleted[-1] and record[0] in "UV"
                     and record[1].startswith(f"{store}/migrating"))
        self.assertLess(begun, allowed)
        self.assertIn(("D", str(store)), records[deleted[-1]:begun])

    def finds_with(self, environment, store, expected):
        router = self.serve(store, env=environment)
        self.compare(router, expected)
        self.assertEqual(router.stop(), 0)


if __name__ == "__main__":
    unittest.main()
