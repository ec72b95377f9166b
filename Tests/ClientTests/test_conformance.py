"""What every client library does, however the router behaves. RELOAD_CLIENT names the language's folder."""

import contextlib
import json
import time
import unittest

from client_case import MOMENT, ClientCase, wait_until
from client_driver import ROOT
from scripted_router import (ERROR, EXPIRES, KINDS, PING, PONG, PROTOCOL, REJECT, URGENT, WAIT, WELCOME,
                             Ended, Push, fixed_port, frame)

FATAL = [error["code"] for error in PROTOCOL["errors"] if error["retry"] == "no" and error["effect"] != "reject"]
PASSING = [error for error in PROTOCOL["errors"] if error["retry"] != "no" and error["effect"] != "reject"]


class Pushes(ClientCase):
    def test_hello_names_app_token_and_producer(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port, app="com.mygame", token="a token", producer="shard-7")
        hello = router.accept().hello()
        self.assertEqual((hello["v"], hello["role"], hello["app"], hello["token"], hello["producer"]),
                         (1, "publisher", "com.mygame", "a token", "shard-7"))
        self.assertIn(hello.get("acked", 0), (0, None), "the numbers of a first session are not known before it")

    def test_pushes_are_numbered_from_the_one_after_lastSeq(self):
        driver, _, session = self.start(welcome={"lastSeq": 41})
        self.assertEqual([driver.push({"n": n}) for n in range(3)], [42, 43, 44])
        self.assertEqual([(push.seq, push.flags, push.payload) for push in session.pushes(3)],
                         [(42, 0, {"n": 0}), (43, 0, {"n": 1}), (44, 0, {"n": 2})])

    def test_connected_says_lastSeq(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        router.open(lastSeq=41)
        self.assertEqual(driver.event("connected")["lastSeq"], 41)

    def test_the_highest_numbers_are_exact(self):
        highest = 2 ** 53 - 1
        driver, _, session = self.start(welcome={"lastSeq": highest - 2})
        self.assertEqual([driver.push({}), driver.push({})], [highest - 1, highest])
        self.assertEqual([push.seq for push in session.pushes(2)], [highest - 1, highest])
        session.ack(highest)
        self.assertTrue(driver.flush())

    def test_payloads_arrive_as_they_were_given(self):
        payload = {"text": "naïve café 🐉 \" \\ \n \u2028", "number": 1.5, "whole": 7, "big": 9007199254740991,
                   "no": False, "nothing": None, "list": [1, [2, {"a": []}]], "object": {"": {"ключ": "值"}},
                   "kinds": 7}
        driver, _, session = self.start()
        driver.push(payload)
        self.assertEqual(session.push().payload, payload)

    def test_urgency_date_and_kinds_are_flags_with_a_prefix(self):
        driver, _, session = self.start()
        date = 1_795_000_060_000
        driver.push({"n": 1}, urgent=True)
        driver.push({"n": 2}, expiresAt=date)
        driver.push({"n": 3}, kinds=["k", "com.mygame.naïve"])
        driver.push({"n": 4}, kinds=[])
        driver.push({"n": 5}, urgent=True, expiresAt=date, kinds=["k"])
        driver.try_push({"n": 6}, urgent=True, expiresAt=date, kinds=["k"])
        all_of_it = URGENT | EXPIRES | KINDS
        self.assertEqual(
            [(push.flags, push.expires, push.kinds, push.payload["n"]) for push in session.pushes(6)],
            [(URGENT, None, None, 1), (EXPIRES, date, None, 2), (KINDS, None, ["k", "com.mygame.naïve"], 3),
             (KINDS, None, [], 4), (all_of_it, date, ["k"], 5), (all_of_it, date, ["k"], 6)])

    def test_pushes_are_those_of_the_vectors(self):
        vectors = json.loads((ROOT / "protocol" / "vectors" / "frames.json").read_text())
        pushes = [vector for vector in vectors if vector["name"].startswith("push")]
        self.assertGreater(len(pushes), 8)
        for vector in pushes:
            with self.subTest(vector["name"]):
                wanted = bytes.fromhex(vector["hex"])
                push = Push(int(vector["frame"]["seq"]), vector["frame"]["flags"], wanted[16:])
                driver, _, session = self.start(welcome={"lastSeq": push.seq - 1})
                driver.push(push.payload, urgent=bool(push.flags & URGENT), expiresAt=push.expires, kinds=push.kinds)
                self.assertEqual(session.read(len(wanted), time.monotonic() + WAIT).hex(), vector["hex"])
                self.assertEqual(driver.close(), 0)

    def test_kinds_that_do_not_fit_their_prefix_are_refused(self):
        driver, _, session = self.start()
        for kinds in ([""], ["x" * 129], ["é" * 65], ["x" * 128] * 600):
            self.assertIn("error", driver.ask("push", payload={}, kinds=kinds))
        self.assertEqual(driver.push({"n": 1}, kinds=["x" * 128, "é" * 64]), 1)
        self.assertEqual(session.push().kinds, ["x" * 128, "é" * 64])

    def test_acknowledged_pushes_are_counted_and_flushed(self):
        driver, _, session = self.start()
        for n in range(5):
            driver.push({"n": n})
        session.pushes(5)
        self.assertFalse(driver.flush(0.05), "nothing is acknowledged yet")
        session.ack(3, matched=2)
        self.assert_settled(driver, queued=2, acknowledged=3)
        session.ack(5)
        self.assertTrue(driver.flush())
        self.assert_settled(driver, queued=0, sent=5, acknowledged=5, rejected=0, reconnects=0)

    def test_flush_waits_for_what_was_pushed_before(self):
        driver, _, session = self.start()
        driver.push({})
        session.push()
        driver.say("flush", timeoutMs=40_000)
        self.assertFalse(driver.has_answer(0.1))
        session.ack(1)
        self.assertEqual(driver.answer(), {"flushed": True})

    def test_flush_of_nothing_is_done(self):
        driver, _, _ = self.start()
        self.assertTrue(driver.flush())

    def test_rejected_pushes_are_reported_and_not_counted_as_accepted(self):
        driver, _, session = self.start()
        for n in range(4):
            driver.push({"n": n})
        session.pushes(4)
        session.reject(2, "payload-combinations")
        session.ack(3)
        session.reject(4, "a-code-of-tomorrow", retry="later")
        self.assertTrue(driver.flush(), "a rejected push has no ACK to wait for")
        events = [driver.event("rejected"), driver.event("rejected")]
        self.assertEqual([(event["seq"], event["code"]) for event in events],
                         [(2, "payload-combinations"), (4, "a-code-of-tomorrow")])
        self.assert_settled(driver, queued=0, acknowledged=2, rejected=2)

    def test_too_long_a_payload_is_refused_by_the_client(self):
        driver, router, session = self.start(welcome={"maxBody": 1024})
        self.assertIn("error", driver.ask("push", payload={"text": "x" * 1024}))
        self.assertIn("error", driver.ask("push", payload={"text": "x" * 1006}, expiresAt=1_795_000_060_000))
        self.assertEqual(driver.push({"text": "x" * (1024 - len('{"text":""}'))}), 1, "a refused push uses no number")
        self.assertEqual(len(session.push().body), 1024)

    def test_push_before_welcome_waits_for_it(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        session = router.accept()
        session.hello()
        driver.say("push", payload={"n": 1})
        self.assertFalse(driver.has_answer(0.1))
        session.welcome(lastSeq=7)
        self.assertEqual(driver.answer(), {"pushed": 8})
        self.assertEqual(session.push().seq, 8)

    def test_tryPush_before_welcome_does_not_wait(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        session = router.accept()
        session.hello()
        driver.try_push({"n": 1})


class Limits(ClientCase):
    def test_the_window_is_kept(self):
        driver, _, session = self.start(welcome={"window": 3})
        for n in range(7):
            driver.push({"n": n})
        self.assertEqual([push.seq for push in session.pushes(3)], [1, 2, 3])
        self.assertTrue(session.silent(0.1), "more pushes come than the window allows")
        session.ack(2)
        self.assertEqual([push.seq for push in session.pushes(2)], [4, 5])
        session.reject(3)
        self.assertEqual([push.seq for push in session.pushes(1)], [6])
        self.assertTrue(session.silent(0.1), "more pushes come than the window allows")
        session.ack(6)
        self.assertEqual(session.push().seq, 7)
        session.ack(7)
        self.assertTrue(driver.flush())

    def test_a_smaller_window_of_the_next_session_is_kept(self):
        driver, router, session = self.start()
        for n in range(5):
            driver.push({"n": n})
        session.pushes(5)
        session.cut()
        session, _ = router.open(window=2)
        self.assertEqual([push.seq for push in session.pushes(2)], [1, 2])
        self.assertTrue(session.silent(0.1), "more pushes come than the window allows")
        session.ack(2)
        self.assertEqual([push.seq for push in session.pushes(2)], [3, 4])

    def test_tryPush_says_when_the_queue_is_full(self):
        driver, _, session = self.start(queue=5)
        self.assertEqual([driver.try_push({"n": n}) for n in range(6)], [1, 2, 3, 4, 5, None])
        session.pushes(5)
        self.assertIsNone(driver.try_push({}), "what was sent needs its place until it is acknowledged")
        session.ack(2)
        wait_until(lambda: driver.statistics()["queued"] == 3, "two places")
        self.assertEqual([driver.try_push({}) for _ in range(3)], [6, 7, None])

    def test_push_waits_while_the_queue_is_full(self):
        driver, _, session = self.start(queue=2)
        driver.push({}), driver.push({})
        driver.say("push", payload={"n": 3})
        self.assertFalse(driver.has_answer(0.1))
        session.pushes(2)
        session.ack(1)
        self.assertEqual(driver.answer(), {"pushed": 3})
        self.assertEqual(session.push().payload, {"n": 3})

    def test_pushes_are_accepted_while_there_is_no_connection(self):
        driver, router, session = self.start(queue=3)
        router.close()
        session.cut()
        driver.event("disconnected")
        self.assertEqual([driver.try_push({}) for _ in range(4)], [1, 2, 3, None])

    def test_tryPush_does_not_wait_for_a_router_that_does_not_read(self):
        driver, router, session = self.start(queue=1000)
        text, sent = "x" * 60_000, 0
        # Nothing is read meanwhile: a client that waited would wait for ever.
        for n in range(200):
            sent += driver.try_push({"n": n, "text": text}) is not None
        self.assertGreater(sent, 50)
        numbers = [push.payload["n"] for push in session.pushes(sent)]
        self.assertEqual(numbers, list(range(sent)))
        session.ack(sent)
        self.assertTrue(driver.flush())


class Reconnecting(ClientCase):
    def test_what_is_not_acknowledged_is_sent_again_under_the_same_number(self):
        driver, router, session = self.start()
        for n in range(5):
            driver.push({"n": n}, urgent=n == 3)
        session.pushes(5)
        session.ack(2)
        wait_until(lambda: driver.statistics()["acknowledged"] == 2, "the ACK")
        session.cut()
        event = driver.event("disconnected")
        self.assertEqual((event["code"], event["retry"]), (None, "reconnect"))
        session, hello = router.open(lastSeq=2)
        self.assertEqual(hello["acked"], 2)
        self.assertEqual([(push.seq, push.flags, push.payload["n"]) for push in session.pushes(3)],
                         [(3, 0, 2), (4, URGENT, 3), (5, 0, 4)])
        session.ack(5)
        self.assertTrue(driver.flush())
        self.assert_settled(driver, queued=0, acknowledged=5, reconnects=1)

    def test_what_lastSeq_covers_is_not_sent_again(self):
        driver, router, session = self.start()
        for n in range(5):
            driver.push({"n": n})
        session.pushes(5)
        session.cut()
        session, hello = router.open(lastSeq=4)
        self.assertEqual(hello["acked"], 0)
        self.assertEqual(session.push().seq, 5)
        self.assert_settled(driver, queued=1, acknowledged=4)
        session.ack(5)
        self.assertTrue(driver.flush())
        self.assertEqual(driver.push({}), 6)

    def test_rejections_that_were_lost_are_reported(self):
        driver, router, session = self.start()
        for n in range(5):
            driver.push({"n": n})
        session.pushes(5)
        session.cut()
        session, _ = router.open(lastSeq=3, rejected=[{"seq": 2, "code": "payload-combinations"},
                                                      {"seq": 4, "code": "a-code-of-tomorrow", "more": 1}])
        self.assertEqual(session.push().seq, 5, "a push that was rejected is not sent again")
        events = [driver.event("rejected"), driver.event("rejected")]
        self.assertEqual([(event["seq"], event["code"]) for event in events],
                         [(2, "payload-combinations"), (4, "a-code-of-tomorrow")])
        session.ack(5)
        self.assertTrue(driver.flush())
        self.assert_settled(driver, queued=0, acknowledged=3, rejected=2)

    def test_a_rejection_is_reported_once(self):
        driver, router, session = self.start()
        for n in range(3):
            driver.push({"n": n})
        session.pushes(3)
        session.reject(2)
        driver.event("rejected")
        session.cut()
        session, hello = router.open(lastSeq=0, rejected=[{"seq": 2, "code": "payload-combinations"}])
        self.assertEqual(hello["acked"], 0, "nothing is known of push 1")
        self.assertEqual([push.seq for push in session.pushes(2)], [1, 3])
        session.ack(3)
        self.assertTrue(driver.flush())
        self.assertEqual(driver.take("rejected"), [])
        self.assert_settled(driver, acknowledged=2, rejected=1)

    def test_acked_counts_rejected_pushes_at_the_front(self):
        driver, router, session = self.start()
        for n in range(3):
            driver.push({"n": n})
        session.pushes(3)
        session.reject(1)
        driver.event("rejected")
        session.ack(2)
        wait_until(lambda: driver.statistics()["acknowledged"] == 1, "the ACK")
        session.cut()
        _, hello = router.open(lastSeq=2)
        self.assertEqual(hello["acked"], 2)

    def test_forgotten_rejections_are_no_obstacle(self):
        driver, router, session = self.start()
        for n in range(3):
            driver.push({"n": n})
        session.pushes(3)
        session.cut()
        session, _ = router.open(lastSeq=2, rejected=[], rejectedAfter=1)
        self.assertEqual(session.push().seq, 3)
        session.ack(3)
        self.assertTrue(driver.flush())

    def test_a_forgotten_producer_continues_its_numbers(self):
        driver, router, session = self.start(welcome={"lastSeq": 100})
        self.assertEqual([driver.push({}), driver.push({})], [101, 102])
        session.pushes(2)
        session.ack(101)
        wait_until(lambda: driver.statistics()["acknowledged"] == 1, "the ACK")
        session.cut()
        session, _ = router.open(lastSeq=0)
        self.assertEqual(session.push().seq, 102)
        self.assertEqual(driver.push({}), 103)
        self.assertEqual(session.push().seq, 103)
        session.ack(103)
        self.assertTrue(driver.flush())

    def test_pushes_that_the_router_has_lost_are_reported_once_and_the_unanswered_ones_sent_again(self):
        driver, router, session = self.start()
        for n in range(4):
            driver.push({"n": n})
        session.pushes(4)
        session.ack(3)
        wait_until(lambda: driver.statistics()["acknowledged"] == 3, "the ACK")
        session.cut()
        session, hello = router.open(lastSeq=1, rejected=[], behind=2)
        self.assertEqual(hello["acked"], 3)
        event = driver.event("lost")
        self.assertEqual((event["from"], event["through"]), (2, 3))
        self.assertEqual(session.push().seq, 4)
        session.cut()
        session, hello = router.open(lastSeq=1, rejected=[])
        self.assertEqual(hello["acked"], 1, "it says that it knows more than this router has said")
        self.assertEqual(session.push().seq, 4)
        session.ack(4)
        self.assertTrue(driver.flush())
        session.cut()
        session, hello = router.open(lastSeq=4, rejected=[])
        self.assertEqual(hello["acked"], 4)
        self.assertEqual(driver.push({}), 5)
        self.assertEqual(session.push().seq, 5)
        self.assertEqual(driver.take("lost"), [])

    def test_a_push_that_only_the_client_has_refused_is_not_said_to_be_known_to_the_router(self):
        driver, router, session = self.start()
        driver.push({})
        driver.push({"text": "x" * 2000})
        session.pushes(2)
        session.ack(1)
        wait_until(lambda: driver.statistics()["acknowledged"] == 1, "the ACK")
        session.cut()
        session, _ = router.open(lastSeq=1, maxBody=1024)
        event = driver.event("rejected")
        self.assertEqual((event["seq"], event["code"]), (2, "frame-length"))
        self.assertTrue(driver.flush(), "it has no answer to wait for")
        session.cut()
        _, hello = router.open(lastSeq=1, maxBody=1024)
        self.assertEqual(hello["acked"], 1)

    def test_numbers_rise_above_a_lastSeq_that_is_ahead(self):
        driver, router, session = self.start()
        driver.push({})
        session.push()
        session.cut()
        session, _ = router.open(lastSeq=50)
        driver.event("connected")
        self.assertEqual(driver.push({}), 51)
        self.assertEqual(session.push().seq, 51)

    def test_connected_is_reported_each_time(self):
        driver, router, session = self.start()
        for n in range(3):
            session.cut(reset=n == 1)
            driver.event("disconnected")
            session, _ = router.open()
            driver.event("connected")
        self.assert_settled(driver, reconnects=3)

    def test_pauses_grow_and_a_welcome_makes_them_short_again(self):
        driver, router, session = self.start(backoffMs=[40, 320])
        # On a machine that gives the test no core for a moment a pause is longer than it is meant to be.
        for rounds in range(20):
            pauses = []
            for least, most in ((20, 40), (40, 80), (80, 160), (160, 320), (160, 320)):
                ended = time.monotonic()
                session.cut()
                session = router.accept()
                pause = (time.monotonic() - ended) * 1000
                self.assertGreater(pause, least - 5, pauses)
                pauses.append((pause, most))
            session.hello()
            session.welcome()
            if rounds > 0 and all(pause < most + 100 for pause, most in pauses):
                return
        self.fail(f"no pause becomes short or stays below the longest one: {pauses}")

    def test_pauses_are_random(self):
        driver, router, session = self.start(backoffMs=[100, 100])
        pauses = []
        for _ in range(13):
            ended = time.monotonic()
            session.cut()
            session = router.accept()
            pauses.append(time.monotonic() - ended)
        self.assertGreater(max(pauses) - min(pauses), 0.01, pauses)

    def test_a_router_that_is_not_there_yet_is_waited_for(self):
        driver, port = self.driver(), fixed_port()
        driver.connect(port)
        driver.event("disconnected")
        router = self.router(port=port)
        router.open(lastSeq=3)
        self.assertEqual(driver.event("connected")["lastSeq"], 3)

    def test_all_addresses_of_a_name_are_tried(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port, host="localhost")
        router.open()
        driver.event("connected")


class Draining(ClientCase):
    def test_goaway_drains_and_reconnects(self):
        driver, router, session = self.start()
        for n in range(4):
            driver.push({"n": n})
        session.pushes(4)
        session.goaway()
        session.send(PING, 9)  # When its PONG is there, GOAWAY has been read.
        while session.receive()[0] != PONG:
            pass
        driver.push({"n": 4})
        self.assertTrue(session.silent(0.1), "a push came after GOAWAY")
        session.reject(2)
        session.ack(3)
        driver.event("rejected")
        session.close()
        event = driver.event("disconnected")
        self.assertEqual((event["code"], event["retry"]), (None, "reconnect"))
        session, hello = router.open(lastSeq=3)
        self.assertEqual(hello["acked"], 3)
        self.assertEqual([push.seq for push in session.pushes(2)], [4, 5])
        session.ack(5)
        self.assertTrue(driver.flush())
        self.assert_settled(driver, queued=0, acknowledged=4, rejected=1, reconnects=1)

    def test_goaway_before_welcome_reconnects(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        session = router.accept()
        session.hello()
        session.goaway()
        session.close()
        router.open()
        driver.event("connected")


class Codes(ClientCase):
    def test_fatal_codes_end_the_client(self):
        for start in range(0, len(FATAL), 8):  # Some clients at a time, which are watched together.
            clients = []
            for code in FATAL[start:start + 8]:
                with self.subTest(code):
                    driver, router, session = self.start()
                    driver.push({})
                    session.push()
                    session.error(code, "no")
                    self.assertEqual(driver.event("failed")["code"], code)
                    clients.append((code, driver, router))
            for code, driver, router in reversed(clients):
                with self.subTest(code):
                    time_left = MOMENT if driver is clients[-1][1] else 0.001
                    self.assertTrue(router.is_left_alone(time_left), "the client connects again")
                    self.assertIn("error", driver.ask("push", payload={}))
                    self.assertFalse(driver.flush(0.2), "nothing was acknowledged")
                    self.assertEqual(driver.close(), 0)

    def test_fatal_codes_end_the_client_before_welcome(self):
        for code in ("token-invalid", "tls-required", "version-unsupported"):
            with self.subTest(code):
                router, driver = self.router(), self.driver()
                driver.connect(router.port)
                session = router.accept()
                session.hello()
                driver.say("push", payload={})
                session.error(code, "no")
                self.assertEqual(self.assert_stays_away(driver, router)["code"], code)
                self.assertIn("error", driver.answer(), "a push does not wait for a client that has failed")

    def test_passing_codes_reconnect(self):
        driver, router, session = self.start(backoffMs=[10, 40])
        for error in PASSING:
            with self.subTest(error["code"]):
                seq = driver.push({})
                self.assertEqual(session.push().seq, seq)
                session.error(error["code"], error["retry"])
                event = driver.event("disconnected")
                self.assertEqual((event["code"], event["retry"]), (error["code"], error["retry"]))
                session, _ = router.open(lastSeq=seq - 1)
                driver.event("connected")
                self.assertEqual(session.push().seq, seq)
                session.ack(seq)

    def test_later_means_the_longest_pause_and_reconnect_the_shortest(self):
        driver, router, session = self.start(backoffMs=[20, 1200])

        def pause(retry, least):
            nonlocal session
            ended = time.monotonic()
            session.error("a-code-of-tomorrow", retry)
            session = router.accept()
            found = (time.monotonic() - ended) * 1000
            self.assertGreater(found, least - 5, retry)
            session.hello()
            session.welcome()
            return found

        pause("later", 600)
        # On a machine that gives the test no core for a moment one may be longer than it is meant to be.
        self.assertTrue(any(pause("reconnect", 10) < 500 for _ in range(20)))
        driver.event("connected")

    def test_unknown_codes_are_judged_by_retry(self):
        driver, router, session = self.start(backoffMs=[10, 40])
        for retry in ("later", "reconnect"):
            session.error("a-code-of-tomorrow", retry)
            event = driver.event("disconnected")
            self.assertEqual((event["code"], event["retry"]), ("a-code-of-tomorrow", retry))
            session, _ = router.open()
            driver.event("connected")
        session.error("another-code-of-tomorrow", "no")
        self.assertEqual(self.assert_stays_away(driver, router)["code"], "another-code-of-tomorrow")

    def test_an_unknown_retry_means_no(self):
        driver, router, session = self.start()
        session.error("a-code-of-tomorrow", "perhaps")
        self.assertEqual(self.assert_stays_away(driver, router)["code"], "a-code-of-tomorrow")

    def test_a_known_code_is_judged_by_what_the_router_says_of_it(self):
        driver, router, session = self.start(backoffMs=[10, 40])
        session.error("token-expired", "reconnect")
        router.open()
        driver.event("connected")

    def test_a_replaced_session_stays_away(self):
        driver, router, session = self.start()
        session.error("session-replaced", "no")
        self.assertEqual(self.assert_stays_away(driver, router)["code"], "session-replaced")

    def test_a_push_that_waits_for_room_ends_with_the_client(self):
        driver, router, session = self.start(queue=1)
        driver.push({})
        driver.say("push", payload={})
        self.assertFalse(driver.has_answer(0.1))
        session.error("token-revoked", "no")
        self.assertIn("error", driver.answer())

    def test_an_error_is_read_although_the_connection_is_reset(self):
        """A router ends a session while pushes are under way; what they run into must not hide the ERROR."""
        driver, router, session = self.start(queue=4000)
        for n in range(50):
            driver.push({"n": n, "text": "x" * 2000})
        session.push()
        session.send(ERROR, 0, {"code": "token-revoked", "retry": "no", "message": ""})
        session.cut()  # With pushes unread, so that the connection is reset.
        self.assertEqual(driver.event("failed")["code"], "token-revoked")


class Tomorrow(ClientCase):
    """What a later router may send to a client of today."""

    def test_unknown_frames_are_passed_over(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        session = router.accept()
        session.hello()
        unknown = b"".join((frame(0x40, 5, b"\xff\x00", 0xFF), frame(0x7D, 0, b""),
                            frame(0xFE, 2 ** 64 - 1, bytes(100_000), 1),
                            bytes.fromhex("0000000c41ff12340000000000000001")))
        session.raw(unknown)
        session.welcome()
        driver.event("connected")
        session.raw(unknown)
        driver.push({})
        session.push()
        session.raw(unknown)
        session.ack(1)
        self.assertTrue(driver.flush())
        self.assertEqual(driver.take("disconnected"), [])

    def test_unknown_members_are_passed_over(self):
        deep = {"a": [{"b": None}], "kinds": 7}
        driver, _, session = self.start(welcome={"tomorrow": deep, "list": [1, 2]})
        driver.push({}), driver.push({})
        session.pushes(2)
        session.reject(1, tomorrow=deep)
        session.ack(2)
        self.assertTrue(driver.flush())
        self.assertEqual(driver.event("rejected")["seq"], 1)
        session.send(ERROR, 0, {"tomorrow": deep, "code": "token-revoked", "retry": "no", "message": "", "at": 5})
        session.close()
        self.assertEqual(driver.event("failed")["code"], "token-revoked")

    def test_bodies_may_be_written_with_spaces_escapes_and_in_any_order(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        session = router.accept()
        session.hello()
        session.send(WELCOME, 0, b' {\n "lastSeq" : 6 ,\t"w\\u0069ndow":8192,"maxBody":65536,"session":"0","v":1 }\r\n')
        self.assertEqual(driver.event("connected")["lastSeq"], 6)
        driver.push({})
        session.push()
        session.send(REJECT, 7, b'{"message":"\\ud83d\\ude00 {\\"code\\":\\"x\\"}","retry":"no",'
                                b'"c\\u006fde":"payload-\\u0063ombinations"}')
        self.assertEqual(driver.event("rejected")["code"], "payload-combinations")

    def test_outcomes_that_were_not_asked_for_are_no_obstacle_for_later_answers(self):
        """Frames may come in one piece, with several answers in it."""
        driver, _, session = self.start()
        for n in range(3):
            driver.push({})
        session.pushes(3)
        refusal = {"code": "payload-combinations", "retry": "no", "message": "…"}
        session.raw(frame(0x11, 1, bytes(4)) + frame(REJECT, 2, refusal) + frame(0x55) + frame(0x11, 3, bytes(4)))
        self.assertTrue(driver.flush())
        self.assert_settled(driver, acknowledged=2, rejected=1)


class Silence(ClientCase):
    def test_a_ping_is_answered_with_its_seq(self):
        driver, _, session = self.start()
        for seq in (0, 7, 2 ** 64 - 1):
            session.send(PING, seq)
            self.assertEqual(session.receive(), (PONG, 0, seq, b""))

    def test_a_ping_before_welcome_is_answered(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        session = router.accept()
        session.hello()
        session.send(PING, 3)
        self.assertEqual(session.receive(), (PONG, 0, 3, b""))
        session.welcome()
        driver.event("connected")

    def test_a_silent_router_is_asked_and_then_left(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port, pingMs=100, timeoutMs=1_500)
        session = router.accept()
        session.hello()
        began = time.monotonic()
        session.welcome()
        driver.push({})
        session.push()
        kind, flags, _, body = session.receive(pings=True)
        self.assertEqual((kind, flags, body), (PING, 0, b""))
        event = driver.event("disconnected")
        self.assertEqual((event["code"], event["retry"]), (None, "reconnect"))
        self.assertGreater(time.monotonic() - began, 1.4)
        session, _ = router.open()
        self.assertEqual(session.push().seq, 1)

    def test_a_router_that_takes_nothing_is_left(self):
        """Also while the client waits to send it more than a socket keeps."""
        driver, router, _ = self.start(pingMs=500, timeoutMs=1_500)
        while driver.try_push({"text": "x" * 60_000}):
            pass
        driver.event("disconnected")
        for _ in range(10):  # On a busy machine it may have left others, too, before they are accepted here.
            with contextlib.suppress(Ended, OSError):
                session, _ = router.open()
                self.assertEqual(session.push().seq, 1)
                return
        self.fail("no further connection lasts")

    def test_a_router_that_answers_pings_is_kept(self):
        driver, _, session = self.start(pingMs=100, timeoutMs=1_500)
        pings = 0
        ends = time.monotonic() + 3.2
        while time.monotonic() < ends:
            kind, _, seq, _ = session.receive(pings=True)
            self.assertEqual(kind, PING)
            session.send(PONG, seq)
            pings += 1
        self.assertGreaterEqual(pings, 3)
        self.assertEqual(driver.take("disconnected"), [])

    def test_a_router_without_welcome_is_left(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port, timeoutMs=1_500)
        session = router.accept()
        session.hello()
        driver.event("disconnected")
        router.open()
        driver.event("connected")

    def test_bytes_that_come_one_by_one_are_put_together(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        session = router.accept()
        session.hello()
        self._dribble(session, frame(WELCOME, 0, {"v": 1, "session": "0", "maxBody": 65536, "window": 10,
                                                  "lastSeq": 0}))
        driver.event("connected")
        driver.push({}), driver.push({})
        session.pushes(2)
        refusal = {"code": "payload-combinations", "retry": "no", "message": "é…🐉"}
        self._dribble(session, frame(REJECT, 1, refusal) + frame(0x44, 0, b"abc") + frame(0x11, 2, bytes(4)))
        self.assertTrue(driver.flush())
        self.assert_settled(driver, acknowledged=1, rejected=1)

    def _dribble(self, session, data):
        for n in range(len(data)):
            session.raw(data[n:n + 1])
            time.sleep(0.0005)  # So that the pieces do not arrive as one.


class NoRouter(ClientCase):
    """A peer that speaks something else."""

    def assert_gives_way(self, data):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        session = router.accept()
        session.hello()
        session.raw(data)
        session.drain()
        session.cut()
        wait_until(lambda: driver.take("disconnected") or driver.take("failed"), "an end of the connection")
        self.assertEqual(driver.close(), 0)

    def test_another_protocol_ends_the_connection(self):
        self.assert_gives_way(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")

    def test_a_length_that_is_too_small_ends_the_connection(self):
        self.assert_gives_way(bytes.fromhex("0000000b020000000000000000000000"))

    def test_a_length_beyond_any_frame_ends_the_connection(self):
        self.assert_gives_way(bytes.fromhex("ffffffff020000000000000000000000"))

    def test_a_welcome_that_is_no_json_ends_the_connection(self):
        self.assert_gives_way(frame(WELCOME, 0, b"welcome"))


class Closing(ClientCase):
    def test_close_ends_the_connection_and_the_program(self):
        driver, _, session = self.start()
        driver.push({})
        session.push()
        session.ack(1)
        self.assertTrue(driver.flush())
        self.assertEqual(driver.close(), 0)
        with self.assertRaises(Ended):
            session.receive()

    def test_close_with_unacknowledged_pushes_does_not_wait_for_ever(self):
        driver, _, session = self.start()
        for n in range(3):
            driver.push({"n": n})
        session.pushes(3)
        self.assertEqual(driver.close(), 0)

    def test_close_without_a_connection(self):
        router, driver = self.router(), self.driver()
        router.close()
        driver.connect(router.port)
        driver.event("disconnected")
        self.assertEqual(driver.close(), 0)

    def test_close_while_welcome_is_awaited(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port)
        session = router.accept()
        session.hello()
        self.assertEqual(driver.close(), 0)


if __name__ == "__main__":
    unittest.main()
