"""Bad input gets its named error, closes at most its own connection, and harms no other client."""

import json
import random
import struct
import unittest

from bystander import CODES, BystanderCase
from support import *

VECTORS = CHECKOUT / "protocol" / "vectors" / "malformed.json"
HELLO_BODY = {"v": 1, "role": "publisher", "app": APP, "token": TOKENS["publisher"],
              "producer": "p-1"}


class Hello(BystanderCase):
    def refused(self, data, code):
        client = self.connect()
        client.send_raw(data)
        self.assert_ends(client, code)

    def test_a_first_frame_that_is_not_hello_is_refused(self):
        """hello-expected, for every type that a client may send later."""
        for type, body in ((PUSH, HEALING), (PING, b""), (WIDGETS, {}), (REQUEST, {}), (ACK, b"")):
            with self.subTest(type=type):
                self.refused(frame(type, 1, body), "hello-expected")
        self.refused(frame(HELLO, 1, HELLO_BODY), "hello-invalid")

    def test_a_bad_hello_is_refused_by_name(self):
        """Token, app, version, role and every broken body have codes of their own."""
        def without(name):
            return {k: v for k, v in HELLO_BODY.items() if k != name}
        cases = [
            (HELLO_BODY | {"token": "wrong"}, "token-invalid"),
            (HELLO_BODY | {"token": ""}, "token-invalid"),
            (HELLO_BODY | {"token": TOKENS["publisher"] + " "}, "token-invalid"),
            (HELLO_BODY | {"token": TOKENS["device"]}, "token-invalid"),
            (without("token"), "token-invalid"),
            (HELLO_BODY | {"role": "gateway", "token": TOKENS["device"]}, "token-invalid"),
            (HELLO_BODY | {"app": "com.unknown"}, "token-invalid"),
            (HELLO_BODY | {"v": 2}, "version-unsupported"),
            (HELLO_BODY | {"producer": ""}, "identifier-invalid"),
            (HELLO_BODY | {"producer": "x" * 129}, "identifier-invalid"),
            (HELLO_BODY | {"producer": "a\u0001"}, "identifier-invalid"),
            (HELLO_BODY | {"producer": 'a"b'}, "identifier-invalid"),
            (HELLO_BODY | {"role": "server"}, "hello-invalid"),
            (without("role"), "hello-invalid"), (without("app"), "hello-invalid"),
            (without("v"), "hello-invalid"), (without("producer"), "hello-invalid"),
            (HELLO_BODY | {"role": "device", "token": TOKENS["device"]}, "hello-invalid"),
            (HELLO_BODY | {"app": 1}, "hello-invalid"), ({}, "hello-invalid"),
            (b"\xff", "payload-not-utf8"), (b"{", "payload-not-json"), (b"", "payload-not-json"),
            (b"[]", "payload-not-object"), (b'{"v":1,"v":1}', "payload-duplicate-key"),
        ]
        for body, code in cases:
            with self.subTest(body=body):
                self.refused(frame(HELLO, 0, body), code)
        self.publisher("x" * 128).barrier()

    def test_a_second_hello_is_unexpected(self):
        """One HELLO to a session."""
        client = self.publisher("p-1")
        client.send_raw(frame(HELLO, 0, HELLO_BODY))
        self.assert_ends(client, "frame-unexpected")


