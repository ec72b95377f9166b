"""What became of a push, asked afterwards: over HTTP and by `reload-router history`."""

import json
import unittest
from urllib.parse import quote

from admin import ask
from openapi import Document
from store_case import *
from test_publish_http import PATH, TOKEN, PublishCase, publish

DOCUMENT = Document()
SPACED = {"apps": [{"app": APP, **ACCESS, "kinds": [
    {"kind": DETAIL, "budget": {"spacing": 300}, "observes": ["hp"],
     "match": {"character": ["${configuration.character}"]}}]},
    {"app": "com.other", **OPEN, "kinds": [{"kind": "com.other.news"}]}]}


def history(router, seq, producer="shard-7", status=200, **query):
    """The answer, which is as documented."""
    parameters = "&".join(f"{name}={value}" for name, value in query.items())
    answer = ask(router, f"/v1/apps/{APP}/pushes/{quote(producer, safe='')}/{seq}?{parameters}")
    DOCUMENT.check(DOCUMENT.operation("pushHistory")[2], answer)
    assert answer.status == status, answer.text
    return answer.json if status == 200 else answer.problem


def listed(router, status=200, **query):
    """The last pushes, as producer and number; or the code of the refusal."""
    parameters = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in query.items())
    answer = ask(router, f"/v1/apps/{APP}/pushes?{parameters}")
    DOCUMENT.check(DOCUMENT.operation("pushes")[2], answer)
    assert answer.status == status, answer.text
    if status != 200:
        return answer.problem["code"]
    return [(push["producer"], push["seq"]) for push in answer.json["pushes"]]


