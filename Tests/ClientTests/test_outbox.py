"""The file outbox: what a client has accepted outlives kill -9 of its process."""

import struct
import unittest
import zlib

from client_case import ClientCase, wait_until
from client_driver import language
from scripted_router import ACK, HELLO, PUSH, frame


class Outboxes(ClientCase):
    def setUp(self):
        self.path = self.folder() / "outbox"

    def begin(self, router=None, **options):
        return self.start(router, outbox=str(self.path), **options)

    def test_what_was_accepted_is_sent_after_a_kill(self):
        driver, router, session = self.begin()
        for n in range(5):
            driver.push({"n": n})
        for n in range(5, 10):
            self.assertEqual(driver.try_push({"n": n}, urgent=True, expiresAt=1_795_000_060_000, kinds=["k"]), n + 1)
        driver.kill()
        driver, _, session = self.begin(router)
        pushes = session.pushes(10)
        self.assertEqual([(push.seq, push.payload["n"]) for push in pushes], [(n + 1, n) for n in range(10)])
        self.assertEqual({(push.flags, push.expires, tuple(push.kinds)) for push in pushes[5:]},
                         {(7, 1_795_000_060_000, ("k",))})
        session.ack(10)
        self.assertTrue(driver.flush())
        self.assertEqual(driver.push({}), 11)

    def test_what_was_accepted_without_a_connection_is_sent_after_a_kill(self):
        driver, router, session = self.begin()
        router.close()
        session.cut()
        driver.event("disconnected")
        for n in range(3):
            driver.push({"n": n})
        driver.kill()
        driver, _, session = self.begin()
        self.assertEqual([(push.seq, push.payload["n"]) for push in session.pushes(3)], [(1, 0), (2, 1), (3, 2)])

    def test_a_client_that_was_closed_before_its_first_session_numbers_from_lastSeq(self):
        router = self.router()
        for is_second in (False, True):
            driver = self.driver()
            driver.connect(router.port, outbox=str(self.path))
            session = router.accept()
            session.hello()
            if is_second:
                driver.say("push", payload={"n": 1})
                session.welcome(lastSeq=100)
                self.assertEqual(driver.answer(), {"pushed": 101})
                self.assertEqual(session.push().seq, 101)
            else:
                self.assertEqual(driver.close(), 0)

    def test_what_lastSeq_covers_is_not_sent_after_a_kill(self):
        driver, router, session = self.begin()
        for n in range(6):
            driver.push({"n": n})
        session.pushes(6)
        driver.kill()
        driver = self.driver()
        driver.connect(router.port, outbox=str(self.path))
        session, hello = router.open(lastSeq=4, rejected=[{"seq": 2, "code": "payload-combinations"},
                                                          {"seq": 5, "code": "payload-combinations"}])
        self.assertEqual(hello.get("acked"), 0, "the router is asked for rejections after the kill")
        self.assertEqual(session.push().seq, 6)
        self.assertEqual([driver.event("rejected")["seq"], driver.event("rejected")["seq"]], [2, 5])
        session.ack(6)
        self.assertTrue(driver.flush())

    def test_a_kill_at_any_moment_loses_nothing_that_was_accepted(self):
        model = self.model(window=50)
        accepted = 0
        for round in range(6):
            driver = self.driver()
            driver.connect(model.port, outbox=str(self.path))
            driver.event("connected")
            for _ in range(150 + 37 * round):
                driver.push({"n": accepted})
                accepted += 1
            driver.kill()
        driver = self.driver()
        driver.connect(model.port, outbox=str(self.path))
        driver.event("connected")
        self.assertTrue(driver.flush())
        self.assertEqual([payload["n"] for _, payload in model.effects], list(range(accepted)))
        self.assertEqual(model.broken, [])

    def test_what_is_settled_takes_no_room(self):
        model, driver = self.model(), self.driver()
        driver.connect(model.port, outbox=str(self.path))
        driver.event("connected")
        for n in range(300):
            driver.push({"n": n, "bad": n == 299, "text": "x" * 200})
        self.assertTrue(driver.flush())
        wait_until(lambda: sum(file.stat().st_size for file in self.path.parent.rglob("*") if file.is_file()) < 4096,
                   "a small file")
        self.assertEqual(driver.close(), 0)
        model.close()
        driver, _, session = self.begin(welcome={"lastSeq": 299})
        self.assertTrue(session.silent(0.1), "a push that was settled is sent again")
        driver.push({"n": 300})
        self.assertEqual(session.push().payload, {"n": 300})

    def test_a_rejected_push_is_not_sent_after_a_kill(self):
        driver, router, session = self.begin()
        for n in range(3):
            driver.push({"n": n})
        session.pushes(3)
        session.reject(3)
        driver.event("rejected")
        session.ack(2)
        self.assertTrue(driver.flush())
        driver.kill()
        driver, _, session = self.begin(router, welcome={"lastSeq": 2})
        self.assertTrue(session.silent(0.1), "a rejected push is sent again")

    def test_a_half_written_push_at_the_end_is_passed_over(self):
        driver, router, session = self.begin()
        for n in range(4):
            driver.push({"n": n, "text": "y" * 50})
        driver.kill()
        files = [file for file in self.path.parent.rglob("*") if file.is_file() and b"yyyy" in file.read_bytes()]
        self.assertEqual(len(files), 1, files)
        files[0].write_bytes(files[0].read_bytes()[:-20])
        driver, _, session = self.begin(router)
        self.assertEqual([push.seq for push in session.pushes(3)], [1, 2, 3])
        seq = driver.push({"n": "new"})
        self.assertEqual(session.push().payload, {"n": "new"})
        session.ack(3)
        wait_until(lambda: driver.statistics()["queued"] == 1, "the ACK")
        driver.kill()
        driver, _, session = self.begin(router, welcome={"lastSeq": 3})
        found = session.push()
        self.assertEqual((found.seq, found.payload), (seq, {"n": "new"}))

    @unittest.skipIf(language() == "python", "its outbox has a form of its own")
    def test_a_file_that_ends_anywhere_keeps_its_whole_pushes(self):
        head = frame(HELLO, 0, {"v": 1, "role": "publisher", "app": "com.mygame", "producer": "p"})
        first, second = (frame(PUSH, seq, {"n": seq}) for seq in (7, 8))
        whole, second_at = head + first + second, len(head + first)
        for length in (0, 1, len(head) - 1, len(head), len(head) + 3, second_at - 1,
                       second_at, second_at + 4, second_at + 16, len(whole) - 1, len(whole)):
            with self.subTest(length):
                self.path.write_bytes(whole[:length])
                kept = [end > length for end in (second_at, len(whole))].count(False)
                driver, _, session = self.begin(welcome={"lastSeq": 6})
                self.assertEqual([push.seq for push in session.pushes(kept)], [7, 8][:kept])
                self.assertEqual(driver.push({"n": "new"}), 7 + kept)
                self.assertEqual(session.push().payload, {"n": "new"})
                self.assertEqual(driver.close(), 0)
                self.assertEqual(self.path.read_bytes(),
                                 head + b"".join((first, second)[:kept]) + frame(PUSH, 7 + kept, {"n": "new"}))

    def test_the_file_has_a_head_and_then_pushes_as_frames(self):
        """In all languages but Python, which adds checksums, so that a sender may be written anew in another one."""
        head = frame(HELLO, 0, {"v": 1, "role": "publisher", "app": "com.mygame", "producer": "p"})
        pushes = [frame(PUSH, seq, {"n": seq}) for seq in (7, 8, 9)]
        if language() == "python":
            head = b'reloadrouter outbox 1 {"app":"com.mygame","producer":"p"}\n'
            pushes = [struct.pack(">II", len(push), zlib.crc32(push)) + push for push in pushes]
        self.path.write_bytes(head + pushes[0] + pushes[1])
        driver, router, session = self.begin(welcome={"lastSeq": 7})
        self.assertEqual(session.push().payload, {"n": 8})
        self.assertEqual(driver.push({"n": 9}), 9)
        self.assertEqual(self.path.read_bytes(), head + b"".join(pushes))

    def test_a_file_that_is_no_outbox_is_refused_and_stays(self):
        text = b"notes of somebody\n" * 4
        self.path.write_bytes(text)
        driver = self.driver()
        driver.connect(self.router().port, outbox=str(self.path))
        self.assertIn("error", driver.answer())
        self.assertEqual(self.path.read_bytes(), text)

    def test_the_outbox_of_another_producer_is_refused_and_stays(self):
        driver, _, session = self.begin()
        driver.push({"n": 1})
        driver.kill()
        before = self.path.read_bytes()
        other = self.driver()
        other.connect(self.router().port, outbox=str(self.path), producer="q")
        self.assertIn("error", other.answer())
        self.assertEqual(self.path.read_bytes(), before)

    @unittest.skipIf(language() in ("go", "node", "csharp"), "no lock of its files is seen by other processes here")
    def test_an_outbox_has_one_user(self):
        driver, router, session = self.begin()
        driver.push({"n": 1})
        other = self.driver()
        other.connect(self.router().port, outbox=str(self.path))
        self.assertIn("error", other.answer())
        driver.push({"n": 2})
        self.assertEqual([push.payload["n"] for push in session.pushes(2)], [1, 2])

    @unittest.skipIf(language() == "python", "its outbox has a form of its own")
    def test_other_frames_of_earlier_versions_are_passed_over(self):
        head = frame(HELLO, 0, {"v": 1, "role": "publisher", "app": "com.mygame", "producer": "p"})
        self.path.write_bytes(head + frame(ACK, 6, b"") + frame(PUSH, 7, {"n": 7}) + frame(PUSH, 8, {"n": 8}))
        _, _, session = self.begin(welcome={"lastSeq": 6})
        self.assertEqual([(push.seq, push.payload["n"]) for push in session.pushes(2)], [(7, 7), (8, 8)])

    def test_close_keeps_what_is_not_acknowledged(self):
        driver, router, session = self.begin()
        for n in range(3):
            driver.push({"n": n})
        session.pushes(3)
        session.ack(1)
        wait_until(lambda: driver.statistics()["acknowledged"] == 1, "the ACK")
        self.assertEqual(driver.close(), 0)
        driver, _, session = self.begin(router, welcome={"lastSeq": 1})
        self.assertEqual([push.seq for push in session.pushes(2)], [2, 3])

    def test_a_full_outbox_says_so(self):
        driver, router, session = self.begin(queue=3)
        self.assertEqual([driver.try_push({}) for _ in range(4)], [1, 2, 3, None])
        driver.kill()
        driver, _, session = self.begin(router, queue=3)
        self.assertIsNone(driver.try_push({}))


if __name__ == "__main__":
    unittest.main()
