"""The admin API against the real server: as documented, with a token, and with hostile clients."""

import collections
import contextlib
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import threading
import time
import unittest

from admin import *
from bystander import SOON, BystanderCase
from openapi import Document
from store_case import *

ADMIN = ("--admin", "127.0.0.1:0")
TOKEN = "a-token-of-operators"
#: Made by deploy/test; see `need_python_tools` in deploy/common.sh.
SCHEMATHESIS = CHECKOUT / ".build" / "python" / "bin" / "schemathesis"
DEVICE = "d/1 ü"
#: What each operation of the document is asked here: the path after /v1, and a body.
SAMPLES = {
    "health": ("/healthz",), "readiness": ("/readyz",), "metrics": ("/metrics",), "page": ("/",),
    "runbook": ("/runbook",),
    "asset": ("/assets/none.js",), "document": ("/openapi.json",), "status": ("/v1/status",),
    "connections": ("/v1/connections?limit=2",), "producers": ("/v1/producers?limit=2",), "apps": ("/v1/apps",),
    "app": (f"/v1/apps/{APP}",), "pause": ("/v1/apps/com.other/pause",),
    "resume": ("/v1/apps/com.other/resume",), "devices": (f"/v1/apps/{APP}/devices?limit=10",),
    "device": (f"/v1/apps/{APP}/devices/d%2F1%20%C3%BC",), "deadTokens": (f"/v1/apps/{APP}/dead-tokens?limit=10",), "appFile": ("/v1/app-file",),
    "replaceAppFile": ("/v1/app-file", APPS), "validateAppFile": ("/v1/app-file/validate", APPS),
    "explain": ("/v1/explain", {"app": APP, "payload": HEALING}),
    "slots": ("/v1/slots", {"app": APP, "kind": DETAIL, "dates": [
        {"id": "any \"thing\"", "after": now_ms() + 60_000}]}),
    "push": (f"/v1/pushes?app={APP}", HEALING), "pushes": (f"/v1/apps/{APP}/pushes?limit=2",),
    "pushHistory": (f"/v1/apps/{APP}/pushes/%28operator%29/1?limit=2",), "origins": ("/v1/origins?limit=2",),
    "history": ("/v1/history?range=600",), "appHistory": (f"/v1/apps/{APP}/history?kind={DETAIL}",),
    "hotKeys": ("/v1/hot-keys",), "logLevel": ("/v1/log-level",),
    "setLogLevel": ("/v1/log-level", {"level": "debug"}), "operator": ("/v1/operator",),
    "makeLink": ("/v1/links",), "revocations": (f"/v1/apps/{APP}/revocations?limit=10",),
    "revokeTokens": (f"/v1/apps/{APP}/revocations/d-9", {"before": now_ms() - 1_000}),
}
#: These have tests of their own.
OTHERS = {"events", "deadTokenEvents", "drain", "backup", "forgetProducer", "forgetDevice", "openSession", "closeSession",
          "withdrawRevocation"}


def post(router, path, body, method="POST", **headers):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return ask(router, path, method, data, headers)


