"""A disk that is full: at start, while the router serves, and when there is space again."""

import concurrent.futures
import contextlib
import json
import os
import signal
import tempfile
import time
import unittest

from admin import ask, metrics, readiness, wait_ready
from store_case import *


class FullDisk(StoreCase):
    def setUp(self):
        # Before the routers, so that it is unmounted after they are put away.
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.folder = self.enterContext(disk(folder, "32m"))
        super().setUp()

    def fill(self):
        """Leaves no page free."""
        with open(self.folder / "filler", "wb", buffering=0) as file:
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(4_096))

    def free(self):
        (self.folder / "filler").unlink()

    def push_until_it_fails(self, router, publisher):
        """What the log file has in reserve is used up first."""
        wait_until(lambda: publisher.push(HEALING) and "the store fails" in router.log,
                   "the store fails", 30)

    def test_nothing_is_acknowledged_until_there_is_space(self):
        """The log says so, RELOADs continue, and then everything is acknowledged by itself."""
        router = self.start(store=self.folder / "store")
        device, publisher = self.device("d-1", ELF, router=router), self.publisher(router=router)
        self.pushes(publisher, 5)
        self.assertEqual(len(device.reloads()), 5)
        self.fill()
        self.push_until_it_fails(router, publisher)
        device.reloads()
        for _ in range(3):
            seq = publisher.push(HEALING)
            self.assertEqual(device.expect(RELOAD).json["cause"], "push")
        with self.assertRaises(TimeoutError):
            publisher.wait_acked(seq, timeout=1)
        self.assertIn("nothing is acknowledged", router.log)
        self.assertIn("store-full", router.log)

        self.free()
        publisher.wait_acked(seq)
        router.wait_log("the store works again")
        self.assertEqual(router.log.count("the store fails"), 1)
        self.assertRegex(router.log, r'"the store works again","seconds":"\d+"')
        router.restart()
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], seq)
        self.tool("check", router)

    def test_no_command_has_an_effect_while_the_audit_log_has_no_space(self):
        log = self.folder / "audit.jsonl"
        router = self.start("--admin", "127.0.0.1:0", "--audit-log", log)
        wait_ready(router)
        self.fill()

        def pause():
            return ask(router, f"/v1/apps/{APP}/pause", "POST")
        # The last page of the file may have room.
        refused = wait_until(lambda: None if (answer := pause()).status == 200 else answer, "no space is left")
        self.assertEqual((refused.status, refused.problem["code"]), (503, "audit-log-failing"))
        self.assertIn("No space left on device", refused.problem["detail"])
        paused = ask(router, f"/v1/apps/{APP}").json["isPaused"]
        self.assertEqual(ask(router, f"/v1/apps/{APP}/resume", "POST").status, 503)
        self.assertIs(ask(router, f"/v1/apps/{APP}").json["isPaused"], paused)
        self.assertEqual(metrics(router)["audit_log_failing"], 1)
        self.free()
        wait_until(lambda: metrics(router)["audit_log_failing"] == 0, "it is written again")
        self.assertEqual(ask(router, f"/v1/apps/{APP}/resume", "POST").status, 200)
        self.assertIn('"state":"failed"', log.read_text())
        said = command("audit", "verify", log)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)

    def test_readiness_and_metrics_say_so(self):
        """With the reason, and since when; and when it works again, they say that."""
        router = self.start("--admin", "127.0.0.1:0", store=self.folder / "store")
        publisher = self.publisher(router=router)
        self.pushes(publisher, 5)
        wait_ready(router)
        self.assertEqual(metrics(router)["store_failing"], 0)
        self.fill()
        self.push_until_it_fails(router, publisher)
        status, reasons = wait_until(
            lambda: (found := readiness(router))[0] == 503 and found, "not ready")
        self.assertEqual(len(reasons), 1)
        self.assertRegex(reasons[0], r"^the store fails \(store-full\), for \d+ s now: ")
        seq = publisher.push(HEALING)
        found = wait_until(
            lambda: (found := metrics(router))["store_failures_total"] > 1
            and found["uncommitted_answer_bytes"] > 0 and found, "it was tried again, in vain")
        self.assertEqual(found["store_failing"], 1)
        self.assertGreater(found["store_failing_seconds"], 0)
        self.assertGreater(found["journal_waiting_bytes"], 0)
        self.assertLess(found["journal_records_committed_total"],
                        found["journal_records_submitted_total"])

        self.free()
        publisher.wait_acked(seq)
        wait_ready(router)
        found = wait_until(
            lambda: (found := metrics(router))["uncommitted_answer_bytes"] == 0
            and found["journal_waiting_bytes"] == 0 and found, "answered")
        self.assertEqual((found["store_failing"], found["store_failing_seconds"]), (0, 0))
        self.assertGreater(found["store_failures_total"], 1)

    def test_pushes_over_http_are_not_durable_in_time_and_count_once(self):
        """The request is answered after 10 s; the pushes are accepted all the same, and not a second time."""
        # An operator's command has no effect without its line in the audit log.
        elsewhere = self.enterContext(tempfile.TemporaryDirectory())
        router = self.start("--admin", "127.0.0.1:0", "--audit-log", f"{elsewhere}/audit.jsonl",
                            store=self.folder / "store")
        device, publisher = self.device("d-1", ELF, router=router), self.publisher(router=router)
        self.pushes(publisher, 5)

        def post():
            body = "".join(json.dumps(HEALING) + "\n" for _ in range(2))
            return ask(router, f"/v1/pushes?app={APP}&producer=lambda&seq=5", "POST", body,
                       {"Content-Type": "application/x-ndjson"}, timeout=WAIT)

        def count():
            return ask(router, f"/v1/apps/{APP}").json["pushes"]

        self.fill()
        self.push_until_it_fails(router, publisher)
        device.reloads()
        before, begin = count(), time.monotonic()
        answer = post()
        self.assertEqual((answer.status, answer.problem["code"]), (503, "store-failing"))
        self.assertRegex(answer.headers["Retry-After"] or "", r"^[1-9]\d*$")
        # By the router's clock, which it read when its tick began.
        self.assertGreater(time.monotonic() - begin, 9.5)
        self.assertEqual(device.expect(RELOAD).json["cause"], "push")
        self.assertEqual(count(), before + 2)
        device.reloads()

        once = {"accepted": 2, "matched": 0, "lastSeq": 6, "rejected": [],
                "outcome": {"counts": {}, "widgets": [], "missed": 0, "duplicates": 2}}
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            again = pool.submit(post)
            self.free()
            answer = again.result()
        self.assertEqual((answer.status, answer.json), (200, once))
        self.assertEqual(post().json, once)
        publisher.wait_acked(publisher.seq)
        self.assertEqual(device.reloads(), [])
        self.assertEqual(count(), before + 2)
        router.restart()
        wait_ready(router)
        producers = ask(router, "/v1/producers").json["producers"]
        self.assertIn(("(operator:lambda)", 6),
                      [(entry["producer"], entry["lastSeq"]) for entry in producers])
        self.assertEqual(post().json, once)
        self.tool("check", router)

    def test_silent_connections_leave_descriptors_to_the_store(self):
        """However many come while it fails; without any it could not be opened again."""
        raise_descriptor_limit()
        router = self.start("--max-connections", 100, store=self.folder / "store", descriptors=400)
        publisher = self.publisher(router=router)
        self.pushes(publisher, 5)
        before = router.open_files
        self.fill()
        self.push_until_it_fails(router, publisher)
        most = 0
        for number in range(1_500):
            self.connect(router)
            if number % 100 == 99:
                publisher.barrier()
                most = max(most, router.open_files)
        self.assertGreater(most, 100, "the connections count")
        self.assertLess(most - before, 100 + 32 + 8, "with a margin and a few of the store")
        self.free()
        publisher.wait_acked(publisher.push(HEALING))

    def test_an_error_that_waits_for_the_store_does_not_keep_a_connection(self):
        """A peer that gets no answer and does not close is disconnected after a while."""
        router = self.start(store=self.folder / "store")
        publisher = self.publisher(router=router)
        self.fill()
        self.push_until_it_fails(router, publisher)
        before = router.open_files
        replaced = [self.connect(router) for _ in range(21)]
        for client in replaced:
            client.hello("device", device="d-1")
        self.assertIsNone(replaced[0].next(), "the end, and no ERROR")
        wait_until(lambda: router.open_files <= before + 1, "only the last one is left", 20)
        self.free()
        self.assertEqual(replaced[-1].next().type, WELCOME)

    def test_who_waits_for_its_welcome_cannot_fill_the_memory(self):
        """Its PINGs are not read any more; later all of them are answered, after the WELCOME."""
        router = self.start(store=self.folder / "store")
        publisher = self.publisher(router=router)
        self.fill()
        self.push_until_it_fails(router, publisher)
        before = router.resident
        client = self.connect(router)
        client.hello("device", device="d-1")
        sent, pings = 0, frame(PING, 7) * 4_096
        client.socket.settimeout(2)
        with self.assertRaises(TimeoutError):
            while sent < 64 << 20:
                sent += client.socket.send(pings[sent % 16:])
        self.assertLess(router.resident - before, 16 << 20)
        self.free()
        self.assertEqual(client.next().type, WELCOME)
        for _ in range(sent // 16):
            self.assertEqual((found := client.next()).type, PONG)
            self.assertEqual(found.seq, 7)

    def test_while_no_connection_is_read_none_is_accepted(self):
        """What waits is bounded, and leaves in its order when the store works."""
        # One device alone is to fill what may wait for the store: its own share is no limit here.
        router = self.start("--output-limit", 256 << 20, "--output-total", 4 << 30,
                            store=self.folder / "store")
        publisher, device = self.publisher(router=router), self.device("d-1", router=router)
        self.fill()
        self.push_until_it_fails(router, publisher)
        first, made, rest = device.seq + 1, 0, b""
        device.socket.settimeout(0.1)
        while "no connection is read" not in router.log:
            self.assertLess(made, 2_000_000)
            if not rest:
                rest = b"".join(frame(TIMELINE, first + made + n, b"x") for n in range(10_000))
                made += 10_000
            with contextlib.suppress(TimeoutError):
                rest = rest[device.socket.send(rest):]
        self.assert_ends(self.connect(router), "too-many-connections")
        self.free()
        router.wait_log("inputs are read again")
        unsent = -(-len(rest) // len(frame(TIMELINE, 0, b"x")))
        for seq in range(first, first + made - unsent):
            self.assertEqual(device.expect(REJECT).seq, seq)
        self.device("d-2", router=router).barrier()

    def test_what_was_not_acknowledged_when_it_ended_is_sent_again(self):
        """Nothing is half there."""
        router = self.start(store=self.folder / "store")
        self.device("d-1", ELF, router=router)
        publisher = self.publisher(router=router)
        self.pushes(publisher, 5)
        self.fill()
        self.push_until_it_fails(router, publisher)
        with contextlib.suppress(TimeoutError):
            publisher.wait_acked(publisher.seq, timeout=0.5)
        acked = publisher.acked
        router.kill()
        self.free()
        router.restart()
        kept = self.publisher(router=router).welcome["lastSeq"]
        self.assertTrue(acked <= kept <= publisher.seq, (acked, kept, publisher.seq))
        self.tool("check", router)

    def test_an_end_on_a_full_disk(self):
        """It has a time limit, and the exit code says that something is missing."""
        router = self.start("--drain-timeout", 0.5, store=self.folder / "store")
        publisher = self.publisher(router=router)
        self.pushes(publisher, 5)
        self.fill()
        self.push_until_it_fails(router, publisher)
        router.signal(signal.SIGTERM)
        self.assertEqual(router.exit_code(), 1)
        self.assertRegex(router.log, "Error: the store could not keep [0-9]+ records?")
        self.assertIn("clients send again", router.log)
        self.free()
        router._start()
        router.wait_listening()
        self.assertGreaterEqual(self.publisher(router=router).welcome["lastSeq"], 5)

    def test_a_start_on_a_full_disk(self):
        """It refuses with a sentence, and works when there is space."""
        router = self.start(store=self.folder / "store")
        self.pushes(self.publisher(router=router), 5)
        router.stop()
        self.fill()
        stderr = self.serve_refuses(router)
        self.assertIn("store-full", stderr)
        self.assertIn(f"free space on the disk of {router.store}", stderr)
        self.assertIn("store-full", self.serve_refuses(router, store=self.folder / "other"))
        self.free()
        router.restart(kill=False)
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], 5)

    def test_backup_to_a_full_disk(self):
        """It leaves nothing behind."""
        self.pushes(self.publisher(), 5)
        self.fill()
        ended = self.tool("backup", self.router, self.folder / "copy", code=1)
        self.assertIn("store-full", ended.stderr)
        self.assertEqual(os.listdir(self.folder), ["filler"])


if __name__ == "__main__":
    unittest.main()