class Frames(BystanderCase):
    def ends(self, data, code):
        """The same bytes end a connection before and after HELLO, of every role."""
        roles = [lambda: self.publisher("p-1"), lambda: self.device("d-1"), self.gateway]
        for make in [self.connect, *roles]:
            client = make()
            client.send_raw(data)
            self.assert_ends(client, code)

    def test_an_impossible_length_ends_the_connection(self):
        """Under 12 or over the limit: frame-length, before anything of the body has arrived."""
        for length in (0, 1, 11, 12 + 65_536 + 1, 2**31, 2**32 - 1):
            with self.subTest(length=length):
                self.ends(struct.pack(">I", length), "frame-length")
        self.ends(frame(PUSH, 1, b"", length=70_000), "frame-length")

    def test_unknown_types_flags_and_reserved_bytes_end_the_connection(self):
        """What version 1 does not know is refused by name."""
        for type in (0x00, 0x05, 0x14, 0x25, 0x34, 0x7D, 0x80, 0xFF):
            self.ends(frame(type, 0, b""), "frame-type")
        for type, flags in ((HELLO, 1), (PING, 1), (PUSH, 8), (PUSH, 0x80), (WIDGETS, 2)):
            self.ends(frame(type, 1, b"{}", flags=flags), "frame-flags")
        for reserved in (1, 0x100, 0xFFFF):
            self.ends(frame(PUSH, 1, b"{}", reserved=reserved), "frame-reserved")

    def test_a_frame_of_another_role_is_unexpected(self):
        """Frames that only the router sends, and frames that the session's role may not send."""
        server_only = (WELCOME, REJECT, RELOAD, SCHEDULED, ERROR, GOAWAY)
        for type in (*server_only, ACK, WIDGETS, TIMELINE, STATE, REQUEST):
            client = self.publisher("p-1")
            client.send(type, {} if type != ACK else b"")
            self.assert_ends(client, "frame-unexpected")
        for type in (*server_only, ACK, PUSH):
            for client in (self.device("d-1"), self.gateway()):
                client.send(type, {} if type != ACK else b"")
                self.assert_ends(client, "frame-unexpected")

    def test_a_body_where_there_must_be_none_ends_the_connection(self):
        """PING and PONG are empty."""
        for type in (PING, PONG):
            client = self.device("d-1")
            client.send(type, b"x", seq=0)
            self.assert_ends(client, "frame-length")

    def test_a_device_whose_seq_does_not_rise_is_ended(self):
        """The same number, a lower one or zero: seq-not-rising."""
        for seq in (5, 4, 0):
            client = self.device("d-1")
            client.send(WIDGETS, {"device": "d-1", "widgets": []}, seq=5)
            client.send(REQUEST, {"device": "d-1"}, seq=seq)
            self.assert_ends(client, "seq-not-rising")
        client = self.gateway()
        client.send(WIDGETS, {"device": "d-1", "widgets": []}, seq=0)
        self.assert_ends(client, "seq-not-rising")


def deep(levels):
    return b'{"a":' * (levels - 1) + b"{}" + b"}" * (levels - 1)