class Documented(RouterCase):
    flags = ADMIN

    def setUp(self):
        super().setUp()
        self.document = Document()
        self.watcher = self.device(DEVICE, widget("w1", character="elf-42"))

    def asks(self, name, router=None):
        """Asks what the document describes; the answer is as described."""
        method, path, operation = self.document.operation(name)
        target, *body = SAMPLES[name]
        answer = ask(router or self.router, target, method,
                     json.dumps(body[0]).encode() if body else None)
        self.document.check(operation, answer)
        self.assertRegex(answer.headers["X-Request-Id"], r"^[a-z0-9]+-[0-9]+$")
        return answer

    def test_the_router_serves_the_document(self):
        """As it lies in protocol."""
        self.assertEqual(ask(self.router, "/openapi.json").json, self.document.json)

    def test_every_operation_has_a_sample_here(self):
        names = {operation["operationId"] for _, _, operation in self.document.operations}
        self.assertEqual(names, set(SAMPLES) | OTHERS)

    def test_every_operation_answers_as_documented(self):
        """With success; so it is the body of success that is compared."""
        # Replacing the app file first: the others are asked of what it leaves.
        for name in sorted(SAMPLES, key=lambda name: name != "replaceAppFile"):
            with self.subTest(name):
                answer = self.asks(name)
                if name not in ("page", "asset"):
                    self.assertIn(answer.status, (200, 202), answer.text)

    def test_a_device_that_a_reload_waits_for_is_one(self):
        """A reload whose device has no session is held, in the document's words."""
        self.watcher.close()
        wait_until(lambda: self.asks("device").json["connection"] is None, "the session ends")
        self.publisher().pushed(HEALING)
        self.assertEqual([widget["stage"] for widget in self.asks("device").json["widgets"]], ["held"])

    def test_a_backup_is_one(self):
        """The store that was copied opens; and without a store there is none."""
        parent = pathlib.Path(self.router.folder.name) / "backups"
        parent.mkdir()
        router = self.start(*ADMIN, "--backup-folder", parent)
        folder = parent / "first"
        self.publisher(router=router).pushed(HEALING)
        _, _, operation = self.document.operation("backup")
        answer = post(router, "/v1/backup", {"name": "first"})
        self.document.check(operation, answer)
        self.assertEqual(answer.status, 200, answer.text)
        self.assertTrue((folder / "CONTENTS").exists())
        without = self.start(*ADMIN, "--backup-folder", parent, store="none")
        for one, code in ((self.router, "backup-folder-none"), (without, "store-none")):
            refused = post(one, "/v1/backup", {"name": "second"})
            self.document.check(operation, refused)
            self.assertEqual((refused.status, refused.problem["code"]), (409, code))
        for name in ("../second", "/tmp/second", ".second", "a/b", "", "-rf"):
            refused = post(router, "/v1/backup", {"name": name})
            self.assertEqual(refused.problem["code"], "body-invalid")
        self.assertEqual(os.listdir(parent), ["first"])

    def test_a_drain_is_one(self):
        """It is answered, sessions get GOAWAY, and the process ends with 0."""
        router = self.start(*ADMIN)
        publisher = self.publisher(router=router)
        _, _, operation = self.document.operation("drain")
        answer = ask(router, "/v1/drain", "POST")
        self.document.check(operation, answer)
        self.assertEqual((answer.status, answer.json), (202, {"isDraining": True}))
        self.assertEqual(publisher.expect(GOAWAY).json["reason"], "drain")
        publisher.close()
        self.assertEqual(router.exit_code(), 0)

    def test_events_bring_the_status_every_second(self):
        """Each on one line, with the same body as /v1/status."""
        schema = {"$ref": "#/components/schemas/Status"}
        with contextlib.closing(http.client.HTTPConnection(*self.router.admin, timeout=WAIT)) as opened:
            opened.request("GET", "/v1/events", headers=bearer())
            answer = opened.getresponse()
            self.assertEqual(answer.headers["Content-Type"], "text/event-stream")
            times = []
            for _ in range(3):
                self.assertEqual(answer.readline(), b"event: status\n")
                data = answer.readline()
                self.assertTrue(data.startswith(b"data: {"))
                status = json.loads(data[6:])
                self.document.check_value(schema, status, "status")
                self.assertEqual(answer.readline(), b"\n")
                times.append(status["at"])
        # A status may be 100 ms old, and the first one may have waited for the loop.
        self.assertGreater(times[2] - times[0], 800)
        self.assertEqual(ask(self.router, "/v1/events", "HEAD").status, 405)

    def test_what_is_unknown_is_a_problem(self):
        """Apps, kinds, devices, paths, methods, parameters, members."""
        for method, target, body, status, code in (
            ("GET", "/v1/apps/none", None, 404, "app-unknown"),
            ("GET", f"/v1/apps/{APP}/devices/none", None, 404, "device-unknown"),
            ("POST", "/v1/apps/none/pause", None, 404, "app-unknown"),
            ("GET", "/v1/producers?app=none", None, 404, "app-unknown"),
            ("POST", f"/v1/apps/{APP}/producers/none/forget", None, 404, "producer-unknown"),
            ("POST", "/v1/pushes?app=none", {}, 404, "app-unknown"),
            ("POST", "/v1/explain", {"app": "none", "payload": {}}, 404, "app-unknown"),
            ("POST", "/v1/slots", {"app": APP, "kind": "none", "dates": []}, 404, "kind-unknown"),
            ("POST", "/v1/slots", {"app": "none", "kind": DETAIL, "dates": []}, 404, "app-unknown"),
            ("GET", "/v1/none", None, 404, "not-found"),
            ("DELETE", "/v1/app-file", None, 405, "method-not-allowed"),
            ("GET", "/v1/apps?x=y", None, 400, "parameter-invalid"),
            ("POST", "/v1/explain", {"app": APP, "payload": {}, "x": 1}, 400, "body-invalid"),
            ("GET", "/v1/apps/%22", None, 400, "identifier-invalid"),
        ):
            with self.subTest(f"{method} {target}"):
                answer = post(self.router, target, body, method) if body is not None \
                    else ask(self.router, target, method)
                self.assertEqual((answer.status, answer.problem["code"]), (status, code))

    def test_an_app_file_is_refused_as_a_whole(self):
        """With its place; and what held before holds on."""
        broken = json.dumps(APPS).replace('"unlimited"', '"much"').encode()
        for method, target in (("POST", "/v1/app-file/validate"), ("PUT", "/v1/app-file")):
            problem = post(self.router, target, broken, method).problem
            self.assertEqual((problem["status"], problem["code"]), (400, "body-invalid"))
            self.assertRegex(problem["detail"], r"line 1, column \d+, apps\[0\].kinds\[0\].budget")
        self.assertEqual(self.publisher().pushed(HEALING), 1)

    def test_commands_are_logged_with_their_request_ids(self):
        post(self.router, "/v1/log-level", {"level": "info"}, "PUT", **{"X-Request-Id": "my-id.7"})
        self.router.wait_log("my-id.7")


