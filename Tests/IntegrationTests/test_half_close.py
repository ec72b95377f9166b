"""Peers that end their side of the connection and then read: outstanding answers still arrive."""

import pathlib
import socket
import struct
import tempfile
import unittest

from store_case import *


class HalfClose(StoreCase):
    """Over a durable store, where answers wait for the disk."""

    def half_close(self, client):
        client.socket.shutdown(socket.SHUT_WR)
        client.answers_pings = False

    def test_a_device_that_ends_its_side_gets_the_ack_of_its_widgets(self):
        """All in one write, so that the end comes before anything is committed."""
        client = self.connect()
        body = {"device": "d-1", "widgets": [ELF]}
        hello = {"v": 1, "role": "device", "app": APP, "token": TOKENS["device"], "device": "d-1"}
        client.send_raw(frame(HELLO, 0, hello) + frame(WIDGETS, 1, body))
        self.half_close(client)
        self.assertIn("session", client.expect(WELCOME).json)
        self.assertEqual(client.expect(ACK).seq, 1)
        self.assertIsNone(client.expect_end())

    def test_a_publisher_that_ends_its_side_has_the_ack_of_all_pushes(self):
        device = self.device("d-1", ELF)
        client = self.connect()
        hello = {"v": 1, "role": "publisher", "app": APP, "token": TOKENS["publisher"],
                 "producer": "batch"}
        pushes = b"".join(frame(PUSH, seq, HEALING) for seq in range(1, 501))
        client.send_raw(frame(HELLO, 0, hello) + pushes)
        self.half_close(client)
        self.assertEqual(client.expect(WELCOME).json["lastSeq"], 0)
        self.assertEqual(client.wait_acked(500), 500)
        self.assertIsNone(client.expect_end())
        self.assertEqual(device.expect(RELOAD).json["cause"], "push")

    def test_an_error_still_says_why_the_session_ended(self):
        client = self.connect()
        hello = {"v": 1, "role": "publisher", "app": APP, "token": TOKENS["publisher"],
                 "producer": "batch"}
        client.send_raw(frame(HELLO, 0, hello) + frame(PUSH, 1, HEALING) + frame(0x55, 2))
        self.half_close(client)
        self.assertEqual(client.expect(WELCOME).json["lastSeq"], 0)
        client.wait_acked(1)
        self.assertEqual(client.expect_end(), "frame-type")

    def test_its_reloads_go_to_the_next_session(self):
        """A client that has ended its side still gets answers, but no RELOADs."""
        first = self.device("d-1", ELF)
        publisher = self.publisher()
        self.half_close(first)
        self.assertIsNone(first.expect_end())
        publisher.pushed(HEALING)
        again = self.device("d-1")
        self.assertEqual(again.expect(RELOAD).json["widgets"], ["w1"])

    def test_many_of_them_leave_no_descriptor_behind(self):
        before = self.router.open_files
        for number in range(50):
            client = self.connect()
            client.hello("publisher", producer=f"batch-{number}")
            client.push(HEALING)
            self.half_close(client)
            client.expect(WELCOME)
            client.wait_acked(1)
            self.assertIsNone(client.expect_end())
        wait_until(lambda: self.router.open_files <= before, "all connections are closed")

    def test_a_reset_frees_the_connection_at_once(self):
        """Also of one that waits for answers."""
        before = self.router.open_files
        for number in range(20):
            client = self.connect()
            client.hello("publisher", producer=f"reset-{number}")
            client.push(HEALING)
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        # Well before the time that a peer may wait for its last answers.
        wait_until(lambda: self.router.open_files <= before, "all connections are closed", 5)


class HalfCloseInMemory(HalfClose):
    """The same without a store, where answers leave at the end of the tick."""

    flags = ("--store", "none")


class HalfCloseWhileTheStoreFails(StoreCase):
    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        super().setUp()
        self.folder = folder

    def test_the_answers_come_when_the_store_works_again_or_the_time_is_over(self):
        """Nothing is acknowledged meanwhile, and no connection keeps a descriptor for ever."""
        router = self.router
        publisher = self.publisher()
        publisher.pushed(HEALING)
        aside = router.store.with_name("aside")
        router.store.rename(aside)
        seq = publisher.push(HEALING)
        publisher.socket.shutdown(socket.SHUT_WR)
        publisher.answers_pings = False
        router.wait_log("store-replaced")
        with self.assertRaises(TimeoutError):
            publisher.wait_acked(seq, timeout=1)
        aside.rename(router.store)
        publisher.wait_acked(seq)
        self.assertIsNone(publisher.expect_end())


if __name__ == "__main__":
    unittest.main()
