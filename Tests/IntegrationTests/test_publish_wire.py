"""The listener for publishers over HTTP as bytes: what is sent how, and what comes back when."""

import contextlib
import http.client
import json
import socket
import struct
import time
import unittest

import openssl_peer
from support import *
from test_publish_http import ELF, FLAGS, PATH, TOKEN, PublishCase
from test_tls import Certificates
from test_tokens import TokenCase, key, signed

BODY = json.dumps(HEALING).encode()
#: See sock_diag(7).
NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY = 4, 20


def head(*lines, path=PATH, method="POST", token=TOKEN):
    """The head of a request, ended by an empty line."""
    own = [f"{method} {path} HTTP/1.1", "Host: router"] + ([f"Authorization: Bearer {token}"] if token else [])
    return "\r\n".join([*own, *lines, "", ""]).encode()


def push(*lines, **options):
    return head(f"Content-Length: {len(BODY)}", *lines, **options) + BODY


class Wire:
    """A connection, and the answers that come on it."""

    def __init__(self, case, router=None):
        self.socket = socket.create_connection((router or case.router).publish, timeout=WAIT)
        case.addCleanup(self.socket.close)
        self.file = self.socket.makefile("rb")
        case.addCleanup(self.file.close)

    def send(self, content):
        self.socket.sendall(content)

    def answer(self, has_body=True):
        """Status, headers and body of the next answer; none at the end of the connection."""
        line = self.file.readline()
        if not line:
            return None
        headers = http.client.parse_headers(self.file)
        count = int(headers["Content-Length"] or 0) if has_body else 0
        return int(line.split()[1]), headers, self.file.read(count)

    def ask(self, content, **options):
        self.send(content)
        return self.answer(**options)