class Bodies(BystanderCase):
    PAYLOADS = [
        ("payload-not-utf8", [b'{"a":"\xff"}', b'{"a":"\xc0\xaf"}', b'{"a":"\xed\xa0\x80"}']),
        ("payload-not-json", [
            b"", b" ", b"{", b'{"a":1', b'{"a":1,}', b'{"a":1}x', b"{'a':1}", b'{"a":01}',
            b'{"a":+1}', b'{"a":.5}', b'{"a":NaN}', b'{"a":"\n"}', b'{"a":"\\x"}', b'{"a":tru}',
            b'\xef\xbb\xbf{"a":1}', b'{"a":1}{"a":1}', b'{"a":1}\x00']),
        ("payload-not-object", [b"[1]", b'"x"', b"1", b"null"]),
        ("payload-too-deep", [deep(33), b'{"a":' + b"[" * 32 + b"]" * 32 + b"}", deep(10_000)]),
        ("payload-duplicate-key", [
            b'{"a":1,"a":2}', b'{"a":1,"\\u0061":2}', b'{"a":{"b":1,"c":2,"b":3}}',
            b'{"a":[{"b":1,"b":1}]}']),
        ("payload-number-range", [b'{"a":1e400}', b'{"a":-1e400}', b'{"a":[1e999999999999999]}']),
    ]

    def test_a_broken_payload_is_rejected_by_name_and_the_session_continues(self):
        """Every way to break a payload, one after the other on one connection."""
        client = self.publisher("p-1")
        for code, payloads in self.PAYLOADS:
            for payload in payloads:
                with self.subTest(code=code, payload=payload[:40]):
                    self.assert_refused(client, client.push(payload), code)
        for payload in (b"1234567", b""):
            self.assert_refused(client, client.push(payload, EXPIRES), "payload-expiry")
        for payload in (b"", b"\0", b"{}", b"\0\1\0{}", b"\0\2\2k{}", b"\0\x82\x81" + b"k" * 129):
            self.assert_refused(client, client.push(payload, NARROWED), "payload-kinds")
        self.assert_refused(client, client.push(b"{", void_at=now_ms() - 1), "payload-not-json")
        for payload in (deep(32), b'{"a":1.7e308,"b":1e-300}', b' {"a": 1} \n',
                        json.dumps({"a": "x" * (65_536 - 9)}).encode()):
            client.pushed(payload)

    def test_a_broken_frame_of_a_device_is_rejected_and_the_session_continues(self):
        """JSON's codes, body-invalid, and the codes for what the bodies say."""
        client = self.device("d-1", widget("w1", character="a"))
        def widgets(*list, **more):
            return {"device": "d-1", "widgets": [*list]} | more
        def timeline(**more):
            return {"device": "d-1", "widget": "w1", "entries": [], "policy": "never"} | more
        def configured(value):
            return widgets({"id": "w", "kind": DETAIL, "configuration": {"character": value}})
        w = widget("w")
        cases = [
            (WIDGETS, b'{"device":"\xff"}', "payload-not-utf8"),
            (STATE, b"{", "payload-not-json"), (REQUEST, b"[]", "payload-not-object"),
            (TIMELINE, deep(33), "payload-too-deep"),
            (WIDGETS, b'{"device":"d-1","device":"d-1"}', "payload-duplicate-key"),
            (TIMELINE, b'{"device":"d-1","reload":1e400}', "payload-number-range"),
            (WIDGETS, {}, "body-invalid"), (WIDGETS, {"device": "d-1"}, "body-invalid"),
            (WIDGETS, widgets(1), "body-invalid"), (WIDGETS, widgets({"id": "w"}), "body-invalid"),
            (WIDGETS, widgets(w | {"id": 1}), "body-invalid"),
            (WIDGETS, widgets(w | {"configuration": [1]}), "body-invalid"),
            (WIDGETS, widgets(w | {"id": ""}), "identifier-invalid"),
            (WIDGETS, widgets(w | {"id": "a\\b"}), "identifier-invalid"),
            (WIDGETS, widgets(w, w), "widget-duplicate"),
            (WIDGETS, widgets(widget("w", "com.no")), "kind-unknown"),
            (WIDGETS, configured(None), "configuration-invalid"),
            (WIDGETS, configured({}), "configuration-invalid"),
            (WIDGETS, configured(["a", [1]]), "configuration-invalid"),
            (WIDGETS, widgets(*(widget(f"w{i}") for i in range(257))), "too-many-widgets"),
            (WIDGETS, widgets() | {"device": "d-2"}, "device-foreign"),
            (TIMELINE, timeline(device="d-2"), "device-foreign"),
            (STATE, {"device": "d-2"}, "device-foreign"),
            (REQUEST, {"device": "bystander"}, "device-foreign"),
            (REQUEST, {"device": "d-1", "kind": "com.no"}, "kind-unknown"),
            (TIMELINE, timeline(widget="w9"), "widget-unknown"),
            (STATE, {"device": "d-1", "visible": ["w1", "w9"]}, "widget-unknown"),
            (STATE, {"device": "d-1", "media": "film"}, "body-invalid"),
            (TIMELINE, timeline(policy="later"), "body-invalid"),
            (TIMELINE, timeline(policy={}), "body-invalid"),
            (TIMELINE, timeline(reload=-1), "body-invalid"),
            (TIMELINE, timeline(entries=[2, 1]), "timeline-invalid"),
            (TIMELINE, timeline(entries=list(range(401))), "timeline-invalid"),
        ]
        for type, body, code in cases:
            with self.subTest(type=type, body=str(body)[:60]):
                self.assert_refused(client, client.send(type, body), code)
        client.request(REQUEST, {"device": "d-1"})
        self.assertEqual(client.reloaded(), [("d-1", "w1")], "WIDGETS is all or nothing")
        client.register(*(widget(f"w{i}") for i in range(256)))
        gateway = self.gateway()
        for type, body in ((STATE, {"device": "d-9"}), (REQUEST, {"device": "d-9"})):
            self.assert_refused(gateway, gateway.send(type, body), "device-unknown")

    def test_more_devices_than_the_limit_are_refused(self):
        """too-many-devices; the ones that are stored can change and go."""
        router = self.start("--max-devices", 2)
        gateway = self.gateway(router=router)
        for name in ("d-1", "d-2"):
            gateway.register(widget("w", character="a"), device=name)
        third = {"device": "d-3", "widgets": [widget("w", character="a")]}
        self.assert_refused(gateway, gateway.send(WIDGETS, third), "too-many-devices")
        gateway.register(widget("w", character="b"), device="d-1")
        gateway.register(device="d-2")
        gateway.request(WIDGETS, third)


