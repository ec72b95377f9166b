"""Requests over HTTP with keys: sent again, they have no effect again, whatever becomes of the router."""

import collections
import http.client
import json
import random
import threading
import time
import unittest

from admin import ask, metrics
from store_case import *
from test_publish_http import FLAGS, PATH, TOKEN, PublishCase, publish

ELF = widget("w1", character="elf-42")
LINES = {"Content_Type": "application/x-ndjson"}


class Keys(PublishCase):
    def setUp(self):
        super().setUp()
        self.watcher = self.device("d-1", ELF)

    def pushed(self, key="k", **options):
        return self.pushes(Idempotency_Key=key, **options)

    def assert_repeats(self, first, again):
        self.assertEqual(again.json, first.json)
        self.assertNotIn("Idempotent-Replayed", first.headers)
        self.assertEqual(again.headers["Idempotent-Replayed"], "true")

    def test_a_repeated_request_gets_the_first_answer_and_reloads_nothing(self):
        first = self.pushed('"order-17"')
        self.assertEqual(first.json, {"accepted": 1, "duplicates": 0, "matched": 1, "rejected": []})
        self.assertEqual(len(self.watcher.reloads()), 1)
        self.assert_repeats(first, self.pushed('"order-17"'))
        self.assert_repeats(first, self.pushed("order-17"))
        self.assertEqual(self.watcher.reloads(), [])
        self.assertEqual(self.pushed("order-18").json, first.json)
        self.assertEqual(len(self.watcher.reloads()), 1)
        counted = metrics(self.router)
        self.assertEqual((counted["requests_repeated_total"], counted["request_keys"]), (2, 2))

    def test_it_survives_a_kill_and_a_drain_and_a_checkpoint(self):
        firsts = {key: self.pushed(key) for key in ("a", "b")}
        for number, kill in enumerate((True, False, True)):
            self.router.restart(kill=kill)
            for key, first in firsts.items():
                self.assert_repeats(first, self.pushed(key))
            firsts[f"c-{number}"] = self.pushed(f"c-{number}")
        self.assertEqual(metrics(self.router)["request_keys"], 5)

    def test_a_key_of_another_request_is_refused(self):
        self.pushed("k")
        for options in ({"body": {"character": "orc-7"}}, {"Reload_Urgent": "?1"}, {"Reload_Kinds": DETAIL}):
            body = options.pop("body", HEALING)
            wrong = publish(self.router, body, Idempotency_Key="k", **options)
            self.assertEqual((wrong.status, wrong.problem["code"]), (422, "idempotency-key-reused"))
        self.pushed("x" * 256, status=400)
        self.pushed('"open', status=400)

    def test_refused_lines_are_repeated_and_a_request_without_accepted_ones_is_judged_again(self):
        body = b'{"character":"elf-42"}\n[\n{"character":"elf-42","t":"' + b"x" * 70_000 + b'"}\n{"n":1}'
        first = self.pushes(body, Idempotency_Key="k", **LINES).json
        again = self.pushes(body, Idempotency_Key="k", **LINES)
        self.assertEqual(again.headers["Idempotent-Replayed"], "true")
        self.assertEqual((first["accepted"], first["matched"]), (2, 1))
        self.assertEqual([(r["line"], r["code"]) for r in first["rejected"]],
                         [(2, "payload-not-json"), (3, "frame-length")])
        for answer in (first, again.json):
            for rejected in answer["rejected"]:
                del rejected["detail"]
        self.assertEqual(again.json | {"rejected": []}, first | {"rejected": []})
        for _ in range(2):
            self.assertEqual(self.pushes(b"[]", Idempotency_Key="bad", status=422).problem["code"],
                             "payload-not-object")
        self.assertEqual(self.pushed("bad").json["accepted"], 1)

    def test_an_answer_with_refused_lines_survives_a_kill_at_once(self):
        """Lines of every place: what was answered is repeated, and nothing of it is judged again."""
        good, bad = b'{"character":"elf-42"}', b"["
        for number, lines in enumerate((
                [good, bad], [bad, good], [good, bad, good, bad, bad], [good, *[bad] * 100], [good] * 3)):
            body = b"\n".join(lines)
            first = self.pushes(body, Idempotency_Key=f"k-{number}", **LINES)
            self.router.kill()
            self.router.restart()
            again = self.pushes(body, Idempotency_Key=f"k-{number}", **LINES)
            self.assertEqual(again.headers["Idempotent-Replayed"], "true", lines)
            for member in ("accepted", "matched"):
                self.assertEqual(again.json[member], first.json[member])
            self.assertEqual([(r["line"], r["code"]) for r in again.json["rejected"]],
                             [(r["line"], r["code"]) for r in first.json["rejected"]][:64])

    def test_events_are_their_own_keys(self):
        event = {"specversion": "1.0", "id": "1", "source": "/cms", "type": "t", "data": HEALING}
        structured = {"Content_Type": "application/cloudevents+json"}
        first = self.pushes(event, **structured)
        self.assert_repeats(first, self.pushes(event | {"time": "2026-01-01T00:00:00Z"}, **structured))
        binary = {"ce_specversion": "1.0", "ce_id": "1", "ce_source": "/cms", "ce_type": "t"}
        self.assert_repeats(first, self.pushes(**binary, Content_Type="application/json"))
        self.assertNotIn("Idempotent-Replayed", self.pushes(event | {"id": "2"}, **structured).headers)
        self.assertEqual(len(self.watcher.reloads()), 2)

    def test_the_oldest_keys_of_an_app_give_way(self):
        router = self.start(*FLAGS, "--max-request-keys-per-app", 2)
        for key in ("a", "b", "c"):
            self.pushed(key, router=router)
        self.assertIn("Idempotent-Replayed", self.pushed("c", router=router).headers)
        self.assertIn("Idempotent-Replayed", self.pushed("b", router=router).headers)
        self.assertNotIn("Idempotent-Replayed", self.pushed("a", router=router).headers)
        counted = metrics(router)
        self.assertEqual((counted["request_keys"], counted["request_keys_displaced_total"]), (2, 2))