class Tokens(RouterCase):
    flags = ADMIN

    def token_file(self, content=TOKEN + "\n"):
        path = pathlib.Path(self.router.folder.name) / "token"
        path.write_text(content)
        path.chmod(0o600)
        return path

    def bearer(self, token=TOKEN):
        return {"Authorization": f"Bearer {token}"}

    def test_with_a_token_any_address_may_be_bound(self):
        """Everything needs it but probes and the page; events take it from the query, too."""
        router = self.start("--admin", "0.0.0.0:0", "--admin-token-file", self.token_file(), "--insecure")
        port = router.admin[1]
        nobody = {"Authorization": None}
        for path, status in (("/healthz", 200), ("/readyz", 200), ("/assets/x", 404),
                             ("/metrics", 401), ("/v1/status", 401), ("/none", 401),
                             (f"/v1/status?token={TOKEN}", 401), ("/v1/events?token=x", 401)):
            answer = ask(router, path, headers=nobody)
            self.assertEqual(answer.status, status, path)
            if status == 401:
                self.assertEqual(answer.problem["code"], "unauthorized")
                self.assertRegex(answer.headers["WWW-Authenticate"], "^Bearer ")
        for path in ("/metrics", "/v1/status"):
            self.assertEqual(ask(router, path, headers=self.bearer()).status, 200)
            self.assertEqual(ask(router, path, headers=self.bearer(TOKEN + "x")).status, 401)
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT)) as opened:
            opened.request("GET", f"/v1/events?token={TOKEN}")
            self.assertEqual(opened.getresponse().readline(), b"event: status\n")
        self.assertNotIn(TOKEN, router.log)

    def test_the_token_is_read_again_on_hang_up(self):
        """If it can be taken; else the old one stays."""
        file = self.token_file()
        router = self.start(*ADMIN, "--admin-token-file", file)
        file.write_text("another-token-of-operators")
        router.signal(signal.SIGHUP)
        router.wait_log("operators read again")
        self.assertEqual(ask(router, "/v1/status", headers=self.bearer()).status, 401)
        new = self.bearer("another-token-of-operators")
        self.assertEqual(ask(router, "/v1/status", headers=new).status, 200)
        file.write_text("short")
        router.signal(signal.SIGHUP)
        router.wait_log("operators refused")
        self.assertEqual(ask(router, "/v1/status", headers=new).status, 200)

    def test_a_file_without_a_token_is_refused_at_the_start(self):
        for content, said in (("", "0 bytes"), ("short\n", "5 bytes"), ("with space in it 16\n", "ASCII")):
            ended = command("serve", "--listen", "127.0.0.1:0", "--apps", self.router.apps, "--store",
                            "none", *ADMIN, "--admin-token-file", self.token_file(content))
            self.assertEqual((ended.returncode, ended.stdout), (1, ""))
            self.assertIn(said, ended.stderr)
        ended = command("serve", "--listen", "127.0.0.1:0", "--apps", self.router.apps, "--store",
                        "none", *ADMIN, "--admin-token-file", "/none/such")
        self.assertRegex(ended.stderr, r"/none/such\.[\d.]+\.new cannot be written: No such file")

    def test_pages_of_other_servers_may_not_ask(self):
        """A browser sends what any page says to 127.0.0.1."""
        port = self.router.admin[1]
        for headers, code in (({"Origin": "http://evil.example"}, "origin-foreign"),
                              ({"Origin": "null"}, "origin-foreign"),
                              ({"Host": "evil.example"}, "host-foreign")):
            for method, path in (("POST", "/v1/drain"), ("GET", "/v1/status")):
                answer = ask(self.router, path, method, headers=headers)
                self.assertEqual((answer.status, answer.problem["code"]), (403, code))
        own = {"Origin": f"http://127.0.0.1:{port}"}
        self.assertEqual(ask(self.router, "/v1/status", headers=own).status, 200)


