"""The admin server: health, readiness, metrics, and clients that mean no good."""

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest

from admin import *
from bystander import BystanderCase
from store_case import *

FULL = os.environ.get("RELOAD_ROUTER_FULL") == "1"
ADMIN = ("--admin", "127.0.0.1:0")
#: Connections that the admin server has at a time.
PLACES = 64


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

    def test_what_is_not_there_is_a_problem(self):
        """404; and 405, which says what is allowed, whatever the body."""
        self.assertEqual(ask(self.router, "/metric").problem["code"], "not-found")
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "BREW"):
            answer = ask(self.router, "/metrics", method, b"x" * 1_000)
            self.assertEqual((answer.problem["status"], answer.headers["Allow"]),
                             (405, "GET, HEAD"))

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

    def test_a_port_in_use_is_a_clear_error(self):
        """It names the address, and the setting that helps."""
        address = "{}:{}".format(*self.router.admin)
        said = self.refused(address)
        self.assertIn(address, said)
        self.assertRegex(said, "(?i)in use")
        self.assertIn("--admin", said)

    def test_an_address_that_others_reach_needs_tls(self):
        """And a host is an address; no names are looked up."""
        for address in ("0.0.0.0:0", "*:0", "[::]:0", "10.1.2.3:0", ":0"):
            self.assertRegex(self.refused(address), "other machines reach.*--cert.*--insecure")
        self.assertRegex(self.refused("example.com:0"), "must be an address")
        self.assertIn("HOST:PORT", self.refused("nowhere:port"))

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

    def test_garbage_is_refused(self):
        """An error, or the end of the connection; never an answer of success."""
        generator = random.Random(7)
        garbage = [generator.randbytes(generator.randrange(1, 2_000)) for _ in range(200)]
        garbage += [b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 100,
                    b"GET /healthz HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
                    frame(HELLO, 0, {"role": "publisher"})]
        for data in garbage:
            self.assertIn(self.sends(data + b"\r\n\r\n"), (None, 400, 403, 404, 405, 505), data)
        self.check_bystander()

    def test_a_request_that_is_never_complete_is_ended(self):
        """By the limit on silence, whether or not the client has shut its end."""
        silent = self.open()
        silent.send(b"GET /healthz HTTP/1.1\r\n")
        self.assertIsNone(self.sends(b"no line end"))
        silent.settimeout(WAIT)
        self.assertEqual(silent.recv(1), b"")

    def test_what_is_too_long_is_refused(self):
        """The request line, one header, many headers; and no body is read."""
        host = b"Host: a\r\n"
        big = b"x" * (1 << 20)
        for data in (
            b"GET /" + big + b" HTTP/1.1\r\n" + host + b"\r\n",
            b"GET /healthz HTTP/1.1\r\n" + host + b"X: " + big + b"\r\n\r\n",
            b"GET /healthz HTTP/1.1\r\n" + host + b"X: y\r\n" * 100_000 + b"\r\n",
            b"POST /healthz HTTP/1.1\r\n" + host + b"Content-Length: 1048576\r\n\r\n" + big,
            b"GET /healthz HTTP/1.1\r\n" + host + b"Content-Length: 1048576\r\n\r\n" + big,
            b"POST /x HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n100000\r\n" + big,
        ):
            self.assertIn(self.sends(data), (None, 400, 401, 403, 404, 405, 413, 414, 431), data[:60])
        self.check_bystander()

    def test_new_clients_are_served_however_many_connections_are_held_open(self):
        """They send a byte now and then, so that they are never silent for long."""
        slow = [self.open() for _ in range(PLACES * 2)]
        ended = set()

        def dribble():
            for index, opened in enumerate(slow):
                try:
                    opened.send(b"G")
                except OSError:
                    ended.add(index)

        dribble()
        for _ in range(20):
            self.assertEqual(ask(self.router, "/healthz").status, 200)
            self.check_bystander()
        # Those that came first have made room.
        wait_until(lambda: dribble() or len(ended) >= PLACES, "the oldest are ended")
        self.assertTrue(ended >= set(range(PLACES // 2)), sorted(ended))

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

    def test_many_scrapes_delay_no_push(self):
        """Four clients ask without a pause, and one reads nothing of what it is answered."""
        request = b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"
        deaf = self.open()
        deaf.setblocking(False)
        with contextlib.suppress(BlockingIOError, ConnectionError):
            while True:
                deaf.send(request * 100)
        stops = threading.Event()
        scrapes = [0] * 4

        def scrape(index):
            while not stops.is_set():
                metrics(self.router)
                scrapes[index] += 1

        threads = [threading.Thread(target=scrape, args=(index,)) for index in range(4)]
        for thread in threads:
            thread.start()
        try:
            times = []
            while min(scrapes) < 25:
                started = time.monotonic()
                self.check_bystander()
                times.append(time.monotonic() - started)
        finally:
            stops.set()
            for thread in threads:
                thread.join()
        # Not each of them: the machine may give the router no core for a moment.
        self.assertLess(sorted(times)[len(times) // 2], 0.25, "seconds for a push and its RELOAD")


if __name__ == "__main__":
    unittest.main()
