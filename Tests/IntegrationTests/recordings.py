"""Recordings for tests, read by `protocol/examples/capture.py`.

What a crash has cut off at the end of a file is left out.
"""

import contextlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "protocol" / "examples"))
import capture  # noqa: E402 (it is found by the path above)


class Record:
    """One input, as it was recorded."""

    def __init__(self, line):
        self.time, self.kind, self.json = line["time"], line["kind"], line.get("body")
        self.connection, self.seq = line.get("connection", 0), line.get("seq", 0)
        self.is_urgent, self.expires = line.get("urgent", False), line.get("expires")
        self.count = line.get("count")

    def __repr__(self):
        return f"<{self.time} {self.kind} of {self.connection}, {self.seq}: {self.json}>"


class CaptureFile(capture.Capture):
    """A file of a recording, with the bytes of its records."""

    def __init__(self, data):
        self.plain = b""
        super().__init__(data)
        self.records = list(map(Record, self.records))

    def _read(self, chunk, last):
        _, _, compression, _, size, *_ = capture.CHUNK.unpack_from(chunk)
        stored = chunk[capture.CHUNK.size:]
        self.plain += capture.decompress(stored, size) if compression else stored
        return super()._read(chunk, last)


def read(folder):
    """The files of the one recording in a folder, in order; without one that has just been made and has no
    header yet, or is removed meanwhile."""
    contents = []
    for path in pathlib.Path(folder).iterdir():
        with contextlib.suppress(FileNotFoundError):
            contents.append(path.read_bytes())
    begun = [data for data in contents if len(data) >= capture.HEADER.size]
    files = sorted(map(CaptureFile, begun), key=lambda f: f.number)
    assert len({f.recording for f in files}) <= 1, "the files are of one recording"
    return files
