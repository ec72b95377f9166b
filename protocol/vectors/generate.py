"""Writes the golden byte vectors beside this file; with --check, compares instead of writing.

frames.json      one or more frames of every type: their bytes, and their fields and meaning
malformed.json   bytes that must be refused, with the code, and the state of the connection
json.json        documents that a strict JSON reader accepts or refuses
patterns.json    patterns and events: whether they match, or the code of a refusal (pattern_cases.py)
captures.json    uncompressed captures, with their JSON lines or the error (capture_vectors.py)

Bytes are given in hex, and so are bodies that are not plain text. The states assume the app
"com.mygame" with the kinds "com.mygame.character-detail" (rule
{"character":["${configuration.character}"]}) and "com.mygame.leaderboard", and a device session of
"d-1", for which the widget "w1" is stored. Nothing is stored for "d-9".
"""

import json
import pathlib
import struct
import sys

from capture_vectors import captures
from pattern_cases import patterns

HERE = pathlib.Path(__file__).parent
HELLO, WELCOME, PING, PONG, PUSH, ACK, REJECT = 0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12
OUTCOME = 0x13
WIDGETS, TIMELINE, STATE, REQUEST, ATTACH = 0x20, 0x21, 0x22, 0x23, 0x24
RELOAD, SCHEDULED, DETACHED, ATTACHED, ERROR, GOAWAY = 0x30, 0x31, 0x32, 0x33, 0x7E, 0x7F
DATE = 1_795_000_000_000
DETAIL = "com.mygame.character-detail"


def frame(kind, seq=0, body=b"", flags=0, reserved=0, length=None):
    length = 12 + len(body) if length is None else length
    return struct.pack(">IBBHQ", length, kind, flags, reserved, seq) + body


def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def names(*kinds):
    """What flag 0x04 puts in front of a payload: the length of all names, and each after its own."""
    listed = b"".join(bytes([len(kind)]) + kind.encode() for kind in kinds)
    return struct.pack(">H", len(listed)) + listed


def good(name, meaning, kind, seq=0, body=b"", flags=0):
    decoded = {"type": kind, "flags": flags, "seq": str(seq)}
    try:
        decoded["body"] = body.decode()
        if flags & 6:
            raise UnicodeDecodeError("utf-8", body, 0, 1, "binary")
    except UnicodeDecodeError:
        decoded.pop("body", None)
        decoded["bodyHex"] = body.hex()
    data = frame(kind, seq, body, flags)
    return {"name": name, "meaning": meaning, "hex": data.hex(), "frame": decoded}


