"""The file outbox."""

from __future__ import annotations

import pathlib
import tempfile
import unittest

from reloadrouter.frames import PUSH, encode
from reloadrouter.outbox import Outbox, OutboxError


def frame(seq: int, body: bytes = b"{}") -> bytes:
    return encode(PUSH, seq, body)


class Outboxes(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "outbox"

    def open(self, producer: str = "p") -> Outbox:
        return Outbox(self.path, "app", producer, 0.01)

    def written(self, *frames: bytes) -> None:
        outbox = self.open()
        for each in frames:
            outbox.append(each)
        outbox.close()

    def frames(self) -> list[tuple[int, bytes]]:
        outbox = self.open()
        outbox.close()
        return outbox.frames

    def test_frames_are_kept_in_order(self) -> None:
        self.written(frame(7), frame(9, b'{"a":1}'))
        self.written(frame(10))
        self.assertEqual(self.frames(), [(7, frame(7)), (9, frame(9, b'{"a":1}')), (10, frame(10))])

    def test_a_file_cut_at_any_byte_keeps_whole_frames(self) -> None:
        self.written(frame(1), frame(2), frame(3))
        data, record = self.path.read_bytes(), 8 + len(frame(1))
        head = len(data) - 3 * record
        for length in range(len(data) + 1):
            self.path.write_bytes(data[:length])
            whole = max(0, (length - head) // record)
            self.assertEqual([seq for seq, _ in self.frames()], list(range(1, whole + 1)), length)
            self.written(frame(9))
            self.assertEqual([seq for seq, _ in self.frames()], [*range(1, whole + 1), 9], length)

    def test_a_damaged_frame_ends_the_file(self) -> None:
        self.written(frame(1), frame(2))
        data = bytearray(self.path.read_bytes())
        data[-1] ^= 1
        self.path.write_bytes(data)
        self.assertEqual([seq for seq, _ in self.frames()], [1])

    def test_settled_frames_take_no_room(self) -> None:
        outbox = self.open()
        head = self.path.stat().st_size
        outbox.append(frame(1))
        outbox.settle([], 0, 0)
        self.assertEqual(self.path.stat().st_size, head)
        outbox.append(frame(2))
        outbox.close()
        self.assertEqual([seq for seq, _ in self.frames()], [2])

    def test_a_file_that_is_never_empty_does_not_grow_for_ever(self) -> None:
        outbox, body = self.open(), b'{"a":"' + b"x" * 10_000 + b'"}'
        for seq in range(1, 2001):
            outbox.append(frame(seq, body))
            outbox.settle([frame(seq, body)], 1, len(frame(seq, body)))
        self.assertLess(self.path.stat().st_size, Outbox.SLACK_BYTES + (1 << 20))
        with self.assertRaises(OutboxError):
            self.open()
        outbox.close()
        self.assertEqual(self.frames()[-1], (2000, frame(2000, body)))
        self.assertEqual([file.name for file in self.path.parent.iterdir()], ["outbox"])


if __name__ == "__main__":
    unittest.main()
