"""Devices that hold no session: they register and report over HTTP."""

import http.client
import json
import re
import socket
import subprocess
import tempfile
import time
import unittest

import recordings
from admin import Answer, metrics
from openapi import Document
from store_case import *
from test_publish_http import CHECKOUT, ELF, FLAGS, PAGE, TOOLS, publish
from test_publish_wire import Wire, head
from test_tokens import TokenCase, key, revoke, signed

TOKEN = TOKENS["device"]
#: The operation of each path's last segment, by the document.
OPERATIONS = {"widgets": "register", "timelines": "timeline", "requests": "request", "state": "state"}
NEVER = {"widget": "w1", "entries": [], "policy": "never"}


class ReportCase(StoreCase):
    flags = FLAGS

    def report(self, what, body, status=None, device="d-1", token=TOKEN, method=None, app=APP, **options):
        """What the router answers, which is as the document says."""
        path = f"/v1/apps/{app}/devices/{device}/{what}"
        router = options.pop("router", self.router)
        method = method or ("PUT" if what == "widgets" else "POST")
        answer = wait_until(lambda: self.loaded(publish(
            router, body, path, token=token, method=method, **options)), "it has read its store")
        document = Document(PAGE)
        document.check(document.operation(OPERATIONS[what])[2], answer)
        if status:
            self.assertEqual(answer.status, status, answer.text)
        if answer.status >= 400:
            answer.problem
        return answer

    def loaded(self, answer):
        """The answer, unless the router still reads its store."""
        return None if answer.status == 503 and answer.problem["code"] == "loading" else answer

    def register(self, *widgets, status=200, **options):
        return self.report("widgets", {"widgets": list(widgets)}, status, **options)

    def refused(self, code, status, what, body, **options):
        self.assertEqual(self.report(what, body, status, **options).problem["code"], code)