def frames():
    hello = {"v": 1, "role": "publisher", "app": "com.mygame", "token": "t", "producer": "shard-7"}
    device = {"v": 1, "role": "device", "app": "com.mygame", "token": "t", "device": "d-1"}
    welcome = {"v": 1, "session": "00112233445566778899aabbccddeeff", "maxBody": 65536}
    potion = {"event": "healing-potion", "character": "elf-42", "amount": 25}
    widget = {"id": "w1", "kind": DETAIL, "family": "systemSmall"}
    widget["configuration"] = {"character": "elf-42"}
    until = struct.pack(">Q", 1795000000000)
    count = struct.pack(">I", 3)
    named = {"device": "d-1", "widget": "w1", "kind": DETAIL}
    timeline = {"device": "d-1", "widget": "w1", "reload": 17, "entries": [1795000000000]}
    return [
        good("hello-publisher", "A publisher introduces itself.", HELLO, 0, text(hello)),
        good("hello-outcomes", "A publisher asks what becomes of its pushes.", HELLO, 0,
             text(hello | {"outcomes": True})),
        good("hello-acked", "A publisher reconnects, and asks which pushes after 120 were rejected.", HELLO,
             0, text(hello | {"acked": 120})),
        good("hello-device", "A device introduces itself.", HELLO, 0, text(device)),
        good("hello-gateway", "The shortest HELLO.", HELLO, 0,
             text({"v": 1, "role": "gateway", "app": "a"})),
        good("welcome-publisher", "lastSeq says where to go on.", WELCOME, 0,
             text(welcome | {"window": 8192, "lastSeq": 123})),
        good("welcome-rejected", "Of the pushes after 120, two were rejected.", WELCOME, 0,
             text(welcome | {"window": 8192, "lastSeq": 123, "rejected": [
                 {"seq": 122, "code": "payload-not-json"}, {"seq": 125, "code": "pattern-cost"}]})),
        good("welcome-rejected-after", "Rejections up to 300 are not known any more.", WELCOME, 0,
             text(welcome | {"window": 8192, "lastSeq": 900, "rejected": [
                 {"seq": 301, "code": "payload-not-json"}], "rejectedAfter": 300})),
        good("welcome-behind", "HELLO said acked 120, and the router knows nothing of 101 to 120.", WELCOME, 0,
             text(welcome | {"window": 8192, "lastSeq": 100, "rejected": [], "behind": 20})),
        good("welcome-device", "Devices have no lastSeq.", WELCOME, 0,
             text(welcome | {"window": 8192})),
        good("ping", "Are you there?", PING, 7),
        good("pong", "Yes; the seq is the ping's.", PONG, 7),
        good("push", "The healing potion.", PUSH, 124, text(potion)),
        good("push-empty", "The smallest payload.", PUSH, 125, b"{}"),
        good("push-kinds", "Narrowed to one kind.", PUSH, 126,
             names("com.mygame.leaderboard") + text(potion), 4),
        good("push-kinds-two", "Narrowed to two kinds.", PUSH, 126,
             names("com.mygame.leaderboard", DETAIL) + text(potion), 4),
        good("push-kinds-none", "Narrowed to no kind: it matches nothing.", PUSH, 126, names() + text(potion), 4),
        good("push-kinds-member", "A member of the payload like any other.", PUSH, 126, text({"kinds": 7})),
        good("push-urgent", "May go before others.", PUSH, 127, text(potion), 1),
        good("push-expires", "Void from 1795000000000 on.", PUSH, 128, until + text(potion), 2),
        good("push-urgent-expires", "Both.", PUSH, 129, until + text(potion), 3),
        good("push-all-flags", "The date, then the kinds, then the payload.", PUSH, 129,
             until + names("com.mygame.leaderboard") + text(potion), 7),
        good("push-largest-seq", "The highest seq.", PUSH, 2**53 - 1, b"{}"),
        good("ack-publisher", "All up to 129; 3 widgets matched.", ACK, 129, count),
        good("ack-device", "To a device: all up to 2.", ACK, 2),
        good("reject", "Push 130 is refused.", REJECT, 130,
             text({"code": "payload-not-json", "retry": "no", "message": "byte 1: a sentence"})),
        good("outcome-sent", "Push 127 has reloaded its widget.", OUTCOME, 127,
             text({"matched": 1, "counts": {"sent": 1}, "widgets": [named | {"outcome": "sent"}]})),
        good("outcome-put-off", "Push 128 waits, and joins a waiting reload.", OUTCOME, 128,
             text({"matched": 6, "counts": {"spacing": 5, "coalesced": 1}, "widgets": [
                 named | {"outcome": "spacing", "until": 1795000300000,
                          "why": "a widget's reloads are 5 min apart"},
                 named | {"widget": "w2", "outcome": "coalesced", "joins": "debounced",
                          "until": 1795000002000, "why": "until 2 s pass without a push"}]})),
        good("outcome-none", "Push 129 matches no widget.", OUTCOME, 129,
             text({"matched": 0, "counts": {}, "widgets": [], "registered": 12,
                   "nearest": named | {"field": "character", "text": "character: a sentence"}})),
        good("outcome-duplicate", "Push 3 came before.", OUTCOME, 3,
             text({"matched": 0, "duplicate": True, "counts": {}, "widgets": []})),
        good("outcome-paused", "The app's pushes wait.", OUTCOME, 0, text({"paused": True})),
        good("widgets", "One widget.", WIDGETS, 1, text({"device": "d-1", "widgets": [widget]})),
        good("widgets-lists", "Lists, numbers and booleans; a push token.", WIDGETS, 2,
             text({"device": "d-1", "pushToken": "ab01", "widgets": [
                 {"id": "w2", "kind": "com.mygame.leaderboard"},
                 {"id": "w3", "kind": DETAIL,
                  "configuration": {"character": ["a", "b"], "level": 3, "hard": True}}]})),
        good("widgets-empty-list", "An empty list stands for an empty configuration.", WIDGETS, 4,
             text({"device": "d-1", "widgets": [
                 {"id": "w2", "kind": "com.mygame.leaderboard", "configuration": []}]})),
        good("widgets-none", "The device is forgotten.", WIDGETS, 3,
             text({"device": "d-1", "widgets": []})),
        good("timeline-at-end", "Reload at the last entry.", TIMELINE, 4,
             text(timeline | {"policy": "atEnd"})),
        good("timeline-never", "No reload by date.", TIMELINE, 5,
             text(timeline | {"policy": "never"})),
        good("timeline-after", "Not before a date.", TIMELINE, 6,
             text(timeline | {"policy": {"after": 1795003600000}})),
        good("timeline-because", "Unasked: somebody used a button of the widget.", TIMELINE, 11,
             text({"device": "d-1", "widget": "w1", "because": "intent",
                   "entries": [1795000000000], "policy": "never"})),
        good("timeline-own-timer", "The told date goes into the device's own after(_:).",
             TIMELINE, 12,
             text(timeline | {"policy": {"after": 1795003600000}, "ownTimer": True})),
        good("timeline-close", "Entries a minute apart: taken, with a warning.", TIMELINE, 13,
             text(timeline | {"entries": [1795000000000, 1795000060000], "policy": "atEnd"})),
        good("state", "Everything that can change.", STATE, 7,
             text({"device": "d-1", "foreground": True, "media": "audio", "visible": ["w1"],
                   "location": "significant-change"})),
        good("state-silent", "Nothing plays any more.", STATE, 8,
             text({"device": "d-1", "media": None})),
        good("request-kind", "reloadTimelines(ofKind:)", REQUEST, 9,
             text({"device": "d-1", "kind": DETAIL})),
        good("request-all", "reloadAllTimelines()", REQUEST, 10, text({"device": "d-1"})),
        good("request-download", "A reload's own download has finished.", REQUEST, 14,
             text({"device": "d-1", "kind": DETAIL, "because": "download"})),
        good("attach", "A gateway speaks for three devices from now on.", ATTACH, 15,
             text({"devices": ["d-1", "d-2", "d-9"]})),
        good("attach-none", "An ATTACH without devices.", ATTACH, 16, text({"devices": []})),
        good("attached", "It speaks for all of them.", ATTACHED, 15, text({"attached": 3})),
        good("attached-but", "It speaks for one of four.", ATTACHED, 15,
             text({"attached": 1, "unknown": ["d-9"], "own": ["d-2"], "foreign": ["x-1"]})),
        good("reload", "Reload one kind because of one widget.", RELOAD, 17,
             text({"device": "d-1", "kinds": [DETAIL], "widgets": ["w1"], "cause": "push"})),
        good("reload-values", "With the values that one of the widgets shows.", RELOAD, 18,
             text({"device": "d-1", "kinds": [DETAIL], "widgets": ["w1", "w3"], "cause": "push",
                   "values": {"w1": {"hp": 30, "level": 5}}})),
        good("reload-download", "After a finished download.", RELOAD, 19,
             text({"device": "d-1", "kinds": [DETAIL], "widgets": ["w1"], "cause": "download"})),
        good("scheduled", "The date that a TIMELINE was given.", SCHEDULED, 6,
             text({"device": "d-1", "widget": "w1", "reloadAt": 1795003600000, "slotDelay": 0})),
        good("scheduled-warning", "Taken, but the entries are too close.", SCHEDULED, 13,
             text({"device": "d-1", "widget": "w1", "reloadAt": 1795000301500, "slotDelay": 1500,
                   "warning": "entries-close"})),
        good("detached", "A gateway's device has connected by itself.", DETACHED, 0,
             text({"device": "d-1", "reason": "session"})),
        good("error", "The session ends.", ERROR, 0,
             text({"code": "hello-expected", "retry": "no", "message": "the first frame is PUSH"})),
        good("error-later", "The router has no room; another attempt may succeed.", ERROR, 0,
             text({"code": "too-many-connections", "retry": "later", "message": "a sentence"})),
        good("error-reconnect", "A new connection is accepted at once.", ERROR, 0,
             text({"code": "ping-timeout", "retry": "reconnect", "message": "a sentence"})),
        good("goaway", "The router drains.", GOAWAY, 0, text({"reason": "drain"})),
    ]


