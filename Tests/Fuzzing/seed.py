#!/usr/bin/env python3
"""Writes inputs that fuzzing begins with, from the golden bytes of protocol/vectors, into a folder.

    Tests/Fuzzing/seed.py FOLDER

There are many of them. `deploy/fuzz NAME --shrink` keeps those that reach the most code, together with
what fuzzing has found, as the corpus in the tree.
"""
import base64
import json
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[2]
folder = pathlib.Path(sys.argv[1])


def vectors(name):
    return json.loads((root / "protocol/vectors" / f"{name}.json").read_text())


def write(target, name, content):
    path = folder / target / f"vector-{name}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def counted(content):
    return len(content).to_bytes(2, "little") + content


def frames():
    letters = {1: "h", 0x20: "w", 0x21: "t", 0x22: "s", 0x23: "r", 0x10: "p", 0x13: "o"}
    slots = {"p": "0", "h": "3"}
    steps = []
    stream = b""
    for vector in vectors("frames") + vectors("malformed"):
        content = bytes.fromhex(vector["hex"])
        if len(content) > 4096:
            continue
        write("frames", vector["name"], b"\x01" + content)
        if b"\n" not in content:
            write("sessions", "bytes-" + vector["name"], b"x0" + content)
        stream += content
        if len(content) < 16 or content[4] not in letters:
            continue
        letter = letters[content[4]]
        body = content[24:] if content[5] & 2 else content[16:]
        write("bodies", vector["name"], letter.encode() + body)
        if letter == "o":
            continue  # A router sends it, and reads none.
        slot = slots.get(letter, "2")
        body = body.replace(b"com.mygame", b"g").replace(b'"token":"t",', b"").replace(b"\n", b" ")
        step = f"{letter}{slot}".encode() + body
        write("sessions", vector["name"], step)
        steps.append(step)
    for start in range(0, len(steps), 8):
        write("sessions", f"steps-{start}", b"\n".join(steps[start : start + 8]))


def sessions():
    """A whole course of events: widgets, timelines, pushes that match them, time that passes."""
    widgets = (
        b'w1{"device":"d","widgets":[{"id":"a","kind":"k","configuration":{"c":"elf"}},'
        b'{"id":"b","kind":"s","configuration":{"hp":1}},{"id":"n","kind":"n","configuration":'
        b'{"a":[1,2]}},{"id":"w","kind":"w","configuration":{"w":"a*b"}}]}'
    )
    pushes = [b'p0{"c":"elf"}', b'p0{"x":5,"l":[{"a":1},{"a":3}]}', b'P0{"t":"axb"}',
              b'p0{"kinds":["s"],"hp":1,"n":[1]}', b'e0{"hp":1}']
    timelines = [
        b't1{"device":"d","widget":"a","entries":[1700000001000],"policy":{"after":1700000100000}}',
        b't1{"device":"d","widget":"b","entries":[1700000001000],"policy":"atEnd"}',
        b't1{"device":"d","widget":"w","reload":1,"entries":[],"policy":{"after":1700000002000}}',
    ]
    states = [b's1{"device":"d","foreground":true,"media":"audio"}',
              b's1{"device":"d","visible":["a","b"]}', b's1{"device":"d","visible":[]}',
              b's1{"device":"d","location":"significant-change"}']
    write("sessions", "life-1", b"\n".join([widgets, *pushes, b"+03000", *timelines, b"+0200000"]))
    write("sessions", "life-2", b"\n".join([widgets, *states, *pushes, b"+0999999999", b"=0"]))
    write("sessions", "life-3", b"\n".join([widgets, b"f1", *pushes, b"d1", b"c1", b"o1",
          b'h1{"v":1,"role":"device","app":"g","device":"d"}']))
    write("sessions", "life-4", b"\n".join([widgets, b"z0g", *pushes, b"y0g", *timelines,
          b'A0{"apps":[{"app":"g","kinds":[{"kind":"k"},{"kind":"s","observes":["n"]}]}]}', *pushes]))
    write("sessions", "life-5", b"\n".join([
        widgets.replace(b"w1", b"w2"), widgets.replace(b"w1", b"w2").replace(b'"d"', b'"e"'),
        *[push for push in pushes for _ in range(2)], b"+05000", *[b'r2{"device":"e"}'] * 3,
        b"-0100000", b"+086400000", widgets.replace(b"w1", b"w2").replace(b"elf", b"orc")]))
    reports = [line.replace(b"1", b"%d" % number, 1).replace(line[:1], line[:1].upper(), 1)
               for number, line in enumerate([widgets, *timelines, *states, b'r1{"device":"d"}'])]
    write("sessions", "life-6", b"\n".join([*reports, *pushes, b"c1", *reports, *pushes, b"+03000"]))


