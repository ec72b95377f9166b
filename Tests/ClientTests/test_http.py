"""What every client that publishes over HTTP does. RELOAD_CLIENT names the language's folder.

A driver of such a client reads and prints JSON lines, as in `client_driver.py`, with these commands:

| read | printed |
|---|---|
| {"do":"open","url":…,"app":…,"token":…, and the members of `OPTIONS`} | {"opened":true} |
| {"do":"push","payload":{…} or "text":JSON,"urgent":…,"expiresAt":…,"kinds":…,"key":…} | an answer |
| {"do":"pushAll","payloads":[…], the same members} | an answer |
| {"do":"history","key":…} | {"histories":[BODY, …]}, or an answer |
| {"do":"close"} | {"closed":true}; then it ends with 0 |

An answer is {"result":{"accepted":N,"duplicates":N,"matched":N,"rejected":[{"index":N,"code":…}],"moreRejected":N,
"outcome":{…} or null}},
{"rejected":{"code":…,"status":N}}, {"refused":{the same}}, {"unavailable":{"code":…,"status":N,"key":…,
"before":RESULT or null}}, or {"error":TEXT} for what the client refuses by itself.
"""

import json
import random
import ssl
import time
import unittest

from certificates import Authority
from client_case import ClientCase, wait_until
from client_driver import conformance
from scripted_http import ModelHTTP, RandomFaults, ScriptedHTTP, problem, response, wait_closed
from scripted_router import WAIT

OPTIONS = {"plain": True, "ca": None, "certificate": None, "key": None, "attempts": 4, "patienceMs": 80_000,
           "timeoutMs": 20_000, "backoffMs": [5, 40], "lines": 1000}


class HTTPCase(ClientCase):
    @classmethod
    def setUpClass(cls):
        if conformance().get("transport") != "http":
            raise unittest.SkipTest("this client speaks frames")

    def server(self, tls=None):
        server = ScriptedHTTP(tls)
        self.addCleanup(server.put_away)
        return server

    def open(self, server, **options):
        driver = self.driver()
        scheme = "http" if options.get("plain", True) else "https"
        url = options.pop("url", f"{scheme}://127.0.0.1:{server.port}")
        answer = driver.ask("open", url=url, app=options.pop("app", "com.mygame"), token=options.pop("token", "t"),
                            **OPTIONS | options)
        self.assertEqual(answer, {"opened": True})
        return driver

    def begin(self, **options):
        """A client that has sent one request, as (driver, server, exchange, request)."""
        server = self.server()
        driver = self.open(server, **options)
        driver.say("push", payload={"n": 1})
        exchange = server.accept()
        return driver, server, exchange, exchange.request()


