"""The first pushes of protocol/README.md: each program does with the real router what the page says.

RELOAD_CLIENT names the language's folder; each language has one story or none. `protocol/verify.py` compares the page
with the programs. A story over HTTP is skipped if the router has no listener for publishers; the request that it
makes is looked at nevertheless.
"""

import contextlib
import json
import os
import subprocess
import unittest

from client_case import ClientCase
from client_driver import CLIENTS, language
from real_router import APPS, WIDGETS, Device, RealRouter, binary
from scripted_http import ScriptedHTTP
from scripted_router import ACK, WAIT

#: The app file of the newspaper; its tokens are named in generate.py beside it.
NEWS = json.loads((CLIENTS.parents[1] / "deploy" / "examples" / "news" / "apps.json").read_text())


class Story(ClientCase):
    """A program in the folder of one language."""

    #: The language's folder, and the program's command there.
    language, command = None, []

    @classmethod
    def setUpClass(cls):
        if language() != cls.language:
            raise unittest.SkipTest("this language has another story, or none")
        if binary() is None:
            raise unittest.SkipTest("RELOAD_ROUTER is not set")

    def begin(self, *arguments, folder=None, **variables):
        """Starts the program in a folder of its own."""
        command = [str(CLIENTS / self.language / word) if "/" in word else word for word in self.command]
        process = subprocess.Popen(
            [*command, *arguments], cwd=folder or self.folder(), text=True, env=os.environ | variables,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        process.kill()
        process.communicate()

    def finish(self, process, text=""):
        """Writes to the program, and returns what it prints until it ends with 0."""
        printed, errors = process.communicate(text, timeout=4 * WAIT)
        self.assertEqual(process.returncode, 0, errors)
        return printed

    def publishing_router(self, apps=APPS):
        usage = subprocess.run([binary(), "serve", "--help"], stdout=subprocess.PIPE, text=True).stdout
        if "--publish" not in usage:
            self.skipTest("this router has no listener for publishers")
        router = RealRouter(self.folder(), apps=apps, flags=("--publish", "127.0.0.1:0"))
        self.addCleanup(router.kill)
        return router, f"127.0.0.1:{router.printed_port('publish on')}"

    def variables(self, address, token):
        """What tells an example where and as whom it connects, without TLS."""
        return {"RELOAD_ADDRESS": address, "RELOAD_TOKEN": token, "RELOAD_PLAINTEXT": "1"}

    def request_of(self, process, server, text=""):
        """The request of a program over HTTP, which is answered."""
        if text:
            process.stdin.write(text)
            process.stdin.close()
            process.stdin = None
        exchange = server.accept(WAIT)
        request = exchange.request()
        exchange.answer(202, {"accepted": 1, "duplicates": 0, "matched": 2, "rejected": []})
        return request

    def server(self):
        server = ScriptedHTTP()
        self.addCleanup(server.put_away)
        return server


class GameServer(Story):
    language, command = "go", ["build/gameserver"]

    def setUp(self):
        folder = self.folder()
        done = subprocess.run([binary(), "cert", "new", "--out", folder / "certificates"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        certificate, key, self.authority = (str(folder / "certificates" / name)
                                            for name in ("cert.pem", "key.pem", "ca.pem"))
        self.router = RealRouter(folder, flags=("--cert", certificate, "--key", key))
        self.addCleanup(self.router.kill)

    def begin_game(self, folder):
        return self.begin(folder=folder, RELOAD_ADDRESS=f"127.0.0.1:{self.router.port}", RELOAD_TOKEN="t",
                          RELOAD_CA=self.authority)

    def test_what_happens_in_the_game_is_pushed_over_tls(self):
        process = self.begin_game(self.folder())
        _, errors = process.communicate(timeout=4 * WAIT)
        self.assertEqual(process.returncode, 0, errors)
        self.assertIn("Connected{LastSeq:0 ", errors)
        self.assertNotIn("not pushed", errors)
        process = self.begin_game(self.folder())
        _, errors = process.communicate(timeout=4 * WAIT)
        self.assertIn("Connected{LastSeq:3 ", errors, "the three pushes of the first game are accepted")


class CMS(Story):
    language, command = "php", ["php", "examples/publish.php"]

    def test_a_story_is_pushed(self):
        router, address = self.publishing_router(NEWS)
        session, _ = router.session(role="device", app="org.dailynews", device="d", token="news-device-example-token")
        with contextlib.closing(session.socket):
            session.send(WIDGETS, 1, {"device": "d", "widgets": [
                {"id": "w", "kind": "org.dailynews.topic", "configuration": {"topics": ["science"]}}]})
            self.assertEqual(session.receive()[0], ACK)
        process = self.begin(**self.variables(address, "news-publisher-example-token"))
        self.assertEqual(self.finish(process), "accepted 1, widgets 1\n")

    def test_the_request_has_a_key_of_the_story(self):
        server = self.server()
        process = self.begin(**self.variables(f"127.0.0.1:{server.port}", "a-token"))
        request = self.request_of(process, server)
        self.assertEqual(request.target, "/v1/apps/org.dailynews/pushes")
        self.assertEqual(request.headers["authorization"], "Bearer a-token")
        self.assertEqual(request.headers["idempotency-key"], '"story-17-v3"')
        self.assertEqual(json.loads(request.body), {"event": "published", "story": 17, "topics": ["science"]})
        self.assertEqual(self.finish(process), "accepted 1, widgets 2\n")


class Function(Story):
    language, command = "python", ["python3", "examples/function.py"]
    event = json.dumps({"specversion": "1.0", "id": "order-7", "source": "/shop", "type": "com.mygame.order.paid",
                        "data": Device.payload(0)})

    def test_an_event_is_pushed(self):
        router, address = self.publishing_router()
        device = Device(router, 1)
        self.addCleanup(device.close)
        process = self.begin(**self.variables(address, "t"))
        self.assertEqual(json.loads(self.finish(process, self.event)),
                         {"accepted": 1, "duplicates": 0, "matched": 1, "rejected": []})

    def test_the_request_is_a_cloud_event(self):
        server = self.server()
        process = self.begin(**self.variables(f"127.0.0.1:{server.port}", "a-token"))
        request = self.request_of(process, server, self.event)
        self.assertEqual((request.method, request.target), ("POST", "/v1/apps/com.mygame/pushes"))
        headers = {name: request.headers[name] for name in ("authorization", "content-type", "ce-specversion",
                                                            "ce-id", "ce-source", "ce-type")}
        self.assertEqual(headers, {
            "authorization": "Bearer a-token", "content-type": "application/json", "ce-specversion": "1.0",
            "ce-id": "order-7", "ce-source": "/shop", "ce-type": "com.mygame.order.paid"})
        self.assertEqual(json.loads(request.body), Device.payload(0))
        self.assertEqual(json.loads(self.finish(process))["matched"], 2)

    def test_what_no_header_can_have_is_escaped(self):
        server = self.server()
        process = self.begin(**self.variables(f"127.0.0.1:{server.port}", "a-token"))
        request = self.request_of(process, server, json.dumps(json.loads(self.event) | {"id": "Zoë 100%"}))
        self.assertEqual(request.headers["ce-id"], "Zo%C3%AB%20100%25")
        self.finish(process)


if __name__ == "__main__":
    unittest.main()
