"""The publisher's rules: pipelining, window, acknowledgement, refusal, resending."""

import subprocess
import sys
import unittest

from support import *


class Pushing(RouterCase):
    def test_twenty_thousand_pipelined_pushes_are_acknowledged_cumulatively(self):
        """Far fewer ACKs than pushes, never going back, and matched counts that add up."""
        self.device("d-1", widget("w1", character="elf-42"), widget("w2", PARTY, member="elf-42"))
        publisher = self.publisher()
        window, total, block = publisher.welcome["window"], 20_000, 1_000
        acks, matched, acked, sent = 0, 0, 0, 0
        while acked < total:
            while sent < total and sent + block - acked <= window:
                publisher.send_raw(b"".join(
                    frame(PUSH, seq, {"event": "damage", "amount": seq,
                                      "character": "elf-42" if seq % 10 == 0 else f"orc-{seq}"})
                    for seq in range(sent + 1, sent + block + 1)))
                sent += block
            ack = publisher.expect(ACK)
            self.assertGreater(ack.seq, acked)
            acked, matched, acks = ack.seq, matched + ack.matched, acks + 1
        self.assertEqual((acked, matched), (total, 2 * total // 10))
        self.assertLess(acks, total // 4)

    def test_the_window_and_the_largest_body_are_announced(self):
        """WELCOME has the router's settings, and a session name."""
        router = self.start("--window", 16, "--max-body", 2048, "--output-limit", 65536)
        welcome = self.publisher(router=router).welcome
        session = welcome.pop("session")
        self.assertRegex(session, "^[0-9a-f]{32}$")
        self.assertEqual(welcome, {"v": 1, "maxBody": 2048, "window": 16, "lastSeq": 0})
        self.assertNotIn("lastSeq", self.device("d-1", router=router).welcome)

    def test_more_unacknowledged_pushes_than_the_window_end_the_connection(self):
        """A publisher that overruns the window gets window-exceeded; one within it never does."""
        router = self.start("--window", 16)
        good = self.publisher("good", router=router)
        for _ in range(50):
            for _ in range(16):
                seq = good.push(HEALING)
            good.wait_acked(seq)
        bad = self.publisher("bad", router=router)
        bad.send_raw(b"".join(frame(PUSH, seq, HEALING) for seq in range(1, 200)))
        self.assert_ends(bad, "window-exceeded")
        good.pushed(HEALING)

    def test_rejected_pushes_do_not_use_up_the_window(self):
        """A REJECT answers its push: a publisher of nothing but bad payloads stays connected."""
        router = self.start("--window", 4)
        publisher = self.publisher(router=router)
        for _ in range(20):
            self.assert_refused(publisher, publisher.push(b"no json"), "payload-not-json")
        self.assertEqual(publisher.pushed(HEALING), 0)

    def test_a_reject_comes_before_the_ack_that_passes_it(self):
        """The refused frame is named first, then the ACK covers what stands around it."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        publisher = self.publisher()
        publisher.send_raw(
            frame(PUSH, 1, HEALING) + frame(PUSH, 2, b"{") + frame(PUSH, 3, HEALING))
        answers = []
        while not answers or answers[-1].seq < 3 or answers[-1].type != ACK:
            answers.append(publisher.expect(ACK, REJECT))
        rejects = [a for a in answers if a.type == REJECT]
        self.assertEqual([(r.seq, r.code) for r in rejects], [(2, "payload-not-json")])
        position = answers.index(rejects[0])
        self.assertTrue(all(a.seq < 2 for a in answers[:position]), answers)
        self.assertEqual(sum(a.matched for a in answers if a.type == ACK), 2)
        publisher.seq = publisher.acked = 3
        self.assertEqual(publisher.pushed(HEALING), 1)
        self.assertGreaterEqual(len(device.reloads()), 1)

    def test_gaps_in_the_sequence_are_allowed(self):
        """Sequence numbers need only rise, and no jump is beyond 2^32."""
        publisher = self.publisher()
        for seq in (5, 6, 1_000, 2**32 + 1_000, 2**33):
            publisher.pushed(HEALING, seq=seq)
        again = self.publisher()
        self.assertEqual(again.welcome["lastSeq"], 2**33)
        again.push(HEALING, seq=2**33 + 2**32 + 1)
        self.assert_ends(again, "seq-too-high")
        self.assertEqual(self.publisher().welcome["lastSeq"], 2**33)

    def test_a_push_that_does_not_rise_ends_the_connection(self):
        """It would be lost; what was accepted before it is acknowledged."""
        publisher = self.publisher()
        self.assertEqual(publisher.pushed(HEALING, seq=5), 0)
        publisher.push(HEALING, seq=4)
        self.assert_ends(publisher, "seq-not-rising")
        again = self.publisher()
        self.assertEqual(again.welcome["lastSeq"], 5)
        again.pushed(HEALING, seq=6)
        again.push(HEALING, seq=5)
        again.push(HEALING, seq=1)
        again.barrier()
        self.assertEqual(again.pushed(HEALING, seq=7), 0)

    def test_a_push_with_seq_zero_ends_the_connection(self):
        """The first push is 1 or higher."""
        publisher = self.publisher()
        publisher.push(HEALING, seq=0)
        self.assert_ends(publisher, "seq-not-rising")

    def test_a_resend_after_reconnecting_has_no_double_effect(self):
        """lastSeq says where to continue; what is resent below it is acknowledged and matches 0."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        publisher = self.publisher()
        self.assertEqual(publisher.pushed(HEALING, seq=5), 1)
        self.assertEqual(publisher.pushed(HEALING, seq=9), 1)
        publisher.close()
        self.assertEqual(len(device.reloads()), 2)
        again = self.publisher()
        self.assertEqual(again.welcome["lastSeq"], 9)
        again.acked = 0
        for seq in (5, 9):
            again.push(HEALING, seq=seq)
        self.assertEqual(again.wait_acked(9), 0)
        self.assertEqual(device.reloads(), [])
        self.assertEqual(again.pushed(HEALING, seq=10), 1)
        self.assertEqual(len(device.reloads()), 1)
        self.assertEqual(self.publisher("another").welcome["lastSeq"], 0)
        self.assertEqual(self.publisher(app="com.other").welcome["lastSeq"], 0)

    def test_a_rejected_push_does_not_raise_last_seq(self):
        """After a REJECT the producer may send a corrected push with the same seq again later."""
        publisher = self.publisher()
        publisher.pushed(HEALING)
        self.assert_refused(publisher, publisher.push(b"[]"), "payload-not-object")
        publisher.close()
        self.assertEqual(self.publisher().welcome["lastSeq"], 1)

    def test_a_publisher_killed_in_the_middle_of_a_frame_loses_only_that_frame(self):
        """kill -9 mid-frame: the whole push before it counts, the half one does not."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        half = frame(PUSH, 2, HEALING)[:-5]
        hello = {"v": 1, "role": "publisher", "app": APP, "token": TOKENS["publisher"],
                 "producer": "killed"}
        data = frame(HELLO, 0, hello) + frame(PUSH, 1, HEALING) + half
        script = ("import socket,sys; s=socket.create_connection((sys.argv[1],int(sys.argv[2])));"
                  "s.sendall(bytes.fromhex(sys.argv[3])); print('sent',flush=True); input()")
        host, port = self.router.address
        child = subprocess.Popen(
            [sys.executable, "-c", script, host, str(port), data.hex()],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with child:
            child.stdout.readline()
            device.expect(RELOAD)
            child.kill()
        again = self.publisher("killed")
        self.assertEqual(again.welcome["lastSeq"], 1)
        self.assertEqual(device.reloads(), [])
        self.assertEqual(again.pushed(HEALING), 1)

    def test_frames_may_be_cut_anywhere(self):
        """A HELLO and pushes sent byte by byte are the same frames."""
        client = self.connect()
        body = {"v": 1, "role": "publisher", "app": APP, "token": TOKENS["publisher"],
                "producer": "slow"}
        for byte in frame(HELLO, 0, body) + frame(PUSH, 1, HEALING) + frame(PUSH, 2, HEALING):
            client.send_raw(bytes([byte]))
        self.assertEqual(client.expect(WELCOME).json["lastSeq"], 0)
        client.wait_acked(2)


if __name__ == "__main__":
    unittest.main()