class Requests(HTTPCase):
    def test_a_push_is_a_post_with_the_token_and_a_key(self):
        driver, _, exchange, request = self.begin(app="com.mygame", token="a-token")
        self.assertEqual((request.method, request.target), ("POST", "/v1/apps/com.mygame/pushes"))
        self.assertEqual(request.headers["authorization"], "Bearer a-token")
        self.assertEqual(request.headers["content-type"], "application/json")
        self.assertRegex(request.headers["idempotency-key"], r'^"[0-9a-f-]{32,36}"$')
        self.assertEqual(json.loads(request.body), {"n": 1})
        for name in ("reload-urgent", "reload-void-at", "reload-kinds", "expect"):
            self.assertNotIn(name, request.headers)
        exchange.answer(202, {"accepted": 1, "duplicates": 0, "matched": 7, "rejected": [], "tomorrow": {}})
        self.assertEqual(driver.answer(), {"result": {"accepted": 1, "duplicates": 0, "matched": 7, "rejected": [],
                                                      "moreRejected": 0, "outcome": None}})
        self.assertEqual(driver.ask("close"), {"closed": True})
        self.assertEqual(driver.process.wait(WAIT), 0)

    def test_an_app_is_escaped_in_the_path(self):
        _, _, _, request = self.begin(app="naïve/app?")
        self.assertEqual(request.target, "/v1/apps/na%C3%AFve%2Fapp%3F/pushes")

    def test_payloads_arrive_as_they_were_given(self):
        server = self.server()
        driver = self.open(server)
        payload = {"text": "naïve 🐉 \" \\ \n / \u2028", "number": 1.5, "whole": 7, "big": 9007199254740991,
                   "no": False, "nothing": None, "list": [1, [2, {"a": []}]], "object": {"ключ": {}}}
        driver.say("push", payload=payload)
        exchange = server.accept()
        self.assertEqual(json.loads(exchange.request().body), payload)
        exchange.answer(202)
        driver.answer()
        driver.say("push", payload={})
        self.assertEqual(exchange.request().body, b"{}")

    def test_urgency_date_and_kinds_are_headers(self):
        server = self.server()
        driver = self.open(server)
        driver.say("push", payload={}, urgent=True, expiresAt=1_795_000_060_000, kinds=["k", "com.mygame.naïve"])
        exchange = server.accept()
        headers = exchange.request().headers
        self.assertEqual(headers["reload-urgent"], "?1")
        self.assertEqual(headers["reload-void-at"], "1795000060000")
        self.assertEqual(headers["reload-kinds"], "k,com.mygame.naïve")
        exchange.answer(202)
        driver.answer()
        driver.say("push", payload={}, kinds=[])
        self.assertEqual(exchange.request().headers["reload-kinds"], "")

    def test_a_connection_is_kept(self):
        driver, server, exchange, request = self.begin()
        keys = {request.headers["idempotency-key"]}
        for n in range(3):
            exchange.answer(202)
            self.assertIn("result", driver.answer())
            driver.say("push", payload={"n": n})
            keys.add(exchange.request().headers["idempotency-key"])
        self.assertEqual(len(keys), 4, "each push has a key of its own")
        exchange.answer(202)
        self.assertIn("result", driver.answer())

    def test_a_connection_that_was_closed_meanwhile_is_no_fault(self):
        driver, server, exchange, _ = self.begin(attempts=2)
        exchange.answer(202)
        driver.answer()
        exchange.cut()
        driver.say("push", payload={"n": 2})
        exchange = server.accept()
        exchange.request()
        exchange.answer(202)
        self.assertIn("result", driver.answer())

    def test_a_callers_key_is_sent(self):
        server = self.server()
        driver = self.open(server)
        driver.say("push", payload={}, key='article "17"\\v3')
        exchange = server.accept()
        self.assertEqual(exchange.request().headers["idempotency-key"], '"article \\"17\\"\\\\v3"')

    def test_a_payload_that_is_no_object_is_refused_by_the_client(self):
        driver = self.open(self.server())
        self.assertIn("error", driver.ask("push", payload=[1, 2]))

    def test_outcomes_are_asked_for_and_given(self):
        outcome = {"missed": 0, "duplicates": 0, "counts": {"sent": 1}, "widgets": [
            {"device": "d-1", "widget": "w1", "kind": "k", "outcome": "sent"}]}
        driver, _, exchange, request = self.begin(outcomes=True)
        self.assertEqual(request.headers["reload-outcomes"], "?1")
        exchange.answer(202, {"accepted": 1, "duplicates": 0, "matched": 1, "rejected": [], "outcome": outcome})
        self.assertEqual(driver.answer()["result"]["outcome"], outcome)
        _, _, _, request = self.begin()
        self.assertNotIn("reload-outcomes", request.headers)

    def test_a_date_in_another_unit_is_refused_by_the_client(self):
        server = self.server()
        driver = self.open(server)
        for date in (0, 1_795_000_000, 816_692_800, 1_795_000_000_000_000):
            self.assertIn("milliseconds since 1970", driver.ask("push", payload={}, expiresAt=date)["error"])
        self.assertTrue(server.is_left_alone(0.1))

    def test_the_first_failure_is_in_the_log(self):
        driver, _, exchange, _ = self.begin()
        exchange.answer(503, problem("busy"))
        exchange.request()
        wait_until(lambda: any("busy" in line for line in driver.errors), "a line about the failure")
        self.assertIn("127.0.0.1", "".join(driver.errors))

    def test_plain_http_must_be_asked_for(self):
        driver = self.driver()
        answer = driver.ask("open", url="http://127.0.0.1:1", app="a", token="t", **OPTIONS | {"plain": False})
        self.assertIn("error", answer)


