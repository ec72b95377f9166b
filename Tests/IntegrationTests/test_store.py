"""What survives the end of the process, and which stores the router refuses."""

import contextlib
import json
import os
import pathlib
import shutil
import tempfile
import unittest

from store_case import *
from stored_records import StoredRecords


def logged(router, *beginnings):
    """The last line of the log, as JSON, for each of these beginnings of a message, or None."""
    return [next((line for line in reversed(router.records) if line["message"].startswith(beginning)), None)
            for beginning in beginnings]


def content(router):
    """The files of a router's store."""
    return {path: path.read_bytes() for path in router.store.rglob("*") if path.is_file()}


class Restart(StoreCase):
    def test_widgets_and_pushes_survive_kill(self):
        """A device that was away gets its RELOAD, a push that is sent again has no effect."""
        device, publisher = self.device("d-1", ELF), self.publisher()
        self.pushes(publisher, 1)
        device.answer(device.expect(RELOAD))
        device.close()
        publisher.barrier()
        self.assertEqual(publisher.pushed(HEALING), 1)
        self.router.restart()

        publisher = self.publisher()
        self.assertEqual(publisher.welcome["lastSeq"], 2)
        device = self.device("d-1")
        reload = device.expect(RELOAD)
        self.assertEqual((reload.json["device"], reload.json["widgets"]), ("d-1", ["w1"]))
        device.answer(reload)
        seq = publisher.push(HEALING, seq=2)
        self.assertEqual(publisher.pushed(HEALING, seq=seq + 1), 1)
        self.assertEqual(len(device.reloads()), 1)

    def test_what_is_newest_survives_kill(self):
        """An update that comes after the restart and is older than one before it reloads and replaces nothing."""
        kind = {"kind": DETAIL, **ANY_TIME, "observes": ["hp"], "inlines": ["hp"], "newest": "at",
                "match": {"character": ["${configuration.character}"]}}
        router = self.start(apps={"apps": [{"app": APP, **ACCESS, "kinds": [kind]}]})
        device, publisher = self.device("d-1", ELF, router=router), self.publisher(router=router)

        def shown(hp, at):
            publisher.pushed({"character": "elf-42", "hp": hp, "at": at})
            reloads = device.reloads()
            for reload in reloads:
                device.answer(reload)
            return [reload.json["values"]["w1"]["hp"] for reload in reloads]

        self.assertEqual(shown(10, "2026-11-29T12:00:00.5Z"), [10])
        self.assertEqual(shown(20, "2026-11-29T12:00:00Z"), [])
        publisher.barrier()
        router.restart()
        device, publisher = self.device("d-1", router=router), self.publisher(router=router)
        self.assertEqual(shown(30, "2026-11-29T13:00:00.499+01:00"), [])
        self.assertEqual(shown(40, "2026-11-29T13:00:01+01:00"), [40])

    def test_a_publisher_hears_what_an_older_store_has_lost(self):
        """The store is replaced by a copy from before the last pushes; nothing of them is anywhere."""
        publisher = self.publisher()
        self.pushes(publisher, 3)
        publisher.barrier()
        self.router.stop()
        older = self.router.store.with_name("older")
        shutil.copytree(self.router.store, older)
        self.router.restart()
        publisher = self.publisher()
        self.pushes(publisher, 4)
        publisher.barrier()
        self.router.stop()
        shutil.rmtree(self.router.store)
        older.rename(self.router.store)
        self.router.restart()
        welcome = self.session("publisher", producer="shard-7", acked=7).welcome
        self.assertEqual((welcome["lastSeq"], welcome["behind"]), (3, 4))
        self.router.wait_log("the router knows nothing of pushes that a publisher had an answer to")
        again = self.session("publisher", producer="shard-7", acked=3)
        self.assertNotIn("behind", again.welcome)
        self.assertEqual(again.pushed(HEALING, seq=8), 0)
        again.barrier()
        self.assertNotIn("behind", self.session("publisher", producer="shard-7", acked=8).welcome)
        self.assertEqual(self.router.log.count("knows nothing of pushes"), 1)

    def test_rejections_survive(self):
        """Those of pushes that lastSeq has passed, which would count as accepted otherwise."""
        publisher = self.publisher()
        for payload in (HEALING, b"[", HEALING, b'{"a":1,"a":1}'):
            publisher.push(payload)
        publisher.wait_acked(3)
        publisher.expect(REJECT)
        publisher.expect(REJECT)
        self.router.restart()
        again = self.session("publisher", producer="shard-7", acked=0)
        self.assertEqual(again.welcome["lastSeq"], 3)
        self.assertEqual(again.welcome["rejected"], [
            {"seq": 2, "code": "payload-not-json"}, {"seq": 4, "code": "payload-duplicate-key"}])
        again.close()
        self.router.restart(kill=False)
        again = self.session("publisher", producer="shard-7", acked=2)
        self.assertEqual(again.welcome["rejected"], [{"seq": 4, "code": "payload-duplicate-key"}])

    def test_a_reload_that_was_not_answered_goes_out_again(self):
        """It is not known whether the device has received it."""
        device, publisher = self.device("d-1", ELF), self.publisher()
        self.pushes(publisher, 1)
        first = device.expect(RELOAD)
        self.router.restart()
        again = self.device("d-1").expect(RELOAD)
        self.assertEqual(again.json["widgets"], ["w1"])
        self.assertGreater(again.seq, first.seq)

    def test_a_push_for_very_many_survives_in_the_midst(self):
        """Killed while 100,000 widgets are delivered: all of them are reloaded in the end."""
        devices, each = 400, 250
        widgets = [widget(f"w{number}", character="elf-42") for number in range(each)]

        def register(gateway):
            for number in range(devices):
                gateway.request(WIDGETS, {"device": f"d{number}", "widgets": widgets})

        gateway, publisher = self.gateway(), self.publisher("hot")
        register(gateway)
        publisher.push(HEALING)
        gateway.expect(RELOAD)
        self.router.restart()

        publisher = self.publisher("hot")
        if publisher.welcome["lastSeq"] == 0:
            self.assertEqual(publisher.pushed(HEALING, seq=1), devices * each)
        gateway = self.gateway()
        reported = set()
        register(gateway)
        while len(reported) < devices * each:
            body = gateway.expect(RELOAD).json
            reported.update((body["device"], name) for name in body["widgets"])

    def test_dates_survive(self):
        """Neither lost nor early, also if they pass while no router runs."""
        for wait, pause in ((2_500, 0), (300, 0.5)):
            with self.subTest(wait=wait, pause=pause):
                device = self.device(f"d-{wait}", ELF)
                date = now_ms() + wait
                device.request(TIMELINE, {"device": f"d-{wait}", "widget": "w1", "entries": [],
                                          "policy": {"after": date}})
                self.router.kill()
                wait_until(lambda: now_ms() > date - wait + pause * 1_000, "the pause is over")
                self.router.restart()
                reload = self.device(f"d-{wait}").expect(RELOAD)
                self.assertEqual(reload.json["cause"], "after")
                self.assertGreaterEqual(now_ms(), date)

    def test_it_lasts_through_many_ends_and_checkpoints(self):
        """lastSeq never goes back, and nothing is matched twice."""
        router = self.start("--checkpoint-after", 2_000)
        self.device("d-1", ELF, router=router)
        for round in range(6):
            publisher = self.publisher(router=router)
            self.assertEqual(publisher.welcome["lastSeq"], round * 20)
            self.pushes(publisher, 20)
            publisher.close()
            publisher = self.publisher(router=router)
            publisher.push(HEALING, seq=1)
            self.assertEqual(publisher.pushed({"other": 1}, seq=round * 20 + 20), 0)
            if round % 2 == 1:
                # Nothing is pushed meanwhile: enough inputs have arrived by then to make one due.
                router.wait_log("the checkpoint is on the disk")
            router.restart(kill=round % 2 == 0)
        self.assertGreater(self.dump(router, "--table")[1]["checkpoint"], 2)
        self.tool("check", router)

    def test_the_log_tells_a_new_store_from_an_old_one(self):
        """With its place and its identifier; and what was found in it."""
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            folder = os.getcwd()
            lines = "opening the store", "there was no store", "store opened"
            router = self.start("--log-format", "json", store="relative")
            self.device("d-1", ELF, widget("w2"), router=router)
            self.device("d-2", ELF, router=router)
            opening, made, opened = logged(router, *lines)
            self.assertEqual(opening["message"], f"opening the store {folder}/relative")
            self.assertEqual(made["message"], "there was no store: an empty one was made")
            self.assertEqual(made["folder"], f"{folder}/relative")
            facts = self.dump(f"{folder}/relative", "--table")[0]
            self.assertEqual(made["identifier"], facts["identifier"])
            self.assertEqual((opened["devices"], opened["widgets"]), ("0", "0"))
            router.restart()
            opening, made, opened = logged(router, *lines)
            self.assertIsNone(made)
            self.assertEqual((opened["devices"], opened["widgets"]), ("2", "3"))
            self.assertGreater(int(opened["journalBytes"]), 100)
            self.assertRegex(opened["milliseconds"], r"^\d+$")

    def test_a_checkpoint_has_one_number(self):
        """In the log, and in what the tools print; also after a restart."""
        router = self.start("--checkpoint-after", 2_000)
        self.device("d-1", ELF, router=router)
        for _ in range(2):
            publisher = self.publisher(router=router)
            wait_until(lambda: publisher.pushed(HEALING) and "is on the disk" in router.log,
                       "it is sealed")
            router.stop()
            number = logged(router, "the checkpoint is on the disk")[0]["number"]
            self.assertEqual(self.dump(router, "--table")[1]["checkpoint"], int(number))
            router.restart()
        self.assertGreater(int(number), 1)

    def test_without_durability_nothing_is_lost_at_an_orderly_end(self):
        """A kill may lose something then. What full and os promise, test_crash.py tests."""
        router = self.start("--durability", "none")
        self.pushes(self.publisher(router=router), 5)
        router.restart(kill=False)
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], 5)

    def test_no_durability_but_the_three(self):
        """A sentence that names them."""
        for value, named in (("half", "half"), ("", "empty"), ("FULL", "FULL")):
            stderr = self.serve_refuses(self.router, "--durability", value)
            self.assertIn(f"durability is {named}; it must be full, os or none", stderr)

    def test_store_none_forgets(self):
        """It says so, and leaves no folder."""
        router = self.start(store="none")
        router.wait_log("there is no store")
        self.pushes(self.publisher(router=router), 3)
        router.restart()
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], 0)
        self.assertFalse(pathlib.Path("none").exists())


