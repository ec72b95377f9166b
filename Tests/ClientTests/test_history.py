"""What every client does that asks what has become of a push. RELOAD_CLIENT names the language's folder."""

import json
import unittest

from client_case import ClientCase
from client_driver import CLIENTS
from scripted_http import ScriptedHTTP, problem
from scripted_router import fixed_port
from test_http import HTTPCase

REFUSALS = json.loads((CLIENTS / "promises.json").read_text())["histories"]
HISTORY = {"app": "com.mygame", "producer": "p", "seq": 41, "at": 1795000000000, "matched": 3,
           "keptSince": 1794990000000, "outcomes": {"sent": 2, "spacing": 1}, "kinds": {"k": 3}, "widgets": [
               {"device": "d-1", "widget": "w1", "kind": "k", "outcome": "sent", "at": 1795000000004,
                "first": "spacing"},
               {"device": "d-2", "widget": "w1", "kind": "k", "outcome": "spacing", "until": 1795000300000,
                "why": "a widget's reloads are 5 min apart", "tomorrow": 1}], "next": 1}


def refusal(case):
    """The body of a refusal."""
    return problem(case["code"]) if case["code"] else b"<html></html>"


class Table(unittest.TestCase):
    def test_the_page_of_the_libraries_has_each_refusal(self):
        page = (CLIENTS / "README.md").read_text()
        for case in REFUSALS:
            self.assertRegex(page, rf"\| {case['when']} \| `{case['code'] or 'status-N'}` \| {case['retry']} \|")


class FrameHistories(ClientCase):
    """Clients whose pushes go over a session ask over HTTP."""

    def begin(self, **members):
        """A client without a session, as (driver, server)."""
        server = ScriptedHTTP()
        self.addCleanup(server.put_away)
        driver = self.driver()
        driver.connect(fixed_port(), httpAddress=f"127.0.0.1:{server.port}", silent=True, **members)
        return driver, server

    def ask(self, driver, server, **members):
        """Asks, and returns the connection and the request."""
        driver.say("history", **{"seq": 41, "after": None} | members)
        exchange = server.accept()
        return exchange, exchange.request()

    def test_a_question_is_a_get_with_the_token_and_needs_no_session(self):
        driver, server = self.begin(app="a/b c", producer="shard 7", token="a-token")
        exchange, request = self.ask(driver, server)
        path, _, query = request.target.partition("?")
        self.assertEqual((request.method, path), ("GET", "/v1/apps/a%2Fb%20c/pushes/shard%207/41"))
        self.assertIn(query, ("", "limit=64"))
        self.assertEqual(request.headers["authorization"], "Bearer a-token")
        exchange.answer(200, HISTORY)
        found = driver.answer()["history"]
        self.assertEqual((found["matched"], found["outcomes"], found["kinds"], found["next"]),
                         (3, {"sent": 2, "spacing": 1}, {"k": 3}, 1))
        for expected, widget in zip(HISTORY["widgets"], found["widgets"]):
            for name in ("device", "widget", "kind", "outcome", "at", "until", "first", "why"):
                self.assertEqual(widget.get(name) or None, expected.get(name), name)

    def test_the_next_page_is_asked_for(self):
        driver, server = self.begin()
        exchange, request = self.ask(driver, server, after=1)
        self.assertIn("after=1", request.target)
        exchange.answer(200, {"matched": 3, "at": 1, "widgets": [], "next": None})
        found = driver.answer()["history"]
        self.assertEqual((found["widgets"], found["next"]), ([], None))
        self.assertFalse(found.get("outcomes"))

    def test_a_refusal_is_reported_with_its_code(self):
        driver, server = self.begin()
        for case in REFUSALS:
            with self.subTest(case["when"]):
                exchange, _ = self.ask(driver, server)
                exchange.answer(case["status"], refusal(case))
                expected = {"code": case["code"] or f"status-{case['status']}", "retry": case["retry"]}
                self.assertEqual(driver.answer(), {"refused": expected})

    def test_an_answer_that_does_not_come_is_reported_as_one_that_may(self):
        driver, server = self.begin()
        exchange, _ = self.ask(driver, server)
        exchange.cut()
        found = driver.answer()["refused"]
        self.assertEqual((found["code"] or None, found["retry"]), (None, "reconnect"))

    def test_no_redirect_gets_the_token(self):
        driver, server = self.begin()
        exchange, _ = self.ask(driver, server)
        exchange.answer(302, {}, headers=[("Location", f"http://127.0.0.1:{server.port}/elsewhere")])
        self.assertEqual(driver.answer()["refused"]["code"], "status-302")
        self.assertTrue(server.is_left_alone(0.1))

    def test_without_an_address_nothing_is_asked(self):
        driver = self.driver()
        driver.connect(fixed_port(), silent=True)
        self.assertIn("error", driver.ask("history", seq=1, after=None))


class HTTPHistories(HTTPCase):
    """Clients whose pushes go over HTTP know their keys."""

    def test_the_pushes_of_a_key_are_looked_up(self):
        server = self.server()
        driver = self.open(server, token="a-token")
        driver.say("history", key="story 17/v3")
        exchange = server.accept()
        request = exchange.request()
        self.assertEqual((request.method, request.target), ("GET", "/v1/apps/com.mygame/pushes?key=story%2017%2Fv3"))
        self.assertEqual(request.headers["authorization"], "Bearer a-token")
        exchange.answer(200, {"pushes": [{"producer": "(http)", "seq": 41}, {"producer": "(http)", "seq": 40}],
                              "next": None})
        for seq in (41, 40):
            self.assertEqual(exchange.request().target, f"/v1/apps/com.mygame/pushes/%28http%29/{seq}")
            exchange.answer(200, HISTORY | {"seq": seq})
        self.assertEqual(driver.answer(), {"histories": [HISTORY, HISTORY | {"seq": 40}]})

    def test_a_refusal_is_reported_with_its_code_and_what_may_pass_is_asked_again(self):
        for case in REFUSALS:
            with self.subTest(case["when"]):
                server = self.server()
                driver = self.open(server)
                driver.say("history", key="k")
                exchange = server.accept()
                exchange.request()
                exchange.answer(case["status"], refusal(case))
                if case["retry"] == "later":
                    exchange.request()
                    exchange.answer(200, {"pushes": [], "next": None})
                    self.assertEqual(driver.answer(), {"histories": []})
                else:
                    code = case["code"] or f"status-{case['status']}"
                    self.assertEqual(driver.answer(), {"refused": {"code": code, "status": case["status"]}})


if __name__ == "__main__":
    unittest.main()
