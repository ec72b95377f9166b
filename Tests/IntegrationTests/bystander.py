"""A publisher and a device that keep to the protocol, on a router that other clients attack."""

from support import *

CODES = set("""
frame-length frame-type frame-flags frame-reserved frame-unexpected frame-timeout hello-expected
hello-timeout hello-invalid version-unsupported app-unknown token-invalid seq-not-rising
window-exceeded ping-timeout tls-required session-replaced too-many-connections too-many-producers
payload-not-utf8 payload-not-json payload-not-object payload-too-deep payload-duplicate-key
payload-number-range payload-kinds payload-combinations pattern-cost payload-expiry body-invalid identifier-invalid device-foreign
device-unknown widget-unknown kind-unknown widget-duplicate too-many-widgets too-many-devices
configuration-invalid timeline-invalid quota-exceeded
""".split())


#: What a push of a bystander and its RELOAD may take at most, in s. A router that waited for a hostile client
#: would wait for as long as clients may be silent, which is 10 s; a machine that is shared may give the
#: router no core for a while.
SOON = 1.0 * PATIENCE


class BystanderCase(RouterCase):
    """Before and after each test the bystanders' pushes arrive, on the same connections."""

    def setUp(self):
        super().setUp()
        self.watcher = self.device("bystander", widget("w1", PARTY, member="bystander"))
        self.caller = self.publisher("bystander")
        self.calls = 0
        self.check_bystander()

    def tearDown(self):
        self.check_bystander()
        # The next new connection is served as well.
        self.publisher("after").barrier()

    def check_bystander(self):
        """One more push of the bystander reaches its device, once."""
        self.calls += 1
        self.assertEqual(self.caller.pushed({"character": "bystander", "n": self.calls}), 1)
        self.assertEqual(self.watcher.reloaded(), [("bystander", "w1")])
