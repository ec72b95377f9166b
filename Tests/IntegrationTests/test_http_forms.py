"""Requests over HTTP as the standards allow them, and as they do not: sent as bytes to the listener for publishers
and to the admin server."""

import gzip
import json
import socket
import time
import unittest
from types import SimpleNamespace

from openapi import Document
from support import *
from test_publish_http import ELF, FLAGS, PATH, TOKEN, PublishCase, publish
from test_publish_wire import BODY, Wire, head, push

LINES = "Content-Type: application/x-ndjson"


class Listener(PublishCase):
    def setUp(self):
        super().setUp()
        self.watcher = self.device("d-1", ELF)
        self.pushes()
        self.watcher.reloads()

    def ask(self, content, **options):
        status, headers, body = Wire(self).ask(content, **options)
        return status, headers, json.loads(body) if body else None

    def refused(self, content, status, code):
        found, headers, body = self.ask(content)
        self.assertEqual((found, body["code"]), (status, code), body)
        return headers, body

    def test_a_target_in_absolute_form_is_served_and_names_the_host(self):
        for target in (f"http://router.example{PATH}", f"HTTPS://[::1]:7412{PATH}"):
            self.assertEqual(self.ask(push(path=target))[0], 202)
        self.assertEqual(self.ask(head(path="http://a/openapi.json?", method="GET"))[0], 200)
        # What the target names counts, whatever the header says; but there must be one.
        status = self.ask(push(path=f"http://router{PATH}").replace(b"Host: router", b"Host: other"))[0]
        self.assertEqual(status, 202)
        lacks = push(path=f"http://router{PATH}").replace(b"Host: router\r\n", b"")
        self.refused(lacks, 400, "request-invalid")
        for target in (f"ftp://router{PATH}", f"http://{PATH}", f"http://u@router{PATH}", f"http://a b{PATH}"):
            self.refused(push(path=target), 400, "request-invalid")
        for host in ("a/b", "a:b", "[::1", "user@a"):
            self.refused(push().replace(b"Host: router", b"Host: " + host.encode()), 400, "request-invalid")

    def test_a_compressed_body_is_refused_by_its_coding(self):
        body = gzip.compress(BODY)
        for kind in ("application/json", "application/x-ndjson", "application/cloudevents+json"):
            content = head("Content-Encoding: gzip", f"Content-Type: {kind}", f"Content-Length: {len(body)}") + body
            headers, problem = self.refused(content, 415, "content-encoding")
            self.assertEqual(headers["Accept-Encoding"], "identity")
            self.assertIn("gzip", problem["detail"])
        report = f"/v1/apps/{APP}/devices/d-1/state"
        self.refused(head("Content-Encoding: br", "Content-Length: 2", path=report, token=TOKENS["device"]) + b"{}",
                     415, "content-encoding")
        self.assertEqual(self.ask(push("Content-Encoding: identity"))[0], 202)
        self.refused(head("Content-Encoding: gzip", "Content-Length: 2", token="wrong-token-of-nobody") + b"{}",
                     401, "token-invalid")

    def test_a_body_comes_in_chunks_alone(self):
        chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY)
        for coding in ("chunked", "Chunked"):
            self.assertEqual(self.ask(head(f"Transfer-Encoding: {coding}") + chunked)[0], 202, coding)
        for codings, status in ((["gzip, chunked"], 501), (["identity, chunked"], 501), (["gzip", "chunked"], 501),
                                (["gzip"], 400), (["chunked, gzip"], 400), (["chunked", "chunked"], 400),
                                (["chunked;a=b"], 400)):
            lines = [f"Transfer-Encoding: {coding}" for coding in codings]
            wire = Wire(self)
            found, _, body = wire.ask(head(*lines) + chunked)
            self.assertEqual((found, json.loads(body)["code"]), (status, "request-invalid"), codings)
            self.assertIsNone(wire.answer(), "nothing after it is read as another request")
        old = head("Transfer-Encoding: chunked").replace(b"HTTP/1.1", b"HTTP/1.0") + chunked
        self.refused(old, 400, "request-invalid")
        self.refused(head("Transfer-Encoding: chunked", "Content-Length: 3") + chunked, 400, "request-invalid")

    def test_options_alone_asks_of_the_server_as_a_whole(self):
        wire = Wire(self)
        status, headers, _ = wire.ask(head(path="*", method="OPTIONS", token=None), has_body=False)
        self.assertEqual((status, headers["Allow"]), (204, "GET, HEAD, POST, PUT, OPTIONS"))
        self.assertEqual(wire.ask(push())[0], 202)
        for method, path in (("GET", "*"), ("POST", "*"), ("BREW", "*"), ("OPTIONS", "*?a=b"), ("OPTIONS", "**")):
            self.refused(head(method=method, path=path), 400, "request-invalid")

    def test_what_comes_after_the_chunks_is_no_header(self):
        def asked(*trailers, token=TOKEN):
            chunks = b"%x\r\n%b\r\n0\r\n" % (len(BODY), BODY)
            return head("Transfer-Encoding: chunked", token=token) + chunks + "\r\n".join([*trailers, "", ""]).encode()
        trailers = ["Reload-Kinds: com.none", "Reload-Urgent: yes", "Content-Type: text/plain", "ce-specversion: 0.3",
                    'Idempotency-Key: "a"', "Host: other", "Content-Length: 3", "Connection: close"]
        wire = Wire(self)
        for _ in range(2):
            status, answered, body = wire.ask(asked(*trailers))
            self.assertEqual((status, json.loads(body)["matched"]), (202, 1), body)
            self.assertIsNone(answered["Idempotent-Replayed"])
        self.assertEqual(wire.ask(asked(f"Authorization: Bearer {TOKEN}", token=None))[0], 401)
        self.assertEqual(wire.ask(push())[0], 202)

    def test_a_list_in_several_headers_is_one_and_what_is_none_is_ambiguous(self):
        status, _, body = self.ask(push("Reload-Kinds: , com.none,,", f"reload-kinds: {ELF['kind']} ,"))
        self.assertEqual((status, body["matched"], body["unknownKinds"]), (202, 1, ["com.none"]))
        for line in ('Idempotency-Key: "a"', "Reload-Void-At: 4070908800000", "Reload-Urgent: ?1", "ce-id: 1",
                     "Content-Type: application/json", f"Authorization: Bearer {TOKEN}"):
            # That of the token is there already.
            lines = [line] if line.startswith("Authorization") else [line, line]
            self.refused(push(*lines), 400, "header-ambiguous")
        self.assertEqual(self.ask(push("X-Other: 1", "X-Other: 2"))[0], 202)

    def test_a_scheme_is_followed_by_one_blank_or_more(self):
        for blanks in (" ", "  ", "     "):
            line = f"Authorization: bearer{blanks}{TOKEN}"
            self.assertEqual(self.ask(push(line, token=None))[0], 202)

    def test_lines_of_which_all_are_refused_are_a_problem(self):
        answer = self.pushes(b'[\n"a"\n[', Content_Type="application/x-ndjson", status=422)
        problem = answer.problem
        self.assertEqual(problem["code"], "payload-not-json")
        self.assertEqual([r["line"] for r in problem["rejected"]], [1, 2, 3])
        answer = self.pushes(b"[\n" * 100, Content_Type="application/x-ndjson", status=422)
        self.assertEqual((len(answer.problem["rejected"]), answer.problem["moreRejected"]), (64, 36))

    def test_blank_lines_at_the_end_are_none_and_a_mark_is_named(self):
        line = BODY + b"\r\n"
        for end in (b"", b"\r\n", b"\n \t\n\n"):
            answer = self.pushes(line + line + end, Content_Type="application/x-ndjson").json
            self.assertEqual((answer["accepted"], answer["rejected"]), (2, []))
        answer = self.pushes(line + b"\n" + line, Content_Type="application/x-ndjson").json
        self.assertEqual([r["line"] for r in answer["rejected"]], [2])
        self.pushes(b"\n\n", Content_Type="application/x-ndjson", status=400)
        mark = b"\xef\xbb\xbf"
        self.assertIn("byte order mark (U+FEFF)", self.pushes(mark + BODY, status=422).problem["detail"])
        answer = self.pushes(mark + line + line, Content_Type="application/x-ndjson").json
        self.assertIn("byte order mark", answer["rejected"][0]["detail"])

    def test_who_sends_events_may_ask_first(self):
        origin = "WebHook-Request-Origin: eventgrid.azure.net"
        status, headers, _ = self.ask(head(origin, "WebHook-Request-Rate: 120", method="OPTIONS", token=None))
        self.assertEqual(status, 200)
        self.assertEqual(headers["WebHook-Allowed-Origin"], "eventgrid.azure.net")
        self.assertEqual((headers["WebHook-Allowed-Rate"], headers["Allow"]), ("*", "GET, HEAD, POST, OPTIONS"))
        self.assertEqual(Wire(self).ask(head(method="OPTIONS", token=None), has_body=False)[0], 204)
        status, _, body = self.ask(push(origin, token=None))
        self.assertEqual(status, 401, "a permission lets nobody in")
        router = self.start(*FLAGS, "--webhook-origins", "eventgrid.azure.net", "--webhook-origins", "cms.example")
        for name, status in (("EventGrid.Azure.net", 200), ("cms.example", 200), ("other", 403)):
            answer = publish(router, b"", method="OPTIONS", token=None, WebHook_Request_Origin=name)
            self.assertEqual(answer.status, status)
            self.assertEqual(answer.headers["WebHook-Allowed-Origin"], name if status == 200 else None)
        self.document.check(self.document.operation("handshake")[2], answer)
        self.assertEqual(answer.problem["code"], "origin-foreign")
        for wrong, shown in (("a b", "a b"), ("", "empty"), ("a\u202eb", "a\\u202eb")):
            refused = command("serve", "--listen", "127.0.0.1:0", "--apps", self.router.apps, "--publish", "127.0.0.1:0",
                              "--webhook-origins", "cms.example", "--webhook-origins", wrong)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn(f"webhook-origins is {shown}; it must be names of origins", refused.stderr)