class PushHistory(StoreCase):
    flags = ("--admin", "127.0.0.1:0")

    def setUp(self):
        super().setUp()
        self.spaced = self.start(*self.flags, apps=SPACED)

    def history(self, *arguments, code=0):
        """What the command prints."""
        ended = command("history", "--to", "http://{}:{}".format(*self.spaced.admin), *arguments)
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout + ended.stderr

    def push_three(self):
        """One that is sent, one that is put off, one that changes nothing."""
        watcher = self.device("d-1", ELF, router=self.spaced)
        publisher = self.publisher(router=self.spaced)
        for hp in (1, 2, 2):
            self.assertEqual(publisher.pushed({"character": "elf-42", "hp": hp}), 1)
        self.assertEqual(len(watcher.reloads()), 1)
        return publisher

    def test_each_push_has_its_outcome(self):
        before = now_ms()
        self.push_three()
        sent, waits, unchanged = (history(self.spaced, seq) for seq in (1, 2, 3))
        for found, outcome in ((sent, "sent"), (waits, "spacing"), (unchanged, "unchanged")):
            self.assertEqual((found["app"], found["producer"], found["matched"]), (APP, "shard-7", 1))
            self.assertEqual((found["outcomes"], found["kinds"]), ({outcome: 1}, {DETAIL: 1}))
            self.assertTrue(before <= found["at"] <= now_ms() and found["keptSince"] <= found["at"])
            [widget] = found["widgets"]
            self.assertEqual([widget[name] for name in ("device", "widget", "kind", "outcome")],
                             ["d-1", "w1", DETAIL, outcome])
            self.assertIsNone(found["next"])
        self.assertAlmostEqual(waits["widgets"][0]["until"], before + 300_000, delta=20_000)
        self.assertNotIn("at", waits["widgets"][0])
        self.assertIn("5 min apart", waits["widgets"][0]["why"])
        self.assertGreaterEqual(sent["widgets"][0]["at"], before)

    def test_the_command_says_it_in_words(self):
        self.push_three()
        self.assertRegex(self.history(APP, "shard-7", 1),
                         r"push 1 of shard-7 came [0-9:]{8} and matched 1 widget: sent 1\n"
                         r"  w1 on d-1: sent, [0-9:]{8}\n")
        self.assertRegex(self.history(APP, "shard-7", 2),
                         r"  w1 on d-1: put off until [0-9:]{8} \(spacing: a widget's reloads are 5 min apart\)\n")
        self.assertIn("w1 on d-1: no reload (unchanged: hp is as before)", self.history(APP, "shard-7", 3))
        self.assertRegex(self.history(APP), r"(?s)shard-7 3  matched 1\n.*shard-7 2 .*shard-7 1 ")
        self.assertEqual(self.history(APP, "x"), "no push is kept\n")
        named = ("--idempotency-key", "k"), ("--event", "1", "--source", "/s")
        for name in named:
            self.assertIn("no push of such a request or event is known",
                          self.history(APP, *name, "--credential", "c", code=1))
            self.assertIn("leave the number out", self.history(APP, "shard-7", 1, *name, code=64))
        self.assertIn("--event and --source are given together", self.history(APP, "--event", "1", code=64))
        page = json.loads(self.history(APP, "shard-7", 1, "--json"))
        self.assertEqual(page, history(self.spaced, 1))
        self.assertIn("is accepted yet; the last one is 3", self.history(APP, "shard-7", 9, code=1))
        self.assertIn("no producer", self.history(APP, "x", 1, code=1))

    def test_of_what_nothing_is_known_that_is_said(self):
        """An unknown app, producer and number each; and all of them after a kill."""
        self.push_three()
        code = lambda *arguments, **options: history(self.spaced, *arguments, status=404, **options)["code"]
        self.assertEqual(code(4), "push-unknown")
        self.assertEqual(code(1, producer="x"), "producer-unknown")
        answer = ask(self.spaced, "/v1/apps/com.none/pushes/shard-7/1")
        self.assertEqual((answer.status, answer.problem["code"]), (404, "app-unknown"))
        answer = ask(self.spaced, f"/v1/apps/{APP}/pushes/shard-7/0")
        self.assertEqual((answer.status, answer.problem["code"]), (400, "parameter-invalid"))
        self.assertEqual(listed(self.spaced), [("shard-7", 3), ("shard-7", 2), ("shard-7", 1)])
        self.spaced.restart(kill=True)
        problem = history(self.spaced, 2, status=410)
        self.assertEqual(problem["code"], "push-forgotten")
        self.assertIn("none from before the router's start", problem["detail"])
        self.assertIn("is forgotten", self.history(APP, "shard-7", 2, code=1))
        self.assertEqual(listed(self.spaced), [])
        self.assertEqual(self.publisher(router=self.spaced).pushed({"character": "elf-42", "hp": 9}), 1)
        self.assertEqual(history(self.spaced, 4)["outcomes"], {"spacing": 1})

    def test_pages_have_every_widget_once(self):
        for device in range(30):
            self.device(f"d-{device}", ELF)
        self.publisher().pushed(HEALING)
        first = history(self.router, 1, limit=7)
        self.assertEqual((first["matched"], first["outcomes"]), (30, {"sent": 30}))
        names, page = [], first
        while True:
            names += [widget["device"] for widget in page["widgets"]]
            if page["next"] is None:
                break
            page = history(self.router, 1, limit=7, after=page["next"])
            self.assertNotIn("outcomes", page)
        self.assertEqual(sorted(names), sorted(f"d-{device}" for device in range(30)))

    def test_an_operator_of_other_apps_is_refused(self):
        operators = self.router.store.parent / "operators.json"
        secret = "0123456789abcdef0"
        operators.write_text(json.dumps({"operators": [
            {"name": "a", "role": "viewer", "apps": ["com.other"], "sha256": entry(secret)["sha256"]}]}))
        operators.chmod(0o600)
        router = self.start(*self.flags, "--operators", operators)
        for path in (f"/v1/apps/{APP}/pushes", f"/v1/apps/{APP}/pushes/shard-7/1"):
            answer = ask(router, path, headers=bearer(secret))
            self.assertEqual((answer.status, answer.problem["code"]), (403, "app-forbidden"))
        self.assertEqual(ask(router, "/v1/apps/com.other/pushes", headers=bearer(secret)).json["pushes"], [])


