"""The tools for operators: `reload-router store`, on stores that are whole, damaged or in use."""

import json
import os
import tempfile
import unittest

from store_case import *
from stored_records import StoredRecords

# Types of records of the table.
PRODUCERS_RECORD, WIDGETS_RECORD, DEVICE_RECORD = 3, 6, 9
# A flag of a widget: its RELOAD is sent again.
RESENT = 32


def beside(store):
    """What repair has put beside a store; the history of the metrics is there in any case."""
    return [path for path in store.parent.glob("store.*") if path.suffix != ".history"]


class Damage(StoreCase):
    def damaged(self, *flags, break_record, widgets=(ELF,)):
        """A router's store after 40 pushes, one by one, and then a broken record."""
        router = self.start(*flags)
        self.device("d-1", *widgets, router=router)
        publisher = self.publisher(router=router)
        self.pushes(publisher, 40)
        if flags:
            # The journal begins after the first checkpoint once a second one is on the disk.
            first = router.store / "journal" / f"{1:020}.log"
            wait_until(lambda: self.pushes(publisher, 1) or not first.exists(),
                       "the journal's beginning is forgotten")
        router.stop()
        with StoredRecords(router.store) as records:
            return router, break_record(records)

    def test_a_broken_journal_record(self):
        """serve refuses with its position and the way on, check finds it, repair fixes it, serve runs."""
        router, _ = self.damaged(break_record=lambda records: records.break_journal(20))
        refusal = self.serve_refuses(router)
        self.assertIn("journal record 20 has a wrong checksum", refusal)
        self.assertIn(f'run "reload-router store check --store {router.store}"', refusal)
        check = self.tool("check", router, code=1)
        self.assertIn("journal record 20", check.stderr)
        lines = self.dump(router, "--journal", "--from", 18, code=1)
        self.assertEqual([line.get("journal") for line in lines[1:5]], [18, 19, None, 21])
        self.assertIn("journal record 20", lines[3]["message"])

        dry = self.tool("repair", router, "--dry-run", code=1)
        self.assertIn("to position 19", dry.stdout)
        self.assertIn("journal record 20", dry.stderr)
        mended = self.tool("repair", router)
        self.assertIn("to position 19", mended.stdout)
        self.assertIn(f"{router.store}.damaged-1: the damaged store; delete it when its losses "
                      "do not matter", mended.stdout)
        self.assertRegex(mended.stderr, r"lost: journal records 20 to \d+ \(\d+\)")
        self.tool("check", router)
        self.tool("check", f"{router.store}.damaged-1", code=1)

        router.restart(kill=False)
        publisher = self.publisher(router=router)
        kept = publisher.welcome["lastSeq"]
        self.assertTrue(0 < kept < 40, kept)
        publisher.seq = publisher.acked = kept
        self.pushes(publisher, 40 - kept)
        self.assertEqual(publisher.acked, 40)

    def test_a_broken_table_record_that_nothing_can_replace(self):
        """serve refuses with its key; repair keeps the last push, and says that the device is gone."""
        router, (number, epoch) = self.damaged(
            "--checkpoint-after", 500,
            break_record=lambda records: records.break_table(DEVICE_RECORD))
        key = f"table record {DEVICE_RECORD}/{number}/0 of checkpoint {epoch}"
        self.assertIn(key, self.serve_refuses(router))
        self.assertIn(key, self.tool("check", router, code=1).stderr)
        problems = [line for line in self.dump(router, code=1) if "problem" in line]
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(key, problems[0]["message"])
        mended = self.tool("repair", router)
        self.assertIn(f"lost: store-corrupt: {key}", mended.stderr)
        self.assertIn("0 devices with 0 widgets and push tokens, the last push of 1 producer, and 0 keys",
                      mended.stderr)
        router.restart()
        self.assertGreaterEqual(self.publisher(router=router).welcome["lastSeq"], 40)

    def test_whole_records_that_contradict_each_other(self):
        """Only a router that is made of them shows it; there is nothing to repair."""
        router, _ = self.damaged(
            "--checkpoint-after", 500,
            break_record=lambda records: records.delete_table(PRODUCERS_RECORD))
        sentence = "no router can be made of"
        self.assertIn("store-corrupt: table record", self.serve_refuses(router))
        self.assertIn("ok", self.tool("check", router, "--records-only").stdout)
        self.assertIn(sentence, self.tool("check", router, code=1).stderr)
        self.assertIn(sentence, self.tool("repair", router, code=1).stderr)
        self.assertEqual(beside(router.store), [])

    def test_a_contradiction_that_no_start_looks_for(self):
        """check restores a router and compares its tables; serve uses the store nevertheless."""
        def resend(body):
            return body[:12] + bytes([body[12] | RESENT]) + body[13:]

        router, _ = self.damaged(
            "--checkpoint-after", 500,
            break_record=lambda records: records.change_table(WIDGETS_RECORD, resend),
            # The journal after the checkpoint has pushes, which must leave the first widget alone.
            widgets=(widget("w0", character="orc-7"), ELF))
        error = self.tool("check", router, code=1).stderr
        self.assertIn("records contradict each other: ReloadState: widget 0 has no pending RELOAD",
                      error)
        self.assertIn("ok", self.tool("check", router, "--records-only").stdout)

    def test_what_is_kept_and_makes_no_router(self):
        """Repair finds that out before it exchanges anything."""
        def break_both(records):
            records.note_end(10_000)
            records.delete_table(PRODUCERS_RECORD)

        router, _ = self.damaged("--checkpoint-after", 500, break_record=break_both)
        self.tool("repair", router, "--dry-run", code=1)
        names = sorted(router.store.rglob("*"))
        ended = self.tool("repair", router, code=1)
        self.assertIn("no router can be made of what could be kept, so nothing was changed",
                      ended.stderr)
        self.assertEqual(beside(router.store), [])
        self.assertEqual(sorted(router.store.rglob("*")), names)

    def test_a_broken_log(self):
        """check names file and byte, and repair keeps what lies before it."""
        router = self.start()
        self.pushes(self.publisher(router=router), 40)
        router.stop()
        log = max(router.store.glob("journal/*.log"))
        data = bytearray(log.read_bytes())
        data[len(data) // 2] ^= 0xff
        log.write_bytes(data)
        sentence = f"{log} is damaged at byte"
        self.assertIn(sentence, self.serve_refuses(router))
        for tool in ("check", "stat"):
            self.assertIn(sentence, self.tool(tool, router, code=1).stderr)
        mended = self.tool("repair", router)
        self.assertIn(sentence, mended.stderr)
        self.assertRegex(mended.stderr, r"lost: journal records \d+ to \d+ \(\d+\)")
        router.restart(kill=False)
        self.assertTrue(0 < self.publisher(router=router).welcome["lastSeq"] < 40)

    def test_repair_leaves_alone_what_is_whole_or_used(self):
        """Nothing is renamed."""
        router = self.start()
        self.assertIn("another process uses the store", self.tool("repair", router, code=1).stderr)
        router.stop()
        self.assertIn("whole, nothing would be changed",
                      self.tool("repair", router, "--dry-run").stdout)
        self.assertIn("whole, nothing was changed", self.tool("repair", router).stdout)
        self.assertEqual(beside(router.store), [])


class Tools(StoreCase):
    def test_backup_overwrites_nothing(self):
        """A folder that is there is refused."""
        with tempfile.TemporaryDirectory() as folder:
            ended = self.tool("backup", self.router, folder, code=1)
            self.assertIn("exists already", ended.stderr)

    def test_check_counts_what_a_router_would_have(self):
        """While that router serves."""
        self.device("d-1", ELF, widget("w2", PARTY, member="elf-42"))
        self.pushes(self.publisher(), 3)
        summary = self.tool("check", self.router).stdout
        self.assertIn(f"{self.router.store}: ok", summary)
        self.assertIn("router: 2 apps, 1 device, 2 widgets, 1 producer", summary)
        self.assertNotIn("router:", self.tool("check", self.router, "--records-only").stdout)

    def test_stat(self):
        """For people, and as JSON for scripts."""
        self.pushes(self.publisher(), 3)
        found = json.loads(self.tool("stat", self.router, "--json").stdout)
        self.assertEqual((found["format"], found["checkpoint"]), (4, 0))
        self.assertEqual(found["journalRecords"], found["lastPosition"])
        self.assertGreaterEqual(found["lastPosition"], 4)
        self.assertTrue(0 <= found["ageSeconds"] < 600, found)
        parts = [found[f"{part}FileBytes"] for part in ("table", "journal", "other")]
        self.assertEqual(sum(parts), found["fileBytes"])
        self.assertIn(f"identifier   {found['identifier']}", self.tool("stat", self.router).stdout)

    def test_dump_has_what_was_accepted_and_no_secrets(self):
        """From the journal, and from the table after a checkpoint."""
        router = self.start("--checkpoint-after", 2_000)
        device = self.session("device", device="d-1", router=router)
        device.request(WIDGETS, {"device": "d-1", "pushToken": "cafe4b1d", "widgets": [ELF]})
        # Some entries of the journal have to be read before it is cut.
        before = self.dump(router)
        frames = [e for line in before[1:] for e in line["entries"] if e["entry"] == "frame"]
        self.assertEqual(frames[0]["body"]["pushToken"], "(secret)")
        self.assertEqual(frames[0]["body"]["widgets"], [ELF])
        publisher = self.publisher(router=router)
        wait_until(lambda: publisher.pushed(HEALING) and "is on the disk" in router.log,
                   "a checkpoint is on the disk")
        text = self.tool("dump", router).stdout
        lines = [json.loads(line) for line in text.splitlines()]
        current = {line["table"]: line for line in lines
                   if "table" in line and "isLeftOver" not in line}
        self.assertEqual(current["registration"]["device"], "d-1")
        self.assertEqual(current["registration"]["pushToken"], "(secret)")
        self.assertEqual(current["registration"]["widgets"][0]["configuration"], ELF["configuration"])
        self.assertEqual(current["registration"]["widgets"][0]["kind"], DETAIL)
        self.assertGreater(current["producers"]["producers"][0]["lastSeq"], 0)
        for secret in ("cafe4b1d", *TOKENS.values()):
            self.assertNotIn(secret, text)
            self.assertNotIn(secret, json.dumps(before))
        for flag, other in (("--table", "journal"), ("--journal", "table")):
            self.assertEqual([l for l in self.dump(router, flag) if other in l], [])

    def test_which_store(self):
        """By flag, environment or default, as serve; the tools make none."""
        self.assertIn("ok", command("store", "check",
                                    env={"RELOAD_ROUTER_STORE": str(self.router.store)}).stdout)
        with tempfile.TemporaryDirectory() as folder:
            missing = command("store", "check", cwd=folder)
            self.assertEqual((missing.returncode, os.listdir(folder)), (1, []))
            self.assertIn("reload-router.store", missing.stderr)
            self.assertIn("there is no store", self.tool("stat", folder, code=1).stderr)
        self.assertIn("store is none", self.tool("check", "none", code=1).stderr)
        for wrong in (["store", "backup"], ["store", "mend"], ["store", "dump", "--from", "x"],
                      ["store", "dump", "--table", "--from", "3"]):
            self.assertEqual(command(*wrong).returncode, 64, wrong)


if __name__ == "__main__":
    unittest.main()