class Garbage(BystanderCase):
    def test_random_bytes_end_only_their_own_connection(self):
        """Seeded garbage and mutated frames, before and after HELLO: a known code or none."""
        generator = random.Random(20_260)
        good = [frame(PUSH, 1, HEALING), frame(PING, 1), frame(TIMELINE, 2, {
            "device": "d-1", "widget": "w", "entries": [1], "policy": {"after": 5}}),
            frame(WIDGETS, 1, {"device": "d-1", "widgets": [widget("w", character="elf-1")]})]
        for round in range(240):
            if round % 2:
                data = bytearray(b"".join(generator.choices(good, k=4)))
                for _ in range(generator.randint(1, 6)):
                    data[generator.randrange(len(data))] = generator.randrange(256)
            else:
                data = generator.randbytes(generator.randint(1, 600))
            make = (self.connect, lambda: self.publisher("p"), lambda: self.device("d-1"),
                    self.gateway)[round // 2 % 4]
            client = make()
            with self.subTest(round=round, data=data.hex()):
                client.send_raw(data)
                client.socket.shutdown(1)
                code = client.expect_end()
                self.assertIn(code, CODES | {None})
                for found in client.kept:
                    if found.type == REJECT:
                        self.assertIn(found.code, CODES)
            client.close()

    def test_the_golden_malformed_frames_get_their_codes(self):
        """Every vector of protocol/vectors/malformed.json, each on a connection of its own."""
        if not VECTORS.exists():
            self.skipTest("protocol/vectors/malformed.json is not there")
        vectors = json.loads(VECTORS.read_text())
        vectors = vectors if isinstance(vectors, list) else vectors["vectors"]
        self.assertGreater(len(vectors), 30)
        self.device("d-1", widget("w1", character="elf-42")).close()
        make = {"none": self.connect, "publisher": None, "gateway": self.gateway,
                "device": lambda: self.device("d-1")}
        for number, vector in enumerate(vectors):
            with self.subTest(vector=vector["name"]):
                if vector["role"] == "publisher":
                    client = self.publisher(f"vector-{number}")
                else:
                    client = make[vector["role"]]()
                data = bytes.fromhex(vector["hex"].replace(" ", ""))
                client.send_raw(data)
                if vector["effect"] == "error":
                    self.assert_ends(client, vector["error"])
                else:
                    seq = int.from_bytes(data[8:16], "big")
                    self.assert_refused(client, seq, vector["error"])
            client.close()


if __name__ == "__main__":
    unittest.main()