class Loss(StoreCase):
    """Files that an operator, or a disk, has lost."""

    def test_a_store_without_its_list_of_files_is_left_as_it_is(self):
        """However often it is started; only repair finds out which files count."""
        router = self.start()
        self.pushes(self.publisher(router=router), 5)
        router.stop()
        (router.store / "CONTENTS").unlink()
        before = content(router)
        for _ in range(2):
            stderr = self.serve_refuses(router)
            self.assertIn("but not CONTENTS, which names the files in use", stderr)
            self.assertIn("restore a backup", stderr)
        for tool, arguments in (("check", ()), ("stat", ()), ("dump", ()),
                                ("backup", (f"{router.store}-copy",))):
            ended = self.tool(tool, router, *arguments, code=1)
            self.assertIn("but not CONTENTS", ended.stderr + ended.stdout)
        self.tool("repair", router, "--dry-run")
        self.assertEqual(content(router), before)
        self.assertIn("it was made anew", self.tool("repair", router).stderr)
        router.restart()
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], 5)

    def test_a_journal_that_has_lost_everything(self):
        """Its files are there, and empty: lastSeq must not go back."""
        router = self.start()
        self.pushes(self.publisher(router=router), 20)
        self.assertEqual(router.stop(), 0)
        for log in router.store.glob("journal/*.log"):
            os.truncate(log, 0)
        stderr = self.serve_refuses(router)
        self.assertIn("store-corrupt", stderr)
        self.assertIn(".log does not begin with the header of a journal file", stderr)
        self.assertIn("store-corrupt", self.tool("check", router, code=1).stderr)

    def test_repair_counts_what_a_lost_end_has_taken(self):
        """The note of the end says how many records there were."""
        router = self.start()
        self.pushes(self.publisher(router=router), 20)
        router.stop()
        log = max(router.store.glob("journal/*.log"))
        os.truncate(log, log.stat().st_size * 3 // 4)
        mended = self.tool("repair", router)
        self.assertRegex(mended.stderr, r"lost: journal records \d+ to \d+ \(\d+\)")
        router.restart()
        self.assertTrue(0 < self.publisher(router=router).welcome["lastSeq"] < 20)

    def test_what_a_killed_router_has_acknowledged_is_missed_a_second_later(self):
        """Its journal is cut off at a place where nothing is torn: check and serve refuse, repair says what is gone."""
        router = self.start()
        self.pushes(self.publisher(router=router), 10)
        last = self.dump(router)[-1]["journal"]
        with StoredRecords(router.store) as records:
            wait_until(lambda: records.noted >= last, "the end is noted")
        router.kill()
        log = max(router.store.glob("journal/*.log"))
        os.truncate(log, 48)
        for said in (self.serve_refuses(router), self.tool("check", router, code=1).stderr):
            self.assertRegex(said, r"store-gap: .* record \d+, but the journal ends at 0")
        self.assertRegex(self.tool("repair", router, code=1).stderr,
                         r"wrote up to record \d+, but the journal ends at 0.*; nothing can be recovered")
        shutil.rmtree(router.store)
        router.restart()

    def test_what_can_be_read_is_kept_of_a_table_with_a_damaged_file(self):
        """Devices and the last push of each producer, as far as these are in other files; and what is gone is said."""
        router = self.start("--checkpoint-after", 2_000)
        devices = [self.device(f"d-{number}", ELF, router=router) for number in range(3)]
        publisher = self.publisher(router=router)
        for _ in range(3):
            sealed = router.log.count("the checkpoint is on the disk")
            wait_until(lambda: publisher.pushed(HEALING)
                       and router.log.count("the checkpoint is on the disk") > sealed, "a checkpoint")
        late = self.device("late", ELF, router=router)
        self.pushes(publisher, 3)
        last = publisher.acked
        for client in [*devices, late, publisher]:
            client.close()
        router.kill()
        # The newest file of the table has producers, but not the first devices.
        path = max(router.store.glob("sealed-*/*.sst"))
        data = bytearray(path.read_bytes())
        data[len(data) // 3] ^= 4
        path.write_bytes(data)
        self.assertIn("store-corrupt", self.serve_refuses(router))
        dry = self.tool("repair", router, "--dry-run", code=1)
        mended = self.tool("repair", router)
        self.assertEqual(dry.stderr, mended.stderr)
        self.assertIn(f"{path.name}, with records of the table, is missing or damaged", mended.stderr)
        self.assertIn("lost: dates, budgets and waiting reloads of all devices", mended.stderr)
        self.assertRegex(mended.stderr, r"lost: \d+ deliver(y|ies) of RELOADs in the journal, which no budget counts")
        self.tool("check", router)
        router.restart()
        found = self.publisher(router=router)
        self.assertEqual(found.acked, last)
        self.device("other", ELF, router=router)
        self.assertGreaterEqual(found.pushed(HEALING), 2)

    def test_a_torn_end_is_cut_off_with_a_warning(self):
        """It may be the work of a crash, or of a disk; the log says what is gone."""
        router = self.start()
        self.pushes(self.publisher(router=router), 5)
        router.kill()
        log = max(router.store.glob("journal/*.log"))
        size = log.stat().st_size
        with open(log, "ab") as file:
            file.write(b"torn")
        self.assertIn(f"(journal/{log.name} from byte", self.tool("check", router).stdout)
        router.restart()
        self.assertIn("the end of the journal was incomplete and was cut off "
                      f"(journal/{log.name} from byte {size}, 4 bytes)", router.log)
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], 5)


