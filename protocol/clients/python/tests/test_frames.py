"""The golden vectors of the protocol."""

from __future__ import annotations

import json
import unittest
from typing import Any

from reloadrouter import frames

from .router import VECTORS


def bytes_of(frame: dict[str, Any]) -> bytes:
    return bytes.fromhex(frame["bodyHex"]) if "bodyHex" in frame else frame["body"].encode()


class Frames(unittest.TestCase):
    def setUp(self) -> None:
        self.vectors = json.loads((VECTORS / "frames.json").read_text())

    def test_frames_are_encoded_as_the_vectors_say(self) -> None:
        for vector in self.vectors:
            frame = vector["frame"]
            with self.subTest(vector["name"]):
                found = frames.encode(frame["type"], int(frame["seq"]), bytes_of(frame), frame["flags"])
                self.assertEqual(found.hex(), vector["hex"])

    def test_frames_are_decoded_as_the_vectors_say(self) -> None:
        for vector in self.vectors:
            frame, data = vector["frame"], bytes.fromhex(vector["hex"])
            for size in (1, 7, len(data)):
                with self.subTest(vector["name"], size=size):
                    reader, found = frames.FrameReader(), []
                    for start in range(0, len(data), size):
                        found += reader.feed(data[start : start + size])
                    self.assertEqual(found, [(frame["type"], int(frame["seq"]), bytes_of(frame))])

    def test_lengths_that_no_frame_has_are_refused(self) -> None:
        found = 0
        for vector in json.loads((VECTORS / "malformed.json").read_text()):
            data = bytes.fromhex(vector["hex"])
            length = int.from_bytes(data[:4], "big")
            if vector["error"] == "frame-length" and not 12 <= length <= 12 + frames.LONGEST_BODY:
                found += 1
                with self.subTest(vector["name"]), self.assertRaises(frames.FrameError):
                    list(frames.FrameReader().feed(data))
        self.assertGreaterEqual(found, 3)

    def test_what_json_cannot_say_is_refused(self) -> None:
        for value in (float("nan"), float("inf")):
            with self.assertRaises(ValueError):
                frames.push_body({"value": value})


if __name__ == "__main__":
    unittest.main()
