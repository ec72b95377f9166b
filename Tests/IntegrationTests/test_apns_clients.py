"""reload-lab apns-mock, asked by clients of APNs from PyPI, as their users call them.

They know Apple's addresses alone, so each is pointed to the mock in the way that its code allows; all else is theirs.
"""

import asyncio
import os
import pathlib
import ssl
import tempfile
import unittest
from unittest import mock as patches

from apns import *
from deploy_case import has
from support import *
from test_tls import Certificates


class ClientCase(unittest.TestCase):
    """A mock with TLS and the key that it verifies provider tokens with."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        public = make_key(self.folder / "keys")
        self.key = self.folder / "keys" / f"AuthKey_{KEY}.p8"
        self.certificates = Certificates(self)
        self.authorities = str(self.certificates.path("ca.pem"))
        self.mock = Mock(self.folder, "--bundle", BUNDLE, "--team-key", f"{KEY}={public}", "--dead", token(9),
                         secure=self.certificates.flags)
        self.addCleanup(self.mock.close)
        self.address = f"https://localhost:{self.mock.port}"

    def answers(self):
        return [(r["token"], r["type"], r["status"], r["reason"]) for r in self.mock.requests]


@unittest.skipUnless(has("kalyke"), "PyPI's kalyke-apns is not there")
class Kalyke(ClientCase):
    """Its provider tokens have a text as their date, and each push a connection of its own."""

    def client(self, kind):
        address = self.address
        pointed = type("Pointed", (kind,), {"_base_url": property(lambda _: address)})
        return pointed(use_sandbox=False, team_id=TEAM, auth_key_id=KEY, auth_key_filepath=self.key)

    def send(self, number, client, payload, config):
        return asyncio.run(client.send_message(device_token=token(number), payload=payload, apns_config=config))

    def test_its_pushes_are_accepted_and_its_errors_are_apples(self):
        import kalyke
        from kalyke.exceptions import Unregistered
        self.enterContext(patches.patch.dict(os.environ, {"SSL_CERT_FILE": self.authorities}))
        alert = kalyke.ApnsConfig(topic=BUNDLE)
        client = self.client(kalyke.ApnsClient)
        payload = kalyke.Payload(alert=kalyke.PayloadAlert(title="A dragon", body="comes"))
        name = self.send(1, client, payload, alert)
        self.assertEqual(len(name), 36)
        self.send(2, self.client(kalyke.VoIPClient), {"key": "value"}, kalyke.VoIPApnsConfig(topic=f"{BUNDLE}.voip"))
        with self.assertRaises(Unregistered):
            self.send(9, client, payload, alert)
        self.assertEqual(self.answers(), [
            (token(1), "alert", 200, None), (token(2), "voip", 200, None), (token(9), "alert", 410, "Unregistered")])
        self.assertTrue(all("iat is a text" in r["why"] for r in self.mock.requests[:2]), self.mock.requests)


@unittest.skipUnless(has("pyapns_client"), "PyPI's pyapns-client is not there")
class PyAPNsClient(ClientCase):
    """Its provider tokens have a date with a fraction."""

    def test_its_pushes_are_accepted_and_its_errors_are_apples(self):
        import pyapns_client as pushes
        self.enterContext(patches.patch.dict(pushes.APNSClient.BASE_URLS, {"prod": self.address}))
        client = pushes.APNSClient("prod", self.authorities, str(self.key), KEY, TEAM)
        self.addCleanup(client.close)

        def send(number, **more):
            payload = pushes.IOSPayload(alert=pushes.IOSPayloadAlert(title="A dragon", body="comes"))
            client.push(pushes.IOSNotification(payload=payload, topic=BUNDLE, **more), token(number))

        send(1)
        send(2, collapse_id="a" * 64, push_type="alert", priority=5)
        with self.assertRaises(pushes.UnregisteredException):
            send(9)
        with self.assertRaises(pushes.BadCollapseIdException):
            send(3, collapse_id="a" * 65)
        self.assertEqual([r[0::2] for r in self.answers()], [
            (token(1), 200), (token(2), 200), (token(9), 410), (token(3), 400)])
        self.assertIn("fraction", self.mock.requests[1]["why"])


@unittest.skipUnless(has("aioapns"), "PyPI's aioapns is not there")
class AioAPNs(ClientCase):
    """Several pushes at once over one connection."""

    def test_its_pushes_are_accepted_and_its_errors_are_apples(self):
        import aioapns
        from aioapns.connection import APNsProductionClientProtocol as Protocol
        asyncio.run(self.push(aioapns, Protocol))
        counts = self.mock.accepted()
        self.assertEqual(set(counts), {token(number) for number in range(1, 9)})
        self.assertEqual(set(counts.values()), {1})
        self.assertEqual([r["why"] for r in self.mock.requests if r["status"] == 200], [None] * 8)

    async def push(self, aioapns, protocol):
        """Pushes to the mock: the client has Apple's address and port in a class."""
        context = ssl.create_default_context(cafile=self.authorities)
        context.set_alpn_protocols(["h2"])
        with patches.patch.multiple(protocol, APNS_SERVER="localhost", APNS_PORT=self.mock.port):
            client = aioapns.APNs(key=self.key.read_text(), key_id=KEY, team_id=TEAM, topic=BUNDLE,
                                  ssl_context=context, max_connections=1, err_func=self.ignore)
            send = [client.send_notification(aioapns.NotificationRequest(
                device_token=token(number), message={"aps": {"alert": "A dragon"}},
                push_type=aioapns.PushType.ALERT)) for number in range(1, 10)]
            found = await asyncio.gather(*send)
        self.assertEqual([r.is_successful for r in found], [True] * 8 + [False])
        self.assertEqual((found[8].status, found[8].description), ("410", "Unregistered"))

    async def ignore(self, *_):
        pass


if __name__ == "__main__":
    unittest.main()