class Refusals(StoreCase):
    def test_the_second_router_on_a_store(self):
        """It says who has it, and the first one does not notice."""
        stderr = self.serve_refuses(self.router)
        self.assertIn(f"another process uses the store {self.router.store}; stop it first", stderr)
        self.assertIn("or name another folder with --store", stderr)
        self.pushes(self.publisher(), 1)

    def test_another_format(self):
        """Router and tools name both versions, and leave it as it is: the other version still serves it."""
        self.pushes(self.publisher(), 5)
        self.router.stop()
        for version, code, advice in (
                (2, "store-older", "use the version that wrote it, or move"),
                (5, "store-newer", "use the newer version, or a backup from before the upgrade")):
            with self.subTest(version):
                with StoredRecords(self.router.store) as records:
                    records.set_version(version)
                before = content(self.router)
                sentence = f"{code}: the store is of format {version}; this version reads formats 3 to 4"
                stderr = self.serve_refuses(self.router)
                self.assertIn(sentence, stderr)
                self.assertIn(advice, stderr)
                for name, arguments in (("check", ()), ("stat", ()), ("dump", ()), ("repair", ()),
                                        ("backup", (f"{self.router.store}-copy",))):
                    self.assertIn(sentence, self.tool(name, self.router, *arguments, code=1).stderr)
                self.assertEqual(content(self.router), before)
        with StoredRecords(self.router.store) as records:
            records.set_version(4)
        self.tool("check", self.router)
        self.router.restart()
        self.assertEqual(self.publisher().welcome["lastSeq"], 5)

    def test_a_folder_of_something_else(self):
        """Nothing is written into it."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "letter.txt").write_text("dear")
            stderr = self.serve_refuses(self.router, store=folder)
            self.assertIn("is not a store: it contains letter.txt", stderr)
            self.assertEqual(os.listdir(folder), ["letter.txt"])


if __name__ == "__main__":
    unittest.main()
