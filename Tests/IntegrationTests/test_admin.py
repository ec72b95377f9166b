"""The admin server: health, readiness, metrics, and clients that mean no good."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
import unittest

from admin import *
from bystander import BystanderCase
from store_case import *

FULL = os.environ.get("RELOAD_ROUTER_FULL") == "1"
ADMIN = ("--admin", "127.0.0.1:0")


class Resources(RouterCase):
    flags = ADMIN

    def test_a_router_that_serves_is_healthy_and_ready(self):
        """On both kinds of loopback; HEAD has the same headers and no body."""
        six = self.start("--admin", "[::1]:0")
        for router in (self.router, six):
            self.assertEqual(ask(router, "/healthz").text, "ok\n")
            wait_ready(router)
        for path in ("/healthz", "/readyz", "/metrics"):
            head, get = ask(self.router, path, "HEAD"), ask(self.router, path)
            self.assertEqual((head.status, head.type, head.text), (200, get.type, ""))
            self.assertGreater(int(head.headers["Content-Length"]), 0)

    def test_a_connection_is_kept_for_the_next_request(self):
        """Prometheus scrapes on one connection."""
        connection = http.client.HTTPConnection(*self.router.admin)
        self.addCleanup(connection.close)
        connection.connect()
        first = connection.sock
        for path in ("/readyz", "/metrics", "/none", "/healthz"):
            connection.request("GET", path, headers=bearer())
            connection.getresponse().read()
            self.assertIs(connection.sock, first)

    def test_metrics_count_what_happens(self):
        """What was pushed, committed, reloaded and refused."""
        device, publisher = self.device("d-1", ELF), self.publisher()
        for _ in range(5):
            publisher.pushed(HEALING)
        self.assertEqual(len(device.reloads()), 5)
        self.assert_refused(publisher, publisher.push(b"{"), "payload-not-json")
        expected = {"pushes_accepted_total": 5, "pushes_matched_total": 5,
                    'reloads_sent_total{cause="push",channel="connection"}': 5,
                    'frames_rejected_total{code="payload-not-json"}': 1,
                    'frames_rejected_total{code="payload-kinds"}': 0,
                    "store_failing": 0, "store_failures_total": 0,
                    "inputs_paused": 0, "draining": 0, "uncommitted_answer_bytes": 0,
                    "journal_waiting_bytes": 0, 'reload_requests_ended_total{reason="sent"}': 5,
                    'connections{role="device"}': 1, 'connections{role="publisher"}': 1,
                    "stored_devices": 1, "stored_widgets": 1, "push_to_ack_seconds_count": 5,
                    "push_to_reload_seconds_count": 5}
        # Now and then the router itself has something to write.
        found = wait_until(lambda: (found := self.agrees(expected)) and found["journal_records_committed_total"]
                           == found["journal_records_submitted_total"] and found, f"{expected}")
        self.assertGreater(found["journal_records_committed_total"], 5)
        self.assertGreater(found["store_disk_bytes"], 0)
        self.assertGreater(found["commit_seconds_count"], 5)
        self.assertGreaterEqual(found["commit_seconds_sum"], 0)
        # An ACK waits for the disk, and has come within the test.
        self.assertGreater(found["push_to_ack_seconds_sum"], 0)
        self.assertLess(found["push_to_ack_seconds_sum"], 60)
        self.assertGreater(found["ticks_total"], 5)
        self.assertGreater(found["received_bytes_total"], 5 * 16)
        self.assertGreater(found["sent_bytes_total"], 5 * 16)
        self.assertLess(abs(found["start_time_seconds"] - time.time()), 600)
        self.assertGreater(found['memory_bytes{part="resident"}'], 1 << 20)

    def agrees(self, expected):
        found = metrics(self.router)
        return found if expected.items() <= found.items() else None

    def test_metrics_count_checkpoints(self):
        """Begun, sealed, how large and how long."""
        router = self.start(*ADMIN, "--checkpoint-after", 1 << 10)
        publisher = self.publisher(router=router)
        for _ in range(100):
            publisher.pushed(HEALING)
        found = wait_until(
            lambda: (found := metrics(router))["checkpoints_sealed_total"] > 0 and found, "sealed")
        self.assertGreaterEqual(found["checkpoints_begun_total"], found["checkpoints_sealed_total"])
        self.assertGreater(found["checkpoint_last_bytes"], 0)
        self.assertLess(found["checkpoint_last_duration_seconds"], 60)
        self.assertGreater(found["checkpoint_last_longest_tick_seconds"], 0)
        # The clock of the duration has milliseconds.
        self.assertLess(found["checkpoint_last_longest_tick_seconds"],
                        found["checkpoint_last_duration_seconds"] + 0.002)

    def test_without_a_store_there_are_no_metrics_of_one(self):
        """And it is ready."""
        router = self.start(*ADMIN, store="none")
        wait_ready(router)
        of_stores = ("store_", "journal_", "commit_", "checkpoint", "answers_")
        self.assertFalse([name for name in metrics(router) if name.startswith(of_stores)])

    @unittest.skipUnless(shutil.which("promtool"), "promtool is part of Debian's prometheus")
    def test_promtool_finds_nothing_to_complain_about(self):
        """Names, units, HELP and TYPE are as Prometheus wants them."""
        text = ask(self.router, "/metrics").text
        checked = subprocess.run(["promtool", "check", "metrics"], input=text, text=True,
                                 capture_output=True)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))


class Settings(RouterCase):
    flags = ADMIN

    def refused(self, admin):
        said = command("serve", "--listen", "127.0.0.1:0", "--apps", self.router.apps, "--store",
                       "none", "--admin", admin)
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        return said.stderr

    def test_an_address_that_others_reach_needs_tls(self):
        """And a host is an address; no names are looked up."""
        for address in ("0.0.0.0:0", "*:0", "[::]:0", "10.1.2.3:0", ":0"):
            self.assertRegex(self.refused(address), "other machines reach.*--cert.*--insecure")
        self.assertRegex(self.refused("example.com:0"), "must be an address")
        self.assertIn("must be an address and a port", self.refused("nowhere:port"))

    def test_none_listens_nowhere(self):
        """The environment and a configuration file may say so, too."""
        router = self.start("--admin", "none")
        self.assertNotIn("admin", router.output)


class Phases(StoreCase):
    def test_while_the_store_is_loaded_it_is_healthy_and_not_ready(self):
        router = self.start(*ADMIN)
        self.pushes(self.publisher(router=router), 5)
        router.stop()
        let_go = self.start_held_up(router)
        self.assertEqual(readiness(router), (503, ["loading the store"]))
        self.assertEqual(ask(router, "/healthz").status, 200)
        self.assertEqual(ask(router, "/metrics", again=()).problem["detail"], "loading the store")
        self.assertEqual(router._said("listening on "), [])
        let_go()
        router.wait_listening()
        wait_ready(router)
        self.assertEqual(self.publisher(router=router).welcome["lastSeq"], 5)

    def test_a_drain_is_not_ready(self):
        """As long as a client has unread output."""
        router = self.start(*ADMIN, "--output-limit", 1 << 23, "--drain-timeout", 60)
        gateway = self.gateway(router=router, receive_buffer=4_096)
        publisher = self.publisher(router=router)
        for number in range(600):
            gateway.register(widget("w" * 120, character="elf-42"), device=f"{number:0128}")
        for _ in range(40):
            publisher.pushed(HEALING)
        router.signal(signal.SIGTERM)
        publisher.expect(GOAWAY)
        wait_until(lambda: readiness(router) == (503, ["draining: no new connections are accepted"]),
                   "not ready")
        self.assertEqual(ask(router, "/healthz").status, 200)
        self.assertEqual(metrics(router)["draining"], 1)
        router.signal(signal.SIGTERM)
        self.assertEqual(router.exit_code(), 0)


class Hostility(BystanderCase):
    flags = ADMIN

    def open(self):
        opened = socket.create_connection(self.router.admin, timeout=WAIT)
        self.addCleanup(opened.close)
        return opened

    def tearDown(self):
        super().tearDown()
        wait_ready(self.router)

    def sends(self, data):
        """Sends bytes; returns the status of the answer, or None if the connection is closed."""
        with socket.create_connection(self.router.admin, timeout=WAIT) as opened:
            answer = b""
            with contextlib.suppress(ConnectionError):
                opened.sendall(data)
                with contextlib.suppress(OSError):
                    opened.shutdown(socket.SHUT_WR)
                while more := opened.recv(1 << 16):
                    answer += more
        return int(answer.split()[1]) if answer else None

    def test_a_request_that_is_never_complete_is_ended(self):
        """By the limit on silence, whether or not the client has shut its end."""
        silent = self.open()
        silent.send(b"GET /healthz HTTP/1.1\r\n")
        self.assertIsNone(self.sends(b"no line end"))
        silent.settimeout(WAIT)
        self.assertEqual(silent.recv(1), b"")

    def test_thousands_of_connections_take_little_memory(self):
        """2,000 (10,000 with RELOAD_ROUTER_FULL=1), each with a part of a request."""
        count = 10_000 if FULL else 2_000
        if raise_descriptor_limit() < count + 500:
            self.skipTest(f"needs {count + 500} file descriptors")
        before = self.router.resident
        for number in range(count):
            with contextlib.suppress(ConnectionError):
                self.open().send(b"GET /metrics HTTP/1.1\r\nHost: " + b"x" * 4_000)
            if number % 500 == 0:
                self.check_bystander()
        self.assertEqual(ask(self.router, "/healthz").status, 200)
        self.assertLess(self.router.resident - before, 16 << 20)


if __name__ == "__main__":
    unittest.main()