class Refusals(HTTPCase):
    def test_a_rejected_push_is_reported_and_not_repeated(self):
        driver, server, exchange, _ = self.begin()
        exchange.answer(422, problem("payload-too-deep"))
        self.assertEqual(driver.answer(), {"rejected": {"code": "payload-too-deep", "status": 422}})
        self.assertTrue(server.is_left_alone(0.1))

    def test_a_refused_sender_is_reported_and_not_repeated(self):
        for status, code in ((401, "token-invalid"), (403, "token-invalid"), (404, "app-unknown"),
                             (409, "app-paused"), (413, "body-too-large"), (400, "a-code-of-tomorrow")):
            with self.subTest(code):
                driver, server, exchange, _ = self.begin()
                exchange.answer(status, problem(code))
                self.assertEqual(driver.answer(), {"refused": {"code": code, "status": status}})
                self.assertTrue(server.is_left_alone(0.1))

    def test_a_redirection_is_not_followed(self):
        other = self.server()
        driver, _, exchange, _ = self.begin()
        exchange.answer(302, headers=[("Location", f"http://127.0.0.1:{other.port}/")])
        self.assertIn("refused", driver.answer())
        self.assertTrue(other.is_left_alone(0.1))


class Repeating(HTTPCase):
    def assert_repeated(self, first, second):
        self.assertEqual((first.target, first.body, first.headers["idempotency-key"]),
                         (second.target, second.body, second.headers["idempotency-key"]))

    def test_passing_problems_are_repeated_under_the_same_key(self):
        for status, code in ((429, "too-many-requests"), (503, "busy"), (503, "store-failing"), (500, "x"), (502, "")):
            with self.subTest(f"{status} {code}"):
                driver, server, exchange, first = self.begin()
                exchange.answer(status, problem(code) if code else b"<html>Bad Gateway</html>", kind="text/html")
                self.assert_repeated(first, exchange.request())
                exchange.answer(202)
                self.assertIn("result", driver.answer())

    def test_retry_after_is_respected(self):
        driver, _, exchange, first = self.begin()
        began = time.monotonic()
        exchange.answer(429, problem("too-many-requests"), headers=[("Retry-After", "1")])
        self.assert_repeated(first, exchange.request())
        self.assertGreater(time.monotonic() - began, 0.95)
        exchange.answer(202)
        self.assertIn("result", driver.answer())

    def test_a_conflict_that_passes_is_repeated(self):
        driver, _, exchange, first = self.begin()
        exchange.answer(409, problem("conflict"), headers=[("Retry-After", "0")])
        self.assert_repeated(first, exchange.request())
        exchange.answer(202)
        self.assertIn("result", driver.answer())

    def test_a_request_without_an_answer_is_repeated_under_the_same_key(self):
        driver, server, exchange, first = self.begin(timeoutMs=1_500)
        exchange = server.accept()
        self.assert_repeated(first, exchange.request())
        exchange.answer(202)
        self.assertIn("result", driver.answer())

    def test_an_answer_cut_at_any_byte_is_repeated_under_the_same_key(self):
        server = self.server()
        driver = self.open(server)
        data = response(202, {"accepted": 1, "duplicates": 0, "matched": 0, "rejected": []})
        for position in range(len(data)):
            driver.say("push", payload={"n": position})
            exchange = server.accept()
            first = exchange.request()
            exchange.socket.sendall(data[:position])
            exchange.cut(reset=position % 2 == 1)
            exchange = server.accept()
            self.assert_repeated(first, exchange.request())
            exchange.answer(202, headers=[("Connection", "close")])
            exchange.cut()
            self.assertIn("result", driver.answer(), f"cut after {position} bytes")

    def test_a_server_that_is_not_there_is_given_up(self):
        server = self.server()
        driver = self.open(server)
        server.put_away()
        answer = driver.ask("push", payload={})
        self.assertEqual(answer["unavailable"]["status"], 0)

    def test_it_is_given_up_after_all_attempts_and_the_key_is_reported(self):
        driver, server, exchange, first = self.begin(attempts=3)
        for _ in range(2):
            exchange.answer(503, problem("busy"))
            self.assert_repeated(first, exchange.request())
        exchange.answer(503, problem("busy"))
        answer = driver.answer()["unavailable"]
        self.assertEqual((answer["code"], answer["status"]), ("busy", 503))
        self.assertEqual(f'"{answer["key"]}"', first.headers["idempotency-key"])
        driver.say("push", payload={"n": 1}, key=answer["key"])
        self.assert_repeated(first, exchange.request())

    def test_it_is_given_up_when_patience_ends(self):
        driver, _, exchange, _ = self.begin(patienceMs=500)
        exchange.answer(503, problem("busy"), headers=[("Retry-After", "3600")])
        self.assertIn("unavailable", driver.answer())

    def test_pauses_grow(self):
        driver, _, exchange, _ = self.begin(backoffMs=[100, 400])
        for least in (50, 100, 200):
            began = time.monotonic()
            exchange.answer(503, problem("busy"))
            exchange.request()
            self.assertGreater((time.monotonic() - began) * 1000, least - 5)
        exchange.answer(202)
        self.assertIn("result", driver.answer())


