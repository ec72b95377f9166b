"""The folder of a store: another one in its place, none where one must be."""

import shutil
import unittest

from admin import readiness, wait_ready
from store_case import *

ADMIN = ("--admin", "127.0.0.1:0")


class AnotherFolderInItsPlace(StoreCase):
    flags = ADMIN

    def setUp(self):
        super().setUp()
        self.aside = self.router.store.with_name("aside")
        self.older = self.router.store.with_name("older")

    def sizes(self, folder):
        return {path.relative_to(folder): path.stat().st_size for path in folder.rglob("*")
                if path.is_file()}

    def wait_failing(self, publisher):
        """Pushes until the router says that its folder is another one; returns the last seq."""
        seq = publisher.push(HEALING)
        self.router.wait_log("the store fails")
        self.assertIn("store-replaced", self.router.log)
        return seq

    def fails(self, publisher, seq):
        with self.assertRaises(TimeoutError):
            publisher.wait_acked(seq, timeout=1.5)
        status, reasons = readiness(self.router)
        self.assertEqual(status, 503)
        self.assertRegex(reasons[0], r"^the store fails \(store-replaced\)")

    def test_an_older_copy_is_noticed_before_anything_is_acknowledged(self):
        """Writes to the folder that was moved away still succeed all the while."""
        device, publisher = self.device("d-1", ELF), self.publisher()
        self.pushes(publisher, 5)
        self.tool("backup", self.router, self.older)
        self.pushes(publisher, 5)
        before = self.sizes(self.older)

        self.router.store.rename(self.aside)
        self.older.rename(self.router.store)
        seq = self.wait_failing(publisher)
        self.assertEqual(device.expect(RELOAD).json["cause"], "push", "RELOADs continue")
        self.fails(publisher, seq)
        self.assertEqual(self.sizes(self.router.store), before, "the other folder is left as it is")

        # The right one comes back: the router continues without a restart, and has lost nothing.
        self.router.store.rename(self.older)
        self.aside.rename(self.router.store)
        publisher.wait_acked(seq)
        self.router.wait_log("the store works again")
        wait_ready(self.router)
        self.pushes(publisher, 5)
        self.router.restart()
        self.assertEqual(self.publisher().welcome["lastSeq"], publisher.seq)
        self.tool("check", self.router)

    def test_files_of_a_copy_put_into_the_folder_are_noticed(self):
        """The folder is the same one: the file in which the store has its name is not."""
        publisher = self.publisher()
        self.pushes(publisher, 5)
        self.tool("backup", self.router, self.older)
        self.pushes(publisher, 5)
        self.aside.mkdir()
        for path in list(self.router.store.iterdir()):
            path.rename(self.aside / path.name)
        shutil.copytree(self.older, self.router.store, dirs_exist_ok=True)
        seq = self.wait_failing(publisher)
        self.fails(publisher, seq)
        for path in list(self.router.store.iterdir()):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for path in list(self.aside.iterdir()):
            path.rename(self.router.store / path.name)
        publisher.wait_acked(seq)

    def test_each_durability_notices(self):
        for durability in ("os", "none"):
            with self.subTest(durability):
                router = self.start(*ADMIN, "--durability", durability)
                publisher = self.publisher(router=router)
                self.pushes(publisher, 5)
                aside = router.store.with_name("aside")
                router.store.rename(aside)
                publisher.push(HEALING)
                router.wait_log("store-replaced")
                self.assertIn("no longer exists", router.log)
                aside.rename(router.store)
                router.wait_log("the store works again")


class MustExist(StoreCase):
    flags = ("--store", "none")

    def test_serve_makes_no_store_where_one_must_be(self):
        """Neither where there is no folder nor in an empty one, as of a disk that is not mounted."""
        folder = self.router.store
        for _ in ("no folder", "an empty folder"):
            said = self.serve_refuses(self.router, "--store-must-exist")
            self.assertIn("store-missing", said)
            self.assertIn(f"reload-router store create --store {folder}", said)
            self.assertIn("mounted", said)
            self.assertFalse(folder.exists() and list(folder.iterdir()), "nothing was made")
            folder.mkdir(exist_ok=True)

    def test_a_store_that_was_created_is_served(self):
        made = self.tool("create", self.router)
        self.assertIn("an empty store was made", made.stdout)
        router = self.start("--store", self.router.store, "--store-must-exist")
        self.publisher(router=router).pushed(HEALING)
        self.assertNotIn("there was no store", router.log)
        router.restart()
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], 1)

    def test_create_leaves_a_store_as_it_is(self):
        self.tool("create", self.router)
        before = self.contents()
        said = self.tool("create", self.router, code=1).stderr
        self.assertIn("already contains a store", said)
        self.assertEqual(self.contents(), before)

    def contents(self):
        return {path: path.read_bytes() for path in self.router.store.rglob("*")
                if path.is_file()}

    def test_the_environment_and_the_file_say_it_too(self):
        path = self.router.apps.with_name("settings.json")
        path.write_text(json.dumps({"store-must-exist": True}))
        self.assertIn("store-missing", self.serve_refuses(self.router, "--config", path))
        # The environment beats the file: so a first start needs no other file.
        router = self.start("--config", path, env={"RELOAD_ROUTER_STORE_MUST_EXIST": "false"})
        self.assertIn("there was no store", router.log)

    def test_no_store_that_must_exist_is_a_contradiction(self):
        said = self.serve_refuses(self.router, "--store-must-exist", store="none")
        self.assertIn("store-must-exist is true, and the store is none", said)


if __name__ == "__main__":
    unittest.main()
