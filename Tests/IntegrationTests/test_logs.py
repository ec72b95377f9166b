"""What the log has, what it leaves out, and what it never contains, whatever clients do."""

import http.client
import json
import pathlib
import signal
import tempfile
import unittest

from admin import metrics
from store_case import *

ADMIN = ("--admin", "127.0.0.1:0")
FORMATS = ("text", "json")
#: In nothing that a log may have.
PAYLOAD, SECRET = "payload-mark-4711", "token-mark-0815"


class Secrets(StoreCase):
    def ask(self, router, method, path, body=None, headers={}):
        """A request whose answer does not matter."""
        connection = http.client.HTTPConnection(*router.admin, timeout=WAIT)
        try:
            connection.request(method, path, body, headers)
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()

    def administer(self, router):
        """Every way to bring a token or a payload to the admin server, whatever it makes of them."""
        app_file = json.dumps({"apps": [{"app": APP, "publishers": [SECRET],
                                         "kinds": [{"kind": DETAIL, "match": {"x": [PAYLOAD]}}]}]})
        push = json.dumps({"character": "elf-42", "note": PAYLOAD})
        explain = json.dumps({"app": APP, "payload": {"character": PAYLOAD}})
        bearer = {"Authorization": f"Bearer {2 * SECRET}"}
        for method, path, body in (
            ("GET", f"/v1/status?token={SECRET}", None),
            ("GET", f"/v1/nothing/{APP}?token={SECRET}", None),
            ("POST", f"/v1/pushes?app={APP}", push),
            ("POST", f"/v1/pushes?app={APP}&producer=p&seq=1", push),
            ("POST", f"/v1/pushes?app={APP}", PAYLOAD),
            ("POST", "/v1/pushes?app=com.none", push),
            ("POST", "/v1/explain", explain),
            ("POST", "/v1/explain", "{" + PAYLOAD),
            ("POST", "/v1/app-file/validate", app_file),
            ("POST", "/v1/app-file/validate", app_file[:-4]),
            ("PUT", "/v1/app-file", app_file[:-4]),
            ("PUT", "/v1/app-file", app_file),
            ("GET", "/v1/app-file", None),
        ):
            self.ask(router, method, path, body, bearer)

    def speak(self, router):
        """The same over the protocol."""
        token = TOKENS["publisher"]
        publisher = self.publisher(router=router)
        publisher.pushed({"character": "elf-42", "note": PAYLOAD})
        self.assert_refused(publisher, publisher.push(f'{{"x":{PAYLOAD}}}'.encode()),
                            "payload-not-json")
        device = self.device("d-1", widget("w1", character=PAYLOAD), router=router)
        self.assert_refused(device, device.send(TIMELINE, f'"{PAYLOAD}"'.encode()),
                            "payload-not-object")
        for wrong in (SECRET, token + SECRET, TOKENS["device"]):
            client = self.connect(router)
            client.hello("publisher", token=wrong, producer="p")
            self.assert_ends(client, "token-invalid")
        client = self.connect(router)
        client.send_raw(f"GET /{PAYLOAD} HTTP/1.1\r\nAuthorization: {SECRET}\r\n\r\n".encode())
        client.expect_end()

    def test_neither_tokens_nor_payloads_are_logged_at_trace(self):
        """In neither format, from neither side, and not on the standard output."""
        for form in FORMATS:
            with self.subTest(form):
                file = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "token"
                file.write_text(2 * SECRET)
                file.chmod(0o600)
                router = self.start(*ADMIN, "--log-format", form, "--admin-token-file", file,
                                    level="trace")
                self.speak(router)
                self.administer(router)
                # Tokens in place of credentials, and a file that is cut off.
                old = router.apps.read_text()
                for count, broken in enumerate([
                    old.replace(json.dumps(ACCESS["publishers"]), f'"{SECRET}"'),
                    old.replace(json.dumps(ACCESS["publishers"]), f'["{SECRET}"]'),
                    old.replace(json.dumps(ACCESS["publishers"]), f'[{{"sha256": "{SECRET}"}}]'),
                    old[:old.index('"devices"') + 4],
                ], 1):
                    self.assertNotEqual(broken, old)
                    router.apps.write_text(broken)
                    router.signal(signal.SIGHUP)
                    router.wait_log("app file refused", count)
                self.assertEqual(router.stop(), 0)
                said = router.log + router.output
                self.assertIn("session ended", said, "the log has something")
                for mark in (PAYLOAD, SECRET, *TOKENS.values()):
                    self.assertNotIn(mark, said)


class Bounds(StoreCase):
    def test_a_message_that_comes_again_and_again_is_counted_in_place_of_being_written(self):
        """The first ones of a second are there, and then how many more there were."""
        router = self.start(*ADMIN, "--log-format", "json")
        count = 200
        for number in range(count):
            client = self.connect(router)
            client.hello("publisher", token="wrong", producer="p")
            self.assert_ends(client, "token-invalid")
        # By itself, without a next message.
        wait_until(lambda: self.reported_ends(router) == count, f"all {count} are reported ({router.log})")
        written = router.log.count('"message":"session ended"')
        self.assertEqual(metrics(router)["log_messages_suppressed_total"], count - written)
        self.assertEqual(router.stop(), 0)
        self.assertEqual(self.reported_ends(router), count)

    def reported_ends(self, router):
        """How many ends of sessions were written or are in a summary."""
        found = router.records
        written = [one for one in found if one["message"] == "session ended"]
        summaries = [one for one in found if one["message"].startswith("messages were left out")]
        self.assertTrue(all(one["of"] == "session ended" for one in summaries))
        return len(written) + sum(int(one["suppressed"]) for one in summaries)

    def test_what_was_left_out_at_the_end_is_counted_at_the_end(self):
        """A second that is not over when the process ends is none the less summed up."""
        router = self.start("--log-format", "json")
        clients = [self.connect(router) for _ in range(100)]
        for client in clients:
            client.hello("publisher", token="wrong", producer="p")
        for client in clients:
            self.assert_ends(client, "token-invalid")
        self.assertEqual(router.stop(), 0)
        self.assertEqual(self.reported_ends(router), len(clients))

    def test_a_session_has_the_same_name_in_the_log_and_at_its_client(self):
        """The one that WELCOME has said; who had no session has no name."""
        router = self.start("--log-format", "json")
        first = self.device("d-1", router=router)
        self.device("d-1", router=router)
        self.assert_ends(first, "session-replaced")
        stranger = self.connect(router)
        stranger.hello("device", token="wrong", device="d-2")
        self.assert_ends(stranger, "token-invalid")
        ended = {one["code"]: one for one in router.records if one["message"] == "session ended"}
        self.assertEqual(ended["session-replaced"]["session"], first.welcome["session"])
        self.assertNotIn("session", ended["token-invalid"])

    def test_the_log_alone_tells_a_wrong_token_from_an_unknown_app(self):
        router = self.start("--log-format", "json")
        said = []
        for app in (APP, "com.mygaem"):
            client = self.connect(router)
            client.hello("publisher", app=app, token="wrong", producer="p")
            error = client.expect(ERROR)
            said.append((error.code, error.json["message"].replace(app, "APP")))
        self.assertEqual(said[0], said[1])
        wait_until(lambda: sum(one["message"] == "session ended" for one in router.records) == 2, "two lines")
        reasons = {one["app"]: one["reason"] for one in router.records if one["message"] == "session ended"}
        self.assertEqual(reasons, {APP: "unknown", "com.mygaem": "app"})


if __name__ == "__main__":
    unittest.main()
