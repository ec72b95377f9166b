"""protocol/clients/promises.json: what each library promises after 429, 503 and lost answers, tried row by row."""

import json
import time
import unittest

from client_case import MOMENT, ClientCase
from client_driver import CLIENTS
from scripted_http import problem
from test_http import HTTPCase

TABLE = json.loads((CLIENTS / "promises.json").read_text())["promises"]
#: The library's pauses, in ms: first and longest. Half of each is certain.
PAUSES = [20, 500]
#: What a clock of ms may be off, in s.
TICK = 0.005


def rows(transport):
    """Each thing that the router may do, with its row."""
    return [(row, case) for row in TABLE for case in row[transport]]


def least(row, transport, case):
    """The shortest time in s until the push is sent again."""
    return {"first": PAUSES[0] / 2000, "longest": PAUSES[1] / 2000,
            "asked": case.get("retryAfter", 0)}[row["notBefore"][transport]]


class Table(unittest.TestCase):
    def test_each_row_has_both_transports_and_says_what_is_done(self):
        for row in TABLE:
            with self.subTest(row["when"]):
                self.assertTrue(row["frames"] and row["http"])
                self.assertEqual(row["sentAgain"], "notBefore" in row)

    def test_the_page_of_the_libraries_has_each_row(self):
        page = (CLIENTS / "README.md").read_text()
        for row in TABLE:
            self.assertIn(f"| {row['when']} |", page)


class FramePromises(ClientCase):
    def begin(self, case):
        """A client whose push has arrived and has not been answered, as (driver, router, session, push)."""
        members = {"pingMs": 500, "timeoutMs": 1_500} if "silent" in case else {}
        driver, router, session = self.start(backoffMs=PAUSES, **members)
        driver.push({"n": 1})
        return driver, router, session, session.push()

    def perform(self, case, session, push):
        """Does what the case says; returns the router's lastSeq from then on."""
        if "error" in case:
            session.error(case["error"], case["retry"])
        elif "goaway" in case:
            session.goaway()
            session.close()
        elif "silent" in case:
            session.drain()
        elif "reject" in case:
            session.reject(push.seq, case["reject"], case["retry"])
        else:
            session.cut()
        return push.seq if case.get("cut") == "accepted" else push.seq - 1

    def assert_sent_again(self, row, case):
        driver, router, session, push = self.begin(case)
        began = time.monotonic()
        last = self.perform(case, session, push)
        session = router.accept()
        self.assertGreater(time.monotonic() - began, least(row, "frames", case) - TICK)
        session.hello()
        session.welcome(lastSeq=last)
        if last < push.seq:
            again = session.push()
            self.assertEqual((again.seq, again.flags, again.payload), (push.seq, push.flags, push.payload))
            session.ack(push.seq)
        self.assertTrue(driver.flush(), "the push is settled")
        driver.push({"n": 2})
        self.assertEqual(session.push().payload, {"n": 2}, "the first push has its effect once")
        self.assertTrue(driver.take(row["reported"]["frames"]))
        self.assert_settled(driver, rejected=0, acknowledged=1)

    def assert_not_sent_again(self, row, case):
        driver, router, session, push = self.begin(case)
        self.perform(case, session, push)
        event = driver.event(row["reported"]["frames"])
        self.assertEqual(event["code"], case.get("reject") or case.get("error"))
        if "reject" in case:
            self.assertTrue(session.silent(MOMENT), "the push came again")
            self.assert_settled(driver, rejected=1, queued=0)
        else:
            self.assertTrue(router.is_left_alone(MOMENT), "the client connects again")
            self.assertIn("error", driver.ask("push", payload={}))

    def test_a_session_keeps_each_promise(self):
        for row, case in rows("frames"):
            with self.subTest(f"{row['when']}: {case}"):
                (self.assert_sent_again if row["sentAgain"] else self.assert_not_sent_again)(row, case)


class HTTPPromises(HTTPCase):
    def perform(self, case, server, exchange):
        """Does what the case says; returns the connection on which the next request comes, None for a new one."""
        if "silent" in case:
            return None
        if "cut" in case:
            exchange.cut()
            return None
        body = problem(case["code"]) if case["code"] else b"<html>Bad Gateway</html>"
        after = [("Retry-After", str(case["retryAfter"]))] if "retryAfter" in case else []
        exchange.answer(case["status"], body, headers=after)
        return exchange

    def test_requests_keep_each_promise(self):
        for row, case in rows("http"):
            with self.subTest(f"{row['when']}: {case}"):
                driver, server, exchange, first = self.begin(
                    backoffMs=PAUSES, timeoutMs=1_500 if "silent" in case else 20_000)
                began = time.monotonic()
                exchange = self.perform(case, server, exchange)
                if not row["sentAgain"]:
                    answer = driver.answer()[row["reported"]["http"]]
                    self.assertEqual((answer["status"], answer["code"]), (case["status"], case["code"]))
                    self.assertTrue(server.is_left_alone(0.1))
                    continue
                exchange = exchange or server.accept()
                again = exchange.request()
                self.assertGreater(time.monotonic() - began, least(row, "http", case) - TICK)
                self.assertEqual((again.target, again.body, again.headers["idempotency-key"]),
                                 (first.target, first.body, first.headers["idempotency-key"]))
                exchange.answer(202)
                self.assertIn(row["reported"]["http"], driver.answer())


if __name__ == "__main__":
    unittest.main()