class Many(HTTPCase):
    def test_many_pushes_are_lines_of_one_request(self):
        server = self.server()
        driver = self.open(server)
        driver.say("pushAll", payloads=[{"n": 1, "text": "a\nb"}, {}, {"n": 3}], urgent=True)
        exchange = server.accept()
        request = exchange.request()
        self.assertEqual(request.headers["content-type"], "application/x-ndjson")
        self.assertEqual(request.headers["reload-urgent"], "?1")
        self.assertEqual(request.lines, [{"n": 1, "text": "a\nb"}, {}, {"n": 3}])
        exchange.answer(202, {"accepted": 2, "duplicates": 1, "matched": 5, "rejected": [
            {"line": 2, "code": "payload-combinations", "detail": "…"}], "moreRejected": 3})
        result = driver.answer()["result"]
        self.assertEqual((result["accepted"], result["duplicates"], result["matched"]), (2, 1, 5))
        self.assertEqual(result["moreRejected"], 3, "the router names 64 refused pushes at most")
        self.assertEqual([(each["index"], each["code"]) for each in result["rejected"]],
                         [(1, "payload-combinations")])

    def test_more_pushes_are_several_requests_with_a_key_each(self):
        server = self.server()
        driver = self.open(server, lines=2)
        driver.say("pushAll", payloads=[{"n": n} for n in range(5)])
        exchange, keys, found = server.accept(), set(), []
        for count in (2, 2, 1):
            request = exchange.request()
            keys.add(request.headers["idempotency-key"])
            found += request.lines
            rejected = [{"line": 1, "code": "payload-combinations", "detail": "…"}]
            if count == 1:
                exchange.answer(422, problem("payload-too-deep"))
            else:
                exchange.answer(202, {"accepted": 1, "duplicates": 0, "matched": 0, "rejected": rejected})
        self.assertEqual(found, [{"n": n} for n in range(5)])
        self.assertEqual(len(keys), 3)
        result = driver.answer()["result"]
        self.assertEqual(result["accepted"], 2)
        self.assertEqual([(each["index"], each["code"]) for each in result["rejected"]],
                         [(0, "payload-combinations"), (2, "payload-combinations"), (4, "payload-too-deep")])

    def test_lines_that_are_all_refused_have_their_own_codes(self):
        server = self.server()
        driver = self.open(server)
        driver.say("pushAll", payloads=[{"n": 0}, {"n": 1}, {"n": 2}])
        exchange = server.accept()
        exchange.request()
        exchange.answer(422, problem("payload-too-deep") | {"moreRejected": 1, "rejected": [
            {"line": 1, "code": "payload-too-deep", "detail": "…"},
            {"line": 3, "code": "payload-combinations", "detail": "…"}]})
        result = driver.answer()["result"]
        self.assertEqual((result["accepted"], result["moreRejected"]), (0, 1))
        self.assertEqual([(each["index"], each["code"]) for each in result["rejected"]],
                         [(0, "payload-too-deep"), (2, "payload-combinations")])

    def test_nothing_is_sent_of_no_pushes(self):
        server = self.server()
        driver = self.open(server)
        self.assertEqual(driver.ask("pushAll", payloads=[])["result"]["accepted"], 0)
        self.assertTrue(server.is_left_alone(0.1))

    def test_what_was_accepted_before_a_failure_is_reported_and_pushed_again_under_the_same_keys(self):
        server = self.server()
        driver = self.open(server, lines=2, attempts=1)
        payloads = [{"n": n} for n in range(4)]
        driver.say("pushAll", payloads=payloads)
        exchange = server.accept()
        first = exchange.request()
        exchange.answer(202, {"accepted": 2, "duplicates": 0, "matched": 0, "rejected": []})
        second = exchange.request()
        exchange.answer(503, problem("busy"))
        failure = driver.answer()["unavailable"]
        self.assertEqual(failure["before"]["accepted"], 2)
        driver.say("pushAll", payloads=payloads, key=failure["key"])
        for before in (first, second):
            request = exchange.request()
            self.assertEqual((request.body, request.headers["idempotency-key"]),
                             (before.body, before.headers["idempotency-key"]))
            exchange.answer(202, {"accepted": 2, "duplicates": 0, "matched": 0, "rejected": []})
        self.assertEqual(driver.answer()["result"]["accepted"], 4)

    def test_with_faults_at_random_each_push_has_its_effect_once(self):
        seed = random.randrange(1 << 32)
        with self.subTest(seed=seed):
            model = ModelHTTP(RandomFaults(seed))
            self.addCleanup(model.put_away)
            driver = self.open(model, lines=10, attempts=50, backoffMs=[1, 2])
            accepted = rejected = 0
            for n in range(100):
                payloads = [{"n": n, "k": k, "bad": (n + k) % 10 == 0} for k in range(n % 25)]
                result = driver.ask("pushAll", payloads=payloads)["result"]
                accepted += result["accepted"]
                rejected += len(result["rejected"])
                self.assertTrue(all(payloads[each["index"]]["bad"] for each in result["rejected"]))
            expected = [(n, k) for n in range(100) for k in range(n % 25) if (n + k) % 10]
            self.assertEqual([(each["n"], each["k"]) for each in model.effects], expected)
            self.assertEqual((accepted, rejected), (len(expected), sum(n % 25 for n in range(100)) - len(expected)))
            self.assertEqual(model.broken, [])
            self.assertGreater(model.repeats, 10)