def bad(name, role, code, data, meaning, effect="error"):
    return {"name": name, "meaning": meaning, "role": role, "hex": data.hex(), "error": code,
            "effect": effect}


def malformed_frames():
    hello = text({"v": 1, "role": "gateway", "app": "com.mygame"})
    return [
        bad("length-0", "none", "frame-length", frame(HELLO, length=0), "length under 12"),
        bad("length-11", "publisher", "frame-length", frame(PUSH, 1, length=11), "length under 12"),
        bad("length-huge", "publisher", "frame-length", b"\xff\xff\xff\xff",
            "four bytes suffice to refuse"),
        bad("length-over", "publisher", "frame-length", struct.pack(">I", 12 + 65537),
            "one byte over maxBody"),
        bad("http", "none", "frame-length", b"GET / HTTP/1.1\r\n\r\n", "another protocol"),
        bad("type-0", "publisher", "frame-type", frame(0), "no such type"),
        bad("type-ff", "device", "frame-type", frame(0xFF), "no such type"),
        bad("flag-on-hello", "none", "frame-flags", frame(HELLO, 0, hello, 1), "no flags there"),
        bad("flag-unknown", "publisher", "frame-flags", frame(PUSH, 1, b"{}", 8), "bit 0x08"),
        bad("reserved", "publisher", "frame-reserved", frame(PUSH, 1, b"{}", 0, 1), "not zero"),
        bad("type-before-reserved", "publisher", "frame-type", frame(0x50, 0, b"", 0xFF, 1),
            "the type is judged before reserved bytes and flags"),
        bad("reserved-before-flags", "publisher", "frame-reserved", frame(PING, 0, b"", 1, 1),
            "reserved bytes are judged before flags"),
        bad("flags-before-role", "publisher", "frame-flags", frame(RELOAD, 0, b"{}", 1),
            "flags are judged before who may send the type"),
        bad("role-before-body", "publisher", "frame-unexpected", frame(STATE, 0, b"{"),
            "who may send it is judged before seq and body"),
        bad("hello-before-body", "none", "hello-expected", frame(PING, 0, b"x"),
            "PING must be empty, but HELLO comes first"),
        bad("first-push", "none", "hello-expected", frame(PUSH, 1, b"{}"), "HELLO comes first"),
        bad("first-ping", "none", "hello-expected", frame(PING), "HELLO comes first"),
        bad("hello-seq", "none", "hello-invalid", frame(HELLO, 1, hello), "seq must be 0"),
        bad("second-hello", "publisher", "frame-unexpected", frame(HELLO, 0, hello), "only one"),
        bad("push-from-device", "device", "frame-unexpected", frame(PUSH, 1, b"{}"), "not its"),
        bad("widgets-from-publisher", "publisher", "frame-unexpected",
            frame(WIDGETS, 1, b"{}"), "not its"),
        bad("ack-from-publisher", "publisher", "frame-unexpected", frame(ACK, 1), "not its"),
        bad("welcome-from-client", "device", "frame-unexpected", frame(WELCOME), "the router's"),
        bad("reload-from-client", "gateway", "frame-unexpected", frame(RELOAD, 1), "the router's"),
        bad("detached-from-client", "gateway", "frame-unexpected", frame(DETACHED), "the router's"),
        bad("attached-from-client", "gateway", "frame-unexpected", frame(ATTACHED), "the router's"),
        bad("attach-from-device", "device", "frame-unexpected",
            frame(ATTACH, 1, text({"devices": ["d-1"]})), "a device has said in HELLO who it is"),
        bad("outcome-from-client", "publisher", "frame-unexpected", frame(OUTCOME, 1),
            "the router's"),
        bad("error-from-client", "publisher", "frame-unexpected", frame(ERROR), "the router's"),
        bad("goaway-from-client", "device", "frame-unexpected", frame(GOAWAY), "the router's"),
        bad("ping-with-body", "publisher", "frame-length", frame(PING, 1, b"x"), "must be empty"),
        bad("pong-with-body", "device", "frame-length", frame(PONG, 1, b"x"), "must be empty"),
        bad("ack-from-device", "device", "frame-unexpected", frame(ACK, 1), "TIMELINE is the answer"),
        bad("ack-from-gateway", "gateway", "frame-unexpected", frame(ACK, 1), "TIMELINE is the answer"),
        bad("push-seq-53-bits", "publisher", "seq-too-high", frame(PUSH, 2**53, b"{}"), "2^53 - 1 is the last"),
        bad("push-seq-64-bits", "publisher", "seq-too-high", frame(PUSH, 2**64 - 1, b"{}"), "and no other"),
        bad("push-seq-jump", "publisher", "seq-too-high", frame(PUSH, 2**32 + 1, b"{}"),
            "more than 2^32 above the last one, which is 0"),
        bad("device-seq-53-bits", "device", "seq-too-high",
            frame(REQUEST, 2**53, text({"device": "d-1"})), "2^53 - 1 is the last"),
        bad("push-seq-0", "publisher", "seq-not-rising", frame(PUSH, 0, b"{}"), "from 1"),
        bad("device-seq-0", "device", "seq-not-rising",
            frame(REQUEST, 0, text({"device": "d-1"})), "from 1"),
        bad("device-seq-before-body", "device", "seq-not-rising", frame(STATE, 0, b"{"),
            "the seq is judged before the body"),
    ]


