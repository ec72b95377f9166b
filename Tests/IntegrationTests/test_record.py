"""Recordings of what a router accepts: by the router itself, and by a tap in front of it."""

import os
import pathlib
import random
import signal
import subprocess
import tempfile
import threading
import time

import recordings
from admin import metrics
from store_case import *


def inputs(files):
    """What the records say, without their times."""
    return [r.input for f in files for r in f.records]


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


class Tap:
    """`reload-lab record` as a process."""

    def __init__(self, folder, router, *flags):
        self.log_path = folder.parent / f"{folder.name}-tap.log"
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [lab_binary(), "record", folder / "tap.capture", "--listen", "127.0.0.1:0", "--to",
                 router.to, "--apps", router.apps, *map(str, flags)],
                stdout=subprocess.PIPE, stderr=log, text=True, env=clean_environment())
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), self.log
        self.address = ("127.0.0.1", int(line.rpartition(":")[2]))

    @property
    def log(self):
        return self.log_path.read_text()

    @property
    def resident(self):
        """Resident bytes of the process."""
        pages = pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(WAIT)
        self.process.stdout.close()
        return code


class TapCase(RecordCase):
    def tap(self, router, *flags):
        folder = self.folder / "tap"
        folder.mkdir()
        tap = Tap(folder, router, *flags)
        self.addCleanup(lambda: tap.process.poll() is None and tap.process.kill())
        return tap

    def wait_ended(self, count):
        """Waits until the router and the tap have recorded the end of this many sessions."""
        for name in ("serve", "tap"):
            self.wait_recorded(
                lambda files: sum(r.kind == "ended" for f in files for r in f.records) == count,
                self.folder / name)

    def test_a_tap_records_what_the_router_does(self):
        """The same records, but for the times."""
        (self.folder / "serve").mkdir()
        router = self.record(folder=self.folder / "serve")
        tap = self.tap(router)
        device = self.device("d-1", ELF, address=tap.address)
        publisher = self.publisher(address=tap.address)
        self.assertEqual(publisher.pushed(HEALING), 1)
        self.assertEqual(device.expect(RELOAD).json["cause"], "push")
        publisher.send(PUSH, b'{"broken"', seq=2)
        publisher.expect(REJECT)
        publisher.pushed(HEALING, flags=URGENT, void_at=now_ms() + 60_000)
        publisher.pushed({"big": "x" * 60_000})
        device.send(WIDGETS, {"device": "d-1", "widgets": [widget("w", kind="unknown")]})
        device.expect(REJECT)
        device.request(REQUEST, {"device": "d-1"})
        publisher.barrier()
        stranger = self.connect(address=tap.address)
        stranger.hello("publisher", token="wrong", producer="x")
        self.assertEqual(stranger.expect_end(), "token-invalid")
        publisher.close()
        self.wait_ended(1)
        again = self.publisher(address=tap.address)
        again.push(HEALING, seq=3)
        again.pushed(HEALING, seq=9)
        again.close()
        self.wait_ended(2)
        device.close()
        self.wait_ended(3)
        self.assertEqual(tap.stop(), 0, tap.log)
        self.stop(router)
        serve, tapped = (inputs(recordings.read(self.folder / n)) for n in ("serve", "tap"))
        self.assertEqual(tapped, serve)
        self.assertEqual(len([kind for kind, *_ in serve if kind == "push"]), 4)
        plain = recordings.read(self.folder / "tap")[0].plain
        for token in TOKENS.values():
            self.assertNotIn(token.encode(), plain)

    def test_what_are_no_frames_is_forwarded_all_the_same(self):
        """The router says what is wrong; others are recorded as before."""
        router = self.start()
        tap = self.tap(router)
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", bytes(40)):
            stranger = self.connect(address=tap.address)
            stranger.send_raw(garbage)
            self.assertIn(stranger.expect_end(), ("frame-length", "frame-type"))
        publisher = self.publisher(address=tap.address)
        publisher.pushed(HEALING)
        self.assertEqual(tap.log.count("a connection is no longer recorded"), 2)
        self.assertEqual(tap.stop(), 0, tap.log)
        kinds = [r.kind for r in recordings.read(self.folder / "tap")[0].records]
        self.assertEqual(kinds, ["apps", "hello", "push", "ended"])

    def test_many_large_pushes_pass(self):
        """More than is kept for any connection."""
        router = self.start()
        tap = self.tap(router)
        publisher = self.publisher(address=tap.address)
        payload = HEALING | {"text": "x" * 16_000}
        for _ in range(4):
            for _ in range(250):
                publisher.push(payload)
            publisher.wait_acked(publisher.seq)
        self.assertEqual(tap.stop(), 0, tap.log)
        files = recordings.read(self.folder / "tap")
        seqs = [r.seq for f in files for r in f.records if r.kind == "push"]
        self.assertEqual(seqs, list(range(1, publisher.seq + 1)))

    def test_a_peer_that_does_not_read_is_slowed_down(self):
        """The tap keeps little of what waits, and in the end all of it comes."""
        router = self.start()
        tap = self.tap(router)
        publisher = self.publisher(address=tap.address)
        before = tap.resident
        pings = frame(PING, 7) * 65_536
        # More than the kernel's buffers of four sockets may grow to, and what tap and router keep.
        count = 96
        sender = threading.Thread(target=lambda: [publisher.send_raw(pings)
                                                  for _ in range(count)])
        sender.start()
        sender.join(2)
        self.assertTrue(sender.is_alive(), "it has to wait")
        self.assertLess(tap.resident - before, 16 << 20)
        received = 0
        publisher.socket.settimeout(WAIT)
        while received < count * len(pings):
            received += len(publisher.socket.recv(1 << 20))
        sender.join()
        self.assertEqual(tap.stop(), 0, tap.log)

    def test_a_client_whose_router_is_gone_is_disconnected(self):
        router = self.start()
        tap = self.tap(router)
        publisher = self.publisher(address=tap.address)
        self.stop(router)
        self.assertIsNone(publisher.expect_end())
        stranger = self.connect(address=tap.address)
        self.assertIsNone(stranger.expect_end())
        self.assertIn("the router cannot be reached", tap.log)
        self.assertEqual(tap.stop(), 0, tap.log)


if __name__ == "__main__":
    unittest.main()