class Idle(PublishCase):
    """How long a connection may be without a request."""

    def ends_after(self, address, request, end=8):
        """The seconds after which a connection ends whose request was answered, and on which nothing more comes."""
        with socket.create_connection(address, timeout=end) as opened:
            opened.sendall(request)
            answer = opened.recv(65_536)
            self.assertIn(answer[:12], (b"HTTP/1.1 202", b"HTTP/1.1 200"))
            began = time.monotonic()
            try:
                while opened.recv(65_536):
                    pass
            except TimeoutError:
                return None
            return time.monotonic() - began

    def test_a_setting_says_how_long_and_the_default_is_beyond_a_balancers(self):
        router = self.start(*FLAGS, "--http-idle", 1)
        self.pushes(router=router)
        self.assertLess(self.ends_after(router.publish, push()), 6)
        self.assertLess(self.ends_after(router.admin, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 6)
        self.pushes()
        # 10 s were the limit once, here and there; the default of 75 s is checked by `serve --help`.
        self.assertIsNone(self.ends_after(self.router.publish, push(), end=12))
        self.assertIn("75", command("serve", "--help").stdout.split("--http-idle", 1)[1][:400])
        for wrong in ("0", "4000", "x"):
            refused = command("serve", "--listen", "127.0.0.1:0", "--apps", self.router.apps, "--publish",
                              "127.0.0.1:0", "--http-idle", wrong)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("http-idle", refused.stderr)

    def test_a_connection_without_a_request_is_no_longer_open_than_before(self):
        with socket.create_connection(self.router.publish, timeout=30 * PATIENCE) as opened:
            began = time.monotonic()
            self.assertEqual(opened.recv(1), b"")
            self.assertGreater(time.monotonic() - began, 5)


class Admin(PublishCase):
    """The same at the admin server."""

    def setUp(self):
        super().setUp()
        self.pushes()

    def ask(self, content):
        """Status, head and problem of the answer to a request, which ends the connection."""
        with socket.create_connection(self.router.admin, timeout=WAIT) as opened:
            opened.sendall(content)
            answer = b""
            while part := opened.recv(65_536):
                answer += part
                if b"\r\n\r\n" in answer and answer[9:12] == b"100":
                    answer = answer.split(b"\r\n\r\n", 1)[1]
        begin, _, body = answer.partition(b"\r\n\r\n")
        return int(begin[9:12]), begin.decode(), body

    def head(self, *lines, path=f"/v1/pushes?app={APP}", host="localhost", token=True):
        own = [f"POST {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
        if token:
            own.append(f"Authorization: Bearer {ADMIN_TOKEN}")
        return "\r\n".join([*own, *lines, "", ""]).encode()

    def push(self, *lines, body=BODY, **options):
        return self.head(*lines, f"Content-Length: {len(body)}", **options) + body

    def test_a_target_in_absolute_form_is_served_and_its_host_counts(self):
        path = f"/v1/pushes?app={APP}"
        self.assertEqual(self.ask(self.push(path=f"http://localhost{path}"))[0], 200)
        self.assertEqual(self.ask(self.push(path=f"http://127.0.0.1:7411{path}", host="evil.example"))[0], 200)
        status, _, body = self.ask(self.push(path=f"http://evil.example{path}"))
        self.assertEqual((status, json.loads(body)["code"]), (403, "host-foreign"))

    def test_compressed_bodies_and_codings_are_refused(self):
        status, begin, body = self.ask(self.push("Content-Encoding: gzip", body=gzip.compress(BODY)))
        self.assertEqual((status, json.loads(body)["code"]), (415, "content-encoding"))
        self.assertIn("accept-encoding: identity", begin.lower())
        chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY)
        self.assertEqual(self.ask(self.head("Transfer-Encoding: chunked") + chunked)[0], 200)
        for coding, status in (("gzip, chunked", 501), ("identity, chunked", 501), ("gzip", 400)):
            found, _, body = self.ask(self.head(f"Transfer-Encoding: {coding}") + chunked)
            self.assertEqual((found, json.loads(body)["code"]), (status, "request-invalid"), coding)
        trailer = f"0\r\nAuthorization: Bearer {ADMIN_TOKEN}\r\n\r\n".encode()
        late = self.head("Transfer-Encoding: chunked", token=False) + chunked.replace(b"0\r\n\r\n", trailer)
        self.assertEqual(self.ask(late)[0], 401)
        old = self.head("Transfer-Encoding: chunked").replace(b"HTTP/1.1", b"HTTP/1.0")
        self.assertEqual(self.ask(old + chunked)[0], 400)
        both = self.head("Transfer-Encoding: chunked", f"Content-Length: {len(BODY)}")
        self.assertEqual(self.ask(both + chunked)[0], 400)

    def test_what_is_no_request_is_a_problem_with_a_code(self):
        document = Document()
        for content, status, code in (
                (b"hello\r\n\r\n", 400, "request-invalid"),
                (b"GET / HTTP/3.0\r\n\r\n", 505, "request-invalid"),
                (self.push().replace(b"Host", b"Hos"), 400, "request-invalid"),
                (self.push("Content-Length: 1"), 400, "request-invalid"),
                (self.push("A : b"), 400, "request-invalid"),
                (self.head("Transfer-Encoding: gzip, chunked"), 501, "request-invalid"),
                (self.push("A: " + "b" * (32 << 10)), 431, "head-too-large"),
                (self.push(path="/" + "a" * (9 << 10)), 414, "head-too-large")):
            found, begin, body = self.ask(content)
            problem = json.loads(body)
            self.assertEqual((found, problem["code"]), (status, code), content[:60])
            # The document has what answers requests of HTTP/1.1.
            if status != 505:
                answer = SimpleNamespace(status=found, type="application/problem+json", text=body)
                document.check(document.operation("push")[2], answer)
            self.assertIn("x-request-id: ", begin.lower())

    def test_headers_that_are_there_twice(self):
        for line in ("Content-Type: application/json", f"Authorization: Bearer {ADMIN_TOKEN}",
                     "Origin: http://localhost"):
            status, _, body = self.ask(self.push(line, line))
            self.assertEqual((status, json.loads(body)["code"]), (400, "header-ambiguous"), line)
        status, _, body = self.ask(self.push("Reload-Kinds: com.none", f"Reload-Kinds: {ELF['kind']}"))
        self.assertEqual(status, 200, body)

    def test_a_scheme_is_followed_by_one_blank_or_more(self):
        line = f"Authorization: Bearer   {ADMIN_TOKEN}"
        self.assertEqual(self.ask(self.push(line, token=False))[0], 200)

    def test_lines_of_which_all_are_refused_are_a_problem(self):
        status, _, body = self.ask(self.push(LINES, body=b"[\n[\n\n"))
        problem = json.loads(body)
        self.assertEqual((status, problem["code"]), (422, "payload-not-json"))
        self.assertEqual([r["line"] for r in problem["rejected"]], [1, 2])


if __name__ == "__main__":
    unittest.main()
