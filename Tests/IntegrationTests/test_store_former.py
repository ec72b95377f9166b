"""In which order the upgrade of a store of an earlier format gets to the disk.

The stores are those of make_store_fixtures.py.
"""

import unittest

from disk_trace import Tracer, read_trace
from store_case import *
from test_store_upgrade import UpgradeCase


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
