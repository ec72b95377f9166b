"""CloudEvents as SDKs and services write them, and what their ids promise."""

import base64
import json
import os
import re
import subprocess
import unittest
from urllib.parse import quote

from support import *
from test_publish_http import ELF, FLAGS, HEALING, PATH, TOKEN, TOOLS, PublishCase
from test_publish_wire import Wire, head

ONE = {"Content_Type": "application/cloudevents+json"}
BATCH = {"Content_Type": "application/cloudevents-batch+json"}


def event(id, **members):
    return {"specversion": "1.0", "id": id, "source": "/desk", "type": "com.cms.goal", "data": HEALING, **members}


def headers(id, source="/desk", **more):
    return {"ce_specversion": "1.0", "ce_id": id, "ce_source": source, "ce_type": "com.cms.goal", **more}


class Case(PublishCase):
    def setUp(self):
        super().setUp()
        self.watcher = self.device("d-1", ELF)

    def is_known(self, *arguments, **options):
        """Whether an event had been sent before."""
        return self.pushes(*arguments, **options).headers["Idempotent-Replayed"] == "true"


class Identity(Case):
    def test_an_event_is_the_same_in_each_mode_and_however_it_is_written(self):
        for number, id in enumerate(("plain-7", "goal 3 – Köln", 'a "b" %41', "100%", "日本 🏆")):
            modes = [
                {"body": event(id), **ONE},
                {"body": json.dumps(event(id), indent=2).encode(), **ONE},
                {"body": json.dumps(event(id, time="2026-11-28T18:00:00Z"), ensure_ascii=False).encode(), **ONE},
                {"body": dict(reversed(event(id).items())), **ONE},
                {"body": [event(id)], **BATCH},
                headers(quote(id, safe="")), headers(quote(id)), headers(re.sub("%..", lambda found: found[0].lower(), quote(id))),
                headers('"' + quote(id) + '"'), headers(quote(id), Content_Type="application/json"),
            ]
            first = modes[number]
            self.assertFalse(self.is_known(**first), id)
            for mode in modes:
                self.assertTrue(self.is_known(**mode), (id, mode))
            for other in (headers(quote(id), "/other"), headers(quote(id + "x"))):
                self.assertFalse(self.is_known(**other), id)
        self.assertFalse(self.is_known(**headers("%2541")))
        self.assertTrue(self.is_known(event("%41"), **ONE), "an id is decoded once")
        self.assertFalse(self.is_known(event("A"), **ONE))

    def test_another_serialisation_of_the_data_is_a_duplicate(self):
        score = {"character": "elf-42", "score": {"home": 1, "away": 0}}
        self.assertFalse(self.is_known(score, **headers("77")))
        for body in (json.dumps(score, indent=1), '{"score":{"away":0,"home":1.0},"character":"elf-42"}',
                     '{"score":{"away":0,"home":1},"corrected":true}'):
            self.assertTrue(self.is_known(body.encode(), **headers("77")))
        self.assertTrue(self.is_known(event("77", data=score), Reload_Urgent="?1", **ONE))
        self.router.restart(kill=True)
        self.assertTrue(self.is_known(score, **headers("77")))

    def test_what_cannot_be_decoded_is_refused(self):
        for value in ("%FF", "%C3"):
            self.assertEqual(self.pushes(status=400, **headers(value)).problem["code"], "event-invalid")
        latin = head("ce-specversion: 1.0", "ce-id: K*ln", "ce-source: /s", "ce-type: t", "Content-Length: 2") + b"{}"
        status, _, body = Wire(self).ask(latin.replace(b"*", b"\xf6"))
        self.assertEqual((status, json.loads(body)["code"]), (400, "event-invalid"))


