"""What a new session hears when the one before ended a moment ago, and answers wait."""

import os
import signal
import socket
import threading
import unittest

from support import *


class Reconnects(RouterCase):
    def test_answers_for_a_closed_connection_do_not_go_to_the_one_that_has_its_slot(self):
        """A client asks and closes, another one comes, and the router handles all that in one tick."""
        older = self.publisher("older")
        older.push(HEALING)
        # An answer that was not read makes the kernel reset the connection, so that the router
        # hears of its last frames and of its end at once.
        older.socket.recv(1, socket.MSG_PEEK)
        self.router.signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.router.process.pid, os.WSTOPPED | os.WNOWAIT)
        older.send(PING, seq=77)
        older.push(b"[]")
        older.close()
        newer = self.connect()
        self.router.signal(signal.SIGCONT)
        newer.hello("publisher", producer="newer")
        self.assertEqual(newer.next().type, WELCOME)
        newer.push(HEALING)
        self.assertEqual(newer.next().type, ACK)

    def test_reloads_that_waited_for_welcome_are_not_overtaken(self):
        """A device comes back again and again while pushes flow: its RELOADs are in order."""
        self.device("d-1", widget("w1", character="elf-42")).close()
        flow = self.publisher("flow")
        done = threading.Event()

        def push():
            while not done.is_set():
                for _ in range(20):
                    seq = flow.push(HEALING)
                flow.wait_acked(seq)

        thread = threading.Thread(target=push)
        thread.start()
        try:
            for _ in range(100):
                device = self.device("d-1")
                numbers = [reload.seq for reload in (device.expect(RELOAD) for _ in range(20))]
                self.assertEqual(numbers, sorted(set(numbers)))
                device.close()
        finally:
            done.set()
            thread.join()


if __name__ == "__main__":
    unittest.main()
