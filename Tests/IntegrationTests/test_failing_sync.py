"""A disk whose syncs fail: what they were for can be read until the power goes, and not after."""

import pathlib
import signal
import tempfile
import unittest

from admin import metrics, wait_ready
from preload import PreloadLibrary
from store_case import *


class FailingSyncs(PreloadLibrary):
    """The library that makes syncs fail."""

    source = "failing_sync.c"

    def environment(self, trigger, record):
        """The environment of a process whose syncs fail while `trigger` exists."""
        return self.preload | {"FAILING_SYNC_TRIGGER": str(trigger), "FAILING_SYNC_RECORD": str(record)}


class FailingSync(StoreCase):
    @classmethod
    def setUpClass(cls):
        cls.library = cls.enterClassContext(FailingSyncs())

    def setUp(self):
        # Before the routers, so that it is deleted after they are put away.
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        super().setUp()
        self.trigger, self.record = folder / "trigger", folder / "record"
        self.record.touch()
        self.failing = self.library.environment(self.trigger, self.record)

    def fail_syncs(self, part, router, publisher, said="the store fails"):
        """Syncs of files with this in their name fail from now on; waits until the router says so."""
        count = router.log.count(said)
        self.trigger.write_text(part)
        wait_until(lambda: publisher.push(HEALING) and router.log.count(said) > count, said, 30)

    def lost_ranges(self):
        """Begin and end of what no sync has brought to the disk, by file."""
        ranges = {}
        for line in self.record.read_text().splitlines():
            event, path, *numbers = line.split(" ")
            numbers = list(map(int, numbers))
            if event == "lost":
                ranges.setdefault(path, []).append(numbers)
            else:
                ranges[path] = [[begin, min(end, numbers[0])]
                                for begin, end in ranges.get(path, []) if begin < numbers[0]]
        return ranges

    def lose_power(self, router):
        """Kills the router, and overwrites what no sync has brought to the disk."""
        router.kill()
        for path, ranges in self.lost_ranges().items():
            if ranges and pathlib.Path(path).exists():
                with open(path, "r+b") as file:
                    size = file.seek(0, os.SEEK_END)
                    for begin, end in ranges:
                        file.seek(begin)
                        file.write(bytes(max(0, min(end, size) - begin)))

    def test_nothing_acknowledged_stands_where_a_sync_has_failed(self):
        """What was written there is written once more, and what follows is not appended after it."""
        router = self.start("--admin", "127.0.0.1:0", env=self.failing)
        device, publisher = self.device("d-1", ELF, router=router), self.publisher(router=router)
        self.pushes(publisher, 5)
        # Even if their ACKs came too early: the next push is the first that is not on the disk.
        wait_until(lambda: (found := metrics(router))["journal_records_committed_total"]
                   == found["journal_records_submitted_total"], "all is on the disk")
        self.fail_syncs(".log", router, publisher)
        device.reloads()
        seq = publisher.push(HEALING)
        self.assertEqual(device.expect(RELOAD).json["cause"], "push")
        with self.assertRaises(TimeoutError):
            publisher.wait_acked(seq, timeout=1.5)
        self.assertEqual(publisher.acked, 5, "the first push whose sync has failed is not acknowledged, either")
        self.assertIn("store-io", router.log)
        self.trigger.unlink()
        publisher.wait_acked(seq)
        self.pushes(publisher, 5)

        self.assertNotEqual(self.record.read_text(), "", "bytes were lost")
        self.lose_power(router)
        router.restart()
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], publisher.seq)
        self.tool("check", router)

    def test_a_drain_answers_what_it_has_accepted_when_the_disk_works_again(self):
        router = self.start(env=self.failing)
        publisher = self.publisher(router=router)
        self.fail_syncs(".log", router, publisher)
        seq = publisher.push(HEALING)
        router.signal(signal.SIGTERM)
        router.wait_log("draining")
        # It has not ended the stream, and more than one try to write has failed since.
        with self.assertRaises(TimeoutError):
            publisher.wait_acked(seq, timeout=1.5)
        self.trigger.unlink()
        publisher.wait_acked(seq)
        self.assertEqual(publisher.expect(GOAWAY).json, {"reason": "drain"})
        self.assertEqual(router.exit_code(), 0)

    def test_while_checkpoints_fail_pushes_are_acknowledged(self):
        """Only an alert says so; nothing is lost, and the checkpoint is made up for."""
        router = self.start("--admin", "127.0.0.1:0", "--checkpoint-after", 4_096, env=self.failing)
        publisher = self.publisher(router=router)
        self.fail_syncs(".sst", router, publisher, "checkpoints fail")
        for _ in range(10):
            self.pushes(publisher, 10)
        found = metrics(router)
        self.assertEqual((found["checkpoint_failing"], found["store_failing"]), (1, 0))
        wait_ready(router)
        router.restart(kill=True)
        publisher = self.publisher(router=router)
        self.assertGreaterEqual(publisher.acked, 100)
        # Perhaps since its start: then its log has said so already.
        wait_until(lambda: publisher.push(HEALING) and metrics(router)["checkpoint_failing"] == 1,
                   "checkpoints fail", 30)
        self.trigger.unlink()
        wait_until(lambda: publisher.push(HEALING) and metrics(router)["checkpoint_failing"] == 0,
                   "checkpoints succeed again", 30)
        self.assertEqual(router.stop(), 0)
        self.tool("check", router)

    def test_checkpoints_survive_syncs_that_fail_now_and_then(self):
        """Of whatever file: lists of files, those of the table, the log."""
        router = self.start("--checkpoint-after", 4_096, env=self.failing)
        publisher = self.publisher(router=router)
        for part in ["MANIFEST", ".sst", ".log", "CONTENTS", ".sst", ""]:
            is_of_table = part in ("MANIFEST", ".sst")
            self.fail_syncs(part, router, publisher,
                            "checkpoints fail" if is_of_table else "the store fails")
            if is_of_table:
                self.pushes(publisher, 5)
            self.trigger.unlink()
            publisher.wait_acked(publisher.push(HEALING))
            # The end of an outage is logged after the ACK; a failure before that would not be a new one.
            wait_until(lambda: publisher.push(HEALING)
                       and router.log.count("the store works again") == router.log.count("the store fails")
                       and router.log.count("checkpoints succeed again") == router.log.count("checkpoints fail"),
                       "the outage is over", 30)
            publisher.wait_acked(publisher.seq)
        self.lose_power(router)
        router.restart()
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], publisher.seq)
        self.tool("check", router)


if __name__ == "__main__":
    unittest.main()