def texts():
    for vector in vectors("json"):
        content = bytes.fromhex(vector["hex"])
        if len(content) < 4096:
            write("json", vector["name"], content)
    expressions = set()
    for number, vector in enumerate(vectors("patterns")):
        pattern = vector.get("pattern")
        if not isinstance(pattern, str) or len(pattern) > 4096:
            continue
        write("patterns", str(number), pattern.encode())
        event = vector.get("event")
        if not isinstance(event, str) or "\n" in pattern + event or len(event) > 2048:
            continue
        configuration = vector.get("configuration") or "{}"
        if not isinstance(configuration, str):
            configuration = json.dumps(configuration)
        lines = [pattern, "+" + configuration, event]
        write("matching", str(number), "\n".join(lines).encode())
        try:
            rule, value = json.loads(pattern), json.loads(event)
        except (json.JSONDecodeError, UnicodeDecodeError):
            continue
        if not isinstance(rule, dict) or not isinstance(value, dict):
            continue
        for name, tests in rule.items():
            for test in tests if isinstance(tests, list) else []:
                if not isinstance(test, dict) or not isinstance(value.get(name), str):
                    continue
                for operator, operand in test.items():
                    letter = {"regexp": "r", "wildcard": "w", "cidr": "c"}.get(operator, "f")
                    if isinstance(operand, str) and "\n" not in operand + value[name]:
                        expressions.add((letter, operand, value[name]))
    for number, (letter, operand, value) in enumerate(sorted(expressions)):
        try:
            write("texts", str(number), f"{letter}{operand}\n{value}".encode())
        except UnicodeEncodeError:
            continue


def captures():
    for vector in vectors("captures"):
        content = bytes.fromhex(vector["hex"]) if "hex" in vector else b""
        if content:
            write("captures", vector["name"], b"R" + content)
        # The first chunk's records, which the fuzzer wraps again.
        if content[:8] == b"RRCAPTUR" and len(content) > 112:
            stored = int.from_bytes(content[80:84], "little")
            compression = content[76]
            piece = (b"Z" if compression else b"C") + counted(content[112 : 112 + stored])
            write("captures", vector["name"] + "-chunk", b"C" + piece)
        for number, line in enumerate(vector.get("lines") or []):
            text = json.dumps(line, separators=(",", ":")) if not isinstance(line, str) else line
            write("capture-lines", f"{vector['name']}-{number}", text.encode())


