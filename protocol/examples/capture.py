"""Reads captures in the format of ../captures.md and prints them as JSON lines.

    python3 capture.py FILE...

Needs only Python 3 and its standard library, and the system's libxxhash and libzstd for checksums and
compression.
"""

import ctypes
import ctypes.util
import json
import struct
import sys

KINDS = {0x00: "ended", 0x01: "hello", 0x10: "push", 0x20: "widgets", 0x21: "timeline",
         0x22: "state", 0x23: "request", 0x24: "attach", 0xF0: "apps", 0xF1: "lost"}
HEADER = struct.Struct("<8sHHIQIIqQQQ")
CHUNK = struct.Struct("<Q4sIIIIIQQ")
TIME_LIMIT = 1 << 60
CHUNK_LIMIT = (1 << 28) + (1 << 20) + 64
URGENT, EXPIRES, NARROWED = 1, 2, 4


class Damaged(Exception):
    """The capture is damaged; the message says how, and where."""


def library(name):
    found = ctypes.util.find_library(name)
    if not found:
        raise OSError(f"there is no library {name}")
    return ctypes.CDLL(found)


def checksum(data, seed=0):
    """The 64-bit XXH3 checksum of the bytes."""
    function = library("xxhash").XXH3_64bits_withSeed
    function.restype = ctypes.c_uint64
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
    return function(bytes(data), len(data), seed)


def decompress(data, size):
    zstd = library("zstd")
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    buffer = ctypes.create_string_buffer(size)
    count = zstd.ZSTD_decompress(buffer, ctypes.c_size_t(size), bytes(data),
                                 ctypes.c_size_t(len(data)))
    if count != size:
        raise Damaged("the chunk does not give the bytes that it says")
    return buffer.raw


class Bytes:
    """A reader of bytes and varints, from the beginning of `data` to its end."""

    def __init__(self, data):
        self.data, self.offset = data, 0

    def take(self, count):
        if count > len(self.data) - self.offset:
            raise Damaged("a record is cut off")
        self.offset += count
        return self.data[self.offset - count:self.offset]

    def varint(self, bits=64):
        value, shift = 0, 0
        while True:
            byte, = self.take(1)
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value >> bits or (byte == 0 and shift):
                    raise Damaged("a number is too large, or longer than necessary")
                return value
            shift += 7
            if shift > 63:
                raise Damaged("a number is too large")


class Capture:
    """One file of a capture: its header, its records, and the number of bytes cut off at its end."""

    def __init__(self, data):
        if len(data) < HEADER.size or data[:8] != b"RRCAPTUR":
            raise Damaged("this is no capture")
        (_, version, flags, _, self.recording, self.number, _, self.started_at, self.first_time, _,
         self.sum) = HEADER.unpack_from(data)
        if checksum(data[:56]) != self.sum:
            raise Damaged("the header's checksum is another one")
        if version > 2:
            raise Damaged(f"the capture is of format {version}")
        if max(abs(self.started_at), self.first_time) > TIME_LIMIT or self.number == 0:
            raise Damaged("a time or a number in the header cannot be")
        self.version = version
        self.redacted = bool(flags & 1)
        self.records, self.cut_off = [], 0
        offset, last = HEADER.size, 0
        while offset < len(data):
            size = self._chunk_size(data, offset)
            if size is None:
                if any(self._chunk_size(data, place) is not None
                       for place in range(offset + 1, len(data))
                       if data[place + 8:place + 12] == b"RRCK"):
                    raise Damaged(f"a chunk is damaged, and others follow it, at byte {offset}")
                self.cut_off = len(data) - offset
                break
            last = self._read(data[offset:offset + size], last)
            offset += size

    def _chunk_size(self, data, offset):
        """The size of the complete chunk that begins at the offset; None if there is none."""
        if len(data) - offset < CHUNK.size:
            return None
        (sum, magic, compression, stored, size, count, _, first,
         last) = CHUNK.unpack_from(data, offset)
        end = offset + CHUNK.size + stored
        if magic != b"RRCK" or compression > 1 or size > CHUNK_LIMIT or end > len(data):
            return None
        if count > size or not first <= last <= TIME_LIMIT:
            return None
        return end - offset if checksum(data[offset + 8:end], self.sum) == sum else None

    def _read(self, chunk, last):
        _, _, compression, _, size, count, _, time, end = CHUNK.unpack_from(chunk)
        stored = chunk[CHUNK.size:]
        if time < last:
            raise Damaged("a chunk begins before the one in front of it ends")
        data = Bytes(decompress(stored, size) if compression else stored)
        for _ in range(count):
            time += data.varint()
            connection = data.varint(32)
            kind, flags = data.take(2)
            seq = data.varint()
            body = data.take(data.varint())
            if kind not in KINDS:
                raise Damaged(f"the kind {kind} is not known")
            is_former = self.version < 2
            self.records.append(line(time, connection, kind, flags, seq, body, is_former))
        if data.offset != size or time != end:
            raise Damaged("the records are not what their chunk says")
        return end

    @property
    def header(self):
        found = {"capture": 2, "recording": f"{self.recording:016x}",
                 "startedAt": self.started_at}
        if self.number != 1:
            found["number"] = self.number
        if self.first_time:
            found["firstTime"] = self.first_time
        if self.redacted:
            found["redacted"] = True
        return found