class Requests(PublishCase):
    def setUp(self):
        super().setUp()
        self.watcher = self.device("d-1", ELF)
        self.pushes()
        self.wire = Wire(self)

    def assert_ended(self):
        self.assertIsNone(self.wire.answer())

    def test_requests_may_be_sent_before_the_answers(self):
        self.wire.send(b"".join(push(f"X-Request-Id: r-{number}") for number in range(200)))
        for number in range(200):
            status, headers, body = self.wire.answer()
            self.assertEqual((status, headers["X-Request-Id"]), (202, f"r-{number}"))
            self.assertEqual(json.loads(body)["matched"], 1)

    def test_a_body_may_come_in_chunks_and_a_request_in_bytes(self):
        chunks = b"".join(b"1;name=value\r\n" + BODY[at:at + 1] + b"\r\n" for at in range(len(BODY)))
        request = head("Transfer-Encoding: chunked") + chunks + b"0\r\nTrailer: x\r\n\r\n"
        self.assertEqual(self.wire.ask(request)[0], 202)
        self.wire.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(len(request)):
            self.wire.send(request[at:at + 1])
        self.assertEqual(self.wire.answer()[0], 202)

    def test_a_client_that_waits_for_permission_gets_it_if_it_is_let_in(self):
        lines = ("Expect: 100-continue", f"Content-Length: {len(BODY)}")
        self.wire.send(head(*lines))
        self.assertEqual(self.wire.file.readline() + self.wire.file.readline(), b"HTTP/1.1 100 Continue\r\n\r\n")
        self.assertEqual(self.wire.ask(BODY)[0], 202)
        self.assertEqual(self.wire.ask(head(*lines, token="wrong"))[0], 401)
        self.assert_ended()
        self.wire = Wire(self)
        status, headers, _ = self.wire.ask(head("Expect: 100-continue", f"Content-Length: {9 << 20}"))
        self.assertEqual((status, headers["Connection"]), (413, "close"))
        self.assert_ended()

    def test_a_client_of_http_1_0_gets_no_permission(self):
        self.wire.send(head("Expect: 100-continue", f"Content-Length: {len(BODY)}").replace(b"HTTP/1.1", b"HTTP/1.0"))
        # A permission would come before the answer.
        self.assertEqual(self.wire.ask(BODY)[0], 202)
        self.assert_ended()

    def test_the_body_of_a_refused_request_is_passed_over(self):
        for request, status in ((push(token="wrong"), 401), (push(path="/none"), 404), (push(method="PUT"), 405)):
            self.assertEqual(self.wire.ask(request)[0], status)
            self.assertEqual(self.wire.ask(push())[0], 202)
        self.wire.send(head("Transfer-Encoding: chunked"))
        part = b"%x\r\n" % (1 << 20) + b" " * (1 << 20) + b"\r\n"
        for _ in range(9):
            self.wire.send(part)
        self.assertEqual(self.wire.ask(b"0\r\n\r\n")[0], 413)
        self.assertEqual(self.wire.ask(push())[0], 202)

    def test_a_head_alone_is_asked_for_and_a_connection_is_kept_as_the_client_wants(self):
        status, headers, _ = self.wire.ask(head(path="/openapi.json", method="HEAD"), has_body=False)
        self.assertEqual((status, headers["Connection"]), (200, None))
        self.assertGreater(int(headers["Content-Length"]), 1_000)
        self.assertIn("GMT", headers["Date"])
        self.assertEqual(self.wire.ask(push())[0], 202)
        old = push().replace(b"HTTP/1.1", b"HTTP/1.0")
        kept = self.wire.ask(old.replace(b"Host", b"Connection: keep-alive\r\nHost"))
        self.assertEqual((kept[0], kept[1]["Connection"]), (202, "keep-alive"))
        self.assertEqual(self.wire.ask(old)[1]["Connection"], "close")
        self.assert_ended()

    def test_the_answer_comes_to_a_client_that_has_ended_its_side(self):
        for requests in (1, 3):
            self.wire = Wire(self)
            self.wire.send(push() * requests)
            self.wire.socket.shutdown(socket.SHUT_WR)
            for _ in range(requests):
                self.assertEqual(self.wire.answer()[0], 202)
            self.assert_ended()

    def test_a_request_whose_client_ends_its_side_too_early_is_none(self):
        chunk = b"%x\r\n%b\r\n" % (len(BODY), BODY)
        whole = head("Transfer-Encoding: chunked") + chunk + b"0\r\n\r\n"
        self.assertEqual(self.wire.ask(whole)[0], 202)
        for request in (push()[:-1], head("Transfer-Encoding: chunked") + chunk, whole[:-2], push()[:60]):
            self.wire = Wire(self)
            self.wire.send(request)
            self.wire.socket.shutdown(socket.SHUT_WR)
            self.assert_ended()
        self.assertEqual(len(self.watcher.reloads()), 2, "that of setUp and that of the whole request")

    def test_the_size_of_a_chunk_does_not_overflow(self):
        def answer(size):
            self.wire = Wire(self)
            return self.wire.ask(head("Transfer-Encoding: chunked") + size + b"\r\n" + BODY + b"\r\n0\r\n\r\n")[0]
        size = b"%x" % len(BODY)
        for zeros in (0, 7, 40):
            self.assertEqual(answer(b"0" * zeros + size), 202)
        # In 32 or 64 bits, each of these would be the size of the body again.
        for bits in (64, 68, 128):
            self.assertEqual(answer(b"%x" % ((1 << bits) + len(BODY))), 400)
            self.assert_ended()
        for wrong in (b"-" + size, b"+" + size, b"0x" + size, b" " + size, b""):
            self.assertEqual(answer(wrong), 400, wrong)

    def test_what_is_no_request_is_a_problem_and_ends_the_connection(self):
        for content, status, code in (
                (b"hello\r\n\r\n", 400, "request-invalid"),
                (b"GET / HTTP/3.0\r\n\r\n", 505, "request-invalid"),
                (head("Content-Length: 1", "Content-Length: 2"), 400, "request-invalid"),
                (head("Content-Length: 1", "Transfer-Encoding: chunked"), 400, "request-invalid"),
                (head("Content-Length : 1"), 400, "request-invalid"),
                (head("A: b", " folded"), 400, "request-invalid"),
                (head("A: " + "b" * (16 << 10)), 431, "head-too-large"),
                (head(*["a: b"] * 101), 431, "head-too-large"),
                (b"GET /?" + b"a=&" * 700 + b" HTTP/1.1\r\nHost: r\r\n\r\n", 414, "head-too-large"),
                (b"GET /" + b"a" * (16 << 10), 414, "head-too-large")):
            self.wire = Wire(self)
            found, headers, body = self.wire.ask(content)
            self.assertEqual((found, json.loads(body)["code"]), (status, code), content[:60])
            self.assertEqual(headers["Connection"], "close")
            self.assert_ended()
        self.wire = Wire(self)
        self.assertEqual(self.wire.ask(push().replace(b"Host", b"Hos"))[0], 400)
        self.assertEqual(self.wire.ask(push())[0], 202)

    def test_clients_that_do_not_read_delay_none(self):
        raise_descriptor_limit()
        document = head(path="/openapi.json", method="GET", token=None)
        with contextlib.ExitStack() as open_until_end:
            for _ in range(20):
                deaf = open_until_end.enter_context(socket.create_connection(self.router.publish))
                deaf.setblocking(False)
                with contextlib.suppress(OSError):
                    while deaf.send(document * 100):
                        pass
            for _ in range(20):
                self.assertEqual(self.wire.ask(push())[0], 202)

    def test_a_request_that_does_not_arrive_ends_with_408(self):
        begun, silent = Wire(self), Wire(self)
        began = time.monotonic()
        begun.send(push()[:-1])
        self.wire.send(head()[:20])
        for wire in (begun, self.wire):
            status, headers, body = wire.answer()
            self.assertEqual((status, json.loads(body)["code"]), (408, "request-timeout"))
            self.assertIsNone(wire.answer())
        self.assertIsNone(silent.answer())
        self.assertGreater(time.monotonic() - began, 9)