def apps():
    for path in sorted((root / "deploy").rglob("*.json")):
        content = path.read_bytes()
        if b'"apps"' in content and len(content) < 8192:
            write("appfile", path.parent.name + "-" + path.stem, content)
    write("appfile", "policies", json.dumps({"apps": [{
        "app": "g", "publishers": "open", "devices": [
            {"id": "h", "jwk": {"kty": "oct", "k": "A" * 43}, "devices": ["d-*"]},
            {"id": "e", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": "A" * 43}}],
        "gateways": [{"id": "t", "sha256": "0" * 64, "notAfter": "2027-01-01T00:00:00Z"},
                     {"id": "c", "certificate": "dns:edge.example"}],
        "origins": [{"origin": "o", "perSecond": 2, "undelayed": 1}],
        "kinds": [
            {"kind": "k", "match": {"a": ["${configuration.a}", {"prefix": "x"}]},
             "budget": "complication", "spread": "none"},
            {"kind": "s", "origin": "o", "observes": ["hp"], "inlines": ["n"], "atEndFloor": 60,
             "debounce": {"wait": 0.1, "longest": 5}, "usesLocation": True,
             "spread": {"mode": "uniform", "window": 900},
             "budget": {"like": "widget", "seldom": 1, "daily": 2, "often": 3, "oftenViews": 4,
                        "learningDays": 5, "learningPercent": 100, "spacing": 6.5,
                        "urgentPercent": 7}}]}]}, separators=(",", ":")).encode())


def tokens():
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")

    claims = part({"sub": "d", "aud": ["a"], "role": "device", "exp": 1.9e9, "nbf": 1})
    for algorithm in ("HS256", "EdDSA", "ES256", "none"):
        header = part({"alg": algorithm, "kid": "k", "typ": "JWT"})
        write("tokens", algorithm, header + b"." + claims + b"." + b"A" * 43)
    for kind, members in (("oct", {"k": "A" * 43}), ("OKP", {"crv": "Ed25519", "x": "A" * 43}),
                          ("EC", {"crv": "P-256", "x": "A" * 43, "y": "A" * 43})):
        key = {"kty": kind, **members} | ({} if kind == "oct" else {"d": "A" * 43})
        write("tokens", kind, json.dumps(key).encode())


def requests():
    token = "Authorization: Bearer 0123456789abcdef\nHost: localhost\n"
    paths = json.loads((root / "protocol/admin.openapi.json").read_text())["paths"]
    for path, methods in paths.items():
        for method in methods:
            if method.upper() in ("GET", "PUT", "POST", "DELETE"):
                target = path.replace("{app}", "g").replace("{device}", "d%2F1")
                text = f"{method.upper()} {target}\n{token}\n"
                write("http", f"{method}{target.replace('/', '-')}", text.encode())
    push = "?app=g&producer=p&seq=1&urgent=true&voidAt=1700000000000"
    for name, text in {
        "push": f'POST /v1/pushes{push}\n{token}\n{{"c":"elf"}}',
        "lines": f"POST /v1/pushes?app=g\nContent-Type: application/x-ndjson\n{token}\n{{}}\r\n\n[]\n",
        "explain": f'POST /v1/explain\n{token}\n{{"app":"g","payload":{{"a":[1]}},"urgent":true,'
                   '"device":"d","kind":null,"limit":3}',
        "slots": f'POST /v1/slots\n{token}\n{{"app":"g","kind":"k","dates":[{{"id":"x","after":17e11}}]}}',
        "level": f'PUT /v1/log-level\n{token}\n{{"level":"debug"}}',
        "backup": f'POST /v1/backup\n{token}\n{{"folder":"/tmp/x"}}',
        "file": f'PUT /v1/app-file\n{token}\n{{"apps":[{{"app":"g","kinds":[{{"kind":"k"}}]}}]}}',
        "validate": f'POST /v1/app-file/validate\n{token}\n{{"apps":[{{"app":"g"}}]}}',
        "devices": f"GET /v1/apps/g/devices?after=d&limit=7\n{token}\n",
        "connections": f"GET /v1/connections?after=3&limit=1000\nOrigin: http://localhost\n{token}\n",
        "etag": 'GET /assets/x\nIf-None-Match: W/"a", *\nX-Request-Id: a-1\n\n',
        "long": "POST /v1/explain\nContent-Length: 600\nExpect: 100-continue\n" + token + "\n" + "x" * 600,
    }.items():
        write("http", name, text.encode())


def answers():
    for name, text in {
        "length": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nA: b\r\n\r\n",
        "endless": "HTTP/1.1 200 OK\r\nServer: x\r\n\r\nhello",
        "twice": "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}",
        "empty": "HTTP/1.0 204 No Content\r\nConnection: keep-alive\r\n\r\n",
        "long": "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + "x" * 99,
    }.items():
        write("answers", name, b"\x20\0" + text.encode())


def publishers():
    token = "Host: r\r\nAuthorization: Bearer 0123456789abcdef\r\n"
    for name, text in {
        "length": "POST /v1/apps/g/pushes?producer=p&seq=1 HTTP/1.1\r\n" + token + "Content-Length: 2\r\n\r\n{}",
        "chunks": "POST /a HTTP/1.1\r\n" + token + "Transfer-Encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nA: b\r\n\r\n",
        "twice": "GET /openapi.json HTTP/1.1\nHost: r\n\nHEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "expect": "PUT /%2F?a+b=%20&c HTTP/1.1\r\n" + token + "Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
        "upgrade": "CONNECT h:1 HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        "two-lengths": "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "folded": "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
        "many": "GET / HTTP/1.1\r\n" + "a: b\r\n" * 9 + "\r\n",
        "absolute": "POST http://r:80/a?b=c HTTP/1.1\r\n" + token + "Content-Length: 0\r\n\r\nGET HTTPS://[::1] HTTP/1.1\r\nHost:\r\n\r\n",
        "codings": "POST /a HTTP/1.1\r\n" + token + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "options": "OPTIONS * HTTP/1.1\r\n" + token + "WebHook-Request-Origin: a\r\n\r\n",
    }.items():
        write("requests", name, b"\x20\0" + text.encode())


def events():
    attributes = {"specversion": "1.0", "id": "1", "source": "/s", "type": "t"}
    for name, header, members in (
            ("plain", "goal%203", {"data": {"a": 1}}),
            ("quoted", r'"a\"b\\c%2525"', {"subject": "x", "data": {"type": "t", "source": None}}),
            ("extensions", "%C3%A4", {"zone": "z", "n": 5, "f": True, "Upper": 1, "data": {}}),
            ("base64", "%ff", {"data_base64": "eyJhIjpbMV19", "datacontenttype": "application/json"}),
            ("reserved", "%", {"data": {"$event": {}}}), ("list", "", {"data": [{}]}), ("none", "x", {})):
        write("events", name, f"{header}\n".encode() + json.dumps(attributes | members).encode())
    write("events", "blanks", b"a\n" + json.dumps(attributes | {"data": {"a": [1]}}, indent=1).encode())


def field(name, value):
    """A field of HTTP/2 that stays out of the table (HPACK)."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


def framed(type, flags, stream, payload=b""):
    """A frame whose length the fuzzer makes right."""
    return bytes([type, flags, stream]) + counted(payload)


def raw(type, flags, stream, payload=b""):
    """A frame as it is sent."""
    return len(payload).to_bytes(3, "big") + bytes([type, flags]) + stream.to_bytes(4, "big") + payload


def http2():
    data, headers, reset, settings, promise, ping, goaway, window, more = 0, 1, 3, 4, 5, 6, 7, 8, 9
    unregistered = b'{"reason":"Unregistered","timestamp":1748775600000}'
    apple = b'{"reason":"TooManyRequests"}'
    ok, gone = b"\x88", b"\x08\x03410"
    # Statuses that nghttp2 passes on and that are none. The first one was read as 200.
    statuses = {
        f"status-{place}": [(settings, 0, 0), (headers, 5, 1, bytes([8, len(text)]) + text)]
        for place, text in enumerate([b"1:0", b"20/", b"2 0", b"abc", b"000", b"099", b"+20", b"20", b"2000", b""])
    }
    for name, frames in {
        **statuses,
        "accepted": [(settings, 0, 0, b"\0\3\0\0\3\xe8"), (settings, 1, 0), (headers, 5, 1, ok + field(b"apns-id", b"0f"))],
        "dead": [(settings, 0, 0), (headers, 4, 1, gone), (data, 1, 1, unregistered)],
        "later": [(settings, 0, 0), (headers, 4, 1, b"\x08\x03429"), (data, 0, 1, apple[:9]), (data, 1, 1, apple[9:])],
        "three": [(settings, 0, 0, b"\0\3\0\0\0\5")] + [(headers, 5, stream, ok) for stream in (5, 1, 3)],
        "goaway": [(settings, 0, 0), (headers, 5, 1, ok), (goaway, 0, 0, b"\0\0\0\1\0\0\0\0" + b'{"reason":"Shutdown"}')],
        "reset": [(settings, 0, 0), (reset, 0, 1, b"\0\0\0\7"), (reset, 0, 3, b"\0\0\0\x08")],
        "informational": [(settings, 0, 0), (headers, 4, 1, b"\x08\x03103"), (headers, 5, 1, ok)],
        "trailers": [(settings, 0, 0), (headers, 4, 1, ok), (data, 0, 1, b"{}"), (headers, 5, 1, field(b"a", b"b"))],
        "continued": [(settings, 0, 0), (headers, 1, 1, ok), (more, 0, 1, field(b"a", b"b")), (more, 4, 1, field(b"c", b"d"))],
        "padded": [(settings, 0, 0), (headers, 0x2d, 1, b"\2\0\0\0\0\x10" + ok + b"\0\0"), (data, 9, 1, b"\1{}\0")],
        "promise": [(settings, 0, 0), (promise, 4, 1, b"\0\0\0\2\x82\x87\x84"), (headers, 5, 2, ok)],
        "pings": [(settings, 0, 0), (ping, 0, 0, b"12345678"), (ping, 1, 0, b"12345678"), (window, 0, 0, b"\0\0\1\0")],
        "long": [(settings, 0, 0), (headers, 4, 1, ok + field(b"a", b"x" * 120) * 3)],
        "body": [(settings, 0, 0), (headers, 4, 1, ok)] + [(data, 0, 1, b"y" * 200)] * 4,
        # What a peer may send at the edges of its right, or beyond.
        "none": [(settings, 0, 0, b"\0\3\0\0\0\0"), (headers, 5, 1, ok), (settings, 0, 0, b"\0\3\0\0\0\1")],
        "fewer": [(settings, 0, 0, b"\0\3\0\0\0\5"), (settings, 0, 0, b"\0\3\0\0\0\1"), (headers, 5, 3, ok)],
        "informational-many": [(settings, 0, 0)] + [(headers, 4, 1, b"\x08\x03103" + field(b"a", b"x" * 90))] * 4,
        "informational-end": [(settings, 0, 0), (headers, 5, 1, b"\x08\x03103")],
        "two-statuses": [(settings, 0, 0), (headers, 5, 1, ok + gone)],
        "late-status": [(settings, 0, 0), (headers, 5, 1, field(b"a", b"b") + ok)],
        "two-answers": [(settings, 0, 0), (headers, 4, 1, ok), (headers, 5, 1, gone)],
        "after-end": [(settings, 0, 0), (headers, 5, 1, ok), (data, 1, 1, b"{}"), (reset, 0, 1, bytes(4))],
        "unasked": [(settings, 0, 0), (headers, 5, 9, ok), (data, 1, 2, b"{}"), (reset, 0, 9, bytes(4))],
        "goaway-all": [(settings, 0, 0), (goaway, 0, 0, bytes(8)), (headers, 5, 1, ok), (goaway, 0, 0, bytes(8))],
        "goaway-higher": [(settings, 0, 0), (goaway, 0, 0, b"\0\0\0\1" + bytes(4)), (goaway, 0, 0, b"\0\0\0\7" + bytes(4))],
        "window": [(settings, 0, 0, b"\0\4\x7f\xff\xff\xff"), (window, 0, 1, b"\x7f\xff\xff\xff"), (headers, 5, 1, ok)],
        "length": [(settings, 0, 0), (headers, 4, 1, ok + field(b"content-length", b"3")), (data, 1, 1, b"{}")],
    }.items():
        # A client with four requests.
        write("http2", name, b"\x12\x30\0\5" + b"".join(framed(*frame) for frame in frames))
        write("http2", name + "-raw", b"\x10\x30\0\2" + b"".join(raw(*frame) for frame in frames))
    request = b"\x83\x87" + b"\x41\x01a" + b"\x44\x0c/3/device/00"
    for name, frames in {
        "push": [(settings, 0, 0), (headers, 4, 1, request), (data, 1, 1, b"{}")],
        "pushes": [(settings, 0, 0)] + [(headers, 5, stream, request) for stream in (1, 3, 5, 7, 9)],
        "gone": [(settings, 0, 0), (headers, 4, 1, request), (reset, 0, 1, b"\0\0\0\x08"), (goaway, 0, 0, bytes(8))],
        "secret": [(settings, 0, 0), (headers, 5, 1, request + field(b"authorization", b"bearer x"))],
    }.items():
        write("http2", "server-" + name, b"\x03\x20\0\5" + b"".join(framed(*frame) for frame in frames))
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        write("http2", "server-" + name + "-raw", b"\x01\x20\0\4" + preface + b"".join(raw(*frame) for frame in frames))


def records():
    write("records", "journal", b"J\x03" + counted(b"one") + counted(b"") + counted(b"three") + b"\x09\x00\x01")
    write("records", "segment", b"G" + bytes(8) + b"\x03" + counted(b"one") + counted(b"") + counted(b"three") + b"\x39\x00\x01")
    contents = b"CONTENTS" + bytes(16) + (6).to_bytes(8, "little") + bytes(8) + b"\x01\x00\x00\x00"
    contents += (1).to_bytes(8, "little") + bytes(8) + (2).to_bytes(8, "little") + bytes(8)
    write("records", "contents", b"C" + contents + b"\x01\x00\x00\x00\x07CURRENT" + bytes(16))
    write("records", "value", b"T\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00" + bytes(20))
    write("records", "bytes", b"T\x01\x02\x07\x00\x00\x00\x01\x00\x01\x00\x00\x00" + bytes(30))
    write("records", "numbers", b"N\x00\x7f\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x03abc")


for make in (frames, sessions, texts, captures, apps, tokens, requests, answers, publishers, events, http2,
             records):
    make()
