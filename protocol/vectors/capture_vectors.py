"""The vectors of captures.json: uncompressed captures in the format of ../captures.md.

They are built without ../examples/capture.py (except for its checksum), so that verify.py can check
that reader against them.
"""

import json
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "examples"))
from capture import checksum  # noqa: E402 (it is found by the path above)

BEGIN = 1_795_000_000_000_000


def varint(value):
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(found + bytes([value]))


def record(delta, connection, kind, body=b"", flags=0, seq=0):
    return (varint(delta) + varint(connection) + bytes([kind, flags]) + varint(seq)
            + varint(len(body)) + body)


def header(number=1, flags=0, first=0, version=2, begin=BEGIN):
    front = struct.pack("<8sHHIQIIqQQ", b"RRCAPTUR", version, flags, 0, 0xAA, number, 0, begin,
                        first, 0)
    return front + struct.pack("<Q", checksum(front))


def chunk(header, records, first, last, size=None, count=None):
    data = b"".join(records)
    rest = struct.pack("<4sIIIIIQQ", b"RRCK", 0, len(data), len(data) if size is None else size,
                       len(records) if count is None else count, 0, first, last) + data
    return struct.pack("<Q", checksum(rest, struct.unpack("<Q", header[56:])[0])) + rest


def captures():
    hello = b'{"v":1,"role":"publisher","app":"com.mygame","producer":"shard-7"}'
    gateway = b'{"v":1,"role":"gateway","app":"com.mygame"}'
    apps = b'{"apps":[{"app":"com.mygame","kinds":[{"kind":"k"}]}]}'
    widgets = b'{"device":"d-1","widgets":[{"id":"w1","kind":"k","configuration":{"hero":"elf"}}]}'
    attach = b'{"devices":["d-1","d-9"]}'
    push = b'{"event":"dragon"}'
    kinds = b"\0\x08\x01k\x05other"
    expires = 1_795_000_060_000
    first = header()
    chunks = [
        chunk(first, [
            record(0, 0, 0xF0, apps), record(0, 1, 0x01, gateway),
            record(0, 1, 0x20, widgets, seq=1), record(0, 1, 0x24, attach, seq=2),
            record(0, 1, 0x00),
            record(1_500, 300, 0x01, hello),
            record(202, 300, 0x10, struct.pack(">Q", expires) + kinds + push, flags=7, seq=7),
            record(0, 300, 0x10, b"\0\0" + push, flags=4, seq=8),
        ], 0, 1_702),
        chunk(first, [
            record(0, 300, 0x10, push, seq=1 << 40),
            record(98_000_000, 0, 0xF1, varint(300)),
            record(1, 300, 0x10, b"\x01\xff", flags=2, seq=(1 << 40) + 1),
        ], 2_000, 98_002_001),
    ]
    lines = [
        {"capture": 2, "recording": "00000000000000aa", "startedAt": BEGIN},
        {"time": 0, "kind": "apps", "body": json.loads(apps)},
        {"time": 0, "connection": 1, "kind": "hello", "body": json.loads(gateway)},
        {"time": 0, "connection": 1, "kind": "widgets", "seq": 1, "body": json.loads(widgets)},
        {"time": 0, "connection": 1, "kind": "attach", "seq": 2, "body": json.loads(attach)},
        {"time": 0, "connection": 1, "kind": "ended"},
        {"time": 1_500, "connection": 300, "kind": "hello", "body": json.loads(hello)},
        {"time": 1_702, "connection": 300, "kind": "push", "urgent": True, "expires": expires,
         "kinds": ["k", "other"], "seq": 7, "body": json.loads(push)},
        {"time": 1_702, "connection": 300, "kind": "push", "kinds": [], "seq": 8, "body": json.loads(push)},
        {"time": 2_000, "connection": 300, "kind": "push", "seq": 1 << 40,
         "body": json.loads(push)},
        {"time": 98_002_000, "kind": "lost", "count": 300},
        {"time": 98_002_001, "connection": 300, "kind": "push", "flags": 2, "seq": (1 << 40) + 1,
         "bytes": "01ff"},
    ]
    whole = first + b"".join(chunks)
    later = header(number=2, flags=1, first=98_002_001)
    one = [record(0, 9, 0x22, b'{"device":"d-1"}', seq=5)]
    former = header(version=1)
    old = one + [record(0, 300, 0x10, struct.pack(">Q", expires) + b'{"kinds":["k"]}', flags=2, seq=6),
                 record(0, 300, 0x10, b'{"a":{"kinds":["k"]}}', seq=7)]
    flipped = bytearray(whole)
    flipped[64 + 60] ^= 1
    return [
        good("all-kinds", "two chunks", whole, lines),
        good("later-file", "the second file of a redacted recording",
             later + chunk(later, one, 98_002_001, 98_002_001),
             [lines[0] | {"number": 2, "firstTime": 98_002_001, "redacted": True},
              {"time": 98_002_001, "connection": 9, "kind": "state", "seq": 5,
               "body": {"device": "d-1"}}]),
        good("empty", "a recorder that was killed at once", first, lines[:1]),
        good("version-1", "the version before has kinds in payloads",
             former + chunk(former, old, 5, 5),
             [lines[0], {"time": 5, "connection": 9, "kind": "state", "seq": 5,
                         "body": {"device": "d-1"}},
              {"time": 5, "connection": 300, "kind": "push", "expires": expires, "kinds": ["k"], "seq": 6,
               "body": {"kinds": ["k"]}},
              {"time": 5, "connection": 300, "kind": "push", "seq": 7, "body": {"a": {"kinds": ["k"]}}}]),
        good("cut-off", "the second chunk is half there", whole[:-9], lines[:9],
             len(chunks[1]) - 9),
        bad("no-capture", "capture-missing", b"RRCAPTUS" + whole[8:]),
        bad("header-checksum", "capture-corrupt", whole[:24] + b"\x02" + whole[25:]),
        bad("begin-too-far", "capture-corrupt", header(begin=-(1 << 60) - 1)),
        bad("time-too-large", "capture-corrupt", header(first=(1 << 60) + 1)),
        bad("record-time-too-large", "capture-corrupt",
            first + chunk(first, [record(1 << 60, 1, 0x00)], 1, 1 << 60)),
        bad("newer", "capture-newer", header(version=3)),
        bad("damaged-chunk", "capture-corrupt", flipped),
        bad("record-count", "capture-corrupt", first + chunk(first, one, 5, 5, count=2)),
        bad("record-kind", "capture-corrupt", first + chunk(first, [record(0, 1, 0x30)], 5, 5)),
        bad("record-cut", "capture-corrupt", first + chunk(first, [one[0][:-1]], 5, 5)),
        bad("long-number", "capture-corrupt",
            first + chunk(first, [b"\x80\x00" + one[0][1:]], 5, 5)),
        bad("last-time", "capture-corrupt", first + chunk(first, one, 5, 6)),
        bad("raw-size", "capture-corrupt", first + chunk(first, one, 5, 5, size=5)),
        bad("time-goes-back", "capture-corrupt",
            first + chunk(first, one, 5, 5) + chunk(first, one, 4, 4)),
    ]


def good(name, meaning, data, lines, cut_off=0):
    return {"name": name, "meaning": meaning, "hex": data.hex(), "lines": lines,
            "cutOff": cut_off}


def bad(name, error, data):
    return {"name": name, "hex": bytes(data).hex(), "error": error}