class Deaf(PublishCase):
    """A client with TLS that never reads; the connection's buffers in the kernel are small."""

    def setUp(self):
        self.flags = (*FLAGS, "--admin-tls", "on", *Certificates(self).flags)
        super().setUp()
        self.kernel = self.enterContext(socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_SOCK_DIAG))

    def opened(self, address):
        raw = socket.socket()
        self.addCleanup(raw.close)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        # The kernel lets the router send as much at a time as some of such segments have.
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        raw.settimeout(WAIT)
        raw.connect(address)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client = openssl_peer.Peer(raw)
        self.addCleanup(client.close)
        return client

    def unread(self, client):
        """How much of what a client has sent waits in the kernel for the router (sock_diag(7))."""
        ends = (client.socket.getpeername(), client.socket.getsockname())
        of = struct.pack("!2H", *(port for _, port in ends))
        of += b"".join(socket.inet_aton(host).ljust(16, b"\0") for host, _ in ends)
        question = struct.pack("=4BI", socket.AF_INET, socket.IPPROTO_TCP, 0, 0, 0) + of
        question += struct.pack("=3I", 0, 0xffffffff, 0xffffffff)
        self.kernel.send(struct.pack("=I2H2I", 16 + len(question), SOCK_DIAG_BY_FAMILY, 1, 1, 0) + question)
        answer = self.kernel.recv(4_096)
        # Any other answer: there is no such connection, or no more.
        is_found = struct.unpack_from("=H", answer, 4)[0] == SOCK_DIAG_BY_FAMILY
        return struct.unpack_from("=I", answer, 72)[0] if is_found else None

    def answers_before_the_end(self, address, request, most):
        """How many bytes of new keys the router is asked for in a body before it closes the connection."""
        client = self.opened(address)
        client.sendall(request)
        if self.unread(client) is None:
            self.skipTest("the kernel does not say what waits")
        asked = 0
        with contextlib.suppress(OSError):
            while asked < most:
                # As many as a single read may bring; a request has the length of its answer.
                changes = client.ask_for_keys(openssl_peer.REQUESTED, 16)
                client.send_bytes(changes)
                asked += len(changes)
                end = time.monotonic() + WAIT
                while self.unread(client):
                    self.assertLess(time.monotonic(), end, "the router neither reads nor closes")
                    time.sleep(0.000_2)
        return asked

    def test_the_answers_to_a_client_that_asks_for_keys_in_a_body_have_a_limit(self):
        body = "Content-Length: 100000"
        push = head(body)
        file = head(body, "Content-Type: application/json", path="/v1/app-file", method="PUT", token=ADMIN_TOKEN)
        for address, request, limit in (
                (self.router.admin, file, 128 << 10), (self.router.publish, push, 256 << 10)):
            with self.subTest(address=address):
                before, most = self.router.resident, limit + (1 << 20)
                asked = self.answers_before_the_end(address, request + b" ", most)
                self.assertGreater(asked, limit, "it has been read up to the limit")
                self.assertLess(asked, most, "it has been closed")
                self.assertLess(self.router.resident - before, 32 << 20)


