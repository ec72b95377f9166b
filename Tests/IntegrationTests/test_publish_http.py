"""The HTTP listener for publishers: what it accepts, whom it lets in, and what it promises."""

import contextlib
import http.client
import json
import random
import socket
import subprocess
import threading
import time
import unittest

from admin import Answer, metrics
from openapi import DOCUMENT, Document
from store_case import *
from test_tls import Certificates, Security

FLAGS = ("--publish", "127.0.0.1:0", "--admin", "127.0.0.1:0")
PATH = f"/v1/apps/{APP}/pushes"
TOKEN = TOKENS["publisher"]
ELF = widget("w1", character="elf-42")
#: Made by deploy/test; see `need_python_tools` in deploy/common.sh.
TOOLS = CHECKOUT / ".build" / "python" / "bin"
PAGE = CHECKOUT / "protocol" / "http.openapi.json"


def publish(router, body=HEALING, path=PATH, token=TOKEN, method="POST", timeout=WAIT, opened=None, **headers):
    """One request, on a connection of its own unless one is given."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection = opened or http.client.HTTPConnection(*router.publish, timeout=timeout)
    try:
        connection.request(method, path, data, headers)
        return Answer(connection.getresponse())
    finally:
        if not opened:
            connection.close()


class PublishCase(StoreCase):
    flags = FLAGS

    def setUp(self):
        super().setUp()
        self.document = Document(PAGE)

    def pushes(self, *arguments, status=202, **options):
        """What the router answers, which is as the document says."""
        router = options.pop("router", self.router)
        # A router that has just started listens before it has read its store.
        answer = wait_until(lambda: self.loaded(publish(router, *arguments, **options)), "it has read its store")
        if options.get("method", "POST") == "POST":
            self.document.check(self.document.operation("push")[2], answer)
        self.assertEqual(answer.status, status, answer.text)
        if status >= 400:
            answer.problem
        return answer

    def loaded(self, answer):
        """The answer, unless the router still reads its store."""
        return None if answer.status == 503 and answer.problem["code"] == "loading" else answer


class Publishing(PublishCase):
    def setUp(self):
        super().setUp()
        self.watcher = self.device("d-1", ELF)

    def test_a_push_reloads_and_is_counted(self):
        answer = self.pushes().json
        self.assertEqual(answer, {"accepted": 1, "duplicates": 0, "matched": 1, "rejected": []})
        self.assertEqual(len(self.watcher.reloads()), 1)
        self.assertEqual(metrics(self.router)['publish_requests_total{route="/v1/apps/{app}/pushes",status="202"}'], 1)

    def test_lines_are_pushes_and_a_wrong_one_delays_none(self):
        body = b'{"character":"elf-42"}\n[\n{"character":"orc-7"}\n'
        answer = self.pushes(body, Content_Type="application/x-ndjson").json
        self.assertEqual((answer["accepted"], answer["matched"]), (2, 1))
        self.assertEqual([(r["line"], r["code"]) for r in answer["rejected"]], [(2, "payload-not-json")])
        self.assertEqual(self.pushes(b"[]", status=422).problem["code"], "payload-not-object")
        self.pushes(b"", status=400)
        self.pushes(b"[\n" * 10_001, Content_Type="application/x-ndjson", status=413)
        self.pushes(b"<a/>", Content_Type="text/xml", status=415)
        self.pushes(b" " * ((8 << 20) + 1), status=413)

    def test_refused_lines_that_fill_the_window_delay_none(self):
        """Nothing comes of them that would begin the next tick: the router does so itself."""
        router = self.start(*FLAGS, "--window", "4", "--max-body", "1024")
        body = b"\n".join([b'{"character":"%s"}' % (b"x" * 1_024)] * 400 + [b'{"character":"orc-7"}'])
        began = time.monotonic()
        answer = self.pushes(body, Content_Type="application/x-ndjson", router=router).json
        self.assertLess(time.monotonic() - began, 5)
        self.assertEqual((answer["accepted"], len(answer["rejected"])), (1, 64), "so many are named")
        self.assertEqual({r["code"] for r in answer["rejected"]}, {"frame-length"})

    def test_a_producer_may_send_again(self):
        path = PATH + "?producer=cms&seq=1"
        lines = b'{"character":"elf-42"}\n{"character":"elf-42"}'
        first = self.pushes(lines, path, Content_Type="application/jsonl").json
        again = self.pushes(lines, path, Content_Type="application/jsonl").json
        self.assertEqual((first["accepted"], first["duplicates"]), (2, 0))
        self.assertEqual((again["accepted"], again["duplicates"]), (0, 2))
        self.router.restart()
        self.assertEqual(self.pushes(lines, path, Content_Type="application/jsonl").json["duplicates"], 2)

    def test_expired_and_urgent_pushes(self):
        late = self.pushes(Reload_Void_At=str(now_ms() - 1)).json
        self.assertEqual((late["accepted"], late["matched"], late["expired"]), (1, 0, 1))
        for date, unit in (("1", "a length of time"), (str(now_ms() // 1_000 + 60), "seconds since 1970"),
                           (str(now_ms() * 1_000), "microseconds since 1970"),
                           ("978307199999", "milliseconds since 2001"),
                           ("9007199254740991", "a date after the year 9999")):
            problem = self.pushes(Reload_Void_At=date, status=400).problem
            self.assertEqual(problem["code"], "header-invalid")
            self.assertIn(f"Reload-Void-At is {date}, which looks like {unit}", problem["detail"])
        self.assertIn("did you mean Reload-Void-At?", self.pushes(Reload_VoidAt="1", status=400).problem["detail"])
        self.assertEqual(self.pushes(Reload_Urgent="?1").json["matched"], 1)
        self.pushes(Reload_Urgent="yes", status=400)

    def test_a_header_narrows_the_pushes_to_kinds(self):
        for kinds, matched in ((ELF["kind"], 1), (f"com.none, {ELF['kind']}", 1), ("com.none", 0), ("", 0)):
            answer = self.pushes(Reload_Kinds=kinds).json
            self.assertEqual(answer["matched"], matched, kinds)
            self.assertEqual(answer.get("unknownKinds"), ["com.none"] if "com.none" in kinds else None)
        wrong = self.pushes(Reload_Kinds="k" * 129, status=400)
        self.assertEqual(wrong.problem["code"], "header-invalid")

    def test_what_became_of_the_pushes_is_said_to_those_who_ask(self):
        outcome = self.pushes(Reload_Outcomes="?1").json["outcome"]
        self.assertEqual((outcome["missed"], outcome["counts"]), (0, {"sent": 1}))
        self.assertEqual([(each["device"], each["widget"], each["outcome"]) for each in outcome["widgets"]],
                         [("d-1", "w1", "sent")])
        missed = self.pushes({"character": "orc-7"}, Reload_Outcomes="?1").json["outcome"]
        self.assertEqual((missed["missed"], missed["counts"], missed["registered"]), (1, {}, 1))
        self.assertIn("character", missed["nearest"]["text"])
        self.assertNotIn("outcome", self.pushes().json)
        body = b'{"character":"elf-42"}\n{"character":"orc-7"}\n{"character":"orc-7"}'
        lines = self.pushes(body, Content_Type="application/x-ndjson", Reload_Outcomes="?1",
                            Idempotency_Key="outcomes").json["outcome"]
        self.assertEqual((lines["missed"], sum(lines["counts"].values())), (2, 1))
        again = self.pushes(body, Content_Type="application/x-ndjson", Reload_Outcomes="?1", Idempotency_Key="outcomes")
        self.assertNotIn("outcome", again.json, "it is a repeated answer")

    def test_cloud_events(self):
        event = {"specversion": "1.0", "id": "1", "source": "/cms", "type": "t", "data": HEALING}
        self.assertEqual(self.pushes(event, Content_Type="application/cloudevents+json").json["matched"], 1)
        batch = [event, {**event, "id": "2"}]
        self.assertEqual(
            self.pushes(batch, Content_Type="application/cloudevents-batch+json").json["matched"], 2)
        binary = {"ce_specversion": "1.0", "ce_id": "3", "ce_source": "/cms", "ce_type": "t"}
        self.assertEqual(self.pushes(**binary, Content_Type="application/json").json["matched"], 1)
        self.pushes({**event, "specversion": "0.3"}, Content_Type="application/cloudevents+json", status=400)

    def test_credentials(self):
        """Those of publishers of the app alone; a stranger learns nothing about the apps."""
        known = self.pushes(token="wrong-token-of-nobody", status=401)
        unknown = self.pushes(path="/v1/apps/com.mygamf/pushes", token="wrong-token-of-nobody", status=401)
        self.assertEqual(known.text.replace(APP, "*"), unknown.text.replace("com.mygamf", "*"))
        self.assertEqual(known.headers["WWW-Authenticate"], unknown.headers["WWW-Authenticate"])
        self.pushes(path="/v1/apps/com.mygamf/pushes", status=401)
        self.pushes(token=None, status=401)
        self.pushes(token=TOKENS["device"], status=401)
        self.assertEqual(self.watcher.reloads(), [])
        apps = json.loads(json.dumps(APPS))
        apps["apps"][0]["publishers"] = [entry(TOKEN, producers=["shard-*"])]
        router = self.start(*FLAGS, apps=apps)
        self.pushes(path=PATH + "?producer=cms&seq=1", router=router, status=403)
        self.pushes(path=PATH + "?producer=shard-1&seq=1", router=router)
        self.assertNotIn(TOKEN, router.log)

    def test_connections_are_kept_and_many_push_at_once(self):
        """64 at a time, each over one connection."""
        def work():
            with contextlib.closing(http.client.HTTPConnection(*self.router.publish, timeout=WAIT)) as opened:
                for _ in range(10):
                    matched.append(self.pushes(opened=opened).json["matched"])
        matched = []
        threads = [threading.Thread(target=work) for _ in range(64)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(matched, [1] * 640)
        self.assertGreater(len(self.watcher.reloads()), 0)

    def test_slow_clients_and_strangers_harm_none(self):
        """More of them than there are connections; a publisher is served meanwhile."""
        raise_descriptor_limit()
        head = f"POST {PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer wrong\r\nContent-Length: 99\r\n".encode()
        with contextlib.ExitStack() as open_until_end:
            kept = open_until_end.enter_context(contextlib.closing(
                http.client.HTTPConnection(*self.router.publish, timeout=WAIT)))
            self.pushes(opened=kept)
            for number in range(1_300):
                slow = open_until_end.enter_context(socket.create_connection(self.router.publish))
                with contextlib.suppress(OSError):
                    slow.send(head[:10 + number % 80])
                if number % 100 == 0:
                    # It would be closed if it were silent for 10 s.
                    self.pushes(opened=kept)
            self.assertEqual(self.pushes().json["matched"], 1)
            self.assertEqual(self.pushes(opened=kept).json["matched"], 1)
        self.assertGreater(metrics(self.router)["publish_connections_displaced_total"], 0)

    def test_the_document_is_served(self):
        answer = publish(self.router, b"", "/openapi.json", token=None, method="GET")
        self.assertEqual(answer.json, json.loads(PAGE.read_text()))
        self.assertEqual(publish(self.router, b"", "/", token=None, method="GET").status, 404)
        self.assertEqual(publish(self.router, b"", method="PUT").status, 405)


class Addresses(PublishCase):
    def test_an_address_that_others_reach_needs_tls(self):
        refused = command("serve", "--listen", "127.0.0.1:0", "--apps", self.router.apps, "--store", "none",
                          "--admin", "none", "--publish", "0.0.0.0:0")
        self.assertEqual(refused.returncode, 1, refused.stdout)
        self.assertIn("publish is 0.0.0.0:0", refused.stderr)
        self.assertIn("--cert FILE", refused.stderr)

    def test_it_speaks_tls_with_the_routers_certificate(self):
        certificates = Certificates(self)
        router = self.start(*FLAGS, *certificates.flags)
        context = Security(certificates, protocols=("http/1.1",)).context
        with contextlib.closing(http.client.HTTPSConnection(
                "localhost", router.publish[1], context=context, timeout=WAIT)) as opened:
            self.assertEqual(self.pushes(router=router, opened=opened).json["accepted"], 1)


@unittest.skipUnless((TOOLS / "schemathesis").exists(), "deploy/test installs schemathesis")
class Schemathesis(PublishCase):
    """Requests that the document allows and ones that it does not, made by schemathesis."""

    def test_the_listener_is_as_its_document_says(self):
        folder = pathlib.Path(self.router.folder.name)
        url = "http://{}:{}".format(*self.router.publish)
        for config in (f"[parameters]\napp = \"{APP}\"\n", ""):
            (folder / "schemathesis.toml").write_text("request-timeout = 10.0\n" + config)
            done = subprocess.run(
                [TOOLS / "schemathesis", "--config-file", folder / "schemathesis.toml", "run",
                 f"{url}/openapi.json", "--url", url, "--phases", "examples,coverage,fuzzing",
                 "--exclude-tag", "devices",
                 "--max-examples", "25", "--seed", "8", "--generation-database", "none", "--no-color",
                 "--exclude-checks", "positive_data_acceptance", "--header", f"Authorization: Bearer {TOKEN}"],
                capture_output=True, text=True, timeout=400, cwd=folder, env=clean_environment())
            self.assertEqual(done.returncode, 0, done.stdout[-20_000:] + done.stderr[-3_000:])
        self.assertGreater(
            metrics(self.router)['publish_requests_total{route="/v1/apps/{app}/pushes",status="202"}'], 0)


#: Sends one event as the SDK writes it, in both modes, and prints the answers.
SDK = """
import http.client, json, sys
from cloudevents.http import CloudEvent, to_binary, to_structured
host, port, path, token = sys.argv[1:]
event = CloudEvent({"type": "com.cms.published", "source": "/cms"}, {"character": "elf-42"})
for convert in (to_binary, to_structured):
    headers, body = convert(event)
    opened = http.client.HTTPConnection(host, int(port), timeout=40)
    opened.request("POST", path, body, {**headers, "Authorization": "Bearer " + token})
    answer = opened.getresponse()
    print(answer.status, json.loads(answer.read())["matched"])
"""


class CloudEventsSDK(PublishCase):
    def test_events_of_the_sdk_are_pushes(self):
        found = subprocess.run([TOOLS / "python3", "-c", "import cloudevents.http"], capture_output=True) \
            if (TOOLS / "python3").exists() else None
        if found is None or found.returncode:
            self.skipTest("deploy/test installs cloudevents")
        self.device("d-1", ELF)
        done = subprocess.run([TOOLS / "python3", "-c", SDK, *map(str, self.router.publish), PATH, TOKEN],
                              capture_output=True, text=True, timeout=60 * PATIENCE)
        self.assertEqual(done.stdout.split(), ["202", "1", "202", "1"], done.stderr)


if __name__ == "__main__":
    unittest.main()
