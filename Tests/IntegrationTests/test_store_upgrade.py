"""Stores that are kept: what the router under test makes of them, however often that is interrupted.

The stores are those of make_store_fixtures.py, of each format that is read. Interruptions come at every fifth
change that the start makes to a file, beginning anywhere; with RELOAD_ROUTER_UPGRADE_STEP=1 at each. What is
written at the upgrade to a format that there is not yet is tested in StoreUpgradeTests and UpgradeTests.
"""

import hashlib
import json
import os
import pathlib
import random
import shutil
import tempfile
import unittest

from file_faults import FileFaults
from make_store_fixtures import FIXTURE_APPS, STORES, unpack
from store_case import *
from store_facts import ADMIN, facts

FIXTURES = sorted(path.stem for path in STORES.glob("format-*.json"))
STEP = int(os.environ.get("RELOAD_ROUTER_UPGRADE_STEP", 5))
NOBODY = 65_534


def hashes(folder):
    """What lies in a folder, by path: a hash of each file, and nothing for a folder."""
    return {str(path.relative_to(folder)):
            path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(pathlib.Path(folder).rglob("*"))}


class UpgradeCase(StoreCase):
    flags = ("--store", "none")

    def setUp(self):
        # Before the routers, so that it is deleted after they are put away.
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        super().setUp()

    def unpacked(self, name, folder=None):
        """A copy of that fixture of its own, and what must be found in it."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=folder or self.folder))
        return unpack(name, folder), json.loads((STORES / f"{name}.json").read_text())

    def serve(self, store, **options):
        return self.start(*ADMIN, "--store-must-exist", apps=FIXTURE_APPS, store=store, **options)

    def finds(self, store, expected):
        """A router that is started on the store knows what is expected; it is drained."""
        router = self.serve(store)
        self.compare(router, expected)
        self.assertEqual(router.stop(), 0)
        return router

    def compare(self, router, expected):
        found = facts(router)
        self.assertEqual(found["producers"], expected["producers"])
        self.assertEqual(found["devices"].keys(), expected["devices"].keys())
        for name, device in expected["devices"].items():
            self.assertEqual(found["devices"][name], device, name)

    def stat(self, store):
        return json.loads(self.tool("stat", store, "--json").stdout)


class Upgrade(UpgradeCase):
    def test_each_store_is_opened_and_has_everything(self):
        """Also once more when it has been drained, and when it was killed."""
        for name in FIXTURES:
            with self.subTest(name):
                store, expected = self.unpacked(name)
                router = self.finds(store, expected)
                self.assertIn("ok", self.tool("check", store).stdout)
                found = self.stat(store)
                self.assertEqual(found["identifier"], expected["identifier"])
                self.assertGreaterEqual(found["format"], expected["format"])
                router.restart(kill=False)
                self.compare(router, expected)
                router.restart(kill=True)
                self.compare(router, expected)
                self.assertEqual(router.stop(), 0)
                self.assertIn("ok", self.tool("check", store).stdout)

    def test_it_lasts_through_checkpoints_and_kills(self):
        """What the router writes now fits together with what it found, and pushes match as before."""
        for name in FIXTURES:
            with self.subTest(name):
                store, expected = self.unpacked(name)
                matches = self.matches(expected)
                router = self.start(*ADMIN, "--checkpoint-after", 4_096, apps=FIXTURE_APPS,
                                    store=store)
                publisher = self.publisher("shard-7", router=router)
                self.assertEqual(publisher.seq, expected["producers"].get(f"{APP}/shard-7", 0))
                for round in range(4):
                    sealed = router.log.count("the checkpoint is on the disk")
                    while router.log.count("the checkpoint is on the disk") == sealed:
                        self.assertEqual(publisher.pushed(HEALING), matches)
                    last = publisher.acked
                    publisher.close()
                    router.restart(kill=round % 2 == 0)
                    publisher = self.publisher("shard-7", router=router)
                    self.assertEqual(publisher.acked, last)
                expected["producers"][f"{APP}/shard-7"] = last
                found = facts(router)
                self.assertEqual(found["producers"], expected["producers"])
                self.assertEqual(self.dates(found), self.dates(expected))
                publisher.close()
                self.assertEqual(router.stop(), 0)
                self.assertIn("ok", self.tool("check", store).stdout)

    def matches(self, facts):
        """The number of widgets that HEALING matches."""
        return sum(one["kind"] in (DETAIL, BOARD)
                   and one["configuration"]["character"] == HEALING["character"]
                   for device in facts["devices"].values() for one in device["widgets"].values())

    def dates(self, facts):
        """The date of each widget, by device."""
        return {name: {id: one["date"] for id, one in device["widgets"].items()}
                for name, device in facts["devices"].items()}

    def test_tools_that_only_look_change_nothing(self):
        """A store that no router has opened yet can be checked, measured, printed and copied."""
        for name in FIXTURES:
            with self.subTest(name):
                store, expected = self.unpacked(name)
                before = hashes(store)
                for tool in ("check", "stat", "dump"):
                    self.tool(tool, store)
                self.assertEqual(self.stat(store)["identifier"], expected["identifier"])
                copy = store.with_name("copy")
                self.tool("backup", store, copy)
                self.assertEqual(hashes(store), before)
                self.finds(copy, expected)

    def test_a_torn_end_is_cut_off_with_a_warning(self):
        """As at any other start."""
        store, expected = self.unpacked("format-3-killed")
        router = self.finds(store, expected)
        self.assertIn("the end of the journal was incomplete and was cut off", router.log)


class Places(UpgradeCase):
    """Where a store may lie."""

    def test_a_store_that_is_reached_by_a_link(self):
        store, expected = self.unpacked("format-3-killed")
        link = self.folder / "link"
        link.symlink_to(store)
        self.finds(link, expected)
        self.assertTrue(link.is_symlink())
        self.finds(store, expected)

    def test_a_store_that_is_a_disk_of_its_own(self):
        """Nothing can be put in its place then, and a file system may have left its folder there."""
        place = self.folder / "disk"
        place.mkdir()
        with disk(place, "32m"):
            store, expected = self.unpacked("format-3-killed")
            shutil.copytree(store, place, dirs_exist_ok=True)
            (place / "lost+found").mkdir()
            router = self.finds(place, expected)
            router.restart()
            self.compare(router, expected)
            self.assertEqual(router.stop(), 0)
            self.tool("check", place)

    @unittest.skipIf(os.getuid(), "needs root to be another user")
    def test_a_user_who_may_write_nowhere_but_in_the_store(self):
        """The parent folder belongs to another user."""
        store, expected = self.unpacked("format-3-killed")
        self.folder.chmod(0o755)
        store.parent.chmod(0o755)
        for path in (store, *store.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        (apps := self.folder / "apps.json").write_text(json.dumps(FIXTURE_APPS))
        (token := self.folder / "token").write_text(ADMIN_TOKEN)
        token.chmod(0o600)
        os.chown(token, NOBODY, NOBODY)
        # The audit log would stand beside the store.
        router = self.start(*ADMIN, "--apps", apps, "--admin-token-file", token, "--audit-log", "none",
                            store=store, program=self.as_other_user())
        self.compare(router, expected)
        self.assertEqual(router.stop(), 0)
        for path in (store, *store.rglob("*")):
            self.assertEqual(path.stat().st_uid, NOBODY, path)
            self.assertEqual(path.stat().st_mode & 0o022, 0, path)

    def as_other_user(self):
        """A program that is the router as another user."""
        program = self.folder / "as-nobody"
        program.write_text(f"#!/bin/sh\nexec setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups "
                           f"{binary()} \"$@\"\n")
        program.chmod(0o755)
        ended = command("--version", program=program)
        if ended.returncode != 0:
            self.skipTest(f"the router cannot be run as another user: {ended.stderr}")
        return program


class Interrupted(UpgradeCase):
    """The process that opens the store ends, or its disk fails, at each change that it makes to a file."""

    @classmethod
    def setUpClass(cls):
        cls.faults = cls.enterClassContext(FileFaults())

    def first_start(self, store, kind, at):
        """Starts a router with that fault: its exit code, or nothing if it has come to listen; and
        whether the fault occurred, or there were too few changes for it."""
        log = store.with_name("changes")
        log.write_text("")
        router = Router("--store-must-exist", apps=FIXTURE_APPS, store=store, waits=False,
                        env=self.faults.environment(store, kind, at, log))
        try:
            wait_until(lambda: router.process.poll() is not None or "listening on" in router.output,
                       "an end, or a router that listens", 30)
            code, self.said = router.process.poll(), router.log
        finally:
            router.kill()
            router.folder.cleanup()
        changes = log.read_text().splitlines()
        self.change = changes[at - 1] if len(changes) >= at else "none"
        return code, len(changes) >= at

    def each_change(self, name, kind, judge):
        """Calls `judge` with a store, what it must hold, the first start's exit code and the number of
        the change at which the fault came, for one change after the other until none is left."""
        at, isOver = random.randint(1, STEP), False
        while not isOver:
            store, expected = self.unpacked(name)
            with self.subTest(name, kind=kind, at=at):
                code, hasCome = self.first_start(store, kind, at)
                isOver = not hasCome
                with self.subTest(change=self.change):
                    judge(store, expected, code, at)
            # If the judge failed, its router still runs, and would report the deletion of its files
            # instead of what went wrong.
            for router in self.routers:
                router.stop()
            shutil.rmtree(store.parent)
            at += STEP
        self.assertGreater(at, 10, "changes were counted")

    def continues(self, store, expected, at):
        """The next start finds everything: there and then, and once more."""
        self.assertIn("ok", self.tool("check", store).stdout)
        self.finds(store, expected)

    def test_a_kill_at_any_change_loses_nothing(self):
        def judge(store, expected, code, at):
            self.assertIn(code, (None, -9), self.said)
            self.continues(store, expected, at)

        for name in ("format-3-killed", "format-3-ended"):
            self.each_change(name, "kill", judge)
        self.each_change("format-3-killed", "torn", judge)

    def test_a_second_kill_loses_nothing_either(self):
        """The start that finds what another one has begun is killed, too."""
        seed = random.SystemRandom().randrange(1 << 32)
        generator = random.Random(seed)

        def judge(store, expected, code, at):
            with self.subTest(seed=seed):
                second, _ = self.first_start(store, "torn", generator.randint(1, at + 20))
                self.assertIn(second, (None, -9), self.said)
                self.continues(store, expected, at)

        self.each_change("format-3-sealing", "kill", judge)

    def test_a_disk_that_gets_full_at_any_change_loses_nothing(self):
        """It is refused with a sentence, or serves until the disk is full."""
        def judge(store, expected, code, at):
            self.assertIn(code, (None, 1), self.said)
            if code == 1:
                self.assertIn("store-full", self.said)
            self.continues(store, expected, at)

        self.each_change("format-3-ended", "full", judge)

    def test_an_error_at_any_change_loses_nothing(self):
        """It is refused with a sentence, or gets over it."""
        def judge(store, expected, code, at):
            self.assertIn(code, (None, 1), self.said)
            if code == 1:
                self.assertRegex(self.said, r"Error: store-[a-z]+: \S")
            self.continues(store, expected, at)

        self.each_change("format-3-killed", "io", judge)


if __name__ == "__main__":
    unittest.main()
