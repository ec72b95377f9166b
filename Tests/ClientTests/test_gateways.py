"""Gateways and the real router. A language that has one names a program as "gateway" in its conformance.json.

The program gets RELOAD_ADDRESS, RELOAD_TOKEN and RELOAD_PLAINTEXT=1. It registers the device `d-1` with the widget `w1` of
the kind `com.mygame.character-detail` and the configuration {"character":"elf-42"}, prints "registered" when that
is accepted, and prints "d-1 w1" for each reload, which it answers with a timeline. It reconnects by itself.
"""

import os
import subprocess
import threading
import unittest

from client_case import ClientCase, wait_until
from client_driver import CLIENTS, conformance, language
from real_router import RealRouter, binary
from scripted_router import ACK, PUSH


class Gateways(ClientCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if "gateway" not in conformance():
            raise unittest.SkipTest("this client has no gateway")
        if binary() is None:
            raise unittest.SkipTest("RELOAD_ROUTER is not set")

    def setUp(self):
        self.router = RealRouter(self.folder())
        self.addCleanup(self.router.kill)
        self.lines = []
        self.process = subprocess.Popen(
            conformance()["gateway"], text=True, cwd=CLIENTS / language(), stdout=subprocess.PIPE,
            env=os.environ | {"RELOAD_ADDRESS": f"127.0.0.1:{self.router.port}", "RELOAD_TOKEN": "t",
                              "RELOAD_PLAINTEXT": "1"})
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True)
        self.reader.start()
        self.addCleanup(self.end)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.reader.join(10)
        self.process.stdout.close()

    def push(self, character):
        """Pushes and returns the number of widgets that matched."""
        session, welcome = self.router.session(role="publisher", producer="p")
        session.send(PUSH, welcome["lastSeq"] + 1, {"character": character})
        kind, _, _, body = session.receive()
        session.cut()
        self.assertEqual(kind, ACK)
        return int.from_bytes(body, "big")

    def wait_lines(self, *expected):
        wait_until(lambda: len(self.lines) >= len(expected), f"{expected}")
        self.assertEqual([line.strip() for line in self.lines], list(expected))

    def test_a_gateway_gets_the_reloads_of_its_device_also_after_a_kill_of_the_router(self):
        self.wait_lines("registered")
        self.assertEqual(self.push("elf-42"), 1)
        self.wait_lines("registered", "d-1 w1")
        self.router.kill()
        self.router.start()
        self.assertEqual(self.push("elf-43"), 0)
        before = len(self.lines)
        self.assertEqual(self.push("elf-42"), 1)
        wait_until(lambda: len(self.lines) > before, "a reload after the kill")
        # The kill may have come before the answer to the first reload, which is sent again then.
        self.assertEqual({line.strip() for line in self.lines[1:]}, {"d-1 w1"})

    def test_a_router_that_has_lost_its_store_is_sent_the_widgets_again(self):
        self.wait_lines("registered")
        self.router.kill()
        (self.router.folder / "store").rename(self.router.folder / "former")
        self.router.start()
        wait_until(lambda: self.push("elf-42") == 1, "the widget")
        self.wait_lines("registered", "d-1 w1")


if __name__ == "__main__":
    unittest.main()
