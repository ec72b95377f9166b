"""Recordings of what a router accepts."""

import pathlib
import random
import tempfile
import time

import recordings
from admin import metrics
from store_case import *


class RecordCase(StoreCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        super().setUp()

    def record(self, *flags, folder=None, **options):
        """A router that records to a folder of its own."""
        folder = folder or self.folder
        return self.start("--record", folder / "run.capture", *flags, **options)

    def stop(self, router):
        self.assertEqual(router.stop(), 0, router.log)

    def wait_recorded(self, condition, folder=None):
        """Waits until what is on the disk is so."""
        return wait_until(lambda: condition(recordings.read(folder or self.folder)), "recorded")

    def wait_ended(self, count):
        """Waits until the ends of this many sessions are recorded."""
        self.wait_recorded(
            lambda files: sum(r.kind == "ended" for f in files for r in f.records) == count)


class Serve(RecordCase):
    def test_the_accepted_inputs_are_recorded_and_no_others(self):
        """As on the wire, in their order, with the time at which they came; without tokens."""
        before = time.time()
        router = self.record()
        began = time.time()
        device = self.device("d-1", ELF, router=router)
        publisher = self.publisher(router=router)
        publisher.pushed(HEALING)
        publisher.send(PUSH, b'{"broken"', seq=2)
        publisher.expect(REJECT)
        void_at = now_ms() + 60_000
        publisher.push(HEALING, seq=3, flags=URGENT, void_at=void_at)
        publisher.wait_acked(3)
        device.send(WIDGETS, {"device": "d-1", "widgets": [widget("w", kind="unknown")]})
        device.expect(REJECT)
        device.request(STATE, {"device": "d-1", "foreground": True})
        stranger = self.connect(router)
        stranger.hello("publisher", token="wrong", producer="x")
        stranger.expect_end()
        publisher.barrier()
        publisher.close()
        self.stop(router)

        file, = recordings.read(self.folder)
        self.assertEqual((file.number, file.redacted), (1, False))
        kinds = [r.kind for r in file.records]
        self.assertEqual(kinds[:6], ["apps", "hello", "widgets", "hello", "push", "push"])
        self.assertEqual(kinds[6:7], ["state"])
        self.assertEqual(sorted(kinds[7:]), ["ended", "ended"])
        self.assertEqual(file.records[1].json,
                         {"v": 1, "role": "device", "app": APP, "device": "d-1"})
        self.assertEqual(file.records[2].json, {"device": "d-1", "widgets": [ELF]})
        pushes = [r for r in file.records if r.kind == "push"]
        self.assertEqual([(r.is_urgent, r.seq, r.json, r.expires) for r in pushes],
                         [(False, 1, HEALING, None), (True, 3, HEALING, void_at)])
        for token in TOKENS.values():
            self.assertNotIn(token.encode(), file.plain)
        times = [file.started_at / 1e6 + r.time / 1e6 for r in file.records]
        self.assertLess(before - 0.01, times[0])
        self.assertLess(began - 0.01, times[1])
        self.assertLess(times[-1], time.time() + 0.01)
        self.assertEqual(times, sorted(times))

    def test_a_push_that_is_sent_again_is_recorded_once(self):
        """By a session that sends again what was acknowledged; large ones, too. What a publisher asks for itself,
        tokens and outcomes, is in no HELLO."""
        router = self.record()
        device = self.device("d-1", ELF, router=router)
        publisher = self.publisher(router=router, outcomes=True)
        publisher.pushed(HEALING)
        publisher.pushed({"big": "x" * 60_000})
        publisher.close()
        self.wait_ended(1)
        again = self.publisher(router=router, outcomes=True)
        again.push(HEALING, seq=2)
        again.pushed(HEALING, seq=9)
        device.request(REQUEST, {"device": "d-1"})
        again.close()
        self.wait_ended(2)
        self.stop(router)
        file, = recordings.read(self.folder)
        self.assertEqual([(r.kind, r.seq) for r in file.records if r.kind in ("push", "request")],
                         [("push", 1), ("push", 2), ("push", 9), ("request", 2)])
        hellos = [r.json for r in file.records if r.kind == "hello"]
        self.assertEqual(hellos[1:], [{"v": 1, "role": "publisher", "app": APP, "producer": "shard-7"}] * 2)

    def test_what_is_stored_comes_first(self):
        """On sessions of gateways that end before any client is served."""
        first = self.start(store=self.folder.parent / f"{self.folder.name}-store")
        gateway = self.gateway(router=first)
        wanted = {}
        for number in range(50):
            list = [widget("w1", character=f"elf-{number}"), widget("w2", kind=GUILD)]
            gateway.request(WIDGETS, {"device": f"d-{number}", "widgets": list})
            wanted[f"d-{number}"] = [(w["id"], w["kind"], w["configuration"]) for w in list]
        self.stop(first)
        second = self.record(store=first.store)
        self.publisher(router=second).pushed(HEALING)
        self.stop(second)
        records = recordings.read(self.folder)[0].records
        self.assertEqual([r.kind for r in records[:2]], ["apps", "hello"])
        stored = records[2:52]
        found = {r.json["device"]: [(w["id"], w["kind"], w["configuration"])
                                    for w in r.json["widgets"]] for r in stored}
        self.assertEqual(found, wanted)
        self.assertEqual([r.kind for r in records[52:55]], ["ended", "hello", "push"])
        command("store", "check", "--store", first.store)

    def test_a_kill_loses_no_more_than_the_last_chunk(self):
        """What is on the disk is a beginning of what was accepted."""
        router = self.record()
        publisher = self.publisher(router=router)
        sent = 0
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            for _ in range(100):
                publisher.push(HEALING | {"amount": sent})
                sent += 1
            publisher.wait_acked(publisher.seq)
        count = lambda files: sum(r.kind == "push" for r in files[0].records)
        old = self.wait_recorded(lambda files: count(files) >= sent and count(files))
        for _ in range(5):
            publisher.pushed(HEALING)
        router.kill()
        self.routers.remove(router)
        file, = recordings.read(self.folder)
        pushes = [r for r in file.records if r.kind == "push"]
        self.assertGreaterEqual(len(pushes), old)
        self.assertEqual([r.seq for r in pushes], list(range(1, len(pushes) + 1)))

    def test_files_follow_one_another_and_the_oldest_go(self):
        """Each begins with the app file and the open sessions, and can be read alone."""
        router = self.record("--record-file-bytes", 20_000, "--record-keep", 3)
        publisher = self.publisher(router=router)
        self.gateway(router=router)
        source = random.Random(7)
        def numbers():
            return [f.number for f in recordings.read(self.folder)]
        deadline = time.monotonic() + 60 * PATIENCE
        while max(numbers(), default=0) < 6:
            self.assertLess(time.monotonic(), deadline)
            for _ in range(50):
                publisher.push({"character": source.randbytes(100).hex()})
            publisher.wait_acked(publisher.seq)
        self.stop(router)
        files = recordings.read(self.folder)
        self.assertEqual(len(files), 3)
        self.assertEqual([f.number for f in files],
                         list(range(files[0].number, files[0].number + 3)))
        for file in files:
            self.assertEqual([r.kind for r in file.records[:1]], ["apps"])
            self.assertEqual([r.kind for r in file.records[1:3]], ["hello", "hello"])
        seqs = [r.seq for f in files for r in f.records if r.kind == "push"]
        self.assertEqual(seqs, list(range(seqs[0], publisher.seq + 1)))

    def test_values_are_hashed_and_equal_ones_stay_equal(self):
        router = self.record("--redact")
        device = self.device("phone-of-ann", ELF, router=router)
        publisher = self.publisher("shard-of-ann", router=router)
        self.assertEqual(publisher.pushed(HEALING), 1)
        device.barrier()
        self.stop(router)
        file, = recordings.read(self.folder)
        self.assertTrue(file.redacted)
        for secret in ["elf-42", "healing-potion", "phone-of-ann", "shard-of-ann"]:
            self.assertNotIn(secret.encode(), file.plain)
        pushed, = (r.json for r in file.records if r.kind == "push")
        shown, = (r.json for r in file.records if r.kind == "widgets")
        self.assertEqual(pushed["character"],
                         shown["widgets"][0]["configuration"]["character"])

    def test_settings_come_from_the_configuration_file_too(self):
        """With numbers and booleans as JSON has them."""
        file = self.folder.parent / f"{self.folder.name}.json"
        self.addCleanup(file.unlink)
        file.write_text(json.dumps({
            "record": str(self.folder / "run.capture"), "record-keep": 2, "redact": True}))
        self.stop(self.start("--config", file))
        self.assertTrue(recordings.read(self.folder)[0].redacted)

    def test_an_earlier_recording_stays_as_it_is(self):
        first = self.record()
        self.stop(first)
        path = self.folder / "run.capture"
        before = path.read_bytes()
        second = self.record()
        self.publisher(router=second).pushed(HEALING)
        self.stop(second)
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual(len(list(self.folder.iterdir())), 2)

    def test_metrics_say_how_it_does(self):
        router = self.record("--admin", "127.0.0.1:0")
        self.publisher(router=router).pushed(HEALING)
        found = wait_until(
            lambda: (m := metrics(router))["capture_records_total"] == 3 and m, "three records")
        self.assertEqual((found["capture_failing"], found["capture_lost_total"]), (0, 0))
        self.assertEqual(found["capture_files_total"], 1)
        self.assertGreater(found["capture_bytes_total"], 100)
        self.assertGreater(found["capture_written_bytes_total"], 100)

    def test_a_recording_that_cannot_begin_is_refused(self):
        for flags, text in [
            (("--record", self.folder / "none" / "x"), "capture-"),
            (("--record", self.folder / "x", "--record-keep", "0"), "record-keep is 0"),
        ]:
            ended = command("serve", "--listen", "127.0.0.1:0", "--apps", self.router.apps,
                            "--store", "none", *flags)
            self.assertEqual(ended.returncode, 1)
            self.assertIn(text, ended.stderr)


class FullDisk(RecordCase):
    def test_the_router_does_not_care(self):
        """It acknowledges as before; records are counted as lost, and then recorded again."""
        small = self.folder / "disk"
        small.mkdir()
        with disk(small, "1m") as folder:
            router = self.record("--admin", "127.0.0.1:0", folder=folder, store="none")
            publisher = self.publisher(router=router)
            publisher.pushed(HEALING)
            with open(folder / "filler", "wb", buffering=0) as file:
                with contextlib.suppress(OSError):
                    while True:
                        file.write(bytes(4_096))
            source = random.Random(1)
            deadline = time.monotonic() + 30 * PATIENCE
            times = []
            while "nothing is recorded" not in router.log:
                self.assertLess(time.monotonic(), deadline)
                for _ in range(20):
                    begin = time.monotonic()
                    publisher.pushed({"character": source.randbytes(2_000).hex()})
                    times.append(time.monotonic() - begin)
            self.assertIn("capture-full", router.log)
            wait_until(lambda: metrics(router)["capture_failing"] == 1, "it is counted")
            for _ in range(20):
                publisher.pushed(HEALING)
            wait_until(lambda: metrics(router)["capture_lost_total"] > 0, "records are lost")
            (folder / "filler").unlink()
            wait_until(lambda: publisher.pushed(HEALING) is not None
                       and "inputs are recorded again" in router.log, "recorded again", 30)
            last = publisher.push(HEALING)
            publisher.wait_acked(last)
            self.stop(router)
            files = recordings.read(folder)
            self.assertEqual([r.seq for f in files for r in f.records if r.kind == "push"][-1],
                             last)
            lost = [r.count for f in files for r in f.records if r.kind == "lost"]
            self.assertGreater(sum(lost), 0)
            # Not each of them: the machine may give the router no core for a moment.
            self.assertLess(sorted(times)[len(times) * 9 // 10], 0.5)


if __name__ == "__main__":
    unittest.main()