class Owners(PublishCase):
    """Two tokens of an app, of which one may push for one producer alone."""
    LIMITED = "a-limited-token"

    def start(self, *flags, **options):
        apps = json.loads(json.dumps(APPS))
        apps["apps"][0]["publishers"].append(entry(self.LIMITED) | {"producers": ["shard-1"]})
        return super().start(*flags, apps=json.dumps(apps), **options)

    def test_no_credential_takes_the_name_of_anothers_request(self):
        watcher = self.device("d-1", ELF)
        event = {"specversion": "1.0", "id": "1", "source": "/cms", "type": "t", "data": HEALING}
        for options in ({"Idempotency_Key": "order-17"}, {"Content_Type": "application/cloudevents+json"}):
            body = event if "Content_Type" in options else HEALING
            for token in (self.LIMITED, TOKEN):
                self.assertNotIn("Idempotent-Replayed", self.pushes(body, token=token, **options).headers)
                self.assertIn("Idempotent-Replayed", self.pushes(body, token=token, **options).headers)
        self.assertEqual(len(watcher.reloads()), 4)
        names = [p["producer"] for p in ask(self.router, f"/v1/producers?app={APP}").json["producers"]]
        self.assertEqual(len(names), 2)
        self.assertEqual([name for name in names if name == "(http)"], ["(http)"])
        self.assertTrue(all(name.startswith("(http") for name in names), names)
        self.router.restart()
        self.assertIn("Idempotent-Replayed",
                      self.pushes(HEALING, token=self.LIMITED, Idempotency_Key="order-17").headers)

    def test_a_limited_token_still_pushes_for_no_other_producer(self):
        self.assertEqual(self.pushes(token=self.LIMITED, path=f"{PATH}?producer=shard-2&seq=1", status=403)
                         .problem["code"], "token-invalid")
        self.assertEqual(self.pushes(token=self.LIMITED, path=f"{PATH}?producer=shard-1&seq=1").json["accepted"], 1)