def parts_of_push(flags, body):
    """What flags put in front of a payload, and the payload."""
    parts = {}
    if flags & EXPIRES:
        if len(body) < 8:
            raise ValueError("no date")
        parts["expires"], body = int.from_bytes(body[:8], "big"), body[8:]
    if flags & NARROWED:
        end = 2 + int.from_bytes(body[:2], "big")
        names, body, parts["kinds"] = body[2:end], body[end:], []
        while names:
            parts["kinds"].append(names[1:1 + names[0]].decode())
            names = names[1 + names[0]:]
    return parts, body


def line(time, connection, kind, flags, seq, body, is_former=False):
    """The JSON line of a record, as a dictionary. Former captures have a push's kinds in its payload."""
    found = {"time": time, "kind": KINDS[kind]}
    if connection:
        found["connection"] = connection
    if seq:
        found["seq"] = seq
    if flags & URGENT:
        found["urgent"] = True
    rest = flags & ~URGENT
    if kind == 0xF1:
        found["count"] = Bytes(body).varint()
    elif body:
        try:
            parts, content = parts_of_push(flags, body) if kind == 0x10 else ({}, body)
            content = json.loads(content)
            if not isinstance(content, dict):
                raise ValueError("no object")
            if is_former and kind == 0x10 and isinstance(content.get("kinds"), list):
                parts["kinds"] = content["kinds"]
            found |= parts | {"body": content}
            rest &= ~(EXPIRES | NARROWED) if kind == 0x10 else 0xFF
        except ValueError:
            found["bytes"] = body.hex()
    if rest:
        found["flags"] = rest
    return found


def read(paths):
    """Reads the files of one recording.

    Returns the header of the first file and the records of all, without those that later files repeat.
    """
    files = []
    for path in paths:
        with open(path, "rb") as file:
            files.append(Capture(file.read()))
    files.sort(key=lambda file: file.number)
    if len({(file.recording, file.started_at, file.redacted) for file in files}) > 1:
        raise Damaged("the files are of different recordings")
    records, apps, open_sessions = [], None, {}
    for index, file in enumerate(files):
        for record in file.records:
            known = False
            connection, body = record.get("connection", 0), record.get("body")
            if record["kind"] == "apps":
                known, apps = body == apps, body
            elif record["kind"] == "hello":
                session = (record.get("seq", 0), body)
                known = open_sessions.get(connection) == session
                open_sessions[connection] = session
            elif record["kind"] == "ended":
                open_sessions.pop(connection, None)
            if index == 0 or not known:
                records.append(record)
    return files[0].header, records


if __name__ == "__main__":
    header, records = read(sys.argv[1:])
    for entry in [header] + records:
        print(json.dumps(entry, separators=(",", ":"), ensure_ascii=False))
