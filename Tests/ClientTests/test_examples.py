"""The examples of publishers: each takes address, token and authority in the same way, and ends if nothing answers.

A language's conformance.json names the program as "example". It publishes something as `com.mygame`, and then ends.
"""

import os
import subprocess
import time
import unittest

from client_case import ClientCase
from client_driver import CLIENTS, conformance, language
from real_router import RealRouter, binary
from scripted_router import WAIT, fixed_port


class Examples(ClientCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if binary() is None:
            raise unittest.SkipTest("RELOAD_ROUTER is not set")

    def run_example(self, **variables):
        """Runs the program in a folder of its own; returns its status, and all that it has printed."""
        command = [str(CLIENTS / language() / word) if "/" in word and "{" not in word else word
                   for word in conformance()["example"]]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("RELOAD_")}
        done = subprocess.run(command, cwd=self.folder(), text=True, timeout=4 * WAIT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=kept | {"PYTHONPATH": str(CLIENTS / "python" / "src")} | variables)
        return done.returncode, done.stdout

    def assert_publishes(self, router, **variables):
        status, printed = self.run_example(RELOAD_ADDRESS=f"127.0.0.1:{router.port}", RELOAD_TOKEN="t", **variables)
        self.assertEqual(status, 0, printed)

    def test_pushes_are_published_without_TLS_if_that_is_asked_for(self):
        router = RealRouter(self.folder())
        self.addCleanup(router.kill)
        self.assert_publishes(router, RELOAD_PLAINTEXT="1")

    def test_pushes_are_published_over_TLS_with_an_authority(self):
        if "tls" in conformance():
            self.skipTest("this language's TLS takes no such certificates here")
        folder = self.folder()
        made = subprocess.run([binary(), "cert", "new", "--out", folder / "certificates"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(made.returncode, 0, made.stdout)
        certificate, key, authority = (str(folder / "certificates" / name)
                                       for name in ("cert.pem", "key.pem", "ca.pem"))
        router = RealRouter(folder, flags=("--cert", certificate, "--key", key))
        self.addCleanup(router.kill)
        self.assert_publishes(router, RELOAD_CA=authority)

    def test_a_wrong_port_ends_it_with_the_reason(self):
        began = time.monotonic()
        status, printed = self.run_example(RELOAD_ADDRESS=f"127.0.0.1:{fixed_port()}", RELOAD_PLAINTEXT="1")
        self.assertNotEqual(status, 0)
        self.assertRegex(printed, "(?i)refused")
        self.assertGreater(time.monotonic() - began, 9, "a router that restarts is waited for")


if __name__ == "__main__":
    unittest.main()