class ExactlyOnce(PublishCase):
    """Workers that lose answers and send again, through kill -9: each push has its effect once."""

    WORKERS = 64
    REQUESTS = 6
    LINES = 5
    KILLS = 4

    def setUp(self):
        super().setUp()
        self.random = random.Random(7)
        self.count = self.WORKERS * self.REQUESTS * self.LINES
        self.reloaded = collections.Counter()
        self.problems = []
        self.per_worker = self.REQUESTS * self.LINES

    def watch(self):
        """Registers a widget for each push at a gateway, or attaches the devices again."""
        self.watcher = self.gateway()
        for number in range(self.WORKERS):
            widgets = [widget(f"w{push}", character=f"c-{number}-{push}") for push in range(self.per_worker)]
            self.watcher.register(*widgets, device=f"d-{number}")

    def count_reloads(self):
        for frame in self.watcher.reloads():
            for name in frame.json["widgets"]:
                # Numbers of RELOADs rise by 2^32 when the router starts.
                self.reloaded[frame.json["device"], name, frame.seq >> 32] += 1

    def work(self, number):
        chance = random.Random(number)
        for request in range(self.REQUESTS):
            first = request * self.LINES
            body = "\n".join(json.dumps({"character": f"c-{number}-{first + line}"})
                             for line in range(self.LINES)).encode()
            answer = self.insist(body, f"{number}-{request}", chance)
            if (answer.get("accepted"), answer.get("matched")) != (self.LINES, self.LINES):
                self.problems.append(answer)

    def insist(self, body, key, chance):
        """Sends a request until it has an answer, and sometimes once more."""
        end = time.monotonic() + 120 * PATIENCE
        while time.monotonic() < end:
            try:
                if chance.random() < 0.2:
                    self.send_and_leave(body, key)
                answer = publish(self.router, body, Idempotency_Key=key, **LINES)
                if answer.status == 202:
                    if chance.random() < 0.7:
                        return answer.json
                elif answer.status not in (409, 429, 503):
                    return {"status": answer.status, "text": answer.text}
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(chance.random() * 0.05)
        return {"status": "no answer"}

    def send_and_leave(self, body, key):
        opened = http.client.HTTPConnection(*self.router.publish, timeout=WAIT)
        try:
            opened.request("POST", PATH, body, {
                "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/x-ndjson", "Idempotency-Key": key})
        finally:
            opened.close()

    def test_each_push_has_its_effect_once(self):
        self.watch()
        threads = [threading.Thread(target=self.work, args=(number,)) for number in range(self.WORKERS)]
        for thread in threads:
            thread.start()
        for kill in range(self.KILLS):
            reached = (kill + 1) * self.count // (self.KILLS + 1)
            wait_until(lambda: self.counted() >= reached, f"{reached} pushes", 120)
            self.router.restart()
            self.watch()
        for thread in threads:
            thread.join()
        self.count_reloads()
        self.assertEqual(self.problems, [])
        self.router.kill()
        entries = [entry for line in self.dump(self.router) for entry in line.get("entries", ())]
        self.router.restart()
        pushes = sum(entry["bursts"] for entry in entries if entry["entry"] == "batch")
        self.assertEqual(pushes, self.count, "pushes in the journal")
        self.assertEqual({(device, name) for device, name, _ in self.reloaded},
                         {(f"d-{n}", f"w{p}") for n in range(self.WORKERS) for p in range(self.per_worker)})
        # A RELOAD that a killed router had sent may follow again after its restart, but in one life a
        # widget has one.
        self.assertEqual(set(self.reloaded.values()), {1})

    def counted(self):
        self.count_reloads()
        return len({(device, name) for device, name, _ in self.reloaded})


if __name__ == "__main__":
    unittest.main()