class Batches(Case):
    def test_an_event_that_is_none_is_refused_by_its_place(self):
        lacks = event("2")
        del lacks["id"]
        for number, bad in enumerate((lacks, 7, event("2", data=[1]), event("2", specversion="0.3"),
                                      event("2", data={"$event": 1}), event(5))):
            batch = [event(f"{number}-1"), bad, event(f"{number}-3")]
            answer = self.pushes(batch, **BATCH).json
            self.assertEqual((answer["accepted"], answer["matched"]), (2, 2), bad)
            self.assertEqual([r["line"] for r in answer["rejected"]], [2])
            code = "payload-not-object" if bad == batch[1] == event("2", data=[1]) else "event-invalid"
            self.assertEqual(answer["rejected"][0]["code"], code)
            again = self.pushes(batch, **BATCH)
            self.assertEqual(again.headers["Idempotent-Replayed"], "true")
            if code != "event-invalid":
                answer["rejected"][0]["detail"] = again.json["rejected"][0]["detail"]
            self.assertEqual(again.json, answer)
        self.assertEqual(self.pushes([lacks], status=422, **BATCH).problem["code"], "event-invalid")
        many = self.pushes([lacks] * 100 + [event("last")], **BATCH).json
        self.assertEqual((many["accepted"], len(many["rejected"]), many["moreRejected"]), (1, 64, 36))
        for whole in (b"[", b"[]", b"{}"):
            self.pushes(whole, status=400, **BATCH)

    def test_what_is_left_of_a_batch_survives_a_kill(self):
        batch = [{"id": 1}, event("1"), {"id": 2}, event("2"), {}]
        first = self.pushes(batch, **BATCH).json
        self.router.restart(kill=True)
        again = self.pushes(batch, **BATCH)
        self.assertEqual(again.headers["Idempotent-Replayed"], "true")
        self.assertEqual(again.json, first)
        self.assertEqual([(r["line"], r["code"]) for r in again.json["rejected"]],
                         [(line, "event-invalid") for line in (1, 3, 5)])

    def test_a_repeated_answer_names_the_refused_events_that_the_first_one_named(self):
        """Events that are none, and some that are too long, among pushes that the router refuses later."""
        long = event("long", data={"text": "x" * 70_000})
        batch = [*[event(f"bad-{n}", data=[]) for n in range(10)], *[{}] * 40, long, event("good"), *[{}] * 40]
        for options in ({}, {"Idempotency_Key": "named"}):
            first = self.pushes(batch, **BATCH, **options).json
            self.assertEqual((len(first["rejected"]), first["moreRejected"]), (64, 27))
            again = self.pushes(batch, **BATCH, **options).json
            for line in range(10):
                del first["rejected"][line]["detail"], again["rejected"][line]["detail"]
            self.assertEqual(again, first)
            self.assertEqual({line["code"] for line in again["rejected"]},
                             {"payload-not-object", "event-invalid", "frame-length"})


class Data(Case):
    def test_data_in_base64_is_the_payload(self):
        text = base64.b64encode(json.dumps(HEALING).encode()).decode()
        for number, kind in enumerate((None, "application/json", "application/vnd.x+json; charset=utf-8")):
            body = event(f"{number}", data_base64=text, datacontenttype=kind)
            del body["data"]
            self.assertEqual(self.pushes(body, **ONE).json["matched"], 1)
            self.assertEqual(self.pushes([body | {"id": f"b-{number}"}], **BATCH).json["matched"], 1)
        wrong = {**body, "id": "x", "datacontenttype": "image/png"}
        self.assertIn("image/png", self.pushes(wrong, status=400, **ONE).problem["detail"])
        none = {**body, "id": "x", "data_base64": base64.b64encode(b"[]").decode()}
        self.assertEqual(self.pushes(none, status=422, **ONE).problem["code"], "payload-not-object")


class Rules(PublishCase):
    """Rules on an event's attributes."""

    def setUp(self):
        super().setUp()
        match = {"$event": {"type": ["com.cms.goal"], "shard": ["${configuration.shard}"]}}
        kinds = [{"kind": "goals", "match": match, "budget": "unlimited"},
                 {"kind": "types", "match": {"type": ["com.cms.goal"]}, "budget": "unlimited"}]
        self.router = self.start(*FLAGS, apps={"apps": [{"app": APP, **ACCESS, "kinds": kinds}]})
        self.watcher = self.device("d-1", {"id": "w", "kind": "goals", "configuration": {"shard": "7"}},
                                   router=self.router)

    def matched(self, *arguments, **options):
        return self.pushes(*arguments, router=self.router, **options).json["matched"]

    def test_the_attributes_are_in_a_member_of_their_own(self):
        self.assertEqual(self.matched(event("1", shard="7"), **ONE), 1)
        self.assertEqual(self.matched(event("2", shard=7), **ONE), 1)
        self.assertEqual(self.matched([event("3", shard="7")], **BATCH), 1)
        self.assertEqual(self.matched(**headers("4", ce_shard="7")), 1)
        self.assertEqual(self.matched(**headers("5", ce_shard="8")), 0)
        self.assertEqual(self.matched(event("6"), **ONE), 0)
        # Data of the same names change nothing, and a payload that is no event has no such member by itself.
        data = {"type": "com.cms.goal", "shard": "7"}
        self.assertEqual(self.matched(event("7", data=data, type="other", shard="7"), **ONE), 0)
        self.assertEqual(self.matched(event("8", data={"type": "x", "shard": "9"}, shard="7"), **ONE), 1)
        self.assertEqual(self.matched(data), 0)
        self.pushes(event("9", data={"$event": {"type": "com.cms.goal"}}), router=self.router, status=400, **ONE)

    def test_type_source_and_subject_are_members_that_the_data_lacks(self):
        other = self.device("d-2", {"id": "w", "kind": "types", "configuration": {}}, router=self.router)
        self.assertEqual(self.matched(event("1"), **ONE), 1)
        self.assertEqual(self.matched(event("2", data={"type": "x"}), **ONE), 0)
        self.assertEqual(self.matched(event("3", type="y", data={"type": "com.cms.goal"}), **ONE), 1)
        self.assertEqual(len(other.reloads()), 2)