def malformed_hellos():
    whole = {"v": 1, "role": "publisher", "app": "com.mygame", "token": "t", "producer": "p"}

    def case(name, code, change, meaning):
        body = {key: value for key, value in (whole | change).items() if value is not ...}
        return bad("hello-" + name, "none", code, frame(HELLO, 0, text(body)), meaning)

    return [
        case("no-v", "hello-invalid", {"v": ...}, "v is missing"),
        case("v2", "version-unsupported", {"v": 2}, "no such version"),
        case("v-text", "hello-invalid", {"v": "1"}, "v is a string"),
        case("no-role", "hello-invalid", {"role": ...}, "role is missing"),
        case("role", "hello-invalid", {"role": "admin"}, "no such role"),
        case("no-app", "hello-invalid", {"app": ...}, "app is missing"),
        case("no-producer", "hello-invalid", {"producer": ...}, "producer is missing"),
        case("no-device", "hello-invalid", {"role": "device"}, "device is missing"),
        case("role-number", "hello-invalid", {"role": 1}, "role is a number"),
        case("app-null", "hello-invalid", {"app": None}, "app is null"),
        case("token-number", "hello-invalid", {"token": 7}, "token is a number"),
        case("producer-list", "hello-invalid", {"producer": ["p"]}, "producer is a list"),
        case("outcomes-number", "hello-invalid", {"outcomes": 1}, "outcomes is a number"),
        case("acked-text", "hello-invalid", {"acked": "7"}, "acked is a string"),
        case("acked-high", "hello-invalid", {"acked": 2**53}, "2^53 - 1 is the highest"),
        case("control-producer", "identifier-invalid", {"producer": "a\x7f"}, "control character"),
        case("escaped-producer", "identifier-invalid", {"producer": "a\tb"},
             "a control character, though written as an escape"),
        case("c1-producer", "identifier-invalid", {"producer": "a\x85b"},
             "U+0085, a control character beyond ASCII"),
        case("override-producer", "identifier-invalid", {"producer": "a\u202eb"},
             "U+202E turns the direction of writing"),
        case("isolate-app", "identifier-invalid", {"app": "a\u2066b"}, "U+2066, too"),
        case("mark-producer", "identifier-invalid", {"producer": "a\u061cb"}, "and U+061C"),
        case("separator-producer", "identifier-invalid", {"producer": "a\u2028b"},
             "U+2028 ends a line"),
        case("blank-producer", "identifier-invalid", {"producer": "a\u200bb"}, "U+200B has no width"),
        case("tag-app", "identifier-invalid", {"app": "a\U000e0041"},
             "U+E0041, a format character of four bytes"),
        case("dot-producer", "identifier-invalid", {"producer": "."}, "a step of a path"),
        case("dots-app", "identifier-invalid", {"app": ".."}, "two dots, too"),
        case("backslash-app", "identifier-invalid", {"app": "a\\b"}, "a backslash"),
        case("multibyte-producer", "identifier-invalid", {"producer": "\u20ac" * 43},
             "43 characters, but 129 bytes"),
        case("reserved-producer", "identifier-invalid", {"producer": "(http)"},
             "names in parentheses are the router's"),
        case("empty-producer", "identifier-invalid", {"producer": ""}, "identifier is empty"),
        case("long-producer", "identifier-invalid", {"producer": "p" * 129}, "too long"),
        case("quoted-app", "identifier-invalid", {"app": 'a"b'}, "a quotation mark"),
        case("app-unknown", "token-invalid", {"app": "com.nowhere"}, "not declared"),
        bad("hello-not-json", "none", "payload-not-json", frame(HELLO, 0, b"{"), "cut off"),
        bad("hello-not-utf8", "none", "payload-not-utf8", frame(HELLO, 0, b'{"a":"\xff"}'), "ff"),
        bad("hello-empty", "none", "payload-not-json", frame(HELLO), "no body"),
        bad("hello-list", "none", "payload-not-object", frame(HELLO, 0, b"[]"), "a list"),
        bad("hello-deep", "none", "payload-too-deep",
            frame(HELLO, 0, b'{"a":' * 32 + b"{}" + b"}" * 32), "33 levels"),
        bad("hello-duplicate", "none", "payload-duplicate-key",
            frame(HELLO, 0, b'{"v":1,"v":1}'), "v stands twice"),
        bad("hello-overflow", "none", "payload-number-range",
            frame(HELLO, 0, b'{"v":1e400}'), "no double holds 1e400"),
    ]


