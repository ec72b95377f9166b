"""Producers: bounded by app, forgotten when they are unused, listed and forgotten by operators."""

import json
import unittest

from admin import ask, metrics
from openapi import Document
from support import *

NEWS = "com.news"
BOTH = json.dumps({"apps": [
    {"app": APP, **OPEN, "kinds": [{"kind": DETAIL, "budget": "unlimited"}]},
    {"app": NEWS, **OPEN, "kinds": [{"kind": "headline", "budget": "unlimited"}]},
]})


class Producers(RouterCase):
    def start(self, *flags, **options):
        return super().start("--admin", "127.0.0.1:0", "--max-producers", 16, *flags, apps=BOTH,
                             **options)

    def opened(self, name, app=APP, router=None):
        client = self.connect(router)
        client.send(HELLO, {"v": 1, "role": "publisher", "app": app, "producer": name}, 0)
        return client

    def hello(self, name, app=APP, router=None):
        """A publisher's last push, or the code that refuses it."""
        client = self.opened(name, app, router)
        answer = client.next()
        client.close()
        return answer.json.get("lastSeq", answer.json.get("code"))

    def over_http(self, name, app=APP, router=None):
        path = f"/v1/pushes?app={app}&producer={name}&seq=1"
        return ask(router or self.router, path, "POST", b"{}")

    def listed(self, query="", router=None):
        return ask(router or self.router, f"/v1/producers{query}").json

    def flood(self, router):
        """One app's token, and as many producers as it gets."""
        # Their sessions stay open until the end, so that none of them is idle before that.
        opened = [self.opened(f"p{number}", router=router) for number in range(8)]
        answers = [client.next().json for client in opened]
        found = [answer.get("lastSeq", answer.get("code")) for answer in answers]
        self.assertEqual(found, [0] * 4 + ["quota-exceeded"] * 4)
        return opened

    def test_one_app_does_not_take_the_room_of_another(self):
        """Finding 6: 65,536 HELLOs of one app, and no app got a new producer, for ever."""
        for client in self.flood(self.router):
            client.close()
        for _ in range(2):
            self.assertEqual(self.hello("p9"), "quota-exceeded")
            refused = self.over_http("p9")
            self.assertEqual((refused.status, refused.problem["code"]),
                             (503, "quota-exceeded"))
            self.assertIn("quota producers of 4", refused.problem["detail"])
            self.assertEqual(self.hello("p1"), 0)
            self.assertEqual(self.hello("n1", NEWS), 0)
            self.assertEqual(self.over_http("n2", NEWS).json["accepted"], 1)
            self.router.restart()
        found = self.listed(f"?app={NEWS}")["producers"]
        self.assertEqual({entry["producer"]: entry["lastSeq"] for entry in found},
                         {"n1": 0, "(operator:n2)": 1})
        sampled = metrics(self.router)
        self.assertEqual(sampled["stored_producers"], 6)
        self.assertEqual(sampled[f'app_used{{app="{APP}",quota="producers"}}'], 4)

    def test_what_is_idle_is_forgotten_and_makes_room(self):
        router = self.start("--producer-idle", 1)
        opened = self.flood(router)
        opened[1].send(PUSH, {}, 1)
        opened[1].expect(ACK)
        for client in opened:
            client.close()
        wait_until(lambda: metrics(router)["stored_producers"] == 0, "all are forgotten")
        self.assertEqual(metrics(router)["producers_forgotten_total"], 4)
        self.assertEqual(metrics(router)["producers_ahead_total"], 0)
        self.assertEqual(metrics(router)["producers_refused_total"], 4)
        self.assertEqual(self.hello("p9", router=router), 0)
        self.assertEqual(self.hello("p1", router=router), 0, "which begins anew")
        router.restart()
        self.assertEqual(self.hello("p8", router=router), 0)
        self.assertEqual(self.over_http("p7", router=router).json["accepted"], 1)

    def test_an_operator_lists_and_forgets_them(self):
        self.assertEqual(self.opened("live").next().json["lastSeq"], 0)
        self.over_http("a b/c".replace(" ", "%20").replace("/", "%2F"))
        server = "http://%s:%d" % self.router.admin
        said = command("producers", "list", "--to", server).stdout.splitlines()
        self.assertEqual(said[0], f"{APP} live  lastSeq 0  in use")
        self.assertRegex(said[1], f"{APP} \\(operator:a b/c\\)  lastSeq 1  idle for [0-9]+ s")
        lines = command("producers", "--to", server, "--app", APP, "--json").stdout
        self.assertEqual([json.loads(line)["hasSession"] for line in lines.splitlines()],
                         [True, False])
        page = self.listed("?limit=1")
        self.assertEqual([entry["producer"] for entry in page["producers"]], ["live"])
        page = self.listed(f"?limit=1&after={page['next']}")
        self.assertEqual([entry["producer"] for entry in page["producers"]], ["(operator:a b/c)"])
        self.assertIsNone(page["next"])
        said = command("producers", "forget", APP, "(operator:a b/c)", "--to", server)
        self.assertEqual((said.returncode, said.stdout), (0, f"{APP} (operator:a b/c) is forgotten\n"))
        self.assertEqual(self.hello("a b/c"), 0)
        for producer, text in (("live", "a session speaks for"), ("none", "no producer none of")):
            said = command("producers", "forget", APP, producer, "--to", server)
            self.assertEqual(said.returncode, 1)
            self.assertIn(text, said.stderr)
        self.assertEqual(command("producers", "--to", server, "--app", "x").returncode, 1)
        gone = command("producers", "--to", "http://127.0.0.1:1")
        self.assertEqual(gone.returncode, 2)

    def test_what_was_forgotten_stays_so_after_a_kill(self):
        self.over_http("p")
        forgotten = ask(self.router, f"/v1/apps/{APP}/producers/(operator:p)/forget", "POST")
        self.assertEqual(forgotten.json, {"app": APP, "producer": "(operator:p)", "isForgotten": True})
        document = Document()
        operation = document.operation("forgetProducer")[2]
        document.check(operation, forgotten)
        again = ask(self.router, f"/v1/apps/{APP}/producers/(operator:p)/forget", "POST")
        self.assertEqual((again.status, again.problem["code"]), (404, "producer-unknown"))
        document.check(operation, again)
        self.router.restart()
        self.assertEqual(self.listed()["producers"], [])
        self.assertEqual(self.hello("p"), 0)


if __name__ == "__main__":
    unittest.main()