class Services(Case):
    """Deliveries as the documentation of services shows them."""

    def test_event_grid(self):
        """learn.microsoft.com, "Webhook event delivery" and "CloudEvents v1.0 schema", read in 2026."""
        wire = Wire(self)
        status, answer, _ = wire.ask(
            f"OPTIONS {PATH} HTTP/1.1\r\nHost: router\r\nWebHook-Request-Origin: eventgrid.azure.net\r\n"
            "WebHook-Request-Rate: 120\r\n\r\n".encode())
        self.assertEqual((status, answer["WebHook-Allowed-Origin"]), (200, "eventgrid.azure.net"))
        body = json.dumps({
            "specversion": "1.0", "type": "Microsoft.Storage.BlobCreated",
            "source": "/subscriptions/0/resourceGroups/game/providers/Microsoft.Storage/storageAccounts/art",
            "id": "9aeb0fdf-c01e-0131-0922-9eb54906e209", "time": "2026-11-18T15:13:39.4589254Z",
            "subject": "blobServices/default/containers/elf/blobs/42.png", "dataschema": "#",
            "data": {"api": "PutBlockList", "contentLength": 30_699, "character": "elf-42",
                     "storageDiagnostics": {"batchId": "681fe319-3006-00a8-0022-9e7cde000000"}}}).encode()
        for count, kind in ((1, "application/cloudevents+json; charset=utf-8"),
                            (2, "application/cloudevents-batch+json; charset=utf-8")):
            # The batch has the event that was sent alone before, and is another request.
            content = body if count == 1 else b"[" + body + b"," + body.replace(b"06e209", b"06e210") + b"]"
            for repeated in (None, "true"):
                status, answer, text = wire.ask(head(
                    f"Content-Type: {kind}", "aeg-event-type: Notification", "aeg-subscription-name: GAME",
                    "aeg-delivery-count: 1", "aeg-data-version: ", "aeg-metadata-version: 1",
                    f"Content-Length: {len(content)}") + content)
                self.assertEqual((status, json.loads(text)["matched"]), (202, count), text)
                self.assertEqual(answer["Idempotent-Replayed"], repeated)

    def test_knative(self):
        """Binary mode, as its broker delivers to a sink, which answers with an event or with nothing
        (knative.dev, "Event delivery" and the data plane contract)."""
        lines = ("Content-Type: application/json", "Ce-Specversion: 1.0", "Ce-Id: 536808d3-88be-4077-9d7a-a3f162705f79",
                 "Ce-Source: knative-eventing-test", "Ce-Type: dev.knative.samples.helloworld",
                 "Ce-Knativearrivaltime: 2026-11-28T18:00:00.1Z", "Ce-Traceparent: 00-4bf92f3577b34da6-00f067aa-01",
                 "Prefer: reply", "Kn-Namespace: default", f"Content-Length: {len(json.dumps(HEALING))}")
        wire = Wire(self)
        for repeated in (None, "true"):
            status, answer, body = wire.ask(head(*lines) + json.dumps(HEALING).encode())
            self.assertEqual((status, body), (202, b""))
            self.assertEqual(answer["Idempotent-Replayed"], repeated)
        self.assertEqual(len(self.watcher.reloads()), 1)


#: Events of SDKs: each makes its kinds of data in both modes, and prints what it would send.
SDKS = {
    "1.12": """
from cloudevents.http import CloudEvent, to_binary, to_structured
for number, data in enumerate(({"character": "elf-42"}, b'{"character":"elf-42"}')):
    made = CloudEvent({"type": "com.cms.goal", "source": "/cms", "id": f"goal {number}", "shard": "7"}, data)
    for convert in (to_structured, to_binary):
        show(*convert(made))
""",
    "2.2": """
from cloudevents.core.bindings.http import to_binary_event, to_structured_event
from cloudevents.core.v1.event import CloudEvent
for number, data in enumerate(({"character": "elf-42"}, b'{"character":"elf-42"}')):
    made = CloudEvent({"type": "com.cms.goal", "source": "/cms", "id": f"goal {number} – Köln", "shard": "7"}, data)
    for convert in (to_structured_event, to_binary_event):
        message = convert(made)
        show(message.headers, message.body)
""",
}
SHOW = """
import json, sys
def show(headers, body):
    print(json.dumps([headers, body.decode()]))
"""