class Security(HTTPCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.authority = Authority(cls)
        cls.good = cls.authority.certificate("good")

    def secure(self, files, client_authority=None):
        context = self.authority.server(files, client_authority)
        context.set_alpn_protocols(["http/1.1"])
        return self.server(context)

    def assert_refused(self, files):
        server = self.secure(files)
        driver = self.open(server, plain=False, ca=self.authority.file, attempts=1)
        driver.say("push", payload={})
        try:
            exchange = server.accept()
        except (ssl.SSLError, OSError) as error:
            self.assertNotIsInstance(error, TimeoutError)
        else:
            self.assertEqual(wait_closed(exchange), b"", "a client has sent a request to a stranger")
        self.assertIn("unavailable", driver.answer())

    def test_pushes_over_tls(self):
        server = self.secure(self.good)
        driver = self.open(server, plain=False, ca=self.authority.file)
        driver.say("push", payload={"n": 1})
        exchange = server.accept()
        self.assertEqual(json.loads(exchange.request().body), {"n": 1})
        exchange.answer(202)
        self.assertIn("result", driver.answer())

    def test_an_address_without_a_scheme_means_TLS(self):
        server = self.secure(self.good)
        driver = self.open(server, url=f"127.0.0.1:{server.port}", plain=False, ca=self.authority.file)
        driver.say("push", payload={"n": 1})
        self.assertEqual(json.loads(server.accept().request().body), {"n": 1})

    def test_a_certificate_of_the_client_is_shown(self):
        server = self.secure(self.good, client_authority=self.authority)
        certificate, key = self.authority.certificate("client", "DNS:cms")
        driver = self.open(server, plain=False, ca=self.authority.file, certificate=certificate, key=key, token=None)
        driver.say("push", payload={})
        exchange = server.accept()
        self.assertNotIn("authorization", exchange.request().headers)
        self.assertIn(("DNS", "cms"), exchange.socket.getpeercert()["subjectAltName"])
        exchange.answer(202)
        self.assertIn("result", driver.answer())

    def test_a_certificate_of_another_address_is_refused(self):
        self.assert_refused(self.authority.certificate("other", "IP:127.0.0.2"))

    def test_an_expired_certificate_is_refused(self):
        self.assert_refused(self.authority.certificate("expired", days=-1))

    def test_a_certificate_of_an_unknown_authority_is_refused(self):
        stranger = Authority(type(self))
        self.assert_refused(stranger.certificate("stranger"))


if __name__ == "__main__":
    unittest.main()