class OwnPushes(PublishCase):
    """What publishers over HTTP, and operators by the same names, learn of requests and events."""
    LIMITED = "a-limited-token"

    def start(self, *flags, **options):
        apps = json.loads(json.dumps(APPS))
        apps["apps"][0]["publishers"].append(entry(self.LIMITED) | {"producers": ["shard-1"]})
        return super().start(*flags, apps=options.pop("apps", json.dumps(apps)), **options)

    def setUp(self):
        super().setUp()
        self.device("d-1", ELF)

    def asked(self, path="", status=200, token=TOKEN, router=None, operation="pushHistory", **query):
        """The answer to a publisher, which is as documented."""
        parameters = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in query.items())
        path = path if path.startswith("/v1") else f"{PATH}{path}"
        answer = self.pushes(b"", f"{path}?{parameters}", token, method="GET", status=status,
                             router=router or self.router)
        self.document.check(self.document.operation(operation)[2], answer)
        return answer.json if status == 200 else answer.problem

    def named(self, status=200, **name):
        """The pushes of a request or event: for its publisher, and for an operator."""
        found = self.asked(operation="pushes", status=status, **name)
        credential = entry(name.get("token", TOKEN))["id"]
        of_operator = {key: value for key, value in name.items() if key != "token"} | {"credential": credential}
        if status != 200:
            self.assertEqual(listed(self.router, status=status, **of_operator), found["code"])
            return found
        self.assertEqual(listed(self.router, **of_operator), [(p["producer"], p["seq"]) for p in found["pushes"]])
        return [(push["producer"], push["seq"]) for push in found["pushes"]]

    def test_the_answer_to_a_push_says_where_its_history_is(self):
        for options in ({}, {"Prefer": "return=minimal"}, {"path": f"{PATH}?producer=shard-1&seq=7"}):
            found = self.asked(publish(self.router, **options).headers["Location"])
            self.assertEqual((found["app"], found["matched"], found["outcomes"]), (APP, 1, {"sent": 1}))
            operators = ask(self.router, f"/v1/apps/{APP}/pushes/{quote(found['producer'])}/{found['seq']}")
            self.assertEqual(operators.json, found)
        lines = b'[\n{"character":"elf-42"}\n{"character":"elf-42"}'
        where = self.pushes(lines, Content_Type="application/x-ndjson").headers["Location"]
        self.assertEqual(where, f"{PATH}/%28http%29/4")
        self.assertEqual(self.asked(where)["seq"], 4, "the first one was refused")
        self.assertIsNone(self.pushes(b"[]", status=422).headers["Location"])

    def test_a_request_is_found_by_its_key(self):
        body = b'{"character":"elf-42"}\n{"character":"elf-42"}'
        self.pushes(body, Idempotency_Key="order 17", Content_Type="application/x-ndjson")
        self.pushes(Idempotency_Key="order 18")
        self.assertEqual([seq for _, seq in self.named(key="order 17")], [2, 1])
        for producer, seq in self.named(key="order 17"):
            self.assertEqual(self.asked(f"/{quote(producer)}/{seq}")["outcomes"], {"sent": 1})
        self.assertEqual(len(self.named(key="order 18")), 1)
        first = self.asked(operation="pushes", key="order 17", limit=1)
        self.assertEqual(len(first["pushes"]), 1)
        self.assertEqual(self.asked(operation="pushes", key="order 17", limit=1, after=first["next"])["pushes"][0]["seq"], 1)
        self.assertEqual(self.named(key="order 19", status=404)["code"], "push-unknown")
        self.assertEqual(listed(self.router, key="order 17", status=404), "push-unknown", "without its credential")
        self.router.restart(kill=True)
        problem = self.named(key="order 17", status=410)
        self.assertEqual(problem["code"], "push-forgotten")
        self.assertIn("2 pushes of the request were accepted", problem["detail"])

    def test_an_event_is_found_by_its_source_and_id_however_it_came(self):
        kind = "application/cloudevents+json"
        event = lambda id: {"specversion": "1.0", "id": id, "source": "/cms?a=b", "type": "t", "data": HEALING}
        self.pushes(event("1 &"), Content_Type=kind)
        self.pushes([event("2"), {}, event("3")], Content_Type="application/cloudevents-batch+json")
        self.pushes(HEALING, ce_specversion="1.0", ce_id="4", ce_source="/cms?a=b", ce_type="t")
        self.pushes(event("5"), f"{PATH}?producer=shard-1&seq=9", Content_Type=kind)
        self.pushes(event("6"), Content_Type=kind, Idempotency_Key="k")
        own = "(http)"
        for id, push in (("1 &", (own, 1)), ("2", (own, 2)), ("3", (own, 4)), ("4", (own, 5)), ("5", ("shard-1", 9))):
            self.assertEqual(self.named(source="/cms?a=b", id=id), [push], id)
        for source, id in (("/cms?a=b", "6"), ("/cms?a=b", "1"), ("/cms", "1 &")):
            self.assertEqual(self.named(source=source, id=id, status=404)["code"], "push-unknown")
        self.assertEqual(self.named(key="k"), [(own, 6)])
        printed = command("history", "--to", "http://{}:{}".format(*self.router.admin), APP, "--event", "3",
                          "--source", "/cms?a=b", "--credential", entry(TOKEN)["id"])
        self.assertRegex(printed.stdout, r"\(http\) 4  matched 1\n$")

    def test_what_others_have_pushed_is_not_said(self):
        """A foreign producer and one that there is not are told apart by nothing; a foreign key is unknown."""
        self.pushes(path=f"{PATH}?producer=shard-2&seq=1")
        self.pushes(Idempotency_Key="k")
        [own] = self.named(key="k")
        limited = {"token": self.LIMITED}
        problems = [self.asked(f"/{quote(producer)}/1", status=403, **limited)
                    for producer in ("shard-2", "shard-3", "(http)", "(http 9)", "(operator)")]
        self.assertEqual({problem["code"] for problem in problems}, {"token-invalid"})
        self.assertEqual(self.asked(key="k", status=404, operation="pushes", **limited)["code"], "push-unknown")
        self.assertEqual(self.asked("/shard-1/1", status=404, **limited)["code"], "producer-unknown")
        self.pushes(path=f"{PATH}?producer=shard-1&seq=1", **limited)
        self.assertEqual(self.asked("/shard-1/1", **limited)["outcomes"], {"sent": 1})
        self.assertEqual(self.asked("/shard-1/2", status=404, **limited)["code"], "push-unknown")
        where = self.pushes(Idempotency_Key="k", **limited).headers["Location"]
        self.assertEqual(self.asked(where, **limited)["outcomes"], {"sent": 1})
        self.asked(where, status=403)
        self.assertEqual(self.asked(f"/{quote(own[0])}/{own[1]}")["matched"], 1)
        self.asked(f"/{quote(own[0])}/{own[1]}", status=401, token="none")
        self.asked(operation="pushes", status=401, token=None, key="k")

    def test_what_it_cannot_mean_is_refused(self):
        self.pushes(path=f"{PATH}?producer=shard-1&seq=1")
        for path, query in (("/shard-1/0", {}), ("/shard-1/1", {"limit": 65}), ("/shard-1/1", {"key": "k"})):
            self.assertEqual(self.asked(path, status=400, **query)["code"], "parameter-invalid")
        for query in ({}, {"source": "s"}, {"key": "k", "source": "s", "id": "1"}):
            self.assertEqual(self.asked(operation="pushes", status=400, **query)["code"], "parameter-invalid")
        self.assertEqual(publish(self.router, b"x", f"{PATH}/shard-1/1", method="GET").problem["code"], "body-too-large")
        self.assertEqual(publish(self.router, b"", f"{PATH}/shard-1/1", method="DELETE").headers["Allow"],
                         "GET, HEAD, OPTIONS")
        self.assertEqual(publish(self.router, b"", f"{PATH}/shard-1/1", method="HEAD").status, 200)

    def test_pages_of_a_push_with_very_many_widgets(self):
        """A publisher's page has at most 64 widgets; who goes away meanwhile costs nothing more."""
        widgets = [widget(f"w{number}", character="elf-42") for number in range(200)]
        self.device("d-2", *widgets)
        self.assertEqual(self.pushes(path=f"{PATH}?producer=shard-1&seq=1").json["matched"], 201)
        page = self.asked("/shard-1/1")
        self.assertEqual((len(page["widgets"]), sum(page["outcomes"].values())), (64, 201))
        names = set()
        while True:
            names |= {(each["device"], each["widget"]) for each in page["widgets"]}
            if page["next"] is None:
                break
            page = self.asked("/shard-1/1", after=page["next"])
        self.assertEqual(len(names), 201)


if __name__ == "__main__":
    unittest.main()
