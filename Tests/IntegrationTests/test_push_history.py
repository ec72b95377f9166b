"""What became of a push, asked afterwards: over HTTP and by `reload-router history`."""

import json
import unittest
from urllib.parse import quote

from admin import ask
from openapi import Document
from store_case import *
from test_publish_http import FLAGS, TOKEN, PublishCase

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


def listed(router, **query):
    """The last pushes, as producer and number."""
    parameters = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in query.items())
    answer = ask(router, f"/v1/apps/{APP}/pushes?{parameters}")
    DOCUMENT.check(DOCUMENT.operation("pushes")[2], answer)
    assert answer.status == 200, answer.text
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
        self.assertEqual(self.history(APP, "--idempotency-key", "k", "--credential", "c"), "no push is kept\n")
        page = json.loads(self.history(APP, "shard-7", 1, "--json"))
        self.assertEqual(page, history(self.spaced, 1))
        self.assertIn("has not sent push 9 yet; its last one is 3", self.history(APP, "shard-7", 9, code=1))
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
        problem = history(self.spaced, 2, status=404)
        self.assertEqual(problem["code"], "push-unknown")
        self.assertIn("none from before the router's start", problem["detail"])
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


class RequestsByKey(PublishCase):
    def test_a_request_is_found_by_its_key(self):
        self.device("d-1", ELF)
        body = b'{"character":"elf-42"}\n{"character":"elf-42"}'
        self.pushes(body, Idempotency_Key="order 17", Content_Type="application/x-ndjson")
        self.pushes(Idempotency_Key="order 18")
        credential = entry(TOKEN)["id"]
        found = listed(self.router, key="order 17", credential=credential)
        self.assertEqual([seq for _, seq in found], [2, 1])
        for producer, seq in found:
            self.assertEqual(history(self.router, seq, producer=producer)["outcomes"], {"sent": 1})
        self.assertEqual(len(listed(self.router, key="order 18", credential=credential)), 1)
        self.assertEqual(listed(self.router, key="order 17"), [])
        self.assertEqual(listed(self.router, key="order 17", credential="x"), [])


if __name__ == "__main__":
    unittest.main()