class Credentials(TokenCase):
    flags = FLAGS

    def made(self, algorithm):
        """A key as an app file lists it, and a publisher's token that is signed with it."""
        file = self.folder / algorithm
        made = command("token", "new", "--key", algorithm, "--out", file, "--id", algorithm)
        token = command("token", "sign", "--key", file, "--app", APP, "--role", "publisher", "--name", "*",
                        "--id", algorithm)
        self.assertEqual(token.returncode, 0, token.stderr)
        return json.loads(made.stdout.split("app file:")[1]), token.stdout.strip()

    def test_a_credential_that_is_removed_is_refused_on_an_open_connection(self):
        self.install(publishers=[entry(TOKEN)])
        wire = Wire(self)
        for _ in range(3):
            self.assertEqual(wire.ask(push())[0], 202)
        self.install(publishers=[entry("another-token-of-a-cms")])
        self.assertEqual(wire.ask(push())[0], 401)
        self.assertEqual(wire.ask(push(token="another-token-of-a-cms"))[0], 202)

    def test_a_credential_that_is_removed_while_a_body_comes_is_refused(self):
        """A body has no longest time, as long as something of it comes."""
        self.install(publishers=[entry(TOKEN)], devices="open")
        watcher, wire = self.device("d-1", ELF), Wire(self)
        wire.send(head("Expect: 100-continue", f"Content-Length: {len(BODY)}"))
        # It is let in: the router waits for the body.
        self.assertEqual(wire.file.readline() + wire.file.readline(), b"HTTP/1.1 100 Continue\r\n\r\n")
        wire.send(BODY[:5])
        self.install(publishers=[entry("another-token-of-a-cms")], devices="open")
        self.assertEqual(wire.ask(BODY[5:])[0], 401)
        self.assertEqual(watcher.reloads(), [])

    def test_a_token_that_expires_is_refused_on_an_open_connection(self):
        secret = b"s" * 32
        self.install(publishers=[key(secret=secret)])
        # The router allows for a minute between the clocks. On a slow machine the end is set farther ahead.
        for left in (3, 10, 60):
            token = signed(secret=secret, role="publisher", sub="*", exp=int(time.time()) - 60 + left)
            wire = Wire(self)
            if (status := wire.ask(push(token=token))[0]) == 202:
                break
        self.assertEqual(status, 202)
        wait_until(lambda: wire.ask(push(token=token))[0] == 401, "the token expires")

    def test_signatures_that_take_long_are_verified_for_requests_with_and_without_bodies(self):
        for algorithm in ("EdDSA", "ES256"):
            with self.subTest(algorithm):
                public, token = self.made(algorithm)
                self.install(publishers=[public])
                wire = Wire(self)
                self.assertEqual(wire.ask(head("Content-Length: 0", token=token))[0], 400)
                self.assertEqual([wire.ask(push(token=token))[0] for _ in range(3)], [202] * 3)
                wire = Wire(self)
                wire.send(push(token=token) * 20)
                self.assertEqual([wire.answer()[0] for _ in range(20)], [202] * 20)
                broken = token[:-8] + ("AAAAAAAA" if token[-8:] != "AAAAAAAA" else "BBBBBBBB")
                self.assertEqual(wire.ask(push(token=broken))[0], 401)
                self.assertEqual(wire.ask(push(token=token))[0], 202)


if __name__ == "__main__":
    unittest.main()
