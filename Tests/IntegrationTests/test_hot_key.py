"""One value that very many widgets wait for."""

import json
import unittest

from bystander import BystanderCase
from support import *

DEVICES, WIDGETS_EACH = 800, 250
ALL = DEVICES * WIDGETS_EACH


class HotKey(BystanderCase):
    """200,000 widgets of one gateway wait for the same character."""

    def setUp(self):
        super().setUp()
        self.hot = self.gateway()
        widgets = json.dumps(
            [widget(f"w{number}", character="elf-42") for number in range(WIDGETS_EACH)]).encode()
        for number in range(DEVICES):
            body = b'{"device":"d%d","widgets":%s}' % (number, widgets)
            seq = self.hot.send(WIDGETS, body)
            if number % 50 == 49:
                while self.hot.expect(ACK).seq < seq:
                    pass

    def take(self, found, counts):
        """Counts the widgets that a RELOAD names."""
        body = found.json
        self.assertLessEqual(len(body["widgets"]), 128)
        for name in body["widgets"]:
            key = (body["device"], name)
            counts[key] = counts.get(key, 0) + 1

    def test_all_are_reloaded_once_and_others_are_answered_meanwhile(self):
        """A hot push is delivered in portions: PINGs and other pushes do not wait for its devices."""
        publisher = self.publisher("hot")
        seq = publisher.push(HEALING)
        counts = {}
        self.take(self.hot.expect(RELOAD), counts)
        # The gateway has read one RELOAD, and reads on only after all others had an answer.
        self.watcher.barrier()
        self.check_bystander()
        self.assertEqual(publisher.wait_acked(seq), ALL)
        while len(counts) < ALL:
            self.take(self.hot.expect(RELOAD), counts)
        self.assertEqual(self.hot.reloads(), [])
        self.assertEqual(set(counts.values()), {1})

    def test_a_publisher_of_hot_pushes_gets_no_more_than_its_share(self):
        """A REQUEST that comes after a burst of hot pushes is answered before the burst's end."""
        publisher = self.publisher("hot")
        # Each PING ends a batch, so that the pushes are matched one by one.
        burst = b"".join(
            frame(PUSH, number, HEALING) + frame(PING, number) for number in range(1, 9))
        publisher.send_raw(burst + frame(PUSH, 9, {"character": "bystander"}))
        self.hot.expect(RELOAD)
        self.watcher.request(REQUEST, {"device": "bystander"})
        causes = [self.watcher.expect(RELOAD, timeout=60).json["cause"] for _ in range(2)]
        self.assertEqual(causes, ["request", "push"])
        self.assertEqual(publisher.wait_acked(9, timeout=60), 8 * ALL + 1)
        counts = {}
        while len(counts) < ALL:
            self.take(self.hot.expect(RELOAD), counts)


if __name__ == "__main__":
    unittest.main()