class SDKs(Case):
    def messages(self, version):
        folder = TOOLS.parent / "cloudevents-2" if version.startswith("2") else None
        if not (TOOLS / "python3").exists() or folder and not folder.exists():
            self.skipTest("deploy/test installs cloudevents")
        environment = {**os.environ, "PYTHONPATH": str(folder)} if folder else dict(os.environ)
        done = subprocess.run([TOOLS / "python3", "-W", "ignore", "-c", SHOW + SDKS[version]], capture_output=True,
                              text=True, timeout=60 * PATIENCE, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def judge(self, version):
        """Each of two events has its effect once, whichever mode it comes in, and however its data were given."""
        known = []
        for lines, body in self.messages(version):
            wire = Wire(self)
            shown = [f"{name}: {value}" for name, value in lines.items()]
            status, answer, text = wire.ask(head(*shown, f"Content-Length: {len(body)}") + body.encode())
            self.assertEqual((status, json.loads(text).get("matched")), (202, 1), (lines, body, text))
            known.append(answer["Idempotent-Replayed"])
        self.assertEqual(known, [None, "true"] * 2)
        self.assertEqual(len(self.watcher.reloads()), 2)

    def test_the_python_sdk_1_12(self):
        self.judge("1.12")

    def test_the_python_sdk_2_2(self):
        self.judge("2.2")


class GoSDK(Case):
    """Requests as the client of the Go SDK wrote them (github.com/cloudevents/sdk-go/v2, v2.16.2 at af3e859, run with Go
    1.27.3). A text in a header is UTF-8 that is not escaped; data that a program gives as bytes is in base64 whatever
    its type."""

    #: An event in the JSON format, whose id and data are filled in.
    EVENT = ('{"specversion":"1.0","id":%s,"source":"/cms","type":"com.cms.goal","subject":"Köln – 3",'
             '"datacontenttype":"application/json","time":"2026-11-28T18:00:00.1Z",%s,"isfinal":true,"shard":7}')
    OBJECT, BYTES = '"data":{"character":"elf-42"}', '"data_base64":"eyJjaGFyYWN0ZXIiOiJlbGYtNDIifQ=="'

    def matched(self, kind, text, *lines):
        """How many widgets a request matches, and whether the router has had it before."""
        body = text.encode()
        begin = [f"POST {PATH} HTTP/1.1", "Host: 127.0.0.1:7412", "User-Agent: Go-http-client/1.1",
                 f"Content-Length: {len(body)}", f"Authorization: Bearer {TOKEN}"]
        begin += [*lines, f"Content-Type: {kind}", "Accept-Encoding: gzip", "", ""]
        status, answer, text = Wire(self).ask("\r\n".join(begin).encode() + body)
        self.assertEqual(status, 202, text)
        return json.loads(text)["matched"], answer["Idempotent-Replayed"] == "true"

    def binary(self, id):
        return self.matched("application/json", '{"character":"elf-42"}', f"Ce-Id: {id}", "Ce-Isfinal: true",
                            "Ce-Shard: 7", "Ce-Source: /cms", "Ce-Specversion: 1.0",
                            "Ce-Subject: Köln – 3", "Ce-Time: 2026-11-28T18:00:00.1Z", "Ce-Type: com.cms.goal")

    def structured(self, id, data=OBJECT):
        return self.matched("application/cloudevents+json", self.EVENT % (json.dumps(id, ensure_ascii=False), data))

    def batch(self, *events):
        body = ",".join(self.EVENT % (json.dumps(id, ensure_ascii=False), data) for id, data in events)
        return self.matched("application/cloudevents-batch+json", f"[{body}]\n")

    def test_an_event_is_the_same_in_each_mode(self):
        for number, id in enumerate(("goal 7", "goal 7 – Köln", '100% "a"', "50%")):
            modes = [lambda: self.binary(id), lambda: self.structured(id), lambda: self.structured(id, self.BYTES),
                     lambda: self.batch((id, self.OBJECT))]
            first = modes[number]
            self.assertEqual(first(), (1, False), id)
            for mode in modes:
                self.assertEqual(mode(), (1, True), id)
        self.assertEqual(self.batch(("1", self.OBJECT), ("2", self.BYTES)), (2, False))

    def test_what_looks_like_an_escape_in_a_header_is_one(self):
        """The standard wants it escaped, and the SDK does not: only in binary mode is it another id."""
        self.assertEqual(self.structured("%41"), (1, False))
        self.assertEqual(self.binary("%41"), (1, False))
        self.assertEqual(self.structured("A"), (1, True))


if __name__ == "__main__":
    unittest.main()