BROKEN = [
    ("not-utf8", "payload-not-utf8", b'{"a":"\xc3"}'),
    ("overlong", "payload-not-utf8", b'{"a":"\xc0\xaf"}'),
    ("empty", "payload-not-json", b""),
    ("not-json", "payload-not-json", b"{a:1}"),
    ("trailing", "payload-not-json", b"{} x"),
    ("lone-surrogate", "payload-not-json", b'{"a":"\\ud800"}'),
    ("array", "payload-not-object", b"[1]"),
    ("depth-33", "payload-too-deep", b'{"a":' * 32 + b"{}" + b"}" * 32),
    ("duplicate", "payload-duplicate-key", b'{"a":1,"a":2}'),
    ("duplicate-escaped", "payload-duplicate-key", b'{"a":1,"\\u0061":2}'),
    ("duplicate-nested", "payload-duplicate-key", b'{"x":[{"a":1,"a":2}]}'),
    ("overflow", "payload-number-range", b'{"a":1e400}'),
]


def malformed_bodies():
    cases = [
        bad("push-" + name, "publisher", code, frame(PUSH, 1, body), "see the code", "reject")
        for name, code, body in BROKEN
    ] + [
        bad("widgets-" + name, "device", code, frame(WIDGETS, 9, body), "see the code", "reject")
        for name, code, body in BROKEN
    ] + [
        bad("push-expiring-" + name, "publisher", code, frame(PUSH, 1, bytes(8) + body, 2),
            "a void push is judged like any other", "reject")
        for name, code, body in BROKEN[:3]
    ]
    for name, body, flags, meaning in [
        ("empty", b"", 4, "no length"), ("half", b"\0", 4, "half of the length"),
        ("json", b"{}", 4, "the payload where the length belongs"),
        ("long", b"\0\4\4abc{}", 4, "a name beyond the end of the names"),
        ("nameless", b"\0\1\0{}", 4, "a name of no bytes"),
        ("huge", b"\0\x82\x81" + b"k" * 129 + b"{}", 4, "a name of 129 bytes"),
        ("beyond", b"\xff\xff\1k{}", 4, "names beyond the end of the body"),
        ("date-only", bytes(8), 6, "a date, and nothing behind it"),
    ]:
        cases.append(bad("push-kinds-" + name, "publisher", "payload-kinds", frame(PUSH, 1, body, flags),
                         meaning, "reject"))
    cases.append(bad("push-kinds-expiry", "publisher", "payload-expiry", frame(PUSH, 1, b"\0\0{}", 6),
                     "too short for the date, which comes first", "reject"))
    cases.append(bad("push-kinds-payload", "publisher", "payload-not-json",
                     frame(PUSH, 1, names("k") + b"{", 4), "the payload is cut off", "reject"))
    cases.append(bad("push-expiry", "publisher", "payload-expiry", frame(PUSH, 1, b"{}", 2),
                     "too short for the date", "reject"))
    cases.append(bad("push-expiry-7", "publisher", "payload-expiry", frame(PUSH, 1, bytes(7), 3),
                     "one byte too short for the date", "reject"))
    for name, date in [("zero", 0), ("seconds", DATE // 1_000), ("microseconds", DATE * 1_000)]:
        cases.append(bad("push-expiry-" + name, "publisher", "payload-expiry",
                         frame(PUSH, 1, date.to_bytes(8, "big") + b"{}", 2), "no date in milliseconds", "reject"))
    cases.append(bad("push-expiry-alone", "publisher", "payload-not-json",
                     frame(PUSH, 1, b"\xff" * 8, 2), "a date and no payload", "reject"))
    return cases + malformed_device_bodies()


def malformed_device_bodies():
    widget = {"id": "w1", "kind": DETAIL}
    line = {"device": "d-1", "widget": "w1", "entries": [1], "policy": "never"}

    def case(name, code, kind, body):
        return bad(name, "device", code, frame(kind, 9, text(body)), "see the code", "reject")

    def gateway(name, code, kind, body):
        return bad(name, "gateway", code, frame(kind, 9, text(body)), "see the code", "reject")

    def widgets(name, code, *entries):
        return case("widgets-" + name, code, WIDGETS, {"device": "d-1", "widgets": entries})

    return [
        case("widgets-no-device", "body-invalid", WIDGETS, {"widgets": []}),
        case("widgets-no-list", "body-invalid", WIDGETS, {"device": "d-1"}),
        case("widgets-list-text", "body-invalid", WIDGETS, {"device": "d-1", "widgets": "w"}),
        case("widgets-foreign", "device-foreign", WIDGETS, {"device": "d-2", "widgets": []}),
        widgets("entry-text", "body-invalid", "w1"),
        widgets("no-id", "body-invalid", {"kind": DETAIL}),
        widgets("no-kind", "body-invalid", {"id": "w1"}),
        widgets("id-empty", "identifier-invalid", {"id": "", "kind": DETAIL}),
        widgets("twice", "widget-duplicate", widget, widget),
        widgets("kind-unknown", "kind-unknown", {"id": "w1", "kind": "com.mygame.none"}),
        widgets("null", "configuration-invalid", widget | {"configuration": {"a": None}}),
        widgets("object", "configuration-invalid", widget | {"configuration": {"a": {}}}),
        widgets("many", "too-many-widgets",
                *[{"id": f"w{n}", "kind": DETAIL} for n in range(257)]),
        case("timeline-foreign", "device-foreign", TIMELINE, line | {"device": "d-2"}),
        case("timeline-widget", "widget-unknown", TIMELINE, line | {"widget": "w9"}),
        case("timeline-policy", "body-invalid", TIMELINE, line | {"policy": "soon"}),
        case("timeline-entries", "timeline-invalid", TIMELINE, line | {"entries": [2, 1]}),
        case("timeline-many", "timeline-invalid", TIMELINE, line | {"entries": [1] * 401}),
        case("timeline-no-entries", "body-invalid", TIMELINE,
             {key: value for key, value in line.items() if key != "entries"}),
        case("state-foreground", "body-invalid", STATE, {"device": "d-1", "foreground": 1}),
        case("state-media", "body-invalid", STATE, {"device": "d-1", "media": "film"}),
        case("state-visible", "widget-unknown", STATE, {"device": "d-1", "visible": ["w9"]}),
        case("state-location", "body-invalid", STATE, {"device": "d-1", "location": "here"}),
        case("request-kind", "kind-unknown", REQUEST, {"device": "d-1", "kind": "none"}),
        case("request-foreign", "device-foreign", REQUEST, {"device": "d-2"}),
        case("widgets-device-number", "body-invalid", WIDGETS, {"device": 1, "widgets": []}),
        case("widgets-token-number", "body-invalid", WIDGETS,
             {"device": "d-1", "pushToken": 1, "widgets": []}),
        case("widgets-token-long", "identifier-invalid", WIDGETS,
             {"device": "d-1", "pushToken": "a" * 1024, "widgets": []}),
        case("widgets-token-odd", "identifier-invalid", WIDGETS,
             {"device": "d-1", "pushToken": "7f3", "widgets": []}),
        case("widgets-token-description", "identifier-invalid", WIDGETS,
             {"device": "d-1", "pushToken": "<7f3a0000 00000001>", "widgets": []}),
        case("widgets-token-base64", "identifier-invalid", WIDGETS,
             {"device": "d-1", "appPushToken": "fzoAAAAAAAAAAAAAAAAAAAAAAAA=", "widgets": []}),
        widgets("id-number", "body-invalid", {"id": 1, "kind": DETAIL}),
        widgets("id-long", "identifier-invalid", {"id": "w" * 129, "kind": DETAIL}),
        widgets("id-control", "identifier-invalid", {"id": "w\x00", "kind": DETAIL}),
        widgets("kind-null", "body-invalid", {"id": "w1", "kind": None}),
        widgets("kind-empty", "identifier-invalid", {"id": "w1", "kind": ""}),
        widgets("family-list", "body-invalid", widget | {"family": []}),
        widgets("configuration-list", "body-invalid", widget | {"configuration": [1]}),
        widgets("configuration-nested", "body-invalid", widget | {"configuration": [[]]}),
        widgets("configuration-null", "body-invalid", widget | {"configuration": None}),
        widgets("list-null", "configuration-invalid", widget | {"configuration": {"a": [1, None]}}),
        widgets("list-list", "configuration-invalid", widget | {"configuration": {"a": [["b"]]}}),
        widgets("parameters-65", "configuration-invalid",
                widget | {"configuration": {f"p{n}": n for n in range(65)}}),
        widgets("second-bad", "kind-unknown", widget, {"id": "w2", "kind": "com.mygame.none"}),
        case("timeline-no-widget", "body-invalid", TIMELINE,
             {key: value for key, value in line.items() if key != "widget"}),
        case("timeline-widget-number", "body-invalid", TIMELINE, line | {"widget": 1}),
        case("timeline-no-policy", "body-invalid", TIMELINE,
             {key: value for key, value in line.items() if key != "policy"}),
        case("timeline-policy-null", "body-invalid", TIMELINE, line | {"policy": None}),
        case("timeline-policy-empty", "body-invalid", TIMELINE, line | {"policy": {}}),
        case("timeline-after-seconds", "timeline-invalid", TIMELINE, line | {"policy": {"after": DATE // 1_000}}),
        case("timeline-after-microseconds", "timeline-invalid", TIMELINE, line | {"policy": {"after": DATE * 1_000}}),
        case("timeline-after-length", "timeline-invalid", TIMELINE, line | {"policy": {"after": 900}}),
        case("timeline-entry-seconds", "timeline-invalid", TIMELINE, line | {"entries": [DATE // 1_000]}),
        case("timeline-first-entry-seconds", "timeline-invalid", TIMELINE, line | {"entries": [0, DATE // 1_000, DATE]}),
        case("timeline-after-text", "body-invalid", TIMELINE, line | {"policy": {"after": "x"}}),
        case("timeline-entry-text", "body-invalid", TIMELINE, line | {"entries": ["x"]}),
        case("timeline-entry-fraction", "body-invalid", TIMELINE, line | {"entries": [1.5]}),
        case("timeline-entry-negative", "body-invalid", TIMELINE, line | {"entries": [-1]}),
        case("timeline-reload-text", "body-invalid", TIMELINE, line | {"reload": "17"}),
        case("timeline-reload-high", "body-invalid", TIMELINE, line | {"reload": 2**53}),
        case("timeline-entry-high", "body-invalid", TIMELINE, line | {"entries": [2**53]}),
        case("timeline-after-high", "body-invalid", TIMELINE, line | {"policy": {"after": 2**53}}),
        case("timeline-reload-negative", "body-invalid", TIMELINE, line | {"reload": -1}),
        case("timeline-because-unknown", "body-invalid", TIMELINE, line | {"because": "boredom"}),
        case("timeline-because-case", "body-invalid", TIMELINE, line | {"because": "Intent"}),
        case("timeline-because-empty", "body-invalid", TIMELINE, line | {"because": ""}),
        case("timeline-because-number", "body-invalid", TIMELINE, line | {"because": 1}),
        case("timeline-because-list", "body-invalid", TIMELINE, line | {"because": ["intent"]}),
        case("timeline-because-null", "body-invalid", TIMELINE, line | {"because": None}),
        case("timeline-because-beside-reload", "body-invalid", TIMELINE,
             line | {"reload": 17, "because": "push"}),
        case("timeline-own-timer-number", "body-invalid", TIMELINE, line | {"ownTimer": 1}),
        case("timeline-own-timer-text", "body-invalid", TIMELINE, line | {"ownTimer": "true"}),
        case("timeline-own-timer-null", "body-invalid", TIMELINE, line | {"ownTimer": None}),
        case("request-because-unknown", "body-invalid", REQUEST,
             {"device": "d-1", "because": "intent"}),
        case("request-because-boolean", "body-invalid", REQUEST,
             {"device": "d-1", "because": True}),
        case("request-because-null", "body-invalid", REQUEST,
             {"device": "d-1", "because": None}),
        case("state-no-device", "body-invalid", STATE, {"foreground": True}),
        case("state-foreign", "device-foreign", STATE, {"device": "d-2"}),
        case("state-visible-text", "body-invalid", STATE, {"device": "d-1", "visible": "w1"}),
        case("state-visible-number", "body-invalid", STATE, {"device": "d-1", "visible": [1]}),
        case("request-no-device", "body-invalid", REQUEST, {"kind": DETAIL}),
        case("request-kind-number", "body-invalid", REQUEST, {"device": "d-1", "kind": 1}),
        case("request-kind-empty", "identifier-invalid", REQUEST, {"device": "d-1", "kind": ""}),
        gateway("gateway-timeline-unknown", "device-unknown", TIMELINE, line | {"device": "d-9"}),
        gateway("gateway-state-unknown", "device-unknown", STATE, {"device": "d-9"}),
        gateway("gateway-request-unknown", "device-unknown", REQUEST, {"device": "d-9"}),
        gateway("attach-missing", "body-invalid", ATTACH, {}),
        gateway("attach-text", "body-invalid", ATTACH, {"devices": "d-1"}),
        gateway("attach-number", "body-invalid", ATTACH, {"devices": ["d-1", 2]}),
        gateway("attach-many", "body-invalid", ATTACH, {"devices": ["d-1"] * 1025}),
        gateway("attach-empty", "identifier-invalid", ATTACH, {"devices": ["d-1", ""]}),
        gateway("gateway-device-empty", "identifier-invalid", REQUEST, {"device": ""}),
    ]


def documents():
    good_ones = [
        b"{}", b' { } \n\t\r', b'{"a":1}', b'{"":0}', b'{"a":-0}', b'{"a":0.0}', b'{"a":1e5}',
        b'{"a":1E+5}', b'{"a":1e-5}', b'{"a":1.5e300}', b'{"a":123456789012345678901234567890}',
        b'{"a":1.7976931348623157e308}', b'{"a":0e999999}', b'{"a":1e-400}', b'{"a":true}',
        b'{"a":false}', b'{"a":null}', b'{"a":[]}', b'{"a":[1,"x",null,{}]}', b'{"a":{"b":{}}}',
        b'{"a":"\\u0041\\n\\t\\"\\\\\\/\\b\\f\\r"}', b'{"a":"\\ud83d\\ude00"}',
        '{"a":"\u00e9\u20ac\U0001f600"}'.encode(), b'{"a":"\x7f"}', b'{"a":1,"A":2}',
        b'{"a":{"b":1},"b":{"b":1}}', b'{"a":' * 31 + b"{}" + b"}" * 31,
        b'{"a":"' + b"x" * 40 + b'"}',
    ]
    bad_ones = [
        ("payload-not-json", b) for b in [
            b"", b" ", b"{", b'{"a"', b'{"a":', b'{"a":1', b'{"a":1,', b'{"a":1,}', b'{,}',
            b'{"a" 1}', b'{"a":1 "b":2}', b"{a:1}", b"{'a':1}", b'{"a":01}', b'{"a":+1}',
            b'{"a":.5}', b'{"a":1.}', b'{"a":1e}', b'{"a":-}', b'{"a":0x1}', b'{"a":NaN}',
            b'{"a":Infinity}', b'{"a":tru}', b'{"a":True}', b'{"a":nul}', b'{"a":[1,]}',
            b'{"a":[1 2]}', b'{"a":[}', b'{"a":]}', b'{"a":1}}', b'{"a":1]', b'{} {}', b'{}x',
            b'{"a":"\n"}', b'{"a":"\x00"}', b'{"a":"\\x"}', b'{"a":"\\u12"}', b'{"a":"\\u12g4"}',
            b'{"a":"\\ud800"}', b'{"a":"\\udc00"}', b'{"a":"\\ud800\\u0041"}', b'{"a":"abc}',
            b'\xef\xbb\xbf{}', b'{"a":1}//x', b"nope",
            # Found by the fuzzer: incomplete escapes, and broken values that are not objects either.
            b'{"a":"\\u1"}', b'{"a":"\\ud800\\u1"}', b'1,"b":2', b'1,"":2', b"1}",
        ]
    ] + [("payload-not-object", b) for b in [b"[]", b'"a"', b"1", b"true", b"null"]] + [
        ("payload-not-utf8", b) for b in [
            b'{"a":"\x80"}', b'{"a":"\xc3"}', b'{"a":"\xc0\x80"}', b'{"a":"\xe0\x80\x80"}',
            b'{"a":"\xed\xa0\x80"}', b'{"a":"\xf4\x90\x80\x80"}', b'{"a":"\xf0\x80\x80\x80"}',
            b'{"a":"\xff"}', b'{"\xe2\x28\xa1":1}',
            # Found by the fuzzer: invalid UTF-8 outside of a string.
            b'{"a":\xff}', b'{"a":1\xc3}', b'{}\xfe', b'{\xed\xa0\x80}', b'{"a"\x80',
        ]
    ] + [("payload-duplicate-key", b) for b in [
        b'{"a":1,"a":1}', b'{"a":{"b":1,"b":2}}', b'{"\\u0061":1,"a":2}', b'{"":1,"":2}',
        b'{"abcdefgh1":1,"abcdefgh1":2}',
        b"{" + b",".join(b'"k%d":1' % n for n in range(40)) + b',"k7":2}',
    ]] + [("payload-number-range", b) for b in [
        b'{"a":1e309}', b'{"a":-1e400}', b'{"a":1.8e308}', b'{"a":1' + b"0" * 400 + b"}",
        b'{"a":1e-401}', b'{"a":1e99999999999}',
    ]] + [("payload-too-deep", b) for b in [
        b'{"a":' * 32 + b"{}" + b"}" * 32, b'{"a":' + b"[" * 32 + b"]" * 32 + b"}",
    ]]
    cases = [{"name": f"good-{n}", "hex": b.hex(), "valid": True} for n, b in enumerate(good_ones)]
    return cases + [
        {"name": f"bad-{n}", "hex": b.hex(), "valid": False, "error": code}
        for n, (code, b) in enumerate(bad_ones)
    ]


def main():
    bad_frames = malformed_frames() + malformed_hellos() + malformed_bodies()
    files = {"frames.json": frames(), "malformed.json": bad_frames, "json.json": documents(),
             "patterns.json": patterns(), "captures.json": captures()}
    stale = []
    for name, content in files.items():
        # One vector a line.
        lines = ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in content)
        made = f"[\n{lines}\n]\n"
        path = HERE / name
        if "--check" not in sys.argv:
            path.write_text(made, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != made:
            stale.append(name)
    if stale:
        sys.exit(f"vectors that differ from what generate.py makes: {', '.join(stale)}")
    print(f"vectors: {', '.join(f'{len(v)} in {k}' for k, v in files.items())}")


main()
