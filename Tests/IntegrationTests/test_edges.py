"""What strangers and hostile peers can make the router hold, say, or end."""

import json
import pathlib
import re
import signal
import socket
import tempfile
import time
import unittest

from admin import *
from bystander import BystanderCase
from support import *

TOKEN = "operator-secret-0123456789"
TOTAL = 256 << 10


class FloodCase(BystanderCase):
    """Gateways that send frames which are refused, and do not read the REJECTs."""

    #: 17 bytes for which there are 99.
    bad = frame(REQUEST, 0, b"x")

    def flooding_gateway(self):
        gateway = self.gateway(receive_buffer=4_096)
        gateway.socket.setblocking(False)
        gateway.next_seq = 1
        gateway.unsent = b""
        return gateway

    def flood(self, gateway, limit=1 << 20):
        """Sends until the kernel takes no more; returns how many bytes that were."""
        sent = 0
        while sent < limit:
            if not gateway.unsent:
                seqs = range(gateway.next_seq, gateway.next_seq + 4_000)
                gateway.next_seq += 4_000
                gateway.unsent = b"".join(frame(REQUEST, seq, b"x") for seq in seqs)
            try:
                count = gateway.socket.send(gateway.unsent)
            except BlockingIOError:
                break
            except OSError:
                return 0  # It was ended.
            gateway.unsent = gateway.unsent[count:]
            sent += count
        return sent

    def flood_until_quiet(self, gateways):
        """Floods until the router reads nothing more from any of them for a while."""
        quiet_since = time.monotonic()

        def is_quiet():
            nonlocal quiet_since
            if sum([self.flood(gateway) for gateway in gateways]):
                quiet_since = time.monotonic()
            return time.monotonic() - quiet_since > 0.7

        wait_until(is_quiet, "the router stops to read", 60)

    def flood_until(self, gateways, words, what):
        """Floods until the log has these words."""
        wait_until(lambda: [self.flood(gateway) for gateway in gateways] and words in self.router.log, what, 60)


class Halves(RouterCase):
    """Many who are each in the middle of a frame when the router is busy."""

    #: None is ended however long it takes until all have sent both halves.
    flags = ("--admin", "127.0.0.1:0", "--frame-timeout", 3_600, "--ping-interval", 3_600)
    count = 3_000

    def test_all_of_them_are_accepted_when_the_other_halves_come_at_once(self):
        """The beginnings were examined again and again, and no connection was read from any more."""
        publishers = [self.publisher(f"shard-{number}") for number in range(self.count)]
        body = json.dumps({"event": "x" * 30_000}).encode()
        whole = frame(PUSH, 1, body)
        for publisher in publishers:
            publisher.send_raw(whole[:15_000])
        wait_until(lambda: metrics(self.router)["input_bytes"] >= self.count * 15_000,
                   "the first halves are read")
        self.router.signal(signal.SIGSTOP)
        try:
            for publisher in publishers:
                publisher.send_raw(whole[15_000:])
        finally:
            self.router.signal(signal.SIGCONT)
        for publisher in publishers:
            publisher.wait_acked(1)


