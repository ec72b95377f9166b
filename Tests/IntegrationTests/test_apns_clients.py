"""reload-lab apns-mock, asked by clients of APNs from PyPI: apns_client.py."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from apns import *
from deploy_case import TOOLS
from support import *
from test_tls import Certificates

SCRIPT = pathlib.Path(__file__).with_name("apns_client.py")


def is_there(module):
    """Whether deploy/test has installed a package, which needs PyPI."""
    return any(TOOLS.glob(f"lib/python*/site-packages/{module}"))


class Clients(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        public = make_key(self.folder / "keys")
        certificates = Certificates(self)
        self.mock = Mock(self.folder, "--bundle", BUNDLE, "--team-key", f"{KEY}={public}", "--dead", token(9),
                         secure=certificates.flags)
        self.addCleanup(self.mock.close)
        self.settings = {
            "port": self.mock.port, "authorities": str(certificates.path("ca.pem")), "team": TEAM, "topic": BUNDLE,
            "key": str(self.folder / "keys" / f"AuthKey_{KEY}.p8"), "keyID": KEY}

    def push(self, client, *pushes):
        """Pushes by a client; returns what it says of each."""
        settings = json.dumps(self.settings | {"pushes": pushes})
        done = subprocess.run([TOOLS / "bin" / "python", SCRIPT, client, settings], capture_output=True, text=True,
                              timeout=60 * PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def check(self, client, why):
        """Pushes are accepted, though `why` may say that something is odd, and errors are Apple's."""
        found = self.push(client, {"token": token(1)}, {"token": token(2).upper(), "collapse": "a" * 64},
                          {"token": token(9)}, {"token": token(3), "collapse": "a" * 65})
        self.assertEqual(found, ["accepted", "accepted", "Unregistered", "BadCollapseId"])
        requests = {r["token"].lower(): r for r in self.mock.requests}
        self.assertEqual([requests[token(n)]["status"] for n in (1, 2, 9, 3)], [200, 200, 410, 400])
        self.assertEqual({r["type"] for r in requests.values()}, {"alert"})
        for number in (1, 2):
            said = requests[token(number)]["why"]
            self.assertIn(why, said) if why else self.assertIsNone(said)

    @unittest.skipUnless(is_there("kalyke"), "PyPI's kalyke-apns is not there")
    def test_kalyke_whose_tokens_have_a_text_as_their_date(self):
        self.check("kalyke", "iat is a text")

    @unittest.skipUnless(is_there("pyapns_client"), "PyPI's pyapns-client is not there")
    def test_pyapns_client_whose_tokens_have_a_date_with_a_fraction(self):
        self.check("pyapns_client", "iat is a number with a fraction")

    @unittest.skipUnless(is_there("aioapns"), "PyPI's aioapns is not there")
    def test_aioapns_whose_tokens_are_as_apple_wants_them(self):
        self.check("aioapns", None)


if __name__ == "__main__":
    unittest.main()
