"""A machine with little memory: the limits follow, and under any load the router stays below what it has."""

import concurrent.futures
import contextlib
import http.client
import os
import threading
import unittest

from admin import metrics
from store_case import *
from test_publish_http import FLAGS, PATH, TOKEN, publish

MEMORY = 256 << 20
#: Of each widget; a configuration has at most 16,384 bytes. Equal values would be stored once.
PADDING_BYTES = 15_000
#: Lines of a large body: different payloads, which match one widget.
LINE = b'{"character":"elf-42","text":"%s"}'


class SmallMemory(StoreCase):
    flags = (*FLAGS, "--memory", MEMORY, "--checkpoint-after", 1 << 20)

    def setUp(self):
        super().setUp()
        self.highest = 0
        self.over = threading.Event()
        self.watching = threading.Thread(target=self.watch)
        self.watching.start()
        self.addCleanup(self.end_watching)

    def watch(self):
        while not self.over.wait(0.005):
            with contextlib.suppress(OSError, IndexError):
                self.highest = max(self.highest, self.router.resident)

    def end_watching(self):
        self.over.set()
        self.watching.join()

    def assert_small(self):
        self.end_watching()
        self.assertIsNone(self.router.process.poll(), self.router.log[-2_000:])
        print(f"\n# at most {self.highest >> 20} MiB of {MEMORY >> 20}")
        self.assertLess(self.highest, MEMORY)
        # It serves as before.
        self.assertGreaterEqual(self.publisher("later").pushed(HEALING), 0)

    def fill_with_widgets(self):
        """Registers large widgets until there is no room for more."""
        gateway = self.gateway()
        for number in range(MEMORY // PADDING_BYTES):
            gateway.send(WIDGETS, {"device": f"d-{number}", "widgets": [
                widget("w", character="elf-42", notes=os.urandom(PADDING_BYTES // 2).hex())]})
            answer = gateway.expect(REJECT, ACK)
            if answer.type == REJECT:
                self.assertEqual(answer.json["code"], "quota-exceeded")
                return number
        self.fail("everything fits")

    def test_the_limits_follow_the_memory(self):
        found = metrics(self.router)
        self.assertLess(found["stored_bytes_limit"], 64 << 20)
        for memory in (100_000_000, (128 << 20) - 1):
            said = self.serve_refuses(self.router, "--memory", memory, store=self.router.store.with_name("other"))
            self.assertIn("the router needs at least 134217728", said)
        least = self.start("--memory", 128 << 20)
        self.assertNotIn("lower the first three", least.log)
        self.assertEqual(self.publisher(router=least).pushed(HEALING), 0)

    def test_a_full_store_and_its_checkpoints(self):
        count = self.fill_with_widgets()
        self.assertGreater(count, 200)
        publisher = self.publisher()
        for number in range(2_000):
            publisher.push({"character": f"orc-{number}", "text": "x" * 1_000})
        publisher.barrier()
        wait_until(lambda: metrics(self.router)["checkpoints_sealed_total"] >= 2, "checkpoints")
        self.router.restart()
        self.assertGreaterEqual(self.publisher().pushed(HEALING), count)
        self.assert_small()

    def test_large_bodies_over_http(self):
        """Many at once: some are refused, and none of those takes what others have."""
        self.device("d-1", ELF)
        body = b"\n".join(LINE % (b"x" * 500) for _ in range(8_000))
        self.assertLess(len(body), 8 << 20)

        def ask(number):
            lines = body[: (2 << 20) + number * 1_000].rpartition(b"\n")[0] if number % 4 else body
            with contextlib.suppress(OSError, http.client.HTTPException):
                return publish(self.router, lines, Content_Type="application/x-ndjson").status
            return 0

        with concurrent.futures.ThreadPoolExecutor(24) as pool:
            statuses = set(pool.map(ask, range(120)))
        self.assertTrue({202, 413} <= statuses <= {0, 202, 413, 429, 503}, statuses)
        self.assert_small()

    def test_peers_that_do_not_read_and_frames_that_do_not_end(self):
        gateways = []
        for number in range(24):
            gateway = self.gateway(receive_buffer=4_096)
            gateway.register(*(widget(f"w{n}", character="elf-42") for n in range(64)), device=f"d-{number}")
            gateways.append(gateway)
        partial = frame(PUSH, 1, b"{" + b" " * 60_000)[:-1]
        with contextlib.suppress(OSError, Ended):
            for number in range(1_000):
                self.publisher(f"p-{number}").send_raw(partial)
        publisher = self.publisher()
        with contextlib.suppress(OSError, Ended):
            for number in range(20_000):
                publisher.push({"character": "elf-42", "text": "x" * 1_000, "n": number})
            publisher.barrier()
        self.assert_small()


if __name__ == "__main__":
    unittest.main()