class Hostile(BystanderCase):
    """Whatever comes to the admin server, a push is acknowledged at once."""

    flags = ADMIN

    def setUp(self):
        super().setUp()
        self.resident = self.router.resident
        self.slowest = 0

    def tearDown(self):
        super().tearDown()
        self.assertEqual(ask(self.router, "/healthz").status, 200)
        self.assertLess(self.slowest, SOON, "seconds for a push and its RELOAD")

    def check(self):
        started = time.monotonic()
        self.check_bystander()
        self.slowest = max(self.slowest, time.monotonic() - started)

    def open(self, data=b""):
        opened = socket.create_connection(self.router.admin, timeout=WAIT)
        self.addCleanup(opened.close)
        with contextlib.suppress(ConnectionError):
            opened.sendall(data)
        return opened

    def answer(self, data, timeout=WAIT):
        """Sends bytes; what comes until the connection ends, or for so long without a pause."""
        with socket.create_connection(self.router.admin, timeout=WAIT) as opened:
            opened.settimeout(timeout)
            answer = b""
            with contextlib.suppress(ConnectionError, TimeoutError):
                opened.sendall(data)
                with contextlib.suppress(OSError):
                    opened.shutdown(socket.SHUT_WR)
                while more := opened.recv(1 << 16):
                    answer += more
        return answer

    def head(self, method, path, more):
        token = "" if "Authorization" in more else f"Authorization: Bearer {ADMIN_TOKEN}\r\n"
        return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{token}{more}\r\n\r\n".encode()

    def test_slow_bodies_delay_no_one_else_and_take_bounded_memory(self):
        """60 clients send 8 MiB each, but for the last byte; all together may have 64 MiB."""
        size = 8 << 20
        head = self.head("PUT", "/v1/app-file", f"Content-Length: {size}")
        body = b" " * (size - 1)
        slow = []
        for number in range(60):
            slow.append(self.open(head + body))
            if number % 5 == 0:
                self.check()
                self.assertEqual(ask(self.router, "/healthz").status, 200)
        # Twice 64 MiB, and what the allocator keeps.
        self.assertLess(self.router.resident - self.resident, 256 << 20)
        # Whoever sends all of it is answered meanwhile.
        self.assertEqual(post(self.router, "/v1/app-file/validate", b" " * size).problem["code"],
                         "body-invalid")

    def test_bodies_that_are_too_large_are_refused(self):
        """8 MiB and one byte, announced and in chunks; and what is far beyond ends the connection."""
        size = (8 << 20) + 1
        for method, path in (("PUT", "/v1/app-file"), ("POST", "/v1/pushes?app=x"),
                             ("POST", "/v1/explain")):
            answer = post(self.router, path, b" " * size, method)
            self.assertEqual((answer.status, answer.problem["code"]), (413, "body-too-large"))
            self.check()
        chunked = (b" " * (1 << 20) for _ in range(9))
        connection = http.client.HTTPConnection(*self.router.admin, timeout=WAIT)
        self.addCleanup(connection.close)
        connection.request("POST", "/v1/explain", chunked, encode_chunked=True,
                           headers=bearer() | {"Transfer-Encoding": "chunked"})
        self.assertEqual(Answer(connection.getresponse()).problem["code"], "body-too-large")
        endless = self.open(self.head("POST", "/v1/explain", "Transfer-Encoding: chunked"))
        with self.assertRaises(ConnectionError):
            while True:
                endless.sendall(b"100000\r\n" + b" " * (1 << 20) + b"\r\n")
                self.check()
        self.assertLess(self.router.resident - self.resident, 64 << 20)

    def test_a_thousand_connections_with_parts_of_bodies(self):
        """The newest is always served."""
        if raise_descriptor_limit() < 1_500:
            self.skipTest("needs 1,500 file descriptors")
        head = self.head("POST", "/v1/pushes?app=x", "Content-Length: 100000")
        for number in range(1_000):
            self.open(head + b"x" * 50_000)
            if number % 100 == 0:
                self.check()
                self.assertEqual(ask(self.router, "/v1/status").status, 200)
        self.assertLess(self.router.resident - self.resident, 64 << 20)

    def test_huge_heads_are_refused(self):
        """Many headers, long ones, a long token, a long query; and no body of a stranger is read."""
        big = "x" * (1 << 20)
        for head in (self.head("GET", "/v1/status", f"Authorization: Bearer {big}"),
                     self.head("GET", "/healthz", f"X: {big}"),
                     self.head("GET", "/v1/status", "\r\n".join(f"X-{n}: y" for n in range(50_000))),
                     self.head("GET", f"/v1/apps/{big}", "X: y"),
                     self.head("GET", f"/v1/apps?{'a=b&' * 250_000}", "X: y")):
            opened = self.open(head)
            answer = b""
            with contextlib.suppress(ConnectionError):
                while more := opened.recv(1 << 16):
                    answer += more
            self.assertIn(answer[9:12], (b"", b"400", b"414", b"431"))
            self.check()
        for head, body in (("POST /healthz HTTP/1.1\r\nContent-Length: 1048576", big),
                           ("GET /healthz HTTP/1.1\r\nContent-Length: 1048576", big),
                           ("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked", f"100000\r\n{big}")):
            answer = self.answer(f"{head}\r\nHost: a\r\n\r\n{body}".encode())
            self.assertIn(answer[9:12], (b"", b"400", b"401", b"403", b"404", b"405", b"413", b"414", b"431"), head)
            self.check()

    def test_garbage_is_refused(self):
        """Bytes that are no request, bytes by chance, and real requests with bytes changed by chance."""
        for data in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 100,
                     b"GET /healthz HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
                     frame(HELLO, 0, {"role": "publisher"})):
            answer = self.answer(data + b"\r\n\r\n")
            self.assertIn(answer[9:12], (b"", b"400", b"403", b"404", b"405", b"505"), data)
        generator = random.Random(8)
        real = [self.head("POST", "/v1/explain", "Content-Length: 27") +
                b'{"app":"x","payload":{"a":1}}',
                self.head("PUT", "/v1/log-level", "Transfer-Encoding: chunked") +
                b'10\r\n{"level":"info"}\r\n0\r\n\r\n',
                self.head("GET", "/v1/apps/a%2Fb/devices?after=x&limit=5", "X-Request-Id: a")]
        for number in range(300):
            data = bytearray(generator.choice(real))
            for _ in range(generator.randrange(1, 6)):
                data[generator.randrange(len(data))] = generator.randrange(256)
            if number % 3 == 0:
                data = generator.randbytes(generator.randrange(1, 3_000))
            # Some are waited for: what their length announced has not come.
            answer = self.answer(data, timeout=0.1)
            self.assertRegex(answer[:13], rb"^(HTTP/1\.[01] [2345]\d\d |$)")
            if answer[9:10] == b"5":
                self.assertIn(answer[9:12], (b"501", b"503", b"505"), answer)
            if number % 50 == 0:
                self.check()

    def test_viewers_who_read_nothing_delay_no_others(self):
        """50 of them, and one who reads."""
        deaf = [self.open(self.head("GET", "/v1/events", "X: y")) for _ in range(50)]
        with contextlib.closing(http.client.HTTPConnection(*self.router.admin, timeout=WAIT)) as opened:
            opened.request("GET", "/v1/events", headers=bearer())
            answer = opened.getresponse()
            for _ in range(3):
                self.assertEqual(answer.readline(), b"event: status\n")
                answer.readline()
                answer.readline()
                self.check()
        self.assertEqual(len(deaf), 50)

    def test_requests_without_a_pause_delay_no_push(self):
        """Six clients push, explain, list and scrape, and one reads nothing; a publisher pushes beside them."""
        gateway = self.gateway()
        for number in range(200):
            gateway.register(*[widget(f"w{n}", character=f"elf-{n}") for n in range(20)], device=f"d-{number}")
        deaf = self.open()
        deaf.setblocking(False)
        with contextlib.suppress(BlockingIOError, ConnectionError):
            while True:
                deaf.send(self.head("GET", "/metrics", "X: y") * 100)
        stops = threading.Event()
        statuses, times = collections.Counter(), []

        def ask_on(body, target):
            while not stops.is_set():
                answer = post(self.router, target, body) if body is not None else ask(self.router, target)
                statuses[target, answer.status] += 1

        asked = ((HEALING, f"/v1/pushes?app={APP}"),
                 ({"app": APP, "payload": {"character": "elf-1"}, "limit": 1_000}, "/v1/explain"),
                 (None, f"/v1/apps/{APP}/devices?limit=1000"), (None, "/v1/connections"), (None, "/v1/origins"),
                 (None, "/metrics"))
        threads = [threading.Thread(target=ask_on, args=arguments) for arguments in asked]
        for thread in threads:
            thread.start()
        try:
            deadline = time.monotonic() + 20 * PATIENCE
            while len(times) < 100 or any(statuses[target, 200] < 10 for _, target in asked):
                self.assertLess(time.monotonic(), deadline, f"not ten answers for each: {statuses}")
                started = time.monotonic()
                self.check()
                times.append(time.monotonic() - started)
        finally:
            stops.set()
            for thread in threads:
                thread.join()
        self.assertLessEqual({status for _, status in statuses}, {200, 503})
        # Not each of them: the machine may give the router no core for a moment.
        self.assertLess(sorted(times)[len(times) // 2], 0.25, "seconds for a push and its RELOAD")


@unittest.skipUnless(SCHEMATHESIS.exists(), "deploy/test installs schemathesis")
class Schemathesis(RouterCase):
    """Requests that the document allows and ones that it does not, made by schemathesis."""

    flags = ADMIN

    def test_the_server_is_as_its_document_says(self):
        """No answer that is not described, no 500, no wrong body taken.

        Once with names that are made, and once with those of an app and a device that there are.
        """
        for number in range(5):
            self.device(f"d-{number}", widget("w1", character="elf-42"))
        there = f"[parameters]\napp = \"{APP}\"\ndevice = \"d-1\"\n"
        self.run_schemathesis(there, "replaceAppFile")
        found = metrics(self.router)
        for path in ("apps/{app}", "apps/{app}/devices/{device}", "explain", "slots", "pushes"):
            name = f'admin_requests_total{{route="/v1/{path}",status="200"}}'
            self.assertGreater(found.get(name, 0), 0, path)
        self.run_schemathesis("")
        # App files were replaced meanwhile, and the level of the log was set.
        wait_ready(self.router)

    def run_schemathesis(self, config, *excluded):
        folder = pathlib.Path(self.router.folder.name)
        (folder / "schemathesis.toml").write_text("request-timeout = 10.0\n" + config + REFUSALS)
        url = "http://{}:{}".format(*self.router.admin)
        command = [SCHEMATHESIS, "--config-file", folder / "schemathesis.toml", "run",
                   f"{url}/openapi.json", "--url", url, "--phases", "examples,coverage,fuzzing",
                   "--max-examples", "25", "--seed", "8", "--generation-database", "none",
                   "--no-color", "--exclude-checks", EXCLUDED,
                   "--header", "Authorization: {Authorization}".format(**bearer())]
        for name in OTHERS.union(excluded):
            command += ["--exclude-operation-id", name]
        done = subprocess.run(command, capture_output=True, text=True, timeout=280, cwd=folder,
                              env=clean_environment())
        self.assertEqual(done.returncode, 0, done.stdout[-20_000:] + done.stderr[-3_000:])


#: Whether an app, a device or a rule is known is not in a schema, nor that identifiers are counted in
#: bytes, nor that a producer needs a sequence number: what a schema allows may be refused.
EXCLUDED = "positive_data_acceptance"
#: A text that is longer than its limit can also make the path, or a header, too long.
REFUSALS = """
[checks]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 414, 415, 422, 428, 429, 431, 503]
"""


if __name__ == "__main__":
    unittest.main()