class Output(FloodCase):
    flags = ("--admin", "127.0.0.1:0", "--max-body", 4_096, "--output-limit", 64 << 10,
             "--output-total", TOTAL)

    def test_twenty_gateways_that_do_not_read_keep_within_the_total_and_stop_no_others(self):
        """It was 21.9 MB; now each has a share, and the bystanders are served."""
        gateways = [self.flooding_gateway() for _ in range(20)]
        # A router that gets no core is quiet, too.
        wait_until(lambda: self.flood_until_quiet(gateways)
                   or metrics(self.router)["output_bytes_max"] > TOTAL // 8, "much output waits")
        self.check_bystander()
        found = metrics(self.router)
        self.assertGreater(found["output_bytes_max"], TOTAL // 8)
        self.assertLessEqual(found["output_bytes_max"], 1.2 * TOTAL)
        self.assertEqual(found['reading_paused{reason="output"}'], 0)


class OutputAtTheLimit(FloodCase):
    flags = ("--admin", "127.0.0.1:0", "--max-body", 4_096, "--output-limit", 16_384,
             "--output-total", 32_768)
    #: What the log has then.
    at_limit = "no connection is read: too much output waits"

    def test_at_the_total_the_largest_output_is_closed_and_all_others_are_served(self):
        gateways = [self.flooding_gateway() for _ in range(24)]
        self.flood_until(gateways, self.at_limit, "the output comes to its limit")
        self.flood_until(gateways, "connections are closed: their peers do not read", "a connection is closed")
        self.router.wait_log("inputs are read again")
        for gateway in gateways:
            gateway.close()
        found = metrics(self.router)
        self.assertGreaterEqual(found['connections_refused_total{reason="output"}'], 1)
        self.assertLessEqual(found["output_bytes_max"], 1.2 * 32_768)

    def post(self):
        return ask(self.router, f"/v1/pushes?app={APP}&producer=lambda&seq=1", "POST",
                   json.dumps(HEALING), {"Content-Type": "application/json"})

    def read(self, gateways):
        for gateway in gateways:
            try:
                while gateway.socket.recv(1 << 16):
                    pass
            except OSError:
                pass

    def test_at_the_total_nothing_is_accepted_over_tcp_or_http_until_the_peers_read(self):
        publisher = self.publisher("waiting")
        gateways = [self.flooding_gateway() for _ in range(24)]
        self.flood_until(gateways, self.at_limit, "the output comes to its limit")
        seq = publisher.push(HEALING)
        answer = self.post()
        self.assertEqual((answer.status, answer.problem["code"]), (503, "busy"))
        self.assertIn("output", answer.problem["detail"])
        with self.assertRaises(TimeoutError):
            publisher.next(0.1)
        wait_until(lambda: self.read(gateways) or "inputs are read again" in self.router.log,
                   "the peers have read", 30)
        for gateway in gateways:
            gateway.close()
        publisher.wait_acked(seq)
        # What the gateways had sent before they were closed may fill the output once more.
        wait_until(lambda: self.post().status == 200, "pushes over HTTP are taken")


class CostlyPushes(RouterCase):
    """Pushes that cost far more than a connection's share of a tick, so that it rests after each."""

    apps = {"apps": [{
        "app": APP, **ACCESS, "kinds": [
            {"kind": "note", "budget": "unlimited",
             "match": {"text": [{"wildcard": "${configuration.pattern}"}]}}]}]}

    def test_they_are_all_accepted_without_further_input_while_others_are_served(self):
        """No client sends anything more that would wake the loop when the rest is over."""
        router = self.start(apps=self.apps)
        device = self.device("d-1", *[
            widget(f"w{number}", "note", pattern="a*" + "a" * (900 - number) + "b*a")
            for number in range(40)], router=router)
        costly, other = self.publisher("costly", router=router), self.publisher(router=router)
        for _ in range(10):
            seq = costly.push({"text": "a" * 24_000})
        for _ in range(10):
            self.assertEqual(other.pushed({"text": "nothing"}), 0)
        self.assertEqual(costly.wait_acked(seq), 0)
        device.barrier()


class Crowd(RouterCase):
    """Many clients that have all sent more than the router accepts in one tick."""

    def test_all_their_pushes_are_accepted_though_the_input_is_at_its_total(self):
        """No connection was read from, and nothing that was kept could ever be accepted."""
        total = 1 << 18
        router = self.start("--admin", "127.0.0.1:0", "--input-total", total, "--max-body", 1 << 14,
                            apps=CostlyPushes.apps)
        self.device("d-1", *[
            widget(f"w{number}", "note", pattern="a*" + "a" * (300 - number) + "b*a")
            for number in range(40)], router=router)
        deadline = time.monotonic() + 60 * PATIENCE
        # How much of what is sent has arrived when the router reads is up to the kernel.
        while metrics(router)["input_bytes_max"] < 0.9 * total:
            self.wave(router, deadline)
        self.assertLessEqual(metrics(router)["input_bytes_max"], 1.2 * total)

    def wave(self, router, deadline):
        """Six pushes of each of 200 publishers, all accepted in the end."""
        missing = {f"shard-{number}": None for number in range(200)}
        while missing:
            self.assertLess(time.monotonic(), deadline, f"{len(missing)} are left")
            for name, publisher in missing.items():
                if publisher is None:
                    missing[name] = publisher = self.publisher(name, router=router)
                    publisher.last = (publisher.seq // 6 + 1) * 6
                    publisher.unsent = b"".join(
                        frame(PUSH, seq, json.dumps({"text": "a" * 16_000}).encode())
                        for seq in range(publisher.seq + 1, publisher.last + 1))
            # So that as many as possible have something to say at once.
            router.signal(signal.SIGSTOP)
            try:
                for name, publisher in list(missing.items()):
                    self.go_on(name, publisher, missing)
            finally:
                router.signal(signal.SIGCONT)
            metrics(router)  # It has had some rounds.

    def go_on(self, name, publisher, missing):
        """Sends what the kernel takes, and reads what has come."""
        try:
            if publisher.unsent:
                publisher.socket.setblocking(False)
                sent = publisher.socket.send(publisher.unsent)
                publisher.unsent = publisher.unsent[sent:]
        except BlockingIOError:
            pass
        except OSError:
            missing[name] = None  # It was ended, and comes again.
            return
        for found in publisher.ready():
            if found is None or found.type == ERROR:
                missing[name] = None
            elif found.type == ACK and found.seq >= publisher.last:
                del missing[name]


class Input(BystanderCase):
    total = 1 << 20
    flags = ("--admin", "127.0.0.1:0", "--input-total", total)

    def test_frames_that_are_not_whole_hold_no_more_than_the_total(self):
        """The oldest are ended for new ones, whole frames are taken all the while."""
        clients = []
        begin = frame(WIDGETS, 1, b" " * 60_000)[:-1]
        for number in range(60):
            client = self.device(f"d-{number}")
            client.send_raw(begin)
            clients.append(client)
            if number % 20 == 19:
                self.check_bystander()
        self.router.wait_log("connections are ended: too much input is kept")
        self.check_bystander()
        found = metrics(self.router)
        self.assertGreater(found["input_bytes_max"], self.total // 2)
        self.assertLessEqual(found["input_bytes_max"], 1.2 * self.total)
        self.assertGreaterEqual(found['connections_refused_total{reason="input"}'], 1)
        self.assert_ends(clients[0], "frame-timeout")
        # What the last one has begun may still become whole.
        clients[-1].send_raw(b" ")
        self.assertEqual(clients[-1].expect(REJECT).code, "payload-not-json")

    def test_a_hello_holds_four_kilobytes_and_a_longer_one_is_refused_by_its_length(self):
        longest = frame(HELLO, 0, b" " * 4_096)
        patient = [self.connect() for _ in range(50)]
        for client in patient:
            client.send_raw(longest[:-1])
        hasty = self.connect()
        hasty.send_raw(frame(HELLO, 0, b"", length=12 + 4_097)[:4])
        found = hasty.expect(ERROR)
        self.assertEqual(found.code, "frame-length")
        self.assertIn("4096", found.json["message"])
        wait_until(lambda: metrics(self.router)["input_bytes"] >= 50 * 4_000, "all is there")
        self.assertLessEqual(metrics(self.router)["input_bytes"], 50 * 4_608)
        patient[0].send_raw(b" ")
        self.assert_ends(patient[0], "payload-not-json")


class PausedApps(RouterCase):
    total = 1 << 20
    apps = {"apps": [{
        "app": app, "publishers": ACCESS["publishers"], "kinds": []} for app in ("com.paused", "com.other")]}

    def test_what_publishers_of_a_paused_app_send_leaves_room_for_all_others(self):
        """No connection was read from until an operator resumed the app."""
        router = self.start("--admin", "127.0.0.1:0", "--input-total", self.total, apps=self.apps)
        other = self.publisher("other", app="com.other", router=router)
        paused = [self.publisher(f"shard-{number}", app="com.paused", router=router)
                  for number in range(500)]
        self.assertEqual(ask(router, "/v1/apps/com.paused/pause", "POST").status, 200)
        for publisher in paused:
            publisher.push({"text": "x" * 3_500})
        router.wait_log("connections are ended: too much input is kept")
        for _ in range(20):
            other.pushed({"text": "y" * 30_000})
        self.assertLessEqual(metrics(router)["input_bytes_max"], 1.2 * self.total)
        self.assertNotIn("no connection is read", router.log)
        ended = [publisher for publisher in paused if self.has_ended(publisher)]
        self.assertGreater(len(ended), 0)
        # What was left is accepted when the app is resumed.
        self.assertEqual(ask(router, "/v1/apps/com.paused/resume", "POST").status, 200)
        for publisher in paused:
            if publisher not in ended:
                publisher.wait_acked(1)

    def has_ended(self, publisher):
        try:
            found = publisher.next(0.02)
        except TimeoutError:
            return False
        self.assertEqual((found.type, found.code), (ERROR, "frame-timeout"))
        self.assertIn("its app is paused", found.json["message"])
        return True


class Addresses(RouterCase):
    flags = ("--admin", "127.0.0.1:0", "--max-connections-per-address", 3)

    def test_one_address_has_its_share_and_others_theirs(self):
        sessions = [self.device(f"d-{number}") for number in range(3)]
        late = self.connect()
        found = late.expect(ERROR)
        self.assertEqual(found.code, "too-many-connections")
        self.assertIn("of this address", found.json["message"])
        with socket.create_connection(self.router.address, source_address=("127.0.0.9", 0)) as other:
            other.sendall(frame(HELLO, 0, {"v": 1, "role": "device", "app": APP, "device": "o",
                                           "token": TOKENS["device"]}))
            self.assertEqual(other.recv(5)[4], WELCOME)
        for session in sessions:
            session.barrier()
        self.assertEqual(metrics(self.router)['connections_refused_total{reason="address"}'], 1)
        sessions[0].close()
        wait_until(lambda: metrics(self.router)['connections{role="device"}'] <= 2, "one has gone")
        self.device("d-0").barrier()


class Quotations(RouterCase):
    def test_an_error_quotes_little_of_what_was_sent_and_shows_what_is_not_seen(self):
        client = self.connect()
        client.send_raw(frame(HELLO, 0, {"v": 1, "role": "\u202e" + "x" * 3_000, "app": APP}))
        found = client.expect(ERROR)
        self.assertLess(len(found.body), 512)
        self.assertIn("\\u202exxx", found.json["message"])
        self.assertIn("…", found.json["message"])


class AdminConnections(RouterCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name) / "token"
        file.write_text(TOKEN + "\n")
        file.chmod(0o600)
        self.flags = ("--admin", "127.0.0.1:0", "--admin-token-file", file)
        self.sockets = []
        self.addCleanup(lambda: [each.close() for each in self.sockets])
        super().setUp()

    headers = {"Authorization": f"Bearer {TOKEN}"}

    def stranger(self, head=b""):
        found = socket.create_connection(self.router.admin)
        self.sockets.append(found)
        if head:
            found.sendall(head)
        return found

    def events(self):
        """An authenticated stream of events; the socket's file, from which its lines come."""
        watcher = self.stranger(b"GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
                                + TOKEN.encode() + b"\r\n\r\n")
        watcher.settimeout(WAIT)
        lines = watcher.makefile("rb")
        self.assertIn(b"200", lines.readline())
        return lines

    def check_events(self, lines):
        """Two more events come."""
        for _ in range(2):
            line = b""
            while not line.startswith(b"data:"):
                line = lines.readline()
                self.assertTrue(line, "the stream has ended")

    def ask(self, path, headers={}):
        return ask(self.router, path, headers=self.headers | headers)

    def test_silent_connections_push_out_no_authenticated_stream(self):
        lines = self.events()
        self.check_events(lines)
        for _ in range(200):
            self.stranger()
        self.check_events(lines)
        self.assertEqual(self.ask("/v1/status").status, 200)
        answer = self.ask("/metrics").text
        found = re.search(r"admin_connections_displaced_total (\d+)", answer)
        self.assertGreaterEqual(int(found[1]), 200 - 64)

    def test_heads_that_come_a_byte_at_a_time_keep_no_operator_out(self):
        """Slowloris: 150 connections that never finish their request."""
        lines = self.events()
        slow = [self.stranger(b"GET /v1/status HTTP/1.1\r\nX: ") for _ in range(150)]
        for _ in range(5):
            for each in slow:
                try:
                    each.sendall(b"a")
                except OSError:
                    pass
            self.assertEqual(self.ask("/v1/status").status, 200)
        self.check_events(lines)

    def test_requests_with_a_wrong_token_push_out_no_authenticated_stream(self):
        lines = self.events()
        for _ in range(100):
            self.stranger(b"GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer no\r\n\r\n")
        self.check_events(lines)

    def test_bodies_of_strangers_are_not_kept(self):
        """Half sent: they cost a connection, and no memory."""
        head = (b"POST /v1/pushes?app=com.mygame HTTP/1.1\r\nHost: a\r\n"
                b"Content-Length: 8000000\r\n\r\n")
        before = self.router.resident
        for _ in range(40):
            each = self.stranger(head)
            each.settimeout(1)
            try:
                each.sendall(b"x" * 4_000_000)
            except OSError:
                pass
        self.assertLess(self.router.resident - before, 24 << 20)
        self.assertEqual(self.ask("/v1/status").status, 200)


if __name__ == "__main__":
    unittest.main()
