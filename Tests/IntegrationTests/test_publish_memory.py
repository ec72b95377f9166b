"""What publishers over HTTP make the router keep: answers that nobody reads, and bodies of megabytes."""

import socket
import unittest

from admin import metrics
from bystander import BystanderCase
from support import *
from test_publish_http import FLAGS, PATH, TOKEN, publish

LINES = "application/x-ndjson"


def request(body, type=LINES, **headers):
    """The bytes of a request for pushes."""
    lines = [f"POST {PATH} HTTP/1.1", "Host: router", f"Authorization: Bearer {TOKEN}", f"Content-Type: {type}",
             f"Content-Length: {len(body)}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Answers(BystanderCase):
    flags = (*FLAGS, "--memory", 512 << 20)

    def deaf(self):
        """A connection that reads nothing, and whose kernel keeps little for it."""
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        client.connect(self.router.publish)
        self.addCleanup(client.close)
        return client

    def test_answers_that_are_not_read_cost_little(self):
        """10,000 refused lines of two bytes a request: of their 1 MB of reasons, 64 are kept."""
        body, count = b"[\n" * 10_000, 150
        clients = [self.deaf() for _ in range(count)]
        before = self.router.resident
        for client in clients:
            client.sendall(request(body))

        def answered():
            name = 'publish_requests_total{route="/v1/apps/{app}/pushes",status='
            return sum(value for key, value in metrics(self.router).items() if key.startswith(name))

        wait_until(lambda: answered() == count, "all requests are answered", timeout=60)
        refused = sum(value for name, value in metrics(self.router).items() if "payload-not-json" in name)
        self.assertGreater(refused, 20_000, "the lines of at least two requests")
        growth = self.router.resident - before
        self.assertLess(growth, 64 << 20, f"resident memory grew by {growth >> 20} MiB")

    def test_an_answer_names_64_refusals_and_counts_the_others(self):
        answer = publish(self.router, b'[\n' * 9_999 + b'{"character":"orc-7"}\n', Content_Type=LINES).json
        self.assertEqual([line["line"] for line in answer["rejected"]], list(range(1, 65)))
        self.assertEqual((answer["accepted"], answer["moreRejected"]), (1, 9_999 - 64))


class Bodies(BystanderCase):
    flags = FLAGS

    def test_bystanders_do_not_wait_for_long_bodies(self):
        """8 MB of lines, of one event and of many, with and without a key; each is answered as a short one is."""
        member = b",".join(b'"m%d":1' % number for number in range(600_000))
        event = b'{"specversion":"1.0","id":"%d","source":"/s","type":"t","data":{"character":"orc-7"}}'
        bodies = [
            (LINES, b'{"character":"orc-7"}\n' * 9_999 + b'{"text":"' + b"x" * (7 << 20) + b'"}\n', 202),
            ("application/cloudevents+json", event[:-1] % 1 + b"," + member[:40_000].rpartition(b",")[0] + b',"z":0}', 202),
            ("application/cloudevents+json", event[:-1] % 1 + b"," + member + b"}", 413),
            ("application/cloudevents-batch+json",
             b"[" + b",".join(event[:-1] % number + b',"x":"' + b"x" * 600 + b'"}' for number in range(9_999)) + b"]", 202),
            (LINES, b"[\n" * 20_000, 413),
            ("application/cloudevents-batch+json", b"[" + event[:-1] % 1 + b"," + member, 400),
        ]
        for type, body, status in bodies:
            with self.subTest(type=type, status=status, length=len(body)):
                answer = publish(self.router, body, Content_Type=type, Idempotency_Key=f'"{len(body)}"')
                self.assertEqual(answer.status, status, answer.text)
                self.check_bystander()

    def test_a_body_in_chunks_of_a_byte_is_a_body(self):
        """Others come first after each thousand of them."""
        body = b'{"character":"orc-7"}\n' * 3_000
        head, _, _ = request(b"").partition(b"Content-Length")
        chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
        with socket.create_connection(self.router.publish) as client:
            client.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")
            self.check_bystander()
            found = b""
            while b'"accepted"' not in found:
                found += client.recv(65_536)
        self.assertIn(b'"accepted":3000,', found)

    def test_a_client_that_leaves_takes_its_body_with_it(self):
        """Whatever of a long body was read or not, those that come after are served."""
        body = b'{"character":"orc-7"}\n' * 9_999
        for _ in range(20):
            with socket.create_connection(self.router.publish) as client:
                client.sendall(request(body))
        self.assertEqual(publish(self.router, body, Content_Type=LINES).json["accepted"], 9_999)

    def test_requests_on_a_connection_are_answered_in_their_order(self):
        """A long one and then short ones, sent without waiting."""
        long = b'{"character":"orc-7"}\n' * 9_999
        with socket.create_connection(self.router.publish) as client:
            client.sendall(request(long) + request(b'{"character":"orc-7"}') + request(long))
            found = b""
            while found.count(b'"accepted"') < 3:
                found += client.recv(65_536)
        counts = [int(part.split(b",")[0]) for part in found.split(b'"accepted":')[1:]]
        self.assertEqual(counts, [9_999, 1, 9_999])


if __name__ == "__main__":
    unittest.main()