class Reports(ReportCase):
    def test_what_waits_is_sent_when_a_session_begins(self):
        self.assertEqual(self.register(ELF).json, {"widgets": 1})
        pushed = publish(self.router, token=TOKENS["publisher"])
        self.assertEqual(pushed.json["matched"], 1)
        self.assertEqual([r.json["widgets"] for r in self.device("d-1").reloads()], [["w1"]])

    def test_an_open_session_keeps_the_device_and_gets_its_reloads(self):
        session = self.device("d-1")
        self.register(ELF)
        self.publisher().pushed(HEALING)
        reload = session.reloads()[0]
        answer = self.report("timelines", {**NEVER, "reload": reload.seq}, 204)
        self.assertEqual((answer.text, answer.headers["Content-Length"]), ("", None))
        self.report("requests", {}, 204)
        self.assertEqual(session.reloads()[0].json["cause"], "request")
        self.register()
        self.publisher().pushed(HEALING)
        self.assertEqual(session.reloads(), [], "nothing is stored any more")

    def test_a_timeline_gets_its_date(self):
        self.register(ELF)
        date = int(time.time() * 1000) + 3_600_000
        body = {"widget": "w1", "entries": [], "policy": {"after": date}}
        scheduled = self.report("timelines", body, 200).json
        self.assertGreaterEqual(scheduled["reloadAt"], date)
        self.assertEqual(scheduled["slotDelay"], scheduled["reloadAt"] - date)
        close = {"widget": "w1", "entries": [date, date + 1], "policy": "atEnd"}
        self.assertEqual(self.report("timelines", close, 200).json["warning"], "entries-close")
        self.report("timelines", NEVER, 204)
        self.report("state", {"visible": ["w1"], "foreground": True}, 204)

    def test_what_was_answered_survives_a_kill(self):
        for number in range(20):
            self.register(widget(f"w{number}", character="elf-42"), device=f"d-{number}")
        self.register(device="d-0")
        self.router.restart()
        self.assertEqual(self.publisher().pushed(HEALING), 19)
        self.refused("device-unknown", 404, "requests", {}, device="d-0")
        self.report("requests", {}, 204, device="d-1")

    def test_what_is_wrong_is_refused_by_name_and_changes_nothing(self):
        self.register(ELF)
        for code, status, what, body in (
                ("payload-not-json", 400, "widgets", b"{"), ("payload-not-json", 400, "widgets", b""),
                ("payload-not-object", 400, "state", b"[]"), ("body-invalid", 400, "widgets", {}),
                ("body-invalid", 400, "widgets", {"device": "d-2", "widgets": []}),
                ("payload-duplicate-key", 400, "widgets", b'{"widgets":[],"widgets":[]}'),
                ("timeline-invalid", 400, "timelines", {"widget": "w1", "entries": [2, 1], "policy": "atEnd"}),
                ("kind-unknown", 404, "widgets", {"widgets": [{"id": "w", "kind": "none"}]}),
                ("widget-unknown", 404, "timelines", {**NEVER, "widget": "none"}),
                ("body-too-large", 413, "widgets", b" " * (1 << 20))):
            with self.subTest(code, body=body[:20] if isinstance(body, bytes) else body):
                self.refused(code, status, what, body)
        self.refused("device-unknown", 404, "timelines", NEVER, device="d-2")
        for name in ("d%0a1", ".", "..", "%2E", "%2e%2e"):
            self.refused("identifier-invalid", 400, "state", {}, device=name)
        timeline = {"widget": "w1", "entries": [], "policy": {"after": 2**53 - 1}}
        self.refused("timeline-invalid", 400, "timelines", timeline)
        self.refused("timeline-invalid", 400, "timelines", timeline | {"entries": [900_000_000_000], "policy": "atEnd"})
        self.refused("media-type", 415, "state", {}, Content_Type="text/plain")
        self.refused("method-not-allowed", 405, "widgets", {}, method="POST")
        path = f"/v1/apps/{APP}/devices/d-1/state?seq=1"
        self.assertEqual(publish(self.router, {}, path, token=TOKEN).problem["code"], "parameter-invalid")
        self.assertEqual(self.publisher().pushed(HEALING), 1)

    def test_a_gateway_reports_for_its_devices_while_they_have_no_session(self):
        token = TOKENS["gateway"]
        self.register(ELF, token=token)
        session = self.device("d-1")
        self.refused("device-attached", 409, "widgets", {"widgets": []}, token=token)
        self.register(ELF, widget("w2", character="elf-42"), token=TOKEN)
        session.close()
        wait_until(lambda: self.report("requests", {}, token=token).status == 204, "its session has ended")

    def test_a_gateways_session_keeps_its_devices_and_learns_of_their_removal(self):
        gateway = self.gateway()
        gateway.register(ELF, device="d-1")
        self.register(ELF, widget("w2", character="elf-42"))
        self.publisher().pushed(HEALING)
        self.assertEqual(len(gateway.reloads()), 1)
        self.register()
        self.assertEqual(gateway.expect(DETACHED).json, {"device": "d-1", "reason": "removed"})

    def test_others_are_not_let_in(self):
        self.refused("token-invalid", 401, "widgets", {"widgets": []}, token=None)
        wrong = self.report("widgets", {"widgets": []}, 401, token="wrong-token-of-a-stranger")
        unknown = self.report("widgets", {"widgets": []}, 401, token="wrong-token-of-a-stranger", app="com.mygamf")
        self.assertEqual(wrong.text.replace(APP, "*"), unknown.text.replace("com.mygamf", "*"))
        self.refused("token-invalid", 401, "state", {}, token=TOKENS["publisher"])
        self.assertNotIn(TOKEN, self.router.log)

    def test_answers_are_counted_by_their_route(self):
        self.register(ELF)
        route = "/v1/apps/{app}/devices/{device}/widgets"
        self.assertEqual(metrics(self.router)[f'publish_requests_total{{route="{route}",status="200"}}'], 1)

    def test_many_reports_on_one_connection_are_answered_in_order(self):
        count = 300
        request = "PUT /v1/apps/{}/devices/d-{}/widgets HTTP/1.1\r\nHost: r\r\nAuthorization: Bearer {}\r\n" \
            "Content-Length: {}\r\n\r\n{}"
        texts = [json.dumps({"widgets": [ELF] * (number % 2)}) for number in range(count)]
        data = "".join(request.format(APP, n, TOKEN, len(text), text) for n, text in enumerate(texts))
        with socket.create_connection(self.router.publish, timeout=WAIT) as opened:
            opened.sendall(data.encode())
            with opened.makefile("rb") as file:
                for number in range(count):
                    self.assertIn(b"200", file.readline())
                    length = int(http.client.parse_headers(file)["Content-Length"])
                    self.assertEqual(json.loads(file.read(length)), {"widgets": number % 2})
        self.assertEqual(self.publisher().pushed(HEALING), count // 2)


class Recording(ReportCase):
    def test_a_recording_of_reports_is_replayed(self):
        """As a gateway that comes and goes: what is stored in the end is the same."""
        with tempfile.TemporaryDirectory() as folder:
            router = self.start(*FLAGS, "--record", f"{folder}/run.capture")
            self.register(ELF, router=router)
            self.report("state", {"foreground": True}, 204, router=router)
            self.report("requests", {}, 404, router=router, device="d-2")
            publish(router, token=TOKENS["publisher"])
            self.assertEqual(router.stop(), 0, router.log)
            file, = recordings.read(pathlib.Path(folder))
            kinds = [r.kind for r in file.records if r.connection == 0xffffffff]
            self.assertEqual(kinds, ["hello", "widgets", "ended", "hello", "state", "ended"])
            shown = lab("replay", "--dry-run", *sorted(pathlib.Path(folder).iterdir()), timeout=60)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertIn("3 sessions, 1 pushes, 0 RELOADs", shown.stdout)
            self.assertIn("offline 1\n", shown.stdout)


class Credentials(TokenCase):
    flags = FLAGS
    access = {
        "publishers": [entry(TOKENS["publisher"])], "devices": [key()],
        "gateways": [entry("edge-token", devices=["eu-*"]), key("edge", secret=b"g" * 32, devices=["eu-*"])],
    }

    def status(self, device, token, what="widgets", body=None):
        path = f"/v1/apps/{APP}/devices/{device}/{what}"
        method = "PUT" if what == "widgets" else "POST"
        answer = publish(self.router, body or {"widgets": [ELF]}, path, token=token, method=method)
        return answer.status, answer.problem["code"] if answer.status >= 400 else None

    def test_a_signed_token_is_for_one_device(self):
        self.assertEqual(self.status("d-1", signed()), (200, None))
        self.assertEqual(self.status("d-2", signed()), (403, "token-invalid"))
        self.assertEqual(self.status("d-2", signed(sub="d-2")), (200, None))
        self.assertEqual(self.status("d-1", signed(secret=b"x" * 32)), (401, "token-invalid"))
        self.assertEqual(self.status("d-1", signed(exp=time.time() - 100)), (401, "token-expired"))
        self.assertEqual(self.status("d-1", signed(role="publisher")), (401, "token-invalid"))

    def test_a_gateways_credential_is_for_its_devices(self):
        token = signed(secret=b"g" * 32, role="gateway", sub="eu-*")
        for shown in ("edge-token", token):
            self.assertEqual(self.status("eu-1", shown), (200, None))
            self.assertEqual(self.status("us-1", shown), (403, "device-foreign"))
        self.assertEqual(self.status("eu-1", signed(role="gateway", sub="eu-*")), (401, "token-invalid"))

    def test_a_slow_signature_is_verified_aside(self):
        file = self.folder / "key"
        made = command("token", "new", "--key", "ES256", "--out", file, "--id", "own")
        token = command("token", "sign", "--key", file, "--app", APP, "--role", "device", "--name", "d-1", "--id", "own")
        self.assertEqual(token.returncode, 0, token.stderr)
        self.install(**self.access | {"devices": [json.loads(made.stdout.split("app file:")[1])]})
        for _ in range(2):
            self.assertEqual(self.status("d-1", token.stdout.strip()), (200, None))
        self.assertEqual(self.status("d-2", token.stdout.strip()), (403, "token-invalid"))
        edge = signed(secret=b"g" * 32, role="gateway", sub="eu-*")
        self.assertEqual(self.status("eu-1", edge), (200, None))

    def test_a_token_that_was_issued_before_a_date_is_refused_on_an_open_connection(self):
        opened = http.client.HTTPConnection(*self.router.publish, timeout=WAIT)
        self.addCleanup(opened.close)
        path = f"/v1/apps/{APP}/devices/d-1/widgets"

        def ask(token):
            answer = publish(self.router, {"widgets": [ELF]}, path, token=token, method="PUT", opened=opened)
            return answer.status, answer.problem["code"] if answer.status >= 400 else None
        old = signed(iat=int(time.time()) - 10)
        self.assertEqual([ask(old), ask(old)], [(200, None)] * 2)
        revoke(self.router, "d-1")
        self.assertEqual([ask(old), ask(signed())], [(401, "token-revoked")] * 2)
        self.assertEqual(ask(signed(iat=int(time.time()) + 1)), (200, None))
        self.assertEqual(self.status("d-2", signed(sub="d-2")), (200, None), "another device")
        self.assertEqual(self.status("eu-1", "edge-token"), (200, None))

    def test_a_token_that_is_revoked_while_a_body_comes_is_refused(self):
        body, path = json.dumps({"widgets": [ELF]}).encode(), f"/v1/apps/{APP}/devices/d-1/widgets"
        wire = Wire(self)
        wire.send(head("Expect: 100-continue", f"Content-Length: {len(body)}", path=path, method="PUT",
                       token=signed(iat=int(time.time()) - 10)))
        # It is let in: the router waits for the body.
        self.assertEqual(wire.file.readline() + wire.file.readline(), b"HTTP/1.1 100 Continue\r\n\r\n")
        wire.send(body[:10])
        revoke(self.router, "d-1")
        status, _, answer = wire.ask(body[10:])
        self.assertEqual((status, json.loads(answer)["code"]), (401, "token-revoked"))
        pushed = publish(self.router, token=TOKENS["publisher"])
        self.assertEqual(pushed.json["matched"], 0, "nothing is registered")

    def test_a_credential_that_is_removed_is_refused_on_an_open_connection(self):
        opened = http.client.HTTPConnection(*self.router.publish, timeout=WAIT)
        self.addCleanup(opened.close)
        path = f"/v1/apps/{APP}/devices/d-1/widgets"

        def ask():
            return publish(self.router, {"widgets": [ELF]}, path, token=signed(exp=9e9), method="PUT", opened=opened).status
        self.assertEqual([ask(), ask()], [200, 200])
        self.install(**self.access | {"devices": [key(secret=b"y" * 32)]})
        self.assertEqual(ask(), 401)


class Crowd(ReportCase):
    def test_devices_do_not_displace_publishers(self):
        """Their connections are the first to be closed, however many come."""
        publisher = http.client.HTTPConnection(*self.router.publish, timeout=WAIT)
        self.addCleanup(publisher.close)
        self.assertEqual(publish(self.router, token=TOKENS["publisher"], opened=publisher).status, 202)
        devices = []
        for _ in range(1_250):
            device = http.client.HTTPConnection(*self.router.publish, timeout=WAIT)
            self.addCleanup(device.close)
            devices.append(device)
            path = f"/v1/apps/{APP}/devices/d-1/widgets"
            answer = publish(self.router, {"widgets": []}, path, token=TOKEN, method="PUT", opened=device)
            self.assertEqual(answer.status, 200)
            if len(devices) % 100 == 0:
                # It would be closed if it were silent for 10 s.
                self.assertEqual(publish(self.router, token=TOKENS["publisher"], opened=publisher).status, 202)
        self.assertEqual(publish(self.router, token=TOKENS["publisher"], opened=publisher).status, 202)
        self.assertGreater(metrics(self.router)["publish_connections_displaced_total"], 40)


#: A command of the page and what it prints: an answer of HTTP.
EXAMPLE = re.compile(r"^    (curl (?:.*\\\n)*.*(?:\n {14}.*)*)\n\n    HTTP/1\.1 (\d+) .*\n(?:    (\{.*)\n)?", re.M)


class Page(ReportCase):
    def test_the_examples_of_the_page_are_answered_as_it_says(self):
        text = (CHECKOUT / "protocol" / "http.md").read_text().split("## 5. Devices")[1]
        examples = EXAMPLE.findall(text)
        self.assertEqual(len(examples), text.count("\n    curl "))
        for line, status, body in examples:
            host, port = self.router.publish
            line = line.replace("https://router.example:7412", f"http://{host}:{port}")
            done = subprocess.run(["sh", "-c", line + " --silent --show-error -w '\\n%{http_code}'"],
                                  capture_output=True, text=True, timeout=60 * PATIENCE, env={**os.environ, "TOKEN": TOKEN})
            self.assertEqual(done.returncode, 0, done.stderr)
            said, _, code = done.stdout.rpartition("\n")
            self.assertEqual((said.strip(), code), (body, status), line)


class Schemathesis(ReportCase):
    """Requests that the document allows and ones that it does not, made by schemathesis."""

    def test_reports_are_as_the_document_says(self):
        folder = pathlib.Path(self.router.folder.name)
        url = "http://{}:{}".format(*self.router.publish)
        self.register(ELF)
        config = f"request-timeout = 10.0\n[parameters]\napp = \"{APP}\"\n"
        for more in ("device = \"d-1\"\n", ""):
            (folder / "schemathesis.toml").write_text(config + more)
            done = subprocess.run(
                [TOOLS / "schemathesis", "--config-file", folder / "schemathesis.toml", "run",
                 f"{url}/openapi.json", "--url", url, "--phases", "examples,coverage,fuzzing",
                 "--include-tag", "devices", "--max-examples", "25", "--seed", "8", "--generation-database", "none",
                 "--no-color", "--exclude-checks", "positive_data_acceptance",
                 "--header", f"Authorization: Bearer {TOKEN}"],
                capture_output=True, text=True, timeout=400, cwd=folder, env=clean_environment())
            self.assertEqual(done.returncode, 0, done.stdout[-20_000:] + done.stderr[-3_000:])
        found = metrics(self.router)
        for path, status in (("widgets", 200), ("timelines", 200), ("requests", 204), ("state", 204)):
            route = f"/v1/apps/{{app}}/devices/{{device}}/{path}"
            self.assertGreater(found[f'publish_requests_total{{route="{route}",status="{status}"}}'], 0)


if __name__ == "__main__":
    unittest.main()
